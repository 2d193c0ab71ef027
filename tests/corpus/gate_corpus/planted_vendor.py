"""Entries that hold a live vendor token: cloud, forge, chat, payment, ai, registry,
saas. All of them are secrets."""

CLOUD = r"""
@@ cloud semantic
Uploads are signed with the bucket key
cue: signing an upload by hand or debugging a 403 from the bucket

The uploader signs with `<<!aws_id>>` and the secret `<<!aws_pair>>`.
Use both when you reproduce a 403 outside the service.

@@ cloud episodic
Upload to the archive bucket failed twice
cue: archive uploads fail with SignatureDoesNotMatch

Context: The nightly archive job could not write.
Action: Exported AWS_ACCESS_KEY_ID=<<!aws_id>> in the job and ran it again.
Result: The upload went through.
Lesson: The role of the job lacks `s3:PutObject`; the key above has it.

@@ cloud working
Desk for the archive move
goal: copy the old archive to the new bucket
next: run the copy with aws_secret_access_key=<<!aws_pair>> until the role exists

The copy is at part 14 of 60.

@@ cloud episodic
Assumed role expired during the long copy
cue: ExpiredToken in a copy that runs longer than an hour

Context: The copy ran on temporary credentials.
Action: Pasted them into the job: `<<!aws_temporary_id>>` with the session token
<<!aws_session>>
Result: It ran for fifty minutes, then stopped.
Lesson: Use the instance role for anything longer than an hour.

@@ cloud semantic
Summaries use a long-lived model key
cue: calling the hosted models from the summary job

The job reads AWS_BEARER_TOKEN_BEDROCK, at the moment
<<!bedrock>>, and needs no role.

@@ cloud procedural
Ship a marketplace feed
cue: publishing the product feed by hand

When: the feed job is paused
Steps: 1. open the console 2. paste <<!mws>> as auth token 3. upload `feed.xml`
Verify: the console lists the feed as received
Graduate-to: `scripts/feed.sh`

@@ cloud semantic
Map tiles need a browser key
cue: the map on the contact page stays grey

The page loads tiles with key <<!gcp_api>>; a grey map means its referrer list
misses the host.

@@ cloud semantic
Login with the office account in staging
cue: staging login answers invalid_client

| setting | value |
|---|---|
| client id | 318204-staging |
| client secret | <<!gcp_client>> |

Set both in the staging console before you test the login.

@@ cloud working
Desk for the bucket reader
goal: read the exports without the console
open: whether the account may stay

```json
<<!service_account>>
```

@@ cloud episodic
Metadata server handed out a short token
cue: testing storage calls from inside the pod

Context: The pod could not list the bucket.
Action: Called the storage interface with <<!gcp_access>>
Result: 200, so the identity of the pod works.
Lesson: The bucket name in the config was wrong, not the identity.

@@ cloud semantic
Calendar sync keeps its own grant
cue: calendar sync asks for consent again

The grant in use is <<!gcp_refresh>>. Store it in `sync.toml` after a reset,
otherwise the consent page comes back.

@@ cloud semantic
Blob account of the importer
cue: importer cannot reach the blob account

The importer connects with DefaultEndpointsProtocol=https;AccountName=acmeimport;\
AccountKey=<<!octets:64>>;EndpointSuffix=core.windows.net

@@ cloud procedural
Sign in as the directory application
cue: the directory sync must run from a laptop

When: the sync host is down
Steps: run `az login --service-principal -u <<uuid>> -p <<!azure_client>> --tenant <<uuid>>`
Verify: `az account show` names the sync application
Graduate-to: `scripts/directory-sync.sh`

@@ cloud episodic
Partner could not fetch the export
cue: sharing an export file with a partner

Context: The partner has no account with us.
Action: Sent https://acmeimport.blob.core.windows.net/exports/may.csv?sv=2022-11-02\
&ss=b&srt=o&sp=rl&se=2027-01-01T00:00:00Z&sig=<<!sas_signature>>
Result: They have the file.
Lesson: Make the link valid for a day, not for a year.

@@ cloud semantic
Event stream endpoint for the meter service
cue: meter events do not arrive in the stream

Endpoint=sb://acme-meter.servicebus.windows.net/;SharedAccessKeyName=send;\
SharedAccessKey=<<!octets:32>> is what the meter sends with. Check the clock first.

@@ cloud semantic
Timer function can be called by hand
cue: starting the invoice timer outside its schedule

POST to the function address with `?code=<<!azure_function>>` and an empty body.

@@ cloud semantic
Search index of the help centre
cue: help centre search returns nothing

The admin key is <<!azure_search>>; rebuild the index with it when results are empty.

@@ cloud episodic
Pipelines refused the mirror push
cue: mirror push to the old pipelines answers 401

Context: The mirror used a personal grant that had lapsed.
Action: Made a new one, <<!azure_devops>>, and put it in the variable group.
Result: The mirror runs.
Lesson: It lapses again after 90 days; move the mirror to a service connection.

@@ cloud semantic
Droplet snapshots are taken by script
cue: taking a snapshot before an upgrade

`doctl` on the build host uses `<<!digitalocean>>`. Take the snapshot before the
package upgrade, the script does not.

@@ cloud working
Desk for the spaces move
goal: move static files to the object store
progress: endpoint and key pair tested, <<!spaces_id>> / <<!spaces_pair>>

Files under `static/old` are still missing.

@@ cloud semantic
Short messages go out through the Hangzhou account
cue: short messages to mainland numbers fail

accessKeyId: <<!alibaba_id>>
accessKeySecret: <<!alibaba_pair>>
Both belong to the messaging account, not to the main one.

@@ cloud semantic
Object store in Guangzhou
cue: images are missing for visitors from mainland China

- SecretId <<!tencent_id>>
- SecretKey <<!tencent_pair>>

Upload there as well when an image is replaced.

@@ cloud episodic
Secrets store was sealed after the reboot
cue: services start without their settings after a reboot

Context: The store came up sealed and the services had no lease.
Action: Unsealed it, then logged in with <<!vault>> and renewed the leases.
Result: All services started.
Lesson: The unseal job must run before the services.

@@ cloud procedural
Apply the network plan from a laptop
cue: the plan queue is stuck and the network must change

When: remote runs are queued for more than an hour
Steps: put `token = "<<!terraform>>"` in the credentials block, then apply
Verify: the run shows as applied in the workspace
Graduate-to: the plan workflow

@@ cloud semantic
Batch jobs renew through a wrapped lease
cue: batch job says permission denied on its lease

Start the batch with VAULT_TOKEN set to <<!vault_batch>>, it cannot renew itself.

@@ cloud semantic
Speech recognition in the call centre
cue: call transcripts stay empty

Header `Authorization: Api-Key <<!yandex>>`; an empty transcript means the folder id
is missing, not the key.

@@ cloud semantic
Edge certificates are issued by script
cue: renewing the certificate between the edge and the origin

The issuing script passes `X-Auth-User-Service-Key: <<!cloudflare_origin>>`.

@@ cloud working
Desk for the region switch
goal: move the small services to the new region
next: fly deploy with "<<!fly>>" in FLY_API_TOKEN

Two of five services are moved.

@@ cloud semantic
Review apps are destroyed by a robot
cue: review apps pile up after the merge

The robot's grant is `<<!heroku>>`, made by the platform team in May.

@@ cloud semantic
Stacks are kept in the hosted backend
cue: stack state cannot be read in a fresh checkout

Run `PULUMI_ACCESS_TOKEN=<<!pulumi>> make stack` once per checkout.

@@ cloud semantic
Settings come from the sync service
cue: a container starts with yesterday's settings

Locally `<<!doppler>>`, in production `<<!doppler_service>>`. Restart after a change.

@@ cloud episodic
Notebook could not reach the cluster
cue: notebook kernel cannot reach the lake cluster

Context: The notebook asked for a login in an endless loop.
Action: Set host and `token = <<!databricks>>` in the connection file.
Result: The kernel started.
Lesson: The loop is caused by a connection file without a default section.

@@ cloud semantic
Branch databases for previews
cue: preview database is missing for a branch

`pscale branch create` needs service token <<!planetscale>>. Its password for the
branch `main` is <<!planetscale_branch>>.

@@ cloud semantic
Preview pages are published by the docs job
cue: docs preview link is dead

The job exports NETLIFY_AUTH_TOKEN='<<!netlify>>' before the upload.

@@ cloud semantic
Row rules are bypassed in the back office
cue: back office sees no rows although the table has some

The back office client uses <<!supabase_pair>>, the migrations <<!supabase>>.

@@ cloud semantic
Object store in Paris
cue: backup to the Paris store is denied

SCW_ACCESS_KEY=<<!scaleway_id>> and SCW_SECRET_KEY=<<!uuid>>, region `fr-par`.
"""

