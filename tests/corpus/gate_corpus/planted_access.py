"""Entries that hold credentials without a vendor mark: tokens, private keys, addresses
with a password, headers, cookies, assignments, prose. All of them are secrets."""

JWT = r"""
@@ jwt semantic
Smoke test reuses a signed session
cue: smoke test of the orders service needs a session

Send Authorization: Bearer <<!jwt:HS256>>
It is valid against staging.

@@ jwt episodic
Identity provider signs with another algorithm now
cue: orders service rejects sessions after the provider upgrade

Context: All sessions were refused.
Action: Decoded one of them, `<<!jwt:RS256>>`, and compared the header.
Result: The provider signs with RS256 now.
Lesson: Pin the algorithm on both sides in the same release.

@@ jwt working
Desk for the mobile login
goal: keep the phone logged in
progress: id_token=<<!jwt:ES256>> is accepted by the gateway

Refresh is open.

@@ jwt semantic
Build namespace has a machine identity
cue: build pods cannot list config maps

kubectl --token=<<!service_jwt>> get configmaps -n builds

@@ jwt semantic
Sealed sessions of the partner portal
cue: partner portal session cannot be read

| cookie | value |
|---|---|
| portal | <<!jwe>> |

@@ jwt procedural
Impersonate the demo tenant
cue: looking at the demo tenant as its owner

When: a demo looks wrong
Steps: open `https://demo.example.test/in?t=<<!jwt:EdDSA>>`
Verify: the banner says demo
Graduate-to: the support console

@@ jwt semantic
Push gateway wants a signed statement
cue: push gateway answers 403 to the phone

> provider statement: <<!jwt:HS512>>

Make a new one every hour.
"""

PRIVATE_KEY = r"""
@@ private_key episodic
Web server could not read its key
cue: web server says key values mismatch

Context: The certificate was renewed with another key.
Action: Put the matching key back:
```
<<!pem:rsa>>
```
Result: It started.
Lesson: Renew with the same key or deploy both.

@@ private_key working
Desk for the signing service
goal: move signing out of the monolith
progress: key converted

<<!pem:pkcs8>>

The service starts with it.

@@ private_key semantic
Licences are signed on the curve
cue: licence check fails after the move

<<!pem:ec>>

Use it in the licence tool only.

@@ private_key semantic
Updates are signed with a short key
cue: update is refused as unsigned

The update tool reads `sign.pem`:

~~~
<<!pem:ed25519>>
~~~

@@ private_key episodic
Old appliance takes old keys only
cue: the appliance refuses modern keys

Context: The appliance is from 2011.
Action: Generated a key it can read.
<<!pem:dsa>>
Result: Login works.
Lesson: Put the appliance behind the jump host.

@@ private_key semantic
Deploy host is reached with its own key
cue: deploying from a laptop

```
<<!pem:openssh>>
```

Save it as `id_deploy` and set mode 600.

@@ private_key working
Desk for the archive key
goal: read the archive of the former team
open: who knows the pass phrase

<<!pem:encrypted>>

@@ private_key working
Desk for the old mail gateway
goal: restart the gateway after the disk swap
next: place the sealed key

<<!pem:legacy>>

@@ private_key working
Desk for release signatures
goal: sign the release archives again
next: import the block below on the signing host

<<!pgp>>

@@ private_key semantic
Windows jump host uses the other key format
cue: logging in from the Windows jump host

```text
<<!putty>>
```

@@ private_key semantic
Settings files are sealed for two recipients
cue: a sealed settings file cannot be opened

Open them with `<<!age>>`; the second recipient is the build host.

@@ private_key semantic
Tunnel to the second site
cue: tunnel to the second site is down

[Interface]
PrivateKey = <<!octets:32>>
Address = 10.8.0.2/24

@@ private_key semantic
Sessions are signed by key signing-1
cue: sessions are not accepted by the second service

`<<!jwk:ec>>`

@@ private_key episodic
Key set was published in full
cue: key set endpoint shows too many members

Context: The key set showed the private members.
Action: Saved the set before the fix:
<<!jwk:rsa>>
Result: Only public members are shown now.
Lesson: Serialise through the public view.

@@ private_key semantic
Wallet of the payout demo
cue: restoring the wallet of the payout demo

Words: <<!seed:12>>

@@ private_key procedural
Restore the treasury device
cue: the treasury device was replaced

When: a device was lost
Steps: enter "<<!seed:24>>" word by word
Verify: the first address matches the list
Graduate-to: the treasury runbook

@@ private_key semantic
Test faucet pays from one account
cue: faucet is empty on the test chain

FAUCET_PRIVATE_KEY=0x<<!hex64>>

@@ private_key semantic
Donation address can be swept
cue: sweeping the donation address

Import <<!wif>> in the wallet, then the master <<!xprv>> is not needed.

@@ private_key semantic
Announcements are signed for the relay
cue: relay drops our announcements

secret: <<!nostr>>

@@ private_key semantic
Cluster admin logs in with a certificate
cue: cluster admin login is refused

client-key-data: <<!kubeconfig_key>>

@@ private_key semantic
Service reads its key from one variable
cue: service cannot parse its signing key

SIGNING_KEY="<<!pem_escaped:ed25519>>"

@@ private_key semantic
Old tunnel shares a static key
cue: old tunnel does not come up

<<!openvpn>>
"""

