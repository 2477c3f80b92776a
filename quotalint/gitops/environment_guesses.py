"""Guesses about environments of folders. A folder that names none, next to others that do, belongs to each of these.
Different spellings of a stage (`shop/overlays/prod`, `bill/overlays/production`) get one name."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from itertools import chain

from quotalint.gitops.conflicts import objects_by_key
from quotalint.gitops.labels import STAGE_SPELLINGS, Label, is_shared
from quotalint.gitops.nodes import Root
from quotalint.kube.guess import MEMBERSHIP, Guess
from quotalint.named_tuples import NamedTuple
from quotalint.text.tree import is_within


class UnsureRoot(NamedTuple):
    """A root that may belong to several environments."""

    label: Label
    remaining_names: tuple[str, ...]
    """The environments in which it is counted."""


def guesses_of_environments(
    roots: Sequence[Root], unsure: Mapping[int, UnsureRoot], sure_roots: Mapping[str, Sequence[Root]]
) -> dict[int, Guess]:
    """By root number, the guess with which it is counted. Sibling folders with the same guess share one for their
    parent folder, if it contains nothing else.

    The advice names an environment with limits in the affected namespaces, if `sure_roots` has one.
    """
    if not unsure:
        return {}
    shared = _shared_folders(roots, unsure) if len(unsure) > 1 else {}
    folders = {number: shared.get(number, roots[number].folder) for number in unsure}
    namespaces: dict[str, set[str]] = {}
    for number, folder in folders.items():
        namespaces.setdefault(folder, set()).update(_namespaces(roots[number]))
    limited = {name: frozenset(chain.from_iterable(map(_limited_namespaces, own))) for name, own in sure_roots.items()}
    return {
        number: _guess_of_environments(folder, unsure[number], namespaces[folder], limited)
        for number, folder in folders.items()
    }


def _limited_namespaces(root: Root) -> frozenset[str]:
    objects = (obj for node in root.nodes for obj in node.rendering.objects)
    return frozenset(obj.namespace for obj in objects if obj.kind in ("LimitRange", "ResourceQuota"))


def _shared_folders(roots: Sequence[Root], unsure: Mapping[int, UnsureRoot]) -> dict[int, str]:
    """By root number, the uppermost folder above it in which all roots have the same uncertainty."""
    above = {number: [*_folders_above(roots[number].folder)] for number in unsure}
    known_below: dict[str, set[UnsureRoot | None]] = {folder: set() for folders in above.values() for folder in folders}
    for number, root in enumerate(roots):
        for folder in _read_folders(root):
            for at in (folder, *_folders_above(folder)):
                if at in known_below:
                    known_below[at].add(unsure.get(number))
    return {
        number: alike[-1]
        for number, folders in above.items()
        if (alike := [folder for folder in folders if known_below[folder] == {unsure[number]}])
    }


def _folders_above(folder: str) -> Sequence[str]:
    """The folders above, nearest first, without the repository's root."""
    folders = []
    while folder := posixpath.dirname(folder):
        folders.append(folder)
    return folders


def _read_folders(root: Root) -> frozenset[str]:
    """All folders that are read for a root."""
    renderings = [node.rendering for node in root.nodes]
    names = (name for rendering in renderings for name in rendering.files)
    return frozenset(
        {root.folder, *(unit for rendering in renderings for unit in rendering.folders), *map(posixpath.dirname, names)}
    )


def _guess_of_environments(
    folder: str, unsure_root: UnsureRoot, namespaces: Set[str], limited: Mapping[str, Set[str]]
) -> Guess:
    names = unsure_root.remaining_names
    concerned = next(
        (name for name in names if not limited[name].isdisjoint(namespaces)), names[0] if names else "NAME"
    )
    what_is_named = f"names only {'/'.join(unsure_root.label)}" if unsure_root.label else "names no environment"
    pattern = f"/{folder}/" if folder else "/*"
    cure = (
        f"write `environments: {{{concerned}: [{pattern}]}}` into .quotalint.yaml, "
        f"or `exclude: [{pattern}]` if nobody applies it"
    )
    where = names[0] if len(names) == 1 else f"each of {len(names)} environments"
    shown_folder = f"{folder}/" if folder else "the root folder"
    return Guess(MEMBERSHIP, f"{shown_folder} {what_is_named}, so it is counted in {where}", cure)


