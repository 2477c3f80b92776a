"""What is known of the sums of one namespace, as far as a report without tables tells."""

from __future__ import annotations

from quotalint.facts import Facts
from quotalint.transcript import digest


def sums_digests(facts: Facts) -> dict[str, bytes]:
    """By namespace: how certain each sum of its quotas is, and why it is not."""
    certainties: dict[str, list[object]] = {}
    for projection in facts.projections:
        quota = projection.quota
        reasons = [(type(reason).__name__, str(reason)) for reason in projection.unknowns]
        what = quota.name, projection.name, projection.tracked, projection.certainty, reasons, projection.guesses
        certainties.setdefault(quota.namespace, []).append(what)
    return {namespace: digest(repr(lines).encode("utf-8", "surrogatepass")) for namespace, lines in certainties.items()}


NO_SUMS = b""
"""Of a namespace without a quota."""
