"""Assigns roots to environments: an environment is a cluster, as far as the repository distinguishes clusters.

In order of precedence: the settings, clusters named by Argo CD and Flux, and folder paths. Paths count by common
environment names, or if siblings render the same objects.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from quotalint.gitops.conflicts import ConflictGroup, conflicting_groups, root_objects_of
from quotalint.gitops.environment_guesses import (
    UnsureRoot,
    guesses_of_environments,
    is_replaced_by_any,
    with_one_spelling,
)
from quotalint.gitops.labels import (
    ROOT_FOLDER,
    STAGE_SPELLINGS,
    Label,
    Siblings,
    in_order,
    is_shared,
    is_stage,
    role_label,
    short_names,
    siblings_of,
    without_containers,
)
from quotalint.gitops.nodes import Node, Root
from quotalint.gitops.rendering import IN_CLUSTER, Environment, Rendering
from quotalint.kube.guess import NAMESPACE, Guess
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.recall import recalled_each, same_as_before
from quotalint.unknowns.unseen import Unseen

Configured = Callable[[str], tuple[str, ...]]
"""Returns the configured environments of a folder; empty if there are none."""


class Placement(NamedTuple):
    """The renderings applied to each environment."""

    environments: tuple[Environment, ...]
    """Sorted by name, at least one."""
    replaced: tuple[Root, ...]
    """Overlays in no environment, because an overlay inside each replaces it."""


class _Member(NamedTuple):
    """The membership of a root in an environment."""

    environment: str
    guess: Guess | None = None


def place_in_environments(roots: Sequence[Root], configured: Configured, asked: Sequence[str]) -> Placement:
    """The environments of a repository with what is applied to each. `asked` are the folders to check."""
    roots = _with_names_of_clusters(roots)
    configured_names = {number: own for number, root in enumerate(roots) if (own := configured(root.folder))}
    destinations = _cluster_names(roots, configured)
    if len(roots) == 1 and len(roots[0].nodes) == 1 and not (configured_names or destinations):
        # One folder, not distinguished from others.
        return Placement((Environment("", (roots[0].nodes[0].rendering,), ()),), ())
    root_objects = recalled_each("objects of roots", roots, (), root_objects_of)
    conflicts = conflicting_groups(root_objects)
    named = destinations | {name for own_names in configured_names.values() for name in own_names}
    written_labels = _labels_of_roots(roots, conflicts, configured_names, named, asked)
    labels, guesses_of_spelling = with_one_spelling(written_labels, roots, named)
    names = _environment_names(labels, named)
    everywhere = {*named, *names.values()}
    if any(
        _deploys_to_clusters(root)
        for number, root in enumerate(roots)
        if number not in configured_names and not labels[number]
    ):
        everywhere.add(IN_CLUSTER)
    all_names = frozenset(everywhere or {""})
    members: dict[int, tuple[_Member, ...]] = {}
    for number, root in enumerate(roots):
        if number in configured_names:
            members[number] = tuple(map(_Member, configured_names[number]))
        elif (sure := _sure_environment(root, labels[number], names, named)) is not None:
            members[number] = (_Member(sure, guesses_of_spelling.get(number)),)
    sure_roots: dict[str, list[Root]] = {name: [] for name in all_names}
    for number, own_members in members.items():
        for name in {member.environment for member in own_members} & all_names:
            sure_roots[name].append(roots[number])
    loose = _environments_of_loose(roots, labels, members)
    members |= {number: (_Member(name),) for number, name in loose.items()}
    remaining_names: dict[int, tuple[str, ...]] = {}
    unsure: dict[int, UnsureRoot] = {}
    for number, root in enumerate(roots):
        if number not in members:
            candidates = _candidate_environments(labels[number], names, all_names)
            remaining_names[number] = tuple(
                name for name in candidates if not is_replaced_by_any(root, sure_roots[name])
            )
            if len(candidates) > 1:
                unsure[number] = UnsureRoot(labels[number], remaining_names[number])
    guesses = guesses_of_environments(roots, unsure, sure_roots)
    for number, own_names in remaining_names.items():
        members[number] = tuple(_Member(name, guesses.get(number)) for name in own_names)
    unrelated = _unseen_by_unrelated(conflicts, members)
    renderings = split_units(_renderings_by_environment(roots, members, configured, sorted(all_names)))
    all_environments = tuple(
        Environment(name, tuple(together), tuple(unrelated.get(name, ())))
        for name, together in sorted(renderings.items())
    )
    replaced = tuple(root for number, root in enumerate(roots) if not members[number])
    return Placement(all_environments, replaced)


def _with_names_of_clusters(roots: Sequence[Root]) -> Sequence[Root]:
    """The roots with cluster addresses replaced by names, if deployments to an address agree on a name that no other
    address has."""
    called = {
        (node.destination, node.rendering.called) for root in roots for node in root.nodes if node.rendering.called
    }
    addresses = Counter(address for address, _ in called)
    names = Counter(name for _, name in called)
    known_names = tuple(sorted(pair for pair in called if addresses[pair[0]] == names[pair[1]] == 1))
    if not known_names:
        return roots
    known_names = same_as_before("names of clusters", known_names)
    return recalled_each("roots with names", roots, (known_names,), partial(_to_named_clusters, dict(known_names)))


def _to_named_clusters(names: Mapping[str, str], root: Root) -> Root:
    if not any(node.destination in names for node in root.nodes):
        return root
    return root._replace(
        nodes=tuple(node._replace(destination=names.get(node.destination, node.destination)) for node in root.nodes)
    )


def _environments_of_loose(
    roots: Sequence[Root], labels: Mapping[int, Label], members: Mapping[int, Sequence[_Member]]
) -> dict[int, str]:
    """The environment names of plain folders without namespace or environment, if there are several: each is on its
    own."""
    numbers = [
        number
        for number, root in enumerate(roots)
        if not (root.is_kustomization or labels[number] or number in members)
        and lacks_namespace(root.nodes[0].rendering)
    ]
    names = unit_names(roots[number].folder for number in numbers)
    return {number: names[roots[number].folder] for number in numbers} if len(numbers) > 1 else {}


def _cluster_names(roots: Sequence[Root], configured: Configured) -> frozenset[str]:
    """The clusters named as destinations, or configured for the deployed folders."""
    nodes = [node for root in roots for node in root.nodes]
    names = {node.destination for node in nodes if node.destination}
    return frozenset(names | {name for node in nodes for name in configured(node.rendering.folder)})


def _labels_of_roots(
    roots: Sequence[Root],
    conflicts: Iterable[ConflictGroup],
    configured_names: Mapping[int, object],
    named: frozenset[str],
    asked: Sequence[str],
) -> dict[int, Label]:
    """The label of each root from its path; empty if nothing distinguishes it."""
    siblings = same_as_before("siblings of roots", siblings_of((root.folder for root in roots), asked))
    own_labels = recalled_each("labels of roots", roots, (siblings,), partial(_own_label, siblings))
    labels: dict[int, Label] = {
        number: () if number in configured_names else label for number, label in enumerate(own_labels)
    }
    for group in conflicts:
        numbers = [number for number in group.labels if number not in configured_names]
        roles = [labels[number] for number in numbers]
        if all(roles) and len(set(roles)) == len(roles):
            continue
        for number in numbers:
            apart = without_containers(group.labels[number])
            if roots[number].is_kustomization and is_shared(apart):
                continue  # it applies where no sibling replaces it
            segments = in_order(roots[number].folder, {*labels[number], *apart})
            labels[number] = segments or apart
    return _with_clusters(_unify_labels(labels, conflicts), roots, configured_names, named)


def _unify_labels(labels: Mapping[int, Label], conflicts: Iterable[ConflictGroup]) -> dict[int, Label]:
    """The labels with one label for each cluster that has different paths: `production/c1` and `rings/ring-2/c1`. Roots
    that render the same objects are different clusters, and so are paths of two stages. A stage name is not a cluster,
    because each region may have one."""
    group_of = {number: group for group in conflicts for number in group.labels}
    by_last: dict[str, list[int]] = {}
    for number, label in labels.items():
        if label and not is_stage(label[-1]):
            by_last.setdefault(label[-1], []).append(number)
    unified = dict(labels)
    for last, numbers in by_last.items():
        different_labels = {labels[number] for number in numbers}
        pairs = [(group_of[number].labels[number], id(group_of[number])) for number in numbers if number in group_of]
        groups_of = [group for _, group in pairs]
        stages = {STAGE_SPELLINGS.get(segment.lower()) for label in different_labels for segment in label} - {None}
        if len(different_labels) > 1 and len(stages) < 2 and len(set(groups_of)) == len(set(pairs)):
            before = dict.fromkeys(
                segment for label in sorted(different_labels) for segment in label if segment != last
            )
            unified.update((number, (*before, last)) for number in numbers)
    return unified


def _with_clusters(
    labels: Mapping[int, Label], roots: Sequence[Root], configured_names: Mapping[int, object], named: frozenset[str]
) -> dict[int, Label]:
    """The labels extended by clusters that are known from elsewhere: `monitoring/prod-eu` beside `clusters/prod-eu`."""
    ends: dict[str, set[Label]] = {}
    for label in _not_contained(labels.values()):
        ends.setdefault(label[-1], set()).add(label)
    result = dict(labels)
    for number, root in enumerate(roots):
        if number in configured_names:
            continue
        for segment in root.folder.split("/"):
            if segment in named:
                result[number] = (*labels[number], segment)
            elif segment in ends and segment not in labels[number]:
                fitting = [label for label in ends[segment] if set(labels[number]) <= set(label)]
                if len(fitting) == 1:
                    result[number] = fitting[0]
                elif fitting and not labels[number] and len(segment) > 1:
                    result[number] = (segment,)
    return result


def _not_contained(labels: Iterable[Label]) -> list[Label]:
    """The labels whose segments are not a proper subset of another label's. Each is compared only with labels that
    share its rarest segment, because there may be thousands."""
    segments_of = {label: frozenset(label) for label in labels if label}
    with_segment: dict[str, list[frozenset[str]]] = {}
    for segments in dict.fromkeys(segments_of.values()):
        for segment in segments:
            with_segment.setdefault(segment, []).append(segments)
    return [
        label
        for label, segments in segments_of.items()
        if not any(segments < other for other in min((with_segment[segment] for segment in segments), key=len))
    ]


def _own_label(siblings: Siblings, root: Root) -> Label:
    return role_label(root.folder, _loose_namespaces(root), siblings)


def _loose_namespaces(root: Root) -> frozenset[str]:
    return (
        frozenset(obj.namespace for obj in root.nodes[0].rendering.objects if obj.namespace)
        if root.nodes
        else frozenset()
    )


def _environment_names(labels: Mapping[int, Label], named: frozenset[str]) -> dict[Label, str]:
    """The labels that are environments, with short names."""
    own = {label for label in labels.values() if label and named.isdisjoint(label)}
    leaves = _not_contained(own)
    if len(leaves) == 1 and not named:
        return {leaves[0]: ""}  # a single one needs no name
    return short_names(sorted(leaves))


def _sure_environment(root: Root, label: Label, names: Mapping[Label, str], named: frozenset[str]) -> str | None:
    """The environment to which a root certainly belongs; None if it is uncertain."""
    for segment in reversed(label):
        if segment in named:
            return segment
    if label in names:
        return names[label]
    return IN_CLUSTER if not label and _deploys_to_clusters(root) else None


def _candidate_environments(label: Label, names: Mapping[Label, str], environment_names: frozenset[str]) -> list[str]:
    """The environments to which a root may belong: those its label matches in part, else all."""
    if label:
        return sorted(name for leaf, name in names.items() if set(label) < set(leaf))
    return sorted(environment_names)


def _deploys_to_clusters(root: Root) -> bool:
    return any(node.destination and node.is_deployed for node in root.nodes)


def _renderings_by_environment(
    roots: Sequence[Root], members: Mapping[int, Sequence[_Member]], configured: Configured, names: Sequence[str]
) -> dict[str, list[AppliedRendering]]:
    renderings: dict[str, list[AppliedRendering]] = {name: [] for name in names}
    for number, root in enumerate(roots):
        for node in root.nodes:
            is_plain = not (root.is_kustomization or node.is_deployed)
            guessed: dict[Guess, Rendering] = {}
            for member in _members_of_part(node, members[number], configured):
                guess = member.guess
                if guess is not None and guess not in guessed:
                    guessed[guess] = node.rendering.with_guess(guess)
                rendering = node.rendering if guess is None else guessed[guess]
                renderings.setdefault(member.environment, []).append(
                    AppliedRendering(rendering, is_plain, not node.is_deployed)
                )
    return renderings


def _members_of_part(node: Node, of_root: Sequence[_Member], configured: Configured) -> Sequence[_Member]:
    own = configured(node.rendering.folder) or ((node.destination,) if node.destination else ())
    return tuple(map(_Member, dict.fromkeys(own))) if own else of_root


def _unseen_by_unrelated(
    groups: Sequence[ConflictGroup], members: Mapping[int, Sequence[_Member]]
) -> dict[str, list[Unseen]]:
    """The unseen parts that follow from a choice other than the environment: `blue` and `green` beside `dev` and
    `prod`.

    Which one belongs to an environment is unknown, so their objects in a namespace are not in view there.
    """
    spans = [{member.environment for number in group.labels for member in members[number]} for group in groups]
    related = _connected_spans(spans)
    hidden: dict[str, list[Unseen]] = {}
    for group, span in zip(groups, spans, strict=True):
        own_component = (
            next(related_folders for related_folders in related if span <= related_folders) if span else set()
        )
        for other in related:
            if other is own_component:
                continue
            labels = ", ".join(sorted(group.labels.values()))
            for name in other:
                hidden.setdefault(name, []).extend(
                    Unseen(namespace, f"it is not known which of {labels} goes with {name}")
                    for namespace in group.namespaces
                )
    return hidden


def _connected_spans(spans: Sequence[set[str]]) -> list[set[str]]:
    components: list[set[str]] = []
    for span in spans:
        touching = [component for component in components if component & span]
        components = [component for component in components if not component & span]
        components.append(span.union(*touching))
    return components


# Folders without a namespace are applied one by one, each to the namespace that is current at that time. Nothing states
# that two of them share a namespace. So plain folders are never summed: if there are several, each is its own
# environment. Kustomizations in one environment are summed, with a guess.
_COUNTED = frozenset(
    (
        *("CronJob", "DaemonSet", "Deployment", "Job", "Pod", "ReplicaSet", "ReplicationController", "StatefulSet"),
        *("LimitRange", "PersistentVolumeClaim", "ResourceQuota"),
    )
)


class AppliedRendering(NamedTuple):
    """A rendering in an environment."""

    rendering: Rendering
    is_plain: bool
    """Whether it is a folder of plain manifests."""
    is_by_hand: bool = True
    """Whether no object in view deploys it."""


def split_units(environments: Mapping[str, Sequence[AppliedRendering]]) -> dict[str, list[Rendering]]:
    """The environments, with plain folders split off that are not known to share a namespace."""
    result: dict[str, list[Rendering]] = {}
    for name, all_applied in environments.items():
        loose = [applied for applied in all_applied if applied.is_by_hand and lacks_namespace(applied.rendering)]
        if len(loose) < 2:
            result[name] = [applied.rendering for applied in all_applied]
            continue
        apart = {id(applied) for applied in loose if applied.is_plain}
        kustomized = [applied.rendering for applied in loose if not applied.is_plain]
        loose = [applied for applied in loose if applied.is_plain]
        marked = set(map(id, kustomized))
        guess = _guess_of_namespace(kustomized) if len(kustomized) > 1 else None
        unsplit = [
            _with_guess(applied.rendering, guess) if guess and id(applied.rendering) in marked else applied.rendering
            for applied in all_applied
            if id(applied) not in apart
        ]
        if unsplit:
            result[name] = unsplit
        names = unit_names(applied.rendering.folder for applied in loose)
        for applied in loose:
            unit = names[applied.rendering.folder]
            result.setdefault(f"{name}/{unit}" if name else unit, []).append(applied.rendering)
    return result


def unit_names(folders: Iterable[str]) -> dict[str, str]:
    """The names of plain folders that are environments of their own: their last segments."""
    labels = {folder: tuple(folder.split("/")) for folder in folders}
    names = short_names(labels.values())
    return {folder: names[label] or ROOT_FOLDER for folder, label in labels.items()}


def lacks_namespace(rendering: Rendering) -> bool:
    """Whether an object that counts for quotas has no namespace."""
    return any(obj.homeless and obj.kind in _COUNTED for obj in rendering.objects)


def _guess_of_namespace(renderings: Sequence[Rendering]) -> Guess:
    """The guess that folders without a namespace share one."""
    folders = sorted({f"{rendering.folder}/" if rendering.folder else "the root folder" for rendering in renderings})
    others = f"{len(folders) - 1} other folders" if len(folders) > 2 else folders[-1]
    reason = f"{folders[0]} and {others} name no namespace, and are assumed to share one"
    cure = "write `namespace` into their kustomizations, or list them under `namespaces` in .quotalint.yaml"
    return Guess(NAMESPACE, reason, cure)


def _with_guess(rendering: Rendering, guess: Guess) -> Rendering:
    objects = (obj._replace(guesses=(*obj.guesses, guess)) if obj.homeless else obj for obj in rendering.objects)
    return rendering._replace(objects=tuple(objects))
