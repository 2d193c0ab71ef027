"""Entries about passwords, tokens, keys and personal data that hold none. All are
clean."""

from __future__ import annotations

from .model import Maker

# Values that vendors publish in their own documentation, in parts.
SAMPLES = {
    "aws_sample_id": ("AKIA", "IOSFODNN7", "EXAMPLE"),
    "aws_sample_secret": ("wJalrXUtnFEMI/K7MDENG", "/bPxRfiCY", "EXAMPLEKEY"),
    "stripe_sample": ("sk_test_", "4eC39HqLyjWD", "arjtT1zdp7dc"),
    "recaptcha_sample": ("6LeIxAcTAAAAAJc", "ZVRqyHh71UMIE", "GNQ_MXjiZKhI"),
    "visa_test": ("4242 4242", " 4242 4242"),
    "visa_test_plain": ("42424242", "42424242"),
    "visa_classic": ("4111 1111", " 1111 1111"),
    "mastercard_test": ("5555 5555", " 5555 4444"),
    "amex_test": ("3782 822463", " 10005"),
    "discover_test": ("6011 1111", " 1111 1117"),
    "decline_test": ("4000 0000", " 0000 0002"),
    "jwt_sample": (
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9",
        ".eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ",
        ".SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
    ),
    "storage_sample": (
        "Eby8vdM02xNOcqFlqUwJP",
        "LlmEtlCDXJ1OUzFT50uSR",
        "Z6IFsuFq2UVErCz4I6tq",
        "/K1SZFPTOtr/KBHBeksoGMGw==",
    ),
}


def sample(parts: tuple[str, ...]) -> Maker:
    """Gives the maker of a published value."""
    return lambda _, __: "".join(parts)


MAKERS: dict[str, Maker] = {name: sample(parts) for name, parts in SAMPLES.items()}

AUTH_DESIGN = r"""
@@ auth_design semantic
Passwords are hashed with Argon2id
cue: changing how passwords are hashed

Memory 64 MiB, three passes, one lane, salt of 16 bytes. Old bcrypt hashes are replaced at
the next login.

@@ auth_design semantic
Refresh tokens rotate and have families
cue: refresh token is refused after a network error

Each refresh gives a new refresh token; reuse of an old one revokes the family. A client
that lost the answer must log in again.

@@ auth_design semantic
Service accounts sign their own requests
cue: calling the ledger from a new service

A service signs a short JWT with its private key and the ledger checks it against the
public key in its registry. There is no shared secret.

@@ auth_design semantic
API keys have a readable prefix
cue: recognising one of our API keys

`acme_live_` or `acme_test_`, 32 characters, then a checksum of six. The prefix lets
scanners find a leaked key, the checksum lets them skip look-alikes.

@@ auth_design semantic
Session id is random, not derived
cue: choosing a session id

32 bytes from the system generator, base64url. It is stored hashed, so a dump of the table
opens no session.

@@ auth_design semantic
Secrets never cross the boundary of the vault service
cue: a service wants to read a raw key

Services ask the vault service to sign or decrypt. The raw key stays inside, there is no
call that returns it.

@@ auth_design episodic
Why magic links replaced passwords for guests
cue: guests ask for a password

Context: Guests forgot passwords and support reset them by hand.
Action: Replaced the password by a link with a token of 15 minutes.
Result: Password tickets fell by 90 percent.
Lesson: Bind the link to the browser that asked for it, mail scanners open links.

@@ auth_design semantic
One-time codes and their limits
cue: one-time code is refused

Six digits, 30 seconds, one step of tolerance, five attempts. The seed is encrypted at rest
and shown once as a QR code.

@@ auth_design semantic
CSRF protection uses a double submit cookie
cue: form answers 403 with csrf failure

The cookie and the hidden field must match; the value is signed with the session id.

@@ auth_design semantic
Lockout counts per account and per address
cue: a user is locked out without a failed login

Somebody behind the same address failed 20 times; the lock on the address lasts 5 minutes.

@@ auth_design semantic
Password reset does not reveal accounts
cue: wording of the password reset page

The page gives the same answer for known and unknown addresses and takes the same time.

@@ auth_design semantic
Device keys replace passwords on phones
cue: pass key login on a phone

The private key never leaves the phone; we store public key, counter and a label.

@@ auth_design semantic
Scopes of the public interface
cue: token lacks a scope

`orders:read`, `orders:write`, `reports:read`. A token without a scope can read its owner
only.

@@ auth_design semantic
Secret comparison is in constant time
cue: comparing a signature or a token

Use `hmac.compare_digest`; `==` on tokens fails the security lint.

@@ auth_design semantic
Admin actions need a fresh login
cue: admin page asks for the password again

After ten minutes the admin must give the password or a pass key again. It is not a bug.

@@ auth_design semantic
Encryption keys are wrapped twice
cue: which key encrypts what

A data key per tenant, wrapped by a regional key, wrapped by the key in the hardware
module. Rotation wraps again and does not touch the data.
"""

