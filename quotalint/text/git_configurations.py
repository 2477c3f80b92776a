"""What git is configured by: its own files, those that these include, and variables of the environment (git-config(1)).
On which condition something is included is not looked at, nor which line counts where several say the same."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from quotalint.text.disk import is_there, real_path
from quotalint.text.files import content
from quotalint.text.gitignore import git_folder, shared_git_folder
from quotalint.text.lazy_patterns import lazy_pattern

SYSTEM_FOLDERS = ("/etc", "/usr/local/etc", "/opt/homebrew/etc")
"""Where git may have been built to look for what an administrator wrote."""
_LARGEST = 1 << 20
_MOST = 50  # files that include each other
_INCLUDED = lazy_pattern(rb"(?:^|\])[ \t]*path[ \t]*=(.*)$", re.IGNORECASE | re.MULTILINE)
_UNREAD = lazy_pattern(rb"[\\#;%\"]")
"""In a path: what has it mean something else, or a comment follow."""


def git_configurations(root: str) -> Iterator[bytes]:
    """All that may configure git in the work tree `root`, as it is written, in small letters. Raises OSError and
    ValueError where something of it cannot be seen."""
    variables = {name: value for name, value in os.environ.items() if name.startswith("GIT_CONFIG")}
    for value in variables.values():
        if "include" in value.lower():
            raise ValueError("what a variable includes is not looked for")
        yield os.fsencode(value.lower())
    git = os.path.join(root, ".git")
    waiting = [
        os.path.join(shared_git_folder(git), "config"),
        *(os.path.join(folder, "config.worktree") for folder in (git_folder(git), shared_git_folder(git))),
        os.path.join(user_folder(), "git", "config"),
        os.path.join(os.path.expanduser("~"), ".gitconfig"),
        *(os.path.join(folder, "gitconfig") for folder in SYSTEM_FOLDERS),
        *(variables[name] for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM") if name in variables),
    ]
    seen: set[str] = set()
    while waiting:
        path = waiting.pop()
        if path in seen or not is_there(path):
            continue
        seen.add(path)
        data = content(path, _LARGEST)
        if data is None or len(data) > _LARGEST or len(seen) > _MOST:
            raise ValueError("no configuration that is read")
        text = data.lower()
        yield text
        if b"include" in text:
            waiting += _included(path, data)


def user_folder() -> str:
    """Where programs keep what a user configured, each in a folder of its own."""
    return os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")


def _included(path: str, data: bytes) -> Iterator[str]:
    """The files that a configuration may include. Raises ValueError where one of them is named in a way that is not
    read here."""
    for match in _INCLUDED.finditer(data):
        written = match[1].strip()
        named = written[1:-1] if written[:1] == written[-1:] == b'"' else written
        if _UNREAD.search(named):
            raise ValueError("no plain path")
        for folder in dict.fromkeys(map(os.path.dirname, (path, real_path(path)))):
            yield os.path.join(folder, os.path.expanduser(os.fsdecode(named)))
