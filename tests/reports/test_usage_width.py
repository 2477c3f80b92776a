"""The quota table on a terminal: bars take what numbers leave of it, and long lines go on below."""

from __future__ import annotations

import pytest
from manifests import quota
from workspace import Workspace

from quotalint.cli import actions
from quotalint.reports.terminal import Terminal, column_width

FILES = {
    "team-a/quota.yaml": quota("team-a", hard='requests.cpu: "4", requests.memory: 4Gi, pods: 3'),
    "team-a/a-folder-with-a-long-name/web.yaml": (
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: team-a}\n"
        "spec:\n  replicas: 2\n  template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 500m, "
        "memory: 512Mi}}}]}}\n"
    ),
}


@pytest.mark.parametrize(
    ("width", "expected"),
    [
        (
            120,
            """\
team-a   base  (team-a/quota.yaml:1)
  RESOURCE         STEADY  HARD                           SURGE    PEAK
  pods                  2     3  ██████████▋       67 %       3       3
  requests.cpu          1     4  ████              25 %   1500m   1500m
  requests.memory     1Gi   4Gi  ████              25 %  1536Mi  1536Mi
  used by  Deployment web  2 to 3 pods
             requests.cpu 1, requests.memory 1Gi; room for 1 more, none with a rollout
             team-a/a-folder-with-a-long-name/web.yaml:1
""",
        ),
        (
            60,
            """\
team-a   base  (team-a/quota.yaml:1)
  RESOURCE         STEADY  HARD                SURGE    PEAK
  pods                  2     3  ███▎   67 %       3       3
  requests.cpu          1     4  █▎     25 %   1500m   1500m
  requests.memory     1Gi   4Gi  █▎     25 %  1536Mi  1536Mi
  used by  Deployment web  2 to 3 pods
             requests.cpu 1, requests.memory 1Gi; room for 1
             more, none with a rollout
             team-a/a-folder-with-a-long-name/web.yaml:1
""",
        ),
    ],
)
def test_bars_and_lines_fit(width: int, expected: str, workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace.put(FILES)
    monkeypatch.setattr(actions, "terminal_for", lambda color: Terminal(bars=True, width=width, wraps=True))
    printed = workspace.text("usage")[1]
    assert (printed, max(map(column_width, printed.splitlines())) <= width) == (expected, True)
