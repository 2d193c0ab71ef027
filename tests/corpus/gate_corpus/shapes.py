"""Generated values that follow public formats: a prefix, an alphabet, a length.

A shape is text in which `{alphabet:count}` stands for random characters. No value
here was ever issued by anybody.
"""

from __future__ import annotations

import base64
import json
import re
import string
import zlib
from collections.abc import Mapping
from random import Random
from urllib.parse import quote
from uuid import UUID

from .model import Maker

ALPHABETS = {
    "d": string.digits,
    "nz": "123456789",
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "b62": string.digits + string.ascii_uppercase + string.ascii_lowercase,
    "b64": string.ascii_letters + string.digits + "+/",
    "b64u": string.ascii_letters + string.digits + "-_",
    "b32": string.ascii_uppercase + "234567",
    "low": string.ascii_lowercase,
    "UP": string.ascii_uppercase,
    "let": string.ascii_letters,
    "alnum": string.ascii_lowercase + string.digits,
    "ALNUM": string.ascii_uppercase + string.digits,
    "ad": string.ascii_letters + string.digits + "_.~-",
    "AD": "ABCD",
}
BASE62 = ALPHABETS["b62"]
RUN = re.compile(r"\{([A-Za-z0-9]+):(\d+)\}")

SHAPES = {
    # cloud
    "aws_id": "AKIA{b32:16}",
    "aws_temporary_id": "ASIA{b32:16}",
    "aws_pair": "{b64:40}",
    "aws_session": "IQoJb3JpZ2luX2Vj{b64:418}==",
    "gcp_api": "AIzaSy{b64u:33}",
    "gcp_client": "GOCSPX-{b64u:28}",
    "gcp_access": "ya29.a0{b64u:210}",
    "gcp_refresh": "1//0{d:1}{b64u:98}",
    "azure_client": "{b62:3}8Q~{ad:34}",
    "azure_function": "{b64u:44}AzFu{b64u:5}A==",
    "azure_search": "{b62:42}AzSe{AD:1}{b62:5}",
    "azure_devops": "{b62:52}JQQJ99BKAC" + "A" * 13 + "SAZDO{b62:4}",
    "digitalocean": "dop_v1_{hex:64}",
    "digitalocean_oauth": "doo_v1_{hex:64}",
    "spaces_id": "DO00{ALNUM:16}",
    "spaces_pair": "{b64u:43}",
    "alibaba_id": "LTAI5t{b62:18}",
    "alibaba_pair": "{b62:30}",
    "tencent_id": "AKID{b62:32}",
    "tencent_pair": "{b62:32}",
    "vault": "hvs.CAESI{b64u:87}",
    "vault_batch": "hvb.AAAAAQ{b64u:150}",
    "terraform": "{b62:14}.atlasv1.{b64u:67}",
    "yandex": "AQVN{b64u:36}",
    "cloudflare_origin": "v1.0-{hex:24}-{hex:146}",
    "cloudflare": "{b64u:40}",
    "fly": "FlyV1 fm2_{b64:242}==",
    "heroku": "HRKU-AA{b64u:58}",
    "scaleway_id": "SCW{ALNUM:17}",
    "pulumi": "pul-{hex:40}",
    "doppler": "dp.pt.{b62:43}",
    "doppler_service": "dp.st.prd.{b62:43}",
    "databricks": "dapi{hex:32}",
    "planetscale": "pscale_tkn_{b64u:43}",
    "planetscale_branch": "pscale_pw_{b64u:43}",
    "netlify": "nfp_{b62:36}",
    "supabase": "sbp_{hex:40}",
    "supabase_pair": "sb_secret_{b64u:22}_{b62:8}",
    "ibm": "{b64u:44}",
    # forge
    "github_fine": "github_pat_11{ALNUM:7}0{b62:12}_{b62:59}",
    "gitlab": "glpat-{b64u:20}",
    "gitlab_routable": "glpat-{b64u:27}.01.{alnum:9}",
    "gitlab_trigger": "glptt-{hex:40}",
    "gitlab_deploy": "gldt-{b64u:20}",
    "gitlab_runner": "glrt-{b64u:20}",
    "gitlab_runner_old": "GR1348941{b64u:20}",
    "gitlab_feed": "glft-{b64u:20}",
    "gitlab_job": "glcbt-64_{b64u:20}",
    "atlassian": "ATATT3xFfGF0{b64u:170}={HEX:8}",
    "bitbucket_repository": "ATCTT3xFfGN0{b64u:170}={HEX:8}",
    "bitbucket_server": "BBDC-{b64:44}",
    "sourcegraph": "sgp_{hex:16}_{hex:40}",
    "runner_registration": "A{b32:28}",
    # chat
    "slack_bot": "xoxb-{nz:1}{d:11}-{nz:1}{d:12}-{b62:24}",
    "slack_user": "xoxp-{nz:1}{d:11}-{nz:1}{d:11}-{nz:1}{d:12}-{hex:32}",
    "slack_app": "xapp-1-A0{ALNUM:9}-{nz:1}{d:12}-{hex:64}",
    "slack_refresh": "xoxe-1-{b64:146}",
    "slack_config": "xoxe.xoxp-1-{b62:163}",
    "slack_hook": "https://hooks.slack.com/services/T0{ALNUM:9}/B0{ALNUM:9}/{b62:24}",
    "slack_flow": (
        "https://hooks.slack.com/workflows/T0{ALNUM:9}/A0{ALNUM:9}/{nz:1}{d:17}/{b62:24}"
    ),
    "discord_hook": "https://discord.com/api/webhooks/{nz:1}{d:18}/{b64u:68}",
    "telegram": "{nz:1}{d:9}:AA{b64u:33}",
    "google_chat": (
        "https://chat.googleapis.com/v1/spaces/AAAA{b62:7}/messages"
        "?key=AIzaSy{b64u:33}&token={b64u:43}%3D"
    ),
    "ding_pair": "SEC{hex:64}",
    "ding_hook": "https://oapi.dingtalk.com/robot/send?access_token={hex:64}",
    "twilio_key": "SK{hex:32}",
    "twilio_account": "AC{hex:32}",
    # payment
    "stripe": "sk_live_51{b62:14}{b62:83}",
    "stripe_short": "sk_live_{b62:24}",
    "stripe_restricted": "rk_live_51{b62:97}",
    "stripe_hook": "whsec_{b64:32}",
    "square": "EAAA{b64u:60}",
    "square_pair": "sq0csp-{b64u:43}",
    "paypal_pair": "E{b64u:79}",
    "braintree": "access_token$production${alnum:16}${hex:32}",
    "adyen": "AQE{b64:110}-{b64:43}=-{b62:16}",
    "razorpay_id": "rzp_live_{b62:14}",
    "razorpay_pair": "{b62:24}",
    "mollie": "live_{b62:30}",
    "paystack": "sk_live_{hex:40}",
    "flutterwave": "FLWSECK-{hex:32}-X",
    "mercadopago": "APP_USR-{nz:1}{d:15}-{d:6}-{hex:32}-{nz:1}{d:8}",
    # ai
    "openai_legacy": "sk-{b62:20}T3BlbkFJ{b62:20}",
    "openai": "sk-proj-{b64u:74}T3BlbkFJ{b64u:74}",
    "openai_service": "sk-svcacct-{b64u:74}T3BlbkFJ{b64u:74}",
    "openai_admin": "sk-admin-{b64u:58}T3BlbkFJ{b64u:58}",
    "anthropic": "sk-ant-api03-{b64u:93}AA",
    "anthropic_admin": "sk-ant-admin01-{b64u:93}AA",
    "anthropic_oauth": "sk-ant-oat01-{b64u:93}AA",
    "huggingface": "hf_{let:34}",
    "replicate": "r8_{b62:37}",
    "groq": "gsk_{b62:52}",
    "perplexity": "pplx-{b62:48}",
    "xai": "xai-{b62:80}",
    "openrouter": "sk-or-v1-{hex:64}",
    "deepseek": "sk-{hex:32}",
    "langsmith": "lsv2_pt_{hex:32}_{hex:10}",
    "pinecone": "pcsk_{b62:6}_{b62:63}",
    "elevenlabs": "sk_{hex:48}",
    "together": "tgp_v1_{b64u:43}",
    "nvidia": "nvapi-{b64u:64}",
    "tavily": "tvly-dev-{b62:32}",
    # registry
    "pypi": "pypi-AgEIcHlwaS5vcmc{b64u:150}",
    "pypi_test": "pypi-AgENdGVzdC5weXBpLm9yZw{b64u:146}",
    "rubygems": "rubygems_{hex:48}",
    "docker_pat": "dckr_pat_{b64u:27}",
    "docker_org": "dckr_oat_{b64u:32}",
    "nuget": "oy2{alnum:43}",
    "crates": "cio{b62:32}",
    "artifactory": "AKCp8{b62:68}",
    "clojars": "CLOJARS_{hex:60}",
    # saas
    "sendgrid": "SG.{b64u:22}.{b64u:43}",
    "mailgun": "key-{hex:32}",
    "mailgun_new": "{hex:32}-{hex:8}-{hex:8}",
    "mailchimp": "{hex:32}-us12",
    "newrelic": "NRAK-{ALNUM:27}",
    "sentry_user": "sntryu_{hex:64}",
    "linear": "lin_api_{b62:40}",
    "notion": "ntn_{d:11}{b62:35}",
    "notion_old": "secret_{b62:43}",
    "airtable": "pat{b62:14}.{hex:64}",
    "asana": "1/{nz:1}{d:15}:{hex:32}",
    "figma": "figd_{b64u:40}",
    "postman": "PMAK-{hex:24}-{hex:34}",
    "grafana": "glsa_{b62:32}_{hex:8}",
    "shopify": "shpat_{hex:32}",
    "sonar": "sqp_{hex:40}",
    "dynatrace": "dt0c01.{b32:24}.{b32:64}",
    "contentful": "CFPAT-{b64u:43}",
    "posthog": "phx_{b62:43}",
    "buildkite": "bkua_{hex:40}",
    "circleci": "CCIPAT_{b62:22}_{hex:40}",
    "brevo": "xkeysib-{hex:64}-{b62:16}",
    "resend": "re_{b62:8}_{b62:24}",
    "tailscale": "tskey-auth-k{b62:11}CNTRL-{b62:32}",
    "typeform": "tfp_{b64u:44}_{b62:14}",
    "facebook": "EAA{b62:160}",
    "datadog_api": "{hex:32}",
    "datadog_app": "{hex:40}",
    "okta": "00{b64u:40}",
    # plain material
    "hex7": "{hex:7}",
    "hex12": "{hex:12}",
    "hex16": "{hex:16}",
    "hex24": "{hex:24}",
    "hex32": "{hex:32}",
    "hex40": "{hex:40}",
    "hex64": "{hex:64}",
    "hex128": "{hex:128}",
    "upper32": "{HEX:32}",
    "alnum12": "{alnum:12}",
    "alnum24": "{alnum:24}",
    "alnum26": "{alnum:26}",
    "alnum32": "{alnum:32}",
    "b62_16": "{b62:16}",
    "b62_20": "{b62:20}",
    "b62_24": "{b62:24}",
    "b62_32": "{b62:32}",
    "b62_40": "{b62:40}",
    "b62_48": "{b62:48}",
    "b64u_32": "{b64u:32}",
    "b64u_43": "{b64u:43}",
    "b64u_64": "{b64u:64}",
    "b64_28": "{b64:28}",
    "loose": "{b62:7}!{b62:5}~{b62:5}",
    "backup": "{d:4}-{d:4}",
    "totp": "{b32:32}",
    "rails_cookie": "{b64:160}%3D%3D--{b64:16}--{b64:22}%3D%3D",
    "express_cookie": "s%3A{b64u:32}.{b62:43}",
    "aspnet_cookie": "CfDJ8{b64u:180}",
    "digits4": "{nz:1}{d:3}",
    "digits6": "{nz:1}{d:5}",
    "digits8": "{nz:1}{d:7}",
    "digits10": "{nz:1}{d:9}",
    "digits13": "17{d:11}",
    "digits16": "17{d:14}",
    "digits19": "17{d:17}",
}

