"""What is guessed of an object because nothing in view says it: the namespace it goes to, or the cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from quotalint.named_tuples import NamedTuple
from quotalint.text.words import list_some

NAMESPACE, MEMBERSHIP, CONTENT, LEFT_OUT = "namespace", "membership", "content", "left-out"


class Guess(NamedTuple):
    """Something that was taken to be so. What rests on it is at most a warning."""

    about: str
    """NAMESPACE: where the object goes. MEMBERSHIP: that it is applied here, together with the rest.
    CONTENT: what it says. LEFT_OUT: that it stays as it is here, though something was left out that may change it, so
    that sums are not known."""
    reason: str
    """What was guessed and from what, as a clause: `the folder common/ names no environment, so it counts in each`."""
    cure: str
    """What would settle it, as a phrase that follows `to settle it, `."""


def guesses_of_both(first: Iterable[Guess], second: Iterable[Guess]) -> tuple[Guess, ...]:
    """What rests on two objects rests on. That each is applied somewhere is no guess where the same was taken to be so
    of the other: wherever one is, there is the other."""
    ours, theirs = tuple(first), tuple(second)
    shared = {guess for guess in ours if guess.about == MEMBERSHIP and guess in theirs}
    return tuple(guess for guess in dict.fromkeys((*ours, *theirs)) if guess not in shared)


def alike_guesses(guesses: Iterable[Guess]) -> Sequence[Sequence[Guess]]:
    """The guesses, together those that say the same of several folders."""
    groups: dict[tuple[str, str], list[Guess]] = {}
    for guess in dict.fromkeys(guesses):
        folder, _, rest = guess.reason.partition(" ")
        groups.setdefault((guess.about, rest if folder.endswith("/") else guess.reason), []).append(guess)
    return tuple(groups.values())


def list_folders(alike: Sequence[Guess], most: int) -> str:
    """The folders of guesses that say the same of each."""
    return list_some([guess.reason.partition(" ")[0] for guess in alike], most)


def guess_sentences(guesses: Iterable[Guess], most: int = 3) -> Iterator[str]:
    """What was guessed and what would settle it, with the folders of which the same is said once."""
    for first, *others in alike_guesses(guesses):
        more = f"; the same goes for {list_folders(others, most)}" if others else ""
        yield f"{first.reason}; to settle it, {first.cure}{more}"
