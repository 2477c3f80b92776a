"""Where in a file a place is: the way from a symbolic place to lines and columns, gone once per finding."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from yaml.nodes import MappingNode, Node, SequenceNode

from quotalint.text.documents import Part, in_file, parts
from quotalint.text.json_reader import as_yaml
from quotalint.text.loader import Loaded, RefusedError, entries
from quotalint.text.nodes import Trouble, compose, position
from quotalint.text.place import Path, Place, Span


def locate(data: bytes, places: Iterable[Place]) -> dict[Place, Span]:
    """The span of each place in the file of which `data` are the bytes; `Place.source` is not looked at.

    - A path that ends in a key denotes the entry: from the key's start to the value's end where that is on the
      same line, else to the key's end.
    - A path that ends in an index denotes the item: from its value's start to its end on the same line, else to
      the end of its first line.
    - The path () denotes the first line of the document's content.
    - A path of which only the beginning exists denotes what that beginning does, and a document that cannot be
      read its first line.
    - A key given twice is the last one, the one that Kubernetes takes.
    - What an alias stands for, and what `<<` merges in, is where it is written: at the anchor.

    Columns count characters; a byte order mark is none.
    """
    wanted: dict[int, list[Place]] = defaultdict(list)
    for place in places:
        wanted[place.document].append(place)
    found: dict[Place, Span] = {}
    cut = parts(data)
    for document, within in wanted.items():
        if 0 <= document < len(cut):
            text = _Text.of(cut[document])
            found.update((place, text.span(place.path)) for place in within)
        else:
            found.update((place, Span(1, 1, 1, 1)) for place in within)
    return found
