"""How much of each entry of a quota will be used, and how certain that is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set

from quotalint.evaluators.persistentvolumeclaims import class_of
from quotalint.kube import quantity
from quotalint.kube.amounts import UnknownAmount
from quotalint.kube.claim import Claim, DeviceClaim
from quotalint.kube.discovery import KNOWN, MISSING, UNKNOWN, Discovery
from quotalint.kube.guess import CONTENT, LEFT_OUT, Guess
from quotalint.kube.objects import Object
from quotalint.kube.pod import Pod
from quotalint.kube.quantity import Quantity
from quotalint.kube.resources import is_extended_quota
from quotalint.named_tuples import NamedTuple
from quotalint.quota.charges import Charge
from quotalint.quota.quotas import Quota
from quotalint.quota.validation import tracking_state
from quotalint.settings import Scenario
from quotalint.text.place import Path
from quotalint.workloads.demand import POSITIONS, Demand

EXACT, ASSUMED, AT_LEAST = "exact", "assumed", "at-least"
"""Levels of certainty, beside UNKNOWN."""


class Amounts(NamedTuple):
    """The charge of all objects of a demand together, by scenario (workloads.demand.POSITIONS)."""

    steady: Quantity
    surge: Quantity
    scaled: Quantity
    peak: Quantity

    def of(self, scenario: Scenario) -> Quantity:
        """The charge in one scenario."""
        return self[POSITIONS[scenario]]


class EntryCharge(NamedTuple):
    """One charge in the sum of an entry."""

    charge: Charge
    each: Quantity
    """The charge of one object."""

    @property
    def owner(self) -> Object | None:
        """The object that causes the usage; None for objects that every namespace has."""
        return self.charge.owner

    @property
    def demand(self) -> Demand:
        """The demand that is charged."""
        return self.charge.admitted.demand

    def guesses(self, name: str) -> tuple[Guess, ...]:
        """The guesses behind this charge to an entry of `hard`."""
        owner, demand = self.charge.owner, self.charge.admitted.demand
        of_owner = owner.guesses if owner is not None else ()
        guesses = (*of_owner, *demand.guesses, *self.charge.admitted.guesses_about(name))
        return (*guesses, demand.doubts[name]) if name in demand.doubts else guesses

    @property
    def amounts(self) -> Amounts:
        """The charge of all its objects, by scenario."""
        numbers = self.charge.admitted.demand.size.numbers
        return Amounts(*(quantity.multiply(self.each, number) for number in numbers))


class Projection(NamedTuple):
    """One entry of a quota's `hard` and its expected usage."""

    quota: Quota
    name: str
    hard: Quantity | None
    """None if the amount is a placeholder."""
    steady: Quantity
    """In the steady state."""
    surge: Quantity
    """With the largest step of one workload: its rolling update, or one run of its schedule."""
    peak: Quantity
    """With all autoscalers at their maximum, all rollouts in progress and all schedules running."""
    entries: tuple[EntryCharge, ...]
    tracked: str
    """KNOWN; MISSING if no evaluator counts the entry; UNKNOWN if a definition is missing here."""
    certainty: str
    unknowns: tuple[str, ...]
    guesses: tuple[Guess, ...] = ()
    """The guesses that the sum depends on."""
    is_firm: bool = False
    """Only the users of the entry and autoscalers are guessed, not the quota or anything that changes the charge of
    other objects."""
    is_scaled: bool = False
    """An autoscaler is guessed."""

    def proof(self, scenario: Scenario) -> Projection:
        """The lower bound without guesses, if that alone exceeds the quota; else the whole projection."""
        if not self.is_firm:
            return self
        entries = tuple(
            entry
            for entry in self.entries
            if not (entry.guesses(self.name) or (entry.owner is not None and entry.owner.homeless))
            if not self.is_scaled or _counts_without_scaler(entry, scenario)
        )
        firm = self.with_entries(entries)._replace(certainty=AT_LEAST, guesses=(), is_firm=False)
        return firm if firm.exceeds(scenario) else self

    def with_entries(self, entries: tuple[EntryCharge, ...]) -> Projection:
        """The projection with these charges instead of its own, and their sums."""
        steady, surge, peak = _sum_entries(entries)
        return self._replace(steady=steady, surge=surge, peak=peak, entries=entries)

    def guesses_at_rest(self, actor: Object | None) -> tuple[Guess, ...]:
        """The guesses behind the sum while only `actor`, a workload or its autoscaler, changes. Objects that only run
        at times use nothing then. Runs of a CronJob may overlap with others, so all guesses count."""
        if not self.is_firm or self.is_scaled or actor is None or actor.kind == "CronJob":
            return self.guesses
        entries = (entry for entry in self.entries if entry.demand.size.numbers.steady or _involves(entry, actor))
        # The maximum that a VerticalPodAutoscaler sets does not depend on the written requests.
        name = "" if actor.kind == "VerticalPodAutoscaler" else self.name
        return tuple(dict.fromkeys(guess for entry in entries for guess in entry.guesses(name)))

    def demand(self, scenario: Scenario) -> Quantity:
        """The usage in a scenario."""
        return (self.steady, self.surge, self.peak, self.peak)[POSITIONS[scenario]]

    def exceeds(self, scenario: Scenario) -> bool:
        """Whether usage exceeds the quota; a lower bound above the limit is proof."""
        return self.tracked != MISSING and self.hard is not None and self.demand(scenario).nano > self.hard.nano


