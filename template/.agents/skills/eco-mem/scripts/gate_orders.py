"""Orders to the reader: role marks, hidden HTML, override phrases, signals (J02-J07)."""

from __future__ import annotations

from collections.abc import Iterator

from gate_text import QUOTED, Reading, bare, listed, rx, spots

ROLES = r"""<\|(?:im_start|start_header_id)\|>\s{0,3}(?:system|user|assistant|developer|tool)|
<\|(?:system|user|assistant|developer)\|>\s{0,3}\w|\[/?inst\]\s{0,3}\w|<</?sys>>\s{0,3}\S|
</?(?:system|system[-_ ]?(?:prompt|reminder|message|instructions?)|assistant|developer|
(?:tool|function)[-_](?:results?|calls?|use|outputs?|response)|antml:\w{1,30}|
(?:user|human)[-_](?:message|query|turn)|instructions)(?: [^<>\n]{0,80})?>\s{0,3}\w|
</(?:memory|memories|context|documents?|conversation|entry|untrusted)>\s{0,3}\w|
\x0a[ \t>*-]{0,6}(?:#{1,6}\s(?:system|developer|instructions?|assistant)
(?:\s(?:prompt|message))?:\s{1,3}\w|
[*_]{0,2}\[(?:system|admin|developer|root|assistant)(?:\s[a-z]{2,12})?\][*_:]{0,3}\s{1,3}\w|
(?:system|developer)(?:\s(?:message|prompt|notice|override))?:\s[^\n]{0,160}
\b(?:you|must|agents?|assistant|ignore|override|approved?|policy|instructions)\b|
human:\s[^\n]{1,400}\n{1,3}[ >]{0,3}assistant:)"""
MARKS = set(
    listed("""system assistant inst sys developer admin root human im start user tool function
memory context document documents conversation instructions antml memories entry untrusted""")
)
FETCH = r"""\b(?:curl|wget|iwr|irm|invoke-(?:webrequest|restmethod))\b[^\n|;]{1,300}
(?:\\\n\s{0,8})?\|\s{0,3}(?:sudo\s(?:-\w\s)?)?(?:/(?:usr/)?bin/)?(?:env\s)?
(?:(?:ba|z|da|k|fi)?sh|python3?|perl|ruby|node|php|iex|invoke-expression)\b
(?!\s{1,3}-[mencr]{1,2}\b)|\b(?:(?:ba|z)?sh|source|eval|python3?|iex)\s{1,3}
(?:-c\s{1,3})?["']?(?:<\(|\$\(|\(|`)\s{0,3}(?:curl|wget|iwr|irm|new-object)\b"""
# Places of a page that its reader does not see; the group is what stands there.
UNSHOWN = r"""(?s)<!--(.{3,2000}?)-->|\{#(.{3,400}?)#\}|!\[([^\]\n]{3,400})\]|
\]\(\S{1,300}\s{1,3}["']([^"'\n]{3,400})["']\)|\n\[[^\]\n]{1,40}\]:\s{1,3}\S{1,200}\s{1,3}["'(]
([^\n]{3,400})[)"']|\s(?:alt|title)\s?=\s?["']([^"'\n]{3,400})|
<\w{1,12}\s(?:[^>]{0,200}[\s;"'])?(?:display\s?:\s?none|visibility\s?:\s?hidden|opacity\s?:\s?0|
font-size\s?:\s?[01](?:px|pt|em)?\b|hidden|color\s?:\s?(?:white|#fff|transparent))[^>]{0,200}>
(.{3,600}?)</"""
BIDS = r"\b(?:must|should|always|never|please|run|send|open|approve|ignore|follow|do not|don't)\b"
# The squashed reading keeps letters alone, so that spacing, emphasis, line breaks and
# figures or Cyrillic for letters hide nothing; l and i are one.
SQUASH = dict.fromkeys(range(128)) | str.maketrans(
    "abcdefghijklmnopqrstuvwxyz013457@$\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455",
    "abcdefghijkimnopqrstuvwxyzoieastasaeopcyxis",
)
ROT13 = str.maketrans("abcdefghijklmnopqrstuvwxyz", "nopqrstuvwxyzabcdefghijklm")
TURNED = {"vtaber", "erongi", "qvfertneq", "vafgehpgvbaf", "snoitcurtsni"}
FILL = """(?:all|any|every|of|the|your|my|our|this|these|those|other|and|or|a|system|safety|ethical|
security|developer|operator|hidden|initial|original|core|current|existing|default|internal|
previously|previous|previuos|prevoius|prior|earlier|above|preceding|foregoing|former|past|old|
rules|instructions|repository|project|memory|given|content|house|conversations?)"""
SCOPE = """(?:previous|previuos|prevoius|prior|earlier|above|preceding|foregoing|former|your|
safety|hidden|system|developer|original|initial|ethical|content|house)"""
FIRM = """(?:instructi?ons?|ins?trutions?|instrcutions|intructions|prompts?|guidelines?|
guardrails?|restrictions?|programming|training|safeguards|directives?)"""
LOOSE = (
    f"(?:{FIRM}|rules?|polic(?:y|ies)|orders|commands?|constraints?|protocols?|gates?)"
)
IGNORE = """(?:ignor(?:e|ing)|ing[or]{2,3}e|igonr?e|ignroe|disreg[aur]{2,4}d(?:ing)?|forget
(?:ting)?|neglect(?:ing)?|setaside|payno(?:attention|heed)to|(?:not|nt|never|nolonger|stop|cease)
(?:(?:have|need|bound)to)?(?:follow|obey|complywith|adhereto|heed|listento)(?:ing)?)"""
# Of the squashed reading: words of the text that call a pattern, pieces of the reading
# that do, and the pattern.
PHRASES = (
    (
        set(
            listed("""ignore ignoring disregard disregarding forget forgetting neglect aside attention
follow following obey obeying comply adhere heed""")
        ),
        ("ignor", "disreg", "ingor", "igon"),
        f"""{IGNORE}{FILL}{{0,5}}{SCOPE}{FILL}{{0,4}}{LOOSE}|{IGNORE}{FILL}{{0,5}}(?:all|any|every|
other){FILL}{{0,4}}{FIRM}|{IGNORE}{FILL}{{0,4}}{LOOSE}(?:you|we|were|have|that|which|written|stated|
given|set|up|to){{0,4}}(?:above|before|earlier|sofar|previously|in(?:agents|claude|skill)md|
bythesystem)|{IGNORE}(?:about)?(?:all|everything|anything|whatever)(?:that|which|was|were|has|have|
been|you|ve|i|we|just|ever){{0,5}}(?:told|said|know|learn|instructed|taught|above|before|sofar|
youare)|(?:follow|obey)(?:only|nothingbut)?this(?:entry|note|memory|file|message|page)(?:only|
instead|alone)|(?:follow|obey)(?:only|nothingbut)this""",
    ),
    (
        set(
            listed("""override overriding bypass bpyass bypassing discard disable abandon circumvent void
cancelled canceled revoked obsolete superseded suspended lifted rescinded""")
        ),
        listed("""youareno youhaveno youaredan unrestrict yourprompt yoursystem yourhidd yourinst
hiddenpr"""),
        f"""(?:overrid(?:e|ing)|b(?:yp|py)ass(?:ing)?|discard|abandon|circumvent|disable){FILL}{{0,3}}
(?:your|safety|ethical|previous|prior|above){FILL}{{0,3}}(?:{FIRM}|rules|protocol|polic)|(?:your|all|
the){FILL}{{0,3}}(?:previous|prior|earlier|above|original|former){FILL}{{0,2}}{LOOSE}(?:are|is|have|
has)(?:now|hereby|been|all){{0,2}}(?:void|cancel|null|revoke|obsolete|invalid|supersede|suspend|
lifted|rescind)|youare(?:now|nolonger)(?:a|an|the|in|operating|running|as){{0,2}}(?:unrestrict|
unfilter|uncensor|jailb|root|admin|developermode|godmode|free(?:from|of)|superuser|unlimited|bound|
restrict|subject)|youhaveno(?:more|ethical)?(?:restrict|limit|rules|constraint|filter|guide)|
(?:youare|actas|roleplayas|pretendyouare)(?:now)?(?:an?)?(?:dan(?![gc])|unrestrict|unfilter|uncensor|
jailb)|unrestricted(?:creative)?mode|(?:reveal|print|show|output|repeat|display|leak|disclose|dump)
(?:me|us|the|full|entire|verbatim|contentsof|all|of){{0,4}}(?:your|hidden|secret){FILL}{{0,3}}
(?:prompt|instructions)""",
    ),
)
# The same in other languages: verb, reach and object in one sentence, in any order.
OBJECTS = listed("""instruccion órdenes directrices indicaciones consignes règles directives anweisung
instructions regeln vorgaben richtlinien befehle instruç instruc regras ordens istruzion regole
reglas direttive инструкц правил указани prompt промпт instructies regels opdrachten instrukcj
polece zasad talimat kural yönerge تعليمات أوامر قواعد निर्देश नियम आदेश hướng chỉ instruksi
perintah aturan 指令 指示 规则 規則 规定 規定 提示 设定 設定 约束 限制 命令 ルール プロンプト 制約 지시
명령 규칙 프롬프트 지침 คำสั่ง вказівк""")
PLAIN = set(
    listed("""instrucciones reglas indicaciones consignes directives instructions regeln anweisungen
vorgaben richtlinien befehle regras ordens istruzioni regole direttive prompt instructies regels
opdrachten instrukcje polecenia zasady talimatlar kurallar instruksi perintah aturan""")
)
FORGET = r"""\b(?:ignor(?:a|e|ad|ez|en|i|iere|ieren|er|iert|are)(?:mos)?\b|olvid|descart|desobede|
haz caso omiso|no hagas caso|oubli|néglige|fai\w{1,3} abstraction|compte|vergiss|vergess|missacht|
verwirf|überschreib|außer kraft|esque[çc]|desconsider|dimentic|trascur|non tener|(?:про)?игнорир|
забудь|забыть|отбрось|не обращай|не следуй|ігнор|negeer|vergeet|z?ignoruj|zapomnij|pomiń|yok say|
unut|görmezden|dikkate alma|bỏ qua|phớt lờ|quên|abaikan|lupakan)|تجاهل|انس|अनदेखा|भूल|नज़रअंदाज़|
उपेक्षा|忽略|无视|無視|忘记|忘記|忘掉|忘れ|不要理会|不要理會|抛开|拋開|推翻|绕过|繞過|
不[再必要用](?:遵[守循从]|服从|理会)|停止遵[守循]|破棄|従わな|従う必要|取り消|무시|잊어|잊고|따르지|เพิกเฉย"""
REACH = r"""\b(?:tod[ao]s|toutes?|tous|alle[rns]?|tutt[ei]|anterior|previ|précéd|antérieur|ci-dessus|
vorherig|bisherig|obig|früher|precedent|acima|arriba|sopra|все|всех|предыдущ|выше|прежн|eerder|
vorige|bovenstaand|poprzedni|wszystk|powyższ|önceki|tüm|bütün|yukar|trước|tất cả|sebelum|semua|
di atas|tus\b|tes\b|vos\b|dein|ihre?\b|suas\b|tue\b|свои|твои|sistem|système|попередн)|السابقة|جميع|
كل|أعلاه|पिछल|सभी|उपरोक्त|पहले|之前|以前|先前|上面|上述|以上|此前|前面|所有|全部|一切|任何|你的|您的|
系统|系統|原有|これまで|上記|前の|すべて|全て|あらゆる|今まで|システム|이전|위의|앞의|모든|기존|
지금까지|시스템|ก่อนหน้า|ทั้งหมด"""
STOP = r"[.!?。\n]"
STOPS = ("\n", ". ", "! ", "? ", '."', "。")
# What orders to a reader are made of, and the words that call it: S secrecy, P leave, U
# rank, X a sensitive act, L a leak, V a call to a machine, Z enough alone; and their
# company: A a reader told, B one named, K lasting, T this note, O an address.
SIGNALS = {
    "S": r"""\b(?:(?:not|never|without|nobody|no one|nor|\w{2,6}n't)\b[^.;\n]{0,16}?\b(?:tell|mention|inform|
notif|disclos|reveal|announc|explain|warn|saying|sees?|alert|report)\w{0,3}\b…(?:†|\b(?:any ?one|anybody|this|
it|them|entry|rules?|notes?|memory|why)\b)|(?:not|never) (?:show|list) (?:this|it)\b|say nothing|(?:keeps?|kept|hid\w{1,4}|conceal\w{0,3}|withh[eo]ld)\b…(?:from (?:the )?
(?:†|summary|receipt|logs?\b|listing|report|diff)|between us|secret|to yourself|that this (?:memory|note|
entry))|say (?:that )?it is\b|deny (?:that|any|knowing)|† (?:does|do|must|need|should|may)(?: not|n't)
 (?:need to |be |ever )?(?:know|see|notice|learn|told|find)|lo digas|sin decir|n'en parle|ne dis(?:ez)? (?:rien|
pas)|sans (?:le )?dire|не говори|не сообщай|nicht (?:dem|der) (?:be)?nutzer|não (?:conte|diga)|non dire)|
不要告[诉訴]|[别別]告[诉訴]|不得告知|瞒着|不告[诉訴]用|知らせ[ずな]|言わない|伝えない|알리지|말하지 마""",
    "Q": r"\b(?:silent|quiet|secret|covert|discreet)ly\b",
    "P": r"""\b(?:(?:no|without|skip|bypass|waive)(?: \w{2,10}(?:'s)?){0,3}? (?:‡|questions\b|being asked)|
(?:not|never|no|\w{2,6}n't) (?:need|require|wait|stop|pause|seek|ask)\w{0,3}\b…(?:‡|\basked?\b|\bagain\b|
\buser\b)|(?:‡|checks?\b)…\b(?:is|are|was|were|been) (?:waived|(?:turned )?off\b|disabled|suspended|lifted|
unnecessary|not (?:need|requir)ed|given|granted)|pre-?(?:approv|authori|clear)\w{1,6}|(?:standing|blanket|
full|advance|permanent|unlimited|general) (?:permission|approval|consent|authority|access)|exempt from|
† (?:\w{2,9} ){0,2}?(?:approv|authori|consent|grant|agree|allow|sign(?:ed)? off|waiv)\w{0,5}\b…\b(?:all|any|
every\w{0,5}|anything|future|full|always)\b|you have (?:permission|full)|(?:is|are) (?:hereby |now |fully )?
authori[sz]ed to|on the user's behalf|sin preguntar|sans demander|ohne rückfrage|без подтвержд)|
[无無]需[确確][认認]|不需要确认|確認不要|確認なし|확인 없이""",
    "U": r"""\b(?:(?:outrank|supersed|overrid|overrul|trump|prevail)\w{0,4}\b…(?:\b(?:agents|skill|claude)\.md|
\bmemory\b|\bprotocol|house rules|\b(?:user|system|other|earlier) (?:instruct|rule|request|prompt|polic|
entr))|takes? (?:precedence|priority) over (?:all|any|every|the user|user|your|other)|(?:highest|top|
absolute|supreme) (?:priority|authority)|final (?:word|say)\b|before any (?:other )?(?:instruction|rule|
request)|(?:even if|regardless of what) (?:the )?(?:†|any ?one|someone) (?:obj|say|ask|disag|refus|compl|
forbid|want|tell)|(?:system|security|admin\w{0,8}|developer) (?:directive|override|notice|note|order|update|
mandate)\b|(?:coming|issued|sent) (?:from|by) the system\b|(?:rules?|gate|protocol|instructions|restrictions?|polic(?:y|ies)|guard|
checks?)\b…\b(?:(?:no longer|do(?:es)? not|don't|never) (?:appl|bind|count)|(?:are|is|was|were) (?:suspended|
waived|lifted|void))|(?:not|don't) (?:have|need|bound) to (?:follow|obey|heed)|cannot be (?:revok|overrid)|
(?:consider|regard|treat) (?:\w{2,8} ){1,2}(?:as )?(?:an? )?(?:admin|root|trusted)|as if (?:the|it|they)…
(?:user|system|said)|obey(?:ed)?\b|(?:act on|do as) this)|最[高優优]先|[優优]先[於于]""",
    "X": r"""\b(?:(?:cat|read|open|load|print|dump|access|copy|grab|send|add|paste)\w{0,3}\b…(?:\.aws/cred|
id_rsa|id_ed25519(?!\.pub)|\.env\b(?!\.)|\.netrc|/etc/shadow|authorized_keys|credentials file|~/\.ssh/
(?!config|known))|(?:store|save|collect|record)\w{0,3} (?:whatever|any|all|every) (?:tokens?|passwords?|keys?|
credentials|secrets?)|force[- ]push|push (?:-f|--force)\b(?!-with)|rm -rf [~/]|(?:delet|destroy|wip|remov|
eras)\w{0,3}(?: all| the| every| old)*[ _](?:backups?|memory|logs?|history|audit|facts|entries|store)\b|
(?:disabl|turn off|skip|remov|switch off)\w{0,3} (?:all |the |any |every )*(?:tests|sandbox|gate|(?:[\w-]{1,12}
 )?hooks?|logging|security|safety)\b|as (?:an )?(?:admin|collaborator|owner)\b|auto-?approve|allow all|report
 success|(?:fetch|load|open|visit|read|get)\w{0,3} https?://\S+…(?:follow|obey|execut|apply|do what|run)|ask…
 for (?:the|their) (?:password|token)|(?:approve|merge|accept) (?:every|all|any) |(?:password|secret) (?:vault|
store) may be|outside the (?:workspace|sandbox|repo\w{0,7})\b)|--no-verify|(?:\.env|\.netrc|id_rsa)\b
[^.;\n]{0,12}(?:print|sent|copied|includ|post|upload|shar)|发送|上传|送信|전송""",
    "L": r"""\b(?:(?:send|post|upload|forward|e?mail|submit|transmit|exfiltrat|leak|share|paste|includ|append|
attach|prepend|embed|add|copy|reply|call|pass)\w{0,5}\b(?:(?! to http| from )[^.;\n]){0,60}?(?:\.env\b(?!\.)|
\.aws|id_rsa|(?:private|ssh) keys?|environment variables|env vars|conversation|(?:chat|session) (?:history|
logs?)|transcript|user's \w{1,12}|(?:any|all|every|found) (?:api keys?|tokens?|passwords?|secrets?|credentials)|
\.netrc|secrets? file|tracking snippet)[^;\n]{0,60}?(?:(?<!\()https?://|\w@\w|\bwebhook|(?:commit|commit message|
answer|reply|response|chat|pull request|url|parameter|artifact|outgoing requests)s?\b)|(?:keys?|tokens?|
passwords?|secrets?|credentials)\b…\b(?:send|post|upload|forward|mail)\w{0,3} (?:it|them) to \S{0,9}(?:https?:|
\w{1,40}@)|https?://\S+ with the user's)|[?&]\w{1,12}=<[a-z_ ]{0,20}(?:conversation|history|secret|env|key)""",
    "Z": r"""\b(?:(?:approved|signed off|authori[sz]ed|consented)[^.;\n]{0,12} (?:all|any|every) (?:\w{3,12} )?
(?:action|command|change|deletion|request|operation)|(?:all|any|every)…(?:is|are) pre-?approved|exempt from
 (?:the |this |any |all |every )*(?:write |memory )?(?:gate|review|verification|protocol|rules)|never ask…
(?:confirm|approv|permission)|this (?:entry|memory|note|drawer|instruction) (?:supersed|overrid|replac|outrank)es?|
as user-confirmed (?:instr|without)|deny that it exists|consents? to (?:sending|sharing|uploading)|to
 user-confirmed and|(?:rules|instructions) in (?:skill|agents|claude)\.md no longer|not (?:mention|tell|reveal|
disclose) (?:this|it|that)(?: \w{4,13})? to (?:the )?(?:user|human|reviewer))|
^\W{0,6}(?:system|admin) (?:directive|override)\W""",
    "V": r"""\b(?:note|notice|message|attention|dear|hey|instructions?|to)[,:]?(?: to| for)?(?: all| any| the|
 every)* (?:ai|llms?|language models?|assistants?|claude|chatgpt|copilot|gemini)\b|^\W{0,6}(?:ai|llm)s?
(?: \w{4,10})?:|\bif you are an? (?:ai|llm|language)""",
    "A": r"""\b(?:(?:ai|llms?|language models?|agents?|assistants?|claude|copilot|chatgpt|gemini|codex|(?:the|
this) model|whoever (?:loads|reads) this)\b(?:,? (?:that|who|which|\w{2,10}ing|load|process)[^.;:!?]{0,60}?)?
(?: [a-z]{1,12}){0,2}?(?:,? (?:must|should|shall|will|needs? to|has to|have to|may|can(?!not)|to (?!be )|
(?:is|are) (?:allowed|required|authori|free|permitted|to))\b|\s?:|,? answers)|(?:dear|hey|attention|note to|
to all|to the)(?: the| all)? (?:coding |ai )?(?:ai|agents?|assistants?|claude|llms?|models?|reader)\b|
(?:an|as an) (?:ai|llm)\b|you (?:must|should) always)|助手|助理|アシスタント""",
    "B": r"\b(?:ai|llms?|agents?|assistants?|claude|copilot|chatgpt|gemini|codex)\b(?!\.md)",
    "K": r"""\b(?:(?:every|each|all|later|future) (?:\w{3,10} )?(?:sessions?|tasks?|conversations?|chats?|turns?|
responses?|repl(?:y|ies)|answers?)\b|every time\b|in (?:the )?future|from (?:now|here|this point) on|going
 forward|henceforth|when(?:ever)? (?:the |a |any |an )?(?:user|any ?one|someone|human|asked)|if (?:any ?one|
someone|the user|asked)|on hearing|once loaded|at the (?:start|beginning|end) of (?:each|every|any)|forever\b|
permanent|каждой сессии|a partir de ahora|désormais|ab sofort)|以后每次|每次[会對]话|每次對話|今[后後]|永久|
すべてのセッション|모든 세션|앞으로""",
    "T": r"""\b(?:this (?:entry|memory|note|instruction|directive|drawer|rule|paragraph|file|line|preference|
user|text|one)\b|text (?:below|above))""",
    "O": r"(?<!\()https?://|\w@\w|\brecommend|\binstall",
}
CALLS = {
    "Q": "silently quietly secretly covertly discreetly",
    "S": """tell telling mention mentioning inform notify notifying disclose disclosing reveal saying hide hides hiding conceal withhold deny knows sees kept keeps digas decir
rien dire conte reviewer""",
    "P": """asking confirmation confirmations approval approvals permission approved authorised authorized
consent consents signed waived exempt granted grants behalf ahead questions bypass preguntar demander""",
    "U": """supersedes supersede outranks overrides override precedence priority final regardless objects
apply applies suspended waived lifted obey obeyed revoked consider treat directive""",
    "X": """env aws rsa ssh netrc shadow authorized force rm deletes deleting destroy wipe erase disable
approve fetch visit tokens collaborator passwords vault""",
    "L": """env aws rsa netrc conversation transcript chat session variables credentials secrets passwords
snippet tokens token key keys user""",
    "Z": "directive deny consents confirmed",
    "V": "assistant assistants llm llms claude chatgpt copilot gemini model models ai",
}
CALLERS = """告|瞒|知らせ|言わ|伝え|알리|말하|[无無]需|不需要|确认|確認|확인|优先|優先|送|发|上传|전송|говори|
сообщ|подтвер"""
REPORT = r"""(?<!user )(?<!owner )(?<!team )(?<!had )(?<!system )\b(?:tried|attempted|claimed|
pretended|contained|held|ordered|urged|demanded|said|wrote|(?:told|asked|instructed|wanted|telling|
asking|instructing) (?:the |an? |all |every |our |any )*(?:agents?|assistants?|models?|ai|claude|
readers?|us|it)\b|refus(?:ed|al)|rejected|flag(?:s|ged)|blocked|reverted|(?:prompt|an) injection|injected|
poisoned|phishing|untrusted|feeds?)\b|写着|出现了|とあった|という"""
QUOTES = '"[^"\n]{4,400}"|“[^”\n]{4,400}”|「[^」\n]{4,400}」|«[^»\n]{4,400}»'
NEGATED = r"""\b(?:never|not|n't|cannot|no (?:entry|one|agent)|nobody|nor|refus\w{1,4}|forbid\w{0,4}|
avoid)\b[^,;:.\n]{0,48}$"""


