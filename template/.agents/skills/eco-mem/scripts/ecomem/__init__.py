"""The library behind the commands. The map is in the comments of this file."""

# A module imports only modules above it in this list, and those of its own group.
# A letter is a family of rules; rules.py has one row for each rule.
#
# Foundations
#   cheap_imports.py  stand-ins for slow parts of the standard library
#   files.py          reading one file
#   cache.py          results in __pycache__, valid while no script changes
#   cheap_re.py       a stand-in for `re`, with cached patterns
#   rules.py          one row a rule: level, problem, next step, treatment
#   findings.py       Finding, its sentence, printers for text, JSON and GitHub
#   git.py            asking git: an answer, or why there is none
#   markdown.py       lists, wrapping, fences and marks
#   conflicts.py      conflict markers, and taking both sides of one
#   store.py          files of the store: reading, writing, layout       L, E10
#   cli.py            options, the project root, one writer at a time
#
# Entries and rows
#   entry.py          parsing an entry; its format                       E
#   catalog.py        parsing rows and contracts; rows and entries agree C
#   reindex.py        writing catalogs: verify --fix, a new row, ARCHIVE
#   evidence.py       cited files, commits: fresh, moved, changed, gone  E14, E15
#   staleness.py      what may no longer be true                         R
#   capacity.py       full maps, and what to archive first               C07, C08
#   retired.py        the record of retired episodes
#   rewording.py      comparing two texts, formatting and typos aside
#   words.py          words as recall compares them
#   telling_words.py  words that the cue lacks                           C20
#
# The write gate, gate/
#   gate/scanner.py      the whole gate over one text                    G, J
#   gate/text.py         folding a text; hidden characters; tables       J01
#   gate/tokens.py       vendors' token formats and key material         G01, G02
#   gate/credentials.py  credentials by shape                            G03-G05, G09
#   gate/people.py       identity numbers, patients, transcripts         G06-G08
#   gate/injection.py    orders to the reader                            J02-J05, J07
#   gate/phrases.py      sentences, and orders in known phrases          J04, J05
#   gate/weights.py      learned weights, for orders without a phrase    J05
#   gate/allow_file.py   lines that a person let pass
#   gate/pages.py        the gate over the store
#
# Over the store
#   recall.py         rows that match words
#   baseline.py       the commit that counts as published
#   install.py        pointer, copies and settings of this project       I
#   history.py        a change against what is published                 H
#   new_entry.py      all that one new or changed entry must pass
#   changes.py        what became of each entry since the published commit
#   verify.py         the command: each family over the store            R14
#   remember.py       the command: judge one entry, then write it
#   report.py         changes, due entries and cost, as text and Markdown
# The guard, only where it was asked for: its map is in guard/__init__.py
# Who calls whom
#   verify.py    ecomem/verify.py: each family; reindex for --fix
#   remember.py  ecomem/remember.py: new_entry, then store and reindex
#   recall.py    ecomem/recall.py, which judges the rows that match
#   forget.py    staleness and capacity for the list; retired and reindex to remove
#   report.py    ecomem/report.py over changes, staleness and verify's findings
#   hook.py      guard/session.py, which uses new_entry and the gate
