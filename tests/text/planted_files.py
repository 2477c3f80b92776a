"""A working directory full of files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from quotalint.text.sources import Found

Plant = Callable[..., None]


def plant_in(folder: Path) -> Plant:
    """Makes a folder: `name="content"` for a file, a name that ends with `/` for a folder."""

    def make(*names: str, **contents: str) -> None:
        for name in [*names, *contents]:
            path = folder / name
            if name.endswith("/"):
                path.mkdir(parents=True, exist_ok=True)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(contents.get(name, ""))

    return make


def names(sources: Found) -> list[str]:
    """The names of the sources."""
    return [source.name for source in sources.sources]
