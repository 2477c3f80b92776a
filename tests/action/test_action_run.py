"""What a run leaves behind: outputs, the summary, reports, the exit status."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from git_repositories import deployment, quota
from github_runner import Ended, Runner, Server

from action.event import event
from action.inputs import Inputs, inputs

BEFORE = {
    "shop/quota.yaml": quota("requests.cpu: 4"),
    "shop/web.yaml": deployment(3),
    "old/quota.yaml": quota("cpu.limit: 1", namespace="team-b"),
}
OVER = {"shop/web.yaml": deployment(6)}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """A pull request, and a clone that no test changes."""
    server = Server(tmp_path_factory.mktemp("server"), BEFORE)
    return server.pull(OVER), server.clone()


@pytest.fixture
def runner(checkout: tuple[dict[str, Any], Path], tmp_path: Path) -> Runner:
    payload, clone = checkout
    made = Runner(tmp_path, Path(shutil.copytree(clone, tmp_path / "clone")))
    made.event("pull_request", payload)
    return made


def left(runner: Runner, ended: Ended) -> tuple[int, Mapping[str, str]]:
    """The status, and the outputs without the folder's name, which is made up."""
    folder = ended.outputs.get("reports", "nowhere")
    assert folder == "nowhere" or Path(folder).parent == runner.temporary
    return ended.status, {name: value.replace(folder, "REPORTS") for name, value in ended.outputs.items()}


REPORTS = {
    "reports": "REPORTS",
    "category": "quotalint",
    "json": "REPORTS/quotalint.json",
    "markdown": "REPORTS/quotalint.md",
    "sarif": "REPORTS/quotalint.sarif",
}


def test_a_pull_request(runner: Runner) -> None:
    ended = runner.run()
    numbers = {"command": "diff", "status": "1", "fork": "false", "findings": "1", "exceeded": "1", "verdict": "fails"}
    assert left(runner, ended) == (1, {**numbers, **REPORTS})
    assert ended.summary == Path(ended.outputs["markdown"]).read_text()
    assert rules(ended.outputs["sarif"]) == ["QL301"]
    assert ended.summary.startswith("### ❌ quotalint: `team-a` will be 2 short of requests.cpu\n")
    assert [line.partition("\n")[0] for line in ended.annotations] == [
        "error shop/web.yaml:5 QL301 quota-exceeded: team-a asks for requests.cpu 6; quota base allows 4"
    ]
    # What people read in the log, and no command is in it.
    shown = [line for line in ended.log if line.startswith("  requests.cpu  4")]
    assert (ended.commands, shown) == ((), ["  requests.cpu  4     3 → 6 ✗  3 → 6 ✗  3 → 6 ✗"])


def test_a_push_is_checked_whole(runner: Runner) -> None:
    runner.event("push", {"before": "0" * 40})
    ended = runner.run()
    numbers = {"command": "check", "status": "1", "fork": "false", "findings": "2", "exceeded": "1", "verdict": "fails"}
    assert left(runner, ended) == (1, {**numbers, **REPORTS})
    assert ended.summary.startswith("# quotalint\n\n**2 errors** in 3 files")


@pytest.mark.parametrize(
    ("inputs", "status", "findings"),
    [
        ({"paths": "old"}, 0, "0"),
        ({"paths": "old\nshop\n"}, 1, "1"),
        ({"fail-on": "never"}, 0, "1"),
        ({"fail-on": "warning"}, 1, "1"),
        ({"config": "strict.yaml"}, 1, "1"),
        ({"config": "lenient.yaml"}, 0, "0"),
        ({"config": "strict.yaml", "fail-on": "error"}, 0, "1"),
    ],
    ids=str,
)
def test_inputs_that_decide(runner: Runner, inputs: Mapping[str, str], status: int, findings: str) -> None:
    (runner.workspace / "strict.yaml").write_text("failOn: info\nseverity: {QL301: info}\n")
    (runner.workspace / "lenient.yaml").write_text("ignore: [QL301]\n")
    ended = runner.run(inputs)
    assert (ended.status, ended.outputs["status"], ended.outputs["findings"]) == (status, str(status), findings)


def test_every_format_that_is_asked_for_is_written(runner: Runner) -> None:
    ended = runner.run({"formats": "junit gitlab=quality.json\n text=log.txt sarif json"})
    folder = Path(ended.outputs["reports"])
    assert sorted(path.name for path in folder.iterdir()) == [
        *("quotalint.json", "quotalint.md", "quotalint.sarif", "quotalint.txt", "quotalint.xml")
    ]
    assert [load["check_name"] for load in json.loads((runner.workspace / "quality.json").read_text())] == ["QL301"]
    assert "QL301" in (runner.workspace / "log.txt").read_text()


