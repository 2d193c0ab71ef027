"""Override phrases: setting aside what a reader was told before (J04)."""

from __future__ import annotations

from collections.abc import Iterator

from gate_text import listed, rx, spots

# The squashed reading keeps letters alone, so that spacing, emphasis, line breaks and
# figures or Cyrillic for letters hide nothing; l and i are one.
SQUASH = dict.fromkeys(range(128)) | str.maketrans(
    "abcdefghijklmnopqrstuvwxyz013457@$\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455",
    "abcdefghijkimnopqrstuvwxyzoieastasaeopcyxis",
)
ROT13 = str.maketrans("abcdefghijklmnopqrstuvwxyz", "nopqrstuvwxyzabcdefghijklm")
TURNED = {"vtaber", "erongi", "qvfertneq", "vafgehpgvbaf", "snoitcurtsni"}
FILL = """(?:all|any|every|everything|anything|whatever|in|from|of|the|your|my|our|this|these|
those|other|and|or|a|system|safety|ethical|security|developer|operator|hidden|initial|original|
core|current|existing|default|internal|previously|previous|previuos|prevoius|prior|earlier|above|
preceding|foregoing|former|past|old|rules|instructions|repository|project|memory|given|content|
house|conversations?)"""
SCOPE = """(?:previous|previuos|prevoius|prior|earlier|above|preceding|foregoing|former|your|
safety|hidden|system|developer|original|initial|ethical|content|house|memory)"""
FIRM = """(?:instructi?ons?|ins?trutions?|instrcutions|intructions|prompts?|guidelines?|
guardrails?|restrictions?|programming|training|safeguards|directives?)"""
LOOSE = f"""(?:{FIRM}|rules?|polic(?:y|ies)|orders|commands?|constraints?|protocols?|gates?)"""
IGNORE = """(?:ignor(?:e|ing)|ing[or]{2,3}e|igonr?e|ignroe|disreg[aur]{2,4}d(?:ing)?|forget(?:ting)
?|neglect(?:ing)?|setaside|payno(?:attention|heed)to|(?:not|nt|never|nolonger|stop|cease)(?:to|
(?:have|need|bound)to)?(?:follow|obey|complywith|adhereto|heed|listento)(?:ing)?)"""
DROP = f"""{IGNORE}{FILL}{{0,5}}{SCOPE}{FILL}{{0,4}}{LOOSE}|{IGNORE}{FILL}{{0,5}}(?:all|any|every|
other){FILL}{{0,4}}{FIRM}|{IGNORE}{FILL}{{0,4}}{LOOSE}(?:you|we|were|have|that|which|written|
stated|given|set|up|to){{0,4}}(?:above|before|earlier|sofar|previously|in(?:agents|claude|skill)md|
bythesystem)|{IGNORE}(?:about)?(?:all|everything|anything|whatever)(?:that|which|was|were|has|have|
been|you|ve|i|we|just|ever){{0,5}}(?:told|said|know|learn|instructed|taught|above|before|sofar|
youare)|{IGNORE}(?:all|everything|anything|whatever|what)(?:is)?(?:in)?(?:agents|claude|skill)md|
(?:follow|obey)(?:only|nothingbut)?this(?:entry|note|memory|file|message|page)(?:only|instead|
alone)|(?:follow|obey)(?:only|nothingbut)this"""
SEIZE = f"""(?:overrid(?:e|ing)|b(?:yp|py)ass(?:ing)?|discard|abandon|circumvent|disable|drop|
skip){FILL}{{0,3}}(?:your|safety|ethical|previous|prior|above){FILL}{{0,3}}(?:{FIRM}|rules|
protocol|polic|checks)|(?:previous|prior|earlier|above|original|former){FILL}{{0,2}}{LOOSE}(?:are|
is|have|has)(?:now|hereby|been|all){{0,2}}(?:void|cancel|null|revoke|suspend|lifted|rescind|delet)|
stopbeing(?:an?|the)(?:assistant|ai|agent)|everythingyou(?:were|havebeen)told(?:sofar|before)?is|
forgetthatyouarean?(?:assistant|ai|agent)|set{FILL}{{1,3}}{LOOSE}aside|act(?:ing)?against{FILL}{{0,
3}}{LOOSE}|no(?:rules|limits|restrictions)(?:for|applyto)you|resetyourself|oppositeof(?:what)?(?:ag
ents|claude|skill)md|youare(?:now|nolonger)(?:a|an|the|in|operating|running|as){{0,2}}(?:unrestrict
|unfilter|uncensor|jailb|root|admin|developermode|godmode|free(?:from|of)|superuser|unlimited|
bound|restrict|subject)|youhaveno(?:more|ethical)?(?:restrict|limit|rules|constraint|filter|guide)|
(?:youare|actas|roleplayas|pretendyouare)(?:now)?(?:an?)?(?:dan(?![gc])|unrestrict|unfilter|
uncensor|jailb)|unrestricted(?:creative)?mode|(?:reveal|print|show|output|repeat|display|leak|
disclose|dump)(?:me|us|the|full|entire|verbatim|contentsof|all|of){{0,4}}(?:your|hidden|
secret){FILL}{{0,3}}(?:prompt|instructions)"""
# Of the squashed reading: words of the text that call a pattern, pieces of the
# reading that do, and the pattern.
DROPPED = listed("""ignore ignoring disregard disregarding forget forgetting neglect
aside attention follow following obey obeying comply adhere heed""")
SEIZED = listed(
    """override overriding bypass bpyass bypassing discard disable abandon circumvent
void cancelled canceled revoked suspended lifted rescinded deleted drop skip being everything
forget aside against rules reset opposite"""
)
YOURS = listed("""youareno youhaveno youaredan unrestrict yourpro yoursys yourhid""")
PHRASES = (
    (DROPPED, ("ignor", "disreg", "ingor", "igon"), DROP),
    (SEIZED, YOURS, SEIZE),
)
# The same in other languages: verb, reach and object in one sentence, in any order.
OBJECTS = listed(
    """instruccion órdenes directrices indicaciones consignes règles directives
anweisung instructions regeln vorgaben richtlinien befehle instruç instruc regras ordens istruzion
regole reglas direttive инструкц правил указани prompt промпт instructies regels opdrachten
instrukcj polece zasad talimat kural yönerge تعليمات أوامر قواعد निर्देश नियम आदेश hướng chỉ
instruksi perintah aturan 指令 指示 规则 規則 规定 規定 提示 设定 設定 约束 限制 命令 ルール
プロンプト 制約 지시 명령 규칙 프롬프트 지침 คำสั่ง вказівк"""
)
PLAIN = listed(
    """instrucciones reglas indicaciones consignes directives instructions regeln
anweisungen vorgaben richtlinien befehle regras ordens istruzioni regole direttive prompt
instructies regels opdrachten instrukcje polecenia zasady talimatlar kurallar instruksi perintah
aturan"""
)
FORGET = r"""\b(?:ignor(?:a|e|ad|ez|en|i|iere|ieren|er|iert|are)(?:mos)?\b|olvid|descart|desobede|
haz caso omiso|no hagas caso|oubli|néglige|fai\w{1,3} abstraction|compte|vergiss|vergess|missacht|
verwirf|überschreib|außer kraft|esque[çc]|desconsider|dimentic|trascur|non tener|(?:про)?игнорир|
забудь|забыть|отбрось|не обращай|не следуй|ігнор|negeer|vergeet|z?ignoruj|zapomnij|pomiń|yok say|
unut|görmezden|dikkate alma|bỏ qua|phớt lờ|quên|abaikan|lupakan)|تجاهل|انس|अनदेखा|भूल|नज़रअंदाज़|
उपेक्षा|忽略|无视|無視|忘记|忘記|忘掉|忘れ|不要理会|不要理會|抛开|拋開|推翻|绕过|繞過|
不[再必要用](?:遵[守循从]|服从|理会)|停止遵[守循]|破棄|従わな|従う必要|取り消|무시|잊어|잊고|
따르지|เพิกเฉย"""
REACH = r"""\b(?:tod[ao]s|toutes?|tous|alle[rns]?|tutt[ei]|anterior|previ|précéd|antérieur|
ci-dessus|vorherig|bisherig|obig|früher|precedent|acima|arriba|sopra|все|всех|предыдущ|выше|прежн|
eerder|vorige|bovenstaand|poprzedni|wszystk|powyższ|önceki|tüm|bütün|yukar|trước|tất cả|sebelum|
semua|di atas|tus\b|tes\b|vos\b|dein|ihre?\b|suas\b|tue\b|свои|твои|sistem|système|попередн)|
السابقة|جميع|كل|أعلاه|पिछल|सभी|उपरोक्त|पहले|之前|以前|先前|上面|上述|以上|此前|前面|所有|全部|一切|
任何|你的|您的|系统|系統|原有|これまで|上記|前の|すべて|全て|あらゆる|今まで|システム|이전|위의|
앞의|모든|기존|지금까지|시스템|ก่อนหน้า|ทั้งหมด"""
STOP = r"[.!?。\n]"
NEGATED = r"""\b(?:never|not|n't|cannot|no (?:entry|one|agent)|nobody|nor|refus\w{1,4}|forbid\w{0,4
}|avoid)\b[^,;:.\n]{0,48}$"""


def phrases(low: str, words: set[str]) -> Iterator[int]:
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


def foreign(low: str, words: set[str]) -> Iterator[int]:
    """Where another language speaks of setting aside what was ordered before."""
    stems = words & PLAIN if low.isascii() else OBJECTS
    for start, end in spots(low, stems):
        said = rx(STOP).split(low[max(0, start - 70) : start])[-1]
        said += rx(STOP).split(low[start : end + 70])[0]
        if rx(REACH).search(said) and rx(FORGET).search(said):
            yield start