# Overlays that replace another: `production/eu-1` for `production`, or `prod` for `default`, on one base.
def is_replaced_by_any(root: Root, others: Iterable[Root]) -> bool:
    """Whether another root is applied instead of a root. That is an overlay inside it with a common base or object, or,
    for a shared overlay, a sibling with most of its objects."""
    if not root.is_kustomization or not root.folder or not root.nodes:
        return False
    own = root.nodes[0].rendering
    bases = own.folders - {root.folder}
    names = {obj.ref for obj in own.objects}
    parent, last = posixpath.split(root.folder)
    for other in others:
        if not other.is_kustomization or not other.nodes or other.folder == root.folder:
            continue
        other_rendering = other.nodes[0].rendering
        common = names & {obj.ref for obj in other_rendering.objects}
        if is_within(other.folder, root.folder):
            if bases & other_rendering.folders or common:
                return True
        elif is_shared((last,)) and is_within(other.folder, parent) and 2 * len(common) > len(names):
            return True
    return False


class SpelledLabels(NamedTuple):
    """The labels of roots by number, with one name per stage."""

    labels: Mapping[int, Label]
    guesses: Mapping[int, Guess]
    """By number of a root with another spelling: the guess that it means the same stage, if that affects a sum."""


def with_one_spelling(labels: Mapping[int, Label], roots: Sequence[Root], named: frozenset[str]) -> SpelledLabels:
    """The most common spelling of each stage for all roots, or that of a `named` cluster.

    Not if two spellings are siblings or render the same object, because then they are two stages.
    """
    numbers_by_word: dict[str, list[int]] = {}
    for number, label in labels.items():
        for segment in label:
            if segment.lower() in STAGE_SPELLINGS:
                numbers_by_word.setdefault(segment, []).append(number)
    words_by_stage: dict[str, list[str]] = {}
    for word in numbers_by_word:
        words_by_stage.setdefault(STAGE_SPELLINGS[word.lower()], []).append(word)
    respelled: dict[str, str] = {}
    for words in words_by_stage.values():
        if len(words) > 1 and _mean_the_same({word: numbers_by_word[word] for word in words}, roots):
            chosen = min(words, key=lambda word: (word not in named, -len(numbers_by_word[word]), len(word), word))
            respelled |= {word: chosen for word in words if word != chosen}
    if not respelled:
        return SpelledLabels(labels, {})
    spelled = {number: tuple(respelled.get(segment, segment) for segment in label) for number, label in labels.items()}
    written: dict[tuple[Label, str], set[Label]] = {}
    for number, label in labels.items():
        for namespace in _namespaces(roots[number]):
            written.setdefault((spelled[number], namespace), set()).add(label)
    return SpelledLabels(
        spelled,
        {
            number: _guess_of_spelling(roots[number].folder, "/".join(labels[number]), "/".join(label))
            for number, label in spelled.items()
            if label != labels[number]
            and any(len(written[label, namespace]) > 1 for namespace in _namespaces(roots[number]))
        },
    )


def _mean_the_same(numbers_by_word: Mapping[str, Sequence[int]], roots: Sequence[Root]) -> bool:
    """Whether no folder has two of the spellings as children, and no object is rendered under two."""
    parents = [{*_parents_of(word, roots, numbers)} for word, numbers in numbers_by_word.items()]
    objects = [
        {key for number in numbers for key in objects_by_key(roots[number])} for numbers in numbers_by_word.values()
    ]
    return not (_overlap(parents) or _overlap(objects))


def _overlap(sets: Iterable[Set[Hashable]]) -> bool:
    """Whether the sets are not disjoint."""
    return any(times > 1 for times in Counter(member for members in sets for member in members).values())


def _parents_of(word: str, roots: Sequence[Root], numbers: Iterable[int]) -> Iterable[str]:
    for number in numbers:
        segments = roots[number].folder.split("/")
        yield from (posixpath.join(*segments[:depth], "") for depth, segment in enumerate(segments) if segment == word)


def _namespaces(root: Root) -> frozenset[str]:
    """The namespaces of a root's objects; cluster-scoped objects have none."""
    names = (
        obj.name if obj.kind == "Namespace" else obj.namespace for node in root.nodes for obj in node.rendering.objects
    )
    return frozenset(filter(None, names))


def _guess_of_spelling(folder: str, written: str, environment: str) -> Guess:
    return Guess(
        MEMBERSHIP,
        f"{folder}/ is counted in {environment}, since {written} seems to be another word for it",
        f"write `environments: {{{environment}: [/{folder}/]}}` into .quotalint.yaml, or another name if it is not",
    )
