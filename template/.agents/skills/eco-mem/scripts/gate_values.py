"""Credentials by shape: URLs, commands, names with a value (G03-G05, G09)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gate_text import Reading, listed, rx, spots
from gate_tokens import PROSE, dull

# Values that stand for a secret and are none: templates, look-ups, samples, hashes.
STANDS_FOR = r"""(?i)<[^>]*>|\{\{|\$[({]|^\$[a-z_]\w*$|^\$\w{1,9}\$|^[%@]\w+[%@]$|^!\w+$|
^[{(\[]|\*{3}|x{4}|\.{3}|://|redacted|change_?-?(?:me|it|this)|placeholder|example|^(?:your|my|
the)[-_]|[-_]here$|(?:^|[-_.])(?:dummy|fake|test|sample|secret|passwd|todo|foo|bar)s?\d{0,4}(?:[-_.
!]|$)|password\W{0,2}\d{0,4}$|^(?:local|env|secrets?|process|os|vars?|data|self|config|settings)\b[
-.\[(]|^[\w.:>-]{1,120}[(\[]|^age1|^(?:op|vault|ssm|arn|aws|enc|kms|gcp|akv|file|env)[:\[]|^[./~]|
^[a-z]:\\|^\W{0,2}(?:str|string|bool|none|null|true|false|undefined)\b|^sha\d{1,3}-|^[a-z]{1,12}-¶
{8,17}$"""
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
# What a password of words may stand behind, and how such a one is made.
LATER = r"""(?i)(?!\W{0,3}(?:column|field|polic|hash|length|min|max|type|input|param|algorithm|
manager|reset|prompt|grant|stor|file|var|env|setting|check|strength|rule|encod|entr|form|page|
protect|valid|format|rotat|auth|encr|provider|helper|plugin|module|kdf))[^\n;.]{0,48}?(?:\b(?:is|
was|are|ist|lautet|est|es|to|now|still|with|words)\b:?|[=:])\s{1,3}["'`*“(]{0,3}(?=[!-~]{0,30}\d)([
a-z\d][\w!@#$%^&*?.~-]{4,40})(?![\w(/:=])"""
PAIR = r"""(?i)[^\n;]{0,48}?[=:]\s{1,3}["'`*“(]{0,3}(?:[\w.@-]{2,32} / |(?:root|admin|user|guest|
deploy|ops|pi|sa|postgres|test)[/:])(?=[!-~]{0,30}\d)([a-z\d][\w!@#$%^&*?.~-]{4,40})(?![\w(/:=])"""
NEXT = r"""\s["'`*“(]{0,3}([A-Za-z]{4,16}\d{2,8}[!?]?)(?![\w.:/-]\w)"""
SLUG = r"""[a-z]{3,16}(?:[-_.][a-z]{3,16}){1,5}[-_.]?\d{1,6}[!?]?|[a-z]{5,16}[-_]\d{3,8}|
[a-z]{3,16}[-_.]\d{2,6}[-_.][a-z]{3,16}"""
LOOKS = r"""(?i)see|issue|ticket|step|case|error|port|build|bug|release|version|page|line|chapter|
section|entry|vault|store|min-"""
PASSWORDS = listed(
    """password passwd passwort passphrase passcode kennwort contraseña contrasena
senha wachtwoord hasło şifre пароль 密码 密碼 口令 パスワード 비밀번호 암호 pwd pw"""
)
SWING = r"(?i)[a-z](?=\d)|\d(?=[a-z])"
BREAK = r"[^!#-&*+.\w?@^~-]+"
NEAR = """key|token|auth|api|login|credential|passw|pwd|secret|kennwort|contrase|senha|密|
パスワード|비밀번호|トークン|토큰|пароль|clave"""
HASHES = r"""sha\d|sha-|md5|hash|digest|checksum|commit|integrity|print|etag|nonce|revision|public|
cert|ssh-|uuid|trace|request|kid|build|image|signature|cid|ipfs|address|contract|:/|data:|age1|
seal"""
URL = r"""[a-z][a-z\d+.-]{1,20}://([^\s/:@"'<>]{0,64}):([^\s/"'<>`]{1,128})@[\w\[$]"""
NO_URL = r"""(?i)\d{1,5}(?:[?#]|$)|(?:pass|pwd|pw|p|x+|guest|root|admin|user|token|key|
tiger)\w{0,4}$|\w*password"""
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
CROWD = r"""[^a-z\n]{1,6}(?:(?:is|was) \W?)?((?:[a-z]{3,8}[ -]){3,7}[a-z]{3,9})(?=["'`.,;]|$)"""
WITH = r"(?:with|and|\W) ?$"
LOCKS = ("pin", "code", "combination", "passcode")
SENT = KEYS - listed("token key credential 密钥 密鑰 令牌 токен トークン 토큰")
CODE = r"""(?:\bpin|\b(?:pass|door|gate|alarm|entry|access|unlock|safe|lock|security|garage)\s?(?:p
in|code|combination)|密码|密碼|暗証番号)(?: code| number)?(?: (?:for|of|to|on|in) [^\n.:;]{1,32}?)?
\s{0,2}(?:is|=|:|was|→|是|は)\s{0,2}[`"*]{0,3}(\d{4,8})\b(?![-.:/]\d)"""
RUN = r"(?<![\w/+.-])[\w+/-]{24,255}={0,2}(?![\w/+-]|\.\w)"


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


def chosen(name: str, tail: str) -> bool:
    """Does a phrase after its name hold a password of words and figures?"""
    ways = (LATER, NEXT) if name in PASSWORDS else (PAIR,)
    found = [trim(match[1]) for way in ways if (match := rx(way).match(tail))]
    return any(
        wordlike(value)
        or (
            rx(SLUG).fullmatch(value)
            and not rx(f"{LOOKS}|{NEAR}|{HASHES}").search(value)
        )
        for value in found
    )


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
            if below and ":" in tail and not tail.strip(" :*_`"):
                tail = ": " + below[0].strip(" >*_`-")
            if "|" in tail and below and not below[0].strip(" |:-"):
                tail = " ".join([tail, *below[1:4]])  # the heading of a column
            if low[start:end] == "cookie":
                tail = tail.replace(";", ",")
            name, before = low[start:end], page.text[max(0, start - 130) : start]
            verb = name == "pass" and tail[:1] == " " and not rx(WITH).search(before)
            said = None if least or " is " not in before else rx(IS_THE).search(before)
            crowd = rx(CROWD).match(tail) if name == "passphrase" else None
            if (
                given(tail, least, not verb)
                or (not least and chosen(name, tail))
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
    tools = spots(page.low, (TOOLS & page.words) | {":5432:"})
    for start, end in {(page.line(at).start, page.line(at).stop) for at, _ in tools}:
        for match in rx(COMMAND).finditer(page.text[start:end]):
            value = trim(match[match.lastindex or 0])
            if wordlike(value) or opaque(value):
                yield start, "G05"


def runs(page: Reading) -> Iterator[tuple[int, str]]:
    """Opaque runs (G09), worse on a line that speaks of a credential (G05)."""
    for match in rx(RUN).finditer(page.text if rx(RUN).search(page.long) else ""):
        hexed = rx(r"(?i)(?:[a-z]+[-_/])*[\da-f-]+").fullmatch(match[0])
        if not hexed and opaque(match[0], 24):
            line = page.low[page.line(match.start())]
            if not rx(HASHES + "|pk_").search(line):
                yield match.start(), "G05" if rx(NEAR).search(line) else "G09"
