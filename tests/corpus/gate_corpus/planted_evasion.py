"""Entries that try to carry a live credential past a pattern. All are secrets."""

BLOCKS = r"""
@@ evasion semantic
Tag pushes of the second bot
cue: second bot cannot push a tag

The grant is <<!github:p|fullwidth>> (typed on the tablet).

@@ evasion semantic
Mirror reads with a grant
cue: mirror cannot read the group

Use <<!gitlab|zerowidth>> for the mirror.

@@ evasion semantic
Notifier account of the night shift
cue: night shift gets no messages

Take <<!slack_bot|joiner>>, the other one is revoked.

@@ evasion episodic
Mail key was hyphenated by the editor
cue: mail key from the handbook is refused

Context: The key came from a printed page.
Action: Copied <<!sendgrid|soft>> from it.
Result: Works after removing the soft hyphens.
Lesson: Do not print keys.

@@ evasion semantic
Bold key of the weather service
cue: weather service needs a stored key

The key is **<<!gcp_api>>** as of May.

@@ evasion semantic
Quoted key of the model
cue: quoting a model key in a command

Write it in quotes: "'<<!anthropic>>'", the shell eats the dashes otherwise.

@@ evasion semantic
Sample of a droplet call
cue: how a droplet call looks

Example only, do not use: <<!digitalocean>>

@@ evasion semantic
Placeholder in the payment notes
cue: payment notes need a sample key

This is a fake test dummy EXAMPLE placeholder key: <<!stripe>>

@@ evasion semantic
Documentation sample for the cloud pair
cue: sample for the cloud pair

For instance AWS_SECRET_ACCESS_KEY=<<!aws_pair>> with id <<!aws_id>> (not real).

@@ evasion semantic
Grant in another spelling
cue: grant is stored in another spelling

Decode this first: <<!github:p|base64>>

@@ evasion semantic
Settings as one word
cue: settings as one word

<<!assignment|base64>>

@@ evasion semantic
Link to the build page
cue: finding the build page

Open [<<!github_fine>>](https://builds.example.test) and paste the text of the link.

@@ evasion semantic
Link with a query
cue: opening the report without a login

[the report](https://reports.example.test/r?access_token=<<!b64u_43>>)

@@ evasion procedural
Call of the model in a fence
cue: calling the model from the shell

When: the tool is broken
Steps:
```sh
# replace me
curl -H "Authorization: Bearer <<!openai_legacy>>" https://llm.example.test/v1/models
```
Verify: a list of models
Graduate-to: the tool

@@ evasion semantic
Table of grants
cue: which grant belongs to which host

| host | note | grant |
|:-----|------|------:|
| b1 | | `<<!npm>>` |

@@ evasion semantic
Formatter escaped the grant
cue: grant has backslashes in it

Remove the backslashes from <<!github:s|escaped>> before use.

@@ evasion semantic
Grant in fancy letters
cue: grant in fancy letters

𝐆𝐫𝐚𝐧𝐭: <<!huggingface|mathematical>>

@@ evasion semantic
Cloud id with a joiner
cue: cloud id is not found by search

id <<!aws_id|once>>

@@ evasion semantic
Comment that is not shown
cue: where the deploy grant is noted

Ask the platform team for the grant. [//]: # (<<!gitlab_deploy>>)

@@ evasion semantic
Card number in wide digits
cue: card of the second travel account

The card is <<!card:visa|fullwidth>>, valid until 2028.

@@ evasion semantic
Grant in the address of an image
cue: badge of the private build

![badge](https://badges.example.test/<<!gitlab>>/main.svg)

@@ evasion semantic
Secret between non-joiners
cue: terraform grant is refused after pasting

<<!terraform|nonjoiner>>

@@ evasion semantic
The <<!supabase>> grant
cue: grant in the title of an entry

See the title.

@@ evasion semantic
Grant in the cue
cue: when <<!linear>> is refused

Ask for another one.

@@ evasion semantic
Grant as evidence
cue: evidence of the chat grant
source: user-confirmed
evidence: user 2026-09-09: "the hook is <<!slack_hook>>"

Alerts are posted there.

@@ evasion semantic
Grant in the scope
cue: scope of the package grant
scope: <<!pypi>>

It covers one package.

@@ evasion semantic
Grant in an unknown key
cue: entry with a key of its own
x-note: <<!notion_old>>

Nothing else is known.

@@ evasion semantic
Grant behind a footnote
cue: footnote of the router grant

The router needs a grant.[^1]

[^1]: <<!openrouter>>

@@ evasion semantic
Grant as hexadecimal
cue: metrics grant written as bytes

METRICS_TOKEN_HEX=<<!newrelic|hex>>
"""
