"""An entry of a quota that is too small at several moments, for several reasons: which number is of which moment, and
each reason once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from git_repositories import Repository, quota

from quotalint.cli import run

QUOTA = quota("limits.cpu: 4, requests.cpu: 4")
WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web, namespace: team-a}}
spec:
  replicas: 2
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec: {{containers: [{{name: app, image: web, resources: {{requests: {{cpu: {0}}}, limits: {{cpu: {1}}}}}}}]}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: web, namespace: team-a}}
spec: {{scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}, minReplicas: 2, maxReplicas: {2}}}
"""


@pytest.fixture
def lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> list[str]:
    """What Markdown says of a workload that asks for more, and may grow."""
    repository = Repository(tmp_path / "repository", {"q.yaml": QUOTA, "w.yaml": WEB.format(1, 1, 3)})
    monkeypatch.chdir(repository.folder)
    repository.write({"w.yaml": WEB.format(2, "2500m", 6)})
    run(["diff", "HEAD", "--format", "markdown"])
    shown: list[str] = capsys.readouterr().out.splitlines()
    return shown


def test_two_rows_of_one_entry_say_of_which_moment_they_are(lines: list[str]) -> None:
    assert [line for line in lines if "❌" in line or "⚠️" in line][1:4] == [
        "| `limits.cpu` | 2 | **5** | 4 | ❌ 125 % |",
        "| `requests.cpu` during rollouts | 3 | **6** | 4 | ❌ 150 % |",
        "| `requests.cpu` under load | 3 | **12** | 4 | ⚠️ 300 % |",
    ]


def test_a_change_is_one_cause_whichever_of_its_fields_matters_most(lines: list[str]) -> None:
    because = next(line for line in lines if "because" in line)
    assert because.count("`w.yaml:9`") == 1
    assert because.endswith(
        "because limits.cpu of `web` goes from 1 to 2500m and its requests.cpu goes from 1 to 2 (`w.yaml:9`) and "
        "maxReplicas of `web` goes from 3 to 6 (`w.yaml:14`).\\"
    )


def test_amounts_of_two_moments_say_of_which_they_are(lines: list[str]) -> None:
    because = next(line for line in lines if "because" in line)
    assert because.startswith("**limits.cpu 2 → 5 of 4** and **requests.cpu 3 → 6 of 4** during rollouts, because")
