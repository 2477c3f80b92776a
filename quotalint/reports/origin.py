"""Where a report comes from."""

from __future__ import annotations

from quotalint.named_tuples import NamedTuple
from quotalint.reports.links import Links


class Origin(NamedTuple):
    """The run that made a report."""

    command: str = ""
    """The command line, as a shell would take it."""
    commit: str = ""
    """What was checked out; empty where nobody knows."""
    links: Links = Links()


NOWHERE = Origin()
