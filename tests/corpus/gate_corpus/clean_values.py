"""Entries with long or random looking values that are no secrets. All are clean."""

HASHES = r"""
@@ hashes semantic
Regression came with one commit
cue: upload is slow since March

Bisected to <<hex40>>; before it an upload took 2 s, since then 9 s. Revert is in review.

@@ hashes semantic
Short ids of the two fixes
cue: backporting the parser fixes

Cherry-pick <<hex7>> and <<hex7>>, in this order.

@@ hashes semantic
Digest of the base image
cue: base image was replaced

`debian:12-slim@sha256:<<hex64>>` is the one that passed the scan.

@@ hashes semantic
Integrity of the vendored script
cue: browser blocks the vendored script

`integrity="<<integrity:sha384>>"`; make it again after each update.

@@ hashes semantic
Lock file lines look random
cue: reviewing a lock file

```
"integrity": "<<integrity:sha512>>"
```

Review names and versions, the tool checks the rest.

@@ hashes semantic
Checksums of the release
cue: checking a release download

```
<<hex64>>  app-4.2.0-linux-amd64.tar.gz
<<hex64>>  app-4.2.0-darwin-arm64.tar.gz
```

@@ hashes semantic
MD5 of the legacy file
cue: legacy file seems to have changed

MD5 (`prices.dbf`) = <<hex32>>, as of the last delivery.

@@ hashes semantic
Cache key of the build step
cue: build step is not taken from the cache

The key is the hash of the inputs, last seen `<<hex64>>`.

@@ hashes semantic
Requirements are pinned with hashes
cue: install says hashes do not match

```
requests==2.32.3 \
    --hash=sha256:<<hex64>> \
    --hash=sha256:<<hex64>>
```

@@ hashes semantic
Merge base of the long branch
cue: rebasing the long branch

`git rebase --onto main <<hex40>> feature/ledger`

@@ hashes semantic
Submodule is pinned
cue: submodule points to another commit

`third_party/codec` is at <<hex40>> (v1.8.2 plus one patch).

@@ hashes semantic
Go module sums
cue: go.sum differs after a tidy

github.com/acme/ledger v1.4.0 h1:<<octets:32>>

@@ hashes semantic
Nix hash of the source
cue: nix build says hash mismatch

`hash = "sha256-<<octets:32>>";` after the update to 2.9.

@@ hashes semantic
ETag of the config file
cue: edge serves an old config file

The current one is `"<<hex32>>"`; another value means that the edge is stale.

@@ hashes semantic
Content addressed names of assets
cue: asset names change with each build

`app.<<hex16>>.js` changes when the content does; the page must not be cached.

@@ hashes semantic
Block that the archive lost
cue: archive misses a block

Block <<hex64>> is on the second copy only.

@@ hashes semantic
Actions are pinned by commit
cue: updating a workflow action

`uses: actions/checkout@<<hex40>> # v4.2.2`; the bot updates both.

@@ hashes semantic
SHA-512 of the firmware
cue: firmware check fails

sha512: <<hex128>>

@@ hashes episodic
Two files with one name and two hashes
cue: a build is not reproducible

Context: Two builds of one commit differed.
Action: Compared: <<hex64>> and <<hex64>>; the archive held time stamps.
Result: Equal with SOURCE_DATE_EPOCH set.
Lesson: Set it in every packaging step.

@@ hashes semantic
Tree and blob ids in the bug report
cue: repository object is corrupt

`git fsck` names tree <<hex40>> and blob <<hex40>>; fetch both from the mirror.

@@ hashes semantic
Wheel record uses base64 without padding
cue: wheel record does not match

`app/__init__.py,sha256=<<b64u_43>>,412` in RECORD is the form of the standard.

@@ hashes semantic
Docker layer that holds the fonts
cue: image grew by 200 MB

Layer `sha256:<<hex64>>` holds the fonts; build with `--squash` does not help.

@@ hashes semantic
Gradle wrapper checksum
cue: gradle wrapper check fails

distributionSha256Sum=<<hex64>>
"""

