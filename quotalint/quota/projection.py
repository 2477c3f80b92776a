"""Quota × charges → how much of each entry of `hard` will be used, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set

from quotalint.evaluators.persistentvolumeclaims import class_of
from quotalint.kube import quantity
from quotalint.kube.discovery import KNOWN, MISSING, UNKNOWN, Discovery
from quotalint.kube.guess import CONTENT, LEFT_OUT, Guess
from quotalint.kube.objects import Object
from quotalint.kube.quantity import Quantity
from quotalint.named_tuples import NamedTuple
from quotalint.quota.charges import Charge
from quotalint.quota.quotas import Quota
from quotalint.quota.unknown_amounts import reasons_for_more
from quotalint.quota.validation import tracking_state
from quotalint.settings import Scenario
from quotalint.workloads.demand import POSITIONS, Demand

EXACT, ASSUMED, AT_LEAST = "exact", "assumed", "at-least"
"""Certainties, beside UNKNOWN."""


class Amounts(NamedTuple):
    """What all objects of a demand are charged together, by scenario (workloads.demand.POSITIONS)."""

    steady: Quantity
    surge: Quantity
    scaled: Quantity
    peak: Quantity

    def of(self, scenario: Scenario) -> Quantity:
        """What they are charged in a scenario."""
        return self[POSITIONS[scenario]]


class EntryCharge(NamedTuple):
    """A part of the sum."""

    charge: Charge
    each: Quantity
    """What one of the objects is charged."""

    @property
    def owner(self) -> Object | None:
        """Whose use it is; None for what every namespace has."""
        return self.charge.owner

    @property
    def demand(self) -> Demand:
        """What is charged, and how many of it."""
        return self.charge.admitted.demand

    def guesses(self, name: str) -> tuple[Guess, ...]:
        """What is guessed of it as a part of this entry of `hard`."""
        owner, doubts = self.charge.owner, self.charge.admitted.demand.doubts
        of_owner = owner.guesses if owner is not None else ()
        return (*of_owner, doubts[name]) if name in doubts else of_owner

    @property
    def amounts(self) -> Amounts:
        """What all of them are."""
        numbers = self.charge.admitted.demand.size.numbers
        return Amounts(*(quantity.multiply(self.each, number) for number in numbers))


class Projection(NamedTuple):
    """One entry of a quota's `hard`, and what the repository will use of it."""

    quota: Quota
    name: str
    hard: Quantity | None
    """None where the amount is a placeholder."""
    steady: Quantity
    """Once everything has settled."""
    surge: Quantity
    """With the most demanding step of one workload: its rolling update, or one run of its schedule."""
    peak: Quantity
    """With all autoscalers at their maximum, all rollouts under way and all schedules running."""
    entries: tuple[EntryCharge, ...]
    tracked: str
    """KNOWN; MISSING where nothing ever counts the entry; UNKNOWN where nothing in view tells."""
    certainty: str
    unknowns: tuple[str, ...]
    guesses: tuple[Guess, ...] = ()
    """What the sum rests on and nothing in view says."""
    is_firm: bool = False
    """Nothing is guessed but of who uses the entry, and of autoscalers: not of the quota, nor of what decides how much
    others are charged."""
    is_scaled: bool = False
    """Something is guessed of an autoscaler."""

    def proof(self, scenario: Scenario) -> Projection:
        """The part of which nothing is guessed, a lower bound, where that alone exceeds the quota; else all of it."""
        if not self.is_firm:
            return self
        entries = tuple(
            entry
            for entry in self.entries
            if entry.owner is None or not (entry.guesses(self.name) or entry.owner.homeless)
            if not self.is_scaled or _stays(entry, scenario)
        )
        steady, surge, peak = _sum_entries(entries)
        firm = self._replace(
            steady=steady, surge=surge, peak=peak, entries=entries, certainty=AT_LEAST, guesses=(), is_firm=False
        )
        return firm if firm.exceeds(scenario) else self

    def guesses_at_rest(self, actor: Object | None) -> tuple[Guess, ...]:
        """What the sum rests on where all but `actor`, a workload or its autoscaler, are at rest: what only runs at
        times takes nothing then. A run may meet others."""
        if not self.is_firm or self.is_scaled or actor is None or actor.kind == "CronJob":
            return self.guesses
        entries = (entry for entry in self.entries if entry.demand.size.numbers.steady or _is_of(entry, actor))
        # What a VerticalPodAutoscaler makes of pods at most does not rest on how they are written.
        name = "" if actor.kind == "VerticalPodAutoscaler" else self.name
        return tuple(dict.fromkeys(guess for entry in entries for guess in entry.guesses(name)))

    def demand(self, scenario: Scenario) -> Quantity:
        """What will be used in one of SCENARIOS."""
        return (self.steady, self.surge, self.peak, self.peak)[POSITIONS[scenario]]

    def exceeds(self, scenario: Scenario) -> bool:
        """More will be used than the quota allows; that is proof even where the sum is only a lower bound."""
        return self.tracked != MISSING and self.hard is not None and self.demand(scenario).nano > self.hard.nano


