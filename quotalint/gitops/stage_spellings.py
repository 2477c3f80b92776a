"""One name for a stage that components spell differently: `shop/overlays/prod` and `bill/overlays/production`."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set

from quotalint.gitops.conflicts import objects_by_key
from quotalint.gitops.labels import STAGE_SPELLINGS, Label
from quotalint.gitops.roots import Root
from quotalint.kube.guess import MEMBERSHIP, Guess
from quotalint.named_tuples import NamedTuple


class SpelledLabels(NamedTuple):
    """The labels of roots by number, in which a stage has one name."""

    labels: Mapping[int, Label]
    guesses: Mapping[int, Guess]
    """By number of a root whose folder spells the stage otherwise: that it is the same, where that decides a sum."""


def with_one_spelling(labels: Mapping[int, Label], roots: Sequence[Root], named: frozenset[str]) -> SpelledLabels:
    """The commonest spelling of each stage for all roots, or that of a cluster that is `named`.

    Not where two spellings lie beside each other or give the same object: who writes both means two.
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
    """Whether no folder has two of the words as children, and no object is given under two."""
    parents = [{*_parents_of(word, roots, numbers)} for word, numbers in numbers_by_word.items()]
    objects = [
        {key for number in numbers for key in objects_by_key(roots[number])} for numbers in numbers_by_word.values()
    ]
    return not (_overlap(parents) or _overlap(objects))


def _overlap(sets: Iterable[Set[Hashable]]) -> bool:
    """Whether anything is in two of the sets."""
    return any(times > 1 for times in Counter(member for members in sets for member in members).values())


def _parents_of(word: str, roots: Sequence[Root], numbers: Iterable[int]) -> Iterable[str]:
    for number in numbers:
        segments = roots[number].folder.split("/")
        yield from (posixpath.join(*segments[:depth], "") for depth, segment in enumerate(segments) if segment == word)


def _namespaces(root: Root) -> frozenset[str]:
    """Where a root puts objects; what is of the whole cluster is in none."""
    names = (
        obj.name if obj.kind == "Namespace" else obj.namespace for part in root.parts for obj in part.rendering.objects
    )
    return frozenset(filter(None, names))


def _guess_of_spelling(folder: str, written: str, environment: str) -> Guess:
    return Guess(
        MEMBERSHIP,
        f"{folder}/ is counted in {environment}, since {written} seems to be another word for it",
        f"write `environments: {{{environment}: [/{folder}/]}}` into .quotalint.yaml, or another name if it is not",
    )
