"""People: identity numbers by checksum, patient records, transcripts (G06-G08)."""

from __future__ import annotations

from collections.abc import Iterator

from gate_text import Reading, listed, rx

# Scheme; how it is written (0 a figure, _ any sign or none); its pattern; and where the
# shape alone is common, what the line must speak of.
NUMBERS = r"""
card  0000_0000_0000_0000  \d{4}([ -]?)\d{4}\1\d{4}\1\d{4}
card  0000_000000_00000  3[47]\d\d([ -]?)\d{6}\1\d{5}
china  00000000000000000  [1-8]\d{5}(?:19|20)\d\d(?:0[1-9]|1[0-2])[0-3]\d{4}[\dXx]
taiwan  000000000  [A-Z][1289]\d{8}
hkid  000000  [A-Z]{1,2}\d{6}\([\dA]\)
hkid  000000  [A-Z]{1,2}\d{6}[\dA]  hkid|hong kong id|identity card|身份證
iban  00  [A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?
korea  000000 0000000  \d\d(?:0[1-9]|1[0-2])[0-3]\d-[1-8]\d{6}
nric  0000000  [STFG]\d{7}[A-Z]
cpf  000 000 000 00  \d{3}\.\d{3}\.\d{3}-\d\d
cpf  00000000000  \d{11}  \bcpf\b
ssn  000_00_0000  \d{3}([ -]?)\d\d\1\d{4}  \bssn\b|social security
nhs  000_000_0000  \d{3}([ -]?)\d{3}\1\d{4}  \bnhs\b
aadhaar  0000_0000_0000  [2-9]\d{3}([ -]?)\d{4}\1\d{4}  aadhaar|aadhar|uidai|आधार
mynumber  0000_0000_0000  \d{4}([ -]?)\d{4}\1\d{4}  my ?number|マイナンバー|個人番号
sin  000_000_000  [1-79]\d{2}([ -]?)\d{3}\1\d{3}  \bsin\b|social insurance
dni  0000000  [XYZ\d]\d{7}-?[A-Z]  \b(?:dni|nie|nif)\b
pan  0000  [A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]  \bpan\b|permanent account
nino  00_00_00  [A-Z]{2}( ?)\d\d\1\d\d\1\d\d\1[A-D]  \bnino\b|national insurance
passport  0000000  [A-Z]{0,2}\d{7,9}  \
passport|护照|護照|パスポート|여권|reisepass|passeport|pasaporte
licence  00000  (?=[A-Z\d-]{0,12}\d{5})[A-Z\d]{4,13}(?:-[A-Z\d]{3,8}){0,3}  \
driv\w{2,4}'?s? licen[cs]e|驾照|駕照|免許証|führerschein
bank  000000  \d{7,17}  \
(?:bank|savings|sort code|routing|银行|銀行|swift).*(?:account|acct|konto|账号|帳號|\
口座)|(?:account|acct|konto).*(?:bank|sort code|routing)
"""
FIGURES = "0(?:0{6}|[0 ]{9}0|0{5} [0a])"
TITLES = listed("pan nino insurance")
# Weights of the figures before the check (a is ten), and the check by remainder.
WEIGHTS = """china 79a584216379a5842 10X98765432 taiwan 1987654321 0987654321 hkid 98765432
0A987654321 korea 234567892345 10987654321 cpf a98765432 00987654321 cpf2 ba98765432 00987654321
nhs a98765432 0-987654321 mynumber 65432765432 00987654321 S 02765432 JZIHGFEDCBA F 02765432
XWUTRQPNMLK dni e6jib8a1 TRWAGMYFPDXBNJZSQVHLCKE"""
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
    if scheme in ("card", "sin"):
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
    elif scheme == "cpf" and not _weighed("cpf2", value):
        return False
    return scheme not in WEIGHTS.split() or _weighed(scheme, value.upper(), start)


def numbers(page: Reading) -> Iterator[tuple[int, str]]:
    """Numbers that name one person and pass their own check (G06): offset, code."""
    if not rx(FIGURES).search(page.shape) and page.words.isdisjoint(TITLES):
        return
    for row in NUMBERS.replace("\\\n", "").strip().split("\n"):
        scheme, shape, pattern, *word = row.split("  ")
        if not any(shape.replace("_", gap) in page.shape for gap in ("", " ")):
            continue
        for match in rx(rf"(?<![\w.#/-])(?:{pattern})(?![\w-])").finditer(page.text):
            line = page.low[page.line(match.start())]
            spoken = not word or rx(word[0]).search(line)
            if spoken and _real(scheme, rx("[ ().-]").sub("", match[0])):
                yield match.start(), "G06"