CONN_URL = r"""
@@ conn_url semantic
Orders database on staging
cue: looking at staging orders in the database

Connect with postgres://orders:<<!loose>>@db1.internal:5432/orders

@@ conn_url episodic
Migration ran against the wrong host
cue: migration hits the wrong database host

Context: Two hosts have the same schema.
Action: Ran it with `DATABASE_URL=mysql://app:<<!url_password>>@10.4.0.17:3306/shop`.
Result: The right host changed.
Lesson: Print the host before a migration.

@@ conn_url semantic
Event store is a cluster of three
cue: event store has no primary

mongodb+srv://events:<<!b62_20>>@cluster0.example.test/events?retryWrites=true

@@ conn_url semantic
Cache wants a password and no user
cue: cache answers NOAUTH

rediss://:<<!b62_32>>@cache.internal:6380/0

@@ conn_url working
Desk for the broker upgrade
goal: upgrade the broker without losing jobs
next: drain through amqps://worker:<<!url_password>>@mq.internal/jobs

Shovel is set up.

@@ conn_url semantic
Consumers log in to the stream
cue: consumer group does not join

sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required \
  username="reader" password="<<!b62_24>>";

@@ conn_url semantic
Reports come from the old server
cue: report query times out on the old server

Server=tcp:sql2.internal,1433;Database=reports;User Id=reporter;\
Password=<<!strong>>;Encrypt=True

@@ conn_url procedural
Fetch the private tools
cue: private tools are missing on a new machine

When: a machine is new
Steps: git clone https://reader:<<!b62_20>>@git.example.test/tools.git
Verify: `make -C tools check`
Graduate-to: the set-up script

@@ conn_url semantic
Mails leave through the relay
cue: relay rejects our mail

`smtp://noreply%40example.test:<<!url_password>>@relay.example.test:587`

@@ conn_url semantic
Price list arrives by file transfer
cue: price list of the supplier is old

Look in ftp://supplier:<<!plain_password>>@files.example.test/out/ before you call them.

@@ conn_url semantic
Driver address with parameters
cue: reporting tool cannot open the ledger

jdbc:postgresql://ledger.internal/ledger?user=report&password=<<!b62_16>>&ssl=true

@@ conn_url semantic
Graph of dependencies
cue: dependency graph is stale

| store | address |
|---|---|
| graph | neo4j+s://graph:<<!b64u_32>>@graph.internal |

@@ conn_url semantic
Search cluster of the shop
cue: shop search is yellow

curl https://elastic:<<!b62_20>>@search.internal:9200/_cluster/health

@@ conn_url episodic
Column store refused the reader
cue: column store refuses the reader account

Context: The reader was locked after five attempts.
Action: Unlocked it and tried clickhouse://reader:<<!b62_24>>@ch.internal/events
Result: Fine.
Lesson: The dashboard kept an old value, change it there as well.

@@ conn_url semantic
Messages between sites
cue: sites do not see each other's messages

nats://site-b:<<!b62_32>>@hub.internal:4222

@@ conn_url semantic
Error reports of the old client
cue: errors of the old client are not reported

The old address has a secret half: https://<<hex32>>:<<!hex32>>@errors.example.test/7
"""

