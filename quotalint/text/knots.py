"""Aliases that cannot be followed to the end: cycles, and those that multiply."""

from __future__ import annotations

from yaml.nodes import MappingNode, Node, ScalarNode


def entangled(root: Node) -> tuple[str, Node] | None:
    """Why the aliases of a document cannot be followed, and at which node: a cycle, or an alias bomb.

    The bound is that of go.yaml.in/yaml/v2 (decode.go, `allowedAliasRatio`): up to 400,000 decoded nodes
    99 % may come of aliases, from 4,000,000 on 10 %.
    """
    if isinstance(root, ScalarNode):
        return None
    within, size = _inside(root)
    sizes = {id(root): 0}  # of collections, in nodes, every alias followed; 0 while we are inside
    path = [(root, iter(within))]
    totals = [size]
    written = size
    while path:
        node, children = path[-1]
        for child in children:
            known = sizes.get(id(child))
            if known is None:
                within, size = _inside(child)
                sizes[id(child)] = 0
                path.append((child, iter(within)))
                totals.append(size)
                written += size
                break
            if known == 0:
                return "an anchor contains an alias of itself", child
            totals[-1] += known + 1
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
    """The collections directly inside a collection, and how many nodes it has of its own, itself included."""
    nodes = [part for entry in node.value for part in entry] if isinstance(node, MappingNode) else node.value
    collections = [child for child in nodes if child.__class__ is not ScalarNode]
    return collections, 1 + len(nodes) - len(collections)
