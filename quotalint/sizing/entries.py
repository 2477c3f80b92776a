"""The proposed amount of each quota entry, rounded to values that people write (250m, 1500m, 12Gi), or why it is not
changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from quotalint.accounts.facts import Facts
from quotalint.checks.exceeded.sufficient_amounts import least_of
from quotalint.kube import quantity
from quotalint.kube.quantity import BINARY_SI, DECIMAL_SI, Quantity
from quotalint.kube.resources import is_extended_quota
from quotalint.named_tuples import NamedTuple
from quotalint.quota.projection import ASSUMED, AT_LEAST, EXACT, MISSING, UNKNOWN, Projection
from quotalint.quota.quotas import Quota
from quotalint.sizing.proposed import EntryProposal
from quotalint.text.place import Place

CPU, BYTES, DEVICES, COUNT = "cpu", "bytes", "devices", "count"
"""The units of entries of `hard`."""

_ONE = 10**9
_MILLI = 10**6
_CPU_STEPS = ((100, 10), (500, 50), (1000, 100), (5000, 500), (20_000, 1000), (100_000, 5000))
"""Below so many thousandths of a core, amounts are multiples of so many thousandths; above, they have two digits."""
_COUNT_STEPS = ((20, 1), (100, 5))
_LEAST_BYTES = 1 << 20
_GIBI, _TEBI = 1 << 30, 1 << 40


class Margin(NamedTuple):
    """The margin above the need, in percent, as an exact fraction."""

    numerator: int
    denominator: int = 1

    def above(self, needed: Quantity) -> Quantity:
        """The need plus the margin, in 10^-9 units rounded up."""
        whole = 100 * self.denominator
        return Quantity(-(-needed.nano * (whole + self.numerator) // whole), needed.format)


def measure(name: str) -> str:
    """The unit of an entry of `hard`."""
    resource = name.removeprefix("requests.").removeprefix("limits.")
    if resource == "cpu":
        return CPU
    if resource in ("memory", "storage", "ephemeral-storage") or resource.startswith("hugepages-"):
        return BYTES
    if name.endswith(".storageclass.storage.k8s.io/requests.storage"):
        return BYTES
    return DEVICES if is_extended_quota(name) else COUNT


def rounded_up(name: str, needed: Quantity, like: Quantity | None = None) -> Quantity:
    """The smallest sufficient amount that people write. `like` is the current amount; its format (powers of ten or two)
    is kept."""
    kind = measure(name)
    if needed.nano <= 0:
        return Quantity(0, needed.format)
    if kind == CPU:
        return _to_step(needed.nano, _step_of(_CPU_STEPS, -(-needed.nano // _MILLI)) * _MILLI, DECIMAL_SI)
    if kind == BYTES:
        decimal = like is not None and like.nano >= _LEAST_BYTES * _ONE and like.format != BINARY_SI
        size = max(-(-needed.nano // _ONE), 1)
        step = _two_digits(size) if decimal else _binary_step(size)
        return _to_step(needed.nano, max(step, 10**6 if decimal else _LEAST_BYTES) * _ONE, *_format(decimal=decimal))
    number = -(-needed.nano // _ONE)
    return _to_step(needed.nano, (1 if kind == DEVICES else _step_of(_COUNT_STEPS, number)) * _ONE, DECIMAL_SI)


def _format(*, decimal: bool) -> tuple[str]:
    return (DECIMAL_SI if decimal else BINARY_SI,)


def _to_step(nano: int, step: int, format_: str) -> Quantity:
    return Quantity(-(-nano // step) * step, format_)


def _step_of(steps: tuple[tuple[int, int], ...], amount: int) -> int:
    return next((step for below, step in steps if amount < below), _two_digits(amount))


def _two_digits(amount: int) -> int:
    """The step between numbers with two significant digits."""
    return int(10 ** max(0, len(str(amount)) - 2))


def _binary_step(size: int) -> int:
    """A quarter of the power of two below; from 8Gi on, whole gibibytes, then tebibytes."""
    for unit in (_TEBI, _GIBI):
        if size >= 8 * unit:
            return unit * _step_of(_COUNT_STEPS, -(-size // unit))
    return 1 << max(0, size.bit_length() - 3)


_ROUNDS = 8
"""Whether all autoscalers count depends on the allowed amount; this settles at once or never."""


class Need(NamedTuple):
    """What one environment needs of an entry."""

    where: str
    """The namespace and the environment."""
    amount: Quantity
    because: str
    """The reason in words: `peak 6, steady 3800m`."""
    certainty: str
    reasons: tuple[str, ...]
    """Why the real need may differ."""


def need_of(projection: Projection, facts: Facts) -> Need | None:
    """The need of an entry; None if no evaluator counts it."""
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
        # The current charge is a lower bound of the usage.
        amount, certainty = charged, AT_LEAST if certainty == EXACT else certainty
        words = [f"the cluster charges {quantity.show(charged)}", *words]
    namespace = projection.quota.namespace
    where = f"{namespace} in {facts.environment}" if facts.environment else namespace
    return Need(where, amount, ", ".join(words), certainty, reasons)


def is_known(need: Need) -> bool:
    """Whether the need is known at all."""
    return need.certainty != UNKNOWN


Raised = Mapping[Place, Quantity]
"""Needs found by trials in addition to the computed ones, by the place of the entry."""


class Sizing(NamedTuple):
    """How amounts are chosen."""

    headroom: Margin
    lower: bool = False
    """Whether amounts may be lowered: objects without a manifest may need what looks unused."""
    raised: Raised = MappingProxyType({})


Anchor = Callable[[Quota, str], Place]
"""Returns the place of an entry's amount: the same for all namespaces and environments that share it."""


