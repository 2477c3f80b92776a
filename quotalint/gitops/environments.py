"""Which roots are applied together: an environment is a cluster, as far as a repository tells clusters apart.

The configuration says so, else Argo CD and Flux do by the clusters that they name, else the paths of roots that give
the same objects: `overlays/dev` and `overlays/prod` cannot both be true of one cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import NamedTuple

from quotalint.gitops.conflicts import Group, groups
from quotalint.gitops.rendering import IN_CLUSTER, Rendering, Unseen
from quotalint.gitops.roots import Root


class Environment(NamedTuple):
    """What is applied to one cluster."""

    name: str
    """Empty where there is only one, which nothing names."""
    renderings: tuple[Rendering, ...]
    unseen: tuple[Unseen, ...]


def environments(roots: Sequence[Root], configured: Callable[[str], tuple[str, ...]]) -> tuple[Environment, ...]:
    """The environments by name; `configured` gives those of a folder, none where the configuration does not say."""
    given = {number: own for number, root in enumerate(roots) if (own := configured(root.folder))}
    found = groups(roots)
    labels = {number: label for group in found for number, label in group.labels.items() if number not in given}
    named = _named(roots, configured)
    names = {name for several in given.values() for name in several} | named
    names |= _widest({label for label in labels.values() if not _alike(label, names)})
    if any(_rules_clusters(root) for number, root in enumerate(roots) if number not in given and number not in labels):
        names.add(IN_CLUSTER)
    members = {
        number: given.get(number) or _members(root, labels.get(number), names) for number, root in enumerate(roots)
    }
    unrelated = _unrelated(found, members)
    renderings: dict[str, list[Rendering]] = {}
    for number, root in enumerate(roots):
        for part in root.parts:
            for name in dict.fromkeys(configured(part.rendering.folder) or _of_part(part.destination, members[number])):
                renderings.setdefault(name, []).append(part.rendering)
    return tuple(
        Environment(name, tuple(renderings.get(name, ())), tuple(unrelated.get(name, ())))
        for name in sorted(names or {""})
    )


def _of_part(destination: str, of_root: Sequence[str]) -> Sequence[str]:
    return (destination,) if destination else of_root


def _named(roots: Sequence[Root], configured: Callable[[str], tuple[str, ...]]) -> set[str]:
    """The clusters that are named as destinations, or configured for what is deployed there."""
    parts = [part for root in roots for part in root.parts]
    names = {part.destination for part in parts if part.destination}
    return names | {name for part in parts for name in configured(part.rendering.folder)}


def _rules_clusters(root: Root) -> bool:
    return any(part.destination and part.is_deployed for part in root.parts)


def _members(root: Root, label: str | None, names: set[str]) -> tuple[str, ...]:
    """The environments that a root belongs to."""
    if label is not None:
        return (label,) if label in names else _alike(label, names)
    if _rules_clusters(root):
        return (IN_CLUSTER,)
    # A root that conflicts with nobody says by its path whether it is of one environment alone.
    mine = tuple(sorted(name for name in names if _contains(root.folder, name)))
    return mine or tuple(sorted(names)) or ("",)


def _widest(labels: set[str]) -> set[str]:
    """The labels that say enough: `prod` is both of `east/prod` and `west/prod`, and all that need be said of
    `team/prod` where there is no other."""
    lengths = {label.count("/") + 1 for label in labels}
    above: dict[str, list[str]] = {label: [] for label in labels}
    for label in labels:
        for run in _runs(label, lengths):
            if run in above:
                above[run].append(label)
    widest = {label for label, found in above.items() if found == [label]}
    said: dict[str, list[str]] = {}
    for label, found in above.items():
        within = [one for one in found if one in widest]
        if len(within) == 1:
            said.setdefault(within[0], []).append(label)
    return {min(several, key=lambda one: (len(one), one)) for several in said.values()}


def _runs(path: str, lengths: Set[int]) -> set[str]:
    """The segments of a path that follow each other, so many of them as asked for."""
    parts = path.split("/")
    return {"/".join(parts[start : start + length]) for length in lengths for start in range(len(parts) - length + 1)}


def _alike(label: str, names: set[str]) -> tuple[str, ...]:
    """The environments that a label means: `prod` those of `east/prod`, and `overlays/prod` the one of `prod`."""
    return tuple(sorted(name for name in names if _contains(name, label) or _contains(label, name)))


def _contains(path: str, label: str) -> bool:
    """Whether the segments of a label follow each other in a path."""
    return f"/{label}/" in f"/{path}/"


def _unrelated(found: Sequence[Group], members: Mapping[int, Sequence[str]]) -> dict[str, list[Unseen]]:
    """What differs by something else than an environment: `blue` and `green` beside `dev` and `prod`.

    Which of them goes with an environment is not known, so what they put into a namespace is not in view there.
    """
    spans = [{name for number in group.labels for name in members[number]} for group in found]
    related = _components(spans)
    hidden: dict[str, list[Unseen]] = {}
    for group, span in zip(found, spans, strict=True):
        mine = next(one for one in related if span <= one) if span else set()
        for other in related:
            if other is mine:
                continue
            labels = ", ".join(sorted(group.labels.values()))
            for name in other:
                hidden.setdefault(name, []).extend(
                    Unseen(namespace, f"which of {labels} goes with {name} is not known")
                    for namespace in group.namespaces
                )
    return hidden


def _components(spans: Sequence[set[str]]) -> list[set[str]]:
    components: list[set[str]] = []
    for span in spans:
        touching = [one for one in components if one & span]
        components = [one for one in components if not one & span]
        components.append(span.union(*touching))
    return components
