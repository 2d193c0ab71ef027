"""Tables of programs: which are harmless on which paths.

A program that is in none of these tables may run, but not with a guarded path.
"""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


# They print names, sizes, counts or sums, and never what a file contains.
NAMES = words("""
    ls dir vdir ll la stat file du df wc tree exa eza lsd basename dirname realpath
    readlink pwd test [ [[ true false : exit return break continue shift wait sleep
    md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum shasum sum
    which whereis namei lsattr getfacl lsof mountpoint date seq yes printenv ulimit
    umask hash times jobs kill id whoami uname hostname let unset shopt clear history
    get-childitem gci test-path resolve-path get-item split-path join-path
    measure-object tokei cloc scc sloccount gitleaks locate nproc free uptime cal bc
    expr factor
    """)
# They print what their operands contain, and change nothing.
READERS = words("""
    cat head tail less more most bat batcat nl tac rev cut sort uniq paste join comm
    fold fmt pr expand unexpand od xxd hexdump hd strings column tr tsort shuf diff
    sdiff colordiff diff3 cmp wdiff icdiff delta jq yq gojq xmllint base64 base32 zcat
    zless bzcat xzcat get-content gc type glow mdcat pygmentize numfmt iconv envsubst
    cmark pandoc pbcopy xclip xsel wl-copy clip csvlook wcurl markdown cksfv grep
    egrep fgrep zgrep rgrep rg ripgrep ag ack ugrep findstr select-string sls sed gsed
    awk gawk mawk nawk
    """)
SEARCHERS = words("""
    grep egrep fgrep zgrep rgrep rg ripgrep ag ack ugrep findstr select-string sls
    """)
RECURSIVE_SEARCHERS = frozenset(["rg", "ripgrep", "ag", "ack", "rgrep"])
# They print or send the text of their words; files among the operands are read.
TEXT = words("""
    echo printf print write-host write-output say logger gh glab hub figlet cowsay
    notify-send claude codex gemini qwen copilot droid opencode aider cursor-agent
    """)
# They check or format text; a formatter changes nothing that the memory compares.
CHECKERS = words("""
    prettier markdownlint markdownlint-cli markdownlint-cli2 mdl mdformat remark
    textlint vale codespell cspell typos misspell lychee markdown-link-check ruff
    black isort flake8 pylint mypy pyright bandit vermin shellcheck shfmt yamllint
    eslint biome taplo dprint editorconfig-checker ec pre-commit lefthook actionlint
    zizmor detect-secrets trufflehog semgrep reuse copier cruft stylelint htmlhint
    pymarkdown doc8 proselint write-good alex pytest tox nox
    """)
DELETERS = words("""
    rm rmdir unlink shred del erase rd remove-item ri trash trash-put srm
    """)
WRITERS = words("""
    tee touch truncate chmod chown chgrp chattr setfacl setfattr sponge patch dos2unix
    unix2dos set-content sc add-content ac out-file new-item ni clear-content clc
    rename mmv gzip gunzip bzip2 bunzip2 xz unxz zstd unzip split csplit mkfifo mknod
    ed ex vi vim nvim nano emacs tee-object
    """)
COPIERS = words("""
    cp copy copy-item cpi rsync install ln link scp ditto mv move move-item mi ren
    """)
MOVERS = frozenset(["mv", "move", "move-item", "mi", "ren"])
SHELLS = words("""
    sh bash zsh dash ksh mksh ash fish rbash powershell pwsh cmd
    """)
CODE = words("""
    python python2 python3 py pypy pypy3 node nodejs deno bun perl ruby php lua
    """)
CHANGE_FOLDER = frozenset(["cd", "pushd", "chdir", "set-location", "sl"])
DECLARE = frozenset(["export", "declare", "local", "readonly", "typeset"])

