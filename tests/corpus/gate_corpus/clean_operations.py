"""Entries about running software that a good engineer would store. All are clean."""

INCIDENT_NOTE = r"""
@@ incident_note episodic
Checkout failed for eleven minutes
cue: checkout answers 500 right after a deploy

Context: Release 4.18 went out at 14:02; checkout failed for one request in five.
Action: Rolled back, then found a column that the new code read and no migration made.
Result: Errors stopped at 14:13.
Lesson: Ship the migration one release before the code that reads the column.

@@ incident_note episodic
A leaked key was rotated within the hour
cue: a credential shows up in a build log

Context: A build log showed the value of the mail key for forty minutes.
Action: Revoked it in the console, made a new one, put it in the secret store, deleted the
log and asked the mailer for a list of calls.
Result: Nobody else had used it.
Lesson: Mask the variable in the pipeline settings; echoing it in `set -x` beats masking.

@@ incident_note episodic
Password reset mails were sent twice
cue: users get two password reset mails

Context: Each reset request sent two mails with different links.
Action: Found two consumers on the same queue after the blue/green switch.
Result: One consumer, one mail.
Lesson: The old colour must stop its consumers before the new one starts.

@@ incident_note episodic
Token clock skew locked out the mobile app
cue: mobile app is logged out at random

Context: The app lost its session every few minutes.
Action: Compared `iat` with the server time: the auth host was 140 seconds ahead.
Result: Time sync was off since the move; switched on, the problem was gone.
Lesson: Allow 60 seconds of leeway and alert on drift.

@@ incident_note episodic
Disk of the log host was full
cue: no logs arrive after midnight

Context: Logs stopped at 00:00.
Action: `df -h` showed 100 percent on /var; rotation had failed on a locked file.
Result: Removed the lock, freed 38 GB.
Lesson: Alert at 80 percent and on the age of the newest log line.

@@ incident_note episodic
Certificate expired on the internal proxy
cue: internal calls fail with certificate has expired

Context: All internal calls failed on Sunday at 02:00.
Action: Renewed by hand, the timer had been disabled during the move.
Result: Up again at 02:50.
Lesson: The check looks at the served certificate, not at the file.

@@ incident_note episodic
Cache stampede after the purge
cue: database load jumps after a cache purge

Context: A purge at noon sent every request to the database.
Action: Added a lock per key and a jitter of ten percent on lifetimes.
Result: The next purge raised the load by a third only.
Lesson: Never purge everything at once; purge by tag.

@@ incident_note episodic
Session cookies vanished behind the new proxy
cue: users are logged out on every page behind the proxy

Context: The new proxy spoke plain HTTP to the application.
Action: The application refused to set a Secure cookie; set `X-Forwarded-Proto`.
Result: Sessions hold.
Lesson: Trust the forwarded scheme from the proxy's address only.

@@ incident_note episodic
Key rotation broke the webhooks of one partner
cue: partner rejects webhooks after a key rotation

Context: The signing key changed on 3 March; one partner pinned the old one.
Action: Signed with both keys for two weeks, named each by `kid`.
Result: The partner switched on the tenth day.
Lesson: Announce a rotation a month ahead and sign twice during the overlap.

@@ incident_note episodic
Retry storm on the address service
cue: address service is down and does not come back

Context: Clients retried without a pause.
Action: Set exponential pauses with jitter and a budget of 10 percent retries.
Result: The service recovered by itself the next time.
Lesson: A retry without a budget is an attack on yourself.

@@ incident_note episodic
Wrong tenant in an export
cue: an export holds rows of another tenant

Context: A customer saw three rows that were not theirs.
Action: The connection pool kept `search_path` of the last tenant; reset it on checkout.
Result: Confirmed with a test that switches tenants 1000 times.
Lesson: State on a pooled connection is shared state.

@@ incident_note episodic
Two-factor codes were refused in one region
cue: one-time codes are refused in one region

Context: Codes from phones in one region failed.
Action: The verifier there ran 45 seconds late, one step outside the window.
Result: Window widened to one step each side, clock fixed.
Lesson: Verify the clock before the secret.

@@ incident_note working
Desk for the slow login
goal: find out why login takes four seconds
constraints: no change to the hash parameters without a review
progress: hashing takes 380 ms, the rest is a lookup without an index
next: add the index on staging and measure again
open: does the directory answer slowly on Mondays only

Numbers are from 40 runs each, medians.

@@ incident_note episodic
Backup could not be restored
cue: a restore from backup fails

Context: The quarterly restore test failed.
Action: The backup was encrypted to a key that left with the old host; restored from the
second copy, which is encrypted to two recipients.
Result: Data complete, 50 minutes lost.
Lesson: Encrypt to two recipients and test the restore on a machine without any key.

@@ incident_note episodic
Emoji in a name broke the invoice
cue: invoice generation fails for one customer

Context: One invoice could not be rendered.
Action: The font had no glyph for an emoji in the company name.
Result: Added a fallback font.
Lesson: Test with names that hold emoji and right-to-left text.

@@ incident_note episodic
Login loop after the domain change
cue: login ends in an endless redirect

Context: After the domain change the login redirected for ever.
Action: The callback address still had the old domain; the provider dropped the state.
Result: Fixed in both consoles.
Lesson: The list of callback addresses is in two places, staging has its own.

@@ incident_note episodic
A secret scanner blocked a harmless commit
cue: secret scanner blocks a commit by mistake

Context: The hook took a lock file checksum for a key.
Action: Added the lock file to the scanner's path exclusions, with a comment.
Result: The hook passes.
Lesson: Exclude generated files by path and never a rule as a whole.

@@ incident_note episodic
Queue consumers starved each other
cue: one queue is served, the other is not

Context: Mail jobs waited for an hour while exports ran.
Action: Split the pool, two workers are kept for mail.
Result: Mail leaves within a minute.
Lesson: Long and short jobs need separate workers.
"""

