"""People: identity numbers by checksum, patient records, transcripts (G06-G08)."""

from __future__ import annotations

from collections.abc import Iterator

from gate_text import Reading, listed, rx

# Scheme; how it is written (0 a figure, _ any sign or none); its pattern; and where the
# shape alone is common, what the line must speak of (or of an identity, see SPOKEN).
NUMBERS = r"""
card  0000_0000_0000_0000  \d{4}([ -]?)\d{4}\1\d{4}\1\d{4}
card  0000_000000_00000  3[47]\d\d([ -]?)\d{6}\1\d{5}
china  00000000000000000  [1-8]\d{5}(?:19|20)\d\d(?:0[1-9]|1[0-2])[0-3]\d{4}[\dXx]
taiwan  000000000  [A-Z][1289]\d{8}
hkid  000000  [A-Z]{1,2}\d{6}\([\dA]\)
hkid  000000  [A-Z]{1,2}\d{6}[\dA]  hkid|hong kong|身份證
iban  00  [A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?
korea  000000 0000000  \d\d(?:0[1-9]|1[0-2])[0-3]\d-[1-8]\d{6}
nric  0000000  [STFG]\d{7}[A-Z]
cpf  000 000 000 00  \d{3}\.\d{3}\.\d{3}-\d\d
cpf  00000000000  \d{11}  cpf
ssn  000_00_0000  \d{3}([ -]?)\d\d\1\d{4}  \bssn\b|social.security
nhs  000_000_0000  \d{3}([ -]?)\d{3}\1\d{4}  \bnhs\b
aadhaar  0000_0000_0000  [2-9]\d{3}([ -]?)\d{4}\1\d{4}  aadhaar|aadhar|uidai|आधार
mynumber  0000_0000_0000  \d{4}([ -]?)\d{4}\1\d{4}  my ?number|マイナンバー|個人番号
luhn  000_000_000  \d{3}([ -]?)\d{3}\1\d{3}  \bsin\b|social insurance|teudat|israel
luhn  000000_0000  \d{6}[-+ ]?\d{4}  personnummer|swed|organisationsnummer
luhn  0000000000000  \d{13}  south afric|\bsa id
dni  0000000  [XYZ\d]\d{7}-?[A-Z]  \b(?:dni|nie|nif)\b|spanish|españ
pan  0000  [A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]  \bpan\b|permanent account
nino  00_00_00  [A-Z]{2}( ?)\d\d\1\d\d\1\d\d\1[A-D]  \bnino\b|\bni n|national insurance
codice  00  [A-Z]{6}\d\d[A-EHLMPRST]\d\d[A-Z]\d{3}[A-Z]
curp  000000  [A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z\d]\d
ahv  000 0000 0000 00  756\.\d{4}\.\d{4}\.\d\d
nir  0_00_00_00_000_000  [12]( ?)\d\d\1(?:0[1-9]|1[0-2])\1(?:\d\d|2[AB])\1\d{3}\1\d{3} ?\d\d
pesel  00000000000  \d{11}  pesel|polish|polsk
kimlik  00000000000  [1-9]\d{10}  kimlik|tckn|turkish
steuer  00_000_000_000  \d\d( ?)\d{3}\1\d{3}\1\d{3}  steuer|german tax|\btin\b|idnr
rijks  00 00 00 000 00|00000000000  \d\d\.?\d\d\.?\d\d-?\d{3}\.?\d\d  rijksreg|registre nat|belgi
bsn  000000000  \d{9}  \bbsn\b|burgerservice|dutch
tfn  000_000_000  \d{3}([ -]?)\d{3}\1\d{3}  \btfn\b|tax file
hetu  000000  \d{6}[-+A]\d{3}[\dA-Y]  hetu|henkil|finnish
cnp  0000000000000  [1-8]\d{12}  \bcnp\b|romanian
pps  0000000  \d{7}[A-W][A-IW]?  \bppsn?\b|irish
cpr  000000_0000  [0-3]\d[01]\d{3}-?\d{4}  \bcpr\b|danish|dansk
nik  0000000000000000  \d{16}  \bnik\b|\bktp\b
passport  00  (?!\d{8}\b)(?=(?:[A-Z]{0,3}\d){5})[A-Z\d]{8,10}  \
passport(?!\W?js)|护照|護照|パスポート|旅券|여권|reisepass|passeport|pasaporte|passaport
licence  000  (?=(?:[A-Z -]{0,6}\d){5})[A-Z\d]{3,16}(?:[ -][A-Z\d]{3,8}){0,3}  \
driv\w{2,4}'?s? licen[cs]e|driving permit|驾照|駕照|免許証|führerschein|permis de conduire
bank  000000  \d{7,17}  (?:bank|savings|sort code|routing|银行|銀行|swift).*(?:account|acct|konto|\
账号|帳號|口座)|(?:account|acct|konto).*(?:bank|sort code|routing|iban)
"""
SPOKEN = r"""|national.(?:id|insur|reg)|identity (?:number|card|document|no)|\bid (?:number|card|
no)\b|tax(?:payer)? (?:id|number|code)|citizen.{0,9}(?:id|number|card)|personal (?:id\b|identi|
number|code)"""
FIGURES = "0(?:0{6}|[0 ]{9}0|0{5} [0a])"
TITLES = listed(
    """pan nino ni insurance permanent codice fiscale curp licence license passport
passeport pasaporte reisepass"""
)
# Weights of the figures before the check (a is ten), and the check by remainder.
WEIGHTS = """china 79a584216379a5842 10X98765432 taiwan 1987654321 0987654321 hkid 98765432
0A987654321 korea 234567892345 10987654321 cpf a98765432 00987654321 cpf2 ba98765432 00987654321
nhs a98765432 0-987654321 mynumber 65432765432 00987654321 S 02765432 JZIHGFEDCBA F 02765432
XWUTRQPNMLK dni e6jib8a1 TRWAGMYFPDXBNJZSQVHLCKE pesel 1379137913 0987654321 kimlik 797979797
0123456789 kimlik2 1111111111 0123456789 bsn 98765432 0123456789- tfn 14375869 0123456789- cnp
279146358279 01234567891 pps 8765432 WABCDEFGHIJKLMNOPQRSTUV"""
VAGUE = ("passport", "licence", "bank")  # no check: the word on the same line
SAMPLES = listed(
    """A123456789 A1234563 Z6833655 11010519491231002X 078051120 219099999 123456789
GB82WEST12345698765432 DE89370400440532013000 GB29NWBK60161331926819 9434765919 12345678Z
378282246310005 371449635398431 6011111111111117 6011000990139424 3530111333300000 987654321
3566002020360505 5200828282828210 2223003122003222 4012888888881881 5105105105105100 11144477735
12345678909 S1234567D AB123456C 1234567890 12345678 4000056655665556"""
)
BRANDS = (
    r"4(?!000000)|5[1-5]|2(?:2[2-9]|[3-6]|7[01]|720)|3[47]|6(?:011|4[4-9]|5|2)|35[2-8]"
)


