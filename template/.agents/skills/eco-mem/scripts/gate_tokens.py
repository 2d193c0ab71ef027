"""Secrets in a vendor's format and key material (G01, G02)."""

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
AccountKey=|SharedAccessKey=@[\w+/]{40,120} ?sig=|&sig=@[\w%+/]{30,120}
ghp_|gho_|ghu_|ghr_@¤{36,255} ghs_@[\w.-]{36,255} github_pat_@\w{60,120}
glpat-|glrt-|gldt-|glft-|glcbt-|glptt-|gloas-@§{20,90} glsoat-|glagent-|glimt-|glffct-@§{20,90}
ATATT@§{60,255} ATBB@¤{28,60} BBDC-@[\w+/]{40,60} lin_api_|lin_oauth_@¤{32,90}
xoxa-|xoxb-|xoxc-|xoxd-|xoxe-|xoxo-|xoxp-|xoxr-|xoxs-|xoxe.xox@§{20,255} xapp-@\d-§{20,200}
:AA@@(?:(?<=/bot)|(?<!¤))\d{8,10}:AA§{32,34} .@@[MNO]§{23,27}\.§{6}\.§{27,40}
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
AGE-SECRET-KEY-1@¤{50} live_|test_|sandbox_@(?=¤{0,40}\d)¤{30,60}(?!¤) APP_USR-@\d{12,18}-§{20,90}
AQE@[\w+/=-]{60,255} access-sandbox-|access-development-|access-production-@[\da-f-]{36}
A21AA@§{60,120} pdl_live_apikey_|pdl_sdbx_apikey_@§{20,80}
xnd_production_|xnd_development_@¤{30,90} Mid-server-@§{16,40} sk_@[\da-f]{8}(?:-¶{4}){3}-¶{12}
sk_@¶{48} sk_sbox_@¤{20,60} FLWSECK-|FLWSECK_TEST-@§{20,80} skey_|skey_test_|skey_live_@¤{15,40}
shippo_live_|shippo_test_@¶{40} rnd_@¤{28,40} nfp_@¤{36,40} vcp_|vci_|vca_|vcr_|vck_@¤{24,60}
sb_secret_@§{20,60} napi_@¤{50,70} v1.0-@¶{24}-¶{100,160} st.@¶{24}\.¶{30,40}\.¶{30,40}
cflt@[\w+/]{60} mdb_sa_sk_@§{30,60} SCW@[A-Z\d]{17} YC@[MNP]§{37}(?!§) GR1348941@§{20}
ATCTT3|ATSTT3@§{60,255} AZDO@@¤{76}AZDO¤{4} syt_@[\w=]{4,60}_¤{20}_¤{6}
chat.googleapis.com/@v1/spaces/§{5,20}/messages\?key=§{30,60}&token=§{20,60} CLOJARS_@¶{60}
packagist_@¤{30,90} NpmToken.@[\da-f-]{36} NRII-@§{32} NRJS-@¶{19} fio-u-@§{60,70}
sqp_|squ_|sqa_@¶{40} CCIPAT_|CCIPRJ_@¤{20,24}_¶{40} bkua_@¶{40} CFPAT-@§{43}
sdk-|api-@¶{8}-(?:¶{4}-){3}¶{12} tfp_@§{40,60} rdme_@¤{60,80} pnu_@¤{36} aio_@¤{28}
API-@[A-Z\d]{26,32} tgp_v1_@§{40,60} csk-@¤{40,60} fw_@¤{22,40} pa-@§{43,60} jina_@§{50,70}
e2b_@¶{40} fc-@¶{32} nvapi-@§{60,80} llx-@¤{40,60} pcsk_@¤{5,8}_¤{50,70} esecret_@¤{20,40}
re_@¤{6,10}_¤{20,30} tskey-@[a-z]{2,12}-¤{6,24}-¤{16,50} n8n_api_@§{30,600} ATTA@¶{64}
hcaik_|hcbik_|hcxik_@¤{50,60} xaat-|xapt-@[\da-f-]{36} pat.@§{22}\.¶{24}\.¤{20}
xprv|yprv|zprv|tprv@¤{100,112} nsec1@[a-z\d]{58} b3BlbnNzaC1rZXktdjE@[\w+/]{40,255}
IBAAK|IBADANBg|IBAzCC@@MII[\w+/]{3}IBA(?:AK[BC]|DANBg|zCC)[\w+/]{40,255}
MC4CAQAwBQYDK2V|MHcCAQEE|MIGHAgEAMBMGByqG@[\w+/]{30,255}
-api-|-live-|-pat-|-prod-|-secret-|-sk-|-token-|_api_|_live_|_pat_@@°
_prod_|_secret_|_sk_|_token_|_test_|_sandbox_|_production_|_private_@@°
"""
# The shape that vendors take up: name, kind, then a long run that is no commit.
FAMILY = r"""(?!pk|pub)[a-z][a-z\d]{1,11}[_-](?:live|prod|production|secret|pat|token|sk|api|test|
sandbox|private)[_-](?!(?:¶{40}|¶{64})(?!¤))(?=¤{0,60}\d)¤{24,255}"""
MATERIAL = "SECRET|prv|nsec|IBA|C4CAQ|b3Bl"  # formats of keys
DULL = r"""(?i)x{6}|\*{3}|\.{3}|example|placeholder|changeme|redacted|dummy|insert|your|<|12345678|
abcdefgh|0{8}"""
# Other key material, the secret in the group.
MATTER = r"""-{4,5} ?BEGIN [A-Z\d ]{0,24}PRIVATE KEY(?: BLOCK)? ?-{4,5}(?:(?!----? ?END)[^\0])
{0,400}?([\w+/]{32,255})|Private-Lines: \d{1,3}\s{1,9}([\w+/=]{32})|"[dk]"\s{0,4}:\s{0,4}"(§{20})|
(?:Private|Preshared)Key\s{0,4}=\s{0,4}([\w+/]{42,43}=)|BEGIN OpenVPN Static key V1-----\s{1,3}(¶
{32})|<D>([\w+/=]{40,700})</D>|(?i:private key|wif|keypair|secret key)[^\n]{0,60}?(\b[5KL][1-9A-HJ-
NP-Za-km-z]{50,51}\b|\[\s?(?:\d{1,3}, ?){31,63}\d{1,3})|[Pp]rivate[ _-]?key\b(?![^\n]{0,60}?(?:sha|
SHA|hash|digest|print|sum))[^\n]{0,60}?(?<!¶)(¶{64})\b"""
KEY_CALLS = listed(
    """private privatekey presharedkey mnemonic phrase words seed kty openvpn
rsakeyvalue keypair wif"""
)
SEEDS = (
    "seed",
    "mnemonic",
    "recovery phrase",
    "recovery words",
    "secret phrase",
    "backup phrase",
    "wallet words",
    "助记词",
)
SEED = r"(?:[a-z]{3,8}[ ,\n\"'\d.)]{1,6}){11}[a-z]{3,8}\b"
PROSE = listed("and are but can for from has not that the this use was when will with")


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
                yield at, "G02" if rx(MATERIAL).search(pattern) else "G01"
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
