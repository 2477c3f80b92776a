"""Keys that a patch gives twice.

Kustomize looks the keys of a patch up one by one, and takes the first, where the object has a mapping to merge theirs
into (kyaml/yaml/walk, release 5.8). A mapping that the object has not it takes as it is written, with both, and then
refuses to decode the object (go.yaml.in/yaml/v3).
"""

from __future__ import annotations

from typing import Any

from quotalint.text.documents import Reading
from quotalint.text.place import Path


class RepeatingMapping(dict[Any, Any]):
    """A mapping that is written with a key twice: of the values it has the first alone."""

    def __init__(self, values: dict[Any, Any], key: str) -> None:
        super().__init__(values)
        self.key = key


def with_repeats(first_keys: Reading, written: Reading) -> Reading:
    """What a patch says by its first keys, where what is `written` gives some twice."""
    repeats = {document.index: document.duplicates for document in written.documents}
    documents = []
    for document in first_keys.documents:
        value = document.value
        # From within: what is around a mapping is made again with it.
        for repeat in sorted(repeats.get(document.index, ()), key=lambda repeat: len(repeat.path), reverse=True):
            value = _mark_key(value, repeat.path, repeat.key)
        documents.append(document._replace(value=value))
    return first_keys._replace(documents=tuple(documents))


def repeated_key(value: object) -> str:
    """A key that is written twice in a value; empty where there is none."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, RepeatingMapping):
            return value.key
        waiting += value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return ""


def _mark_key(value: Any, path: Path, key: str) -> Any:
    """A value with a mapping in it that is written with a key twice; nothing of it may be what the path leads to, as it
    stands in what is given again."""
    if not path:
        return RepeatingMapping(value, key) if isinstance(value, dict) else value
    if isinstance(value, dict) and path[0] in value:
        return {**value, path[0]: _mark_key(value[path[0]], path[1:], key)}
    if isinstance(value, list) and isinstance(path[0], int) and path[0] < len(value):
        return [_mark_key(item, path[1:], key) if at == path[0] else item for at, item in enumerate(value)]
    return value
