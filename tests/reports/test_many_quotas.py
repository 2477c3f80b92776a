"""Reports of many quotas of one namespace: what is the same for all is there once, and no page grows without end."""

from __future__ import annotations

import json
import re

import pytest
from pipeline_runs import run_pipeline
from workspace import Workspace

from quotalint.accounts.quota_table import quota_tables
from quotalint.reports.html import page_addresses
from quotalint.reports.json import render_usage
from quotalint.reports.summary import summarize_run

QUOTA = (
    "apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: {0}, namespace: shop}}\n"
    "spec: {{hard: {{requests.cpu: {1}, pods: 9}}, scopes: [{2}]}}\n"
)
WORKLOAD = (
    "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {{name: {0}, namespace: shop}}\nspec:\n  replicas: 2\n"
    "  selector: {{matchLabels: {{a: b}}}}\n  template: {{metadata: {{labels: {{a: b}}}}, "
    "spec: {{containers: [{{name: c, image: i, resources: {{requests: {{cpu: 1}}}}}}]}}}}\n"
)
QUOTAS = [QUOTA.format(f"q{number}", cpu, "NotTerminating") for number, cpu in enumerate((8, 1, 9))]
WORKLOADS = [WORKLOAD.format(name) for name in ("api", "web")]


def test_quotas_that_count_the_same_share_their_consumers(workspace: Workspace) -> None:
    none = QUOTA.format("jobs", 1, "Terminating")
    workspace.put({"all.yaml": "---\n".join([*QUOTAS, none, *WORKLOADS])})
    result = run_pipeline()
    tables = {table.quota.name: table for table in quota_tables(result.environments, result.locate)}
    assert [consumer.owner.name for consumer in tables["q0"].consumers] == ["api", "web"]
    assert tables["q0"].consumers is tables["q1"].consumers is tables["q2"].consumers
    assert tables["jobs"].consumers == ()
    report = json.loads(render_usage(list(tables.values()), summarize_run(result.environments, result.findings)))
    names = {quota["name"]: [consumer["name"] for consumer in quota["consumers"]] for quota in report["quotas"]}
    assert names == {"jobs": [], "q0": ["api", "web"], "q1": ["api", "web"], "q2": ["api", "web"]}


def test_a_page_shows_who_uses_the_worst_quotas_where_there_are_too_many(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.put({"all.yaml": "---\n".join([*QUOTAS, *WORKLOADS])})
    assert consumers_by_quota(workspace) == {"q0": 2, "q1": 2, "q2": 2}
    monkeypatch.setattr(page_addresses, "_CONSUMERS", 3)
    assert consumers_by_quota(workspace) == {"q0": 0, "q1": 2, "q2": 0}  # q1 does not fit
    page = workspace.text("usage", "--format", "html")[1]
    assert page.count("Used by 2 consumers, more than a page shows for all quotas: <code>quotalint usage shop/") == 2
    assert "<code>quotalint usage shop/q0</code> lists them." in page
    assert all(f"Entries of {name}</caption>" in page for name in ("q0", "q1", "q2"))


def consumers_by_quota(workspace: Workspace) -> dict[str, int]:
    """How many consumers the page lists of each quota."""
    page = workspace.text("usage", "--format", "html")[1]
    blocks = re.split(r'<details class="quota ', page)[1:]
    return {re.findall(r"<h4>(\w+)</h4>", block)[0]: len(re.findall(r'class="swatch"', block)) for block in blocks}