ROTATION = r"""
@@ rotation procedural
Rotate the database password
cue: the database password is due for rotation

When: every 90 days, or at once after a leak
Steps: 1. create the second user 2. write its password to the secret store 3. restart the
services one by one 4. drop the first user
Verify: `pg_stat_activity` shows no session of the first user
Graduate-to: `runbooks/rotate-db.md`

@@ rotation procedural
Rotate the signing key of sessions
cue: signing key of sessions must be replaced

When: once a year or when somebody with access leaves
Steps: add the new key as first entry, keep the old for one session lifetime, remove it
Verify: no log line says unknown kid
Graduate-to: `runbooks/rotate-session-key.md`

@@ rotation procedural
Revoke a personal access token
cue: a colleague leaves or loses a laptop

When: a laptop is lost
Steps: open the admin page of the forge, filter by user, revoke all, then remove SSH keys
Verify: the audit log shows one revocation per token
Graduate-to: the offboarding checklist

@@ rotation semantic
Who rotates what
cue: asking who rotates a credential

The platform team rotates database and broker passwords, each team its own vendor keys.
The calendar is in `docs/rotation.md`; a key without an owner is revoked.

@@ rotation semantic
Deploy token lives for 90 days
cue: deploy fails with 401 although nothing changed

The deploy token expires 90 days after it was made; the next date is in the calendar of
the platform team. Ask for a new one there, do not make a personal one.

@@ rotation procedural
Replace the certificate of the gateway
cue: gateway certificate is close to its end

When: 30 days before the end
Steps: `make cert HOST=gateway`, copy both files with the playbook, reload
Verify: `openssl s_client -connect gateway:443` prints the new end date
Graduate-to: the certificate timer

@@ rotation episodic
Rotation without an overlap cost a minute of downtime
cue: planning a credential rotation

Context: The broker password was changed in place.
Action: Restarted 14 services by hand while they were failing.
Result: One minute of errors.
Lesson: Always have two valid credentials during a rotation.

@@ rotation semantic
API keys are shown once
cue: a customer lost an API key

Keys are stored as hashes, so nobody can look one up. The customer makes a new key and
deletes the lost one; the page lists the first six characters only.

@@ rotation procedural
Rotate the cookie secret without logging people out
cue: cookie secret must change

When: twice a year
Steps: put the new secret first in `SESSION_SECRETS`, deploy, wait 14 days, drop the last
Verify: `session_verify_failed_total` stays flat
Graduate-to: the release checklist

@@ rotation semantic
Robot accounts do not expire, their tokens do
cue: a robot account stops working

Robot accounts have no end date; each token has one of 180 days. `make tokens` lists the
ones that end within 30 days.

@@ rotation working
Desk for the yearly rotation
goal: rotate the 23 vendor keys before the audit
constraints: no value on this desk, the secret store only
progress: 9 of 23 done, list with names in docs/rotation.md
next: mailer, maps, error tracker
open: who owns the fax gateway

Keys without an owner go on the list for the Monday meeting.

@@ rotation semantic
Break-glass account is sealed
cue: nobody can log in to production

The break-glass password is in the safe at the front desk, in two halves. Opening it pages
the security lead; rotate both halves the same day.
"""

