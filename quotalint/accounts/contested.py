"""Objects that several deployers apply: each overwrites the other's version again and again.

Among files of one folder, or sources of one Application, the last wins. Between Applications, Kustomizations or
releases there is no order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from quotalint.deployed import Rendering
from quotalint.kube.config_sync import selectors_of
from quotalint.kube.guess import CONTENT, Guess
from quotalint.kube.objects import Object, ObjectId

_SELECTED_GUESS = Guess(
    CONTENT,
    "Config Sync gives each cluster or namespace the one of several objects of a name that its selector chooses; the "
    "last is counted",
    "check what `nomos hydrate` writes for a cluster",
)


class Contested:
    """Finds the deployers of an object. It is a class because it is built only if an object is defined several times,
    which is rare."""

    def __init__(self, renderings: Sequence[Rendering]) -> None:
        self._renderings = renderings

    @cached_property
    def _deployers(self) -> dict[ObjectId, list[str]]:
        """The deployers of each object, in order; entries may repeat."""
        deployers: dict[ObjectId, list[str]] = {}
        for rendering in self._renderings:
            for obj in rendering.objects:
                deployers.setdefault(obj.identity, []).append(rendering.deployer)
        return deployers

    def settle(self, winner: Object, others: Sequence[Object]) -> Object:
        """The object that is counted, of several with one name. It gets a guess if another deployer applies a different
        version."""
        if any(selectors_of(other) != selectors_of(winner) for other in others):
            return winner._replace(guesses=(*winner.guesses, _SELECTED_GUESS))
        own = self._deployers.get(winner.identity, [""])[-1]
        rivals = {
            deployer
            for other in others
            if _differ(winner, other)
            for deployer in self._deployers.get(other.identity, [""])
            if deployer != own
        }
        if not rivals:
            return winner
        # One reason for all objects of the same deployers; QL005 names each object.
        names = sorted(filter(None, {own, *rivals}))
        who = " and ".join(names if len(names) > 1 else (*names, "somebody by hand"))
        counted = f"those of {own}" if own else "those that are applied by hand"
        reason = (
            f"{who} apply objects of the same names that differ, and each undoes the other's; {counted} are counted"
        )
        guess = Guess(CONTENT, reason, "let only one of them have an object of that name")
        return winner._replace(guesses=(*winner.guesses, guess))


def _differ(obj: Object, other: Object) -> bool:
    """Whether two objects differ outside their metadata."""
    plain, others = ({**each.body, "metadata": None} for each in (obj, other))
    return plain != others
