"""Judge drafts by the rules of a project: run as a program, with its scripts.

    judge_drafts.py SCRIPTS PROJECT [in-place] < drafts.json

Drafts are a JSON list of [drawer, slug, text]. Prints a JSON list of lines, one for
each error: drawer, slug, rule and sentence, never text of a draft.
"""

from __future__ import annotations

import json
import sys


def main(scripts: str, project: str, mode: str = "") -> int:
    """Judge the drafts on standard input; print what is wrong with them."""
    sys.path.insert(0, scripts)
    from ecomem import entry, new_entry, store

    known = store.scan(project)
    wrong: list[str] = []
    for drawer, slug, text in json.load(sys.stdin):
        path = f"{store.STORE}/{drawer}/{slug}.md"
        if drawer not in store.DURABLE or not store.is_slug(slug):
            wrong.append(f"{drawer}/{slug}: no drawer or no slug of that name")
            continue
        page = store.Page(path, drawer, slug, text)
        new = entry.parse(page)
        source = new.fields.get("source", entry.NONE).value
        if source != "derived" and not mode:
            wrong.append(f"{drawer}/{slug}: a migrated entry keeps `source: derived`")
        if path in known.entries and not mode:
            wrong.append(f"{drawer}/{slug}: an entry of that name is there already")
            continue
        for item in new_entry.judge(known, new).findings:
            if item.level == "error" and item.code not in ("C07", "C08"):
                wrong.append(f"{drawer}/{slug}:{item.line}: {item.code} {item.message}")
        known.entries[path] = page
        known.slugs[path] = slug
    print(json.dumps(wrong))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
