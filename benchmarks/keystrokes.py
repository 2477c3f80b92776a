"""What a keystroke in an editor costs: `python benchmarks/keystrokes.py FOLDER [--kind KIND] [--files 3] [--keys 5]`.

For some files of each kind, spread over the repository, it prints the milliseconds of processor time of opening the
file, of the first keystroke in it, of the median and the slowest of those that follow, of saving a text that a
keystroke broke, and of the tables that code lenses and hovers show then. What is typed is what each kind of file is
edited for: an amount, a label, a comment.
FOLDER is only read; buffers stand in for its files, as in `quotalint lsp`.
"""

from __future__ import annotations

import argparse
import gc
import os
import re
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from quotalint.editor.looking import Workspace, import_for_findings

_AMOUNT = re.compile(rb"""\b((?:cpu|memory|storage|pods|replicas)["']?: ["']?)([0-9]+)""")


class Kind(NamedTuple):
    """Files of a kind, and what is typed in them."""

    name: str
    pattern: bytes
    """What the text of such a file holds."""
    edit: Callable[[bytes, int], bytes]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kind", choices=[kind.name for kind in KINDS])
    parser.add_argument("--files", type=int, default=3)
    parser.add_argument("--keys", type=int, default=5)
    options = parser.parse_args()
    os.chdir(options.folder)
    import_for_findings()  # as the server does when a folder is opened
    workspace = Workspace(".")
    began = time.process_time()
    workspace.look()
    print(f"first look {_since(began)} ms")
    gc.collect()
    gc.disable()  # as in the server, which looks for cycles while nobody types
    texts = {path: path.read_bytes() for path in sorted(Path(".").rglob("*.y*ml")) if path.is_file()}
    print(f"{'':54}  open  first  median  slowest  saved  tables  ms")
    for kind in KINDS:
        if options.kind in (None, kind.name):
            for path in _spread([path for path, text in texts.items() if _is_of(kind, text)], options.files):
                print(f"{kind.name:14} {str(path)[-39:]:39} {_typed(workspace, path, texts[path], kind, options.keys)}")


def _typed(workspace: Workspace, path: Path, text: bytes, kind: Kind, keys: int) -> str:
    real = os.path.realpath(path)
    workspace.buffers[real] = text
    began = time.process_time()
    workspace.look((real,))
    opened = _since(began)
    taken, saved, tables = [], 0, []
    for number in range(keys):
        workspace.buffers[real] = kind.edit(text, number)
        began = time.process_time()
        glance = workspace.glance((real,))
        look = glance or workspace.look((real,))
        taken.append(_since(began))
        began = time.process_time()
        assert look.tables is not None
        tables.append(_since(began))
    workspace.buffers[real] = kind.edit(text, 0)
    if workspace.glance((real,)) is not None:
        began = time.process_time()
        workspace.look((real,))
        saved = _since(began)
    del workspace.buffers[real]
    workspace.look()
    median, slowest = statistics.median_low(taken[1:] or taken), max(taken[1:] or taken)
    return f"{opened:5}  {taken[0]:5}  {median:6}  {slowest:7}  {saved or '':5}  {statistics.median_low(tables):6}"


def _is_of(kind: Kind, text: bytes) -> bool:
    return re.search(kind.pattern, text, re.MULTILINE) is not None and kind.edit(text, 1) != text


def _spread(paths: list[Path], count: int) -> Iterator[Path]:
    """Some of them, from the first to the last."""
    yield from (paths[number * len(paths) // count] for number in range(min(count, len(paths))))


def _since(began: float) -> int:
    """Milliseconds of processor time."""
    return round(1000 * (time.process_time() - began))


def _with_amount(text: bytes, number: int) -> bytes:
    """With a little more of what the first amount is of."""
    return _AMOUNT.sub(lambda amount: b"%s%d" % (amount[1], int(amount[2]) + 1 + number), text, count=1)


def _with_small_amounts(text: bytes, number: int) -> bytes:
    """With so little of everything that hardly anything has room."""
    return _AMOUNT.sub(lambda amount: b"%s%d" % (amount[1], 1 + number), text)


def _with_label(text: bytes, number: int) -> bytes:
    if re.search(rb"^  labels:$", text, re.MULTILINE):
        return re.sub(rb"^  labels:$", rb"  labels:\n    typed%d: here" % number, text, count=1, flags=re.MULTILINE)
    return re.sub(rb"^metadata:$", rb"metadata:\n  labels: {typed%d: here}" % number, text, flags=re.MULTILINE)


def _with_comment(text: bytes, number: int) -> bytes:
    return text + b"\n# typed %d\n" % number


def _with_broken_line(text: bytes, number: int) -> bytes:
    return text + b"\n- {%d\n" % number if number % 2 == 0 else text + b"\n# %d\n" % number


def _with_common_label(text: bytes, number: int) -> bytes:
    return text if b"commonLabels" in text else text + b"\ncommonLabels: {typed: here%d}\n" % number


KINDS = (
    Kind("deployment", rb"^kind: Deployment$", _with_amount),
    Kind("quota", rb"^kind: ResourceQuota$", _with_amount),
    Kind("small quota", rb"^kind: ResourceQuota$", _with_small_amounts),
    Kind("limits", rb"^kind: LimitRange$", _with_amount),
    Kind("namespace", rb"^kind: Namespace$", _with_label),
    Kind("unreadable", rb"^kind: Service$", _with_broken_line),
    Kind("comment", rb"^kind: (Role|RoleBinding|ConfigMap)$", _with_comment),
    Kind("kustomization", rb"^kind: Kustomization$", _with_common_label),
    Kind("component", rb"^kind: Component$", _with_common_label),
)

if __name__ == "__main__":
    main()
