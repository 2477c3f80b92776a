"""What was found out of one state of a repository, as far as another is compared with it."""

from __future__ import annotations

from collections.abc import Sequence

from quotalint.facts import Facts
from quotalint.finding import Finding
from quotalint.named_tuples import NamedTuple
from quotalint.quota_table import QuotaTable


class State(NamedTuple):
    """What was found out of one state."""

    environments: Sequence[Facts]
    tables: Sequence[QuotaTable]
    findings: Sequence[Finding]