# Programs that run another one: their options that take a value, and how many
# operands stand before the program.
WRAPPERS: dict[str, tuple[str, int]] = {
    "env": ("-u --unset -C --chdir -a --argv0", 0),
    "sudo": ("-u -g -h -p -C -r -t -T -U -D --user --group", 0),
    "doas": ("-u -C", 0),
    "nice": ("-n --adjustment", 0),
    "ionice": ("-c -n -p --class --classdata", 0),
    "chrt": ("-T -P -D", 1),
    "taskset": ("", 1),
    "timeout": ("-s -k --signal --kill-after", 1),
    "gtimeout": ("-s -k --signal --kill-after", 1),
    "time": ("-f -o --format --output", 0),
    "nohup": ("", 0),
    "setsid": ("", 0),
    "stdbuf": ("-i -o -e --input --output --error", 0),
    "command": ("", 0),
    "builtin": ("", 0),
    "exec": ("-a", 0),
    "noglob": ("", 0),
    "nocorrect": ("", 0),
    "busybox": ("", 0),
    "toybox": ("", 0),
    "unbuffer": ("", 0),
    "chronic": ("", 0),
    "ifne": ("", 0),
    "caffeinate": ("-t -w", 0),
    "strace": ("-o -e -s -p -P", 0),
    "ltrace": ("-o -e -s -p", 0),
    "setarch": ("", 1),
    "linux64": ("", 0),
    "chroot": ("--userspec", 1),
    "unshare": ("", 0),
    "nsenter": ("-t --target", 0),
    "prlimit": ("-p", 0),
    "systemd-run": ("-p --unit", 0),
    "firejail": ("", 0),
    "coproc": ("", 0),
    "xvfb-run": ("-s -n", 0),
    "dotenv": ("-f", 0),
    "npx": ("-p --package", 0),
    "bunx": ("", 0),
    "pipx": ("--spec", 0),
    "uvx": ("--with --from --python -p", 0),
    "rlwrap": ("", 0),
    "winpty": ("", 0),
    "hyperfine": ("-r -w -m -M --runs --warmup", 0),
    "watch": ("-n --interval", 0),
    "entr": ("", 0),
    "su": ("-s -g", 1),
    "runuser": ("-u -g -s", 0),
    "proxychains": ("-f", 0),
    "torsocks": ("", 0),
    "faketime": ("-f", 1),
    "fakeroot": ("-l -s -i", 0),
    "daemonize": ("-p -l", 0),
    "annotate-output": ("", 0),
    "ts": ("", 0),
}
# Programs that run another one after one of these words.
RUNNERS = {
    "uv": ("run", "tool"),
    "poetry": ("run",),
    "pipenv": ("run",),
    "pdm": ("run",),
    "hatch": ("run",),
    "rye": ("run",),
    "npm": ("exec", "x"),
    "pnpm": ("exec", "dlx"),
    "yarn": ("exec", "dlx", "run"),
    "bundle": ("exec",),
    "mise": ("exec", "x"),
    "asdf": ("exec",),
    "conda": ("run",),
    "mamba": ("run",),
    "direnv": ("exec",),
    "nix": ("run", "develop"),
}
# Options whose value is a text that a shell runs.
SCRIPT_OPTIONS = (
    "-c",
    "--command",
    "--call",
    "--run",
    "-Command",
    "/c",
    "/C",
    "--shell",
)

# git: commands that change no file of the work tree and show no whole entry.
GIT_HARMLESS = words("""
    add stage status commit ls-files ls-tree check-ignore check-attr rev-parse
    rev-list shortlog branch tag push fetch remote init merge-base describe
    hash-object for-each-ref name-rev count-objects fsck gc help version var
    whatchanged bisect notes worktree rerere show-ref symbolic-ref cherry diff-tree
    diff-index diff-files
    """)
GIT_READERS = words("""
    show blame annotate cat-file log diff range-diff
    """)
GIT_DELETERS = frozenset(("rm", "mv", "clean"))

# Options that name what is left out.
EXCLUDING = (
    "exclude",
    "ignore",
    "skip",
    "omit",
    "without",
    "prune",
    "not-match",
    "except",
)
EXCLUDING_SHORT = {
    "fd": ("-E",),
    "fdfind": ("-E",),
    "tree": ("-I",),
    "zip": ("-x",),
    "7z": ("-x",),
    "tar": ("-X",),
    "tokei": ("-e",),
    "diff": ("-x",),
    "du": ("-X",),
}
# What a call in code may do without being judged: no file is read or written by it.
HARMLESS_CALLS = words("""
    listdir scandir walk glob iglob rglob iterdir exists isfile isdir islink getsize
    getmtime stat lstat len print sorted sum join basename dirname splitext split
    rsplit str list set dict tuple int float bool bytes format strip lstrip rstrip
    startswith endswith dumps loads keys values items append extend add update lower
    upper title encode decode range enumerate zip map filter min max any all
    isinstance repr path purepath posixpath relative_to resolve absolute is_file
    is_dir with_suffix with_name match search findall finditer fullmatch sub compile
    group groups count index find partition rpartition splitlines fnmatch counter
    defaultdict get setdefault pop insert reversed next iter type hasattr getattr
    round abs chr ord hex isdigit isalpha casefold today now strftime isoformat
    fromisoformat time getcwd abspath realpath normpath relpath commonpath expanduser
    pformat pprint exit ljust rjust center as_posix samefile replace_text log error
    warn info debug readdirsync existssync statsync lstatsync require includes push
    slice concat tostring stringify parse foreach some every length entries children
    puts p inspect size sort uniq each empty file? exist? directory? expand_path json
    array object console math
    """)
READING_CALLS = words("""
    open read_text read_bytes fopen readfilesync readfile file_get_contents
    """)
WRITING_CALLS = words("""
    write_text write_bytes touch unlink remove rmdir rmtree rename symlink_to
    hardlink_to mkdir makedirs chmod writefilesync appendfilesync unlinksync
    """)
COPYING_CALLS = frozenset(("copy", "copy2", "copyfile", "copyfilesync"))
DUMPING_CALLS = words("""
    dump write writelines close flush read
    """)
HARMLESS_MODULES = words("""
    fileinput tokenize pytest ruff black mypy flake8 pylint compileall py_compile
    isort mdformat codespell_lib pre_commit
    """)
