"""Remote sources in the Action: fetched where a run is trusted, and read where it is not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from chart_servers import add_charts, server, web_chart
from deployer_objects import argo_application
from git_repositories import quota
from github_runner import Runner, Server

from quotalint.gitops.helm.library import is_installed


@pytest.mark.skipif(not is_installed(), reason="Helm's library is not installed")
def test_a_push_fetches_and_a_pull_request_reads(tmp_path: Path) -> None:
    with server() as charts:
        add_charts(charts, {("web", "1.0.0"): web_chart(3, "1.0.0")})
        source = f"repoURL: '{charts.url}', chart: web, targetRevision: 1.x"
        app = argo_application(where="namespace: shop", name="web", source=source)
        files = {"web.yaml": app, "quota.yaml": quota("pods: 4", namespace="shop"), ".gitignore": ".quotalint/\n"}
        hub = Server(tmp_path / "server", files)
        pushed = Runner(tmp_path / "pushed", hub.clone("main", "pushed"))
        pushed.event("push", {})
        ended = pushed.run(step="vendor")
        assert (ended.status, ended.annotations) == (0, ())
        assert ended.log[-1] == "1 of 1 remote source vendored."
        lock = (pushed.workspace / "quotalint.lock").read_text()
        payload = hub.pull({"quotalint.lock": lock, "quota.yaml": quota("pods: 2", namespace="shop")})
        pulled = Runner(tmp_path / "pulled", hub.clone("refs/pull/1/merge", "pulled", "--depth=2"))
        # What the cache of the branch has.
        shutil.copytree(pushed.workspace / ".quotalint", pulled.workspace / ".quotalint")
        pulled.event("pull_request", payload)
        charts.requests.clear()
        ended = pulled.run()
        report = json.loads(Path(ended.outputs["json"]).read_text())
        assert (ended.status, ended.outputs["exceeded"], charts.requests) == (1, "1", [])
        assert [finding["rule"] for finding in report["findings"]["new"]] == ["QL301"]


def test_what_cannot_be_fetched_fails_nothing(tmp_path: Path) -> None:
    app = argo_application(where="namespace: a", name="web", source="repoURL: 'http://127.0.0.1:1', chart: web")
    runner = Runner(tmp_path, Server(tmp_path / "server", {"web.yaml": app}).clone("main"))
    runner.event("push", {})
    ended = runner.run(step="vendor")
    assert (ended.status, [line.split(":")[0] for line in ended.annotations]) == (0, ["warning quotalint"])
    assert any("not fetched: chart web of http://127.0.0.1:1" in line for line in ended.log)
