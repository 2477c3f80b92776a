"""At each path of each kind that the seeds hold, each value of another type, one at a time."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from fuzz.seeds import Files, seeds
from quotalint.text.documents import read

VALUES = (
    *("null", '""', "x", "0", "-1", "1.5", "1e400", ".nan", "true", "[]", "{}", "[null]", "{a: null}", "[[x]]"),
    *("2024-01-01", "{1: 2, true: 3}", f'"{"x" * 9000}"'),
)
"""As YAML."""
COMMANDS = (
    *(("check", "--scenario", "peak", "-v", "."), ("usage", "-f", "json", "."), ("suggest", "-f", "json", ".")),
    *(("what-if", "web=12", "node-loss=1", "."), ("render", "."), ("check", "-f", "sarif", "."), ("vendor", "--check")),
    *(("diff", "HEAD", "-f", "json"), ("check", "--unsafe-fixes", "--diff", "."), ("usage", "--all", ".")),
    *(("fleet", "fleet.yaml"), ("snapshot", "--from", "with.yaml"), ("check", "--with", "with.yaml", ".")),
)
JUDGED = ("check", "-f", "json", ".")
"""The command that is run first of all on each, and has to find the neighbour."""
NEIGHBOUR: Files = {
    "neighbour/neighbour.yaml": b"""\
apiVersion: v1
kind: ResourceQuota
metadata: {name: neighbour, namespace: neighbour}
spec: {hard: {pods: "1"}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: neighbour, namespace: neighbour}
spec:
  replicas: 2
  selector: {matchLabels: {app: neighbour}}
  template: {metadata: {labels: {app: neighbour}}, spec: {containers: [{name: c, image: x}]}}
"""
}
_FOUND = "neighbour asks for pods 2"
_SETTINGS = (".quotalint", "quotalint.lock")
_Path = tuple[str | int, ...]


def is_neighbour_judged(report: str) -> bool:
    """Whether a JSON report judges the neighbour, or says that it does not."""
    return _FOUND in report or any("neighbour" in str(skipped) for skipped in json.loads(report)["skipped"])


class Case(NamedTuple):
    """One place of one document, and the values that are put there: one, or each into a copy of the document."""

    seed: Files
    file: str
    document: int
    path: _Path
    values: tuple[str, ...]

    @property
    def is_configured(self) -> bool:
        """Whether the repository has settings, which say what is checked: then the neighbour may go."""
        return any(name.rpartition("/")[2].startswith(_SETTINGS) for name in self.seed)

    def files(self) -> Files:
        """The repository with the values, and the neighbour."""
        documents = [_written(document.value) for document in read(self.seed[self.file]).documents]
        changed = [self._changed(value, at) for at, value in enumerate(self.values)]
        if len(changed) == 1:
            documents[self.document] = changed[0]
        text = "\n---\n".join([*documents, *changed] if len(changed) > 1 else documents)
        return {**self.seed, **NEIGHBOUR, self.file: text.encode()}

    def _changed(self, value: str, number: int) -> str:
        document = json.loads(_written(read(self.seed[self.file]).documents[self.document].value))
        if len(self.values) > 1:
            document["metadata"]["name"] += f"-{number}"
        at = document
        for name in self.path[:-1]:
            at = at[name]
        at[self.path[-1]] = _MARK
        return json.dumps(document).replace(f'"{_MARK}"', value)


_MARK = "value of another type"


@cache
def cases() -> list[Case]:
    """All, in an order that does not change: first all values of a path at once where copies of an object may have
    other names, then one after the other in its place, which others may refer to."""
    places = list(_places())
    chance = random.Random(0)
    together = [Case(*place, VALUES) for place, may_be_copied in places if may_be_copied]
    single = [Case(*place, (value,)) for place, _ in places for value in VALUES]
    chance.shuffle(together)
    chance.shuffle(single)
    return together + single


def _places() -> Iterator[tuple[tuple[Files, str, int, _Path], bool]]:
    """Each path of each kind once, in the smallest repository that has it."""
    seen = set()
    for seed in sorted(seeds(), key=lambda files: sum(map(len, files.values()))):
        for file, data in sorted(seed.items()):
            name = file.rpartition("/")[2]
            if not name.endswith((".yaml", ".yml", ".json", ".lock")):
                continue
            for at, document in enumerate(read(data).documents):
                value = document.value
                if not isinstance(value, dict) or not _is_written(value):
                    continue
                kind = value.get("kind") if isinstance(value.get("kind"), str) else ""
                group = str(value.get("apiVersion", "")).rpartition("/")[0]
                if not kind and name[0].isdigit():  # of a test, which knows what it is
                    continue
                named = isinstance(value.get("metadata"), dict) and isinstance(value["metadata"].get("name"), str)
                for path in _paths(value):
                    key = (group, kind or name, tuple("*" if isinstance(part, int) else part for part in path))
                    if key not in seen:
                        seen.add(key)
                        yield (seed, file, at, path), bool(kind and named and path[:2] != ("metadata", "name"))


def _paths(value: Any, above: _Path = ()) -> Iterator[_Path]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in items:
        path = (*above, name)
        yield path
        yield from _paths(inner, path)


def _written(value: Any) -> str:
    return json.dumps(value, default=str)


def _is_written(value: Any) -> bool:
    """Whether JSON says the same: its keys are texts, and it holds itself nowhere."""
    try:
        return bool(json.loads(_written(value)) == value)
    except (ValueError, TypeError, RecursionError):
        return False