CHANGELOG = r"""
@@ changelog semantic
What changed in 4.0 of the api
cue: client breaks after the move to api 4.0

- `GET /orders` pages by cursor, `page` is gone
- tokens are opaque now, clients must not decode them
- `X-Api-Key` is still read but logs a deprecation

@@ changelog semantic
Breaking change in the settings loader
cue: settings loader refuses an unknown key

Since 2.7.0 unknown keys are errors. Set `strict = false` for one release only, it is
removed in 3.0.

@@ changelog semantic
Client library renamed two options
cue: client library says unexpected keyword

1.9 renamed `auth_token` to `token` and `verify_ssl` to `verify`. The old names go in 2.0.

@@ changelog semantic
Versions that must not be used
cue: choosing a version of the driver

5.3.0 to 5.3.2 lose rows on reconnect; 5.3.3 is fine. 6.0.0-rc.1 has another wire format.

@@ changelog semantic
Release 2026.04.2 fixed the session leak
cue: memory grows with every login

Fixed in 2026.04.2 (<<hex7>>). Before it, each failed login kept a session object.

@@ changelog semantic
Hash parameters went up in 7.2
cue: login is slower since 7.2

7.2 raised the work factor of password hashes from 10 to 12; old hashes are upgraded at
the next login. Expect 250 ms more per login.

@@ changelog semantic
Deprecated flags and their ends
cue: a flag is reported as deprecated

| flag | replaced by | removed in |
|---|---|---|
| `--insecure` | `--tls=off` | 3.0 |
| `--password-file` | `--secret` | 3.1 |

@@ changelog episodic
Upgrade to the new major needed two steps
cue: upgrading the framework by a major version

Context: Going from 3 to 5 in one step failed.
Action: Went to 4.2 first, fixed the warnings, then to 5.0.1.
Result: All 1,204 tests pass.
Lesson: Do not skip a major; its warnings are the migration guide.
"""

CONFIG_FACT = r"""
@@ config_fact semantic
Queue limit is 500 jobs
cue: producers get 429 from the queue

Above 500 waiting jobs producers get 429. Raise `QUEUE_CAP` in `deploy/queue.toml` and the
memory limit with it, about 2 MB for 100 jobs.

@@ config_fact semantic
The api listens on 8443 behind the mesh
cue: api port in a new environment

Port 8443 inside, 443 outside. Health is on 8081 without TLS, so do not expose it.

@@ config_fact semantic
Staging uses its own mail sink
cue: mails from staging do not arrive

Staging mails end in the sink at `mail-sink:1025` and are shown at port 8025.

@@ config_fact semantic
Pool size follows the number of replicas
cue: database says too many clients

The database allows 200 connections; with 8 replicas the pool must be at most 20.

@@ config_fact semantic
Password policy is set in the directory
cue: changing password length or lockout

Length 14, lockout after 10 attempts for 15 minutes. The application does not check it
again; change it in the directory only.

@@ config_fact semantic
Session lifetime in three places
cue: sessions end earlier than configured

Gateway 30 minutes idle, application 8 hours, directory 12 hours. The smallest one wins.

@@ config_fact semantic
Secrets are mounted as files
cue: a service cannot find its credentials

Each service reads files under `/run/secrets`, named like the variable in lower case. An
empty file counts as missing.

@@ config_fact semantic
Environment variables of the worker
cue: worker does not start on a new host

It needs `DATABASE_URL`, `BROKER_URL`, `SECRET_KEY` and `SENTRY_DSN`; the first missing one
is named in the error. `.env.example` lists them without values.

@@ config_fact semantic
Feature flags are read once at start
cue: a flipped flag has no effect

Restart after a change, or send SIGHUP. The cache of flags has no lifetime.

@@ config_fact semantic
Time zones: store UTC, show Vienna
cue: times are off by an hour in March

The database has UTC; the front end converts. Reports use `Europe/Vienna` since 2024.

@@ config_fact semantic
Upload limit is 25 MB in the proxy
cue: upload fails with 413

`client_max_body_size 25m` in the proxy, 30 MB in the application. Change the proxy first.

@@ config_fact semantic
Tokens for internal calls are minted per request
cue: internal call answers 403 after a minute

Lifetime is 60 seconds, audience is the name of the called service. Do not cache them.

@@ config_fact semantic
Key names in the secret store
cue: looking for a key in the secret store

`shop/prod/db`, `shop/prod/mailer`, `shop/prod/payments`; field names are `username` and
`password`. Staging replaces `prod` by `stage`.

@@ config_fact semantic
Connection strings without a password
cue: database address in the local setup

`postgres://localhost:5432/shop` works locally because of peer authentication. On staging
it is `postgres://orders@db1.internal:5432/orders` and the password comes from `.pgpass`.

@@ config_fact semantic
Retention is 30 days for logs
cue: old logs are missing

Logs 30 days, metrics 13 months, traces 7 days. Audit logs stay for ten years.

@@ config_fact semantic
The broker has three virtual hosts
cue: messages go to the wrong virtual host

`/jobs`, `/mail`, `/audit`; the user of a service sees one only. Address without password:
`amqp://worker@mq.internal/jobs`.

@@ config_fact semantic
Locale data is pinned
cue: sort order differs between hosts

The image pins ICU 74; the laptops have newer ones. Sort in the database, not in code.

@@ config_fact semantic
Mobile builds need two keys
cue: mobile build complains about a missing key

`MAPS_KEY` and `PUSH_KEY` come from the local properties file that the wiki describes;
the build fails early when one is empty.

@@ config_fact semantic
Proxy settings of the office
cue: downloads fail in the office

`HTTPS_PROXY=http://proxy.office.example.test:3128` without a login; `NO_PROXY` must hold
`.internal`.

@@ config_fact semantic
Limits of the free map plan
cue: map requests are refused at the end of the month

50,000 loads a month; the counter resets on the first at 00:00 UTC.
"""