AUTH_HEADER = r"""
@@ auth_header semantic
Inventory calls need a bearer
cue: inventory answers 401 in the smoke test

Authorization: Bearer <<!b64u_43>>

@@ auth_header episodic
Proxy asked for a login
cue: downloads fail behind the office proxy

Context: Downloads failed with 407.
Action: Sent `Proxy-Authorization: Basic <<!basic:office>>`.
Result: Downloads work.
Lesson: Ask for a proxy exception for build hosts.

@@ auth_header semantic
Status page is updated with basic login
cue: status page does not change

```http
POST /api/incidents HTTP/1.1
Authorization: Basic <<!basic:status>>
```

@@ auth_header semantic
Old interface uses the word Token
cue: old interface answers 403 to bearers

curl -H 'Authorization: Token <<!hex40>>' https://old.example.test/api/items

@@ auth_header semantic
Weather data comes with a key header
cue: weather widget is empty

x-api-key: <<!b62_40>>

@@ auth_header procedural
Check the ledger by hand
cue: ledger balance must be checked by hand

When: the balance job failed
Steps: curl -u auditor:<<!strong>> https://ledger.example.test/balance
Verify: both sums are equal
Graduate-to: the balance job

@@ auth_header semantic
On-call pages are sent by script
cue: nobody was paged at night

`Authorization: GenieKey <<!uuid>>`

@@ auth_header working
Desk for the gateway test
goal: test the gateway with real traffic
next: send X-Auth-Token: <<!b64u_64>> from the load host

Two of nine routes are done.

@@ auth_header semantic
Signed request of the archive
cue: archive refuses an unsigned request

Authorization: AWS4-HMAC-SHA256 Credential=<<!aws_id>>/20260502/eu-west-1/s3/aws4_request,\
 SignedHeaders=host;x-amz-date, Signature=<<!hex64>>
"""

COOKIE = r"""
@@ cookie semantic
Admin pages can be opened without the login
cue: reaching the admin pages while the login is down

Set-Cookie: session=<<!b64u_64>>; Path=/; HttpOnly; Secure

@@ cookie episodic
Basket was lost after the update
cue: basket is lost after an update

Context: The session name changed.
Action: Replayed with Cookie: sessionid=<<!alnum32>>; csrftoken=<<!b62_32>>
Result: The basket came back.
Lesson: Read both names for one release.

@@ cookie semantic
Report server session for scripts
cue: report server has no interface for scripts

curl -b "JSESSIONID=<<!upper32>>" https://reports.example.test/list

@@ cookie working
Desk for the session bug
goal: find why sessions end early
progress: connect.sid=<<!express_cookie>> ended after 4 minutes

Clock skew is excluded.

@@ cookie semantic
Shop session of the test customer
cue: replaying the test customer in the shop

`Cookie: _shop_session=<<!rails_cookie>>`

@@ cookie semantic
Forum moderator session
cue: forum moderation without the form

PHPSESSID=<<!alnum26>>; path=/

@@ cookie semantic
Intranet pages for the crawler
cue: crawler cannot read the intranet

Header `Cookie: .AspNetCore.Cookies=<<!aspnet_cookie>>`

@@ cookie procedural
Download the statements
cue: monthly statements must be fetched by hand

When: the statement job failed
Steps: put this line in `jar.txt`:
bank.example.test<<tab>>FALSE<<tab>>/<<tab>>TRUE<<tab>>0<<tab>>__Host-sid<<tab>><<!b64u_43>>
Verify: twelve files are there
Graduate-to: the statement job

@@ cookie semantic
Console session in the browser
cue: checking the console from a script

document.cookie = "__Secure-next-auth.session-token=<<!jwe>>"
"""

