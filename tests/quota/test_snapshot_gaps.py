"""What snapshots say that they do not show of a namespace."""

from __future__ import annotations

import pytest

from quotalint.accounts.sums import hidden_by_snapshots
from quotalint.snapshots.snapshot_header import About, Unread

READ = ("pods", "services")


@pytest.mark.parametrize(
    ("about", "reasons"),
    [
        # Nobody knows what was asked for, so nothing is known to be missing.
        (About("prod"), []),
        (About("prod", unread=(Unread("jobs.batch", "forbidden"),)), []),
        (About("prod", read=READ), ["the snapshot of prod does not show everything that is counted by number"]),
        # Only other namespaces were read.
        (About("prod", namespaces=("other",), read=READ), []),
        (
            About("prod", namespaces=("other", "shop"), read=READ, unread=(Unread("services", "forbidden", "shop"),)),
            [
                "the snapshot of prod has no services: forbidden",
                "the snapshot of prod does not show everything that is counted by number",
            ],
        ),
        (
            About("prod", read=READ, unread=(Unread("services", "forbidden", "other"), Unread("jobs.batch", "gone"))),
            [
                "the snapshot of prod has no jobs: gone",
                "the snapshot of prod does not show everything that is counted by number",
            ],
        ),
    ],
)
def test_what_a_snapshot_does_not_show(about: About, reasons: list[str]) -> None:
    assert [hidden.reason for hidden in hidden_by_snapshots((about,), "shop")] == reasons


@pytest.mark.parametrize(
    ("resource", "concerned", "unconcerned"),
    [
        # Whatever has no pods in view may be charged anything.
        ("pods", ("pods", "requests.cpu", "services"), ()),
        ("services", ("services", "count/services", "services.nodeports"), ("pods", "requests.cpu")),
        ("persistentvolumeclaims", ("requests.storage", "persistentvolumeclaims"), ("requests.cpu", "services")),
        ("configmaps", ("configmaps", "count/configmaps"), ("count/secrets", "pods")),
    ],
)
def test_which_sums_a_kind_that_was_not_read_may_add_to(
    resource: str, concerned: tuple[str, ...], unconcerned: tuple[str, ...]
) -> None:
    gap, counted = hidden_by_snapshots((About("prod", read=READ, unread=(Unread(resource, "forbidden"),)),), "shop")
    assert [name for name in (*concerned, *unconcerned) if gap.concerns(name)] == list(concerned)
    assert counted.concerns("count/widgets.example.com")
    assert not counted.concerns("services")


def test_each_snapshot_speaks_for_itself() -> None:
    abouts = (About("a"), About("b", read=READ), About("c", namespaces=("x",), read=READ), About("d", read=READ))
    assert [hidden.reason.split()[3] for hidden in hidden_by_snapshots(abouts, "shop")] == ["b", "d"]
