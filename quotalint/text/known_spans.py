"""Where in files places are, as it was looked up before in the same text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quotalint.text import spans
from quotalint.text.place import Place, Span


class KnownSpans:
    """What was looked up. A class because it grows, and forgets what is in files that change."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[bytes, dict[Place, Span]]] = {}
        """By the name of a file: its text, and what was looked up in it."""

    def locate(self, name: str, data: bytes, places: Sequence[Place]) -> Mapping[Place, Span]:
        """The span of each place in the file of a name, of which `data` are the bytes now."""
        before, known = self._known.get(name, (b"", {}))
        if before != data:
            known = {}
        missing = [place for place in places if place not in known]
        if missing:
            known.update(spans.locate(data, missing))
        self._known[name] = data, known
        return {place: known[place] for place in places}