ENV_ASSIGN = r"""
@@ env_assign semantic
Local settings of the shop
cue: shop does not start locally

```
DB_HOST=localhost
DB_PASSWORD=<<!strong>>
```

@@ env_assign semantic
Mailer section of the settings file
cue: mailer is not configured on a new host

```yaml
mailer:
  host: relay.internal
  password: "<<!password>>"
```

@@ env_assign semantic
Signing part of the settings
cue: links in mails are rejected as forged

[links]
secret_key = "<<!b64u_43>>"
lifetime = 900

@@ env_assign episodic
Container started without its settings
cue: container starts without settings

Context: The file was not mounted.
Action: docker run -e ADMIN_TOKEN=<<!b62_40>> -p 8080:8080 app
Result: It started.
Lesson: Mount the file read only and fail when it is missing.

@@ env_assign working
Desk for the import
goal: import the old customers
next: export API_SECRET='<<!b62_32>>' and start the second batch

The first batch had 412 rows.

@@ env_assign procedural
Start the sync by hand
cue: sync must be started by hand

When: the timer is off
Steps: `sync --user robot --password <<!strong>> --once`
Verify: the log says done
Graduate-to: the timer

@@ env_assign semantic
Settings in JSON for the agent on the edge
cue: edge agent does not report

{"endpoint": "edge.example.test", "clientSecret": "<<!b62_48>>"}

@@ env_assign semantic
Client of the ledger in code
cue: ledger client in the tests

```python
client = Ledger(host="ledger.internal", password="<<!strong>>")
```

@@ env_assign semantic
Encryption value of the notes
cue: notes cannot be decrypted after a restore

const ENCRYPTION_KEY = "<<!hex64>>";

@@ env_assign semantic
Pool settings of the old application
cue: old application has no connections

spring.datasource.username=shop
spring.datasource.password=<<!password>>

@@ env_assign episodic
Chart was installed with a plain value
cue: chart values show a plain password

Context: The chart has no secret reference.
Action: helm upgrade shop ./chart --set db.password=<<!b62_20>>
Result: Installed.
Lesson: Add a secret reference to the chart.

@@ env_assign semantic
Scheduled task on the Windows host
cue: scheduled task on Windows fails at night

$env:REPORT_PASSWORD = "<<!strong>>"

@@ env_assign semantic
Unit file of the collector
cue: collector does not start after boot

Environment="COLLECTOR_TOKEN=<<!b64u_43>>"

@@ env_assign semantic
Database user of the reports
cue: report user lost its rights

ALTER USER report WITH PASSWORD '<<!password>>';

@@ env_assign semantic
Login file for the artifact host
cue: downloads from the artifact host fail

machine bin.example.test login builder password <<!b62_20>>

@@ env_assign semantic
Password file of the database client
cue: scripts ask for a database password

db1.internal:5432:orders:orders:<<!b62_16>>

@@ env_assign working
Desk for the infrastructure module
goal: bring up the second database
open: variable "root_password" has default = "<<!strong>>" in the module

Plan shows four changes.

@@ env_assign semantic
Secret made on the command line
cue: namespace misses the database secret

kubectl create secret generic db --from-literal=password='<<!shell_password>>'

@@ env_assign semantic
Build argument of the front end
cue: front end build cannot fetch fonts

ENV FONT_SERVICE_SECRET <<!b62_32>>

@@ env_assign semantic
Old blog settings
cue: old blog cannot reach its database

define( 'DB_PASSWORD', '<<!password>>' );
"""

