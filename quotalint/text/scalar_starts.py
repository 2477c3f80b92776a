"""Where the characters of a text stand in the YAML file that it is a value of."""

from __future__ import annotations

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from quotalint.text.place import Path


def scalar_start(data: bytes, document: int, path: Path) -> tuple[int, int]:
    """Line and column (from 1) at which the text of a scalar begins: behind its quotes, or in the first line of its
    block. Of what is not there, the first line."""
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
