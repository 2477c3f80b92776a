"""Guesses about an object: its namespace, its cluster, or its content."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from quotalint.named_tuples import NamedTuple
from quotalint.text.words import list_some

NAMESPACE, MEMBERSHIP, CONTENT, LEFT_OUT, VERSION = "namespace", "membership", "content", "left-out", "version"


class Guess(NamedTuple):
    """An assumption. A finding that depends on one is at most a warning."""

    about: str
    """NAMESPACE: the object's namespace. MEMBERSHIP: that it is applied here, with the rest. CONTENT: its content.
    LEFT_OUT: that it stays as it is although something that may change it was skipped, so that sums are unknown.
    VERSION: its API version, which its chart chooses by what the cluster serves."""
    reason: str
    """The guess and its reason, as a clause: `the folder common/ names no environment, so it counts in each`."""
    cure: str
    """What would make the guess unnecessary, as a phrase that follows `to settle it, `."""


def guesses_of_both(first: Iterable[Guess], second: Iterable[Guess]) -> tuple[Guess, ...]:
    """The guesses that a conclusion from two objects depends on. A membership guess that both share is dropped: where
    one is applied, the other is too."""
    first_guesses, second_guesses = tuple(first), tuple(second)
    shared = {guess for guess in first_guesses if guess.about == MEMBERSHIP and guess in second_guesses}
    return tuple(guess for guess in dict.fromkeys((*first_guesses, *second_guesses)) if guess not in shared)


def alike_guesses(guesses: Iterable[Guess]) -> Sequence[Sequence[Guess]]:
    """The guesses, grouped if they differ only in their folder."""
    groups: dict[tuple[str, str], list[Guess]] = {}
    for guess in dict.fromkeys(guesses):
        folder, _, rest = guess.reason.partition(" ")
        groups.setdefault((guess.about, rest if folder.endswith("/") else guess.reason), []).append(guess)
    return tuple(groups.values())


def list_folders(alike: Sequence[Guess], most: int) -> str:
    """The folders of guesses in one group."""
    return list_some([guess.reason.partition(" ")[0] for guess in alike], most)


def guess_sentences(guesses: Iterable[Guess], most: int = 3) -> Iterator[str]:
    """Sentences with each guess and its cure; folders with the same guess share one."""
    for first, *others in alike_guesses(guesses):
        more = f"; the same goes for {list_folders(others, most)}" if others else ""
        yield f"{first.reason}; to settle it, {first.cure}{more}"