def _stays(entry: EntryCharge, scenario: Scenario) -> bool:
    """Whether there are no fewer in a scenario without any autoscaler."""
    size = entry.demand.size
    return size.scaler is None or (size.is_floor and scenario in (Scenario.STEADY, Scenario.SURGE))


def _is_of(entry: EntryCharge, actor: Object) -> bool:
    return any(obj is not None and obj.identity == actor.identity for obj in (entry.owner, entry.demand.size.scaler))


class Uninhabited(str):
    """The reason that no workload is in view: nobody has written one, so that a change brings or takes none."""

    __slots__ = ()


class Operated(str):
    """The reason that something in view makes pods which nobody has written."""

    __slots__ = ()


_COUNTED = frozenset(("configmaps", "secrets"))  # by number, and without `count/`


class HiddenObjects(NamedTuple):
    """Something of the namespace that is not in view."""

    reason: str
    kinds: tuple[str, ...] = ()
    """The kinds that it may be of; empty: any."""
    only: tuple[str, ...] = ()
    """The names under which it may be counted, or parts of them; empty: any."""
    others: frozenset[str] | None = None
    """It is of none of these (`deployments.apps`), so that it adds to the number of others alone; None: of any."""

    def concerns(self, name: str) -> bool:
        """Whether it may add to an entry of `hard`."""
        if self.only:
            return any(part in name for part in self.only)
        if self.others is not None:
            counted = name.removeprefix("count/")
            return (counted != name or name in _COUNTED) and counted not in self.others
        if not self.kinds:
            return True
        counted = name.removeprefix("count/").partition(".")[0]
        return counted in {f"{kind.lower()}s" for kind in self.kinds}


def projections(
    quota: Quota,
    charges: Sequence[Charge],
    uncertain: Sequence[Charge],
    by_name: Mapping[str, tuple[EntryCharge, ...]],
    discovery: Discovery,
    unseen: Sequence[HiddenObjects],
    inhabited: bool,
    guesses: Sequence[Guess] = (),
    scaling: Sequence[Guess] = (),
) -> tuple[Projection, ...]:
    """The projection of every entry of one quota.

    `uncertain`: of the charges those of which something is not in view; `unseen`: what of the namespace is not in view;
    `inhabited`: some workload of the namespace is in view; `guesses`: what is guessed of objects that decide how much
    others are charged; `scaling`: of those that decide how many there are.
    """
    placeholders = {unknown.path[-1]: unknown.reason for unknown in quota.unknowns if unknown.path[-2] == "hard"}
    unread = quota.unread_scope
    projections = []
    for name in sorted(entry_names(quota)):
        state = tracking_state(name, discovery)
        entries = () if state == MISSING or unread else by_name.get(name, ())
        steady, surge, peak = _sum_entries(entries)
        reasons = [gap.reason for gap in unseen if gap.concerns(name)]
        reasons += reasons_for_more(name, charges if class_of(name) else uncertain, quota)
        used = quota.used.get(name) if state != MISSING else None
        if used is not None and used.nano > steady.nano:
            reasons.append(f"the cluster charges {quantity.show(used)} of {name}; {quantity.show(steady)} is in view")
        if state == UNKNOWN and not entries:
            reasons.append(f"whether anything counts {name} depends on a CustomResourceDefinition that is not in view")
        if name in placeholders:
            reasons.append(f"hard {placeholders[name]}")
        if unread:
            reasons.append(f"which objects it counts is the placeholder {unread!r}")
        of_users = (guess for entry in entries for guess in entry.guesses(name))
        of_kind = (_counted_kind(name),) if state == UNKNOWN else ()
        of_others = (*guesses, *scaling, *of_kind) if entries else ()
        guessed = tuple(dict.fromkeys((*quota.object.guesses, *of_users, *of_others)))
        unknown = name in placeholders or bool(unread) or any(guess.about == LEFT_OUT for guess in guessed)
        unknown = unknown or (state == UNKNOWN and not entries)
        unknown = unknown or (not inhabited and _says_nothing(entries, peak, quota.hard.get(name)))
        certainty = _certainty(state, reasons, unknown=unknown, guessed=bool(guessed))
        if certainty == UNKNOWN and not inhabited and not reasons:
            reasons.append(Uninhabited("no workload of the namespace is in view"))
        unknowns = tuple(dict.fromkeys(reasons))
        hard = quota.hard.get(name)
        is_firm = bool(guessed) and not (guesses or of_kind or quota.object.guesses or quota.object.homeless)
        projections.append(
            Projection(
                quota,
                name,
                hard,
                steady,
                surge,
                peak,
                entries,
                state,
                certainty,
                unknowns,
                guessed,
                is_firm,
                bool(scaling),
            )
        )
    return tuple(projections)