def _counts_without_scaler(entry: EntryCharge, scenario: Scenario) -> bool:
    """Whether a scenario has at least this many objects without any autoscaler."""
    size = entry.demand.size
    return size.scaler is None or (size.is_floor and scenario in (Scenario.STEADY, Scenario.SURGE))


def _involves(entry: EntryCharge, actor: Object) -> bool:
    return any(obj is not None and obj.identity == actor.identity for obj in (entry.owner, entry.demand.size.scaler))


class Uninhabited(str):
    """The reason that no workload is known: none is written, so a change adds or removes none."""

    __slots__ = ()


class Operated(str):
    """The reason that an operator here makes pods that no manifest describes."""

    __slots__ = ()


_COUNTED = frozenset(("configmaps", "secrets"))  # counted by number without the prefix `count/`


class HiddenObjects(NamedTuple):
    """Objects of the namespace that may exist but are not known here."""

    reason: str
    kinds: tuple[str, ...] = ()
    """The kinds that they may have; empty: any."""
    only: tuple[str, ...] = ()
    """The entry names, or parts of them, that may count them; empty: any."""
    others: frozenset[str] | None = None
    """Kinds (`deployments.apps`) that they do not have, so they only add to the numbers of other kinds; None: any
    kind."""

    def concerns(self, name: str) -> bool:
        """Whether they may add to an entry of `hard`."""
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

    `uncertain`: the charges with unknown parts; `unseen`: unknown objects of the namespace; `inhabited`: a workload of
    the namespace is known; `guesses`: about objects that change the charge of others; `scaling`: about objects that
    change their number.
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
        is_charged = used is not None and used.nano > steady.nano
        if used is not None and is_charged:
            reasons.append(f"the cluster charges {quantity.show(used)} of {name}; {quantity.show(steady)} is in view")
            if not inhabited:  # nothing but the cluster's own number says how full the quota is
                steady, surge, peak = (max(amount, used, key=_nano) for amount in (steady, surge, peak))
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
        unknown = unknown or (not (inhabited or is_charged) and _is_uninformative(entries, peak, quota.hard.get(name)))
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


def _nano(amount: Quantity) -> int:
    return amount.nano


def _counted_kind(name: str) -> Guess:
    """The guess that the kind of the counted objects has the plural in the entry's name."""
    reason = f"{name} is taken to count such objects, though no CustomResourceDefinition in view says so"
    return Guess(CONTENT, reason, "let their CustomResourceDefinition be in view, in the repository or by `--with`")


def uncertain_charges(charges: Iterable[Charge]) -> tuple[Charge, ...]:
    """The charges with unknown parts; computed once for all quotas with the same charges."""
    return tuple(charge for charge in charges if charge.demand.size.unknowns or charge.admitted.unknowns)


