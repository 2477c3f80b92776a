"""Dependencies that a chart holds twice: unpacked, and packed (`charts/db/` beside `charts/db-1.0.0.tgz`).

Helm reads both and goes by one of them, which may be another one each time: its loader goes through a map of them
(3.18, pkg/chart/loader/load.go, LoadFiles), and the first of the name counts (pkg/chartutil/dependencies.go,
processDependencyEnabled).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from quotalint.gitops.helm.packed_charts import PackedChartError, packed_files

_PACKED = re.compile(r"(.+)-v?[0-9][^/]*\.tgz")
_DECIDING = ("templates", "crds", "charts")
"""The folders of a chart that decide, with its values, what it renders to."""


def packed_twice(names: Iterable[str]) -> dict[str, str]:
    """Of the names in a folder `charts` those of packed charts, with the name of the unpacked one beside each."""
    names = frozenset(names)
    matches = ((name, _PACKED.fullmatch(name)) for name in sorted(names))
    return {name: match[1] for name, match in matches if match is not None and match[1] in names}


def is_same_chart(archive: str, folder: str, most: int) -> bool:
    """Whether both render to the same. The folder holds nothing but folders and files; of the archive at most `most`
    bytes are unpacked. Raises OSError."""
    unpaired = _deciding_files(folder)
    try:
        with open(archive, "rb") as packed:
            for name, data in packed_files(packed, most):
                if not _decides(name) or ".tgz/" in name:
                    continue
                if name not in unpaired or data.rstrip() != _bytes_of(os.path.join(folder, name)).rstrip():
                    return False
                unpaired.discard(name)
    except PackedChartError:
        return False
    return not unpaired


def _decides(name: str) -> bool:
    return name == "values.yaml" or name.partition("/")[0] in _DECIDING


def _deciding_files(folder: str) -> set[str]:
    paths = (os.path.join(above, name) for above, _, names in os.walk(folder) for name in names)
    names = (os.path.relpath(path, folder).replace(os.sep, "/") for path in paths)
    return {name for name in names if _decides(name)}


def _bytes_of(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