CI = r"""
@@ ci semantic
Integration tests need the broker
cue: integration tests hang in CI

They wait for the broker on port 5672; the service container must have a health check.

@@ ci semantic
Cache key of the dependency step
cue: CI installs dependencies from scratch

The key is `deps-${{ runner.os }}-${{ hashFiles('**/package-lock.json') }}`; it changes
when the lock file does.

@@ ci semantic
Publishing needs the protected environment
cue: publish job waits for ever

The job uses the environment `release`, so a maintainer must approve it. The token comes
from `${{ secrets.REGISTRY_TOKEN }}` there and is empty anywhere else.

@@ ci semantic
Forked pull requests get no secrets
cue: CI fails on pull requests from forks only

Secrets are empty there by design; steps that need one are skipped with
`if: ${{ env.DEPLOY_KEY != '' }}`.

@@ ci semantic
Flaky list and its rule
cue: a test fails now and then

Mark it with `@pytest.mark.flaky(reason=...)` and add the issue; a mark older than 30 days
fails the build.

@@ ci episodic
Runner image update broke the compiler step
cue: compiler step fails on new runners

Context: `ubuntu-latest` moved to 24.04.
Action: Pinned 22.04, then fixed the missing package and moved on.
Result: Green on 24.04.
Lesson: Pin runner images and update them on purpose.

@@ ci semantic
Images are built for two platforms
cue: image does not start on arm hosts

`docker buildx build --platform linux/amd64,linux/arm64`; the arm build takes 14 minutes
without the cache.

@@ ci semantic
Secret scanning runs before the build
cue: the scan step fails

The step fails on new findings only; its baseline is `.scan-baseline.json`. Update it in a
commit of its own and say why.

@@ ci semantic
Deploy job logs in without a stored key
cue: deploy job cannot assume its role

The job exchanges its OIDC token for a role (`id-token: write` must be set). There is no
long-lived key any more.

@@ ci procedural
Rerun a release that stopped half way
cue: release job stopped half way

When: the tag exists and the package does not
Steps: rerun the publish job only; never move the tag
Verify: the package page shows the tag's version
Graduate-to: the release workflow

@@ ci semantic
Test database is made per worker
cue: tests interfere with each other in parallel

Each worker gets `test_gw0`, `test_gw1` and so on. Tests must not name the database.

@@ ci semantic
Password of the test database is not a secret
cue: scanner complains about the test database

The service container runs with `POSTGRES_HOST_AUTH_METHOD=trust`, so no password is
needed. Do not add one, scanners complain about it.

@@ ci semantic
Coverage must not fall by more than half a point
cue: coverage check is red

`fail_under` is 86; generated code is left out in `.coveragerc`.

@@ ci semantic
Nightly build takes the newest toolchain
cue: nightly is red while main is green

Nightly uses unreleased versions on purpose. Open an issue, do not pin.

@@ ci episodic
Cache poisoned by a half written archive
cue: CI fails with unexpected end of archive

Context: A cancelled job had stored half an archive.
Action: Bumped the prefix from v3 to v4.
Result: Green.
Lesson: Save the cache in the last step only.
"""

