"""Checks of update strategies: numbers of extra or missing pods that the API server refuses.

Source: Kubernetes 1.36, pkg/apis/apps/validation/validation.go (ValidateDeploymentStrategy,
ValidateRollingUpdateDeployment, ValidateRollingUpdateDaemonSet) and pkg/apis/apps/v1/defaults.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from quotalint.accounts.facts import Facts
from quotalint.checks.hit import Hit, check
from quotalint.kube.amounts import is_stand_in
from quotalint.kube.fields import mapping
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.text.lazy_patterns import lazy_pattern

_SURGE, _UNAVAILABLE = "maxSurge", "maxUnavailable"


class StrategyField(NamedTuple):
    """The field with the update strategy of a kind, and its defaults."""

    field: str
    defaults: Mapping[str, int | str]
    """The default of each field."""


class InvalidLimit(NamedTuple):
    """One reason why a strategy is refused."""

    field: str
    """The field below `rollingUpdate`; empty for `rollingUpdate` itself."""
    detail: str
    """The API server's message."""
    remedy: str


_STRATEGIES = {
    ("apps", "Deployment"): StrategyField("strategy", {_SURGE: "25%", _UNAVAILABLE: "25%"}),
    ("apps", "DaemonSet"): StrategyField("updateStrategy", {_SURGE: 0, _UNAVAILABLE: 1}),
}
_INT32 = 2**31
_PERCENT = lazy_pattern(r"[0-9]+%")
_NO_PERCENT = (
    "a valid percent string must be a numeric string followed by an ending '%' "
    "(e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"
)


@check("QL405", Object, kinds=_STRATEGIES)
def invalid_update(obj: Object, _: Facts) -> Iterator[Hit]:
    strategy = _STRATEGIES[obj.group, obj.kind]
    written = mapping(obj.spec.get(strategy.field))
    rolling = written.get("rollingUpdate")
    if not isinstance(rolling, dict):
        return
    for invalid in _invalid_limits(obj.kind, written.get("type"), {**strategy.defaults, **_written_limits(rolling)}):
        below = (invalid.field,) if invalid.field in rolling else ()
        path = ("spec", strategy.field, "rollingUpdate", *below)
        field = ".".join(("spec", strategy.field, "rollingUpdate", *filter(None, (invalid.field,))))
        message = f'{obj.kind}.{obj.group} "{obj.name}" is invalid: {field}: {invalid.detail}'
        values = {"kind": obj.kind, "name": obj.name, "message": message, "remedy": invalid.remedy}
        yield Hit(obj.at(*path), values, obj, field, variant="update")


def _written_limits(rolling: Mapping[str, object]) -> dict[str, object]:
    return {field: rolling[field] for field in (_SURGE, _UNAVAILABLE) if rolling.get(field) is not None}


def _invalid_limits(kind: str, update_type: object, limits: Mapping[str, object]) -> Iterator[InvalidLimit]:
    if kind == "Deployment" and update_type == "Recreate":
        detail = "Forbidden: may not be specified when strategy `type` is 'Recreate'"
        yield InvalidLimit("", detail, "remove `rollingUpdate` (`rollingUpdate: null` in a patch), or `type: Recreate`")
        return
    numbers = {field: _number_of(limit) for field, limit in limits.items()}
    if update_type not in (None, "", "RollingUpdate") or None in numbers.values():
        return
    for field, limit in limits.items():
        yield from _faults_of_limit(kind, field, limit)
    if not numbers[_SURGE] and not numbers[_UNAVAILABLE]:
        detail = "Required value: cannot be 0 when maxSurge is 0"
        if kind == "Deployment":
            detail = f"Invalid value: {_shown(limits[_UNAVAILABLE])}: may not be 0 when `maxSurge` is 0"
        yield InvalidLimit(_UNAVAILABLE, detail, "let `maxSurge` or `maxUnavailable` be 1: one of them has to give way")
    elif kind == "DaemonSet" and numbers[_SURGE] and numbers[_UNAVAILABLE]:
        detail = f"Invalid value: {_shown(limits[_SURGE])}: may not be set when maxUnavailable is non-zero"
        yield InvalidLimit(
            _SURGE, detail, "write `maxUnavailable: 0` beside `maxSurge` (it is 1 where nothing is written)"
        )


def _faults_of_limit(kind: str, field: str, limit: object) -> Iterator[InvalidLimit]:
    if isinstance(limit, str) and not _PERCENT.fullmatch(limit):
        remedy = "write the number without quotation marks, or a percentage such as 25%"
        yield InvalidLimit(field, f"Invalid value: {_shown(limit)}: {_NO_PERCENT}", remedy)
    elif isinstance(limit, str) and _percents(limit) > 100 and (field == _UNAVAILABLE or kind == "DaemonSet"):
        detail = f"Invalid value: {_shown(limit)}: must not be greater than 100%"
        yield InvalidLimit(field, detail, "write 100% or less")
    elif isinstance(limit, int) and limit < 0:
        detail = f"Invalid value: {limit}: must be greater than or equal to 0"
        yield InvalidLimit(field, detail, "write 0 or more")


def _number_of(limit: object) -> int | None:
    """The number that the API server compares with zero; None if it is unknown or does not decode."""
    if isinstance(limit, bool) or is_stand_in(limit):
        return None
    if isinstance(limit, int):
        return limit if abs(limit) < _INT32 else None
    if not isinstance(limit, str):
        return None
    return _percents(limit) if _PERCENT.fullmatch(limit) else int(bool(limit.strip("0")))


def _percents(limit: str) -> int:
    return int(limit[:-1].lstrip("0")[:9] or 0)


def _shown(limit: object) -> str:
    return f'"{limit}"' if isinstance(limit, str) else str(limit)
