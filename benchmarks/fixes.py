"""How repairs treat the text of real files: nothing may change but the lines that an edit is about.

    python fixes.py FOLDER [--each N] [--ruamel]

Each YAML and JSON file below the folder is edited in memory, N entries of it in four ways each, and compared byte by
byte and value by value. Then a copy of the folder is repaired with `--unsafe-fixes`, one subfolder after another as a
repository by itself, and once more: the second time nothing may change. The folder itself is only read. Exits with 1 if
anything changed that should not. With `--ruamel`, also how many files ruamel.yaml alone would have written otherwise.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout

from quotalint.cli import run
from quotalint.fixes.contents import is_json
from quotalint.fixes.documents import written
from quotalint.fixes.fix import Add, Drop, Edit, Rename, Replace
from quotalint.text.documents import Reading, read
from quotalint.text.place import Path, Place

LARGEST = 1 << 20  # bytes; larger files are all alike, and take their time
SUFFIXES = (".yaml", ".yml", ".json")


def main() -> int:
    """Run both proofs; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--each", type=int, default=3, metavar="N", help="entries of each file (default: 3)")
    parser.add_argument("--ruamel", action="store_true")
    given = parser.parse_args()
    names = sorted(_files(given.folder))
    began = time.perf_counter()
    wrong = [*_edits(names, given.each)]
    print(f"{len(names)} files edited in {time.perf_counter() - began:.0f} s")
    if given.ruamel:
        _compare_with_ruamel(names)
    wrong += _repairs(given.folder)
    print("\n".join(wrong) or "nothing changed but what was meant")
    return 1 if wrong else 0


def _files(folder: str) -> Iterator[str]:
    for top, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(top, name)
            if name.endswith(SUFFIXES) and os.path.isfile(path) and os.path.getsize(path) <= LARGEST:
                yield path


def _edits(names: list[str], each: int) -> Iterator[str]:
    """What went wrong with edits of single files."""
    outcomes: Counter[str] = Counter()
    for name in names:
        with open(name, "rb") as file:
            data = file.read()
        reading = read(data, json=is_json(name))
        chosen = random.Random(len(data)).sample(entries := list(_entries(reading)), min(each, len(entries)))
        for edit in (edit for place, value in chosen for edit in _ways(place, value)):
            kind = type(edit).__name__
            result = written(data, edit, (), is_json(name))
            if isinstance(result, str):
                outcomes[f"{kind} left: {result}"] += 1
                continue
            outcomes[f"{kind} made"] += 1
            fault = _fault(data, result.data, edit)
            if fault:
                yield f"{name}: {edit}: {fault}"
    for outcome, number in sorted(outcomes.items()):
        print(f"{number:8} {outcome}")


def _entries(reading: Reading) -> Iterator[tuple[Place, object]]:
    """Every entry of every mapping."""
    todo: list[tuple[int, Path, object]] = [(one.index, (), one.value) for one in reading.documents]
    for document, path, value in todo:
        if len(todo) > 20_000:
            return
        if isinstance(value, dict):
            for key, below in value.items():
                yield Place("", document, (*path, key)), below
                todo.append((document, (*path, key), below))
        elif isinstance(value, list):
            todo += [(document, (*path, number), item) for number, item in enumerate(value)]


def _ways(place: Place, value: object) -> Iterator[Edit]:
    yield Rename(place, "requests.example.com/gpu")
    yield Drop(place, value)
    if isinstance(value, (str, int)) and value != "1500m":
        yield Replace(place, value, "1500m")
    if isinstance(value, dict):
        yield Add(place, "example.com/added", {"cpu": "1", "memory": "1Gi"})


def _fault(before: bytes, after: bytes, edit: Edit) -> str:
    """What changed that should not."""
    old, new = before.split(b"\n"), after.split(b"\n")
    shorter = min(len(old), len(new))
    head = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    tail = next((at for at in range(shorter - head) if old[-1 - at] != new[-1 - at]), shorter - head)
    gone, come = old[head : len(old) - tail], new[head : len(new) - tail]
    if before.endswith(b"\n") != after.endswith(b"\n"):
        return "the end of the file changed"
    if before.count(b"\r\n") == before.count(b"\n") and after.count(b"\r\n") != after.count(b"\n"):
        return "line breaks changed"
    if isinstance(edit, (Rename, Replace)) and (len(gone), len(come)) != (1, 1):
        return f"{len(gone)} lines became {len(come)}"
    if isinstance(edit, Drop) and len(come) > 1:
        return f"{len(come)} lines are new"
    if isinstance(edit, Add) and len(gone) > 1:
        return f"{len(gone)} lines are gone"
    return ""


def _repairs(folder: str) -> Iterator[str]:
    """What went wrong when a copy was repaired."""
    with tempfile.TemporaryDirectory(prefix="quotalint-fixes-") as copy:
        root = os.path.join(copy, "tree")
        shutil.copytree(folder, root, symlinks=True)
        subfolders = [one.path for one in sorted(os.scandir(root), key=lambda one: one.name) if one.is_dir()]
        for repository in subfolders or [root]:
            if not os.path.lexists(os.path.join(repository, ".git")):
                os.mkdir(os.path.join(repository, ".git"))
            began = time.perf_counter()
            told = [_repaired(repository), _repaired(repository)]
            seconds = time.perf_counter() - began
            print(f"{os.path.relpath(repository, root)}: {told[0].strip().splitlines()[-1:]} ({seconds:.0f} s twice)")
            print("".join(f"  {line}\n" for line in told[0].splitlines() if line.startswith(("fixed", "left"))), end="")
            if "repaired 0 findings" not in told[1]:
                yield f"{repository}: the second run repairs: {told[1]}"
        for name in _files(folder):
            other = os.path.join(root, os.path.relpath(name, folder))
            with open(name, "rb") as one, open(other, "rb") as two:
                before, after = one.read(), two.read()
            if before != after:
                yield from _more_than_named(name, before, after)


def _repaired(repository: str) -> str:
    here = os.getcwd()
    told = io.StringIO()
    os.chdir(repository)
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(told):
            run(["check", "--unsafe-fixes", "--quiet"])
    finally:
        os.chdir(here)
    return told.getvalue()


def _more_than_named(name: str, before: bytes, after: bytes) -> Iterator[str]:
    from quotalint.cli.fixing import _unified

    print("".join(_unified(os.path.basename(name), before, after)))
    first, second = read(before, json=is_json(name)), read(after, json=is_json(name))
    if (len(first.documents), len(first.failures)) != (len(second.documents), len(second.failures)):
        yield f"{name}: other documents"


def _compare_with_ruamel(names: list[str]) -> None:
    """How many files a round trip through ruamel.yaml leaves as they are."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    outcomes: Counter[str] = Counter()
    for name in (one for one in names if not is_json(one)):
        with open(name, "rb") as file:
            data = file.read()
        if not read(data).documents or read(data).failures:
            continue
        reader = YAML()
        reader.preserve_quotes = True
        reader.width = 1 << 20
        out = io.BytesIO()
        try:
            reader.dump_all(list(reader.load_all(data)), out)
        except (YAMLError, ValueError, AssertionError, AttributeError, TypeError) as error:
            outcomes[f"fails: {type(error).__name__}"] += 1
            continue
        outcomes["the same" if out.getvalue() == data else "other text"] += 1
    print("ruamel.yaml:", dict(outcomes))


if __name__ == "__main__":
    sys.exit(main())