SECRET_PROSE = r"""
@@ secret_prose semantic
Where passwords live
cue: somebody asks for a password

In the team vault, folder by service. Nobody sends a password by chat; who needs one gets
access to the folder.

@@ secret_prose semantic
The word token has three meanings here
cue: confusion about the word token

Parser tokens, session tokens and the tokens of the language model. Write which one you
mean in reviews.

@@ secret_prose semantic
Default password must be changed at first login
cue: first login to a new appliance

The appliance has a printed default password and refuses to work until it was changed. The
new one goes to the vault under the serial number.

@@ secret_prose episodic
Password with a dollar sign broke the shell script
cue: login script fails with some passwords

Context: The script failed for one user.
Action: The password had a dollar sign and stood in double quotes; read it from a file now.
Result: Works with all printable characters.
Lesson: Never pass a password on a command line.

@@ secret_prose semantic
A key with a hash sign is cut off
cue: a setting ends too early

Values with `#` must be quoted in the env file, the loader takes the rest as a comment.

@@ secret_prose semantic
Password field and password managers
cue: password manager does not fill the form

Use `autocomplete="current-password"` and `new-password`; do not block pasting.

@@ secret_prose semantic
Secret length of the webhook
cue: making a webhook secret

At least 32 bytes from a random generator: `openssl rand -base64 32`. It is shown once.

@@ secret_prose semantic
Keys are compared by fingerprint
cue: is this the same key

Compare fingerprints, never contents. `ssh-keygen -lf file` prints it.

@@ secret_prose semantic
Public keys are no secret
cue: may a public key be committed

Yes: `keys/*.pub` and the recipients file are in the repository on purpose.

@@ secret_prose semantic
API key missing is an error at start
cue: service stops with missing API key

The service refuses to start without its API key instead of failing on the first call.

@@ secret_prose semantic
Password rules of the partner portal
cue: partner portal refuses a password

12 to 32 characters, no umlauts, no more than two equal ones in a row. It expires yearly.

@@ secret_prose episodic
Token in the address bar ended in the referrer
cue: tokens in addresses

Context: A token was part of the page address and went out in the Referer header.
Action: Moved it to the fragment, later to a POST.
Result: No token in foreign logs.
Lesson: Nothing secret in a query string.

@@ secret_prose semantic
Wrong password and unknown user are one error
cue: error text of the login

Both say the same: login failed. The log has the true reason.

@@ secret_prose semantic
Salt is stored next to the hash
cue: where the salt is

The encoded hash holds algorithm, parameters, salt and hash; there is no salt column.

@@ secret_prose semantic
Passwort-Richtlinie im Verzeichnisdienst
cue: Passwort wird im Verzeichnisdienst abgelehnt

Das Passwort muss 14 Zeichen haben und wird nicht regelmäßig geändert. Zurückgesetzt wird
es nur über das Portal.

@@ secret_prose semantic
Règles du mot de passe
cue: le mot de passe est refusé

Le mot de passe doit avoir douze caractères ; il est stocké haché, jamais en clair.

@@ secret_prose semantic
La contraseña no se guarda
cue: un cliente pide su contraseña

Solo se guarda el hash; si alguien la olvida, se restablece con un enlace de una hora.

@@ secret_prose semantic
パスワードの保存方法
cue: パスワードの保存について聞かれたとき

パスワードはハッシュで保存し、平文では残さない。再設定は管理画面から行う。

@@ secret_prose semantic
密码策略
cue: 用户询问密码规则的时候

密码至少十二位,连续输错五次锁定十五分钟,不要在日志里打印密码。

@@ secret_prose semantic
Пароли и их смена
cue: вопрос о смене пароля

Пароль меняется только после утечки; в базе лежит хеш, сброс идёт по ссылке.

@@ secret_prose semantic
Hasło i jego zmiana
cue: użytkownik pyta o zmianę hasła

Hasło zmienia się w portalu, minimum 14 znaków; w bazie jest tylko skrót.

@@ secret_prose semantic
Mnemonic words in the wallet demo
cue: wallet demo asks for words

The demo makes twelve words at each start and forgets them at the end; nothing is stored.

@@ secret_prose semantic
PIN pad of the terminal
cue: terminal asks for a PIN in tests

The test terminal takes any PIN of four digits and declines those that end with nine.

@@ secret_prose semantic
License key format
cue: validating a license key

Five groups of five letters, the last group is a checksum. The generator is in `tools/`.

@@ secret_prose semantic
Secrets in tests are generated
cue: a test needs a key or a password

Use the fixture `fresh_secret`; a literal in a test fails the lint.

@@ secret_prose semantic
Primary key, foreign key, sort key
cue: naming of keys in the schema

Primary keys are `id`, foreign keys `<table>_id`; the sort key of events is `at`.
"""

