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
    verdict: str
    """`fails`, `unknown`, `passes` or `nothing`; empty if the release that ran says none."""

    @property
    def is_worth_a_comment(self) -> bool:
        """Whether somebody should read it. That all is well is worth nothing by itself."""
        return bool(self.findings or self.quotas or self.verdict == "unknown")


def outcome(ran: Ran) -> Outcome | None:
    """What was found; None where the run itself failed."""
    if ran.status == FAILED:
        return None
    report = json.loads(ran.read("json"))
    compared = ran.command == "diff"
    found = report["findings"]["new"] if compared else report["findings"]
    rules = [one["rule"] for one in found if one["suppressed"] is None]
    quotas = len(report["quotas"]) if compared else 0
    return Outcome(len(rules), rules.count(_EXCEEDED), quotas, report.get("verdict", ""))
