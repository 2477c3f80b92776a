"""Composes a document's text into libyaml's nodes with positions."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import yaml
from yaml.composer import ComposerError
from yaml.error import MarkedYAMLError, YAMLError
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    DocumentEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    StreamEndEvent,
)
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from yaml.parser import Parser
from yaml.reader import Reader, ReaderError
from yaml.scanner import Scanner

from quotalint.text import guards
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.loader import Trouble as Trouble

STRING = "tag:yaml.org,2002:str"


def compose(text: bytes) -> tuple[Node | None, bool] | Trouble:
    """The nodes of the first document of `text` (None if it is empty), and whether content follows, which is dropped as
    in Go.

    A scalar without a tag gets the tag `STRING` if it is quoted or a block, else an empty tag: the caller resolves it.
    The tag `!` makes a quoted scalar plain, and is removed. An alias is the node of its anchor: callers that follow
    aliases call `node_values.untangle` first.
    """
    if len(text) > guards.MAX_ENTRIES and guards.entries(text) > guards.MAX_ENTRIES:
        return Trouble(f"the document is too large: it has more than {guards.MAX_ENTRIES:,} lines and entries", 0, 0)
    try:
        return _compose_document(text)
    except YAMLError as error:
        return _trouble_of(text, error)
    except UnicodeDecodeError:  # libyaml accepts `%` escapes that PyYAML cannot decode
        return Trouble("a tag is not UTF-8", 0, 0)


def positions(text: bytes) -> Callable[[yaml.Mark], tuple[int, int]]:
    """A function that gives line and column of a mark in `text`, from 0. Lines end only at line feeds, as for editors
    and Kubernetes.

    libyaml also counts YAML 1.1's other line breaks, which may be in comments and strings.
    """
    if not any(other in text for other in _OTHER_BREAKS):
        return lambda mark: (mark.line, mark.column)
    decoded = text.decode("utf-8-sig", "replace")

    def position(mark: yaml.Mark) -> tuple[int, int]:
        line_start = decoded.rfind("\n", 0, mark.index) + 1
        return decoded.count("\n", 0, mark.index), mark.index - line_start

    return position


_OTHER_BREAKS = (b"\r", "\x85".encode(), "\u2028".encode(), "\u2029".encode())


class _PureParser(Reader, Scanner, Parser):
    """The parser without libyaml: events from Python, about fifteen times slower."""

    def __init__(self, text: bytes) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)


_event_parser: type = _PureParser
if yaml.__with_libyaml__:
    from yaml._yaml import CParser

    class _FastParser(CParser):
        """libyaml's parser, which calls these three for each node; two of them do not run Python code."""

        descend_resolver: Any = staticmethod(operator.is_)
        ascend_resolver: Any = "".isspace

        def resolve(self, kind: type, value: str | None, implicit: Any) -> str:
            return "" if value is None or implicit[0] else STRING

    class _CountingParser(_FastParser):
        """The same parser, with the depth counted before PyYAML recurses further."""

        depth = 0

        def descend_resolver(self, parent: Node | None, index: object) -> None:
            self.depth += 1
            if self.depth > guards.MAX_DEPTH and parent is not None:
                raise _too_deep(parent)

        def ascend_resolver(self) -> None:
            self.depth -= 1

    _event_parser = CParser


def _too_deep(parent: Node) -> MarkedYAMLError:
    return MarkedYAMLError(None, None, _TOO_DEEP, parent.start_mark)


_TOO_DEEP = f"nested deeper than {guards.MAX_DEPTH} levels"
# From 0.2.6 on, libyaml has the same bound (MAX_NESTING_LEVEL), and reaches it while scanning, before composing.
_TOO_DEEP_FOR_LIBYAML = "exceeded maximum nesting depth"