FORGE = r"""
@@ forge semantic
Release bot pushes tags
cue: release bot cannot push a tag

The bot authenticates with <<!github:p>>. If a tag push fails, its scope lost `repo`.

@@ forge episodic
Checkout of the private submodule failed
cue: submodule checkout answers repository not found

Context: CI could not read the private submodule.
Action: Rewrote the address to use `<<!github_fine>>`.
Result: Checkout works.
Lesson: The default grant of a job covers one repository only.

@@ forge working
Desk for the login plugin
goal: make the login plugin refresh by itself
progress: got `<<!github:o>>` from the device flow, refresh not tried

The device page accepts the code.

@@ forge semantic
App acts for the user in reviews
cue: review comments appear under the wrong name

Comments are posted with the user grant <<!github:u>>; the app grant posts as the bot.

@@ forge episodic
Installation grant was reused too long
cue: 401 in the middle of a long sync

Context: The sync kept `<<!github:s>>` for its whole run.
Action: Asked for a new one every fifty minutes.
Result: No more 401.
Lesson: Installation grants live for one hour.

@@ forge semantic
Refresh grant of the desktop client
cue: desktop client asks for a login every morning

Stored refresh value: <<!github_refresh>>. It works for six months.

@@ forge procedural
Clone the mirror on a new machine
cue: setting up a new build machine

When: a build machine is replaced
Steps: `git clone https://oauth2:<<!gitlab>>@git.example.test/acme/mirror.git`
Verify: `git log -1` shows today's commit
Graduate-to: the machine image

@@ forge semantic
Group export needs a routable grant
cue: exporting the whole group takes a grant

PRIVATE-TOKEN <<!gitlab_routable>> can export; the older ones cannot.

@@ forge semantic
Docs pipeline is started from outside
cue: starting the docs pipeline from the website

curl -X POST -F token=<<!gitlab_trigger>> -F ref=main \
  https://git.example.test/api/v4/projects/41/trigger/pipeline

@@ forge semantic
Images are pulled with a deploy grant
cue: pulling an image on the edge host is denied

User `edge`, secret <<!gitlab_deploy>>. It can read, not write.

@@ forge working
Desk for the new runner
goal: register the arm runner
constraints: use <<!gitlab_runner>>, the old way is gone in the next version

Old registration value, still in the wiki: <<!gitlab_runner_old>>

@@ forge episodic
Job grant leaked into the artifact list
cue: artifact listing contains a job grant

Context: The upload step printed its environment.
Action: Read the log; CI_JOB_TOKEN was <<!gitlab_job>>.
Result: The job was over, the grant with it.
Lesson: Never print the environment in an upload step.

@@ forge semantic
Pull request bot on the old forge
cue: pull requests on the old forge stay without a build state

The bot logs in as `build-state` with <<!bitbucket>>.

@@ forge semantic
Pipelines of the data repository
cue: data repository cannot be cloned in pipelines

Repository access: `<<!bitbucket_repository>>`

Clone with user x-token-auth.

@@ forge semantic
Self-hosted forge, service user
cue: service user cannot read the merge checks

> Authorization: Bearer <<!bitbucket_server>>

was made for the service user and never expires.

@@ forge semantic
Code search reads through a service user
cue: code search shows no private repositories

src login uses SRC_ACCESS_TOKEN=<<!sourcegraph>>.

@@ forge episodic
Runner was registered twice
cue: two runners with the same name appear

Context: The set-up script ran twice.
Action: Removed one, `./config.sh --url https://git.example.test/acme --token <<!runner_registration>>`
Result: One runner is left.
Lesson: The script must test for `.runner` first.

@@ forge semantic
Old style grant of the changelog tool
cue: changelog tool hits the rate limit

export GITHUB_TOKEN=<<!hex40>> lifts the limit to 5000 an hour.

@@ forge semantic
Small forge at the second site
cue: pushing to the forge at the second site

git remote add site2 https://builder:<<!hex40>>@forge.site2.example.test/acme/app.git
"""

