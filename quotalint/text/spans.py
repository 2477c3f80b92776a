"""The lines and columns of places in a file, computed once per finding."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

import yaml
from yaml import Mark
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from quotalint.named_tuples import NamedTuple
from quotalint.text.documents import DocumentPart, in_file, parts
from quotalint.text.json_reader import as_yaml
from quotalint.text.loader import Loaded, Trouble
from quotalint.text.node_values import RefusedNodeError, entries, untangle
from quotalint.text.nodes import compose, positions
from quotalint.text.place import Path, Place, Span, document_number, range_of


def locate(data: bytes, places: Iterable[Place]) -> dict[Place, Span]:
    """The span of each place in the file with the bytes `data`; `Place.source` is ignored.

    - A path that ends in a key denotes the entry: from the key's start to the value's end if that is on the same
      line, else to the key's end.
    - A path that ends in an index denotes the item: from its value's start to its end on the same line, else to
      the end of its first line.
    - The path () denotes the first line of the document's content.
    - If only the beginning of a path exists, it denotes the same as that beginning. In an unparsable document every
      path denotes the first line; the actions of a template (`{{ … }}`) are skipped first.
    - Of a repeated key the last one counts, as in Kubernetes.
    - A path may continue into a manifest inside a block of text (`|`), with a step for the document in it.
    - The content of an alias, and of `<<`, is located at the anchor.
    - In a file that is not YAML, a path begins with a range of it, or with the lines of YAML in it.

    Columns count characters, without a byte order mark.
    """
    wanted: dict[int, list[Place]] = defaultdict(list)
    spans: dict[Place, Span] = {}
    for place in places:
        numbers = range_of(place.path)
        if numbers:
            spans[place] = Span(*numbers) if len(numbers) == 4 else _span_in_lines(data, place.path[3:], *numbers)
        else:
            wanted[place.document].append(place)
    if not wanted:
        return spans
    cut = parts(data)
    for document, within in wanted.items():
        if 0 <= document < len(cut):
            text = _Text.of(cut[document])
            spans.update((place, text.span(place.path)) for place in within)
        else:
            spans.update((place, Span(1, 1, 1, 1)) for place in within)
    return spans


def _span_in_lines(data: bytes, path: Path, first: int, last: int) -> Span:
    """The span of a path in the YAML of some lines, which may be indented."""
    lines = data.decode("utf-8", "replace").split("\n")[first - 1 : last]
    indent = min((_indent_of(line) for line in lines if line.strip()), default=0)
    number = document_number(path[0]) if path else None
    place = Place("", number or 0, path[1:])
    span = locate("\n".join(line[indent:] for line in lines).encode(), [place])[place]
    return Span(first - 1 + span.line, indent + span.column, first - 1 + span.end_line, indent + span.end_column)


class KnownSpans:
    """A cache of spans. It is a class because it grows, and drops those of changed files."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[bytes, dict[Place, Span]]] = {}
        """The bytes of each file, and the spans in it, by the file's name."""

    def locate(self, name: str, data: bytes, places: Sequence[Place]) -> Mapping[Place, Span]:
        """The span of each place in the file with this name, whose bytes are now `data`."""
        known_data, known = self._known.get(name, (b"", {}))
        if known_data != data:
            known = {}
        missing = [place for place in places if place not in known]
        if missing:
            known.update(locate(data, missing))
        self._known[name] = data, known
        return {place: known[place] for place in places}


