"""How repairs treat the text of real files: nothing may change but the lines that an edit is about.

    python fixes.py FOLDER [--each N] [--ruamel]

Three proofs, of which each leaves the folder alone; exits with 1 if anything changed that should not.

1. Each YAML and JSON file below the folder is edited in memory, N entries of it in four ways each: no other line, no
   comment, no other value may change.
2. A copy of each subfolder is repaired as a repository by itself, with `--fix` and with `--unsafe-fixes`: nothing may
   change but the lines that the JSON report names, and a second run must find nothing to do
   (tests/fixes/round_trip.py).
3. The same with mistakes planted in every quota of the copy: each line must be as it was before, or still as planted.

With `--ruamel`, also how many files ruamel.yaml alone would have written otherwise.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator

from quotalint.fixes.edited_files import write_edit
from quotalint.fixes.file_contents import is_json
from quotalint.fixes.fix import Add, Drop, Edit, Rename, Replace
from quotalint.text.documents import Reading, read
from quotalint.text.place import Path, Place

sys.path.insert(0, os.path.join(os.path.dirname(__file__), os.pardir, "tests", "fixes"))

from round_trip import commented, repair  # it is no part of the package

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
    for unsafe, planted in ((False, False), (True, False), (False, True)):
        wrong += _repairs(given.folder, unsafe, planted)
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
        comments = commented(data, is_json(name))
        chosen = random.Random(len(data)).sample(entries := list(_entries(reading)), min(each, len(entries)))
        for edit in (edit for place, value in chosen for edit in _ways(place, value)):
            kind = type(edit).__name__
            result = write_edit(data, edit, (), json=is_json(name))
            if isinstance(result, str):
                outcomes[f"{kind} left: {result}"] += 1
                continue
            outcomes[f"{kind} made"] += 1
            fault = _fault(data, result.data, edit, is_json(name), comments)
            if fault:
                yield f"{name}: {edit}: {fault}"
    for outcome, number in sorted(outcomes.items()):
        print(f"{number:8} {outcome}")


def _entries(reading: Reading) -> Iterator[tuple[Place, object]]:
    """Every entry of every mapping."""
    todo: list[tuple[int, Path, object]] = [(document.index, (), document.value) for document in reading.documents]
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


def _fault(before: bytes, after: bytes, edit: Edit, json: bool, comments: Counter[str]) -> str:
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
    if isinstance(edit, Drop) and sum(not line.strip().startswith(b"#") for line in come) > 1:
        return f"{len(come)} lines are new"
    if isinstance(edit, Add) and len(gone) > 1:
        return f"{len(gone)} lines are gone"
    lost = comments - commented(after, json)
    return f"comments are gone: {sorted(lost)}" if lost else ""


def _repairs(folder: str, unsafe: bool, planted: bool) -> Iterator[str]:
    """What went wrong when copies were repaired."""
    print(f"{'--unsafe-fixes' if unsafe else '--fix'}{' of planted mistakes' if planted else ''}")
    subfolders = [one.path for one in sorted(os.scandir(folder), key=lambda one: one.name) if one.is_dir()]
    for original in subfolders or [folder]:
        with tempfile.TemporaryDirectory(prefix="quotalint-fixes-") as temporary:
            copy = os.path.join(temporary, "repository")
            shutil.copytree(original, copy, symlinks=True)
            if not os.path.lexists(os.path.join(copy, ".git")):
                os.mkdir(os.path.join(copy, ".git"))
            if planted:
                repair(copy, unsafe)  # of what is really wrong
                reference = {path: _lines(path) for path in _files(copy)}
                wrongly = sum(map(_plant, reference))
            began = time.perf_counter()
            repaired = repair(copy, unsafe)
            seconds = time.perf_counter() - began
            name = os.path.basename(original)
            print(f"  {name}: {len(repaired.fixed)} made, {len(repaired.left)} left ({seconds:.0f} s)")
            if planted:
                right, still, other = _restored(reference)
                print(f"    {wrongly} lines planted: {right} as before, {still} as planted")
                yield from (f"{name}: {text}" for text in other)
            else:
                print("".join(f"    {line}\n" for line in (*repaired.fixed, *repaired.left)), end="")
            yield from (f"{name}: {text}" for text in repaired.wrong)


_MISTAKES = (
    (rb"limits\.memory", b"memory.limit"),
    (rb"requests\.memory", b"memory.requests"),
    (rb"limits\.cpu", b"limit.cpu"),
    (rb"requests\.cpu", b"Request.CPU"),
    (rb"requests\.nvidia\.com/gpu", b"nvidia.com/gpu"),
    (rb"count/deployments\.apps", b"count/deployment.apps"),
    (rb"pods", b"pod"),
)


def _planted(lines: list[bytes]) -> list[bytes]:
    """The lines of a file with mistakes, if it has a quota or what may be a patch of one."""
    return [_mistaken(line) for line in lines] if any(b"ResourceQuota" in line for line in lines) else lines


def _mistaken(line: bytes) -> bytes:
    for right, wrong in _MISTAKES:
        line = re.sub(rb"^([\s{,]*[\"']?)" + right + rb"(?=[\"']?\s*:\s*[\"']?\d)", rb"\g<1>" + wrong, line)
    return line


def _lines(path: str) -> list[bytes]:
    with open(path, "rb") as file:
        return file.read().split(b"\n")


def _plant(path: str) -> int:
    """Write mistakes into a file; how many lines have one."""
    before = _lines(path)
    after = _planted(before)
    if after != before:
        with open(path, "wb") as file:
            file.write(b"\n".join(after))
    return sum(first != other for first, other in zip(before, after, strict=True))


def _restored(reference: dict[str, list[bytes]]) -> tuple[int, int, list[str]]:
    """How many lines with a mistake are as they were, and as planted; and what is neither."""
    right, still, other = 0, 0, []
    for path, before in reference.items():
        after = _lines(path)
        if len(before) != len(after):
            other.append(f"{path} has {len(after)} lines and not {len(before)}")
            continue
        for number, (content, wrong, two) in enumerate(zip(before, _planted(before), after, strict=True), 1):
            right += two == content != wrong
            still += two == wrong != content
            if two not in (content, wrong):
                other.append(f"{path}:{number} is neither as before nor as planted")
    return right, still, other


def _compare_with_ruamel(names: list[str]) -> None:
    """How many files a round trip through ruamel.yaml leaves as they are."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    outcomes: Counter[str] = Counter()
    for name in (name for name in names if not is_json(name)):
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