CHAT = r"""
@@ chat semantic
Deploy notes go to the release channel
cue: deploy notes do not show up in the channel

The notifier posts with <<!slack_bot>>; invite the bot when the channel is new.

@@ chat episodic
Search over old messages needs a user grant
cue: the bot cannot search old messages

Context: `search.messages` refused the bot.
Action: Used the user grant `<<!slack_user>>` for one afternoon.
Result: Found the thread.
Lesson: Search is for users only, plan for it.

@@ chat semantic
Socket mode of the on-call bot
cue: on-call bot does not answer after a restart

| name | value |
|---|---|
| app level | <<!slack_app>> |
| mode | socket |

@@ chat working
Desk for grant rotation in chat
goal: rotate the chat grants by schedule
progress: first refresh done, next one is <<!slack_refresh>>

The configuration grant was <<!slack_config>>

@@ chat semantic
Alerts are posted by address
cue: alerts are missing in the ops channel

POST the JSON to <<!slack_hook>>, one message per alert.

@@ chat semantic
Intake form starts a flow
cue: intake form does not start the flow

The form calls [this address](<<!slack_flow>>) with the fields as they are.

@@ chat episodic
Community bot went offline
cue: community bot is offline after the library upgrade

Context: The new library wants intents.
Action: Set them and started with `client.run("<<!discord>>")`.
Result: Online again.
Lesson: Intents are set in two places.

@@ chat semantic
Release notes reach the community by hook
cue: community did not get the release note

The hook is <<!discord_hook>>; it takes at most 2000 characters.

@@ chat procedural
Send a test message to the pager bot
cue: pager bot is silent

When: the bot was redeployed
Steps: curl https://api.telegram.org/bot<<!telegram>>/getMe
Verify: the answer has `"ok":true`
Graduate-to: `scripts/pager-check.sh`

@@ chat semantic
Build results in the team space
cue: build results are not in the team space

Card messages go to <<!teams_hook>> and must be under 28 KB.

@@ chat semantic
Backup reports in the operations space
cue: backup report is not posted

Address: <<!google_chat>>

@@ chat episodic
Bridge lost its session
cue: bridge between the two chat systems is mute

Context: The homeserver was rebuilt.
Action: Logged the bridge in again, access `<<!matrix>>`.
Result: Messages flow.
Lesson: A rebuilt homeserver forgets sessions.

@@ chat semantic
Robot in the Hangzhou group
cue: robot in the Hangzhou group refuses to post

Address <<!ding_hook>> with signing secret <<!ding_pair>>. The time stamp must be
within an hour.

@@ chat semantic
Voice reminders are placed by a key pair
cue: voice reminders are not placed

sid: <<twilio_account>>
key: <<!twilio_key>>
secret: <<!b62_32>>
"""

