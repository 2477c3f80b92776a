"""What an entry of a quota has to allow: the demand of the scenario, and whatever else `check` would report."""

from __future__ import annotations

from typing import NamedTuple

from quotalint.checks.tight.sufficient_amounts import least_of
from quotalint.facts import Facts
from quotalint.kube import quantity
from quotalint.kube.quantity import Quantity
from quotalint.quota.projection import AT_LEAST, EXACT, MISSING, UNKNOWN, Projection

_ROUNDS = 8
"""Whether all autoscalers are looked at depends on what is allowed; that settles at once or not at all."""


class Need(NamedTuple):
    """What one environment needs of an entry."""

    where: str
    """The namespace, and the environment."""
    amount: Quantity
    because: str
    """In words: `peak 6, steady 3800m`."""
    certainty: str
    reasons: tuple[str, ...]
    """Why it may be another amount."""


def need_of(projection: Projection, facts: Facts) -> Need | None:
    """What an entry needs; None where nothing ever counts it."""
    if projection.tracked == MISSING:
        return None
    scenario = facts.settings.scenario
    amount, because = projection.demand(scenario), ""
    for _ in range(_ROUNDS):
        least = least_of(projection._replace(hard=amount), facts)
        if least.amount.nano <= amount.nano:
            break
        amount, because = least.amount, least.because
    words = [f"{because or scenario} {quantity.show(amount)}"]
    if amount.nano != projection.steady.nano:
        words.append(f"at rest {quantity.show(projection.steady)}")
    charged = projection.quota.used.get(projection.name)
    reasons = projection.unknowns + tuple(f"{guess.reason}; to settle it, {guess.cure}" for guess in projection.guesses)
    certainty = projection.certainty
    if charged is not None and charged.nano > amount.nano:
        # What is charged is a lower bound of use, whatever else is in view.
        amount, certainty = charged, AT_LEAST if certainty == EXACT else certainty
        words = [f"the cluster charges {quantity.show(charged)}", *words]
    namespace = projection.quota.namespace
    where = f"{namespace} in {facts.environment}" if facts.environment else namespace
    return Need(where, amount, ", ".join(words), certainty, reasons)


def is_known(need: Need) -> bool:
    """Whether it says anything of what an entry has to allow."""
    return need.certainty != UNKNOWN