IDENTIFIER = r"""
@@ identifier semantic
Tenant of the demo
cue: demo tenant in the admin console

The demo tenant is <<uuid>>; it is reset at night.

@@ identifier semantic
Subscription and resource group
cue: portal shows the wrong subscription

Subscription <<uuid>>, group `rg-acme-prod`.

@@ identifier semantic
Trace that shows the slow path
cue: example of the slow checkout

Trace <<hex32>>, the third span waits for the address service.

@@ identifier semantic
Dashboard address
cue: finding the checkout dashboard

https://dash.example.test/d/<<alnum12>>/checkout?orgId=1&from=now-6h

@@ identifier semantic
Document with the network plan
cue: finding the network plan

https://docs.example.test/document/d/1<<b64u_43>>/edit

@@ identifier semantic
Account numbers of the two clouds
cue: which cloud account is production

Production 123456789012, staging 210987654321; roles are named `acme-deploy`.

@@ identifier semantic
Queue and topic addresses
cue: topic of the order events

arn:aws:sns:eu-west-1:123456789012:orders-created

@@ identifier semantic
Channel id of the release channel
cue: channel id for the notifier

`C07K2M9QX4T`; the name may change, the id does not.

@@ identifier semantic
Zone id of the domain
cue: zone id for the purge call

Zone <<hex32>> is acme.example, account <<hex32>>.

@@ identifier semantic
Hosted zone and distribution
cue: invalidating the static site

Distribution E2QWRUHAPOMQZL, hosted zone Z0361482ABCDEFGHIJKLM.

@@ identifier semantic
Project number of the mobile push
cue: project number for push messages

Sender id <<digits13>>, app id 1:<<digits13>>:android:<<hex16>>.

@@ identifier semantic
Node ids in the graph interface
cue: node id in the graph interface

`MDEwOlJlcG9zaXRvcnkxMjk2MjY5` is base64 of a type and a number; do not store it.

@@ identifier semantic
Measurement id of the shop
cue: web statistics show no visits

G-4X7K2M9QXT in production, none on staging.

@@ identifier semantic
Publishable key is public
cue: is the publishable key a secret

Keys that start with `pk_` are in the page source; only those with `sk_` or `rk_` are
secret.

@@ identifier semantic
Error tracker address without a secret
cue: errors of the shop are not reported

The address has a public key only and is in the page source: it may be committed.

@@ identifier semantic
Request ids in support tickets
cue: support sends a request id

`req_<<b62_16>>` is ours, `evt_` and `ch_` are of the payment provider.

@@ identifier semantic
Snapshot ids of the restore test
cue: which snapshot was used in the restore test

snap-0<<hex16>> of vol-0<<hex16>>, taken at 03:00.

@@ identifier semantic
Bundle and team id
cue: signing the iOS build

Team 9QXT4K2M7R, bundle `test.example.acme.shop`.

@@ identifier semantic
Object ids of the sample order
cue: sample order in the document store

`ObjectId("<<hex24>>")` has all optional fields set.

@@ identifier semantic
ULIDs sort by time
cue: order ids look random

`01J9ZK8Q6W4T2Y7M3N5P1R0XVB`: the first ten characters are the time, so they sort.

@@ identifier semantic
Device classes by MAC prefix
cue: finding the printers in the lease table

Printers start with 3c:2a:f4, phones with 00:15:65; 02:42 is containers.

@@ identifier semantic
Run id of the broken benchmark
cue: comparing with the broken benchmark

https://ci.example.test/acme/app/actions/runs/<<digits10>>/job/<<digits10>>

@@ identifier semantic
Registered client of the desktop app
cue: registering another desktop client

client_id `<<uuid>>`, no secret, redirect to the loopback address.

@@ identifier semantic
Video of the incident review
cue: recording of the incident review

https://video.example.test/watch?v=dQ4x9KmT2_Z

@@ identifier semantic
Group policy object
cue: which policy sets the proxy

{<<upper_uuid>>} sets the proxy, linked to the office unit.

@@ identifier semantic
Workspace and folder ids of the speech service
cue: speech service folder id

Folder b1g4k2m9qxt7r0aa1bcd, cloud b1gz8y7x6w5v4u3t2s1r.
"""