def _weighed(scheme: str, value: str, start: int = 0) -> bool:
    """Does the character after the weighed ones follow from them?"""
    table = WEIGHTS.split()
    at = table.index(scheme)
    weights, marks = table[at + 1 : at + 3]
    total = start + sum(int(w, 36) * int(c, 36) for w, c in zip(weights, value))
    return value[len(weights)] == marks[total % len(marks)]


def _real(scheme: str, value: str) -> bool:
    """Does a number pass the check of its scheme, and is it no known sample?"""
    start = 0
    if len(set(value)) < 4 or value in SAMPLES:
        return False
    if scheme == "card" and ("0000000" in value or not rx(BRANDS).match(value)):
        return False
    if scheme in ("card", "luhn"):
        twice = sum(sum(divmod(int(c) * 2, 10)) for c in value[-2::-2])
        return (twice + sum(map(int, value[::-2]))) % 10 == 0
    if scheme == "iban":
        number = "".join(str(int(c, 36)) for c in value[4:] + value[:4])
        return 14 < len(value) < 35 and int(number) % 97 == 1
    if scheme == "ssn":
        return not rx(r"000|666|9|\d{3}00|\d{5}0000").match(value)
    if scheme == "nric":
        scheme, start = "S" if value[0] in "ST" else "F", 4 * (value[0] in "TG")
    elif scheme == "hkid":
        value, start = value.rjust(9, "0"), 324 * (len(value) == 8)
    elif scheme == "taiwan":
        value = f"{'ABCDEFGHJKLMNPQRSTUVXYWZIO'.index(value[0]) + 10}{value[1:]}"
    elif scheme == "dni" and value[0] in "XYZ":
        value = f"{'XYZ'.index(value[0])}{value[1:]}"
    elif scheme + "2" in WEIGHTS and not _weighed(scheme + "2", value):
        return False
    elif scheme in ("nir", "rijks"):
        body, check = divmod(int(value.replace("2A", "19").replace("2B", "18")), 100)
        return check in (97 - body % 97, 97 - (2 * 10**9 + body) % 97)
    return scheme not in WEIGHTS.split() or _weighed(scheme, value.upper(), start)


