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


def _remotes(path: str) -> frozenset[str]:
    try:
        data = content(path, 1 << 20)
    except (OSError, ValueError):
        return frozenset()
    text = (data or b"").decode(errors="replace")
    urls = re.findall(r"(?m)^[ \t]*url[ \t]*=[ \t]*(\S+)", text)
    # What a clone on the same machine is called tells nothing.
    return frozenset(_name(url) for url in urls if not url.startswith(("/", ".", "file:")))


def _name(url: str) -> str:
    return re.split(r"[/:]", url.strip().rstrip("/"))[-1].removesuffix(".git").lower()
