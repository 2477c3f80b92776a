"""A pull request from its mistake to its merge, told in the order in which people live through it.

A repository whose quota is kept; a branch that raises replicas over it; what `quotalint diff` says of that, and what
the GitHub Action leaves on the pull request; the repair; and the second run, which passes. The repository, its clones
and the server are real, GitHub's runner is not.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from github_runner import Ended, Runner, Server

QUOTA = """\
apiVersion: v1
kind: ResourceQuota
metadata:
  name: compute
  namespace: shop
spec:
  hard:
    requests.cpu: "4"  # agreed with the platform team
    pods: "10"
"""
WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  replicas: 3
  strategy: {type: Recreate}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: web
        image: registry.example.com/web:1
        resources: {requests: {cpu: "1"}}
"""


class Story:
    """A developer with a clone, the server, and the Action, which runs for each push to the pull request."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server = Server(folder, {"shop/quota.yaml": QUOTA, "shop/web.yaml": WEB})
        self.main = self.server.work.git("rev-parse", "--short=9", "main")
        self.event: dict[str, Any] = {}

    def quotalint(self, *arguments: str) -> tuple[int, str, str]:
        """What the developer types, and what that prints, without the id of the commit."""
        command = [sys.executable, "-m", "quotalint", *arguments]
        ended = subprocess.run(command, cwd=self.server.work.folder, capture_output=True, encoding="utf-8", check=False)
        return ended.returncode, ended.stdout.replace(self.main, "COMMIT"), ended.stderr

    def push(self, files: Mapping[str, str | None]) -> None:
        """Commit everything, and push it to the pull request."""
        self.event = self.server.pull(files, "more-web")

    def action(self) -> Ended:
        """The Action, in a clone of one commit, as on GitHub."""
        clone = self.server.clone(name=f"clone-{self.event['pull_request']['head']['sha']}")
        runner = Runner(self.folder, clone)
        runner.event("pull_request", self.event)
        ended = runner.run()
        log = tuple(line.replace(self.main, "COMMIT") for line in ended.log)
        return ended._replace(log=log, summary=ended.summary.replace(self.main, "COMMIT"))


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Story:
    return Story(tmp_path_factory.mktemp("story"))


EXPECTED = Path(__file__).parent / "story"
TOO_MUCH = (EXPECTED / "too-much.txt").read_text()
ANNOTATION = (EXPECTED / "annotation.txt").read_text().rstrip("\n")
SUMMARY = (EXPECTED / "too-much.md").read_text()
REPAIR = """\
--- a/shop/quota.yaml
+++ b/shop/quota.yaml
@@ -5,5 +5,5 @@
   namespace: shop
 spec:
   hard:
-    requests.cpu: "4"  # agreed with the platform team
+    requests.cpu: "6"  # agreed with the platform team
     pods: "10"
"""
REPAIRED = (EXPECTED / "repaired.md").read_text()


def test_a_pull_request_from_its_mistake_to_its_merge(story: Story) -> None:
    # The quota of main is kept.
    assert story.quotalint(".") == (0, "No findings in 2 files (1 namespace, 1 quota).\n", "")

    # A branch runs more replicas. The comparison says by how much that is too much, and through which workload.
    story.push({"shop/web.yaml": WEB.replace("replicas: 3", "replicas: 6")})
    assert story.quotalint("diff", "main") == (1, TOO_MUCH.format(base="main (COMMIT)"), "")

    # So does the Action: in the log, at the line, and in the summary. The step fails.
    alarmed = story.action()
    assert (alarmed.status, alarmed.annotations, alarmed.commands) == (1, (ANNOTATION,), ())
    message = "quotalint: compared with COMMIT, to which the pull request is merged"
    assert alarmed.log == (message, *TOO_MUCH.format(base="COMMIT").splitlines())
    assert alarmed.summary == SUMMARY
    assert {name: alarmed.outputs[name] for name in ("command", "status", "findings", "exceeded")} == {
        "command": "diff",
        "status": "1",
        "findings": "1",
        "exceeded": "1",
    }
    assert all(Path(alarmed.outputs[name]).is_file() for name in ("json", "markdown", "sarif"))

    # A larger quota is a decision, so it is shown before it is written. The comment of the line stays.
    assert story.quotalint("--diff", "--unsafe-fixes") == (1, REPAIR, "")
    status, _, errors = story.quotalint("--fix", "--unsafe-fixes")
    assert (status, errors) == (
        0,
        "fixed shop/quota.yaml:8 QL301: raise requests.cpu to 6\nquotalint: repaired 1 finding in 1 file\n",
    )
    written = (story.server.work.folder / "shop/quota.yaml").read_text()
    assert written == QUOTA.replace('"4"', '"6"')

    # Committed and pushed: both pass. That the quota is full now is worth a note, no more.
    story.push({})
    assert story.quotalint("diff", "main")[0] == 0
    passed = story.action()
    assert (passed.status, [line.partition(": ")[0] for line in passed.annotations]) == (
        0,
        ["notice shop/web.yaml:7 QL305 quota-nearly-full"],
    )
    assert passed.summary == REPAIRED
    assert {name: passed.outputs[name] for name in ("command", "status", "findings", "exceeded")} == {
        "command": "diff",
        "status": "0",
        "findings": "1",
        "exceeded": "0",
    }
