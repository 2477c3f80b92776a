"""Which files a program may make of what git has: those of which some line of attributes says `filter`
(gitattributes(5)). What decides between such lines is not looked at: one is enough."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from quotalint.text.disk import is_there
from quotalint.text.files import content
from quotalint.text.gitignore import shared_git_folder
from quotalint.text.patterns import Patterns, compile_patterns, verdict

_LARGEST = 1 << 20
_ATTRIBUTES = ".gitattributes"


def filtered_files(root: str, names: Iterable[str]) -> Callable[[str], bool] | None:
    """Whether a program may make a file, by its path from the root of a repository that has files of these names; None
    where it may make any. All else that git does to text changes its length."""
    shared = shared_git_folder(os.path.join(root, ".git"))
    home = os.path.expanduser("~")
    of_user = os.path.join(os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "git")
    configurations = (
        *(os.path.join(shared, "config"), os.path.join(home, ".gitconfig"), os.path.join(of_user, "config")),
        "/etc/gitconfig",
    )
    attributes = [
        *(("", os.path.join(shared, "info", "attributes")), ("", os.path.join(of_user, "attributes"))),
        ("", "/etc/gitattributes"),
        *(
            (name.removesuffix(_ATTRIBUTES), os.path.join(root, *name.split("/")))
            for name in names
            if name.rpartition("/")[2] == _ATTRIBUTES
        ),
    ]
    try:
        if any(b"attributesfile" in _content_of(path).lower() for path in configurations):
            return None
        layers = [(folder.lower(), _patterns(_content_of(path))) for folder, path in attributes]
    except (OSError, ValueError):
        return None
    layers = [(folder, patterns) for folder, patterns in layers if patterns]

    def is_filtered(way: str) -> bool:
        above, _, name = way.lower().rpartition("/")
        above = f"{above}/" if above else ""
        return any(
            above.startswith(folder) and verdict(patterns, above[len(folder) :], name) for folder, patterns in layers
        )

    return is_filtered


def _content_of(path: str) -> bytes:
    """What is in a file; nothing where there is none. Raises OSError and ValueError where it cannot be read."""
    data = content(path, _LARGEST) if is_there(path) else b""
    if data is None or len(data) > _LARGEST:
        raise ValueError("no text")
    return data


def _patterns(data: bytes) -> Patterns:
    """Those of which a filter is said; capitals count for nothing, as on some disks. Raises ValueError where a line
    says it in a way that is not read here: of a name for several attributes, or of a path in quotes."""
    lines = [line.strip() for line in data.decode("utf-8", "surrogateescape").split("\n")]
    filtering = [line for line in lines if "filter" in line.lower() and not line.startswith("#")]
    if any(line.startswith(("[", '"', "!")) for line in filtering):
        raise ValueError("no plain pattern")
    return compile_patterns(line.lower().split()[0] for line in filtering)
