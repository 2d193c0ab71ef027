"""Secrets: vendor tokens, keys, credentials by shape (G01-G05, G09)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from gate_text import Reading, listed, rx, spots

# One format an item: `prefix|prefix@rest`, or `call@@whole pattern`; ° is FAMILY.
FORMATS = r"""
AKIA|ASIA|ABIA|ACCA@[A-Z2-7]{16} ABSK@[\w+/]{60,255} AIza@§{35} AQ.Ab@§{40,90} GOCSPX-@§{20,60}
ya29.@§{40,255} 1//0@§{40,255} LTAI@¤{12,24} AKID@¤{28,36} dapi@¶{32} dop_v1_|doo_v1_|dor_v1_@¶{64}
hvs.|hvb.|hvr.@§{24,255} pul-@¶{40} HRKU-AA@§{50,90} .atlasv1.@@¤{14}\.atlasv1\.§{60,120}
fm2_@[\w+/=-]{40,255} cfut_|cfat_|cfk_@§{40,90} Q~@@§{3}\dQ~[\w.~-]{31,34} sha256~@§{43}
t1.@§{80,255} AQVN@§{30,60} SWMTKN-1-@¤{40,60}-¤{20,30} amzn.mws.@¶{8}(?:-¶{4}){3}-¶{12}
AccountKey=|SharedAccessKey=@[\w+/]{40,120} ?sig=|&sig=@[\w%+/]{30,120} ghp_|gho_|ghu_|ghr_@¤{36,255}
ghs_@[\w.-]{36,255} github_pat_@\w{60,120} glpat-|glrt-|gldt-|glft-|glcbt-|glptt-|gloas-@§{20,90}
glsoat-|glagent-|glimt-|glffct-@§{20,90} ATATT@§{60,255} ATBB@¤{28,60} BBDC-@[\w+/]{40,60}
lin_api_|lin_oauth_@¤{32,90} xoxa-|xoxb-|xoxc-|xoxe-|xoxo-|xoxp-|xoxr-|xoxs-|xoxe.xox@§{20,255}
xapp-@\d-§{20,200} :AA@@(?:(?<=/bot)|(?<!¤))\d{8,10}:AA§{32,34} .@@[MNO]§{23,27}\.§{6}\.§{27,40}
hooks.slack.com/@\w{5,12}/¤{8,12}/¤{8,12}/¤{16,} /api/webhooks/@\d{15,20}/§{50,90}
open-apis/bot/@v2/hook/[\da-f-]{36} robot/send?access_token=@¶{40,64}
cgi-bin/webhook/send?key=@[\da-f-]{36} webhook.office.com/@webhookb2/[\da-f@-]{73}/[\w/-]{30,99}
sk_live_|sk_test_|sk_prod_|rk_live_|rk_test_|rk_prod_@¤{16,255} whsec_@[\w+/=]{24,90} EAAA@§{40,90}
sq0csp-|sq0atp-|sq0idp-@§{22,60} rzp_live_|rzp_test_@¤{14,30} shpat_|shpca_|shppa_|shpss_@¶{32}
access_token$production$@¤{16}\$¶{32} EZAK|EZTK@¤{54} sk-@¤{32,255} hf_@¤{30,60} gsk_@¤{40,90}
sk-ant-|sk-proj-|sk-svcacct-|sk-admin-|sk-or-|sk-lf-@§{20,255} xai-@¤{60,120} pplx-@¤{40,90}
r8_@¤{30,60} tvly-@§{20,90} lsv2_@§{30,120} .@@¶{32}\.(?=¤{0,15}\d)(?=¤{0,15}[A-Z])¤{16}(?!¤)
npm_@¤{36} pypi-AgE@§{50,255} rubygems_@¶{48} dckr_pat_|dckr_oat_@§{20,90} cio@¤{32}(?!¤)
AKCp@¤{50,90} cmVmdGtuOj@¤{40,90} oy2@[a-z\d]{43} SG.@§{16,32}\.§{30,60} key-@¶{32}
-us@@¶{32}-us\d{1,2} SK@¶{32} NRAK-@[A-Z\d]{27} glsa_|glc_@[\w+/=]{30,255}
sntrys_|sntryu_@[\w+/=]{40,255} sbp_@¶{40} ntn_@¤{40,60} secret_@¤{43} figd_@§{30,60}
PMAK-@¶{24}-¶{34} sgp_@[\da-f_]{40,70} pat@¤{14}\.¶{64} dp.st.|dp.pt.|dp.ct.|dp.sa.@[\w.-]{40,90}
pscale_@\w{3,9}_§{30,90} phc_|phx_@¤{40,60} A3-@[A-Z\d]{6}-[A-Z\d]{6,11}(?:-[A-Z\d]{5,6}){2,3}
ops_eyJ@[\w+/=-]{100,255} xkeysib-@¶{64}-¤{16} dt0@[a-z]\d\d\.[A-Z\d]{24}\.[A-Z\d]{60,70}
00D@¤{12,15}![\w.-]{60,255} EAA@¤{100,255} sl.@[\w.-]{100,255} pat-@¤{2,4}-[\da-f-]{36}
eyJ@@eyJ§{10,2000}\.eyJ§{10,2000}\.§{16,2000} sk.eyJ@§{20,400}\.§{20,90} age-secret-key-1@¤{50}
AGE-SECRET-KEY-1@¤{50} -api-|-live-|-pat-|-prod-|-secret-|-sk-|-token-|_api_|_live_|_pat_@@°
_prod_|_secret_|_sk_|_token_@@°
"""
# The shape that vendors take up: name, kind, then a long run that is no commit.
FAMILY = r"""(?!pk|pub)[a-z][a-z\d]{1,11}[_-](?:live|prod|secret|pat|token|sk|api)[_-](?!(?:¶{40}|
¶{64})(?!¤))(?=¤{0,60}\d)¤{24,255}"""
DULL = r"""(?i)x{6}|\*{3}|\.{3}|example|placeholder|changeme|redacted|dummy|insert|your|<|12345678|
abcdefgh|0{8}"""
# Other key material, the secret in the group.
MATTER = r"""-----BEGIN [A-Z\d ]{0,24}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----END)[^\0]){0,400}?([\w+
/]{32,255})|Private-Lines: \d{1,3}\s{1,9}([\w+/=]{32})|"d"\s{0,4}:\s{0,4}"(§{20})|PrivateKey\s{0,4}
=\s{0,4}([\w+/]{42,43}=)|[Pp]rivate[ _-]?key\b(?![^\n]{0,60}?(?:sha|SHA|hash|digest|print|
sum))[^\n]{0,60}?(?<!¶)(¶{64})\b"""
KEY_CALLS = listed("private privatekey mnemonic phrase words kty")
SEEDS = ("seed phrase", "mnemonic", "recovery phrase", "recovery words", "助记词")
SEED = r"(?:[a-z]{3,8}[ ,\n\"'\d.)]{1,6}){11}[a-z]{3,8}\b"
PROSE = listed("and are but can for from has not that the this use was when will with")
# Values that stand for a secret and are none: templates, look-ups, samples, hashes.
STANDS_FOR = r"""(?i)<[^>]*>|\{\{|\$[({]|^\$[a-z_]\w*$|^\$\w{1,9}\$|^[%@]\w+[%@]$|^!\w+$|^[{(\[]|
\*{3}|x{4}|\.{3}|://|redacted|change_?-?(?:me|it|this)|placeholder|example|^(?:your|my|the)[-_]|
[-_]here$|(?:^|[-_.])(?:dummy|fake|test|sample|secret|passwd|todo|foo|bar)s?\d{0,4}(?:[-_.!]|$)|
password\W{0,2}\d{0,4}$|^(?:local|env|secrets?|process|os|vars?|data|self|config|settings)\b[-.\[(]
|^[\w.:>-]{1,60}[(\[]|^age1|^(?:op|vault|ssm|arn|aws|enc|kms|gcp|akv|file|env)[:\[]|^[./~]|
^[a-z]:\\|^\W{0,2}(?:str|string|bool|none|null|true|false|undefined)\b|^sha\d{1,3}-|^[a-z]{1,12}-¶{
8,17}$"""
# Plain words with figures: versions, dates, names, constants, hyphenated words, mail.
WORDY = r"""v?\d[\d.,:/_-]*[a-z%]{0,4}|[A-Za-z]+(?:[-_./][A-Za-z]+)*[.-]?|[A-Z]+(?:_[A-Z\d]+)+|
[a-z][a-z\d]*(?:[-_.][a-z\d]{1,12})+|[A-Za-z]\w*(?:\.[A-Za-z]\w*)+(?:\(\))?|[A-Z]{1,8}-?\d{1,6}|
[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\w[\w.-]*(?:/[\w.-]+)+|[#@]\w+|--?[a-z][\w=-]*|[A-Za-z]+'[a-z]+|
(?:[A-Z][a-z]+){1,3}\d{1,2}|\w+:\d+|[\w-]+=[^=\s]\S*|[a-z-]+[*?+]+|(?i:(?:sha|md|hs|rs|es|ps|aes|
rsa|argon|pbkdf|bcrypt|scrypt|base|utf|oauth|http|tls|ssl|x|ed|ipv?|rfc|iso|log|py|python|node|
java|jdk|ec|ecdsa|secp|curve|blake|crc|win|fido|totp|pkcs|p|v|h|s|k|i|l|a|r|cve|scram|saml|jwt|u|
mp|col|row|line|step|port|pg|db|web|app|srv|host|id|key|token|user|field|phase|level|option|part|
keepass)[-_.]?\d{1,5}(?:[a-z]{1,6}\d{0,3})?(?:[-_.][a-z\d]{1,8}){0,2})"""
# Names of a password, which any word with a figure fills; of a key, which wants a run.
WORDS = listed(
    """password passwd passwort passphrase passcode kennwort contraseña contrasena senha
wachtwoord hasło şifre пароль 密码 密碼 口令 パスワード 비밀번호 암호 비번 패스워드 pwd psk pass pw
clave secret credentials creds login wifi wi-fi securestring storepass mot~de~passe log~in sign~in
identified~by"""
)
KEYS = listed("""token key credential authorization bearer basic response 密钥 密鑰 令牌
токен トークン 토큰 session session_id sessionid sessid sess sid cookie""")
CALLS = listed("""pw psk pin creds credentials login wifi wi clave code identified
bearer authorization response sid storepass securestring""")
PIECES = listed(
    """pass pwd secret token key sess contrase senha wachtw hasło şifre парол токен 密
口令 令牌 パスワード トークン 番号 비밀번호 암호 비번 패스워드 토큰 kennwort cookie basic log~in
sign~in mot~de~passe"""
)
NO_KEY = r"""(?:public|pub|primary|foreign|partition|sort|cache|idempotency|routing|object|dedup|
publishable|site|host|gpg|pgp|ssh|s3|redis|lookup|websocket|surrogate|group|hot|kms|json|dict|map|
row|unique|shard|message|next|page|continuation|sync|csrf)[-_ ]?$"""
GIVES = r"""["'`*_)\]]{0,3}\s{0,4}(?:=>|:=|==|->|\|\||[=:→]|(?:is|was|ist|lautet|est|es|é|è|
to)(?=\s)|是|為|为|は|는|은)\s{0,4}b?["'`“„「*]{0,3}(?:(?:bearer|basic|token|api-?key|hmac)\s{1,3})
?([!#-&(-;=?-_a-{}-~]{4,400})"""
SWING = r"(?i)[a-z](?=\d)|\d(?=[a-z])"
BREAK = r"[^!#-&*+.\w?@^~-]+"
NEAR = """key|token|auth|api|login|credential|passw|pwd|secret|kennwort|contrase|senha|密|
パスワード|비밀번호|トークン|토큰|пароль|clave"""
HASHES = r"""sha\d|sha-|md5|hash|digest|checksum|commit|integrity|print|etag|nonce|revision|public|
cert|ssh-|uuid|trace|request|kid|build|image|signature|cid|ipfs|address|contract|:/|data:|age1|seal"""
URL = r"""[a-z][a-z\d+.-]{1,20}://([^\s/:@"'<>]{0,64}):([^\s/"'<>`]{1,128})@[\w\[$]"""
NO_URL = r"""(?i)\d{1,5}(?:[?#]|$)|(?:pass|pwd|pw|p|x+|guest|root|admin|user|token|key|tiger)\w{0,4
}$|\w*password"""
# Commands that carry a password.
COMMAND = r"""(?im)sshpass -p\s?['"]?([^\s'"]{4,64})|\bmysql(?:dump|admin|sh)?\b[^\n|;]{0,80}? -p([
^\s'"]{5,64})|\bcurl\b[^\n|;]{0,200}? (?:-u|--user|-U) ?['"]?[\w.@-]{1,64}:([^\s'"@]{5,64})|
\becho ['"]?([^\s'"]{5,64})['"]? ?\| ?sudo -S|\blogin\b[^\n]{0,60}? -p ?['"]?([^\s'"]{5,64})|
[\w.-]{1,32}:([^\s:@/]{4,64})@tcp\(|:thin:[\w.-]{1,40}/([^\s@"']{4,64})@|(?<![\w/])(?:root|
admin):([^\s:/@]{6,64})|^\W{0,4}[\w.*-]{1,80}:\d{4,5}:[\w*-]{1,40}:[\w-]{1,40}:(\S{5,64})"""
TOOLS = listed(
    "sshpass mysql mysqldump curl sudo docker tcp thin root admin psql pgpass"
)
IS_THE = r"([!-~]{6,64}) (?:is|was) (?:the|our|my) (?:[\w-]{1,16} ){0,3}$"
CROWD = r"""[^a-z\n]{1,6}(?:(?:is|was) \W?)?((?:[a-z]{3,8}[ -]){3,7}
[a-z]{3,9})(?=["'`.,;]|$)"""
WITH = r"(?:with|and|\W) ?$"
LOCKS = ("pin", "code", "combination", "passcode")
SENT = KEYS - listed("token key credential 密钥 密鑰 令牌 токен トークン 토큰")
CODE = r"""(?:\bpin|\b(?:pass|door|gate|alarm|entry|access|unlock|safe|lock|security|garage)\s?(?:p
in|code|combination)|密码|密碼|暗証番号)(?: code| number)?(?: (?:for|of|to|on|in) [^\n.:;]{1,32}?)?
\s{0,2}(?:is|=|:|was|→|是|は)\s{0,2}[`"*]{0,3}(\d{4,8})\b(?![-.:/]\d)"""
RUN = r"(?<![\w/+.-])[\w+/-]{24,255}={0,2}(?![\w/+-]|\.\w)"


@cache
def formats() -> list[tuple[str, str]]:
    """The token formats: what calls each, and the pattern that decides."""
    out: list[tuple[str, str]] = []
    for item in FORMATS.replace("°", FAMILY.replace("\n", "")).split():
        heads, _, body = item.partition("@")
        free = "" if heads[0] in "/?:" else "(?<![A-Za-z0-9])"
        starts = "|".join(map(re.escape, heads.split("|")))
        form = body[1:] if body[0] == "@" else f"(?:{starts}){body}"
        out += [(call, free + form) for call in heads.split("|")]
    return out


def plain(text: str) -> str:
    """The text without what may split a token and be read over."""
    text = text.replace("*", "").replace("`", "").replace("\\n", "  ")
    if "%" not in text and "&#" not in text:
        return text
    coded = r"%([2-7][\da-fA-F])|&#x([2-7][\da-fA-F]);|&#(\d{2,3});"
    return rx(coded).sub(lambda m: chr(int(m[1] or m[2] or hex(int(m[3])), 16)), text)


def tokens(page: Reading) -> Iterator[tuple[int, str]]:
    """Tokens in a vendor's format (G01), on lines of any length: offset and code."""
    long = plain(page.long)
    called = {form for call, form in formats() if call in long} if long else set()
    for pattern in [form for form in called if rx(form).search(long)]:
        at = 0
        for full, shown in zip(page.full.split("\n"), page.text.split("\n")):
            if any(not dull(m[0]) for m in rx(pattern).finditer(plain(full))):
                yield at, "G02" if "SECRET-KEY" in pattern else "G01"
            at += len(shown) + 1


def keys(page: Reading) -> Iterator[tuple[int, str]]:
    """Private keys and seed phrases with their matter (G02): offset and code."""
    if page.words.isdisjoint(KEY_CALLS):
        return
    for match in rx(MATTER).finditer(page.text):
        if not dull(match[match.lastindex or 0]):
            yield match.start(), "G02"
    for _, end in spots(page.low, SEEDS):
        seed = rx(SEED).search(page.low, end, end + 400)
        if seed and seed.start() < end + 60 and not PROSE & set(seed[0].split()):
            yield end, "G02"


def dull(value: str) -> bool:
    """True for what only shows a format: few characters, or a mark of a sample."""
    return len(set(value)) < 9 or bool(rx(DULL).search(value))


def literal(value: str) -> bool:
    """True for a value that is meant as it stands."""
    return len(set(value)) > 3 and not rx(STANDS_FOR).search(value)


def wordlike(value: str) -> bool:
    """True for what looks like a password somebody chose: letters and a figure."""
    if not 5 <= len(value) <= 128 or not rx(r"[\d!@#$%^&*+?~]").search(value):
        return False
    plain = rx(WORDY).fullmatch(value) or not literal(value)
    return not plain and bool(rx("[A-Za-z]").search(value))


def strong(value: str) -> bool:
    """True for a password that needs no sign of assignment right before it."""
    if len(value) < 6 or not wordlike(value) or rx("¶{7,}").fullmatch(value):
        return False
    kinds = [bool(rx(kind).search(value)) for kind in ("[a-z]", "[A-Z]", r"\d")]
    if sum(kinds) > 1 and rx("[!@#$%^&*?~]").search(value):
        return True
    return len(value) > 7 and len(rx(SWING).findall(value)) > 1 - all(kinds)


def opaque(value: str, least: int = 16) -> bool:
    """True for a run of mixed letters and figures that no language explains."""
    if len(value) < least or dull(value) or not literal(value):
        return False
    figures = sum(c.isdigit() for c in value)
    classes = len(rx("[a-z]+|[A-Z]+|[0-9]+").findall(value))
    if figures < 2 or len(value) - figures < 3 or classes * 5 < len(value):
        return False
    if value.lower() == value:
        return len(rx(SWING).findall(value)) > 2
    spoken = sum(map(len, rx("[A-Z][a-z]{3,}|[a-z]{4,}").findall(value)))
    return spoken * 3 < len(value) * 2


def trim(raw: str) -> str:
    """A value without what closes it or follows it without a space."""
    return rx(r"[,;&]\w{1,40}=").split(raw)[0].rstrip(".,;:)]}>*_\"'`\\")


def given(tail: str, least: int, loose: bool = True) -> bool:
    """Does the text after a name give it a value?"""
    match = rx(GIVES, re.IGNORECASE).match(tail)
    value = trim(match[1]) if match else ""
    if opaque(value, least) if least else wordlike(value):
        return True
    if not loose or tail[:1] in "_." or rx(r"-\w").match(tail):
        return False
    tail = rx(r"[.;]\s").split(tail[:110])[0]
    for value in map(trim, rx(BREAK).split(tail)):
        if opaque(value, 20) if least else strong(value):
            return not least or not rx(HASHES).search(tail.split(value)[0].lower())
    return False


def named(page: Reading, start: int, end: int) -> bool:
    """True where a name ends: not inside a word, and not the name of a public key."""
    after, before = page.low[end : end + 1], page.low[max(0, start - 16) : start]
    if after.isascii() and after.isalnum():
        return False
    if page.low[start:end] in KEYS and rx(NO_KEY).search(before):
        return False
    camel = page.text[start:end].istitle() and page.text[start - 1].islower()
    joined = before[-1:].isascii() and before[-1:].isalpha()
    return not joined or camel or end - start > 5 or before.endswith(("api", "auth"))


def assigned(page: Reading) -> Iterator[tuple[int, str]]:
    """Values given to the name of a credential (G05; G04 in a header or cookie)."""
    low = page.low
    called = [*(CALLS & page.words), *(piece for piece in PIECES if piece in low)]
    for stems, least in ((WORDS, 0), (KEYS, 16)) if called else ():
        near = [stem for stem in stems if any(call in stem for call in called)]
        seen: list[int] = []
        for start, end in spots(low, near):
            crowded = len(seen) > 7 and 0 <= start - seen[-8] < 200
            if crowded or not named(page, start, end):
                continue
            seen.append(start)
            tail, *below = page.text[end : end + 440].split("\n")
            if tail[:1] == ">" and "</" in tail:
                tail = "=" + tail[1:]
            if "|" in tail and below and not below[0].strip(" |:-"):
                tail = " ".join([tail, *below[1:4]])  # the heading of a column
            name, before = low[start:end], page.text[max(0, start - 130) : start]
            verb = name == "pass" and tail[:1] == " " and not rx(WITH).search(before)
            said = None if least or " is " not in before else rx(IS_THE).search(before)
            crowd = rx(CROWD).match(tail) if name == "passphrase" else None
            if (
                given(tail, least, not verb)
                or (said and strong(said[1]))
                or (crowd and not PROSE & set(crowd[1].split()))
            ):
                head = before[-1:] == "-" and ":" in tail[:2]
                yield start, "G04" if head or name in SENT else "G05"
    locked = "密" in low or "番号" in low or not page.words.isdisjoint(LOCKS)
    for match in rx(CODE).finditer(low) if locked else ():
        yield match.start(), "G05"


def shapes(page: Reading) -> Iterator[tuple[int, str]]:
    """URLs (G03) and commands (G05) that carry a password: offset and code."""
    if "://" in page.low and "@" in page.low:
        for match in rx(URL, re.IGNORECASE).finditer(page.text):
            user, word = match.groups()
            if word != user and not rx(NO_URL).match(word) and literal(word):
                yield match.start(), "G03"
    for at, _ in spots(page.low, (TOOLS & page.words) | {":5432:"}):
        for match in rx(COMMAND).finditer(page.text[page.line(at)]):
            value = trim(match[match.lastindex or 0])
            if wordlike(value) or opaque(value):
                yield at, "G05"


def runs(page: Reading) -> Iterator[tuple[int, str]]:
    """Opaque runs (G09), worse on a line that speaks of a credential (G05)."""
    for match in rx(RUN).finditer(page.text if rx(RUN).search(page.long) else ""):
        hexed = rx(r"(?i)(?:[a-z]+[-_/])*[\da-f-]+").fullmatch(match[0])
        if not hexed and opaque(match[0], 24):
            line = page.low[page.line(match.start())]
            if not rx(HASHES + "|pk_").search(line):
                yield match.start(), "G05" if rx(NEAR).search(line) else "G09"