PLACEHOLDER = r"""
@@ placeholder semantic
Local environment file
cue: setting up the local environment file

```
DB_PASSWORD=changeme
MAIL_TOKEN=<your-token>
API_KEY=
```

Copy it from `.env.example` and fill it in.

@@ placeholder semantic
Header of the partner interface
cue: calling the partner interface

`Authorization: Bearer <token>`, where the token comes from `POST /token`.

@@ placeholder semantic
Push with a token
cue: pushing over https

`git push https://oauth2:${GITLAB_TOKEN}@git.example.test/acme/app.git`

@@ placeholder semantic
Address of the database with placeholders
cue: form of the database address

`<<said:postgresql:>>//USER:PASSWORD@HOST:5432/DBNAME`, all parts percent-encoded.

@@ placeholder semantic
Masked key on the settings page
cue: settings page shows stars instead of a key

The page shows `sk_live_****************` and never the value; saving stars keeps the key.

@@ placeholder semantic
Redaction in support bundles
cue: support bundle hides values

Values become `[REDACTED]` or `***`; a bundle with `password=[REDACTED]` is complete.

@@ placeholder semantic
Names of the variables for the uploader
cue: uploader variables on a new host

AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, all three from the role.

@@ placeholder semantic
How the documentation writes keys
cue: writing a key in the documentation

Write `xxxxxxxx`, `YOUR_API_KEY` or `<API_KEY>`; the docs build refuses anything longer.

@@ placeholder semantic
Call with a key from the shell
cue: calling the model by hand

curl -H "x-api-key: $ANTHROPIC_API_KEY" https://llm.example.test/v1/messages

@@ placeholder semantic
Docker run with variables passed through
cue: passing variables into a container

`docker run -e DB_PASSWORD -e API_TOKEN app` passes them from the shell, without a value.

@@ placeholder semantic
Registry file with a variable
cue: npmrc in CI

`//packages.example.test/:_authToken=${NPM_TOKEN}` is all that the file holds.

@@ placeholder semantic
Helm value left empty
cue: chart installs without a password

`db.password: ""` means that the chart makes one and stores it in the secret.

@@ placeholder semantic
Dummy credentials of the emulator
cue: emulator asks for credentials

Any will do: `AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test`.

@@ placeholder semantic
Windows shell and the variables
cue: setting a variable on Windows

`$env:API_TOKEN = Read-Host -AsSecureString`, never a literal in a script.

@@ placeholder semantic
Java properties with a reference
cue: password in the Java settings

spring.datasource.password=${DB_PASSWORD}

@@ placeholder semantic
Token field in the settings
cue: token field in the settings is empty

```toml
[publish]
token = ""          # set by CI
user = "__token__"
```

@@ placeholder semantic
Null means inherit
cue: password is null in the settings

`password: null` takes the value of the parent; `password: ~` is the same.

@@ placeholder semantic
Netrc example of the wiki
cue: netrc for the artifact host

machine bin.example.test login YOUR_USER password YOUR_PASSWORD

@@ placeholder semantic
Basic login with an interactive prompt
cue: calling the status page by hand

`curl -u status: https://status.example.test` asks for the password.

@@ placeholder semantic
Cookie line in the test guide
cue: sending a cookie in a manual test

`curl -b "session=$SESSION" https://shop.example.test/basket`

@@ placeholder semantic
Key in the request example
cue: example of a request to the maps service

GET /maps/api/geocode/json?address=Harwick&key=API_KEY

@@ placeholder semantic
Password prompt of the migration tool
cue: migration tool asks for a password

`migrate --user app --password-stdin < pw.txt`; `--password` was removed.

@@ placeholder semantic
Secrets file template
cue: secrets file of a new tenant

| key | value |
|---|---|
| db_password | (from the vault) |
| mail_token | TBD |
| signing_key | n/a |
"""