MANIFEST = r"""
@@ manifest semantic
Database credentials of the shop in the cluster
cue: shop pod does not start for lack of a secret

```yaml
env:
  - name: DB_PASSWORD
    valueFrom:
      secretKeyRef:
        name: shop-db
        key: password
```

The secret is made by the operator, not by the chart.

@@ manifest semantic
Compose file takes settings from the shell
cue: compose complains about unset variables

```yaml
services:
  db:
    image: postgres:16
    environment:
      POSTGRES_PASSWORD: ${POSTGRES_PASSWORD:?set it in .env}
```

@@ manifest semantic
Sealed secrets and their scope
cue: a sealed secret cannot be opened after a move

Sealed secrets are bound to name and namespace; after a move they must be sealed again with
`kubeseal --scope strict`.

@@ manifest semantic
External secrets refresh hourly
cue: a changed secret is not visible in the pod

```yaml
spec:
  refreshInterval: 1h
  data:
    - secretKey: token
      remoteRef: {key: shop/prod/mailer, property: token}
```

The pod must be restarted after that.

@@ manifest semantic
Build secrets instead of arguments
cue: image build needs a credential

`RUN --mount=type=secret,id=npmrc,target=/home/node/.npmrc npm ci` keeps the file out of the
layers. A build argument would show in the history.

@@ manifest semantic
Pull secret of the namespace
cue: ImagePullBackOff in a new namespace

`imagePullSecrets: [{name: images}]` must be set on the service account, one per namespace.

@@ manifest semantic
Volumes hold data, not settings
cue: settings survive a redeploy

Settings come from a ConfigMap; a volume named `config` once hid the new file.

@@ manifest procedural
Make the secret of a new service
cue: a new service needs its secret in the cluster

When: the first deploy of a service
Steps: `kubectl create secret generic app-db --from-file=password=./pw.txt`, delete the file
Verify: `kubectl get secret app-db -o jsonpath='{.data}'` lists one key
Graduate-to: the service template

@@ manifest semantic
Image digest of the base
cue: base image changed without a reason

`FROM python@sha256:<<hex64>>` is 3.12.3 on bookworm. Update tag and digest together.

@@ manifest semantic
Service account of the jobs
cue: jobs may not list pods

`automountServiceAccountToken: false` by default; the jobs need it set to true.

@@ manifest semantic
Health checks of the api pod
cue: pod is killed while it starts

`startupProbe` with 30 times 5 seconds; `livenessProbe` starts after it.

@@ manifest semantic
Terraform state holds secrets
cue: where the state of the infrastructure is kept

State is encrypted and never committed, as it holds generated passwords in the clear.
`sensitive = true` hides them on screen only.

@@ manifest semantic
Generated password of the reporting database
cue: where the reporting password comes from

```hcl
resource "random_password" "reporting" {
  length  = 32
  special = false
}
```

It is written to the secret store and read by nobody.
"""

WEB_CONFIG = r"""
@@ web_config semantic
Cookie flags of the shop
cue: session cookie is not sent

`Set-Cookie: sid=...; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=28800`. With
SameSite=Strict the return from the payment page is logged out.

@@ web_config semantic
Proxy strips cookies on static files
cue: static files are never cached

```nginx
location /static/ {
    proxy_hide_header Set-Cookie;
    proxy_ignore_headers Set-Cookie;
    expires 30d;
}
```

@@ web_config semantic
Authorization header is passed through
cue: application does not see the Authorization header

`proxy_set_header Authorization $http_authorization;` is needed behind the second proxy.

@@ web_config semantic
Basic login on the preview site
cue: preview site asks for a login

```nginx
auth_basic "preview";
auth_basic_user_file /etc/nginx/preview.htpasswd;
```

Users are added with `htpasswd -B`, the file is not in the repository.

@@ web_config semantic
Cookies of the framework and what they are for
cue: which cookie does what

| cookie | purpose | lifetime |
|---|---|---|
| `csrftoken` | form protection | 1 year |
| `sessionid` | login | 2 weeks |
| `django_language` | language | session |

@@ web_config semantic
Content policy blocks inline scripts
cue: inline script does not run in production

Use a nonce: `script-src 'self' 'nonce-{nonce}'`; the value is made for each response.

@@ web_config semantic
CORS with credentials needs a named origin
cue: browser blocks a call with cookies

`Access-Control-Allow-Origin: *` is not allowed together with credentials; name the origin.

@@ web_config semantic
Session store is the cache
cue: everybody is logged out after a cache restart

Sessions live in the cache without persistence, by choice. Warn users before a restart.

@@ web_config semantic
Login limit at the edge
cue: many failed logins from one address

```nginx
limit_req_zone $binary_remote_addr zone=login:10m rate=5r/m;
```

@@ web_config semantic
Cookie prefix and subdomains
cue: cookie is refused on the subdomain

`__Host-` cookies must not name a domain; the widget on the subdomain uses `__Secure-`.

@@ web_config semantic
HSTS is on for a year
cue: http does not work in the browser any more

`Strict-Transport-Security: max-age=31536000; includeSubDomains`. Preload is not set.
"""