PAYMENT = r"""
@@ payment semantic
Refund script works on the real account
cue: refunding an order outside the console

`STRIPE_SECRET_KEY=<<!stripe>>` in the shell, then `make refund ORDER=...`.

@@ payment episodic
Payout report was empty
cue: payout report has no rows

Context: The report used a restricted key.
Action: Compared it with <<!stripe_short>>, which sees everything.
Result: The restricted key <<!stripe_restricted>> lacks "payouts: read".
Lesson: Add the right to the key, do not switch keys.

@@ payment semantic
Events are checked with the endpoint secret
cue: payment events are rejected as unsigned

The endpoint secret is <<!stripe_hook>>. Compare it first when all events fail.

@@ payment semantic
Card readers in the shop
cue: card reader in the shop shows no orders

access_token: <<!square>>
application_secret: <<!square_pair>>

@@ payment working
Desk for the second payment provider
goal: take payments through the second provider
next: exchange client id and "<<!paypal_pair>>" for a bearer

The sandbox works.

@@ payment semantic
Gift cards are charged through the gateway
cue: gift card charge is declined in production

Gateway login `<<!braintree>>`; the sandbox one starts with the word sandbox.

@@ payment semantic
Checkout in the Nordic countries
cue: Nordic checkout answers 401

x-API-key: <<!adyen>>

@@ payment semantic
Checkout for Indian customers
cue: checkout in rupees fails

key_id=<<!razorpay_id>>
key_secret=<<!razorpay_pair>>

@@ payment episodic
Direct debit ran against the wrong profile
cue: direct debit shows up under the wrong profile

Context: Two profiles exist.
Action: Switched the job to <<!mollie>>.
Result: Debits are booked right.
Lesson: One key per profile; write the profile next to the job.

@@ payment semantic
Transfers in Lagos
cue: transfer to a Lagos bank account fails

The transfer job sends Bearer <<!paystack>>; the fallback is <<!flutterwave>>.

@@ payment semantic
Subscriptions in Latin America
cue: subscription in pesos is not renewed

`MP_ACCESS_TOKEN: "<<!mercadopago>>"` belongs to the Argentine account.

@@ payment procedural
Link a bank account for the finance team
cue: finance asks for a new linked account

When: a new account was opened
Steps: call `/accounts/get` with access_token "<<!plaid>>"
Verify: the account is in the list
Graduate-to: the finance runbook
"""