SAMPLE_VALUE = r"""
@@ sample_value semantic
Test card of the payment sandbox
cue: paying in the sandbox

<<visa_test>>, any future date, any CVC.

@@ sample_value semantic
Cards for the checkout tests
cue: which card the checkout tests use

| brand | number |
|---|---|
| Visa | <<visa_classic>> |
| Mastercard | <<mastercard_test>> |
| Amex | <<amex_test>> |
| Discover | <<discover_test>> |

@@ sample_value semantic
Declined card in the sandbox
cue: testing a declined payment

<<decline_test>> is always declined; `<<visa_test_plain>>` always works.

@@ sample_value semantic
Cloud documentation pair in our tests
cue: tests contain what looks like a cloud key

The tests use the pair of the vendor documentation, `<<aws_sample_id>>` and
`<<aws_sample_secret>>`, which opens nothing.

@@ sample_value semantic
Scanner allow list for the documentation key
cue: scanner stops on the documentation key

<<aws_sample_id>> is published by the vendor; the allow list has it.

@@ sample_value semantic
Sample session of the decoder page
cue: decoder test needs a session

The decoder test uses the well known sample:
<<jwt_sample>>

@@ sample_value semantic
Storage emulator has a fixed key
cue: storage emulator refuses the connection

AccountName=devstoreaccount1;AccountKey=<<storage_sample>>;
BlobEndpoint=http://127.0.0.1:10000/devstoreaccount1

@@ sample_value semantic
Captcha key for automated tests
cue: captcha in automated tests

The vendor's test site key <<recaptcha_sample>> always passes.

@@ sample_value semantic
Published test key of the payment docs
cue: payment docs show a test key

`<<stripe_sample>>` stands in the vendor's documentation and works for reads only.

@@ sample_value episodic
Test card was refused in production, as it should be
cue: test card in production

Context: Somebody paid with <<visa_classic>> in production.
Action: Looked at the answer: `card_declined`, reason test_mode_live_card.
Result: As designed.
Lesson: Smoke tests in production use a one-cent voucher.
"""