WORDS = (
    "Amber Basalt Cobalt Dune Ember Fjord Granite Harbor Indigo Juniper Kestrel Lagoon "
    "Marble Nectar Onyx Pepper Quartz Russet Saffron Tundra Umber Velvet Walnut Zephyr"
).split()
MARKS = "!#%&*+?=@$^"


def draw(rng: Random, alphabet: str, count: int) -> str:
    """Gives `count` random characters of `alphabet`."""
    return "".join(rng.choices(alphabet, k=count))


def expand(shape: str, rng: Random) -> str:
    """Gives one value of `shape`."""
    return RUN.sub(lambda run: draw(rng, ALPHABETS[run[1]], int(run[2])), shape)


def base62(number: int, width: int) -> str:
    """Gives `number` in base 62 (digits, capitals, small letters), zero padded."""
    digits = ""
    while number:
        number, rest = divmod(number, 62)
        digits = BASE62[rest] + digits
    return digits.rjust(width, "0")


def with_checksum(prefix: str, count: int, rng: Random) -> str:
    """Gives a token of GitHub's and npm's scheme: random base 62, then its CRC-32 in
    base 62, six characters wide."""
    body = draw(rng, BASE62, count)
    return prefix + body + base62(zlib.crc32(body.encode()), 6)


def octets(rng: Random, count: int) -> str:
    """Gives standard base64 of `count` random bytes."""
    return base64.b64encode(rng.randbytes(count)).decode()


