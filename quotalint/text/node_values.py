"""Converts a document's nodes into plain values, like Kubernetes: go.yaml.in/yaml/v2, then JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from quotalint.named_tuples import NamedTuple
from quotalint.text import guards
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.loader import Loaded, Repeat, Trouble
from quotalint.text.nodes import STRING, compose, positions
from quotalint.text.place import Path
from quotalint.text.scalars import Scalar, UnreadableError, plain, plain_keys, tagged_key, tagged_value


class Entry(NamedTuple):
    """One entry of a mapping, its own or a merged one."""

    key: str
    key_node: ScalarNode
    value_node: Node


class RefusedNodeError(Exception):
    """Kubernetes does not accept this node here."""

    def __init__(self, message: str, node: Node) -> None:
        super().__init__(message)
        self.node = node


def load_nodes(text: bytes, *, merges_first: bool = False, first_keys: bool = False) -> Loaded | Trouble:
    """The result of `loader.load` for any text."""
    composed = compose(text)
    if isinstance(composed, Trouble):
        return composed
    root, has_more = composed
    if root is None:
        return Loaded(None, is_common=True)
    merging = b"<<" in text
    try:
        if merging:
            untangle(root)
            if merges_first:
                _sort_merges(root)
        if first_keys:
            _drop_repeated(root)
        value, repeating, aliased = _construct_value(root, merging=merging, aliasing=b"*" in text)
        if aliased and not merging:
            untangle(root)
        repeats = _repeated_keys(text, root, repeating) if repeating else ()
    except RefusedNodeError as refusal:
        return Trouble(str(refusal), *positions(text)(refusal.node.start_mark))
    return Loaded(value, repeats, _dropped_line(text, root) if has_more else None)


def entries(mapping: MappingNode) -> list[Entry]:
    """The entries of a mapping in the order in which Go sets them, so the last of a key wins.

    go.yaml.in/yaml/v2 merges at the position of `<<`, overriding what precedes it, and merges a list from its end
    (decode.go, `mapping` and `merge`). Raises `RefusedNodeError`.
    """
    ordered_entries: list[Entry] = []
    pending_pairs = list(reversed(mapping.value))
    while pending_pairs:
        key, value = pending_pairs.pop()
        if _is_merge(key):
            for merged in _merge_sources(value):
                pending_pairs += reversed(merged.value)
        else:
            ordered_entries.append(Entry(_key_of(key), key, value))
    return ordered_entries


def untangle(root: Node) -> None:
    """Raises `RefusedNodeError` if the aliases below `root` form a cycle or expand too much."""
    knot = alias_tangle(root)
    if knot is not None:
        raise RefusedNodeError(*knot)


def _construct_value(root: Node, *, merging: bool, aliasing: bool) -> tuple[object, list[MappingNode], bool]:
    """The value of a node, the mappings with repeated keys, and whether collections have aliases.

    This is the hot path of every run, so it uses plain loops, and a list because recursion would reach Python's limit
    long before ours. Aliases share the value of their anchor, so even an alias bomb is built quickly.
    """
    if isinstance(root, ScalarNode):
        return _scalar_of(root), [], False
    value: Any = {} if isinstance(root, MappingNode) else []
    inner: Any
    todo: list[tuple[Any, Any]] = [(root, value)]
    built = {id(root): value}
    repeating = []
    aliased = False
    at: Node = root
    try:
        for node, target in todo:
            if node.__class__ is MappingNode:
                pairs = _unfold_merges(node) if merging else node.value
                for at, child in pairs:
                    key = plain_keys[at.value] if at.__class__ is ScalarNode and not at.tag else _key_of(at)
                    at = child
                    if child.__class__ is ScalarNode:
                        target[key] = _scalar_of(child) if child.tag else plain[child.value]
                    elif aliasing and id(child) in built:
                        target[key] = built[id(child)]
                        aliased = True
                    else:
                        target[key] = inner = {} if child.__class__ is MappingNode else []
                        todo.append((child, inner))
                        if aliasing:
                            built[id(child)] = inner
                if len(target) != len(pairs) or (merging and _merges_again(node)):
                    repeating.append(node)
            else:
                for at in node.value:
                    if at.__class__ is ScalarNode:
                        target.append(_scalar_of(at) if at.tag else plain[at.value])
                    elif aliasing and id(at) in built:
                        target.append(built[id(at)])
                        aliased = True
                    else:
                        inner = {} if at.__class__ is MappingNode else []
                        target.append(inner)
                        todo.append((at, inner))
                        if aliasing:
                            built[id(at)] = inner
    except UnreadableError as error:
        raise RefusedNodeError(str(error), at) from None
    return value, repeating, aliased


def _scalar_of(node: ScalarNode) -> Scalar:
    text: str = node.value
    if node.tag == STRING:
        return text
    try:
        return tagged_value(node.tag, text) if node.tag else plain[text]
    except UnreadableError as error:
        raise RefusedNodeError(str(error), node) from None


def _key_of(node: Node) -> str:
    if not isinstance(node, ScalarNode):
        raise RefusedNodeError("a key cannot be a mapping or a list", node)
    try:
        return tagged_key(node.tag, node.value) if node.tag else plain_keys[node.value]
    except UnreadableError as error:
        raise RefusedNodeError(str(error), node) from None


def _unfold_merges(mapping: MappingNode) -> list[tuple[Node, Node]]:
    """Keys and values of a mapping, including merged ones."""
    if "<<" in [key.value for key, _ in mapping.value]:
        return [(entry.key_node, entry.value_node) for entry in entries(mapping)]
    pairs: list[tuple[Node, Node]] = mapping.value
    return pairs


def _sort_merges(root: Node) -> None:
    """Moves the merges of every mapping before its own entries, which then override them."""
    for node in _nodes_below(root):
        if isinstance(node, MappingNode):
            node.value.sort(key=lambda pair: not _is_merge(pair[0]))


def _nodes_below(root: Node) -> Iterator[Node]:
    """Each node once, before its children, which may change meanwhile."""
    todo = [root]
    visited_ids = {id(root)}
    while todo:
        node = todo.pop()
        yield node
        below = node.value if isinstance(node, SequenceNode) else ()
        if isinstance(node, MappingNode):
            below = [value for _, value in node.value]
        for child in below:
            if id(child) not in visited_ids:
                visited_ids.add(id(child))
                todo.append(child)


def _drop_repeated(root: Node) -> None:
    """Keeps only the first entry of each repeated key."""
    for node in _nodes_below(root):
        if isinstance(node, MappingNode):
            first: dict[str, tuple[Node, Node]] = {}
            for pair in node.value:
                first.setdefault("<<" if _is_merge(pair[0]) else _key_of(pair[0]), pair)
            node.value[:] = first.values()


def _merges_again(mapping: MappingNode) -> bool:
    return [key.value for key, _ in mapping.value].count("<<") > 1


def _is_merge(key: Node) -> bool:
    return isinstance(key, ScalarNode) and key.value == "<<" and key.tag in ("", "tag:yaml.org,2002:merge")


def _merge_sources(value: Node) -> list[MappingNode]:
    """The mappings that a `<<` merges; the last is set first, so the list can be put on a stack."""
    sources = value.value if isinstance(value, SequenceNode) else [value]
    for source in sources:
        if not isinstance(source, MappingNode):
            raise RefusedNodeError("a merge takes a mapping or a list of mappings", source)
    return list(sources)


def _repeated_keys(text: bytes, root: Node, repeating: list[MappingNode]) -> tuple[Repeat, ...]:
    """The positions of repeated keys. Paths are computed only now, because this is rare."""
    wanted = {id(mapping) for mapping in repeating}
    position = positions(text)
    repeats: list[Repeat] = []
    steps: list[tuple[Any, int, str | int]] = [(root, 0, "")]  # a collection, the number of its parent, the step to it
    visited_ids = {id(root)}
    for number, (node, _, _) in enumerate(steps):
        if len(repeats) >= guards.MAX_REPEATS:
            break
        below = enumerate(node.value) if isinstance(node, SequenceNode) else _unfold_merges(node)
        for step, child in below:
            if not isinstance(child, ScalarNode) and id(child) not in visited_ids:
                visited_ids.add(id(child))
                steps.append((child, number, step if isinstance(step, int) else _key_of(step)))
        if id(node) in wanted:
            path = _path_of_steps(steps, number)
            first: dict[str, Node] = {}
            for key_node, _ in node.value:
                key = "<<" if _is_merge(key_node) else _key_of(key_node)
                before = first.setdefault(key, key_node)
                if before is not key_node:
                    at, (first_line, _) = position(key_node.start_mark), position(before.start_mark)
                    repeats.append(Repeat(path, key, *at, first_line))
                    if len(repeats) == guards.MAX_REPEATS:
                        break
    return tuple(sorted(repeats, key=lambda repeat: (repeat.line, repeat.column)))


def _path_of_steps(steps: list[tuple[Any, int, str | int]], number: int) -> Path:
    path = []
    while number:
        _, number, step = steps[number]
        path.append(step)
    return tuple(reversed(path))


def _dropped_line(text: bytes, root: Node) -> int | None:
    """The line of the first content after a document, besides comments and end markers."""
    decoded = text.decode("utf-8-sig", "replace")
    behind = _NOTHING.match(decoded, root.end_mark.index)
    at = behind.end() if behind else len(decoded)
    return decoded.count("\n", 0, at) if at < len(decoded) else None


_NOTHING = lazy_pattern(r"(?:\s|#[^\n]*(?:\n|\Z)|^\.\.\.(?=\s))*", re.MULTILINE)


def alias_tangle(root: Node) -> tuple[str, Node] | None:
    """Why the aliases of a document cannot be expanded, and the node: a cycle, or an alias bomb.

    The bound is that of go.yaml.in/yaml/v2 (decode.go, `allowedAliasRatio`): up to 400,000 decoded nodes, 99 % may come
    from aliases; from 4,000,000 on, 10 %.
    """
    if isinstance(root, ScalarNode):
        return None
    within, size = _inside(root)
    sizes = {id(root): 0}  # the sizes of collections in nodes, with aliases expanded; 0 during the visit
    path = [(root, iter(within))]
    totals = [size]
    written = size
    while path:
        node, children = path[-1]
        for child in children:
            known_size = sizes.get(id(child))
            if known_size is None:
                within, size = _inside(child)
                sizes[id(child)] = 0
                path.append((child, iter(within)))
                totals.append(size)
                written += size
                break
            if known_size == 0:
                return "an anchor contains an alias of itself", child
            totals[-1] += known_size + 1
            written += 1
        else:
            path.pop()
            sizes[id(node)] = expanded = totals.pop()
            if totals:
                totals[-1] += expanded
    aliased = expanded - written
    if aliased > 100 and expanded > 1000 and aliased / expanded > _allowed_share(expanded):
        return "the aliases of this document multiply beyond what Kubernetes accepts", root
    return None


def _allowed_share(expanded: int) -> float:
    low, high = 400_000, 4_000_000
    return 0.99 - 0.89 * (min(max(expanded, low), high) - low) / (high - low)


def _inside(node: Node) -> tuple[list[Node], int]:
    """The collections directly in a collection, and the number of its own nodes including itself."""
    nodes = [part for entry in node.value for part in entry] if isinstance(node, MappingNode) else node.value
    collections = [child for child in nodes if child.__class__ is not ScalarNode]
    return collections, 1 + len(nodes) - len(collections)