PUBLIC_KEY = r"""
@@ public_key semantic
Deploy key of the docs host
cue: which key the docs host uses

Public half: `<<ssh_public>> docs@build`

@@ public_key semantic
Fingerprint of the forge host key
cue: ssh warns about a changed host key

ED25519 <<fingerprint:ssh>>. Anything else is not our host.

@@ public_key semantic
Release signing key
cue: verifying a release

Fingerprint <<fingerprint:pgp>>; the public key is in `KEYS`.

@@ public_key semantic
Recipients of the sealed settings
cue: adding a recipient to the sealed settings

```
# build host
<<age_public>>
# platform team
<<age_public>>
```

@@ public_key semantic
Certificate pin of the mobile app
cue: app refuses the connection after a renewal

The pin is over the public key, not over the certificate; renew with the same key. Two pins
are set, the second one is the spare.

@@ public_key semantic
Certificate file has three parts
cue: chain of the certificate is incomplete

The file needs three blocks that start with `<<pem_line:CERTIFICATE>>`: leaf,
intermediate, root. The proxy does not check it, browsers do.

@@ public_key semantic
Public key of the licence check
cue: licence check uses the wrong public key

```
<<public_pem>>
```

@@ public_key semantic
Peer of the tunnel
cue: tunnel peer has changed

[Peer]
PublicKey = <<octets:32>>
AllowedIPs = 10.8.0.0/24

@@ public_key semantic
TLS fingerprint of the appliance
cue: appliance certificate is self signed

SHA-256 <<fingerprint:tls>>

@@ public_key semantic
Old fingerprint form
cue: appliance shows another fingerprint form

The appliance prints <<fingerprint:md5>>; use `ssh-keygen -E md5 -lf` to compare.

@@ public_key semantic
Key set of the identity provider
cue: signature check says unknown key

The key set is at `/.well-known/jwks.json`; entries have `kid`, `kty`, `n`, `e`. It is
cached for ten minutes.

@@ public_key semantic
Certificate request header
cue: the authority refuses a request

The first line must be `<<pem_line:CERTIFICATE REQUEST>>`, the word NEW is not accepted.

@@ public_key semantic
Known hosts of the build
cue: build host asks to accept a key

git.example.test <<ssh_public>>
"""

TEMPLATE_EXPR = r"""
@@ template_expr semantic
Chart takes the password from the release
cue: chart renders an empty password

`password: {{ .Values.db.password | default (randAlphaNum 24) | quote }}` makes one when
none is given.

@@ template_expr semantic
Playbook reads the vault
cue: playbook fails for lack of a variable

`db_password: "{{ vault_db_password }}"`, and the vault file is encrypted.

@@ template_expr semantic
Workflow passes the key to one step
cue: a step has no access to the key

```yaml
- run: make publish
  env:
    API_KEY: ${{ secrets.API_KEY }}
```

@@ template_expr semantic
Infrastructure variable without a default
cue: plan asks for a password

`password = var.db_password`; set it with `TF_VAR_db_password` from the vault.

@@ template_expr semantic
Pipeline variable of the old forge
cue: pipeline variable is empty on branches

`$DEPLOY_TOKEN` is protected, so it exists on protected branches only.

@@ template_expr semantic
Template of the env file
cue: env file is rendered with blanks

```jinja
SECRET_KEY={{ secret_key }}
{% if mail %}MAIL_PASSWORD={{ mail.password }}{% endif %}
```

@@ template_expr semantic
Consul template writes the file
cue: file with credentials is not rewritten

`{{ with secret "database/creds/shop" }}{{ .Data.password }}{{ end }}`

@@ template_expr semantic
Batch files on Windows
cue: batch file sees no password

`set PGPASSWORD=%DB_PASSWORD%` before the call.

@@ template_expr semantic
Nested variable in the compose file
cue: compose does not expand a variable

`TOKEN: ${TOKEN_${ENV}}` is not expanded; write one line for each environment.

@@ template_expr semantic
Cloud template reads from the parameter store
cue: stack parameter for the password

`MasterUserPassword: '{{resolve:secretsmanager:shop-db:SecretString:password}}'`

@@ template_expr semantic
String interpolation in the client
cue: building the header in the client

headers = {"Authorization": f"Bearer {token}"}

@@ template_expr semantic
Ruby settings with a fetch
cue: Ruby service fails on a missing key

`config.api_key = ENV.fetch("MAILER_API_KEY")` raises at start, on purpose.
"""

