"""Keys that a patch repeats.

Kustomize looks up patch keys one by one and takes the first, if the object has a mapping to merge into
(kyaml/yaml/walk, release 5.8). A mapping that the object lacks is copied with both keys; decoding the object then fails
(go.yaml.in/yaml/v3).
"""

from __future__ import annotations

from typing import Any

from quotalint.text.documents import Reading
from quotalint.text.place import Path


class RepeatingMapping(dict[Any, Any]):
    """A mapping with a repeated key; it holds the first value only."""

    def __init__(self, values: dict[Any, Any], key: str) -> None:
        super().__init__(values)
        self.key = key


def with_repeats(first_keys: Reading, written: Reading) -> Reading:
    """The patch read by first keys, with the mappings marked that repeat a key in `written`."""
    repeats = {document.index: document.duplicates for document in written.documents}
    documents = []
    for document in first_keys.documents:
        value = document.value
        # Innermost first: marking a mapping copies the mappings around it.
        for repeat in sorted(repeats.get(document.index, ()), key=lambda repeat: len(repeat.path), reverse=True):
            value = _mark_key(value, repeat.path, repeat.key)
        documents.append(document._replace(value=value))
    return first_keys._replace(documents=tuple(documents))


def repeated_key(value: object) -> str:
    """A repeated key in a value; empty if there is none."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, RepeatingMapping):
            return value.key
        waiting += value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return ""


def _mark_key(value: Any, path: Path, key: str) -> Any:
    """The value with the mapping at a path marked as repeating a key. A mapping given twice may lack the path; the
    value then stays unchanged."""
    if not path:
        return RepeatingMapping(value, key) if isinstance(value, dict) else value
    if isinstance(value, dict) and path[0] in value:
        return {**value, path[0]: _mark_key(value[path[0]], path[1:], key)}
    if isinstance(value, list) and isinstance(path[0], int) and path[0] < len(value):
        return [_mark_key(item, path[1:], key) if at == path[0] else item for at, item in enumerate(value)]
    return value