def _phrases(low: str, words: set[str]) -> Iterator[int]:
    """Where an override phrase stands, however it is spaced, stressed or spelled."""
    squash = low.translate(SQUASH)
    kept: list[int] = []  # where each letter stood
    for calls, pieces, pattern in PHRASES:
        if words.isdisjoint(calls) and not [
            piece for piece in pieces if piece in squash
        ]:
            continue
        for match in rx(pattern.replace("l", "i")).finditer(squash):
            kept = kept or [i for i, c in enumerate(low) if SQUASH.get(ord(c), c)]
            start, end = kept[match.start()], kept[match.end() - 1]
            broken = rx(r"[a-z][.;:!?]\s+[a-z]{2}|\x0a\s*\x0a").search(low, start, end)
            denied = rx(NEGATED).search(low[max(0, start - 60) : start])
            if not (start and low[start - 1].isalnum()) and not broken and not denied:
                yield start


def _foreign(low: str, words: set[str]) -> Iterator[int]:
    """Where another language speaks of setting aside what was ordered before."""
    stems = words & PLAIN if low.isascii() else OBJECTS
    for start, end in spots(low, stems):
        said = rx(STOP).split(low[max(0, start - 70) : start])[-1]
        said += rx(STOP).split(low[start : end + 70])[0]
        if rx(REACH).search(said) and rx(FORGET).search(said):
            yield start