LOG_EXCERPT = r"""
@@ log_excerpt semantic
Harmless warning at start
cue: warning about the plugin directory at start

```
2026-03-04T08:12:31Z WARN  plugin: directory /opt/plugins not found, skipping
2026-03-04T08:12:31Z INFO  server: listening on 0.0.0.0:8443
```

Ignore it, we have no plugins.

@@ log_excerpt episodic
Connections were reset after an hour
cue: connection reset by peer after one hour

Context: Long queries failed after exactly an hour.
Action: Compared both sides:
```
[2026-04-11 02:00:07] ERROR pool-3 c.a.OrderJob: connection reset (id=8812, age=3600s)
[2026-04-11 02:00:07] INFO  pool-3 c.a.OrderJob: retry 1 of 3
[2026-04-11 02:00:09] INFO  pool-3 c.a.OrderJob: connected
```
Result: The firewall drops idle sessions after 3600 seconds.
Lesson: Set keepalive to 600 seconds.

@@ log_excerpt semantic
Reading the login log
cue: understanding a line of the login log

`auth[211]: user=buyer result=denied reason=bad_password attempts=3 ip=192.0.2.14`
The reason is written for us, users see one text for all reasons.

@@ log_excerpt semantic
Lines of the token service
cue: token service logs refresh errors

    level=info  ts=10:04:11 msg="token refreshed" ttl=3600 client=mobile
    level=warn  ts=10:04:12 msg="refresh token reused" client=mobile family=revoked

The second line means a replay; the whole family is revoked.

@@ log_excerpt semantic
Kernel line before a restart
cue: host restarts without a reason

`[81233.104512] Out of memory: Killed process 4121 (java) total-vm:9120344kB` comes first.

@@ log_excerpt episodic
Health check filled the log
cue: access log is full of health checks

Context: 80 percent of the log were lines like this one:
`10.0.3.7 - - [12/May/2026:06:25:14 +0000] "GET /healthz HTTP/1.1" 200 2 "-" "kube-probe/1.29"`
Action: Switched access logging off for that path.
Result: 4 GB a day less.
Lesson: Leave health checks out of access logs.

@@ log_excerpt semantic
Test output that means a missing service
cue: test run ends with connection refused

    FAILED tests/test_mail.py::test_reset - ConnectionRefusedError: [Errno 111]
    ======= 1 failed, 311 passed in 41.20s =======

Start the mail sink first.

@@ log_excerpt semantic
Build warnings that are known
cue: build prints three warnings

    warning: unused variable `ctx` (src/gen/api.rs:41)
    warning: field `legacy` is never read

All come from generated code.

@@ log_excerpt episodic
Timeline of the slow Tuesday
cue: timeline of a slow morning

Context: The site was slow.
Action: Wrote down what happened:
09:02 first alert
09:10 database at 95 percent
09:14 report job stopped
09:17 load back to normal
Result: The report runs at night now.
Lesson: Reports never read from the primary.

@@ log_excerpt semantic
Audit line of a permission change
cue: reading the audit log of permissions

`2026-02-17 11:20:03 audit actor=svc-iam action=grant role=viewer target=team-docs ok`

@@ log_excerpt semantic
Trace header in the gateway log
cue: following a request through the services

`traceparent=00-<<hex32>>-<<hex16>>-01` in the gateway log is the same in every service.

@@ log_excerpt semantic
Job log with numbered steps
cue: job log stops after step 3

    [1/5] resolve
    [2/5] fetch
    [3/5] link
    error: EACCES: permission denied, mkdir '/usr/lib/node'

Run it as the build user with its own prefix.
"""

