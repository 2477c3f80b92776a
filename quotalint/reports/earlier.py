"""JSON reports of earlier runs: how full each quota entry was, for a line over time."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from quotalint.accounts.quota_table import QuotaTable, Row
from quotalint.kube import quantity
from quotalint.kube.quantity import Quantity
from quotalint.named_tuples import NamedTuple
from quotalint.quota.projection import UNKNOWN

Key: TypeAlias = tuple[str, tuple[str, ...], str, str, str]
"""Environment, namespaces, kind and name of the quota, and the resource of the entry."""


class EarlierReport(NamedTuple):
    """The report of an earlier run."""

    name: str
    entries: Mapping[Key, Mapping[str, Quantity]]
    """The demand by scenario, and `hard`; without unknown amounts."""


class Point(NamedTuple):
    """How full an entry was."""

    name: str
    """The name of the report; empty for the current run."""
    percent: int | None
    """None if the report does not know it."""


def read_earlier(name: str, data: bytes) -> EarlierReport | str:
    """The quotas of a JSON report of `check` or `usage`; a string says why it is not a report."""
    try:
        report: Any = json.loads(data)
    except (ValueError, RecursionError):
        return "not JSON"
    quotas = report.get("quotas") if isinstance(report, dict) else None
    if not isinstance(quotas, list):
        return "not a report of `quotalint check --format json` or `quotalint usage --format json`"
    entries: dict[Key, Mapping[str, Quantity]] = {}
    for quota in quotas:
        if not isinstance(quota, dict) or not isinstance(quota.get("resources"), list):
            return "one of its quotas has no `resources`"
        for row in quota["resources"]:
            if isinstance(row, dict) and row.get("certainty") != UNKNOWN and not row.get("untracked"):
                entries[_entry_key(quota, row)] = _row_amounts(row)
    return EarlierReport(name, entries)


def _entry_key(quota: Mapping[str, Any], row: Mapping[str, Any]) -> Key:
    namespaces = quota.get("namespaces")
    spaces = tuple(map(str, namespaces)) if isinstance(namespaces, list) else (str(quota.get("namespace") or ""),)
    environment, kind, name = (str(quota.get(name) or "") for name in ("environment", "kind", "name"))
    return environment, spaces, kind, name, str(row.get("resource"))


def _row_amounts(row: Mapping[str, Any]) -> Mapping[str, Quantity]:
    read = {name: quantity.parse(row[name]) for name in _AMOUNTS if isinstance(row.get(name), str)}
    return {name: amount for name, amount in read.items() if isinstance(amount, Quantity)}


_AMOUNTS = ("steady", "surge", "peak", "hard")


def share_points(
    table: QuotaTable, row: Row, now: int | None, earlier: Sequence[EarlierReport], scenario: str
) -> list[Point]:
    """How full an entry was in each report, by the demand of a scenario, and is `now`; empty if no report knows it."""
    quota = table.quota
    key = (table.environment, tuple(quota.namespaces), quota.object.kind, quota.name, row.resource)
    earlier_points = [Point(report.name, _share_percent(report.entries.get(key, {}), scenario)) for report in earlier]
    return [*earlier_points, Point("", now)] if any(point.percent is not None for point in earlier_points) else []


def _share_percent(amounts: Mapping[str, Quantity], scenario: str) -> int | None:
    if scenario not in amounts or "hard" not in amounts:
        return None
    demand, hard = amounts[scenario], amounts["hard"]
    if hard.nano <= 0:
        return 101 if demand.nano > hard.nano else None
    return quantity.percent(demand, hard)
