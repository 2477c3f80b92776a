"""How many more of each workload fit, in lines for people."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from quotalint.accounts.facts import Facts
from quotalint.quota.headroom import Headroom, headrooms
from quotalint.quota.projection import EXACT
from quotalint.reports.cells import refusal_words
from quotalint.reports.terminal import Terminal, align_rows, safe_text


def render(environments: Iterable[Facts], within: Container[tuple[str, str]], to: Terminal) -> str:
    """A table of the workloads in these namespaces (by environment); empty if no quota limits any."""
    rows = [row for facts in environments for row in _rows(facts, within)]
    if not rows:
        return ""
    head = ("HOW MANY MORE FIT", "NOW", "WITH A ROLLOUT", "LIMITED BY")
    title, *body = align_rows([head, *rows], (1, 2))
    return "\n".join((to.paint(title, "dim"), *body)) + "\n"


def _rows(facts: Facts, within: Container[tuple[str, str]]) -> Iterator[tuple[str, ...]]:
    for headroom in headrooms(facts.charges, facts.admissions):
        if (facts.environment, headroom.namespace) in within:
            where = f"{safe_text(facts.environment)}: " if facts.environment else ""
            name = f"{where}{safe_text(headroom.namespace)}/{headroom.owner.kind}/{safe_text(headroom.owner.name)}"
            yield (
                name,
                bound_sign(headroom, facts) + str(headroom.steady),
                "" if headroom.rolling is None else str(headroom.rolling),
                refusal_words(headroom)
                if headroom.is_refused
                else ", ".join(f"{name} of {safe_text(quota.name)}" for quota, name in headroom.limited_by),
            )


def bound_sign(headroom: Headroom, facts: Facts) -> str:
    """`≤ ` before a number that may be too high, because more may use the quota than is in view; else empty."""
    certainties = {facts.projections_of(quota)[name].certainty for quota, name in headroom.limited_by}
    return "" if certainties <= {EXACT} else "≤ "
