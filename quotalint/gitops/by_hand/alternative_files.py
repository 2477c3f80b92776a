"""Files of one folder that a person applies one of: `install.yaml` and `install-local.yaml`."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from quotalint.gitops.rendering import Rendering
from quotalint.kube.guess import MEMBERSHIP, Guess
from quotalint.kube.objects import Object, Ref
from quotalint.text.lazy_patterns import lazy_pattern

Words = tuple[str, ...]
_WORDS = lazy_pattern("[-_.]")
_LEAST = 2
"""A single object that two files repeat is a mistake, which QL005 reports."""


def without_alternatives(rendering: Rendering) -> tuple[Rendering, dict[str, str]]:
    """A folder's rendering without the files that are alternatives to another of its files. Also the name of that other
    file for each; its objects are counted with a guess.

    Two files are alternatives if the words of one name begin or end those of the other, and if they have two objects
    and half of the smaller file's objects in common.
    """
    if len(rendering.files) < 2:  # true of most folders
        return rendering, {}
    chosen = dict(_alternatives(rendering))
    if not chosen:
        return rendering, {}
    guesses = {kept: _guess(kept, [name for name in chosen if chosen[name] == kept]) for kept in chosen.values()}
    objects = tuple(
        _with_guess(obj, guesses.get(obj.place.source)) for obj in rendering.objects if obj.place.source not in chosen
    )
    return rendering._replace(objects=objects, files=rendering.files - chosen.keys()), chosen


def _alternatives(rendering: Rendering) -> Iterator[tuple[str, str]]:
    """Pairs of a file and the file that is counted in its place, which has the shorter name."""
    words = {name: _words_of(name) for name in rendering.files}

    def order(name: str) -> tuple[int, str]:
        return len(words[name]), name

    named: dict[Words, list[str]] = {}
    for name in words:
        named.setdefault(words[name], []).append(name)
    refs: dict[str, set[Ref]] = {}
    for name in sorted(words, key=order):
        shorter_names = [other for part in _beginnings_and_ends(words[name]) for other in named.get(part, ())]
        for shorter in sorted(shorter_names, key=order):
            if not refs:
                for obj in rendering.objects:
                    refs.setdefault(obj.place.source, set()).add(obj.ref)
            own, other = refs.get(name, set()), refs.get(shorter, set())
            common = len(own & other)
            if common >= _LEAST and 2 * common >= min(len(own), len(other)):
                yield name, shorter
                break


def _beginnings_and_ends(words: Words) -> set[Words]:
    """The words that a shorter name may have."""
    return {part for number in range(1, len(words)) for part in (words[:number], words[-number:])}


def _words_of(name: str) -> Words:
    return tuple(_WORDS.split(posixpath.splitext(posixpath.basename(name))[0].lower()))


def _guess(kept: str, others: Sequence[str]) -> Guess:
    reason = f"{kept} is counted, and {' and '.join(others)} is not, since they look like alternatives"
    return Guess(MEMBERSHIP, reason, "write `exclude` with the files that nobody applies into .quotalint.yaml")


def _with_guess(obj: Object, guess: Guess | None) -> Object:
    return obj if guess is None else obj._replace(guesses=(*obj.guesses, guess))
