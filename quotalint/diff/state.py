"""One judged state of a repository, for a comparison."""

from __future__ import annotations

from collections.abc import Sequence

from quotalint.accounts.facts import Facts
from quotalint.accounts.quota_table import QuotaTable
from quotalint.named_tuples import NamedTuple
from quotalint.results.finding import Finding


class State(NamedTuple):
    """Facts, quota tables and findings of one state."""

    environments: Sequence[Facts]
    tables: Sequence[QuotaTable]
    findings: Sequence[Finding]