VAULT_REF = r"""
@@ vault_ref semantic
Where the mailer key is
cue: mailer key is needed on a host

op://platform/mailer/credential

@@ vault_ref semantic
Database credentials by path
cue: database credentials of an environment

`vault kv get -field=password shop/prod/db`

@@ vault_ref semantic
Key in the cloud store
cue: reading the signing key in the cloud

arn:aws:secretsmanager:eu-west-1:123456789012:secret:shop/signing-Ab3dEf

@@ vault_ref semantic
Second cloud, second store
cue: secret of the second cloud

projects/acme-orders/secrets/mailer-token/versions/latest

@@ vault_ref semantic
Key vault of the importer
cue: importer secret is needed

`https://acme-import.vault.azure.net/secrets/blob-key` read with the managed identity.

@@ vault_ref semantic
Keychain item on laptops
cue: local tool asks for a token each time

`security find-generic-password -s acme-cli -w` reads it; the tool does so by itself.

@@ vault_ref semantic
Password store entries
cue: password of the lab router

`pass show lab/router`, you need to be a recipient.

@@ vault_ref semantic
Sealed file and its reader
cue: sealed settings on a laptop

`sops -d settings.enc.yaml | less`; values look like `ENC[AES256_GCM,...]` in the file.

@@ vault_ref semantic
References in the env file
cue: env file with references

```
DB_PASSWORD=op://shop/db/password
MAIL_TOKEN=vault:shop/prod/mailer#token
```

Start with `op run --env-file=.env`.

@@ vault_ref semantic
Parameter paths
cue: parameter path of a setting

`/shop/prod/db/password` in the parameter store, type SecureString.

@@ vault_ref episodic
Reference instead of a value in the ticket
cue: asked to send a password

Context: A colleague asked for the staging password in a ticket.
Action: Answered with the vault path `shop/stage/db` and gave access to it.
Result: Nothing secret in the ticket.
Lesson: Answer with a path, always.
"""

OAUTH_JWT = r"""
@@ oauth_jwt semantic
Login uses the code flow with PKCE
cue: login flow of the mobile app

The app makes a verifier, sends its SHA-256 as challenge, gets a code and trades code and
verifier for tokens. There is no client secret in the app.

@@ oauth_jwt semantic
Claims of an access token
cue: which claims the api reads

`iss`, `aud`, `sub`, `exp`, `scope`; `tenant` is ours. The api ignores `email`.

@@ oauth_jwt semantic
Callback addresses
cue: login answers redirect_uri mismatch

`https://shop.example.test/callback` and `http://localhost:3000/callback`, no slash at the
end.

@@ oauth_jwt semantic
Token exchange between services
cue: service calls another for a user

grant_type=urn:ietf:params:oauth:grant-type:token-exchange, with the user's token as
`subject_token`. The new token names both in `act`.

@@ oauth_jwt semantic
Header of our tokens
cue: token header for a new verifier

{"alg": "ES256", "typ": "at+jwt", "kid": "2026-03"}; refuse `none` and HS256.

@@ oauth_jwt semantic
Client ids are public
cue: may a client id be committed

Yes. `client_id=shop-web` is in the page source anyway; the client secret is on the server.

@@ oauth_jwt semantic
Device flow for the command line
cue: login of the command line tool

The tool shows a code of eight letters and asks every five seconds; the code lives for ten
minutes.

@@ oauth_jwt semantic
Introspection is cached for thirty seconds
cue: revoked token still works

A revoked token works for up to 30 seconds. Do not shorten it, the provider limits calls.

@@ oauth_jwt semantic
State parameter holds the return path
cue: user lands on the wrong page after login

`state` is a signed return path and a nonce; it must not hold an address of another host.

@@ oauth_jwt semantic
Structure of a token, for newcomers
cue: explaining the token format

Three parts joined by dots: header, claims, signature, each in base64url. Anybody can read
the first two, so nothing secret belongs in them.

@@ oauth_jwt episodic
Audience check was missing in one service
cue: token of another service is accepted

Context: A token for reports opened orders.
Action: Set the expected audience in the middleware.
Result: 401 as it should be.
Lesson: The library does not check `aud` unless it is told to.

@@ oauth_jwt semantic
Discovery document of the provider
cue: provider moved its endpoints

Read `/.well-known/openid-configuration` at start; do not write endpoints in settings.
"""

