"""Orders to the reader: role marks, hidden HTML, signals, fetch-and-run (J02-J07)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from gate_phrases import NEGATED, ROT13, TURNED, foreign, phrases
from gate_text import QUOTED, Reading, bare, listed, rx, spots

ROLES = r"""<\|(?:im_start|start_header_id)\|>\s{0,3}(?:system|user|assistant|developer|tool)|
<\|(?:system|user|assistant|developer)\|>\s{0,3}\w|\[/?inst\]\s{0,3}\w|<</?sys>>\s{0,3}\S|
</?(?:system|system[-_ ]?(?:prompt|reminder|message|instructions?)|assistant|developer|(?:tool|
function)[-_](?:results?|calls?|use|outputs?|response)|antml:\w{1,30}|(?:user|human)[-_](?:message|
query|turn)|instructions)(?: [^<>\n]{0,80})?>\s{0,3}\w|</(?:memory|memories|context|documents?|
conversation|entry|untrusted)>\s{0,3}\w|\x0a[ \t>*-]{0,6}(?:#{1,6}\s(?:system|developer|
instructions?|assistant)(?:\s(?:prompt|message))?:\s{1,3}\w|[*_]{0,2}\[(?:system|admin|developer|
root|assistant)(?:\s[a-z]{2,12})?\][*_:]{0,3}\s{1,3}\w|(?:system|developer)(?:\s(?:message|prompt|
notice|override))?:\s[^\n]{0,160}\b(?:you|must|agents?|assistant|ignore|override|approved?|policy|
instructions)\b|human:\s[^\n]{1,400}\n{1,3}[ >]{0,3}assistant:)"""
MARKS = listed(
    """system assistant inst sys developer admin root human im start user tool function
