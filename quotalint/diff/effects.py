"""The changed fields that move an outcome, such as a sum or a refusal; each is tried by reverting it alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from typing import Any

from quotalint.accounting import charge_anew
from quotalint.accounts.facts import Facts
from quotalint.diff.field_changes import FieldChange
from quotalint.kube.fields import Body, dig, mapping
from quotalint.kube.objects import Object, Ref
from quotalint.quota.charges import Charge
from quotalint.text.place import Path

Outcome = Callable[[Charge], object]
"""A value of a charge: an amount, or the reason of its refusal."""


def effective_changes(
    facts: Facts, owner: Ref, versions: tuple[Object, Object], changes: Sequence[FieldChange], outcome: Outcome
) -> tuple[FieldChange, ...]:
    """The changes of a workload, or of a LimitRange, whose reversal changes the outcome of the workload `owner`; all of
    them if only all together do. `versions`: the object before and now."""
    mine = [charge for charge in facts.charges.get(owner.namespace, ()) if _is_of(charge, owner)]
    if not mine or not changes:
        return ()

    def outcomes_without(taken: Sequence[FieldChange]) -> list[object]:
        trials = ((charge, _without(charge, versions, taken)) for charge in mine)
        return [outcome(trial) for charge, parts in trials for trial in charge_anew(facts, charge, *parts)]

    now = [outcome(charge) for charge in mine]
    own = tuple(change for change in changes if outcomes_without((change,)) != now)
    return own or (tuple(changes) if len(changes) > 1 and outcomes_without(changes) != now else ())


def _is_of(charge: Charge, owner: Ref) -> bool:
    demand = charge.demand
    return demand.owner is not None and demand.owner.ref == owner and demand.place is not None and not demand.grown


def _without(
    charge: Charge, versions: tuple[Object, Object], changes: Sequence[FieldChange]
) -> tuple[Body, Object | None]:
    """The body of a charge without some changes, and the LimitRange without them if that is what changed."""
    old, new = versions
    demand = charge.demand
    if new.kind == "LimitRange":
        return demand.body, new._replace(body=_take_back(new.body, old.body, changes))
    assert demand.owner is not None
    assert demand.place is not None
    way = demand.place.path[len(demand.owner.place.path) :]
    below = [change._replace(path=change.path[len(way) :]) for change in changes if change.path[: len(way)] == way]
    return _take_back(demand.body, mapping(dig(old.body, *way)), below), None


def _take_back(new: Body, old: Body, changes: Iterable[FieldChange]) -> Body:
    """A body with some fields reverted."""
    body: dict[str, Any] = deepcopy(dict(new))
    came: list[tuple[Path, object]] = []
    went: dict[Path, object] = {}
    for change in changes:
        at = next((change.path[: end + 1] for end, step in enumerate(change.path) if isinstance(step, int)), ())
        # The indices of what is gone are those that it had.
        now, was = (dig(side, *at) if at else None for side in (new, old))
        if at and change.old is None and _name(now) not in _names(dig(old, *at[:-1])):
            came.append((at[:-1], _name(now)))
        elif at and change.new is None and _name(was) not in _names(dig(new, *at[:-1])):
            went[at] = was
        else:
            _set(body, change.path, change.old)
    for at, item in went.items():
        _set(body, at[:-1], [*_items(dig(body, *at[:-1])), item])
    for path, name in came:
        _set(body, path, [item for item in _items(dig(body, *path)) if _name(item) != name])
    return body


def _set(body: Any, path: Path, value: object) -> None:
    """Set a value below a body, or remove it (None). Without a path to it, nothing happens."""
    *way, last = path
    for step in way:
        if isinstance(body, dict) and body.get(step) is None:
            body[step] = {}
        body = dig(body, step)
    if isinstance(body, dict) and value is None:
        body.pop(last, None)
    elif isinstance(body, dict) or dig(body, last) is not None:
        body[last] = value


def _items(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else ()


def _names(value: object) -> set[object]:
    return {_name(item) for item in _items(value)}


def _name(item: object) -> object:
    """The key of an item in a list: the name of a container, the type of a LimitRange item."""
    return next((name for key in ("name", "type") if isinstance(name := mapping(item).get(key), str)), None)