class _Text(NamedTuple):
    """A document composed again, to look up paths in it."""

    part: DocumentPart
    position: Callable[[Mark], tuple[int, int]]
    lines: list[str]
    root: Node | None
    tables: dict[int, dict[str, tuple[Node, Node]]]
    """The key and value nodes of visited mappings, by the id of the mapping."""

    @classmethod
    def of(cls, part: DocumentPart) -> _Text:
        text = as_yaml(part.text.decode()).encode() if isinstance(part.loaded, Loaded) else part.text
        composed = compose(text)
        if isinstance(composed, Trouble) and b"{{" in text:
            from quotalint.text.inner import mask_actions

            composed = compose(mask_actions(text.decode("utf-8", "replace")))
        root = None if isinstance(composed, Trouble) else composed[0]
        if root is not None:
            try:
                untangle(root)
            except RefusedNodeError:
                root = None
        return cls(part, positions(text), text.decode("utf-8-sig", "replace").removesuffix("\n").split("\n"), root, {})

    def span(self, path: Path) -> Span:
        if self.root is None:
            return self._line(*self._first_content())
        node, key = self.root, None
        followed = False
        for at, step in enumerate(path):
            below = self._below(node, step)
            if below is None:
                inside = self._span_in_block_text(node, path[at:])
                if inside is not None:
                    return inside
                break
            key, node = below
            followed = True
        if not followed:
            return self._line(*self.position(node.start_mark))
        return self._item(node) if key is None else self._entry(key, node)

    def _below(self, node: Node, step: str | int) -> tuple[Node | None, Node] | None:
        """The key, if there is one, and the value at a step."""
        if isinstance(node, SequenceNode) and isinstance(step, int) and 0 <= step < len(node.value):
            return None, node.value[step]
        if isinstance(node, MappingNode) and isinstance(step, str):
            table = self.tables.get(id(node))
            if table is None:
                try:
                    table = {entry.key: (entry.key_node, entry.value_node) for entry in entries(node)}
                except RefusedNodeError:
                    table = {}
                self.tables[id(node)] = table
            return table.get(step)
        return None

    def _span_in_block_text(self, node: Node, path: Path) -> Span | None:
        """The span of a path that continues in a manifest in a block text, to one of its documents."""
        number = document_number(path[0])
        if number is None or not (isinstance(node, ScalarNode) and node.style == "|"):
            return None
        from quotalint.text.inner import mask_actions

        first = self.position(node.start_mark)[0] + 1
        text = mask_actions(node.value)
        # The indentation is what each line has lost; blank lines have none.
        pairs = zip(self.lines[first:], text.decode("utf-8", "replace").split("\n"), strict=False)
        indent = next((_indent_of(line) - _indent_of(own) for line, own in pairs if own.strip()), 0)
        place = Place("", number, path[1:])
        inner_span = locate(text, [place])[place]
        start = first + inner_span.line - 1, indent + inner_span.column - 1
        return self._span(start, (first + inner_span.end_line - 1, indent + inner_span.end_column - 1))

    def _entry(self, key: Node, value: Node) -> Span:
        start, end = self.position(key.start_mark), self.position(key.end_mark)
        value_start, value_end = self.position(value.start_mark), self.position(value.end_mark)
        if value_start >= end and value_end[0] == start[0]:  # an alias is written before its use
            end = value_end
        return self._span(start, end)

    def _item(self, value: Node) -> Span:
        start, end = self.position(value.start_mark), self.position(value.end_mark)
        return self._span(start, end) if start[0] == end[0] else self._line(*start)

    def _line(self, line: int, column: int) -> Span:
        """The span from a column to the end of its line."""
        end = len(self.lines[line].rstrip()) if line < len(self.lines) else 0
        return self._span((line, column), (line, max(end, column)))

    def _span(self, start: tuple[int, int], end: tuple[int, int]) -> Span:
        last = len(self.lines) - 1, len(self.lines[-1])  # no position may be after the last line
        return Span(*in_file(self.part, *min(start, last)), *in_file(self.part, *min(end, last)))

    def _first_content(self) -> tuple[int, int]:
        """The first line that is not blank, a comment or a separator; the first line if there is none."""
        for line, text in enumerate(self.lines):
            content = text.lstrip()
            if content and not content.startswith(("#", "---")):
                return line, len(text) - len(content)
        return 0, 0


def _indent_of(line: str) -> int:
    return len(line) - len(line.lstrip())


def scalar_start(data: bytes, document: int, path: Path) -> tuple[int, int]:
    """Line and column (from 1) of a scalar's text: after its quotes, or in the first line of its block. (1, 1) if it
    does not exist."""
    try:
        roots = list(yaml.compose_all(data.decode("utf-8", "replace"), Loader=yaml.SafeLoader))
    except yaml.YAMLError:
        return 1, 1
    node = roots[document] if document < len(roots) else None
    for key in path:
        node = _node_below(node, key)
    if not isinstance(node, ScalarNode):
        return 1, 1
    line, column = node.start_mark.line + 1, node.start_mark.column + 1
    if node.style in ("|", ">"):
        lines = data.decode("utf-8", "replace").split("\n")
        while line < len(lines) and not lines[line].strip():
            line += 1
        text = lines[line] if line < len(lines) else ""
        return line + 1, len(text) - len(text.lstrip()) + 1
    return line, column + (1 if node.style in ("'", '"') else 0)


def _node_below(node: Node | None, key: str | int) -> Node | None:
    if isinstance(node, MappingNode):
        return next((value for name, value in node.value if name.value == key), None)
    if isinstance(node, SequenceNode) and isinstance(key, int) and key < len(node.value):
        element: Node = node.value[key]
        return element
    return None