SNIPPET = r"""
@@ snippet semantic
Reading the key in Python
cue: reading a key in a Python service

```python
api_key = os.environ["MAILER_API_KEY"]
client = Mailer(api_key=api_key, timeout=5)
```

@@ snippet semantic
Reading the token in Node
cue: reading a token in a Node service

```js
const token = process.env.ACCESS_TOKEN ?? fail("ACCESS_TOKEN is not set");
```

@@ snippet semantic
Reading the password in Go
cue: reading a password in a Go service

```go
password := os.Getenv("DB_PASSWORD")
dsn := fmt.Sprintf("postgres://%s:%s@%s/shop", user, password, host)
```

@@ snippet semantic
Reading a secret in Rust
cue: reading a secret in a Rust tool

```rust
let token = std::env::var("API_TOKEN").context("API_TOKEN is not set")?;
```

@@ snippet semantic
Password prompt in the admin tool
cue: admin tool asks for a password

`password = getpass.getpass("Password: ")`, never from an argument.

@@ snippet semantic
Bearer header in the test client
cue: test client sends no token

client.headers["Authorization"] = "Bearer " + make_token(user, minutes=5)

@@ snippet semantic
Hash check in the login
cue: login verifies a hash

```python
if not hasher.verify(stored_hash, password):
    raise LoginFailed
```

@@ snippet semantic
Signature of a webhook
cue: checking the signature of a webhook

expected = hmac.new(secret.encode(), body, "sha256").hexdigest()

@@ snippet semantic
Fixture with a generated key
cue: tests need a signing key

```python
@pytest.fixture
def signing_key() -> bytes:
    return secrets.token_bytes(32)
```

@@ snippet semantic
Shell check for a missing variable
cue: script runs without its token

`: "${DEPLOY_TOKEN:?set DEPLOY_TOKEN first}"` as the first line.

@@ snippet semantic
Reading a mounted secret in Java
cue: reading a mounted secret in Java

String password = Files.readString(Path.of("/run/secrets/db_password")).strip();

@@ snippet semantic
Makefile passes the token by file
cue: make target needs a token

`publish: ; twine upload --config-file $(HOME)/.pypirc dist/*`

@@ snippet semantic
PHP settings
cue: PHP application has no database password

`'password' => env('DB_PASSWORD', ''),`

@@ snippet semantic
C sharp settings
cue: settings of the Windows service

var secret = configuration["Payments:ApiSecret"] ?? throw new InvalidOperationException();

@@ snippet semantic
Type of the token in code
cue: type of a token parameter

def send(token: SecretStr, password: str | None = None, api_key: str = "") -> None
"""

SECRET_REGEX = r"""
@@ secret_regex semantic
Pattern for our own keys
cue: scanner pattern for our keys

`acme_(live|test)_[0-9A-Za-z]{32}[0-9a-f]{6}`

@@ secret_regex semantic
Patterns of the commit hook
cue: commit hook pattern

```
AKIA[0-9A-Z]{16}
gh[pousr]_[A-Za-z0-9]{36,}
xox[abprs]-[0-9A-Za-z-]{10,}
```

@@ secret_regex semantic
Pattern for private keys in the hook
cue: hook misses a private key

`-----BEGIN [A-Z ]*PRIVATE KEY-----`, anchored to the line start since 1.4.

@@ secret_regex semantic
Masking in logs
cue: a token is visible in the log

`(?i)(authorization: bearer )\S+` becomes `\1***`; the filter is in `logging/mask.py`.

@@ secret_regex semantic
Card numbers are masked by shape
cue: card number in a log line

`\b(?:\d[ -]?){13,16}\b` and a Luhn check; the last four digits stay.

@@ secret_regex semantic
Token pattern in the proxy
cue: proxy drops a query parameter

`[?&](access_token|key)=[^&]+` is cut from access logs.

@@ secret_regex semantic
JWT pattern in the scanner
cue: scanner takes a word for a session

`eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}` needs both parts, so the header alone passes.

@@ secret_regex episodic
Pattern was too greedy
cue: scanner reports base64 images

Context: The scanner reported every inline image.
Action: Required a word boundary and a length of exactly 40.
Result: False reports fell from 212 to 3.
Lesson: Measure a pattern on the whole repository before it blocks.
"""

