"""What of an environment could not be worked out, for what it takes or a bug of ours: the rest is, and what is missing
is unknown and not nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeVar

from quotalint.deployed import EXPENSIVE, UNRENDERED, Problem, Unseen
from quotalint.faults import attempt
from quotalint.kube.objects import Object
from quotalint.text.place import Place

_Result = TypeVar("_Result")


class Losses:
    """They gather while an environment is worked out. A class because of that alone."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.unseen: list[Unseen] = []

    def attempt(
        self,
        what: str,
        place: Place,
        namespaces: Iterable[str],
        work: Callable[[], _Result],
        instead: _Result,
    ) -> _Result:
        """What some work comes to, or this instead, where the sums of these namespaces are then unknown."""

        def note_loss(reason: str, is_expensive: bool) -> _Result:
            real = place.real
            if is_expensive:
                self.problems.append(Problem(real, f"{reason} ({what})", UNRENDERED, cause=EXPENSIVE))
            self.unseen += (Unseen(namespace, f"{real.source}: {what}: {reason}") for namespace in namespaces)
            return instead

        return attempt(what, place.file, work, note_loss)

    def each(self, what: str, objects: Iterable[Object], work: Callable[[Object], _Result]) -> Iterator[_Result]:
        """What work on each of these objects comes to, without those of which nothing is known."""
        for obj in objects:
            result = self.attempt(what, obj.place, (obj.namespace,), partial(work, obj), None)
            if result is not None:
                yield result