AI = r"""
@@ ai semantic
Summaries use the old model key
cue: summaries stop with invalid_api_key

OPENAI_API_KEY=<<!openai_legacy>> is the key of the first project.

@@ ai episodic
Evaluation ran out of budget
cue: evaluation stops with a quota error

Context: The evaluation shared a key with production.
Action: Made a project of its own, key <<!openai>>
Result: Both run.
Lesson: One project for each kind of load.

@@ ai semantic
Nightly labels run under a service account
cue: nightly labels are not written

Service account key `<<!openai_service>>`, limit 50 dollars a day.

@@ ai semantic
Usage is read with an admin key
cue: usage report shows one project only

The report needs the admin key <<!openai_admin>>

@@ ai semantic
Review assistant in CI
cue: review assistant does not comment

```yaml
env:
  ANTHROPIC_API_KEY: <<!anthropic>>
```

Set it in the workflow of the docs as well.

@@ ai episodic
Workspace keys were listed by script
cue: listing the keys of a workspace

Context: Nobody knew which keys were in use.
Action: Listed them with x-api-key: <<!anthropic_admin>>
Result: Three keys are unused.
Lesson: Name keys after the job that uses them.

@@ ai working
Desk for the headless agent
goal: run the agent on the build host
open: does CLAUDE_CODE_OAUTH_TOKEN=<<!anthropic_oauth>> survive a password change

It starts, but loses its session at night.

@@ ai semantic
Gated weights are fetched at build time
cue: image build fails while fetching gated weights

`huggingface-cli login --token <<!huggingface>>` runs in the second stage.

@@ ai semantic
Image upscaling is done outside
cue: product images stay small

Calls carry `Token <<!replicate>>` and take about ten seconds.

@@ ai semantic
Fast answers in the help widget
cue: help widget is slow

The widget talks to the fast endpoint, key "<<!groq>>".

@@ ai semantic
Web answers in the research tool
cue: research tool gives no sources

- endpoint: chat/completions
- key: <<!perplexity>>

@@ ai semantic
Fallback model for long documents
cue: long documents are cut off

Set `XAI_API_KEY` to <<!xai>> and raise the limit.

@@ ai semantic
Router key for experiments
cue: trying another model without a contract

Experiments go through the router: <<!openrouter>> (20 dollars left).

@@ ai semantic
Cheap model for log grouping
cue: log grouping costs too much

api_key = "<<!deepseek>>", base_url = "https://llm.example.test/v1"

@@ ai semantic
Traces of the agent runs
cue: agent runs are not traced

LANGCHAIN_API_KEY=<<!langsmith>>
The second tracer uses <<!langfuse>>.

@@ ai episodic
Vector index was dropped by accident
cue: vector index is empty after a deploy

Context: The deploy script pointed at production.
Action: Restored it with Api-Key <<!pinecone>>.
Result: 1.2 million rows are back.
Lesson: Give the script a key for one index only.

@@ ai semantic
Voice prompts are generated in the nightly job
cue: voice prompts are outdated

xi-api-key: <<!elevenlabs>>

@@ ai semantic
Open models are served by two hosts
cue: open model endpoint is overloaded

First <<!together>>, then <<!nvidia>> when the first answers 503.

@@ ai semantic
Search tool of the agent
cue: agent says it cannot search

tavily = TavilyClient("<<!tavily>>") in `tools/search.py`
"""