def numbers(page: Reading) -> Iterator[tuple[int, str]]:
    """Numbers that name one person and pass their own check (G06): offset, code."""
    if not rx(FIGURES).search(page.shape) and page.words.isdisjoint(TITLES):
        return
    for row in NUMBERS.replace("\\\n", "").strip().split("\n"):
        scheme, shape, pattern, *word = row.split("  ")
        said: dict[int, bool] = {}
        if not any(
            part.replace("_", gap) in page.shape
            for part in shape.split("|")
            for gap in ("", " ")
        ):
            continue
        for match in rx(rf"(?<![\w.#/-])(?:{pattern})(?![\w-])").finditer(page.text):
            line = page.line(match.start())
            block = page.low.rfind("\n\n", max(0, match.start() - 600), line.start)
            start = line.start if scheme in VAGUE or block < 0 else block
            if word and line.start not in said:
                asked = rx(word[0] + SPOKEN * (scheme not in VAGUE))
                said[line.start] = bool(asked.search(page.low[start : line.stop]))
            if said.get(line.start, not word) and _real(
                scheme, rx("[ ().+-]").sub("", match[0])
            ):
                yield match.start(), "G06"


# What makes a person's label a record: birth, number, code, finding, dose, measures and
# treatment; two of them, and not the code, finding and treatment alone.
FACTS = r"""
(?:\bdob|born|birth|\bgeb|生年月日|出生|nacimiento|naissance|nascim|생년월일)\
[^\n\d]{0,24}\d{1,4}(?:[-/.年 ]{1,2}\w{1,9}[-/.,月 ]{1,2}\d{1,4}|년)|\
\|[^\n]{0,99}\b(?:dob|birth)[^\n]{0,99}\|\n[^\n]{0,99}\n[^\n]{0,99}\d[-/.]\d\d
(?:\bmrn|medical record|record (?:no|num)|病历号|病歷號|カルテ|(?:hospital|chart) (?:no|num|id)|\
fallnummer|historia cl)[^\n\d]{0,16}\d{4}
\b[a-tv-z]\d{2}\.\d{1,2}\b|\bicd\W{0,3}(?:10)?\W{0,3}[a-z]\d\d\b|\([a-tv-z]\d\d\)
\bdiagn[oó]s|\bdx\b|诊断|診斷|診断|진단|hba1c|biops|\ballerg|hypertens|diabet|pneumon|cancer|carcinom|\
asthma|depress|epileps|\bhiv\b|suicid|schizo|bipolar|chest pain|dementia|hepatitis|lupus|\bchf\b|\
\bckd\b|高血压|糖尿病|癌
\d ?(?:mg|mcg|µg|μg|iu|units)\b|\d g\b
\bbp:? ?\d{2,3}/\d{2,3}|\bhr:? ?\d{2,3}\b|\bef:? \d\d ?%|\bbmi\W{1,3}\d\d
prescri|\bhistory of\b|\badmitted|\bdischarge[ds]|treated (?:with|for)|surgery|chemo|insulin
"""
VAGUER = {2, 3, 6}
LABEL = r"""patient|\bpt\b|paciente|患者|病人|病患|환자|пациент|\b\d{1,3}(?:[ -]years?[- ]old| ?yo
\b| ?y/o|[mf]\b)|\d{1,3} ?[歳岁歲]|\bmrs?\.? [a-z]|\bdob\b|\bborn (?:on )?\d|\bname\W{1,4}[a-z]+ [a
-z]"""
SCHEMA = r"""varchar|parser|fixture|synthe|column|schema|mock|dummy|not null|validat|\btable\b|
\bfields?\b|segment"""
RECORD = r'pid\|[^\n]{0,200}\w\^\w|"resourcetype"\s?:\s?"patient"(?s:.{0,900})"given"'
CARE = listed(
    """patient patients pid mrn dob patientin paciente yo 00f 00m pt dx born admitted
diagnosed diagnosis"""
)


def patients(page: Reading) -> Iterator[tuple[int, str]]:
    """Records of a patient (G07): offset and code."""
    low = page.low
    aged = "old" in page.words and not page.words.isdisjoint(("year", "years"))
    if (
        CARE.isdisjoint(page.words)
        and not aged
        and (low.isascii() or not rx("[患病환歳岁歲]").search(low))
    ):
        return
    yield from ((match.start(), "G07") for match in rx(RECORD).finditer(low))
    for match in list(rx(LABEL).finditer(low))[:99]:
        near = low[max(0, match.start() - 200) : match.start() + 400]
        facts = enumerate(FACTS.replace("\\\n", "").strip().split("\n"))
        found = {i for i, fact in facts if rx(fact).search(near)}
        if len(found) > 1 and found - VAGUER and not rx(SCHEMA).search(near):
            yield match.start(), "G07"


