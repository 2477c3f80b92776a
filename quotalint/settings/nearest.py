"""Which configuration file counts: the nearest one upwards from what is looked at."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from quotalint.text.files import content

NAME = ".quotalint.yaml"
NAMES = (NAME, ".quotalint.yml", "quotalint.yaml", "quotalint.yml")
"""What a configuration may be called; the last two only where they do not look like a manifest of something else."""
_LOOK = 1 << 16  # bytes in which a manifest says its `apiVersion`


class Disagreement(NamedTuple):
    """Why no file can be meant."""

    reason: str


def configurations_in(folder: str) -> tuple[str, ...]:
    """The configuration files of a folder; one too many where there are several."""
    paths = (os.path.join(folder, name) for name in NAMES)
    return tuple(path for path in paths if os.path.isfile(path) and (_is_hidden(path) or not _is_manifest(path)))


def nearest_configuration(paths: Sequence[str], top: str) -> str | Disagreement | None:
    """The configuration that is nearest upwards from every path; none above the folder `top` is looked for. Where the
    paths have several, none of them can be meant."""
    configurations: dict[str, str | None] = {}
    for path in paths:
        folder = folder_of(path)
        while not (files := configurations_in(folder)) and folder not in (top, os.path.dirname(folder)):
            folder = os.path.dirname(folder)
        if len(files) > 1:
            names = " and ".join(map(_relative_path, files))
            return Disagreement(f"which configuration counts, {names}? Remove one, or name one with `--config`")
        configurations.setdefault(path, files[0] if files else None)
    if len(set(configurations.values())) > 1:
        says = ", ".join(f"{path}: {_relative_path(file) if file else 'none'}" for path, file in configurations.items())
        cure = "check them one by one, or name one with `--config`"
        return Disagreement(f"the paths have several configurations ({says}): {cure}")
    return next(iter(configurations.values()), None)


def folder_of(path: str) -> str:
    """The absolute folder of a path, or where it would be; of standard input the working directory."""
    folder = os.path.abspath(path if path != "-" else ".")
    while not os.path.isdir(folder) and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    return folder


def _relative_path(path: str) -> str:
    return os.path.relpath(path).replace(os.sep, "/")


def _is_hidden(path: str) -> bool:
    return os.path.basename(path).startswith(".")


def _is_manifest(path: str) -> bool:
    try:
        data = content(path, _LOOK) or b""
    except (OSError, ValueError):
        return False
    return data.startswith((b"apiVersion:", b"kind:")) or b"\napiVersion:" in data