def _kinds(said: str, acts: str, called: str) -> set[str]:
    """Which signals a sentence gives; a negation stands an act or a leave down."""
    kinds: set[str] = set()
    for kind in dict.fromkeys([*called, *SIGNALS]):
        if kind in called or kinds:
            for match in rx(SIGNALS[kind]).finditer(acts if kind in "XL" else said):
                if kind not in "PUXL" or not rx(NEGATED).search(said[: match.start()]):
                    kinds.add(kind)
                    break
    return kinds


def _signals(low: str, acts: str, words: set[str]) -> Iterator[int]:
    """Sentences whose signals together make an order: secrecy, leave or rank in company,
    an act and a reader, a call to machines and an address, a leak and its like."""
    places = [
        (at, kind)
        for kind, calls in CALLS.items()
        for at, _ in spots(acts, words.intersection(listed(calls)))
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
        company = found & set("SPU") and len(found & set("SPUBKTX")) > 1
        hushed = "Q" in found and found & set("AKPTXL")
        if (
            company
            or hushed
            or found & set("ZL")
            or found >= set("XA")
            or found >= set("VO")
        ):
            yield start


def _unshown(low: str) -> Iterator[int]:
    """Places that a reader does not see and that order or address somebody."""
    for match in rx(UNSHOWN).finditer(low):
        said = next(group for group in match.groups() if group)
        kinds = _kinds(said, said, "SQPUXLZA")
        words = set(rx("[a-z]+").findall(said))
        told = "A" in kinds and rx(BIDS).search(said)
        if kinds & set("SQPUXLZ") or told or any(_phrases(said, words)):
            yield match.start()


def _found(low: str, acts: str, words: set[str]) -> Iterator[tuple[int, str]]:
    """Every order in a text: offset and code. acts may show what a code span holds."""
    rules = [("J04", _phrases(low, words)), ("J04", _foreign(low, words))]
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
            rules.append(("J04", _phrases(plain, words)))
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
