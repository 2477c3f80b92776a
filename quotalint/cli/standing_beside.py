"""What is still said of a state beside what is said anew of some of its namespaces, as a report in JSON has it."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from quotalint.finding import Finding
from quotalint.reports.json import finding_json

_ORDER = ("file", "line", "column", "rule", "field", "message")


def findings_beside(
    standing: Iterable[dict[str, Any]],
    itself: Iterable[Finding],
    unchanged: Sequence[Finding],
    is_certain: Callable[[Finding], bool],
    edited: Collection[str],
) -> str | None:
    """The findings that a change leaves as they are, `unchanged` ones of the namespaces among them: in place of those
    that were found there where the state follows on `itself`. Of what is not certain, since it may be said of other
    namespaces too, nothing may have changed; nor is any other finding about a file that was `edited`. None where one of
    that is not so."""
    left = list(standing)
    now = [(finding_json(finding, None), is_certain(finding)) for finding in unchanged]
    for finding in itself:
        plain = finding_json(finding, None)
        if is_certain(finding):
            if plain not in left:
                return None
            left.remove(plain)
        elif (plain, False) in now:
            now.remove((plain, False))
        else:
            return None
    if not all(certain for _, certain in now) or any(_is_about(finding, edited) for finding in left):
        return None
    return json.dumps(sorted([*left, *(plain for plain, _ in now)], key=_order), ensure_ascii=False)


def _is_about(finding: Mapping[str, Any], files: Collection[str]) -> bool:
    return finding["file"] in files or any(related["file"] in files for related in finding["related"])


def _order(finding: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(finding[key] or "" for key in _ORDER)
