"""`schema`: the JSON Schemas, for editors and for programs that read what quotalint writes."""

from __future__ import annotations

import os

import click

from quotalint.cli import actions
from quotalint.cli.manual import Manual
from quotalint.data import schemas_folder

SCHEMAS = {
    "config": ".quotalint.yaml, the configuration.",
    "report": "What `check --format json` and `usage --format json` write.",
    "diff": "What `diff --format json` writes.",
    "suggest": "What `suggest --format json` writes.",
    "rule": "A file of the rule catalogue.",
    "policy": "A rule of your own, in a file that `policies` names.",
    "resource-quota": "A ResourceQuota, as strictly as QL004 reads it.",
    "limit-range": "A LimitRange, as strictly as QL004 reads it.",
}


@click.command(
    cls=Manual,
    examples=(
        ("quotalint schema > .quotalint.schema.json", "For `# yaml-language-server: $schema=…` in .quotalint.yaml."),
        ("quotalint schema report", "What scripts may count on in a report."),
    ),
    appendix=(("Names", tuple(SCHEMAS.items())),),
)
@click.argument("name", type=click.Choice(tuple(SCHEMAS)), default="config", metavar="[NAME]")
def schema(name: str) -> None:
    """Print the JSON Schema of the configuration, or the one called NAME.

    It is the one that this version goes by, so no network is needed to complete and check a file while it is written.
    """
    with open(os.path.join(schemas_folder(), f"{name}.schema.json"), encoding="utf-8") as file:
        actions.print_report(file.read(), "json")