def _counted_kind(name: str) -> Guess:
    """Whoever applies objects has their kind; that its plural is the one that an entry names is a guess."""
    reason = f"{name} is taken to count such objects, though no CustomResourceDefinition in view says so"
    return Guess(CONTENT, reason, "let their CustomResourceDefinition be in view, in the repository or by `--with`")


def uncertain_charges(charges: Iterable[Charge]) -> tuple[Charge, ...]:
    """Those of which something is not in view: found once for all quotas with the same charges."""
    return tuple(charge for charge in charges if charge.demand.size.unknowns or charge.admitted.unknowns)


def entries_by_name(
    quota: Quota, charges: Iterable[Charge], names: Set[str] | None = None
) -> Mapping[str, tuple[EntryCharge, ...]]:
    """What is charged to each of these names (its own, if None) by the objects that a quota counts: the same for all
    quotas with its scopes, which share it."""
    names = entry_names(quota) if names is None else names
    entries: dict[str, list[EntryCharge]] = {}
    for charge in charges:
        if names.isdisjoint(charge.each):  # most objects are of kinds that no quota of theirs counts
            continue
        if not any(charge.admitted.demand.size.numbers) or not charge.matches(quota.requirements):
            continue
        for name, amount in charge.each.items():
            if name in names and amount.nano:
                entries.setdefault(name, []).append(EntryCharge(charge, amount))
    return {name: tuple(charged) for name, charged in entries.items()}


def entry_names(quota: Quota) -> set[str]:
    """What a quota has an entry for, be it one of an amount that is not known."""
    return {*quota.hard, *(str(unknown.path[-1]) for unknown in quota.unknowns if unknown.path[-2] == "hard")}


def _sum_entries(entries: Iterable[EntryCharge]) -> tuple[Quantity, Quantity, Quantity]:
    # In plain integers: there are ten thousand of these in a large repository. The first amount that is not zero gives
    # its format, as in Quantity.Add.
    steady = peak = 0
    formats = [quantity.ZERO.format] * 2
    steps: dict[int, int] = {}
    for entry in entries:
        demand, amount = entry.charge.admitted.demand, entry.each
        numbers = demand.size.numbers
        if numbers.steady and not steady:
            formats[0] = amount.format
        if not peak:
            formats[1] = amount.format
        steady += amount.nano * numbers.steady
        peak += amount.nano * numbers.peak
        if numbers.surge != numbers.steady:
            owner = id(demand.owner)
            steps[owner] = steps.get(owner, 0) + amount.nano * (numbers.surge - numbers.steady)
    surge = steady + max(0, *steps.values(), 0)
    format_ = formats[0] if steady else formats[1]
    # A pod that a VerticalPodAutoscaler may enlarge can leave the scope that its peak would be counted under.
    return (
        Quantity(steady, formats[0]),
        Quantity(surge, format_),
        Quantity(max(surge, peak), format_ if surge else formats[1]),
    )


def _says_nothing(entries: Sequence[EntryCharge], most: Quantity, hard: Quantity | None) -> bool:
    """Whether, of a namespace without a workload in view, nothing is known but what every namespace holds. Where there
    is no room even for that, it is a proof all the same."""
    if not most.nano:
        return True
    common = all(entry.charge.admitted.demand.owner is None for entry in entries)
    return common and (hard is None or most.nano <= hard.nano)


def _certainty(state: str, reasons: Sequence[str], *, unknown: bool, guessed: bool) -> str:
    if state == MISSING:
        return EXACT
    if unknown:
        return UNKNOWN
    # A lower bound is a proof, which nothing that was guessed can be.
    return ASSUMED if guessed else AT_LEAST if reasons else EXACT


__all__ = [
    "ASSUMED",
    "AT_LEAST",
    "EXACT",
    "KNOWN",
    "MISSING",
    "UNKNOWN",
    "Amounts",
    "EntryCharge",
    "HiddenObjects",
    "Operated",
    "Projection",
    "Uninhabited",
    "entries_by_name",
    "entry_names",
    "projections",
]
