"""One row for each rule: its level, its meaning, the next step, how it is treated.

`references/rules.md` explains the same rules to people; a test keeps the two equal.
"""

from __future__ import annotations

from ecomem.cheap_imports import NamedTuple

ERROR, WARNING, INFO = "error", "warning", "info"

# What a change must leave untouched for an error of a rule to become a warning.
ENTRY = "entry"  # the entry or row that the finding is about
POINTER = "pointer"  # the row, and the file that it points at
CATALOG = "catalog"  # the rows and headings of the catalog
NOTHING = "nothing"  # the error stays an error

VERIFY = "python3 .agents/skills/eco-mem/scripts/verify.py"
REMEMBER = "python3 .agents/skills/eco-mem/scripts/remember.py"
FORGET = "python3 .agents/skills/eco-mem/scripts/forget.py"
RESTORE = (
    "Restore it with `git checkout HEAD -- PATH`; if that fails, run "
    "`copier recopy --trust --defaults --vcs-ref=:current:`."
)


class Rule(NamedTuple):
    """The facts about one rule that the tools need."""

    level: str
    problem: str  # one sentence, used where a finding brings no sentence of its own
    advice: str  # the next step, where a finding has none; PATH and SLUG are filled in
    mild: str = ""  # the level of its milder case, which rules.md explains
    due: int = 0  # makes an entry due: 1 for the most broken, more for milder
    fails: bool = True  # an error, or a warning under --strict, makes verify exit 1
    allowable: bool = False  # a person may let a line pass in the allow file
    needs_git: bool = False  # not judged where git does not answer
    unsure_without_git: bool = False  # judged even so, and may then be wrong
    needs_base: bool = False  # not judged without the commit that counts as published
    hides: bool = False  # the file, drawer or catalog could not be read
    on_request: bool = False  # reported only for entries named on the command line
    steps_down: str = ENTRY  # what the change must not touch, to make it a warning