PASSWORD_PROSE = r"""
@@ password_prose semantic
Router in the test lab
cue: logging in to the router in the test lab

The password is <<!password>>, the user is admin.

@@ password_prose episodic
Printer server was locked
cue: printer server is locked again

Context: Nobody could log in.
Action: Reset the account; the new passphrase is "<<!strong>>".
Result: Printing works.
Lesson: Tell the office before the next reset.

@@ password_prose semantic
Demo account for sales
cue: sales asks for the demo login

demo@example.test / <<!password>>

@@ password_prose semantic
Accounts of the staging shop
cue: a staging login for manual tests

| user | password |
|---|---|
| buyer | <<!password>> |
| seller | <<!strong>> |

@@ password_prose semantic
Alarm of the server room
cue: alarm of the server room goes off

The alarm PIN is <<!digits4>>, press it twice.

@@ password_prose semantic
Phone system voice menu
cue: changing the announcement of the phone system

Dial 90 and enter PIN code: <<!digits6>>

@@ password_prose semantic
Zugang zum Testserver
cue: Anmeldung am Testserver

Das Passwort lautet <<!password>>, Benutzer ist `tester`.

@@ password_prose semantic
Compte de recette
cue: se connecter au compte de recette

Le mot de passe est <<!password>> et il change en janvier.

@@ password_prose semantic
Cuenta de pruebas
cue: entrar en el panel de pruebas

Usuario: pruebas
Contraseña: <<!strong>>

@@ password_prose semantic
Painel de homologação
cue: acessar o painel de homologação

A senha do painel é <<!password>>.

@@ password_prose semantic
Accesso al server di prova
cue: entrare nel server di prova

La password dell'utente prova è <<!password>>

@@ password_prose semantic
Тестовый стенд
cue: вход на тестовый стенд

Пароль от стенда: <<!strong>>

@@ password_prose semantic
测试环境登录
cue: 登录测试环境的后台

后台密码是 <<!password>> ,账号 admin。

@@ password_prose semantic
検証環境の管理画面
cue: 検証環境の管理画面に入るとき

管理画面のパスワードは「<<!strong>>」です。

@@ password_prose semantic
Test sunucusu girişi
cue: test sunucusuna giriş yapmak

Test sunucusunun şifresi <<!password>> olarak değişti.

@@ password_prose semantic
테스트 서버 접속
cue: 테스트 서버에 접속할 때

비밀번호는 <<!password>> 입니다.

@@ password_prose semantic
Serwer testowy
cue: logowanie na serwer testowy

Hasło do konta tester: <<!password>>

@@ password_prose semantic
دخول بيئة الاختبار
cue: الدخول إلى بيئة الاختبار

كلمة المرور هي <<!strong>>

@@ password_prose working
Desk for the scanner
goal: get the scanner on the network
progress: logged in as root with <<!password>> as password

The scanner has an address.

@@ password_prose semantic
Guest network of the office
cue: a guest asks for the network

SSID acme-guest, key <<!password>>

@@ password_prose procedural
Open the vault of the on-call
cue: on-call must open the shared vault

When: the vault asks for its master password
Steps: type <<!strong>> as master password, then the code from the device
Verify: the vault lists 14 items
Graduate-to: the on-call handbook

@@ password_prose semantic
Two factor backup of the store account
cue: phone with the store codes is lost

Backup codes: <<!backup>>, <<!backup>>, <<!backup>>

@@ password_prose semantic
Code generator of the store account
cue: setting up the code generator again

otpauth://totp/acme:store?secret=<<!totp>>&issuer=acme
"""

BLOCKS = "".join(
    (JWT, PRIVATE_KEY, CONN_URL, AUTH_HEADER, COOKIE, ENV_ASSIGN, PASSWORD_PROSE)
)