NUMBERS = r"""
@@ numbers semantic
Build numbers look like phone numbers
cue: build number of the store release

The store release 5.2.0 is build 202-555-0143, written so by the old system.

@@ numbers semantic
Order number with ten digits
cue: support names an order by number

Orders have ten digits, e.g. <<digits10>>; nine digits are quotes.

@@ numbers semantic
Time stamps in microseconds
cue: time stamp with sixteen digits

Events carry microseconds: <<digits16>>. Divide by a million before you compare.

@@ numbers semantic
Nanoseconds in the trace files
cue: time stamp with nineteen digits

`startTimeUnixNano: "<<digits19>>"` is a string on purpose, JSON numbers lose digits.

@@ numbers semantic
Snowflake ids as strings
cue: ids end with zeros in the browser

The id <<digits19>> becomes another number in JavaScript; send strings.

@@ numbers semantic
Limits of the integer columns
cue: integer overflow in the counter

2147483647 was reached in May; the column is bigint now, up to 9223372036854775807.

@@ numbers semantic
Article numbers carry a check digit
cue: scanner refuses an article number

Thirteen digits, the last is the check digit; leading zeros are kept, so use text.

@@ numbers semantic
Ports of the local services
cue: port of a local service

5432 database, 6379 cache, 5672 broker, 15672 broker console, 9200 search.

@@ numbers semantic
Magic numbers of the file format
cue: file format is not recognised

Files start with 0x89504E47 for images and 0x7F454C46 for binaries.

@@ numbers semantic
Dates in the delivery files
cue: delivery file has a wrong date

20260311 in the name is the day of delivery, 2026-03-10 inside is the day of the data.

@@ numbers semantic
Version matrix of the drivers
cue: driver does not fit the server

| server | driver |
|---|---|
| 12.4.1 | 550.54.15 |
| 12.6.3 | 560.35.05 |

@@ numbers semantic
Invoice numbers never have gaps
cue: invoice numbers must have no gaps

RE-2026-0004711 follows RE-2026-0004710; a cancelled one keeps its number.

@@ numbers semantic
Serial number of the label printer
cue: ordering parts for the label printer

Model 2410, serial 0042-1187-3305-9.

@@ numbers semantic
Benchmarks of the parser
cue: parser became slower

Median of 30 runs: 41.2 ms, p95 48.9 ms, 1,204,331 rows, 3.2 GB peak.

@@ numbers semantic
Ticket numbers in commit messages
cue: which ticket system a number belongs to

OPS-20419 is the old one, #20419 the new one; the migration kept numbers.

@@ numbers semantic
Networks of the sites
cue: planning a network

10.4.0.0/16 first site, 10.8.0.0/16 second, 192.0.2.0/24 for documents only.

@@ numbers semantic
IPv6 prefix of the lab
cue: lab hosts have no IPv6

2001:db8:4a1c:9f00::/56, hosts take ::10 and up.

@@ numbers semantic
Version of the mobile app in numbers
cue: version code of the mobile app

versionCode 402010317 is 4.2.1, build 317, architecture 4.

@@ numbers semantic
Coordinates of the test route
cue: test route of the courier app

48.2082,16.3738 to 47.0707,15.4395, 2 h 1 min, 196.4 km.

@@ numbers semantic
Colours of the theme
cue: colours of the theme

#1a2b3c text, #f0e442 warning, #0072b2 link, #d55e00 error.

@@ numbers semantic
Trace ids that are numbers
cue: trace id is a number in the old agent

The old agent writes 64-bit decimal ids such as <<digits19>>; convert to hex to search.

@@ numbers semantic
Reference numbers of the authority
cue: reference number of the authority

References look like 2026/03/118842-7; the last digit is not a check digit.

@@ numbers episodic
Leap second was not the reason
cue: time jumps by one second

Context: A batch failed at 1483228800.
Action: Checked the clock source; a restart had reset it.
Result: Fixed.
Lesson: Look at the clock source before you blame the calendar.

@@ numbers semantic
Support phone number is fictional in tests
cue: phone numbers in tests

Use +1 555 0100 to 0199, they are reserved; +44 7700 900000 to 900999 as well.
"""