def entry_place(quota: Quota, name: str) -> Place:
    """The place of an entry; for a template, the entry too, because all its entries have the same place."""
    place = quota.entry(name).real
    return place if place.path else place.at(quota.namespace, quota.name, name)


def proposed_entry(
    name: str, before: Quantity | None, needs: Sequence[Need], by: Sizing, place: Place
) -> EntryProposal:
    """The proposal for an entry that several environments share."""
    if not needs:
        return EntryProposal(name, before, None, None, "nothing counts it")
    known_needs = [need for need in needs if is_known(need)]
    reasons = tuple(dict.fromkeys(reason for need in needs for reason in need.reasons))
    if not known_needs:
        return EntryProposal(name, before, None, None, "what uses it is not known", UNKNOWN, reasons)
    most = max(known_needs, key=lambda need: need.amount.nano)
    certainty = _certainty(needs)
    where = f" ({most.where})" if len({need.where for need in needs}) > 1 else ""
    needed, because = most.amount, most.because + where
    more = by.raised.get(place)
    if more is not None and more.nano > needed.nano:
        needed, because = more, f"rollouts and runs together {quantity.show(more)}{where}"
    if not needed.nano:
        return EntryProposal(name, before, needed, None, "nothing here uses it", certainty, reasons)
    after = rounded_up(name, by.headroom.above(needed), before)
    if certainty != EXACT and before is not None and after.nano <= before.nano:
        # A lower bound is no reason to lower an amount.
        words = f"left, as more may use it than is in view: {because}"
        return EntryProposal(name, before, needed, None, words, certainty, reasons)
    if before is not None and after.nano < before.nano and not by.lower:
        words = f"{quantity.show(after)} would do: {because}"
        return EntryProposal(name, before, needed, None, words, certainty, reasons, after)
    if before is not None and after.nano == before.nano:
        return EntryProposal(name, before, needed, None, f"it is right: {because}", certainty, reasons)
    return EntryProposal(name, before, needed, after, because, certainty, reasons)


def _certainty(needs: Sequence[Need]) -> str:
    certainties = {need.certainty for need in needs}
    if certainties == {EXACT}:
        return EXACT
    return ASSUMED if ASSUMED in certainties else AT_LEAST


Needs = Mapping[Place, list[Need]]


def needs_by_place(environments: Sequence[Facts], anchor: Anchor) -> Needs:
    """The needs of every entry, by the place of its amount."""
    needs: dict[Place, list[Need]] = {}
    for facts in environments:
        for quota in sizable(facts):
            for name, projection in facts.projections_of(quota).items():
                place_needs = needs.setdefault(anchor(quota, name), [])
                need = need_of(projection, facts)
                if need is not None:
                    place_needs.append(need)
    return needs


def sizable(facts: Facts) -> Iterator[Quota]:
    """The quotas of the repository that the API server accepts."""
    return (
        quota
        for quota in facts.quotas
        if not quota.object.foreign and quota.shares is None and not facts.is_rejected(quota)
    )


def proposed_entries(quota: Quota, needs: Needs, by: Sizing, anchor: Anchor, *, new: bool) -> tuple[EntryProposal, ...]:
    """The proposals for all entries of a quota; for a `new` one only for entries with known needs."""
    entries = []
    for name in sorted(
        {*quota.hard, *(str(unknown.path[-1]) for unknown in quota.unknowns if unknown.path[-2:-1] == ("hard",))}
    ):
        before = None if new else quota.hard.get(name)
        entry = proposed_entry(name, before, needs.get(anchor(quota, name), ()), by, anchor(quota, name))
        if not new and before is None and entry.after is not None:
            entry = entry._replace(after=None, because=f"a placeholder stands there; {entry.because}")
        entries.append(entry)
    return tuple(entries)