def entries_by_name(
    quota: Quota, charges: Iterable[Charge], names: Set[str] | None = None
) -> Mapping[str, tuple[EntryCharge, ...]]:
    """The charges to each of these names (None: those of the quota) by the objects that a quota counts. Quotas with the
    same scopes share the result."""
    names = entry_names(quota) if names is None else names
    entries: dict[str, list[EntryCharge]] = {}
    for charge in charges:
        if names.isdisjoint(charge.each):  # most objects are counted by no entry
            continue
        if not any(charge.admitted.demand.size.numbers) or not charge.matches(quota.requirements):
            continue
        for name, amount in charge.each.items():
            if name in names and amount.nano:
                entries.setdefault(name, []).append(EntryCharge(charge, amount))
    return {name: tuple(charged) for name, charged in entries.items()}


def entry_names(quota: Quota) -> set[str]:
    """The names of a quota's entries, including those with unknown amounts."""
    return {*quota.hard, *(str(unknown.path[-1]) for unknown in quota.unknowns if unknown.path[-2] == "hard")}


def _sum_entries(entries: Iterable[EntryCharge]) -> tuple[Quantity, Quantity, Quantity]:
    # Plain integers, because a large repository has ten thousand of these. The first non-zero amount gives the format,
    # as in Quantity.Add.
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
    # A pod that a VerticalPodAutoscaler enlarges may leave the scope, so the peak is at least the surge.
    return (
        Quantity(steady, formats[0]),
        Quantity(surge, format_),
        Quantity(max(surge, peak), format_ if surge else formats[1]),
    )


def _is_uninformative(entries: Sequence[EntryCharge], most: Quantity, hard: Quantity | None) -> bool:
    """Whether a namespace without known workloads has only objects that every namespace has, or that exist at times. If
    those exceed the limit, the sum is a proof."""
    if not most.nano:
        return True
    common = all(entry.charge.admitted.demand.owner is None or not entry.charge.number for entry in entries)
    return common and (hard is None or most.nano <= hard.nano)


def _certainty(state: str, reasons: Sequence[str], *, unknown: bool, guessed: bool) -> str:
    if state == MISSING:
        return EXACT
    if unknown:
        return UNKNOWN
    # A lower bound is a proof; a guess cannot be one.
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


def reasons_for_more(name: str, charges: Sequence[Charge], quota: Quota) -> list[str]:
    """Why these charges may add more to an entry of `hard` than is known."""
    reasons: list[str] = []
    of_class = bool(class_of(name))
    for charge in charges:
        admitted = charge.admitted
        demand = admitted.demand
        if not (of_class or demand.size.unknowns or admitted.unknowns):
            continue
        # Pods without a known template may be in any scope.
        if not charge.evaluator.tracks(name) or not (demand.place is None or charge.matches(quota.requirements)):
            continue
        reasons += demand.size.unknowns
        owner = f"{demand.owner.kind} {demand.owner.title}" if demand.owner else demand.kind
        for unknown in admitted.unknowns:
            if not _concerns(unknown, name, admitted.item):
                continue
            reasons.append(unknown.for_all or f"{owner}: {'.'.join(map(str, unknown.path))} {unknown.reason}")
        if of_class and isinstance(admitted.item, Claim) and admitted.item.storage_class is None:
            reasons.append(f"{owner}: the claim takes the default StorageClass, which is not in view")
    return reasons


def _concerns(unknown: UnknownAmount, name: str, item: object) -> bool:
    """Whether an unknown amount may add to an entry of `hard`. Memory adds nothing to `pods`, and a request nothing to
    `limits.cpu`. A limit adds to requests only if it is the default of a missing request."""
    if unknown.path[-1:] == ("deviceClassName",):
        return is_extended_quota(name)
    if isinstance(item, DeviceClaim):
        return not name.startswith("count/")
    field = unknown.path[-2] if len(unknown.path) > 1 else ""
    if field not in ("requests", "limits", "overhead"):
        return True
    resource = str(unknown.path[-1])
    if name.startswith("limits."):
        return field != "requests" and name.removeprefix("limits.") == resource
    if name.removeprefix("requests.") != resource and not name.endswith(f"/requests.{resource}"):
        return False
    return field != "limits" or not isinstance(item, Pod) or not _states_request(item, unknown.path, resource)


def _states_request(pod: Pod, limit: Path, resource: str) -> bool:
    """Whether the request is known beside an unknown limit, for a container or the whole pod."""
    for container in pod.all_containers:
        if limit[:-3] == container.path:
            return resource in container.requests
    return limit[:-3] == ("spec",) and resource in pod.requests