REGISTRY = r"""
@@ registry semantic
Packages are published from the release job
cue: publishing the package answers 403

The job writes `//packages.example.test/:_authToken=<<!npm>>` to `.npmrc`.

@@ registry episodic
Old style publish credential still works
cue: publish works although the grant was removed

Context: The old credential was never removed.
Action: Found `_authToken=<<!uuid>>` in the runner image.
Result: It can still publish.
Lesson: Look into images as well when you rotate.

@@ registry procedural
Upload a wheel by hand
cue: release job is broken and a wheel must go out

When: the release job is broken
Steps: `twine upload -u __token__ -p <<!pypi>> dist/*`
Verify: the index page lists the new version
Graduate-to: the release workflow

@@ registry working
Desk for the test upload
goal: try the upload on the test index
progress: uploaded once with <<!pypi_test>>

The readme is not rendered.

@@ registry semantic
Gem pushes need a second factor
cue: gem push asks for a code

:rubygems_api_key: <<!rubygems>>

The code comes from the shared device.

@@ registry semantic
Images are pushed under the robot account
cue: image push is denied

`docker login -u acmebot -p <<!docker_pat>>` before the push, once per runner.

@@ registry semantic
Pull limit is lifted by the organisation
cue: toomanyrequests while pulling base images

Pull with the organisation grant <<!docker_org>>.

@@ registry episodic
Config file of the builder was copied
cue: builder can push without a login

Context: The image held a config file with
`{"auths": {"images.example.test": {"auth": "<<!basic:builder>>"}}}`
Action: Built the image again without it.
Result: Login is needed again.
Lesson: Use build secrets, not COPY.

@@ registry semantic
Library feed takes a key for pushes
cue: pushing the library package fails

dotnet nuget push out/*.nupkg --api-key <<!nuget>>

@@ registry semantic
Crates are published from a laptop
cue: crate release is blocked

`cargo publish --token <<!crates>>` from a clean checkout.

@@ registry semantic
Binary store answers to a key header
cue: binary store refuses the upload

curl -H "X-JFrog-Art-Api: <<!artifactory>>" -T app.tar.gz https://bin.example.test/app

@@ registry semantic
Clojure libraries go to the community store
cue: deploy of the Clojure library fails

lein asks for a password: give <<!clojars>>.
"""

