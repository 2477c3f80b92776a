"""Whether a repository that an object names is the one in view."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

from quotalint.text.files import content


def is_here(root: str) -> Callable[[str], bool]:
    """Whether a URL is that of the repository at `root`, as far as git's configuration tells.

    Names are compared, not hosts: a repository is cloned from a fork or a mirror as often as not. Without a remote
    any URL may be this repository's; the paths that are asked for must exist then.
    """
    names = _remotes(os.path.join(root, ".git", "config"))
    return lambda url: not names or not url or _name(url) in names


_URL = re.compile(r"[ \t]*url[ \t]*=[ \t]*(\S+)", re.IGNORECASE)
_SECTION = re.compile(r"[^#;=\[]*\[[ \t]*([a-z]+)", re.IGNORECASE)


def _remotes(path: str) -> frozenset[str]:
    try:
        data = content(path, 1 << 20)
    except (OSError, ValueError):
        return frozenset()
    text = (data or b"").decode(errors="replace")
    section, urls = "", []
    for line in text.splitlines():
        entry = _URL.match(line)
        header = None if entry else _SECTION.match(line)
        if header:
            section = header[1].lower()
        elif entry and section == "remote":  # submodules have URLs as well, and are other repositories
            urls.append(entry[1])
    # What a clone on the same machine is called tells nothing.
    return frozenset(_name(url) for url in urls if not url.startswith(("/", ".", "file:")))


def _name(url: str) -> str:
    return re.split(r"[/:]", url.strip().rstrip("/"))[-1].removesuffix(".git").lower()