DATA_WORK = r"""
@@ data_work semantic
Orders are soft deleted
cue: a deleted order is still in the table

`deleted_at` is set; views filter on it. Reports read the table, so they must filter too.

@@ data_work procedural
Add a column without a lock
cue: adding a column to a large table

When: the table has more than a million rows
Steps: add it without default, fill in batches of 5000, then set default and not null
Verify: no lock longer than two seconds in `pg_locks`
Graduate-to: the migration linter

@@ data_work semantic
Amounts are integers of cents
cue: amounts are off by a factor of 100

All amounts are integers in the smallest unit; JPY has no decimals, so do not divide.

@@ data_work semantic
Import matches customers by hash of the mail address
cue: import makes duplicate customers

The key is SHA-256 of the lower-cased address; the address itself is not in the file.

@@ data_work episodic
Index was not used because of a cast
cue: query ignores an index

Context: A lookup took nine seconds.
Action: The parameter was text, the column bigint; cast the parameter.
Result: 3 ms.
Lesson: Look for casts in the plan first.

@@ data_work semantic
Column names that sound secret and are not
cue: naming of columns in the users table

`password_changed_at`, `token_version`, `key_id` hold dates and numbers. The hash is in
`password_hash`, which no report may select.

@@ data_work semantic
Search reads a copy
cue: search results are a minute old

The copy lags by up to 60 seconds; tests must wait for `indexed_at`.

@@ data_work semantic
Anonymised dump for laptops
cue: getting data for local development

`make dump` replaces names, addresses and card fields by generated ones; passwords in it
are all reset to an unusable hash.

@@ data_work episodic
Deadlock between import and clean-up
cue: deadlock detected during the import

Context: Import and clean-up locked rows in different orders.
Action: Both sort by primary key now.
Result: No deadlock since March.
Lesson: One order of locks for everybody.

@@ data_work semantic
Partitions are made by a job
cue: insert fails on the first of the month

The job makes the next two partitions on the 20th; if it fails, inserts fail on the first.
"""

CODE_KNOWLEDGE = r"""
@@ code_knowledge semantic
Generated clients live outside src
cue: where the generated client is

`gen/client` is made by `make client`; changes by hand are lost.

@@ code_knowledge semantic
Errors cross the boundary as values
cue: raising an error in the domain layer

The domain returns `Result`; only adapters raise. The linter checks it.

@@ code_knowledge semantic
The public interface is what `__all__` names
cue: deciding if a change is breaking

Everything else may change in a minor version.

@@ code_knowledge semantic
Key means index key in this code
cue: meaning of key in the storage module

In `storage/` a key is a lookup key and a token is a lexer token; neither is a secret.

@@ code_knowledge episodic
Mock hid a broken call
cue: test passes while the feature is broken

Context: The test passed, production failed.
Action: Replaced the mock by the in-memory server.
Result: The test fails as it should.
Lesson: Mock at the network only.

@@ code_knowledge semantic
Tokenizer splits on hyphens
cue: search finds half words

The tokenizer treats a hyphen as a break; the token count in the docs is after that.

@@ code_knowledge semantic
Secret Santa is a feature
cue: what the santa package does

`santa/` pairs colleagues for presents; its `secret` field is the name of the pair.

@@ code_knowledge semantic
Cookie banner is ours
cue: changing the cookie banner

The banner is in `web/consent`; it must offer reject and accept with the same weight.

@@ code_knowledge procedural
Profile a slow endpoint
cue: an endpoint is slow

When: p95 is over 800 ms
Steps: `py-spy record -d 30 -o out.svg --pid $(pgrep -f api)`, look for the widest frame
Verify: p95 on the dashboard after the fix
Graduate-to: `make profile`

@@ code_knowledge semantic
Retry decorator wants idempotent calls
cue: using the retry decorator

It repeats on 502, 503 and 504 only. Calls that create something need an idempotency key.

@@ code_knowledge working
Desk for the parser rewrite
goal: replace the hand-written parser
constraints: error messages stay the same word for word
progress: expressions done, statements half
next: comments
open: do we keep the old entry point for one release

Benchmarks: old 41 ms, new 18 ms for the large file.

@@ code_knowledge semantic
Assistant texts are in one file
cue: changing the texts of the assistant

`assistant/prompts.toml` holds the texts, one table per language. The system prompt is
versioned; bump `prompt_version` when you change it.

@@ code_knowledge semantic
Two meanings of agent
cue: meaning of agent in this repository

`agent/` is the monitoring agent on hosts; the support agent is called `rep`.

@@ code_knowledge semantic
Role names of the application
cue: adding a role

Roles are `owner`, `editor`, `viewer`; the system role is for jobs and cannot log in.
"""

