"""A chart that means harm is one finding, in time, and nothing is left of it: no process and no file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from manifests import quota
from test_helm_library import DOUBLED, ENDLESS, LOOP
from written_files import write

pytest.importorskip("helm_python")

CHART = "{apiVersion: v2, name: shop, version: 1.0.0}\n"
WEB = (
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"
    "spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a}]}}}\n"
)
CONFIGURATION = "renderers: {helm: {shop: [{release: web, namespace: team, values: [values.yaml]}]}}\n"


def large_values(folder: Path) -> None:
    with (folder / "values.yaml").open("wb") as file:
        file.truncate(200 * 1024 * 1024)


def link_outside(folder: Path) -> None:
    (folder / "shop" / "templates" / "a.yaml").symlink_to(folder.parent / "secret")


HOSTILE: dict[str, tuple[str, Callable[[Path], None] | None, str]] = {
    "an endless range": (LOOP, None, "helm took longer than 5 s"),
    "2^40 strings": (DOUBLED, None, "ran out of memory"),
    "recursion": (ENDLESS + '{{ include "b" . }}', None, "nested reference name"),
    "a file outside": ('a: {{ .Files.Get "../../secret" | required "nothing is there" }}', None, "nothing is there"),
    "a link outside": ("", link_outside, "links to lies outside the repository"),
    "a values file of 200 MB": (WEB, large_values, "values.yaml"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_chart_is_one_finding(case: str, tmp_path: Path) -> None:
    template, prepare, reason = HOSTILE[case]
    folder, temporary = tmp_path / "repository", tmp_path / "temporary"
    temporary.mkdir()
    (tmp_path / "secret").write_text("top: secret\n")
    files = {
        "shop/Chart.yaml": CHART,
        "shop/templates/web.yaml": template or WEB,
        "values.yaml": "{}\n",
        "quota.yaml": quota("team", hard="pods: 20"),
        ".quotalint.yaml": CONFIGURATION,
    }
    write(folder, files)
    if prepare is not None:
        prepare(folder)
    start = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "quotalint", "--format", "json", "--no-cache"],
        cwd=folder,
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    output, errors = process.communicate(timeout=120)
    taken = time.monotonic() - start
    assert errors == b""
    report = json.loads(output)
    findings = [
        (finding["rule"], reason in finding["message"]) for finding in report["findings"] if finding["rule"] != "QL001"
    ]
    certain = [row["certainty"] for row in report["quotas"]]
    assert (findings, certain, b"secret\n" in output) == ([("QL003", True)], ["unknown"], False)
    assert (list(temporary.iterdir()), lives(process.pid), taken < 100) == ([], False, True)


def lives(group: int) -> bool:
    """Whether any process of the group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