def test_a_report_that_cannot_be_written(runner: Runner) -> None:
    ended = runner.run({"formats": "junit=nowhere/quotalint.xml"})
    assert left(runner, ended) == (2, {"command": "diff", "status": "2", "fork": "false"})
    assert ended.annotations[-1].startswith("error quotalint: quotalint: --output junit=nowhere/quotalint.xml: ")
    assert ended.summary == "# quotalint\n\nquotalint could not run; the log of the step says why.\n"


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"comment": "yes"}, "comment: 'yes' is neither true nor false"),
        ({"upload-sarif": "1"}, "upload-sarif: '1' is neither true nor false"),
    ],
    ids=str,
)
def test_inputs_that_say_nothing(runner: Runner, inputs: Mapping[str, str], message: str) -> None:
    ended = runner.run(inputs)
    assert (ended.status, ended.annotations, ended.outputs) == (2, (f"error quotalint: {message}",), {})


def rules(path: str) -> list[str]:
    """The rules of the results in a SARIF report."""
    return sorted(result["ruleId"] for result in json.loads(Path(path).read_text())["runs"][0]["results"])


def test_code_scanning_gets_all_findings_since_it_compares_by_itself(runner: Runner) -> None:
    ended = runner.run({"upload-sarif": "true"})
    assert (ended.status, ended.outputs["findings"], rules(ended.outputs["sarif"])) == (1, "1", ["QL102", "QL301"])


def test_code_scanning_does_not_get_what_is_suppressed(runner: Runner) -> None:
    """It would take it for an open alert. The report of a run that uploads nothing has it."""
    (runner.workspace / "lenient.yaml").write_text("ignore: [{rules: [QL102], paths: ['*']}]\n")
    given = {"config": "lenient.yaml"}
    kept, uploaded = (runner.run({**given, "upload-sarif": name}).outputs["sarif"] for name in ("false", "true"))
    assert (rules(kept), rules(uploaded)) == (["QL301"], ["QL301"])
    runner.event("push", {})
    kept, uploaded = (runner.run({**given, "upload-sarif": name}).outputs["sarif"] for name in ("false", "true"))
    assert (rules(kept), rules(uploaded)) == (["QL102", "QL301"], ["QL301"])


@pytest.mark.parametrize(
    ("repository", "fork"),
    [({"full_name": "acme/shop"}, False), ({"full_name": "someone/shop"}, True), (None, True)],
    ids=["no fork", "a fork", "a fork that is deleted"],
)
def test_a_fork_is_told(tmp_path: Path, repository: Any, fork: bool) -> None:
    side = {"sha": "0" * 40, "repo": {"full_name": "acme/shop"}}
    payload = {"pull_request": {"number": 7, "base": side, "head": {**side, "repo": repository}}}
    (tmp_path / "event.json").write_text(json.dumps(payload))
    actual_event = event({"GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH": str(tmp_path / "event.json")})
    assert (actual_event.number, actual_event.fork) == (7, fork)


def test_what_counts_as_the_base_is_not_uploaded(runner: Runner) -> None:
    runner.environment["GITHUB_EVENT_NAME"] = "pull_request_target"
    ended = runner.run({"upload-sarif": "true"})
    assert ended.annotations[0] == (
        "warning quotalint: no upload to code scanning: under pull_request_target it would count as one of the base"
    )
    assert (ended.outputs["command"], rules(ended.outputs["sarif"])) == ("diff", ["QL301"])


def test_two_uses_in_one_job_keep_their_reports_apart(runner: Runner) -> None:
    first, second = runner.run(), runner.run({"paths": "old"})
    assert first.outputs["reports"] != second.outputs["reports"]
    assert Path(first.outputs["json"]).exists()
    assert first.outputs["category"] != second.outputs["category"]


def test_the_uploads_of_each_use_have_a_name_of_their_own() -> None:
    uses: tuple[dict[str, str], ...] = (
        *({}, {"INPUT_PATHS": "old"}, {"INPUT_CONFIG": "old.yaml"}, {"INPUT_COMMENT_ID": "other"}),
        {"INPUT_PATHS": "."},
    )
    categories = [wanted.category for wanted in map(inputs, uses) if isinstance(wanted, Inputs)]
    assert (categories[0], len({*categories}), categories[-1]) == ("quotalint", 4, "quotalint")


def test_it_works_outside_of_github_as_well(runner: Runner) -> None:
    for name in ("RUNNER_TEMP", "GITHUB_EVENT_NAME", "GITHUB_EVENT_PATH", "GITHUB_REPOSITORY"):
        del runner.environment[name]
    runner.environment["TMPDIR"] = str(runner.temporary)
    assert left(runner, runner.run({"comment": "true"}))[0] == 1


def test_a_python_that_cannot_start_is_no_finding(runner: Runner, tmp_path: Path) -> None:
    # Its own status is 1.
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "empty")], check=True)
    runner.python = str(tmp_path / "empty" / "bin" / "python")
    ended = runner.run()
    assert (left(runner, ended), ended.annotations[0].partition("empty")[0]) == (
        (2, {"command": "diff", "status": "2", "fork": "false"}),
        f"error quotalint: {tmp_path}/",
    )
    assert ended.annotations[0].endswith("No module named quotalint")