SAAS = r"""
@@ saas semantic
Mail goes out through the sending service
cue: order mails are not sent

Key in use: <<!sendgrid>>; a 401 means the address of the runner changed.

@@ saas semantic
Bounce lists are read from the second mailer
cue: bounce list is not updated

`api:<<!mailgun>>` for the old domain, `api:<<!mailgun_new>>` for the new one.

@@ saas episodic
Newsletter list was synced twice
cue: newsletter members appear twice

Context: The sync ran on two hosts with the same key.
Action: Removed <<!mailchimp>> from the second host.
Result: One sync a night.
Lesson: Take a lock before the sync.

@@ saas semantic
Metrics need two keys
cue: metrics are missing on a new host

DD_API_KEY=<<!datadog_api>>
DD_APP_KEY=<<!datadog_app>>

@@ saas semantic
Deploy marks in the monitoring
cue: deploy marks are missing from the charts

The mark is set with Api-Key: <<!newrelic>>.

@@ saas episodic
Source maps were not uploaded
cue: stack traces are minified

Context: The upload step failed without a word.
Action: Set SENTRY_AUTH_TOKEN to <<!sentry>>
Result: Traces are readable.
Lesson: Make the step fail on a 401. (The personal one was <<!sentry_user>>.)

@@ saas semantic
Tickets are made by the triage script
cue: triage script makes no tickets

It sends `Authorization: <<!linear>>` without a scheme word.

@@ saas semantic
Release notes are copied to the wiki
cue: wiki page of the release is empty

Integration secret <<!notion>>, the page must be shared with it.
Before May it was <<!notion_old>>.

@@ saas working
Desk for the inventory table
goal: read the inventory table every hour
next: read base app4 with <<!airtable>>

Paging is done.

@@ saas semantic
Project board of the design team
cue: board of the design team is not mirrored

personal access: <<!asana>>

@@ saas semantic
Icons are exported from the design file
cue: icons are outdated in the app

FIGMA_TOKEN=<<!figma>> yarn icons

@@ saas procedural
Run the contract collection
cue: contract tests must run outside CI

When: CI is down
Steps: `newman run "https://api.example.test/c/41?apikey=<<!postman>>"`
Verify: no failed assertion
Graduate-to: `make contract`

@@ saas semantic
Dashboards are pushed by the sync job
cue: dashboards lag behind the repository

The sync job uses service account token `<<!grafana>>`.

@@ saas semantic
Shop orders are read by the private app
cue: shop orders are not imported

X-Shopify-Access-Token: <<!shopify>>

@@ saas semantic
Leads are copied from the web form
cue: leads are missing in the sales tool

Private app <<!hubspot>> has contacts only.

@@ saas semantic
Quality gate is queried after the scan
cue: quality gate is never evaluated

sonar-scanner -Dsonar.token=<<!sonar>> -Dsonar.qualitygate.wait=true

@@ saas episodic
Problem feed was cut off
cue: problem feed stops after a day

Context: The feed used a grant that lapses.
Action: Made `<<!dynatrace>>` with scope problems.read.
Result: Runs since Monday.
Lesson: Set no end date for machine users, rotate instead.

@@ saas semantic
Content types are migrated by script
cue: content migration says access denied

contentful login --management-token <<!contentful>>

@@ saas semantic
Feature use is exported weekly
cue: feature use export is missing

The export reads events with personal key <<!posthog>>

@@ saas semantic
Flags are flipped by the release script
cue: flag is not flipped after the release

curl -H "Authorization: <<!launchdarkly>>" -X PATCH https://flags.example.test/api/v2

@@ saas semantic
Builds are started by the bot
cue: bot cannot start a build

Two grants: <<!buildkite>> for the app, <<!circleci>> for the docs.

@@ saas semantic
Transactional mail in France
cue: French order mails are late

`api-key: <<!brevo>>` in the mailer settings.

@@ saas semantic
Magic links are mailed by the small mailer
cue: magic link mails do not arrive

const mailer = new Resend("<<!resend>>");

@@ saas episodic
Build host joined the private network
cue: build host cannot reach internal services

Context: The host was new.
Action: `tailscale up --auth-key=<<!tailscale>>`
Result: It is on the network.
Lesson: Keys for hosts should be single use.

@@ saas semantic
Survey answers are fetched at night
cue: survey answers are not in the warehouse

bearer <<!typeform>>

@@ saas semantic
Page posts are scheduled by the marketing job
cue: scheduled page posts do not go out

page_token = <<!facebook>>

@@ saas semantic
User directory is read by SCIM
cue: new colleagues are missing in the user list

Authorization: SSWS <<!okta>>

@@ saas semantic
Tickets in the service desk are closed by script
cue: service desk tickets are not closed

curl -u robot@example.test:<<!atlassian>> https://acme.example.test/rest/api/3/issue

@@ saas semantic
Street maps are rendered on the server
cue: static map images are blank

The renderer calls the styles endpoint with access_token=<<!mapbox>>
"""

BLOCKS = CLOUD + FORGE + CHAT + PAYMENT + AI + REGISTRY + SAAS
