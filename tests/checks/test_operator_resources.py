"""Resources that OLM hands on to an operator's Deployment are read as the API server will read them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quotalint.cli import run

SUBSCRIPTION = """\
apiVersion: operators.coreos.com/v1alpha1
kind: Subscription
metadata: {name: rhea, namespace: operators}
spec:
  config:
    resources:
      requests: {memory: %s}
      limits: {memory: 1Gi}
"""


@pytest.mark.parametrize(("request_", "lines"), [("512Mi", []), ("1200Mi", [7]), ("32MiMi", [7]), ("${MEMORY}", [])])
def test_a_subscription(request_: str, lines: list[int], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "subscription.yaml").write_text(SUBSCRIPTION % request_)
    run(["check", "--format", "json", "--select", "QL404", str(tmp_path)])
    assert [one["line"] for one in json.loads(capsys.readouterr().out)["findings"]] == lines