DESK = r"""
@@ desk working
Desk for the cursor paging
goal: replace page numbers by cursors in the orders list
constraints: old clients keep working until 4.0
progress: server done in <<hex7>>, client half done
next: make the cursor opaque, it must not be decoded by clients
open: how long may a cursor live

The token in the answer is called `next`, so that nobody takes it for a session token.

@@ desk working
Desk for the password page
goal: let users see which rule their new password breaks
constraints: no rule is checked in the browser only
progress: texts agreed, test for fourteen characters written
next: hide the list while the field is empty
open: do we show the leaked password rule before the first try

Screens are in `web/account/password`.

@@ desk working
Desk for the dependency update
goal: bring the web packages to the newest minor versions
constraints: one package for each commit
progress: 11 of 19, the bundler is at 6.2.1
next: router, then the test runner
open: none

- `integrity` lines change with every update, do not review them
- lock file conflicts: take theirs, then install again

@@ desk working
Desk for the restore test
goal: restore last night's backup on an empty machine
constraints: the machine has no key of production
progress: archive fetched, checksum <<hex64>> is right
next: decrypt with the second recipient and count rows
open: where does the report go

Time so far: 23 minutes.

@@ desk working
Desk for the login metrics
goal: tell failed logins by reason
constraints: no user name in a label
progress: `login_failed_total{reason="bad_password"}` counts
next: dashboard, then an alert over 50 a minute
open: is a locked account a failed login
handoff: whoever takes over needs access to the dashboards

Tests: `pytest tests/auth -k metrics`.

@@ desk working
Desk for the webhook signature
goal: sign webhooks with two keys at a time
constraints: header stays under 1 KB
progress: header is now `t=...,v1=...,v1=...`, old verifiers accept it
next: document how to verify, with a made up secret
open: how long is the overlap

The verifier compares in constant time.

@@ desk working
Desk for the failing arm build
goal: make the image build for arm pass again
constraints: same base image on both platforms
progress: fails at `RUN make`, 139, only with more than two jobs
next: try -j2 and report upstream
open: is it the emulator or the compiler

Run <<digits10>> has the core dump.

@@ desk working
Desk for the German texts
goal: alle Texte der Kasse in der Anrede vereinheitlichen
constraints: keine neuen Schlüssel in der Sprachdatei
progress: 140 von 212 Texten
next: Fehlermeldungen der Anmeldung
open: gilt das auch für E-Mails

Immer „Sie“, nie „du“; Passwort statt Kennwort.

@@ desk working
Desk for the index rebuild
goal: rebuild the search index without a gap
constraints: both indexes fit on the disk for one night only
progress: new index at 61 percent
next: switch the alias, keep the old one until morning
open: none

Always switch the alias in one call, otherwise searches fail for a moment.

@@ desk procedural
Add a language to the shop
cue: adding a language to the shop

When: the texts are translated and reviewed
Steps: 1. add the tag to `locales.toml` 2. `make texts` 3. look at the longest page on a phone
Verify: no text in English is left on the basket page
Graduate-to: `make language`

@@ desk procedural
Take a host out of the pool
cue: a host must leave the pool

When: before a reboot
Steps: set weight to 0, wait until active connections are under 5, stop the service
Verify: the balancer shows the host as drained
Graduate-to: the drain playbook

@@ desk procedural
Look into a memory leak
cue: memory of a service grows

When: memory grows for more than six hours
Steps: take two heap dumps an hour apart, compare by class, never attach to the primary
Verify: the slope is flat after the fix
Graduate-to: `docs/memory.md`

@@ desk procedural
Answer a deletion request
cue: somebody asks to be deleted

When: legal forwards a request
Steps: run `make forget USER_ID=...` on the reporting host, attach the receipt to the ticket
Verify: the receipt lists nine tables
Graduate-to: the privacy console
"""

BLOCKS = "".join(
    (
        INCIDENT_NOTE,
        ROTATION,
        CHANGELOG,
        CONFIG_FACT,
        CI,
        MANIFEST,
        WEB_CONFIG,
        LOG_EXCERPT,
        DATA_WORK,
        CODE_KNOWLEDGE,
        DESK,
    )
)
