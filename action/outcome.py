"""What the reports come to."""

from __future__ import annotations

import json
from typing import NamedTuple

from action.running import FAILED, Ran

_EXCEEDED = "QL301"


class Outcome(NamedTuple):
    """In numbers."""

    findings: int
    """Those that nothing suppresses; of a comparison the new ones."""
    exceeded: int
    """How many of them are an entry of a quota that is exceeded."""
    quotas: int
    """How many quotas a comparison shows, which are those that it changes or changes the use of."""


def outcome(ran: Ran) -> Outcome | None:
    """What was found; None where the run itself failed."""
    if ran.status == FAILED:
        return None
    report = json.loads(ran.read("json"))
    compared = ran.command == "diff"
    found = report["findings"]["new"] if compared else report["findings"]
    rules = [one["rule"] for one in found if one["suppressed"] is None]
    return Outcome(len(rules), rules.count(_EXCEEDED), len(report["quotas"]) if compared else 0)