def _compose_document(text: bytes) -> tuple[Node | None, bool]:
    if _event_parser is _PureParser:
        return _compose_events(text)
    parser = (_CountingParser if guards.nesting(text) > guards.MAX_DEPTH else _FastParser)(text)
    try:
        root = parser.get_node() if parser.check_node() else None
    except ComposerError:  # PyYAML refuses to redefine an anchor, YAML and Go do not
        return _compose_events(text)
    try:
        return root, parser.check_node()
    except YAMLError:
        return root, True


def _compose_events(text: bytes) -> tuple[Node | None, bool]:
    """The same result, from events on a stack of our own, where anchors may be redefined."""
    parser = _event_parser(text)
    root = None
    anchors: dict[str, Node] = {}
    inside: list[Node] = []
    while not isinstance(event := parser.get_event(), (DocumentEndEvent, StreamEndEvent)):
        if isinstance(event, CollectionEndEvent):
            _close_node(inside.pop(), event)
        elif isinstance(event, NodeEvent):
            node = _node_of_event(event, anchors)
            if len(inside) >= guards.MAX_DEPTH:
                raise _too_deep(inside[-1])
            if inside:
                inside[-1].value.append(node)
            else:
                root = node
            if not isinstance(event, (ScalarEvent, AliasEvent)):
                inside.append(node)
    try:
        return root, root is not None and not parser.check_event(StreamEndEvent)
    except YAMLError:
        return root, True


def _node_of_event(event: NodeEvent, anchors: dict[str, Node]) -> Node:
    start: Any = event.start_mark
    end: Any = event.end_mark
    if isinstance(event, AliasEvent):
        if event.anchor not in anchors:
            raise ComposerError(None, None, f"found undefined alias {event.anchor!r}", start)
        return anchors[event.anchor]
    node: Node
    if isinstance(event, ScalarEvent):
        if _SURROGATE.search(event.value):  # only the Python parser accepts them
            raise MarkedYAMLError(None, None, "found invalid Unicode character escape code", start)
        node = ScalarNode("" if event.implicit[0] else event.tag or STRING, event.value, start, end)
    else:
        node = (MappingNode if isinstance(event, MappingStartEvent) else SequenceNode)("", [], start, end)
    if event.anchor is not None:
        anchors[event.anchor] = node
    return node


_SURROGATE = lazy_pattern("[\ud800-\udfff]")


def _close_node(node: Node, event: Any) -> None:
    node.end_mark = event.end_mark
    if isinstance(node, MappingNode):
        node.value = list(zip(node.value[::2], node.value[1::2], strict=True))


def _trouble_of(text: bytes, error: YAMLError) -> Trouble:
    if isinstance(error, ReaderError):
        return _no_text(text, error)
    if not isinstance(error, MarkedYAMLError):
        return Trouble(str(error), 0, 0)
    message = ", ".join(part for part in (error.problem, error.context) if part)
    message = _TOO_DEEP if message.startswith(_TOO_DEEP_FOR_LIBYAML) else message
    lines = text.decode("utf-8-sig", "replace").split("\n")
    last = max(len(lines) - 2, 0)  # the text ends with a line break that the file may not have
    position = positions(text)
    for mark in (error.problem_mark, error.context_mark):
        line, column = (0, 0) if mark is None else position(mark)
        if line <= last:  # an unclosed construct is reported where it opens
            break
    else:
        line, column = last, len(lines[last])
    if lines[line][column : column + 1] == "\t":
        message = "found a tab where YAML allows only spaces"
    return Trouble(message, line, column)


def _no_text(text: bytes, error: ReaderError) -> Trouble:
    """The position of a reader error, searched again, because parsers count bytes or characters."""
    try:
        decoded = text.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        before = text[: wrong.start].decode("utf-8-sig")
        message = f"the text is not UTF-8: byte 0x{text[wrong.start]:02X}"
    else:
        control = _CONTROL.search(decoded)
        before = decoded[: control.start()] if control else ""
        message = f"the control character U+{ord(control[0]):04X} is not allowed" if control else error.reason
    return Trouble(message, before.count("\n"), len(before) - before.rfind("\n") - 1)


_CONTROL = lazy_pattern("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