HUMANS = r"""user|human|me|customer|client|caller|visitor|用户|用戶|使用者|客户|客戶|お客様|고객|
我|ユーザー|사용자|usuario|kunde|cliente|interviewer|doctor|teacher|u|h"""
ROBOTS = r"""assistant|ai|bot|chatbot|agent|claude|chatgpt|gpt|copilot|gemini|model|support|
operator|助手|助理|客服|アシスタント|어시스턴트|상담원|asistente|agente|candidate|patient|student|a"""
TIME = r"""(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}[T, ]{1,2})?\d{1,2}:\d\d(?::\d\d)?(?: ?[APap][Mm])?"""
NAME = r"(?:Speaker \d|[A-Z][\w.'-]{1,20}(?: [A-Z][\w.'-]{0,20})?)"
START = r"\x0a[ \t>*_#-]{0,8}"
SAYS = r"(?:\?|\b(?:I|I'm|you|me|we|my|your)\b)"
# Chats, mails, captions: a pattern with the kind in its group, how many, of how many
# kinds. Then lines of named speakers: stamped, a name above, a nick, in conversation.
MAIL = (
    r"\x0a[ >*-]{0,6}(from(?=: [^\n]{0,80}@)|to|cc|date|sent|subject(?!: \[patch)): ?\S"
)
SIDES = rf"""{START}(?:\[?{TIME}\]?[ -]{{0,3}})?[*_]{{0,2}}(?:({HUMANS})|{ROBOTS})[*_]{{0,2}} ?:"""
TURNS = r"""\x0a(?:#{1,6} |\*\*)(user|human|you|assistant|ai|claude|chatgpt|model)(?: said)?:?\*
{0,2} ?:?\n"""
CHATS = (
    (r"<\|(im_start)\|>", 2, 1),
    (r'"(?:role|from)"\s?:\s?"(user|assistant|human|gpt)"', 2, 2),
    (r" --> (\d\d:)\d\d", 2, 1),
    (r"\bon [^\n]{6,90} wrote(:)\n", 2, 1),
    (r"<(user|assistant|human|ai)>", 3, 2),
    (TURNS, 3, 2),
    (MAIL, 3, 3),
    (SIDES, 3, 2),
)
ABOVE = rf"""{START}(?:({NAME}|[a-z][\w.-]{{1,20}})(?: [\u2013\u2014-])? {{1,3}}(?:[TY]\w+day at )?
[\[(]?{TIME}[\])]?|\[{TIME}\] ({NAME})):?\n\s{{0,4}}\S"""
SPEAKS = (
    rf"{START}\[?{TIME}\]?[ -]{{1,3}}(@[\w-]{{2,20}}|{NAME}): \S",
    ABOVE,
    rf"{START}({NAME}) ?[\[(]{TIME}[\])]: ?\S",
    rf"{START}\[?{TIME}\]?[ -]{{1,3}}([a-z][\w-]{{1,20}}): (?=[^\n]{{0,200}}{SAYS})",
    rf"{START}(?:\[?{TIME}\]?[ -]{{1,3}})?(<[\w-]{{2,20}}|[A-Z][\w-]{{1,20}})> (?![^\n]*</)\S",
    rf"{START}({NAME}|(?<=\*\*)[\w.-]{{2,20}}\*\*): (?=[^\n]{{0,200}}{SAYS})",
)
LEVELS = listed(
    """info warn warning error debug trace fatal notice critical note default type
example required"""
)
TALK = listed(
    """im user human me customer role subject client i you we my vtt wrote kunde cliente
assistant doctor from h u"""
)


def transcripts(page: Reading) -> Iterator[tuple[int, str]]:
    """Chats, mails and captions kept word for word (G08): offset and code."""
    low, text = "\n" + page.low, "\n" + page.text
    stamped = page.shape.count("0 00") > 2
    if (
        not stamped
        and page.words.isdisjoint(TALK)
        and not rx("[用我ユ客고]").search(low)
    ):
        return
    for pattern, least, kinds in CHATS:
        found = list(rx(pattern).finditer(low))
        if len(found) >= least and len({match[1] for match in found}) >= kinds:
            yield found[0].start(), "G08"
    for pattern in SPEAKS[0 if stamped else 4 :]:
        found = list(rx(pattern).finditer(text))
        names = [(m[1] or m[m.lastindex or 0]).lower() for m in found]
        names = [name for name in names if name not in LEVELS]
        if len(names) > 2 and 1 < len(set(names)) < len(names):
            yield found[0].start(), "G08"