def url64(data: bytes) -> str:
    """Gives unpadded base64url, as JOSE writes it (RFC 7515)."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def jose(header: Mapping[str, str], claims: Mapping[str, object]) -> str:
    """Gives the two readable parts of a JWT."""
    parts = (json.dumps(part, separators=(",", ":")) for part in (header, claims))
    return ".".join(url64(part.encode()) for part in parts)


def jwt(rng: Random, algorithm: str) -> str:
    """Gives a JWT; the signature has the length that `algorithm` makes (RFC 7518)."""
    size = {"HS256": 32, "HS512": 64, "RS256": 256, "ES256": 64, "EdDSA": 64}
    issued = 1_770_000_000 + rng.randrange(10**7)
    claims = {
        "sub": str(UUID(int=rng.getrandbits(128), version=4)),
        "iss": "https://login.example.test",
        "aud": "orders",
        "iat": issued,
        "exp": issued + 3600,
    }
    kid = draw(rng, ALPHABETS["hex"], 8)
    header = {"alg": algorithm or "HS256", "typ": "JWT", "kid": kid}
    return f"{jose(header, claims)}.{url64(rng.randbytes(size[header['alg']]))}"


def service_account_jwt(rng: Random, _: str) -> str:
    """Gives a token of the kind a Kubernetes service account gets."""
    claims = {
        "iss": "kubernetes/serviceaccount",
        "kubernetes.io/serviceaccount/namespace": "builds",
        "kubernetes.io/serviceaccount/service-account.name": "runner",
        "sub": "system:serviceaccount:builds:runner",
    }
    header = {"alg": "RS256", "kid": url64(rng.randbytes(32))}
    return f"{jose(header, claims)}.{url64(rng.randbytes(256))}"


def jwe(rng: Random, _: str) -> str:
    """Gives an encrypted JWT of five parts (RFC 7516)."""
    header = json.dumps({"alg": "RSA-OAEP", "enc": "A256GCM"}, separators=(",", ":"))
    sizes = (256, 12, 120, 16)
    parts = [header.encode(), *(rng.randbytes(size) for size in sizes)]
    return ".".join(url64(part) for part in parts)


def password(rng: Random, _: str) -> str:
    """Gives a password as a person picks it: two words, digits and a mark."""
    first, second = rng.sample(WORDS, 2)
    mark = rng.choice(MARKS)
    return f"{first}{mark}{second.lower()}{rng.randrange(10, 9999)}"


def strong_password(rng: Random, _: str) -> str:
    """Gives a random password of 18 characters from four classes, a letter first."""
    pools = (ALPHABETS["low"], ALPHABETS["UP"], ALPHABETS["d"], MARKS)
    picked = [rng.choice(pool) for pool in pools]
    picked += rng.choices("".join(pools), k=13)
    rng.shuffle(picked)
    return rng.choice(ALPHABETS["let"]) + "".join(picked)


def url_password(rng: Random, _: str) -> str:
    """Gives a percent-encoded password, with reserved characters in it."""
    raw = draw(rng, BASE62, 6) + rng.choice("@:/#?") + draw(rng, BASE62, 8) + "&!"
    return quote(raw, safe="")


def plain_password(rng: Random, _: str) -> str:
    """Gives a password that needs no encoding in an address."""
    first, second = rng.sample(WORDS, 2)
    return f"{first}-{second.lower()}{rng.randrange(10, 9999)}!"


def shell_password(rng: Random, _: str) -> str:
    """Gives a password with characters that shells trip over."""
    return draw(rng, BASE62, 5) + "$(" + draw(rng, BASE62, 6) + ";" + "~%7"


def matrix(rng: Random, _: str) -> str:
    """Gives a Synapse access token: `syt_`, local part, random, CRC-32 in base 62."""
    local = url64(b"release-bot")
    body = f"syt_{local}_{draw(rng, ALPHABETS['let'], 20)}"
    return f"{body}_{base62(zlib.crc32(body.encode()), 6)}"


def bitbucket(rng: Random, _: str) -> str:
    """Gives `ATBB`, 24 characters and a checksum of eight, as Bitbucket does."""
    body = "ATBB" + draw(rng, BASE62, 24)
    return f"{body}{zlib.crc32(body.encode()):08X}"


def bedrock(rng: Random, _: str) -> str:
    """Gives a long-lived Bedrock key: base64 of a readable name and random text."""
    name = f"BedrockAPIKey-{draw(rng, ALPHABETS['alnum'], 4)}-at-"
    name += f"{draw(rng, ALPHABETS['nz'], 12)}:{draw(rng, BASE62, 49)}"
    return "ABSK" + base64.b64encode(name.encode()).decode()


def discord(rng: Random, _: str) -> str:
    """Gives a bot token: base64 of a snowflake, a time stamp, a signature."""
    snowflake = str(rng.randrange(10**17, 10**18)).encode()
    stamp = draw(rng, ALPHABETS["b64u"], 6)
    return f"{url64(snowflake)}.{stamp}.{draw(rng, ALPHABETS['b64u'], 38)}"


def sentry_organisation(rng: Random, _: str) -> str:
    """Gives an organisation token: base64 of JSON, then a secret."""
    issued = 1_770_000_000 + rng.randrange(10**6)
    site = {"iat": issued, "url": "https://errors.example.test", "org": "acme"}
    readable = base64.b64encode(json.dumps(site).encode()).decode()
    return f"sntrys_{readable}_{draw(rng, ALPHABETS['b64'], 43)}"


def mapbox(rng: Random, _: str) -> str:
    """Gives a secret map token: `sk.`, base64 of JSON, a signature."""
    owner = json.dumps({"u": "acme-maps", "a": draw(rng, ALPHABETS["alnum"], 25)})
    return f"sk.{url64(owner.encode())}.{draw(rng, ALPHABETS['b64u'], 22)}"


def teams_hook(rng: Random, _: str) -> str:
    """Gives an incoming webhook address of Teams."""
    one, two, three = (uuid(rng, "") for _ in range(3))
    secret = draw(rng, ALPHABETS["hex"], 32)
    return (
        f"https://acme.webhook.office.com/webhookb2/{one}@{two}"
        f"/IncomingWebhook/{secret}/{three}"
    )


def uuid(rng: Random, _: str) -> str:
    """Gives a random UUID (version 4)."""
    return str(UUID(int=rng.getrandbits(128), version=4))


def basic(rng: Random, user: str) -> str:
    """Gives base64 of `user:password`, as HTTP Basic writes it (RFC 7617)."""
    pair = f"{user or 'deploy'}:{strong_password(rng, '')}"
    return base64.b64encode(pair.encode()).decode()


def sas_signature(rng: Random, _: str) -> str:
    """Gives the percent-encoded signature of a shared access link."""
    return quote(octets(rng, 32), safe="")


def integrity(rng: Random, algorithm: str) -> str:
    """Gives a subresource integrity string."""
    size = {"sha256": 32, "sha384": 48, "sha512": 64}[algorithm]
    return f"{algorithm}-{octets(rng, size)}"


def upper_uuid(rng: Random, _: str) -> str:
    """Gives a UUID in capitals."""
    return uuid(rng, "").upper()


MAKERS: dict[str, Maker] = {
    "github": lambda rng, kind: with_checksum(f"gh{kind}_", 30, rng),
    "github_refresh": lambda rng, _: with_checksum("ghr_", 70, rng),
    "npm": lambda rng, _: with_checksum("npm_", 30, rng),
    "bitbucket": bitbucket,
    "bedrock": bedrock,
    "matrix": matrix,
    "discord": discord,
    "sentry": sentry_organisation,
    "mapbox": mapbox,
    "teams_hook": teams_hook,
    "uuid": uuid,
    "upper_uuid": upper_uuid,
    "mws": lambda rng, _: f"amzn.mws.{uuid(rng, '')}",
    "langfuse": lambda rng, _: f"sk-lf-{uuid(rng, '')}",
    "plaid": lambda rng, _: f"access-production-{uuid(rng, '')}",
    "hubspot": lambda rng, _: f"pat-na1-{uuid(rng, '')}",
    "launchdarkly": lambda rng, _: f"api-{uuid(rng, '')}",
    "octets": lambda rng, count: octets(rng, int(count)),
    "sas_signature": sas_signature,
    "jwt": jwt,
    "jwe": jwe,
    "service_jwt": service_account_jwt,
    "basic": basic,
    "password": password,
    "strong": strong_password,
    "url_password": url_password,
    "plain_password": plain_password,
    "assignment": lambda rng, _: "DB_PASS" + f"WORD={strong_password(rng, '')}",
    "shell_password": shell_password,
    "integrity": integrity,
    "hex": lambda rng, count: draw(rng, ALPHABETS["hex"], int(count)),
}


def shape_maker(shape: str) -> Maker:
    """Gives the maker of one shape."""
    return lambda rng, _: expand(shape, rng)


MAKERS |= {name: shape_maker(shape) for name, shape in SHAPES.items()}
