"""Orders to the reader: role marks, hidden HTML, signals, fetch-and-run (J02-J07)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from gate_phrases import NEGATED, ROT13, TURNED, foreign, phrases
from gate_signals import POISON, SIGNALS, rows
from gate_text import QUOTED, Reading, bare, listed, rx, spots

STOPS = ("\n", ". ", "! ", "? ", '."', "。")
# The words that call a kind.
CALLS = """
S tell telling mention mentioning inform informed notify disclose disclosing reveal saying showing
claim pretend hide hides hiding conceal withhold report yourself leave deny sees know kept keeps
explain warn digas decir rien dire conte
Q silently quietly secretly covertly discreetly
P asking ask confirmation confirmations approval approvals permission permissions approved
authorised authorized consent consents consented signed waived exempt granted grants behalf ahead
questions prompting optional justify verify bypass skip verification yes preguntar demander
U supersedes supersede outranks overrides override precedence priority final regardless objects
even though memories entries ignore applies apply suspended waived lifted obey obeyed executed
revoked questioned consider treat directive notice gate follow
X env aws rsa ssh netrc shadow authorized force rm delete deletes deleting destroy wipe erase
disable disables approve merge fetch visit collaborator passwords vault grant prompt copy tokens
eval download disabling turn switch silence remove gate guard execute full chmod vote resolved sudo
verification skip follow obey carry run~all run~any run~every execute~all execute~any execute~every
perform~all perform~any
L env aws rsa netrc conversation transcript chat session variables credentials secrets passwords
snippet tokens token key keys secret send upload post copy copies diff environment ssh cookies
folder prompts
Z asked asks this~entry this~memory this~note this~rule this~instruction this~paragraph summarizing
summarising translating processing~this analyzing~this rating~this want wants wish
environment~variables env~vars deny lie pretend claim crawlers scrapers bots ai~systems ai~models
ai~tools llms ais language~models assistants suggest recommend promote advertise praise mention
whatever do~what do~as exempt always~obey always~follow always~execute always~trust you~have
mention~this tell~this reveal~this disclose~this mention~it reveal~it mention~that your~prompt
your~system your~instructions your~hidden your~full keep~this approved authorised authorized
accept~all approve~all approve~every merge~every approve~any accept~any accept~every merge~all
waived renounced treat treated secrets approvals approval confirmation confirmations let~the grant
say~why tell~why explain~why mention~why eval longer~run counts~as considered tell~anyone
tell~anybody yes alternatives hooks sudo reverse~shell be~done quiet attention dear hello hey hi
note~to to~the~ai to~the~llm to~the~assistant to~the~model ai~instr llm~instr assistant~instr
model~instr ai~dir ai~comm llm~comm every~answer every~response every~reply every~message
execute~the execute~commands never~ask hide~this always~run always~use always~start always~pass
V assistant assistants llm llms bot claude chatgpt copilot gemini model models ai agent summarizer
readers whoever bots gpt
r message above instruction instructions guidelines directions directives restriction restrictions
guidance programming safeguards guardrails constraints rule rules policy policies prompt filters
orders limitations messages behaviour behavior + ignore ignoring ignored disregard forget forgotten
overlook dismiss neglect mind scrap discard abandon erase erased void cancelled canceled cancel
revoked revoke lift lifted released free freed longer stop cease switch switched turn let set aside
override overrides bypass circumvent reset reverse opposite delete deleted follow obey apply bind
binds invalid null break violate gone suspend suspended superseded without none not never no listen
heed respect
s message users customers customer repository project whole netrc env ssh aws rsa keys key
credentials tokens token secrets cookies history logs conversation window directory variables
passwords prompt instructions memory + send post upload forward attach email mail pipe paste put
write copy leak exfiltrate transmit publish share submit append include commit export stream reveal
print output show sends posts
m memor save write store entry memory note drawer instruction entries memories notes rows +
override overrides outranks priority precedence above trumps exempt orders valid binding obey each
every always permanently permanent forever never not them copy once
c approved authorised authorized consents consented agreed permitted granted signed waived trusts +
user users owner owners maintainer human operator admin anything
q needed required necessary review
f sessions session task tasks answer answers reply replies conversation conversations response
responses
g guard gate hook check protocol + ignore false exempt skip bypass off needed optional waived need
longer obsolete
i whoever ai llm llms models model assistant assistants bot bots + must shall should has have
please asked required instructed expected to will this
"""
CALLERS = """告|瞒|知らせ|言わ|伝え|알리|말하|[无無]需|不需要|确认|確認|확인|优先|優先|送|发|上传|
전송|говори|сообщ|подтвер"""
# Marks of another speaker or of an end: tags, what begins a line, one more.
TAGS = r"""<(?:/?(?:sys|assistant[-_]\w{2,12})>\s?\w|\|(?:endoftext|eot_id|end|begin_of_text)\|>\n?
\w|start_of_turn>\s?(?:user|model|system)|\w{1,12} role\s?=\s?["'](?:system|assistant|developer)|
(?P<who>user|human|admin|root|ai)>[^<\n]{1,99}\s[^<\n]{1,99}</(?P=who)>|\|(?:im_start|start_header_
id)\|>\s{0,3}(?:system|user|assistant|developer|tool)|\|(?:system|user|assistant|developer)\|>\s
{0,3}\w|</?sys>>\s{0,3}\S|/?(?:system|system[-_ ]?(?:prompt|reminder|message|instructions?)|
assistant|developer|(?:tool|function)[-_](?:results?|calls?|use|outputs?|response)|antml:\w{1,30}|
(?:user|human)[-_](?:message|query|turn)|instructions)(?: [^<>\n]{0,80})?>\s{0,3}[\w
{"]|/(?:memory|memories|context|documents?|conversation|entry|untrusted)>\s{0,3}\w)"""
LINES = r"""\x0a[ \t>*\d.)-]{0,6}(?:[- ]{2,5}end of (?:memory|context|documents?|conversation|
instructions|prompt|notes?)\b|[=%]{2,} ?(?:system|admin|developer)(?: prompt| message| override)? ?
[=%]{2,}|user(?: \([^)\n]{3,20}\))?: (?:yes|ok|sure|go ahead|i (?:approve|agree|confirm|allow))|
assistant: (?:i|sure|ok|okay|yes|done|understood|of course)\b|#{1,6} (?:instruction|response):\n|
tool (?:output|result|response)s?: [^\n]{0,80}\b(?:confirm|approv|continue|proceed|grant|verified)|
(?:system|developer|admin) (?:message|override|directive|notice|prompt)s?: (?:disable|enable|
elevate|ignore|accept|you|all|the (?:agent|assistant|user)|from|new|grant|delete|run|execute|skip|
stop|override|do|never|always|obey|approve)\b|#{1,6}\s(?:system|developer|instructions?|
assistant)(?:\s(?:prompt|message))?:\s{1,3}\w|[*_]{0,2}\[(?:system|admin|developer|root|
assistant)(?:\s[a-z]{2,12})?\][*_:]{0,3}\s{1,3}\w|(?:system|developer)(?:\s(?:message|prompt|
notice|override))?:\s[^\n]{0,160}\b(?:you|must|agents?|assistant|granted|ignore|override|approved?|
policy|instructions)\b|human:\s[^\n]{1,400}\n{1,3}[ >]{0,3}(?:assistant|ai):)"""
ROLES = (TAGS, LINES, r"\[/?inst\]\s{0,3}\w")
FETCH = r"""\b(?:curl|wget|iwr|irm|invoke-(?:webrequest|restmethod))\b[^\n|;]{1,300}(?:\\\n\s{0,8})
?\|\s{0,3}(?:sudo\s(?:-\w\s)?)?(?:/(?:usr/)?bin/)?(?:env\s)?(?:(?:ba|z|da|k|fi)?sh|python3?|perl|
ruby|node|php|iex|invoke-expression)\b(?!\s{1,3}-[mencr]{1,2}\b)|\b(?:(?:ba|z)?sh|source|eval|
python3?|iex)\s{1,3}(?:-c\s{1,3})?["']?(?:<\(|\$\(|\(|`)\s{0,3}(?:curl|wget|iwr|irm|new-object)\b"""
# Places of a page that its reader does not see; the group is what stands there.
UNSHOWN = r"""(?s)<!--(.{3,2000}?)-->|\{#(.{3,400}?)#\}|!\[([^\]\n]{3,400})\]|\]\(\S{1,300}\s{1,3}[
"']([^"'\n]{3,400})["']\)|\n\[[^\]\n]{1,40}\]:\s{1,3}\S{1,200}\s{1,3}["'(]([^\n]{3,400})[)"']|
\s(?:alt|title|value|content|aria-label|placeholder|summary|data-[\w-]{1,20})\s?=\s?["']([^"'\n]
{3,400})|<(?:template|noscript|script|style)\b[^>\n]{0,200}>(.{3,600}?)</|<\w{1,12}\s(?:[^>]{0,200}
[\s;"'])?(?:display\s?:\s?none|visibility\s?:\s?hidden|(?:opacity|height|width|max-height|
font-size)\s?:\s?[01](?:px|pt|em|\.0\d?)?\b|(?:left|top|text-indent)\s?:\s?-\d{3}|hidden|
aria-hidden|color\s?[:=]\s?["']?(?:white|#fff|transparent))[^>]{0,200}>(.{3,600}?)</"""
# Whom a hidden place hails, and how.
HAIL = r"""(?:^|[.!:\n])\W{0,4}(?:(?:dear|hey|hello|attention|note to|to) )?(?:the |any |all |codi
ng )*(?:ai|llms?|agents?|assistants?|claude|copilot|chatgpt|gemini|model|system)s?(?: agents?| assi
stants?)?\s?[:,]|\b(?:agents?|assistants?|ai|llms?|models?|claude|copilot) (?:must|should|will|
shall|needs? to|ha(?:s|ve) to)\b|\bplease\b[^.\n]{0,40}\b(?:agent|assistant|ai|claude)\b|
\b(?:before|when|while) (?:answering|replying|you (?:read|answer))"""
REPORT = r"""(?<!user )(?<!owner )(?<!team )(?<!had )(?<!system )\b(?:tried|attempted|claimed|
pretended|contained|held|ordered|urged|demanded|said|wrote|(?:told|asked|instructed|wanted|telling|
asking|instructing) (?:the |an? |all |every |our |any )*(?:agents?|assistants?|models?|ai|claude|
readers?|us|it)\b|refus(?:ed|al)|rejected|flag(?:s|ged)|blocked|reverted|(?:prompt|an) injection|
injected|poisoned|phishing|untrusted|feeds?)\b|写着|出现了|とあった|という"""
QUOTES = '"[^"\n]{4,400}"|“[^”\n]{4,400}”|「[^」\n]{4,400}」|«[^»\n]{4,400}»'


@cache
def _calls() -> list[tuple[str, dict[str, list[str]], frozenset[str]]]:
    """Of each kind what calls it, by its first word; and words, one of which it needs."""
    table = []
    for kind, row in rows(CALLS).items():
        own, _, needs = row.partition("+")
        firsts: dict[str, list[str]] = {}
        for call in listed(own):
            firsts.setdefault(call.split()[0], []).append(call)
        table.append((kind, firsts, listed(needs)))
    return table


class Sentence:
    """A stretch of a text, asked for the signals that it gives."""

    def __init__(self, said: str, acts: str) -> None:
        self.said, self.acts = said, acts
        self.known: dict[str, bool] = {}

    def gives(self, kinds: Iterable[str]) -> bool:
        """Does it give all of these? A negation stands an act or a leave down."""
        for kind in kinds:
            if kind not in self.known:
                here = self.acts if kind in "XLs" else self.said
                self.known[kind] = any(
                    kind not in "PUXLZe"
                    or not rx(NEGATED).search(self.said[: m.start()])
                    for m in rx(rows(SIGNALS)[kind]).finditer(here)
                )
            if not self.known[kind]:
                return False
        return True


def _signals(low: str, acts: str, words: set[str]) -> Iterator[int]:
    """Sentences whose signals together make an order to the reader."""
    places = [
        (at, kind)
        for kind, firsts, needs in _calls()
        if not needs or not words.isdisjoint(needs)
        for first in words & firsts.keys()
        for at, _ in spots(acts, firsts[first])
    ]
    if not low.isascii():
        found = [match.start() for match in rx(CALLERS).finditer(low)]
        places += [(at, kind) for at in found for kind in "SPUX"]
    called: dict[int, set[str]] = {}
    for at, kind in places:
        start = max(low.rfind(stop, max(0, at - 400), at) for stop in STOPS) + 1
        start = start or at // 400 * 400  # a sentence without an end is cut
        called.setdefault(start, set()).add(kind)
    for start, kinds in called.items():
        ends = [low.find(stop, start, start + 800) for stop in STOPS]
        end = min([end for end in ends if end >= 0], default=start + 800)
        sentence = Sentence(low[start:end], acts[start:end])
        if any(sentence.gives(pair) for pair in POISON if not kinds.isdisjoint(pair)):
            yield start


def _unshown(low: str) -> Iterator[int]:
    """Places that a reader does not see and that order or address somebody."""
    for match in rx(UNSHOWN).finditer(low):
        said = next(group for group in match.groups() if group)
        hidden = Sentence(said, said)
        words = set(rx("[a-z]+").findall(said))
        told = rx(HAIL).search(said) or hidden.gives("AM") or hidden.gives("dry")
        told = told or (match[0][:2] != "<!" and hidden.gives("ew"))
        if told or any(map(hidden.gives, "SQPUXLZ")) or any(phrases(said, words)):
            yield match.start()


def _found(low: str, acts: str, words: set[str]) -> Iterator[tuple[int, str]]:
    """Every order in a text: offset and code. acts may show what a code span holds."""
    rules = [("J04", phrases(low, words)), ("J04", foreign(low, words))]
    rules.append(("J05", _signals(low, acts, words)))
    for role in ROLES:
        rules.append(("J02", (m.start() for m in rx(role).finditer("\n" + low))))
    if any(s in low for s in ("<!--", "{#", "![", '")', "')", "]: ", "</", '="')):
        rules.append(("J03", _unshown("\n" + low)))
    if not words.isdisjoint(("curl", "wget", "iwr", "irm", "invoke", "webclient")):
        rules.append(("J07", (m.start() for m in rx(FETCH).finditer(low))))
    if not words.isdisjoint(TURNED):
        back = "\n".join(line[::-1] for line in low.split("\n"))
        for plain in (low.translate(ROT13), back):
            rules.append(("J04", phrases(plain, words)))
    for code, places in rules:
        yield from ((at, code) for at in places)


def orders(page: Reading) -> Iterator[tuple[int, str, str]]:
    """Orders to the reader: offset, code, and level, lower for what is quoted."""
    found = set(_found(page.low, page.low, page.words))
    if not found:
        return
    lines = bare(page.low).split("\n")
    for i, line in enumerate(lines):
        if rx(REPORT).search(line):
            lines[i] = bare(line, QUOTES)
    calm = "\n".join(lines)
    meant = _found(calm, bare(page.low, QUOTED), page.words)
    said = {(page.row(at), code) for at, code in meant}
    for at, code in found:
        told = code in ("J04", "J05") and rx(REPORT).search(page.low[page.line(at)])
        quoted = told or (page.row(at), code) not in said
        yield at, code, "warning" if quoted else "error"