RULES = {
    # Layout
    "L01": Rule(
        ERROR,
        "A drawer is missing, or there is a file with its name instead.",
        RESTORE,
        hides=True,
    ),
    "L02": Rule(
        ERROR,
        "The drawer has no INDEX.md.",
        RESTORE,
        hides=True,
    ),
    "L03": Rule(
        ERROR,
        "This folder is not one of the four drawers.",
        "Move its entries into the drawers that fit them, and remove the folder.",
    ),
    "L04": Rule(
        ERROR,
        "A drawer contains a folder.",
        "Move its entries up into the drawer, and remove the folder.",
    ),
    "L05": Rule(
        ERROR,
        "This file is not a Markdown entry.",
        "Move it out of the store.",
        unsure_without_git=True,
    ),
    "L06": Rule(
        ERROR,
        "The file is empty.",
        f"Write the entry, or remove the file and run `{VERIFY} --fix`.",
    ),
    "L07": Rule(
        ERROR,
        "The file is larger than 8 KiB (a catalog: 8 MiB), or a line is longer than 4,000 characters.",
        "Keep the one thing that is worth knowing; split the rest into other entries.",
        hides=True,
    ),
    "L08": Rule(
        ERROR,
        "The file or folder cannot be read.",
        "Give yourself permission to read it, or replace it with a regular file or folder.",
        hides=True,
    ),
    "L09": Rule(
        ERROR,
        "The file is not UTF-8 text, or contains a NUL byte.",
        "Save it as UTF-8, without NUL bytes.",
        hides=True,
    ),
    "L10": Rule(
        ERROR,
        "This is a symbolic link. Links in the store are never followed.",
        "Replace it with the real file or folder.",
        hides=True,
    ),
    "L11": Rule(
        ERROR,
        "The file name is not a slug.",
        "Rename it: lower-case ASCII words joined by `-`, at most 48 characters.",
    ),
    "L12": Rule(
        ERROR,
        "Another file of the store has the same name (case and Unicode form do not count).",
        "Rename one of them.",
    ),
    "L13": Rule(
        ERROR,
        "The file contains merge conflict markers.",
        f"In the rows of a catalog, run `{VERIFY} --fix`; elsewhere, resolve the conflict by hand.",
    ),
    "L14": Rule(
        ERROR,
        "This looks like a copy made by a file synchroniser.",
        "Move what is new into the entry, and remove the copy.",
    ),
    # Catalogs
    "C01": Rule(
        ERROR,
        "The row names an entry that does not exist.",
        f"Restore the entry, or remove the row with `{VERIFY} --fix`.",
    ),
    "C02": Rule(
        ERROR,
        "An entry has no row, so nobody will find it.",
        f"Run `{VERIFY} --fix`.",
    ),
    "C03": Rule(
        ERROR,
        "The entry has two rows in this catalog.",
        f"Run `{VERIFY} --fix`.",
    ),
    "C04": Rule(
        ERROR,
        "The entry has a row in INDEX.md and in ARCHIVE.md.",
        f"Run `{VERIFY} --fix`, which leaves the row in ARCHIVE.md.",
    ),
    "C05": Rule(
        ERROR,
        "The row differs from the cue of its entry.",
        f"Correct the cue if it is wrong, then run `{VERIFY} --fix`.",
    ),
    "C06": Rule(
        ERROR,
        "A catalog heading is missing, or occurs twice.",
        f"Run `{VERIFY} --fix`.",
        steps_down=CATALOG,
    ),
    "C07": Rule(
        ERROR,
        "The INDEX has more than 40 rows.",
        f"Remove entries with `{FORGET} SLUG`, or archive them with `{FORGET} SLUG --archive`.",
        steps_down=CATALOG,
    ),
    "C08": Rule(
        WARNING,
        "The INDEX has 36 rows or more; the limit is 40.",
        f"Remove or archive some with `{FORGET}` before it is full.",
    ),
    "C09": Rule(
        WARNING,
        "The cue only repeats the slug or the title.",
        "Write in the cue when the entry matters.",
    ),
    "C10": Rule(
        ERROR,
        "The cue is shorter than 8 or longer than 120 characters.",
        "Write in one line when the entry matters.",
    ),
    "C11": Rule(
        WARNING,
        "Two entries have the same cue, so a reader must open both.",
        "Make the cues different, or remove the entry that is replaced.",
    ),
    "C12": Rule(
        ERROR,
        "The INDEX has no contract between its markers.",
        "Restore the lines from `<!-- eco-mem:contract:begin` to `<!-- eco-mem:contract:end -->` from git, or run `copier update --trust`.",
        steps_down=CATALOG,
    ),
    "C13": Rule(
        WARNING,
        "The contract between the markers was edited.",
        "Move your own text out of the markers, below the contract.",
    ),
    "C14": Rule(
        ERROR,
        "The row points to nothing in this project.",
        f"Correct the link, or remove the row with `{FORGET} SLUG`.",
        steps_down=POINTER,
    ),
    "C15": Rule(
        ERROR,
        "The catalog is a table, as in older stores.",
        "In a checkout of the eco-mem repository, run `uvx nox -s migrate -- PROJECT`"
        " with the path of this project; it prints what to do next.",
        steps_down=CATALOG,
    ),
    "C16": Rule(
        WARNING,
        "The rows are not in the order of their slugs, so merges conflict more often.",
        f"Run `{VERIFY} --fix`.",
    ),
    "C17": Rule(
        ERROR,
        "There are rows for desks. Desks are not in git, so no other clone has them.",
        "Remove the rows: the files in the folder are the list.",
    ),
    "C18": Rule(
        ERROR,
        "The row is under the wrong heading.",
        "Put rows of entries under the last heading, and rows that point to files outside the drawer under In force.",
    ),
    "C19": Rule(
        ERROR,
        "Two rows under In force have the same name.",
        "Remove one of them.",
    ),
    "C20": Rule(
        WARNING,
        "The title and the cue lack words that tell this entry from the others.",
        "Add to the cue the word that people will search for.",
    ),
    # Entries
    "E01": Rule(
        ERROR,
        "The first line is not `# Title`.",
        "Write a title into the first line.",
    ),
    "E02": Rule(
        ERROR,
        "A header field is missing or empty.",
        "Add it; take a date from running `date`.",
    ),
    "E03": Rule(
        ERROR,
        "The source is not `user-confirmed`, `verified` or `derived`.",
        "Write the one that is true.",
    ),
    "E04": Rule(
        ERROR,
        "The date does not exist, or is in the future.",
        "Run `date`, and write YYYY-MM-DD.",
    ),
    "E05": Rule(
        ERROR,
        "A header field other than `evidence` occurs twice.",
        "Remove one.",
    ),
    "E06": Rule(
        ERROR,
        "The source claims more than the evidence shows.",
        "Add evidence (for user-confirmed, the dated words of the user or a review), or write `derived`.",
    ),
    "E07": Rule(
        ERROR,
        "The evidence has no known form.",
        'Cite a path in a code span, a commit, a URL, `user DATE: "words"`, or `review URL author`.',
    ),
    "E08": Rule(
        ERROR,
        "A part of the body is missing or empty.",
        "Write it.",
    ),
    "E09": Rule(
        ERROR,
        "The entry has more lines than its drawer allows.",
        "Keep the one thing that is worth knowing.",
    ),
    "E10": Rule(
        ERROR,
        "There are more than three desks.",
        "Finish or hand over one of them, then remove it.",
    ),
    "E11": Rule(
        WARNING,
        "The text names a day by a word such as `yesterday`, which means another day for each reader.",
        "Write the date.",
    ),
    "E12": Rule(
        INFO,
        "A link names an entry that does not exist yet.",
        "Write that entry if it is worth it; otherwise do nothing.",
    ),
    "E13": Rule(
        ERROR,
        "A line in the header is not `- key: value`.",
        "Begin each field with `- key: ` on a line of its own, and end the header with a blank line.",
    ),
    "E14": Rule(
        ERROR,
        "The evidence is not there, or is not what the entry says it is.",
        "Look at it again; then cite what is there, or write `derived` and leave it out.",
    ),
    "E15": Rule(
        ERROR,
        "The evidence is a file of a memory. A note is no evidence for a note.",
        "Cite what the note was made from, or write `derived` and leave it out.",
    ),
    # Gate
    "G01": Rule(
        ERROR,
        "This looks like the token or key of a service.",
        "Write where it is kept, not its value. If it was real, rotate it.",
        allowable=True,
    ),
    "G02": Rule(
        ERROR,
        "This looks like a private key.",
        "Write where it is kept. If it was real, replace the key.",
    ),
    "G03": Rule(
        ERROR,
        "An address contains a password.",
        "Leave the password out. If it was real, rotate it.",
        allowable=True,
    ),
    "G04": Rule(
        ERROR,
        "A header or cookie contains a credential.",
        "Name the header only. If it was real, revoke it.",
        allowable=True,
    ),
    "G05": Rule(
        ERROR,
        "A password or another credential is written out.",
        "Write where it is kept, not its value. If it was real, rotate it.",
        allowable=True,
    ),
    "G06": Rule(
        ERROR,
        "This looks like a card or identity number.",
        "Leave it out; refer to the record by an identifier that is not personal.",
        allowable=True,
    ),
    "G07": Rule(
        ERROR,
        "This reads like the record of a patient.",
        "Leave the person out, and keep the lesson.",
        allowable=True,
    ),
    "G08": Rule(
        ERROR,
        "This reads like a transcript.",
        "Write what was learned; quote one sentence at most.",
        allowable=True,
    ),
    "G09": Rule(
        WARNING,
        "The text contains a long random string and does not say what it is.",
        "Write what it is, or leave it out.",
        allowable=True,
    ),
    "G10": Rule(
        ERROR,
        "This has private details of a person.",
        "Name a role, or where the details are kept.",
        mild=WARNING,
        allowable=True,
    ),
    # Injection
    "J01": Rule(
        ERROR,
        "The text contains hidden or direction-changing characters.",
        "Write the text again without them; name such a character by its code point.",
    ),
    "J02": Rule(
        ERROR,
        "A mark in the text pretends to be another speaker or the system.",
        "Describe it; or, if it is an incident, quote it in a code span.",
        mild=WARNING,
        allowable=True,
    ),
    "J03": Rule(
        ERROR,
        "Hidden markup in the text addresses its reader.",
        "Remove it.",
        mild=WARNING,
        allowable=True,
    ),
    "J04": Rule(
        ERROR,
        "A phrase tells the reader to ignore its instructions.",
        "Describe it; or, if it is an incident, quote it in a code span.",
        mild=WARNING,
        allowable=True,
    ),
    "J05": Rule(
        ERROR,
        "The text claims authority over its reader, asks for secrecy, or gives permissions.",
        "State the fact about the repository, or leave it out.",
        mild=WARNING,
        allowable=True,
    ),
    "J06": Rule(
        WARNING,
        "A word mixes letters of two scripts that look alike.",
        "Write it in one script.",
        allowable=True,
    ),
    "J07": Rule(
        ERROR,
        "A command downloads something and runs it.",
        "Point to a script in the repository instead.",
        mild=WARNING,
        allowable=True,
    ),
    # History
    "H01": Rule(
        ERROR,
        "A published episode was rewritten.",
        "Keep the published text, and write what was learned since as a new episode with a slug of its own.",
        needs_git=True,
        needs_base=True,
        steps_down=NOTHING,
    ),
    "H02": Rule(
        ERROR,
        "A published episode was deleted, and no retirement is recorded.",
        f"Restore it with `git checkout HEAD -- PATH`; or, to remove it, restore it first and then run `{FORGET} SLUG --reason WORD`, and commit `.agents/eco-mem.retired`.",
        mild=INFO,
        needs_git=True,
        needs_base=True,
        steps_down=NOTHING,
    ),
    "H03": Rule(
        ERROR,
        "The source was raised without new evidence, or a new fact claims too much.",
        "Add the evidence, or lower the source.",
        needs_git=True,
        needs_base=True,
        steps_down=NOTHING,
    ),
    "H04": Rule(
        WARNING,
        "The date `as_of` changed, but no evidence changed and none was found fresh.",
        f"Look at the evidence again, and run `{REMEMBER} semantic SLUG --confirm`; if it cites no file, cite what shows it now.",
        needs_git=True,
        needs_base=True,
    ),
    "H05": Rule(
        ERROR,
        "Git tracks a desk.",
        "Run `git rm --cached PATH`; the file itself stays.",
        needs_git=True,
        steps_down=NOTHING,
    ),
    "H06": Rule(
        ERROR,
        "Git tracks a symbolic link in the store.",
        "Commit the real file instead.",
        needs_git=True,
        steps_down=NOTHING,
    ),
    "H07": Rule(
        WARNING,
        "The allow file of the gate was changed.",
        "Let a person review each changed line.",
        needs_git=True,
        needs_base=True,
    ),
    "H08": Rule(
        WARNING,
        "Git did not answer, so some rules were not judged; the finding names them.",
        "Follow the advice of the finding, and run the command again.",
        fails=False,
        steps_down=NOTHING,
    ),
    # Staleness
    "R01": Rule(
        WARNING,
        "The fact has expired.",
        f"Check it; then revise it, or remove it with `{FORGET} SLUG`.",
        due=6,
        fails=False,
    ),
    "R02": Rule(
        WARNING,
        "The fact expires within two weeks.",
        "Check it; then move `expires`, or let it expire.",
        due=8,
        fails=False,
    ),
    "R03": Rule(
        WARNING,
        "The cited file or lines no longer exist.",
        f"Check the fact; then revise it, or remove it with `{FORGET} SLUG`.",
        due=1,
        fails=False,
    ),
    "R04": Rule(
        WARNING,
        "The cited lines have moved.",
        f"Look at them, then run `{REMEMBER} semantic SLUG --confirm`.",
        due=5,
        fails=False,
    ),
    "R05": Rule(
        WARNING,
        "The cited lines have changed.",
        f"Check the fact; then revise it, confirm it with `{REMEMBER} semantic SLUG --confirm`, or remove it.",
        due=2,
        fails=False,
    ),
    "R06": Rule(
        WARNING,
        "A path in a code span does not exist in this project.",
        "Check the sentence; then correct it, or remove the entry.",
        due=7,
        fails=False,
        needs_git=True,
    ),
    "R07": Rule(
        WARNING,
        "Two entries are nearly the same.",
        "Merge them into one.",
        due=10,
        fails=False,
    ),
    "R08": Rule(
        WARNING,
        "The desk was not touched for a week.",
        "Finish it, hand it over, or remove it.",
        due=11,
        fails=False,
    ),
    "R09": Rule(
        WARNING,
        "Nobody has confirmed the fact for 180 days.",
        f"Check it; then run `{REMEMBER} semantic SLUG --confirm`.",
        due=9,
        fails=False,
    ),
    "R10": Rule(
        WARNING,
        "The cited commit is not in the history of this branch.",
        "Check the fact; then cite a commit that is in it.",
        due=3,
        fails=False,
        needs_git=True,
    ),
    "R11": Rule(
        WARNING,
        "Another entry replaces this one (`superseded-by`).",
        f"Remove it with `{FORGET} SLUG`.",
        due=4,
        fails=False,
    ),
    "R12": Rule(
        INFO,
        "The evidence is fresh.",
        "Use the fact.",
        fails=False,
        on_request=True,
    ),
    "R13": Rule(
        INFO,
        "The cited evidence could not be looked at here.",
        "Look at it in a complete checkout. The entry is not due because of this.",
        fails=False,
    ),
    "R14": Rule(
        INFO,
        "No program can check this evidence.",
        "Decide from its date whether it is still true.",
        fails=False,
        on_request=True,
    ),
    # Installation
    "I01": Rule(
        ERROR,
        "The protocol is missing.",
        RESTORE,
    ),
    "I02": Rule(
        ERROR,
        "A host's copy of SKILL.md differs from the protocol.",
        f"Run `{VERIFY} --fix`, which writes the protocol over it.",
    ),
    "I03": Rule(
        ERROR,
        "AGENTS.md does not name `.agents/skills/eco-mem/SKILL.md`, so agents will not find it.",
        "Add a line that names it; an update does not add it.",
        mild=WARNING,
    ),
    "I04": Rule(
        ERROR,
        "A gitignore rule hides this file, so no clone will have it.",
        "Correct the rule.",
        mild=WARNING,
        needs_git=True,
    ),
    "I05": Rule(
        ERROR,
        "No gitignore rule keeps the desks out of git.",
        "Put the lines `*`, `!.gitignore` and `!INDEX.md` into `.agents/memory/working/.gitignore`.",
        needs_git=True,
    ),
    "I06": Rule(
        ERROR,
        "`eco-mem.json`, the record of the chosen hosts, is missing or broken.",
        RESTORE,
    ),
    "I07": Rule(
        WARNING,
        "A file that a chosen host reads lacks what the host needs.",
        "Restore the lines from git, or answer the questions again with `copier update --trust`; ignore this if you removed them on purpose.",
    ),
    "I08": Rule(
        WARNING,
        "There is a second memory in this repository.",
        "Keep the one at the root, and name the package in the `scope` of a fact.",
    ),
    "I09": Rule(
        INFO,
        "Git ignores a host's copy of SKILL.md.",
        "Do nothing if each checkout makes its own copy.",
        needs_git=True,
    ),
    "I10": Rule(
        ERROR,
        "A file that eco-mem installed contains merge conflict markers.",
        "Resolve it by hand; or, during a merge, take one side with `git checkout --ours PATH` or `git checkout --theirs PATH`.",
    ),
    "I11": Rule(
        ERROR,
        "Git tracks bytecode of the scripts, and Python runs it instead of the scripts.",
        "Run `git rm --cached PATH`, also for other files below `__pycache__`, and commit; `.gitignore` keeps them out from then on.",
        needs_git=True,
    ),
}
