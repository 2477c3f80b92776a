"""Checks of amounts that the API server accepts but that are probably mistakes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from quotalint.accounts.facts import Facts
from quotalint.checks.hit import Hit, Note, Related, check
from quotalint.kube.amounts import amount
from quotalint.kube.api_error import field_path
from quotalint.kube.fields import dig, mapping, sequence, text
from quotalint.kube.limit_range import LimitRange
from quotalint.kube.objects import Object
from quotalint.kube.plausibility import Absurd, absurd_amount, thousandfold_amount, unit_of, without_memory
from quotalint.kube.pod_resources import stated_resources
from quotalint.kube.quantity import Quantity
from quotalint.named_tuples import NamedTuple
from quotalint.quota.quotas import Quota
from quotalint.text.place import Path
from quotalint.workloads import makes_pods

_BOUNDS = ("max", "min", "default", "defaultRequest")
_OF_TESTS = frozenset({"test", "tests", "testdata", "e2e", "fixtures"})
_SIDES = (("requests", "limits"), ("limits", "requests"))
_OTHERS = 3  # other values needed before one counts as an outlier
_FAR = 100  # ratio of the largest to the smallest


@check("QL603", Quota)
def implausible_quota(quota: Quota, facts: Facts) -> Iterator[Hit]:
    hard = mapping(quota.spec.get("hard"))
    earlier = facts.object_before(quota.object.ref)
    for name, written in hard.items():
        absurdity = absurd_amount(name, written, hard) or beyond_its_pair(name, written, hard)
        if absurdity is None:
            absurdity = without_memory(name, written, hard)
            if absurdity is not None and _is_used(quota, name, facts):
                absurdity = None
        was = dig(earlier.body, *quota.way(name)) if earlier is not None else None
        absurdity = absurdity or _beyond_earlier(name, written, was)
        if absurdity is not None and quota.way(name)[-1] == name:
            hit = _quota_hit(quota, name, absurdity)
            yield hit._replace(values={**hit.values, "usual": text(was)})


_MEANT_SO = 20  # times the amount that would be meant otherwise


def _is_used(quota: Quota, name: str, facts: Facts) -> bool:
    """Whether the workloads ask for so many CPUs that thousandths cannot be meant."""
    projection = facts.projections_of(quota).get(name)
    return projection is not None and projection.peak.nano * 1000 > quota.hard[name].nano * _MEANT_SO


@check("QL603", Facts)
def quota_out_of_line(facts: Facts, _: Facts) -> Iterator[Hit]:
    """Compares an entry with the same entry of similar quotas: quotas with the same name."""
    groups: dict[tuple[str, str], list[tuple[int, Quota]]] = {}
    for quota in facts.quotas:
        for name, value in quota.hard.items() if quota.way("")[:-1] == ("spec", "hard") else ():
            if unit_of(name) and value.nano > 0:
                groups.setdefault((quota.object.name, name), []).append((value.nano, quota))
    for (_name, entry), group in groups.items():
        values = sorted(value for value, _ in group)
        if not _is_wide(values):
            continue
        outlier_of = _outlier_test(entry, values)
        for own, quota in group:
            hard = mapping(quota.spec.get("hard"))
            outlier = outlier_of(own, hard[entry])
            if outlier is not None and absurd_amount(entry, hard[entry], hard) is None:
                usual = next(other for value, other in group if value == outlier.usual)
                yield _quota_hit(quota, entry, outlier.why, usual, len(group) - 1)


@check("QL603", LimitRange)
def implausible_limit_range(limits: LimitRange, facts: Facts) -> Iterator[Hit]:
    obj = limits.object
    earlier = facts.object_before(obj.ref)
    for number, item in enumerate(sequence(limits.spec.get("limits"))):
        for field in _BOUNDS:
            amounts = mapping(mapping(item).get(field))
            for name, written in amounts.items():
                path: Path = (*limits.path, "limits", number, field, name)
                was = dig(earlier.body, *path) if earlier is not None else None
                absurdity = absurd_amount(name, written, amounts) or _beyond_defaults(
                    field, name, written, mapping(item)
                )
                absurdity = absurdity or without_memory(name, written, amounts) or _beyond_earlier(name, written, was)
                small_on_purpose = field == "min" and str(written).endswith(("k", "Ki"))
                if absurdity is not None and not small_on_purpose and not is_of_tests(obj):
                    hit = amount_hit(obj, path, f"{field}.{name}", f"LimitRange {limits.name}", written, absurdity)
                    stops = _starts_nothing(mapping(item), field, name)
                    yield hit._replace(
                        values={**hit.values, "usual": text(was)},
                        severity="error" if stops else "",
                        notes=(Note("so", "no container starts with so little memory"),) if stops else (),
                    )


def _starts_nothing(item: Mapping[str, object], field: str, name: str) -> bool:
    """Whether a default or the maximum gives containers a limit of memory with which none starts: less than a
    mebibyte (opencontainers/runc, libcontainer/process_linux.go: `container init was OOM-killed`)."""
    value = amount(mapping(item.get(field)).get(name))
    is_limit = item.get("type") == "Container" and field in ("default", "max") and name == "memory"
    return is_limit and isinstance(value, Quantity) and value.nano < (10**9 << 20)


@check("QL603", Facts)
def limit_range_out_of_line(facts: Facts, _: Facts) -> Iterator[Hit]:
    """Compares an amount with the same amount of LimitRanges of the same name."""
    groups: dict[tuple[str, ...], list[tuple[int, LimitRange, Path]]] = {}
    for limits in facts.limit_ranges:
        for number, item in enumerate(sequence(limits.spec.get("limits"))):
            kind = text(mapping(item).get("type"))
            for field in _BOUNDS:
                for name, written in mapping(mapping(item).get(field)).items():
                    value = amount(written)
                    if isinstance(value, Quantity) and value.nano > 0 and unit_of(name):
                        path: Path = (*limits.path, "limits", number, field, name)
                        groups.setdefault((limits.name, kind, field, name), []).append((value.nano, limits, path))
    for (_name, _kind, field, name), group in groups.items():
        values = sorted(value for value, _, _ in group)
        if not _is_wide(values):
            continue
        outlier_of = _outlier_test(name, values)
        for own, limits, path in group:
            written = dig(limits.object.body, *path)
            outlier = outlier_of(own, written)
            if outlier is not None and absurd_amount(name, written, {}) is None and not is_of_tests(limits.object):
                other, place = next(
                    (limit_range, bound_path) for value, limit_range, bound_path in group if value == outlier.usual
                )
                usual_text, entry = text(dig(other.object.body, *place)), f"{field}.{name}"
                hit = amount_hit(limits.object, path, entry, f"LimitRange {limits.name}", written, outlier.why)
                related = Related("compare", other.object.at(*place), f"{entry} {usual_text} of {other.namespace}")
                values_with_usual = {**hit.values, "others": str(len(group) - 1), "usual": usual_text}
                yield hit._replace(values=values_with_usual, related=(related,))


class _Outlier(NamedTuple):
    """An amount that is far from the others."""

    why: Absurd
    usual: int
    """The median of the others, in 10^-9 units."""


def _outlier_test(name: str, values: Sequence[int]) -> Callable[[int, object], _Outlier | None]:
    """A function that tells whether one of these sorted amounts is an outlier. Equal amounts are computed once."""

    @lru_cache(maxsize=None, typed=True)
    def outlier_of(own: int, written: object) -> _Outlier | None:
        at = values.index(own)
        others = [*values[:at], *values[at + 1 :]]
        absurdity = thousandfold_amount(name, written, others)
        return None if absurdity is None else _Outlier(absurdity, others[len(others) // 2])

    return outlier_of


def _is_wide(values: Sequence[int]) -> bool:
    """Whether one of these sorted amounts may be an outlier."""
    return len(values) > _OTHERS and values[0] * _FAR <= values[-1]


@check("QL603", Object)
def implausible_container(obj: Object, facts: Facts) -> Iterator[Hit]:
    if not makes_pods(obj, facts.settings.workloads) or obj.foreign:
        return
    earlier = facts.object_before(obj.ref)
    before = _amounts_of(earlier) if earlier is not None and earlier.body != obj.body else {}
    for stated in stated_resources(obj):
        amounts = tuple(stated.amounts())
        flat = {f"{side}.{name}": written for side, name, written in amounts}
        for side, name, written in amounts:
            entry = f"{side}.{name}"
            was = before.get((stated.container, entry))
            absurdity = absurd_amount(name, written, flat) or beyond_its_pair(entry, written, flat)
            absurdity = absurdity or without_memory(entry, written, flat) or _beyond_earlier(name, written, was)
            if absurdity is not None and not is_of_tests(obj):
                where = f"container {stated.container} of {obj.kind} {obj.name}"
                hit = amount_hit(obj, stated.at(side, name), entry, where, written, absurdity)
                yield hit._replace(values={**hit.values, "usual": text(was)})


def _amounts_of(obj: Object) -> Mapping[tuple[str, str], object]:
    """The amounts of an object's containers, by container and entry."""
    stated = stated_resources(obj)
    return {(each.container, f"{side}.{name}"): written for each in stated for side, name, written in each.amounts()}


