"""Whether a repository that an object names is the one in view."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import cache

from quotalint.text.files import content


def is_here(root: str) -> Callable[[str], bool]:
    """Whether a URL is that of the repository at `root`, as far as git's configuration tells.

    Names are compared, not hosts: a repository is cloned from a fork or a mirror as often as not. Without a remote
    any URL may be this repository's; the paths that are asked for must exist then.
    """
    names = cache(lambda: _remote_urls(os.path.join(_git_folder(root), "config")))
    return lambda url: not url or not names() or repository_name(url) in names()


def _git_folder(root: str) -> str:
    """Where git keeps the configuration: for a further work tree that is the folder of the first, and a submodule has
    one of its own (gitrepository-layout)."""
    folder = os.path.join(root, ".git")
    pointer = _file_text(folder)
    if not pointer.startswith("gitdir:"):
        return folder
    folder = os.path.join(root, pointer.removeprefix("gitdir:").strip())
    return os.path.join(folder, _file_text(os.path.join(folder, "commondir")).strip())


def _file_text(path: str) -> str:
    """What a file says; nothing where there is none."""
    try:
        data = content(path, 1 << 20)
    except (OSError, ValueError):
        data = b""
    return (data or b"").decode(errors="replace")


def _remote_urls(path: str) -> frozenset[str]:
    section, urls = "", []
    for line in _file_text(path).splitlines():
        entry = re.match(r"[ \t]*url[ \t]*=[ \t]*(\S+)", line, re.IGNORECASE)
        header = None if entry else re.match(r"[^#;=\[]*\[[ \t]*([a-z]+)", line, re.IGNORECASE)
        if header:
            section = header[1].lower()
        elif entry and section == "remote":  # submodules have URLs as well, and are other repositories
            urls.append(entry[1])
    # What a clone on the same machine is called tells nothing.
    return frozenset(repository_name(url) for url in urls if not url.startswith(("/", ".", "file:")))


def repository_name(url: str) -> str:
    """The name of a repository: what is left of its URL when a fork or a mirror is taken for it."""
    return re.split(r"[/:]", url.strip().rstrip("/"))[-1].removesuffix(".git").lower()