# What makes a person's label a record: birth, number, code, finding, dose.
FACTS = r"""
(?:\bdob|born|birth|\bgeb|生年月日|出生|nacimiento|naissance|nascim|생년월일)\
[^\n\d]{0,24}\d{1,4}(?:[-/.年 ]{1,2}\w{1,9}[-/.,月 ]{1,2}\d{1,4}|년)
(?:\bmrn|medical record|record (?:no|num)|病历号|病歷號|カルテ|(?:hospital|chart) (?:no|num|id)|\
fallnummer|historia cl)[^\n\d]{0,16}\d{4}
\b[a-tv-z]\d{2}\.\d{1,2}\b|\bicd\W{0,3}(?:10)?\W{0,3}[a-z]\d\d\b|\([a-tv-z]\d\d\)
\bdiagn[oó]s|\bdx\b|诊断|診斷|診断|진단|hba1c|biops|\ballerg|prescri|\bhistory of\b
\d ?(?:mg|mcg|µg|μg|iu|units)\b|\d g\b
"""
LABEL = r"""patient|\bpt:|paciente|患者|病人|病患|환자|пациент|\b\d{1,3}(?:[ -]year[- ]old| ?yo\b
| ?y/o|[mf]\b)|\d{1,3} ?[歳岁歲]"""
SCHEMA = r"""varchar|parser|fixture|synthe|column|schema|mock|dummy|not null|validat|\btable\b|
\bfields?\b|segment"""
RECORD = r'pid\|[^\n]{0,200}\w\^\w|"resourcetype"\s?:\s?"patient"(?s:.{0,900})"given"'
CARE = listed("patient patients pid mrn dob patientin paciente yo")


def patients(page: Reading) -> Iterator[tuple[int, str]]:
    """Records of a patient (G07): offset and code."""
    low = page.low
    asked = CARE & page.words or {"year", "old"} <= page.words
    if not asked and (low.isascii() or not rx("[患病환歳岁歲]").search(low)):
        return
    yield from ((match.start(), "G07") for match in rx(RECORD).finditer(low))
    for match in list(rx(LABEL).finditer(low))[:99]:
        near = low[max(0, match.start() - 200) : match.start() + 400]
        facts = enumerate(FACTS.replace("\\\n", "").strip().split("\n"))
        found = [i for i, fact in facts if rx(fact).search(near)]
        if len(found) > 1 and found != [2, 3] and not rx(SCHEMA).search(near):
            yield match.start(), "G07"


HUMANS = r"""user|human|me|customer|client|caller|visitor|用户|用戶|使用者|
我|ユーザー|사용자|usuario"""
ROBOTS = r"""assistant|ai|bot|chatbot|agent|claude|chatgpt|gpt|copilot|gemini|model|support|
operator|助手|助理|アシスタント|어시스턴트|asistente"""
TIME = r"""(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}[T, ]{1,2})?
\d{1,2}:\d\d(?::\d\d)?(?: ?[APap][Mm])?"""
NAME = r"[A-Z][\w.'-]{1,20}(?: [A-Z][\w.'-]{0,20})?"
START = r"\x0a[ \t>*_#-]{0,8}"
# Chats, mails, captions: a pattern with the kind in its group, how many, of how many
# kinds. Then lines of named speakers: stamped, a name above, a nick, in conversation.
MAIL = r"\x0a[ >*-]{0,6}(from: [^\n]{0,80}@|to|cc|date|sent|subject(?!: \[patch)): ?\S"
SIDES = rf"""{START}(?:\[?{TIME}\]?[ -]{{0,3}})?[*_]{{0,2}}
(?:({HUMANS})|{ROBOTS})[*_]{{0,2}} ?:"""
CHATS = (
    (r"<\|(im_start)\|>", 2, 1),
    (r'"role"\s?:\s?"(user|assistant)"', 2, 2),
    (r" --> (\d\d:)\d\d", 2, 1),
    (MAIL, 3, 3),
    (SIDES, 3, 2),
)
SPEAKS = (
    rf"{START}\[?{TIME}\]?[ -]{{1,3}}(@[\w-]{{2,20}}|{NAME}): \S",
    rf"{START}({NAME}) {{1,3}}[\[(]?{TIME}[\])]?:?\n\s{{0,4}}\S",
    rf"{START}(?:\[?{TIME}\]?[ -]{{1,3}})?<([\w-]{{2,20}})> (?![^\n]*</)\S",
    rf"{START}({NAME}): (?=[^\n]{{0,200}}(?:\?|\b(?:I|I'm|you|me|we|my|your)\b))",
)
LEVELS = listed("info warn warning error debug trace fatal notice critical note")
TALK = listed("im user human me customer role subject client i you we my vtt")


def transcripts(page: Reading) -> Iterator[tuple[int, str]]:
    """Chats, mails and captions kept word for word (G08): offset and code."""
    low, text = "\n" + page.low, "\n" + page.text
    stamped = page.shape.count("00 00") > 2
    if not stamped and page.words.isdisjoint(TALK) and not rx("[用我ユ]").search(low):
        return
    for pattern, least, kinds in CHATS:
        found = list(rx(pattern).finditer(low))
        if len(found) >= least and len({match[1] for match in found}) >= kinds:
            yield found[0].start(), "G08"
    for pattern in SPEAKS[0 if stamped else 2 :]:
        talk = [m for m in rx(pattern).finditer(text) if m[1].lower() not in LEVELS]
        if len(talk) > 2 and 1 < len({match[1] for match in talk}) < len(talk):
            yield talk[0].start(), "G08"