def _beyond_earlier(name: str, written: object, was: object) -> Absurd | None:
    """A finding for an amount that a change makes a thousand times as large, because a suffix is lost. The reverse
    mostly repairs such a slip."""
    before, now = amount(was), amount(written)
    if not isinstance(before, Quantity) or not isinstance(now, Quantity) or not 0 < before.nano < now.nano:
        return None
    absurdity = thousandfold_amount(name, written, (before.nano,) * 3)
    return absurdity._replace(variant="changed") if absurdity is not None else None


_PAIRS = {f"{side}.{name}": f"{other}.{name}" for side, other in _SIDES for name in ("cpu", "memory")}


def beyond_its_pair(name: str, written: object, pair_amounts: Mapping[str, object]) -> Absurd | None:
    """A finding for a limit that is a thousand times the request beside it, or the reverse: an `m` is missing, or a
    suffix is that of the next unit."""
    if name not in _PAIRS:
        return None
    other = pair_amounts.get(_PAIRS[name])
    value = amount(other)
    if other is None or not isinstance(value, Quantity) or value.nano <= 0:
        return None
    if absurd_amount(_PAIRS[name], other, pair_amounts) is not None:
        return None  # the other one is reported
    absurdity = thousandfold_amount(name, written, (value.nano // 2, value.nano, value.nano))
    return (
        absurdity._replace(variant="pair", meaning=f"{absurdity.meaning} {text(other)}")
        if absurdity and "/" not in absurdity.meaning
        else None
    )


def _beyond_defaults(field: str, name: str, written: object, item: Mapping[str, object]) -> Absurd | None:
    """A finding for a default limit that is a thousand times the default request, or the reverse."""
    sides = {"default": "limits", "defaultRequest": "requests"}
    flat = {
        f"{side}.{key}": value
        for field_name, side in sides.items()
        for key, value in mapping(item.get(field_name)).items()
    }
    return beyond_its_pair(f"{sides[field]}.{name}", written, flat) if field in sides else None


def _quota_hit(quota: Quota, name: str, absurdity: Absurd, usual: Quota | None = None, others: int = 0) -> Hit:
    written = text(mapping(quota.spec.get("hard"))[name])
    hit = amount_hit(quota.object, quota.way(name), name, f"quota {quota.name}", written, absurdity)
    if usual is None:
        return hit._replace(field=quota.field(name), resource=name)
    usual_text = text(mapping(usual.spec.get("hard")).get(name))
    related = Related("compare", usual.entry(name), f"{name} {usual_text} of {usual.namespace}")
    values = {**hit.values, "others": str(others), "usual": usual_text}
    return hit._replace(values=values, field=quota.field(name), related=(related,), resource=name)


def amount_hit(obj: Object, path: Path, name: str, where: str, written: object, absurdity: Absurd) -> Hit:
    values = {
        "where": where,
        "resource": name,
        "written": text(written),
        "meaning": absurdity.meaning,
        "meant": absurdity.meant,
    }
    return Hit(obj.at(*path), values, obj, field_path(path), absurdity.variant, resource=name)


def is_of_tests(obj: Object) -> bool:
    return not _OF_TESTS.isdisjoint(obj.folder.split("/"))
