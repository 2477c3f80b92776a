"""The comment of a whole run of the action, from alarm to repair, and where there can be none."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest
from git_repositories import deployment, quota
from github_runner import TOKEN, Ended, Runner, Server, obeyed
from github_server import FORBIDDEN, Answering, GitHub, bodies, refuses

from action.comment import Text
from action.event import Event
from action.inputs import Inputs, inputs
from action.steps import comment

BEFORE = {"quota.yaml": quota("requests.cpu: 4"), "web.yaml": deployment(3)}


class Pull:
    """Pull request 1 of a repository, in each of its states."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server = Server(folder, BEFORE)
        self.pushed: dict[int, tuple[dict[str, Any], Path]] = {}

    def push(self, replicas: int) -> tuple[dict[str, Any], Path]:
        """The event of a push to the pull request, and the clone that is made for it."""
        if replicas not in self.pushed:
            event = self.server.pull({"web.yaml": deployment(replicas), "readme.md": str(replicas)})
            self.pushed[replicas] = event, self.server.clone(name=f"clone-{replicas}")
        return self.pushed[replicas]


class Job(NamedTuple):
    """Runs of the action for it, and GitHub."""

    pull: Pull
    github: GitHub

    def run(self, replicas: int, **inputs: str) -> Ended:
        """A push, and what the action does about it."""
        event, clone = self.pull.push(replicas)
        runner = Runner(self.pull.folder, clone)
        runner.event("pull_request", event)
        runner.environment["GITHUB_API_URL"] = self.github.url
        return runner.run({"comment": "true", **inputs})


@pytest.fixture(scope="module")
def pull(tmp_path_factory: pytest.TempPathFactory) -> Pull:
    return Pull(tmp_path_factory.mktemp("pull"))


@pytest.fixture
def job(pull: Pull, github: GitHub) -> Job:
    return Job(pull, github)


def said(ended: Ended) -> list[str]:
    """What the step says of the comment."""
    lines = [line for line in (*ended.log, *ended.annotations) if "comment" in line]
    return [line.removeprefix("quotalint: ") for line in lines]


def test_a_pull_request_from_its_alarm_to_its_repair(job: Job, github: GitHub) -> None:
    first, second = job.run(6), job.run(3)
    assert (first.status, said(first), second.status, said(second)) == (
        *(1, ["commented"]),
        *(0, ["the comment is up to date"]),
    )
    (comment,) = bodies(github)
    link = "\n[This run](https://github.com/acme/shop/actions/runs/17)\n"
    assert comment == second.summary + link
    assert comment.startswith("✅ No quota is affected (1 checked).\n")
    # The token of the job knows whose comments are its own.
    assert (github.tokens, "GET /user" in github.asked) == ({f"Bearer {TOKEN}"}, False)
    assert not any(
        TOKEN in line for ended in (first, second) for line in (*ended.log, *ended.annotations, ended.summary)
    )


def test_a_pull_request_that_has_nothing_to_do_with_quotas(job: Job, github: GitHub) -> None:
    assert (said(job.run(3)), github.comments) == (["there is nothing to comment on"], [])


def test_a_change_that_fits_is_worth_its_table(job: Job, github: GitHub) -> None:
    assert (said(job.run(4)), "3 → 4" in bodies(github)[0]) == (["commented"], True)


RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: cache, namespace: team-a}
spec:
  interval: 10m
  chart: {spec: {chart: redis, version: 1.0.0, sourceRef: {kind: HelmRepository, name: stable}}}
  values: {replicaCount: 3}
"""


def test_what_is_not_known_is_worth_a_comment_and_may_fail(tmp_path: Path, github: GitHub) -> None:
    server = Server(tmp_path, {**BEFORE, "release.yaml": RELEASE})
    event = server.pull({"release.yaml": RELEASE.replace("replicaCount: 3", "replicaCount: 30")})
    runner = Runner(tmp_path, server.clone())
    runner.event("pull_request", event)
    runner.environment["GITHUB_API_URL"] = github.url
    ends = [runner.run({"comment": "true", "fail-on": fail_on}) for fail_on in ("", "error,unknown", "never")]
    assert [(ended.status, ended.outputs["verdict"], said(ended)) for ended in ends] == [
        (0, "unknown", ["commented"]),
        *((1, "unknown", ["the comment is up to date"]), (0, "unknown", ["the comment is up to date"])),
    ]
    assert bodies(github)[0].startswith("### ❔ ")


def test_a_run_that_fails_takes_the_place_of_what_was_said(job: Job, github: GitHub) -> None:
    job.run(6)
    ended = job.run(6, formats="junit=nowhere/quotalint.xml")
    assert (ended.status, bodies(github)[0].partition("\n\n[")[0]) == (
        2,
        "# quotalint\n\nquotalint could not run; the log of the step says why.",
    )


class Said(NamedTuple):
    """The token is refused, or something else goes wrong."""

    otherwise: Answering
    fork: bool
    expected: str


_403 = "no comment: GitHub answered 403 (Resource not accessible by integration). "
SAID = {
    "a fork": Said(
        *(refuses(403, "POST", FORBIDDEN[1]), True),
        f"notice quotalint: {_403}The token of a pull request from a fork can only read.",
    ),
    "a missing permission": Said(
        *(refuses(403, "POST", FORBIDDEN[1]), False),
        f"warning quotalint: {_403}The job needs `permissions: pull-requests: write`.",
    ),
    "words that are commands": Said(
        *(refuses(422, "POST", {"message": "::error::obey\n::debug::me"}), False),
        "warning quotalint: no comment: GitHub answered 422 (::error::obey\n::debug::me)",
    ),
}


@pytest.mark.parametrize("case", SAID)
def test_what_is_said_where_there_can_be_no_comment(
    github: GitHub, case: str, capsys: pytest.CaptureFixture[str]
) -> None:
    github.otherwise = SAID[case].otherwise
    what = Event("pull_request", 1, fork=SAID[case].fork)
    comment(_wanted(), what, Text("report"), True, {"GITHUB_REPOSITORY": "acme/shop", "GITHUB_API_URL": github.url})
    assert obeyed(capsys.readouterr().out) == ((), (SAID[case].expected,), ())


@pytest.mark.parametrize(
    ("what", "token", "message"),
    [
        (Event("pull_request", 1), "", "::warning title=quotalint::no comment: there is no token, or no repository\n"),
        (Event("push"), "t0ken", "quotalint: no comment: the event push is about no pull request\n"),
    ],
    ids=["no token", "no pull request"],
)
def test_where_nobody_is_asked(
    github: GitHub, what: Event, token: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    environ = {"GITHUB_REPOSITORY": "acme/shop", "GITHUB_API_URL": github.url}
    comment(_wanted(token), what, Text("report"), True, environ)
    assert (capsys.readouterr().out, github.asked) == (message, [])


def _wanted(token: str = "t0ken") -> Inputs:
    wanted = inputs({"INPUT_TOKEN": token, "INPUT_COMMENT": "true"})
    assert isinstance(wanted, Inputs)
    return wanted
