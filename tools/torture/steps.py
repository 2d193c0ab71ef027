"""The steps that a history is made of, each with its weight.

About one step in fifteen runs Copier: projects do most of their work between updates.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from torture import gitwork, keeping, people, runs
from torture.world import World

Step = Callable[[World, random.Random], None]
STEPS: dict[str, tuple[Step, int]] = {
    "update": (runs.update, 5),
    "update again": (runs.update_again, 1),
    "change answers": (runs.change_answers, 2),
    "recopy": (runs.recopy, 1),
    "remove and copy": (runs.remove_and_copy, 1),
    "update on a branch": (runs.update_on_a_branch, 1),
    "two updates": (runs.two_updates, 1),
    "update on a full disk": (runs.update_on_a_full_disk, 1),
    "remember": (keeping.remember_new, 30),
    "revise": (keeping.remember_again, 12),
    "forget": (keeping.forget, 16),
    "repair": (keeping.repair, 6),
    "die": (keeping.die, 14),
    "fill the disk": (keeping.fill_the_disk, 8),
    "write an entry": (people.write_entry, 10),
    "write a desk": (people.write_desk, 4),
    "edit an entry": (people.edit_entry, 10),
    "edit an INDEX": (people.edit_index, 10),
    "edit Markdown": (people.edit_markdown, 8),
    "edit settings": (people.edit_settings, 4),
    "edit an owned file": (people.edit_owned, 3),
    "write a foreign file": (people.write_foreign, 3),
    "format everything": (people.format_all, 3),
    "ignore": (people.ignore, 2),
    "leave editor files": (people.leave_editor_files, 4),
    "commit": (people.commit, 10),
    "branch and merge": (gitwork.branch_and_merge, 8),
    "check out anew": (gitwork.check_out_anew, 4),
    "stash": (gitwork.stash, 4),
}
