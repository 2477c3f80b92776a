"""Changes of bytes, of structure and of the tree, each of which a stranger might commit."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from fuzz.seeds import Files
from quotalint.text.documents import read

Value = Any

WORDS = (
    *(
        b"{{",
        b"}}",
        b"{{ .path }}",
        b"${X}",
        b"$(X)",
        b"---\n",
        b"...\n",
        b"<<: *a\n",
        b"&a ",
        b"*a",
        b"!!binary ",
        b"? ",
    ),
    *(
        b"\t",
        b"\r\n",
        b"\r",
        b"\0",
        b"\xff",
        b"\xef\xbb\xbf",
        b"\xc2\x85",
        b"\xed\xa0\x80",
        b"\xf0\x9f\x98\x80",
        b"\x1b[31m",
    ),
    *(
        b"\n::error::x\n",
        b"##[error]",
        b"</script>",
        b"]]>",
        b"|",
        b">",
        b"|2-\n",
        b"'",
        b'"',
        b"#",
        b" # quotalint: ignore\n",
    ),
    *(
        b"[" * 300,
        b"{" * 300,
        b"- " * 300,
        b"9" * 5000,
        b"-1",
        b"1e400",
        b".inf",
        b".nan",
        b"0x",
        b"1e-1000000",
        b"%",
        b"500Ei",
    ),
    *(
        b"../",
        b"/",
        b"**",
        b"*a*a*a*b",
        b"null",
        b"true",
        b"2024-01-01",
        b"@every 1ns",
        b"https://example.com/x.git?ref=v1",
    ),
)
VALUES: tuple[Value, ...] = (
    *(
        None,
        True,
        False,
        0,
        -1,
        2**31,
        2**63,
        10**30,
        1.5,
        float("1e300"),
        "",
        "x",
        "0",
        "-1",
        "1e99",
        "\x1b[0m\n::error::",
    ),
    *(
        [],
        {},
        [[]],
        [None],
        {"": None},
        {"a": {"b": []}},
        "9" * 5000,
        "a" * 100_000,
        "{{ .a }}",
        "${A}",
        "../..",
        "%",
        "*",
    ),
)
_DEEP = 600
_NAMES = (
    *("kustomization.yaml", ".quotalint.yaml", ".gitignore", ".quotalint-baseline.yaml", "a.json", "b/c.yaml"),
    *("helmfile.yaml", "Chart.yaml", "templates/a.yaml", "values.yaml", "=cmd().yaml", "a\x1b[31m\n::error::x.yaml"),
)
"""Of files that come to be. Some decide what others mean; some are hostile by themselves."""


def mutated(files: Files, chance: random.Random) -> Files:
    """A repository with one to four mutations."""
    result = dict(files)
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 4))):
        _KINDS[chance.randrange(len(_KINDS))](result, chance)
    return result


def _some(files: Files, chance: random.Random) -> str:
    return chance.choice(sorted(files)) if files else ""


def _bytes(files: Files, chance: random.Random) -> None:
    name = _some(files, chance)
    data = files.get(name, b"")
    at = chance.randrange(len(data) + 1)
    until = min(len(data), at + chance.choice((0, 1, 1, 2, 5, 20, 200)))
    piece = chance.choice(
        (b"", chance.choice(WORDS), bytes([chance.randrange(256)]), data[at:until] * 2, data[at:until] * 200)
    )
    files[name or "a.yaml"] = data[:at] + piece + data[until:]


def _lines(files: Files, chance: random.Random) -> None:
    name = _some(files, chance)
    lines = files.get(name, b"").split(b"\n")
    at, other = (chance.randrange(len(lines)) for _ in range(2))
    how = chance.randrange(4)
    if how == 0:
        del lines[at]
    elif how == 1:
        lines.insert(at, lines[other])
    elif how == 2:
        lines[at], lines[other] = lines[other], lines[at]
    else:
        lines[at] = b"  " + lines[at]
    files[name or "a.yaml"] = b"\n".join(lines)


def _structure(files: Files, chance: random.Random) -> None:
    """One value of one document becomes another one."""
    name = _some(files, chance)
    documents = [document.value for document in read(files.get(name, b"")).documents]
    if not documents:
        return
    at = chance.randrange(len(documents))
    documents[at] = _changed(documents[at], chance, _DEEP)
    # JSON is YAML: what is read back is what was meant.
    files[name] = b"\n---\n".join(json.dumps(document, default=str).encode() for document in documents)


def _changed(value: Value, chance: random.Random, depth: int) -> Value:
    if isinstance(value, dict) and value and depth and chance.random() < 0.85:
        key = chance.choice(list(value))
        if chance.random() < 0.15:
            return {other: item for other, item in value.items() if other != key}
        if chance.random() < 0.1:
            return {(str(chance.choice(VALUES)) if other == key else other): item for other, item in value.items()}
        return {**value, key: _changed(value[key], chance, depth - 1)}
    if isinstance(value, list) and value and depth and chance.random() < 0.85:
        number = chance.randrange(len(value))
        if chance.random() < 0.15:
            return value[:number] + value[number + 1 :]
        if chance.random() < 0.1:
            return [*value, *value[number : number + 1] * 30]
        return [*value[:number], _changed(value[number], chance, depth - 1), *value[number + 1 :]]
    if chance.random() < 0.1:
        for _ in range(chance.choice((3, 100, 400))):
            value = [value] if chance.random() < 0.5 else {"a": value}
        return value
    return chance.choice(VALUES)


def _tree(files: Files, chance: random.Random) -> None:
    """Files that go, come, move, or take each other's place."""
    name, other = _some(files, chance), _some(files, chance)
    how = chance.randrange(5)
    if how == 0:
        files.pop(name, None)
    elif how == 1:
        files[chance.choice(_NAMES)] = files.get(name, b"")
    elif how == 2:
        files[name or "a.yaml"] = files.get(other, b"")
    elif how == 3:
        files[f"copy/{name or 'a.yaml'}"] = files.get(name, b"")
    else:
        files[name or "a.yaml"] = files.get(name, b"") + b"\n---\n" + files.get(other, b"")


_KINDS: tuple[Callable[[Files, random.Random], None], ...] = (
    _bytes,
    _bytes,
    _lines,
    _structure,
    _structure,
    _structure,
    _tree,
)
