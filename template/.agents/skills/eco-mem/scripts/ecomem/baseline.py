"""The commit that counts as published: the one that a change is compared with."""

from __future__ import annotations

import os

from ecomem import git
from ecomem.cheap_imports import NamedTuple
from ecomem.git import CannotAsk

# The branch that a change is to be merged into, or the commit that it began at, by the
# names that GitHub, GitLab, Azure, Bitbucket, Jenkins and Buildkite give them.
TARGETS = (
    "GITHUB_BASE_REF",
    "CI_MERGE_REQUEST_DIFF_BASE_SHA",
    "SYSTEM_PULLREQUEST_TARGETBRANCH",
    "BITBUCKET_PR_DESTINATION_BRANCH",
    "CHANGE_TARGET",
    "BUILDKITE_PULL_REQUEST_BASE_BRANCH",
)
# Names of default branches, tried in this order after the one that the remote names;
# those up to `master` are tried without a remote as well.
DEFAULTS = ("main", "master", "trunk", "develop", "default")
FETCH = (
    "Fetch the history of that branch too (GitHub Actions: `fetch-depth: 0`; GitLab: "
    '`GIT_DEPTH: "0"`; elsewhere: `git fetch --unshallow`).'
)
NAME_IT = "Name a commit or a branch with `--base`."


class UnknownBase(Exception):
    """The commit or branch that the user named is not in this repository."""


class Ref(NamedTuple):
    """A branch that may be the default one."""

    name: str  # in full, as `refs/remotes/origin/main`
    commit: str
    is_current: bool  # HEAD is this local branch


def in_ci() -> bool:
    """Return true if a system for continuous integration runs this process.

    All that TARGETS covers set CI, except for Azure Pipelines, which sets TF_BUILD.
    """
    values = (os.environ.get(name, "").lower() for name in ("CI", "TF_BUILD"))
    return any(value not in ("", "0", "false") for value in values)


def find(root: str, ref: str = "") -> list[str]:
    """The commits that count as published, mostly one; none before the first commit.

    They are the merge bases of HEAD with ref; without it, with the target that CI
    names; without that, with the default branch. Raises UnknownBase, for ref only, and
    CannotAsk.
    """
    inside = git.find(root) is not None
    if ref:
        branch = f"refs/heads/{ref}"  # before a tag of the same name
        commit = (_resolve(root, branch) or _resolve(root, ref)) if inside else ""
        if not commit:
            raise UnknownBase(ref)
        return _common(root, commit)
    if not inside:
        return []
    target = next(filter(None, map(os.environ.get, TARGETS)), "") if in_ci() else ""
    if target:
        return _common(root, _target_commit(root, target))
    return _with_default_branch(root)


def head(root: str) -> str:
    """The commit that is checked out; empty before the first one."""
    commit = git.ask(root, "rev-parse", "-q", "--verify", "HEAD", nothing=(1,)).strip()
    if commit:
        return commit
    place = git.find(root)
    name = git.ask(root, "symbolic-ref", "-q", "HEAD", nothing=(1,)).strip()
    if not place or not name or os.path.lexists(f"{place.common_dir}/{name}"):
        raise CannotAsk(git.BROKEN, "Run `git fsck`, and repair what it names.")
    return ""


def _with_default_branch(root: str) -> list[str]:
    """The merge bases with the default branch, or HEAD where there is no other."""
    refs = _default_refs(root)
    current = [ref.commit for ref in refs if ref.is_current]
    for ref in refs:
        known = ref.commit in current  # it is HEAD, so git need not be asked
        bases = [ref.commit] if known else _merge_bases(root, ref.commit)
        if bases:
            return bases
    commit = head(root)
    if not commit:
        return []
    if git.is_shallow(root):
        raise CannotAsk("The default branch is not in this shallow clone.", FETCH)
    if not refs and git.ask(root, "for-each-ref", "--count=1", "refs/remotes"):
        problem = "Nothing tells which branch of the remote is the default one."
        raise CannotAsk(problem, f"Run `git remote set-head origin -a`. {NAME_IT}")
    if not git.ask(root, "symbolic-ref", "-q", "HEAD", nothing=(1,)):
        raise CannotAsk("HEAD is detached, and no branch is the default one.", NAME_IT)
    return [commit]


def _default_refs(root: str) -> list[Ref]:
    """Branches that may be the default one, the likeliest first."""
    names = [*DEFAULTS]
    named = os.environ.get("CI_DEFAULT_BRANCH", "") if in_ci() else ""
    if _is_plain(named):
        names.insert(0, named)
    heads = [f"refs/heads/{name}" for name in names[: names.index("master") + 1]]
    remotes = [f"refs/remotes/*/{name}" for name in ("HEAD", *names)]
    form = "--format=%(HEAD) %(objectname) %(refname)"
    refs: list[tuple[bool, int, bool, Ref]] = []
    for line in git.ask(root, "for-each-ref", form, *remotes, *heads).splitlines():
        commit, name = line[2:].split(" ", 1)
        kind, _, rest = name[len("refs/") :].partition("/")
        remote = kind == "remotes"
        short = rest.partition("/")[2] if remote else rest
        if short == "HEAD" or short in names:
            order = -1 if short == "HEAD" else names.index(short)
            foreign = remote and not rest.startswith("origin/")
            refs.append((not remote, order, foreign, Ref(name, commit, line[0] == "*")))
    return [ref for *_, ref in sorted(refs)]


def _target_commit(root: str, target: str) -> str:
    """The commit of a target that CI names. Raises CannotAsk where it is not here."""
    name = target[len("refs/heads/") :] if target.startswith("refs/heads/") else target
    if _is_plain(name):
        places = (f"refs/remotes/origin/{name}", f"refs/remotes/*/{name}")
        asked = ("for-each-ref", "--format=%(objectname)", *places)
        remote = git.ask(root, *asked).split()
        if remote:
            return remote[0]
        commit = _resolve(root, f"refs/heads/{name}") or _resolve(root, name)
        if commit:
            return commit
    shown = f"`{name}`" if _is_plain(name) else "that CI names"
    problem = f"The branch or commit {shown}, the target of this change, is not here."
    raise CannotAsk(problem, FETCH)


def _is_plain(name: str) -> bool:
    """Return true if a name of a branch has no sign that git or a terminal acts on."""
    plain = name.translate(dict.fromkeys(map(ord, "/-_.+#@,=")))
    return plain.isalnum() and name[:1] != "-" and ".." not in name and "@{" not in name


def _resolve(root: str, ref: str) -> str:
    """The full name of the commit that ref names; empty where it names none."""
    asked = ("rev-parse", "-q", "--verify", "--end-of-options", f"{ref}^{{commit}}")
    return git.ask(root, *asked, nothing=(1,)).strip()


def _common(root: str, commit: str) -> list[str]:
    """The merge bases of HEAD with a commit. Raises CannotAsk where there are none."""
    bases = _merge_bases(root, commit)
    if bases:
        return bases
    if not head(root):
        return [commit]
    if git.is_shallow(root):
        raise CannotAsk("This shallow clone ends before the two branches meet.", FETCH)
    raise CannotAsk("HEAD has no history in common with that commit.", NAME_IT)


def _merge_bases(root: str, commit: str) -> list[str]:
    """The merge bases of a commit with HEAD, and with a merge that is in progress."""
    asked = ("merge-base", "--all", commit, "HEAD", *git.merging(root))
    try:
        return git.ask(root, *asked, nothing=(1,)).split()
    except CannotAsk:
        if head(root):
            raise
        return []
