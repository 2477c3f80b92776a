"""The formats that other programs read, each in one file: one finding of one small repository.

`pytest --update-golden` rewrites the files; read what it wrote before you commit it.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from workspace import Workspace

EXPECTED = Path(__file__).parent / "expected"
QUOTA = """\
apiVersion: v1
kind: ResourceQuota
metadata: {name: base, namespace: team-a}
spec: {hard: {pods: "2"}}
"""
WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: team-a}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web}]}
"""


@pytest.mark.parametrize(
    ("format_name", "file"),
    [("sarif", "sarif.json"), ("gitlab", "gitlab.json"), ("rdjson", "rdjson.json"), ("github", "github.txt")],
)
def test_a_report_is_as_expected(
    format_name: str, file: str, workspace: Workspace, request: pytest.FixtureRequest
) -> None:
    workspace.put({"quota.yaml": QUOTA, "web.yaml": WEB})
    status, printed, _ = workspace.text("check", "--format", format_name)
    if request.config.getoption("--update-golden"):
        (EXPECTED / file).write_text(printed)
    assert (printed, status) == ((EXPECTED / file).read_text(), 1)
