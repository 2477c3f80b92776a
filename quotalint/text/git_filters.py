"""Which files git may keep as something else than what lies in the work tree, of the same length: those of which some
line of attributes says `filter` or `working-tree-encoding` (gitattributes(5)). What decides between such lines is not
looked at: one is enough. All else that git does to text changes its length."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from quotalint.text.disk import is_there
from quotalint.text.files import content
from quotalint.text.git_configurations import SYSTEM_FOLDERS, git_configurations, user_folder
from quotalint.text.gitignore import shared_git_folder
from quotalint.text.patterns import Patterns, compile_patterns, verdict

_LARGEST = 1 << 20
_ATTRIBUTES = ".gitattributes"
_CONVERTING = ("filter", "encoding")
"""What the attributes are called that have another content of the same length be kept."""
_ELSEWHERE = (b"attributesfile", b"[attr]", b"attr.tree")
"""What configures that attributes are read from somewhere else."""


def filtered_files(root: str, names: Iterable[str]) -> Callable[[str], bool] | None:
    """Whether git may have another content of a file, by its path from the root of a repository that has files of these
    names; None where it may have one of any."""
    attributes = [
        ("", os.path.join(shared_git_folder(os.path.join(root, ".git")), "info", "attributes")),
        ("", os.path.join(user_folder(), "git", "attributes")),
        *(("", os.path.join(folder, "gitattributes")) for folder in SYSTEM_FOLDERS),
        *(
            (name.removesuffix(_ATTRIBUTES), os.path.join(root, *name.split("/")))
            for name in names
            if name.rpartition("/")[2] == _ATTRIBUTES
        ),
    ]
    try:
        if os.environ.get("GIT_ATTR_SOURCE") or any(
            word in text for text in git_configurations(root) for word in _ELSEWHERE
        ):
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
    """Those of which such a line is said; capitals count for nothing, as on some disks. Raises ValueError where a line
    says it in a way that is not read here: of a name for several attributes, or of a path in quotes."""
    lines = [line.strip() for line in data.decode("utf-8", "surrogateescape").lower().split("\n")]
    converting = [line for line in lines if any(word in line for word in _CONVERTING) and not line.startswith("#")]
    if any(line.startswith(("[", '"', "!")) for line in converting):
        raise ValueError("no plain pattern")
    return compile_patterns(line.split()[0] for line in converting)
