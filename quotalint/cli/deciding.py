"""The commands that help to decide: how large a quota should be."""

from __future__ import annotations

from typing import Any

import click

from quotalint.cli.manual import Manual
from quotalint.cli.options import color, option, reading, reports
from quotalint.cli.requests import request_of

CHOSEN = "What is proposed"


@click.command(
    cls=Manual,
    examples=(
        ("quotalint suggest", "Quotas and LimitRanges for every namespace, as manifests."),
        ("quotalint suggest -n shop --headroom 50%", "For one namespace, with half as much again."),
        ("quotalint suggest --diff", "The change of the files that existing quotas are written in."),
        ("quotalint suggest --write .", "Make it; new manifests go to ENVIRONMENT/NAMESPACE.yaml."),
        ("quotalint suggest --scenario steady -f json", "For a program, without the peak."),
    ),
)
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path())
@reading
@option(
    *("-n", "--namespace", "names"),
    metavar="NAMESPACE",
    multiple=True,
    help="Only these; * stands for any text.",
    section=CHOSEN,
)
@option(
    "--headroom",
    metavar="SHARE",
    default="20%",
    help="What is added to what is needed, before it is rounded up (default: 20%).",
    section=CHOSEN,
)
@option(
    "--write",
    "folder",
    metavar="DIR",
    type=click.Path(),
    help="Write below DIR, and nowhere else: edit the quotas that stand there, put new ones into new files.",
    section=CHOSEN,
)
@option("--diff", is_flag=True, help="Show how existing quotas would be edited, and write nothing.", section=CHOSEN)
@option("--no-lower", is_flag=True, help="Raise what is too small, and lower nothing.", section=CHOSEN)
@reports(("text", "yaml", "json"))
@color
def suggest(
    paths: tuple[str, ...],
    names: tuple[str, ...],
    headroom: str,
    folder: str | None,
    diff: bool,
    no_lower: bool,
    **given: Any,
) -> int:
    """Propose a ResourceQuota and a LimitRange for each namespace, sized for what is deployed there.

    Each amount is what the scenario needs (peak, unless --scenario says otherwise: rollouts, autoscalers at their
    maximum and scheduled runs all at once), and the headroom, rounded up to an amount that people write. Quotas that
    exist keep their scopes and are edited where they are written. What is not known to be all is never lowered, and
    said to be a lower bound. `sizes:` in the configuration, or Components of the repository, are chosen from.
    """
    from quotalint.cli.suggesting import Wish
    from quotalint.cli.suggesting import suggest as propose

    given["scenario"] = given["scenario"] or "peak"
    return propose(request_of(paths, **given), Wish(headroom, names, folder, diff, not no_lower))