SCHEMA = r"""
@@ schema semantic
Columns of the patient table
cue: querying the patient table

`patient(id, mrn, given_name, family_name, birth_date, sex, deceased_at)`; `mrn` is unique
per clinic. Reports may select `id` and `sex` only.

@@ schema semantic
HL7 fields that the parser reads
cue: parser misses a field of an admission message

PID-3 identifiers, PID-5 name, PID-7 birth date, PID-8 sex; DG1-3 code. PID-19 is ignored by
law.

@@ schema semantic
FHIR profile of the clinic
cue: resource fails the profile

`Patient.identifier` needs a system; `Patient.name` needs family and given; `birthDate` may
be a year only. `Observation.subject` must be a reference.

@@ schema semantic
Consent decides what is sent
cue: a result is not sent to the partner

No consent, no message. The check reads `consent.scope` and `consent.period`.

@@ schema semantic
JSON schema of the login request
cue: login request is refused as invalid

```json
{"type": "object", "required": ["username", "password"],
 "properties": {"username": {"type": "string", "maxLength": 64},
                "password": {"type": "string", "minLength": 14, "writeOnly": true}}}
```

@@ schema semantic
Open interface description of the token call
cue: description of the token endpoint

```yaml
securitySchemes:
  bearer: {type: http, scheme: bearer, bearerFormat: JWT}
  key: {type: apiKey, in: header, name: X-Api-Key}
```

@@ schema semantic
Chat messages are stored as rows
cue: storing chat messages

`message(id, room_id, role, content, created_at)`; `role` is user, assistant or system.
Contents are deleted after 30 days.

@@ schema semantic
Transcript format of the call centre
cue: format of call transcripts

One JSON object for each turn: `speaker`, `start`, `end`, `text`. Speakers are A and B,
names are not stored.

@@ schema semantic
Identity numbers are checked and not stored
cue: identity number in the sign-up form

The form checks the format, the check digit and sends it to the bureau; we keep a keyed hash
and the last two digits.

@@ schema semantic
Card data never reaches us
cue: where card numbers are stored

The field is an iframe of the provider; we get a token that starts with `tok_`, the brand
and the last four digits.

@@ schema semantic
Diagnosis codes in the tests
cue: which diagnosis codes the tests use

Tests use Z00.0 and Z99.9 with generated patients named Test One, Test Two and so on.

@@ schema semantic
Graph types of the account
cue: account type in the graph interface

```graphql
type Account { id: ID! email: String! apiKeys: [ApiKey!]! }
type ApiKey { id: ID! prefix: String! lastUsed: DateTime }
```

@@ schema semantic
Message format of the sync
cue: sync message has an unknown field

`message Login { string user = 1; bytes password_hash = 2; reserved 3; }`

@@ schema semantic
Validation rules for identity numbers
cue: identity number is refused in the form

PESEL: weights 1 3 7 9; BSN: eleven test; CPF: two check digits; DNI: letter table. The
tables are in `identity/rules.py`.

@@ schema semantic
Health data stays in one schema
cue: joining health data in a report

Tables in schema `care` hold patient data; a view in `stats` gives counts of at least ten.
"""

BLOCKS = "".join(
    (
        AUTH_DESIGN,
        SECRET_PROSE,
        PLACEHOLDER,
        SAMPLE_VALUE,
        PUBLIC_KEY,
        TEMPLATE_EXPR,
        VAULT_REF,
        OAUTH_JWT,
        SNIPPET,
        SECRET_REGEX,
        SCHEMA,
    )
)