memory context document documents conversation instructions antml memories entry untrusted"""
)
FETCH = r"""\b(?:curl|wget|iwr|irm|invoke-(?:webrequest|restmethod))\b[^\n|;]{1,300}(?:\\\n\s{0,8})
?\|\s{0,3}(?:sudo\s(?:-\w\s)?)?(?:/(?:usr/)?bin/)?(?:env\s)?(?:(?:ba|z|da|k|fi)?sh|python3?|perl|
ruby|node|php|iex|invoke-expression)\b(?!\s{1,3}-[mencr]{1,2}\b)|\b(?:(?:ba|z)?sh|source|eval|
python3?|iex)\s{1,3}(?:-c\s{1,3})?["']?(?:<\(|\$\(|\(|`)\s{0,3}(?:curl|wget|iwr|irm|new-object)\b"""
# Places of a page that its reader does not see; the group is what stands there.
UNSHOWN = r"""(?s)<!--(.{3,2000}?)-->|\{#(.{3,400}?)#\}|!\[([^\]\n]{3,400})\]|\]\(\S{1,300}\s{1,3}[
"']([^"'\n]{3,400})["']\)|\n\[[^\]\n]{1,40}\]:\s{1,3}\S{1,200}\s{1,3}["'(]([^\n]{3,400})[)"']|
\s(?:alt|title)\s?=\s?["']([^"'\n]{3,400})|<\w{1,12}\s(?:[^>]{0,200}[\s;"'])?(?:display\s?:\s?none|
visibility\s?:\s?hidden|opacity\s?:\s?0|font-size\s?:\s?[01](?:px|pt|em)?\b|hidden|color\s?:\s?(?:w
hite|#fff|transparent))[^>]{0,200}>(.{3,600}?)</"""
STOPS = ("\n", ". ", "! ", "? ", '."', "。")
# What orders to a reader are made of: S secrecy, Q hushed doing, P leave, U rank, X a
# sensitive act, L a leak, Z enough alone, V a machine hailed; and their company: A a
# reader told, B one named, K lasting, M bidding, T this note itself, O an address.
SIGNALS = r"""
S \b(?:(?:not|never|without|nobody|no one|nor|\w{2,6}n't)\b[^.;\n]{0,16}?\b(?:tell|mention|inform|
notif|disclos|reveal|announc|explain|warn|saying|sees?|alert|report)\w{0,3}\b…(?:†|\b(?:readers?|
any ?one|anybody|this|it|them|entry|rules?|notes?|memory|why)\b)|(?:not|never) (?:show|list) (?:thi
s|it)\b|without showing|say nothing|(?:claim|pretend|insist|say) (?:that )?(?:it|they|this|
the) (?:is|was|are|were)\b|(?:keeps?|kept|hid\w{1,4}|conceal\w{0,3}|withh[eo]ld)\b…(?:from (?:the )
?(?:†|summary|receipt|logs?\b|listing|report|diff)|between us|secret|to yourself|that this (?:memor
y|note|entry))|deny (?:that|any|knowing)|leave this\b[^.;\n]{0,12} out\b|† (?:does|do|must|need|
should|may)(?: not|n't) (?:need to |be |ever )?(?:know|see|notice|learn|told|find)|lo digas|
sin decir|n'en parle|ne dis(?:ez)? (?:rien|pas)|sans (?:le )?dire|не говори|не сообщай|nicht (?:dem
|der) (?:be)?nutzer|não (?:conte|diga)|non dire)|不要告[诉訴]|[别別]告[诉訴]|不得告知|瞒着|
不告[诉訴]用|知らせ[ずな]|言わない|伝えない|알리지|말하지 마
Q \b(?:silent|quiet|secret|covert|discreet)ly\b
P \b(?:(?:no|without|skip|bypass|waive|circumvent)(?: \w{2,10}(?:'s)?){0,3}? (?:‡|questions\b|
checks\b|being asked)|(?:no longer|not|never|no|\w{2,6}n't) (?:need|require|wait|stop|pause|seek|
ask|have to)\w{0,3}\b…(?:‡|\basked?\b|\bask\b|\bagain\b|\buser\b|\bjustify|\bcheck back)|(?:not|
n't|never|need not) (?:verify|question|challenge)\b|(?:‡|checks?)…\b(?:is|are|was|were|been) (?:wai
ved|(?:turned )?off\b|disabled|suspended|lifted|unnecessary|optional|not (?:need|requir)ed|given|
granted)|pre-?(?:approv|authori|clear)\w{1,6}|(?:standing|blanket|full|advance|permanent|unlimited|
general) (?:permission|approval|consent|authority|access)|exempt from|†(?! can| may| must| should
) (?:\w{2,9} ){0,2}?(?:approv|authori|consent|grant|agree|allow|sign(?:ed)? off|waiv)\w{0,5}\b…\b(?
:all|any|every\w{0,5}|anything|future|full|always)\b|you have (?:permission|full)|(?:is|
are) (?:hereby |now |fully )?authori[sz]ed to|answer(?:ed)? yes|on the user's behalf|sin preguntar|
sans demander|ohne rückfrage|без подтвержд)|dangerously-skip|[无無]需[确確][认認]|不需要确认|
確認不要|確認なし|확인 없이
U \b(?:(?:outrank|supersed|overrid|overrul|trump|prevail)\w{0,4}\b…(?:\b(?:agents|skill|
claude)\.md|\bmemory\b|\bprotocol|house rules|\b(?:user|system|other|earlier) (?:instruct|rule|
request|prompt|polic|entr))|takes? (?:precedence|priority) over (?:all|any|every|the user|user|
your|other)|(?:highest|top|absolute|supreme)[- ](?:priority|authority)|final (?:word|say)\b|
before any (?:other )?(?:instruction|rule|request)|(?:even if|regardless of what) (?:the )?(?:†|
any ?one|someone) (?:obj|say|ask|disag|refus|compl|forbid|want|tell)|(?:system|security|
admin\w{0,8}|developer) (?:directive|override|notice|note|order|update|mandate)\b|(?:coming|issued|
sent) (?:from|by) the system\b|(?:rules?|gate|protocol|instructions|restrictions?|polic(?:y|ies)|
guard|checks?)\b…\b(?:(?:no longer|do(?:es)? not|don't|never) (?:appl|bind|count)|(?:are|is|was|
were) (?:suspended|waived|lifted|void))|(?:not|don't) (?:have|need|bound) to (?:follow|obey|heed)|
(?:cannot|may not|must not) be (?:revok|overrid|question|challeng)|must be (?:obeyed|executed)|
(?:consider|regard|treat)…\b(?:admin\w{0,10}|root|trusted)\b|as (?:if|though) (?:the|it|
they)…(?:user|system|said)|obey(?:ed)?\b|(?:act on|do as) this|your (?:new|real|true|actual|
only) (?:task|job|goal|role|instructions?)|stop what you|outside the gate|ignore (?:any |all )?(?:r
equests|attempts) to|(?:previous|earlier|later|other|newer) (?:memories|entries|notes)…\b(?:outdate
d|discard|ignor|void|wrong|false))|最[高優优]先|[優优]先[於于]
X \b(?:(?:cat|read|open|load|print|dump|access|copy|grab|send|add|paste|append)\w{0,3}\b…(?:\.aws/c
red|id_rsa|id_ed25519(?!\.pub)|\.env\b(?!\.)|\.netrc|/etc/shadow|authorized_keys|credentials file|
~/\.ssh/(?!config|known))|(?:store|save|collect|record|keep a copy of)\w{0,3} (?:whatever|any|all|
every|each) (?:api )?(?:tokens?|passwords?|keys?|credentials|secrets?)|force[- ]push|push (?:-f|
--force)\b(?!-with)|rm -rf [~/]|(?:delet|destroy|wip|remov|eras)\w{0,3}(?: all| the| every| old)*
[ _](?:backups?|memory|logs?|history|audit|facts|entries|store|tests)\b|(?:disabl|turn off|skip|
remov|switch off)\w{0,3} (?:all |the |any |every )*(?:tests|sandbox|gate|(?:[\w-]{1,12} )?hooks?|
logging|security|safety|branch protection|(?:the )?firewall)\b|as (?:an )?(?:admin|collaborator|
owner)\b|auto-?approve|allow all|report success|(?:fetch|load|open|visit|read|get)\w{0,3} https?://
\S+…(?:follow|obey|execut|apply|do what|run)|visit https?://|(?:download|fetch|get|open)\w{0,3} htt
ps?://\S+…\b(?:run|execut|eval|source)|make\w{0,2} …\bpublic\b|ask… for (?:the|their) (?:password|
token)|(?:approve|merge|accept) (?:every|all|any|this) |grant…(?:rights|access|role)\b|(?:paste|
print|reveal|show|output) your (?:system )?(?:prompt|instructions)|(?:password|secret) (?:vault|
store) may be|outside the (?:workspace|sandbox|repo\w{0,7})\b)|--no-verify|(?:\.env|\.netrc|
id_rsa)\b[^.;\n]{0,12}(?:print|sent|copied|includ|post|upload|shar)|发送|上传|送信|전송
L \b(?:(?:send|post|upload|forward|e?mail|submit|transmit|exfiltrat|export|leak|share|paste|includ|
append|attach|prepend|embed|add|copy|reply|call|pass)\w{0,5}\b(?:(?! to http| from )[^.;\n]){0,60}?
(?:\.env\b(?!\.)|\.aws|id_rsa|(?:private|ssh) keys?|environment variables|env vars|conversation|
(?:chat|session) (?:history|logs?)|transcript|user's \w{1,12}|(?:any|all|every|found) (?:api keys?|
tokens?|passwords?|secrets?|credentials)|\.netrc|secrets? file|secrets\.ya?ml|tracking snippet)[^;
\n]{0,60}?(?:(?<!\()https?://|\w@\w|\bwebhook|(?:commit|commit message|answer|reply|response|chat|
pull request|url|parameter|artifact|outgoing requests)s?\b)|(?:keys?|tokens?|passwords?|secrets?|
credentials)\b…\b(?:send|post|upload|forward|mail)\w{0,3} (?:it|them|the (?:new |old )?\w{3,10}) t
o \S{0,12}(?:https?:|\w{1,40}@)|https?://\S+ (?:with the user's|to \S{0,20}authorized_keys))|
[?&]\w{1,12}=<[a-z_ ]{0,20}(?:conversation|history|secret|env|key)
Z \b(?:(?:approved|signed off|authori[sz]ed|consented)[^.;\n]{0,12} (?:all|any|every) (?:\w{3,12} )
?(?:action|command|change|deletion|request|operation)|(?:all|any|every)…(?:is|are) (?:considered )?
(?:pre-?approved|approved in advance)|exempt from (?:the |this |any |all |every )*(?:write |memor
y )?(?:gate|review|verification|protocol|rules)|never ask…(?:confirm|approv|permission)|
this (?:entry|memory|note|drawer|instruction) (?:supersed|overrid|replac|outrank)es?|as user-confir
med (?:instr|without)|deny that it exists|consents? to (?:sending|sharing|uploading)|to user-confir
med and|as (?:an? )?(?:approvals?|confirmations?) (?:from|of|by) the user|(?:rules|instructions) i
n (?:skill|agents|claude)\.md no longer|not let the (?:user|human|reviewer)s? (?:know|see|notice)|
not (?:mention|tell|reveal|disclose) (?:this|it|that)(?: \w{4,13})? to (?:the )?(?:user|human|
reviewer))|^\W{0,6}(?:system|admin) (?:directive|override)\W
V \b(?:(?:note|notice|message|important|instructions?|task|written|addressed|meant)[,:]? (?:to|
for)(?: all| any| the| every)*(?: coding| code| automated)? (?:ai|llms?|bots?|language models?|
assistants?|summari[sz]er|readers?)\b|(?:dear|hey|attention)[,:]?(?: the| all| coding| ai)* (?:ai|
llms?|agents?|assistants?|claude|copilot|gemini|chatgpt|models?)\b|if you are an? (?:ai|llm|bot|
language|assistant|agent)|as an (?:ai|llm)\b|you, the (?:ai|agent|assistant|model)|(?:when|once|
if) (?:an?|the|any) (?:ai|llm|model|assistant|agent)s? (?:read|load|process|summar|see)\w* this|
whoever (?:read|load|process|summar)\w+|(?:ai|llm) agents?(?= (?:must|should|are req))|(?:ai|llm|
language) models?(?: that)? read\w* this)|^\W{0,2}(?:ai|llm|assistant)(?: \w{4,10})?[:,]
A \b(?:(?:ai|llms?|language models?|agents?|assistants?|claude|copilot|chatgpt|gemini|codex|(?:the|
this) model|whoever (?:loads|reads) this)\b(?:,? (?:that|who|which|\w{2,10}ing|load|process)[^.;:!?
]{0,60}?)?(?: [a-z]{1,12}){0,2}?(?:,? (?:must|should|shall|will|needs? to|has to|have to|may|
can(?!not)|to (?!be )|(?:is|are) (?:allowed|required|authori|free|permitted|to))\b|\s?:|
,? answers)|(?:requires?|expects?) that the (?:agent|assistant|model)|(?:dear|hey|attention|
note to|to all|to the)(?: the| all)? (?:coding |ai )?(?:ai|agents?|assistants?|claude|llms?|
models?|reader)\b|(?:an|as an) (?:ai|llm)\b|you (?:must|should) always)|助手|助理|アシスタント
B \b(?:ai|llms?|agents?|assistants?|claude|copilot|chatgpt|gemini|codex)\b(?!\.md)
K \b(?:(?:every|each|all|later|future|next) (?:\w{3,10} )?(?:sessions?|tasks?|conversations?|
chats?|turns?|responses?|repl(?:y|ies)|answers?)\b|(?:all|every) future\b|(?:before|after|
on) (?:every|each|any) \w|every time\b|in (?:the )?future|from (?:now|here|this point) on|
going forward|henceforth|whenever|when (?:the |a |any |an )?(?:user|any ?one|someone|human|asked)|
if (?:any ?one|someone|the user|asked)|on hearing|once loaded|at the (?:start|beginning|
end) of (?:each|every|any)|forever\b|permanent|каждой сессии|a partir de ahora|désormais|
ab sofort)|以后每次|每次[会對]话|每次對話|今[后後]|永久|すべてのセッション|모든 세션|앞으로
M \b(?:must|should|always|never|please|run|send|open|approve|ignore|follow|skip|print|rate|change|
add|do not)\b
T \b(?:this (?:entry|memory|note|instruction|directive|drawer|rule|paragraph|file|line|preference|
user|author|text|one)\b|text (?:below|above))
O (?<!\()https?://|\w@\w|\brecommend|\binstall
"""
# What is an order together: secrecy, leave or rank in any company; an act and a reader.
POISON = [
    set(kinds)
    for kinds in listed("""Z L XA XV XK VO VU VM QA QK QP QT QX SP SU SB SK ST SX
PU PB PK PT PX UB UK UT UX""")
]
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
eval download
L env aws rsa netrc conversation transcript chat session variables credentials secrets passwords
snippet tokens token key keys secret send upload
Z directive deny consents confirmed know advance approved signed mention
V assistant assistants llm llms bot claude chatgpt copilot gemini model models ai agent summarizer
readers whoever
"""
CALLERS = """告|瞒|知らせ|言わ|伝え|알리|말하|[无無]需|不需要|确认|確認|확인|优先|優先|送|发|上传|
전송|говори|сообщ|подтвер"""
REPORT = r"""(?<!user )(?<!owner )(?<!team )(?<!had )(?<!system )\b(?:tried|attempted|claimed|
pretended|contained|held|ordered|urged|demanded|said|wrote|(?:told|asked|instructed|wanted|telling|
asking|instructing) (?:the |an? |all |every |our |any )*(?:agents?|assistants?|models?|ai|claude|
readers?|us|it)\b|refus(?:ed|al)|rejected|flag(?:s|ged)|blocked|reverted|(?:prompt|an) injection|
injected|poisoned|phishing|untrusted|feeds?)\b|写着|出现了|とあった|という"""
QUOTES = '"[^"\n]{4,400}"|“[^”\n]{4,400}”|「[^」\n]{4,400}」|«[^»\n]{4,400}»'


@cache
def rows(table: str) -> dict[str, str]:
    """The rows of a table by their letter; a line without one goes on."""
    parts = re.split(r"\n(?=[A-Z] )", table.strip())
    return {part[0]: part[2:] for part in parts}


def _kinds(said: str, acts: str, called: str) -> set[str]:
    """Which signals a sentence gives; a negation stands an act or a leave down."""
    kinds: set[str] = set()
    for kind in dict.fromkeys([*called, *rows(SIGNALS)]):
        if kind in called or kinds:
            here = acts if kind in "XL" else said
            for match in rx(rows(SIGNALS)[kind]).finditer(here):
                if kind not in "PUXL" or not rx(NEGATED).search(said[: match.start()]):
                    kinds.add(kind)
                    break
    return kinds


def _signals(low: str, acts: str, words: set[str]) -> Iterator[int]:
    """Sentences whose signals together make an order to the reader."""
    places = [
        (at, kind)
        for kind, calls in rows(CALLS).items()
        for at, _ in spots(acts, words.intersection(calls.split()))
    ]
    if not low.isascii():
        places += [(match.start(), "SPUX") for match in rx(CALLERS).finditer(low)]
    called: dict[int, str] = {}
    for at, kinds in places:
        start = max(low.rfind(stop, max(0, at - 400), at) for stop in STOPS) + 1
        start = start or at // 400 * 400  # a sentence without an end is cut
        called[start] = called.get(start, "") + kinds
    for start, calls in called.items():
        ends = [low.find(stop, start, start + 800) for stop in STOPS]
        end = min([end for end in ends if end >= 0], default=start + 800)
        found = _kinds(low[start:end], acts[start:end], calls)
        if any(found >= pair for pair in POISON):
            yield start


def _unshown(low: str) -> Iterator[int]:
    """Places that a reader does not see and that order or address somebody."""
    for match in rx(UNSHOWN).finditer(low):
        said = next(group for group in match.groups() if group)
        kinds = _kinds(said, said, "SQPUXLZA")
        words = set(rx("[a-z]+").findall(said))
        told = "A" in kinds and rx(rows(SIGNALS)["M"]).search(said)
        if kinds & set("SQPUXLZ") or told or any(phrases(said, words)):
            yield match.start()


def _found(low: str, acts: str, words: set[str]) -> Iterator[tuple[int, str]]:
    """Every order in a text: offset and code. acts may show what a code span holds."""
    rules = [("J04", phrases(low, words)), ("J04", foreign(low, words))]
    rules.append(("J05", _signals(low, acts, words)))
    if not words.isdisjoint(MARKS):
        rules.append(("J02", (m.start() for m in rx(ROLES).finditer("\n" + low))))
    if any(s in low for s in ("<!--", "{#", "![", '")', "')", "]: ", "</")):
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
