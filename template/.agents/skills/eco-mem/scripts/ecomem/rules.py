"""One row for each rule: its level, its meaning, the next step, how it is treated.

`references/rules.md` explains the same rules to people; a test holds the two together.
"""

from __future__ import annotations

from typing import NamedTuple

ERROR, WARNING, INFO = "error", "warning", "info"


class Rule(NamedTuple):
    """What the tools need to know about one rule."""

    level: str
    problem: str  # one sentence, used where a finding brings no sentence of its own
    advice: str  # the next step, used where a finding brings none of its own
    fails: bool = True  # an error, or a warning under --strict, makes verify exit 1
    allowable: bool = False  # a person may let a line pass in the allow file
    needs_git: bool = False  # not judged where git does not answer
    on_request: bool = False  # reported only for entries named on the command line


RULES = {
    # Layout
    "L01": Rule(
        ERROR,
        "A drawer is missing, or something else has its name.",
        "Restore it from git, or run `copier recopy`.",
    ),
    "L02": Rule(
        ERROR,
        "The drawer has no INDEX.md.",
        "Restore it from git, or run `copier recopy`.",
    ),
    "L03": Rule(
        ERROR,
        "This folder is not one of the four drawers.",
        "Move what it holds into them, by duty.",
    ),
    "L04": Rule(
        ERROR,
        "A drawer holds a folder.",
        "Move its entries up; there is one level.",
    ),
    "L05": Rule(
        ERROR,
        "This is no Markdown entry.",
        "Move it out of the store.",
    ),
    "L06": Rule(
        ERROR,
        "The file is empty.",
        "Write it, or remove it and run `verify.py --fix`.",
    ),
    "L07": Rule(
        ERROR,
        "Larger than 8 KiB (a catalog: 8 MiB), or a line over 4,000 characters.",
        "Keep the one thing worth knowing; split the rest.",
    ),
    "L08": Rule(
        ERROR,
        "This cannot be read.",
        "Make it a regular file, or a folder, with a mode that lets you.",
    ),
    "L09": Rule(
        ERROR,
        "This is not UTF-8 text, or has a NUL byte.",
        "Save it as UTF-8.",
    ),
    "L10": Rule(
        ERROR,
        "This is a symbolic link, and links are never followed.",
        "Put the real file or folder here.",
    ),
    "L11": Rule(
        ERROR,
        "The file name is no slug.",
        "Rename it: lower-case ASCII words joined by `-`, at most 48 characters.",
    ),
    "L12": Rule(
        ERROR,
        "Another file of the store has this name, case and Unicode form aside.",
        "Rename one of them.",
    ),
    "L13": Rule(
        ERROR,
        "There are merge conflict markers.",
        "Among rows, run `verify.py --fix`; elsewhere decide by hand.",
    ),
    "L14": Rule(
        ERROR,
        "This looks like a copy left by a file synchroniser.",
        "Merge what is new into the entry, and remove the copy.",
    ),
    # Catalogs
    "C01": Rule(
        ERROR,
        "The row names an entry that is not there.",
        "Run `verify.py --fix`, or restore the entry.",
    ),
    "C02": Rule(
        ERROR,
        "An entry has no row, so no reader finds it.",
        "Run `verify.py --fix`.",
    ),
    "C03": Rule(
        ERROR,
        "The row repeats another.",
        "Run `verify.py --fix`.",
    ),
    "C04": Rule(
        ERROR,
        "The entry stands in INDEX.md and in ARCHIVE.md.",
        "Run `verify.py --fix`, which keeps it in ARCHIVE.md.",
    ),
    "C05": Rule(
        ERROR,
        "The row is not made from its entry's cue.",
        "Correct the cue if it is wrong, then run `verify.py --fix`.",
    ),
    "C06": Rule(
        ERROR,
        "A catalog heading is missing, or stands twice.",
        "Run `verify.py --fix`.",
    ),
    "C07": Rule(
        ERROR,
        "The INDEX has more than 40 rows.",
        "Retire entries with `forget.py`, or archive them with `forget.py --archive`.",
    ),
    "C08": Rule(
        WARNING,
        "The INDEX has 36 rows or more, of 40.",
        "Retire or archive some before it is full.",
    ),
    "C09": Rule(
        WARNING,
        "The cue repeats the slug or the title.",
        "Say when the entry matters.",
    ),
    "C10": Rule(
        ERROR,
        "The cue is shorter than 8 or longer than 120 characters.",
        "Say in one line when the entry matters.",
    ),
    "C11": Rule(
        ERROR,
        "Two entries have the same cue.",
        "Merge them, or tell them apart.",
    ),
    "C12": Rule(
        ERROR,
        "The INDEX has no contract between its markers.",
        "Run `copier update`, which writes it under the title.",
    ),
    "C13": Rule(
        WARNING,
        "The contract was edited.",
        "Move your text out of the markers; the next update replaces what is between.",
    ),
    "C14": Rule(
        ERROR,
        "The row points at nothing in this project.",
        "Correct the link, or remove the row.",
    ),
    "C15": Rule(
        ERROR,
        "The catalog is a table, as in older stores.",
        "Run `verify.py --fix`, which writes rows; then remove the table.",
    ),
    "C16": Rule(
        WARNING,
        "The rows are not in slug order, so branches collide.",
        "Run `verify.py --fix`.",
    ),
    "C17": Rule(
        ERROR,
        "Rows name desks, which are not in git, so no other clone has them.",
        "Remove the rows; the folder is the list.",
    ),
    "C18": Rule(
        ERROR,
        "The row stands under the wrong heading.",
        "Entries go under the last one, pointers out of the drawer under In force.",
    ),
    "C19": Rule(
        ERROR,
        "The row repeats a name that is in force already.",
        "Remove one of the two.",
    ),
    # Entries
    "E01": Rule(
        ERROR,
        "The first line is not `# Title`.",
        "Add it.",
    ),
    "E02": Rule(
        ERROR,
        "A header field of this drawer is missing or empty.",
        "Add it; for a date, run `date`.",
    ),
    "E03": Rule(
        ERROR,
        "The source is none of `user-confirmed`, `verified`, `derived`.",
        "Choose the one that is true.",
    ),
    "E04": Rule(
        ERROR,
        "The date is not real, or lies in the future.",
        "Run `date`, and write YYYY-MM-DD.",
    ),
    "E05": Rule(
        ERROR,
        "A header field other than `evidence` stands twice.",
        "Keep one.",
    ),
    "E06": Rule(
        ERROR,
        "The source claims more than the evidence shows.",
        "Add evidence (for user-confirmed, the user's dated words or a review), or write `derived`.",
    ),
    "E07": Rule(
        ERROR,
        "The evidence has no known form.",
        'Cite a path in a code span, a commit, a URL, `user DATE: "words"`, or `review URL author`.',
    ),
    "E08": Rule(
        ERROR,
        "A part of the body is missing or empty.",
        "Write it; an episode without a lesson is no episode.",
    ),
    "E09": Rule(
        ERROR,
        "The entry has more lines than its drawer allows.",
        "Keep the one thing worth knowing.",
    ),
    "E10": Rule(
        ERROR,
        "There are more than three desks.",
        "Finish one, or hand it over.",
    ),
    "E11": Rule(
        WARNING,
        "A day is told by a word that moves.",
        "Write the date.",
    ),
    "E12": Rule(
        INFO,
        "A link names an entry that nobody wrote yet.",
        "Nothing; or write it.",
    ),
    "E13": Rule(
        ERROR,
        "A line in the header is not `- key: value`.",
        "One line a field; a blank line ends the header.",
    ),
    # Gate
    "G01": Rule(
        ERROR,
        "This looks like the token or key of a service.",
        "Name where it is kept, not its value. If it was real, rotate it.",
        allowable=True,
    ),
    "G02": Rule(
        ERROR,
        "This looks like private key material.",
        "Name where it is kept. If it was real, replace the key.",
    ),
    "G03": Rule(
        ERROR,
        "An address holds a password.",
        "Leave the password out. If it was real, rotate it.",
        allowable=True,
    ),
    "G04": Rule(
        ERROR,
        "A header or cookie holds a credential.",
        "Name the header only. If it was real, revoke it.",
        allowable=True,
    ),
    "G05": Rule(
        ERROR,
        "A password or credential is written out.",
        "Name where it is kept, not its value. If it was real, rotate it.",
        allowable=True,
    ),
    "G06": Rule(
        ERROR,
        "This looks like a card or identity number.",
        "Leave it out; refer to the record by a system of your own.",
        allowable=True,
    ),
    "G07": Rule(
        ERROR,
        "This reads like the record of a patient.",
        "Leave the person out; keep the lesson.",
        allowable=True,
    ),
    "G08": Rule(
        ERROR,
        "This reads like a transcript.",
        "Write what was learnt; quote one sentence at most.",
        allowable=True,
    ),
    "G09": Rule(
        WARNING,
        "A long random string stands here without a reason.",
        "Say what it is, or leave it out.",
        allowable=True,
    ),
    # Injection
    "J01": Rule(
        ERROR,
        "Hidden or direction-changing characters.",
        "Write the text anew; name such a character by its code point.",
    ),
    "J02": Rule(
        ERROR,
        "A mark that pretends to be another speaker or system.",
        "Describe it; or quote it in a code span, as an incident.",
        allowable=True,
    ),
    "J03": Rule(
        ERROR,
        "Hidden markup that addresses a reader.",
        "Remove it.",
        allowable=True,
    ),
    "J04": Rule(
        ERROR,
        "A phrase that tells the reader to drop its instructions.",
        "Describe it; or quote it in a code span, as an incident.",
        allowable=True,
    ),
    "J05": Rule(
        ERROR,
        "Text that claims authority, secrecy or permission over the reader.",
        "State the fact about the repository, or leave it out.",
        allowable=True,
    ),
    "J06": Rule(
        WARNING,
        "A word mixes look-alike letters of two scripts.",
        "Write it in one script.",
        allowable=True,
    ),
    "J07": Rule(
        ERROR,
        "A command that fetches and runs what it finds.",
        "Point at a script in the repository instead.",
        allowable=True,
    ),
    # History
    "H01": Rule(
        ERROR,
        "A published episode was rewritten.",
        "Restore it, and write what you learnt since as a new episode.",
        needs_git=True,
    ),
    "H02": Rule(
        ERROR,
        "A published episode was deleted.",
        "Restore it; or retire it with `forget.py --reason`, and say why in the commit.",
        needs_git=True,
    ),
    "H03": Rule(
        ERROR,
        "The source is higher than before, without new evidence for it.",
        "Add the evidence, or lower the source.",
        needs_git=True,
    ),
    "H04": Rule(
        WARNING,
        "The date moved, but no evidence changed or was found fresh.",
        "Look again, and run `remember.py --confirm`.",
        needs_git=True,
    ),
    "H05": Rule(
        ERROR,
        "Git tracks a desk.",
        "Take it out of the index; the file itself may stay.",
        needs_git=True,
    ),
    "H06": Rule(
        ERROR,
        "Git tracks a symbolic link in the store.",
        "Commit the real file instead.",
        needs_git=True,
    ),
    "H07": Rule(
        WARNING,
        "The allow file of the gate changed.",
        "A person reviews each line of it.",
        needs_git=True,
    ),
    "H08": Rule(
        INFO,
        "The history is shallow, so what is published cannot be seen.",
        "Fetch more of it, or name a commit with `--base`.",
        needs_git=True,
    ),
    # Staleness
    "R01": Rule(
        WARNING,
        "The fact has expired.",
        "Check it; then revise it, or retire it with `forget.py`.",
        fails=False,
    ),
    "R02": Rule(
        WARNING,
        "The fact expires within two weeks.",
        "Check it; then move `expires`, or let it go.",
        fails=False,
    ),
    "R03": Rule(
        WARNING,
        "The cited file or lines are gone.",
        "Check the fact; then revise it, or retire it with `forget.py`.",
        fails=False,
    ),
    "R04": Rule(
        WARNING,
        "The cited lines moved.",
        "Look, then run `remember.py semantic SLUG --confirm`.",
        fails=False,
    ),
    "R05": Rule(
        WARNING,
        "The cited lines changed.",
        "Check the fact; then revise or confirm it, or retire it.",
        fails=False,
    ),
    "R06": Rule(
        WARNING,
        "A path in a code span is not in this project.",
        "Check what it says; then correct or retire it.",
        fails=False,
    ),
    "R07": Rule(
        WARNING,
        "Two entries say nearly the same.",
        "Merge them into one.",
        fails=False,
    ),
    "R08": Rule(
        WARNING,
        "The desk was not touched for a week.",
        "Finish, hand over or remove it.",
        fails=False,
    ),
    "R09": Rule(
        WARNING,
        "Nobody confirmed the fact for 180 days.",
        "Check it; then run `remember.py semantic SLUG --confirm`.",
        fails=False,
    ),
    "R10": Rule(
        WARNING,
        "The cited commit is not in the history of this branch.",
        "Check the fact; then cite what is.",
        fails=False,
        needs_git=True,
    ),
    "R11": Rule(
        WARNING,
        "Another entry supersedes this one.",
        "Retire it with `forget.py`.",
        fails=False,
    ),
    "R12": Rule(
        INFO,
        "The evidence is fresh.",
        "Use the fact.",
        fails=False,
        on_request=True,
    ),
    # Installation
    "I01": Rule(
        ERROR,
        "The protocol is missing.",
        "Run `copier recopy`.",
    ),
    "I02": Rule(
        ERROR,
        "A host's copy of SKILL.md differs from the protocol.",
        "Copy `.agents/skills/eco-mem/SKILL.md` over it.",
    ),
    "I03": Rule(
        ERROR,
        "AGENTS.md does not name `.agents/skills/eco-mem/SKILL.md`, so agents will not find it.",
        "Add a line that does; an update will not.",
    ),
    "I04": Rule(
        ERROR,
        "A gitignore rule hides this, so no clone would have it.",
        "Correct the rule.",
    ),
    "I05": Rule(
        ERROR,
        "Nothing keeps the desks out of git.",
        "Put the lines `*`, `!.gitignore` and `!INDEX.md` into it.",
    ),
    "I06": Rule(
        ERROR,
        "The record of what was chosen is missing or broken.",
        "Run `copier recopy`.",
    ),
    "I07": Rule(
        WARNING,
        "A file that a chosen host reads lacks what the host needs.",
        "Run `copier recopy`; or leave it, if that is what you want.",
    ),
    "I08": Rule(
        WARNING,
        "There is a second store.",
        "Keep the one at the root, and use `scope` for packages.",
    ),
    "I09": Rule(
        INFO,
        "A host's copy of SKILL.md is ignored by git.",
        "Nothing, if each checkout makes its own.",
    ),
}