NAMES_AND_PATHS = r"""
@@ names_and_paths semantic
Long path of the generated files
cue: generated files are not found

build/generated/source/openapi/src/main/kotlin/test/example/acme/orders/client/infrastructure

@@ names_and_paths semantic
Episode that explains the reclaim rule
cue: a task is taken away while it runs

See [[reclaimed-mid-task-while-still-active]]: the lease is 90 s and must be renewed.

@@ names_and_paths semantic
Branch names of the bot
cue: branch of the update bot

`renovate/major-2026-03-react-router-and-friends-monorepo` and the like; never rename them.

@@ names_and_paths semantic
Minified names in stack traces
cue: stack trace has names of one letter

`t.e.n is not a function at Object.r (app.min.js:1:48213)` means a stale service worker.

@@ names_and_paths semantic
Mangled symbol of the crash
cue: crash names a mangled symbol

`_ZN4core3ptr85drop_in_place$LT$alloc..vec..Vec$LT$u8$GT$$GT$17h0a1b2c3d4e5f6071E` is the
drop of the buffer; look at who frees it twice.

@@ names_and_paths semantic
Class names of the style system
cue: class names in the page look random

`css-1a2b3c4`, `sc-bdVaJa kXyPqR` are made at build time; tests use `data-testid`.

@@ names_and_paths semantic
Package paths of the monorepo
cue: import path in the monorepo

@acme/web-components-internationalisation-helpers is in packages/i18n.

@@ names_and_paths semantic
Long test name that fails alone
cue: a test fails alone and passes in the suite

`test_reconnects_after_the_broker_was_restarted_twice_within_the_same_lease` needs the
broker fixture, which another test starts.

@@ names_and_paths semantic
Bucket names by environment
cue: bucket name of an environment

`acme-orders-attachments-prod-euw1`, `acme-orders-attachments-stage-euw1`.

@@ names_and_paths semantic
Metric names and their units
cue: metric name for the alert

`http_server_request_duration_seconds_bucket{le="0.25",route="/orders/:id"}`

@@ names_and_paths semantic
Resource names in the cluster
cue: pod name of the importer

`importer-7d9f8b6c5d-x2kqz`: the middle is the replica set, the end is the pod.

@@ names_and_paths semantic
Short base64 in a test
cue: test compares a base64 text

`aGVsbG8gd29ybGQ=` is hello world; the test checks the header's encoding.

@@ names_and_paths semantic
Data address of the empty image
cue: empty image in the page

`data:image/gif;base64,R0lGODlhAQABAAAAACw=` stands for a missing thumbnail.

@@ names_and_paths semantic
Windows path that is too long
cue: checkout fails on Windows

Paths over 260 characters fail; `git config core.longpaths true` helps.

@@ names_and_paths semantic
Locale files by tag
cue: adding a language

`zh-Hant-TW.json`, `sr-Latn-RS.json`; the loader falls back by cutting from the right.

@@ names_and_paths semantic
Addresses with tracking parts
cue: link of the campaign

https://shop.example.test/p/blue-mug?utm_source=mail&utm_campaign=2026-05-spring-sale

@@ names_and_paths semantic
Java class that configures security
cue: where security of the old application is configured

`AbstractHttpConfigurerAuthenticationEntryPointHandlerFactoryBean` in package `legacy`.

@@ names_and_paths semantic
Migration names
cue: naming a migration

`20260311142233_add_token_version_to_users.sql`, time first, then what it does.

@@ names_and_paths semantic
Percent-encoded path of the report
cue: report file name with blanks

/reports/Quarter%201%20%28final%29.pdf, the proxy decodes it once.

@@ names_and_paths semantic
Constants of the password module
cue: constants of the password module

MAX_PASSWORD_LENGTH, PASSWORD_RESET_TIMEOUT_SECONDS, TOKEN_REFRESH_LEEWAY, API_KEY_PREFIX.

@@ names_and_paths semantic
Sorted words of the stop list
cue: stop words of the search

about above after again against all am an and any are as at be because been before being

@@ names_and_paths semantic
Regular expression of the router
cue: route is not matched

`^/(?<lang>[a-z]{2})/orders/(?<id>\d{10})(?:/(?<part>items|notes))?$`
"""

BLOCKS = HASHES + IDENTIFIER + NUMBERS + NAMES_AND_PATHS
