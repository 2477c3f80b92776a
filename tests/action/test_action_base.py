"""What a pull request is compared with, in clones such as actions/checkout makes them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from git_repositories import deployment, quota
from github_runner import Ended, Runner, Server

from action.base import Base, base
from action.event import event

BEFORE = {"quota.yaml": quota("requests.cpu: 4"), "web.yaml": deployment(3)}
OVER = {"web.yaml": deployment(6)}
LATER = {"other.yaml": quota("cpu: 1", namespace="team-b") + "---\n" + deployment(2, namespace="team-b")}


def told(ended: Ended) -> tuple[str, str, list[str]]:
    """What was run, how that was decided, and what was found; commits are `…`."""
    messages = [line.removeprefix("warning quotalint: ") for line in ended.annotations if "quotalint: " in line]
    messages += [line.removeprefix("quotalint: ") for line in ended.log if line.startswith("quotalint: ")]
    words = [line.split(": ")[0] for line in ended.annotations if line.startswith("error")]
    return ended.outputs["command"], re.sub(r"\b[0-9a-f]{9}\b", "…", messages[0]), words


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return Server(tmp_path, BEFORE)


class Late(NamedTuple):
    """A pull request whose base went on since its event, after which GitHub merged it again."""

    server: Server
    payload: dict[str, Any]
    left: str
    """Where the branch left the base."""
    main: str
    """Where the base is now."""


@pytest.fixture(scope="module")
def late(tmp_path_factory: pytest.TempPathFactory) -> Late:
    made = Server(tmp_path_factory.mktemp("late"), BEFORE)
    old = made.pull(OVER)["pull_request"]["base"]["sha"]
    main = made.push(LATER)
    payload = made.pull({"readme.md": "again"})
    payload["pull_request"]["base"]["sha"] = old
    return Late(made, payload, old, main)


DEPTHS = {"one commit": (), "ten commits": ("--depth=10",), "all": ("--no-tags",)}


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("ref", ["merge", "head"])
def test_what_a_pull_request_is_compared_with(late: Late, tmp_path: Path, ref: str, depth: str) -> None:
    clone = late.server.clone(f"refs/pull/1/{ref}", str(tmp_path / "clone"), *DEPTHS[depth])
    (tmp_path / "event.json").write_text(json.dumps(late.payload))
    comparison = base(
        "", event({"GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH": str(tmp_path / "event.json")}), str(clone)
    )
    wanted = late.main if ref == "merge" else late.left
    message = "to which the pull request is merged" if ref == "merge" else "where the branch left the base"
    assert comparison == Base(wanted[:9], f"compared with {wanted[:9]}, {message}")


def test_the_merge_that_github_makes_is_compared_with_its_first_parent(late: Late, tmp_path: Path) -> None:
    runner = Runner(tmp_path, late.server.clone("refs/pull/1/merge", str(tmp_path / "clone")))
    runner.event("pull_request", late.payload)
    # What the base gained since the event is no finding of the pull request.
    assert told(runner.run()) == (
        "diff",
        "compared with …, to which the pull request is merged",
        ["error web.yaml:5 QL301 quota-exceeded"],
    )


def test_a_branch_is_compared_with_where_it_left_the_base(late: Late, tmp_path: Path) -> None:
    runner = Runner(tmp_path, late.server.clone("refs/pull/1/head", str(tmp_path / "clone")))
    runner.event("pull_request", late.payload)
    ended = runner.run()
    assert told(ended) == (
        "diff",
        "compared with …, where the branch left the base",
        ["error web.yaml:5 QL301 quota-exceeded"],
    )
    # What main gained in the meantime was not taken away.
    assert "team-b" not in ended.summary


def test_branches_without_a_common_commit_are_compared_as_they_are(server: Server) -> None:
    payload = server.pull(OVER)
    server.work.git("checkout", "-q", "--orphan", "alone")
    alone = server.work.commit({})
    server.work.git("push", "-q", "-f", "origin", f"{alone}:refs/pull/1/head")
    command, message, doubtful = decided("", "pull_request", payload, server.clone("refs/pull/1/head"))
    assert (command, message.partition(":")[0], doubtful) == (
        "diff",
        "compared with …, since it is not known where the branch left the base",
        True,
    )


def test_a_merge_group_is_compared_with_its_base(server: Server) -> None:
    pull = server.pull(OVER)["pull_request"]
    payload = {"merge_group": {"base_sha": pull["base"]["sha"], "head_sha": pull["head"]["sha"]}}
    decision = decided("", "merge_group", payload, server.clone())
    assert decision == ("diff", "compared with the base of the merge group, …", False)


def test_a_sparse_checkout_gets_the_files_that_it_left_out(server: Server, tmp_path: Path) -> None:
    server.push({"elsewhere/quota.yaml": quota("pods: 1", namespace="team-c")})
    payload = server.pull({**OVER, "elsewhere/new.yaml": deployment(2, namespace="team-c")})
    clone = server.clone("refs/pull/1/merge", "clone", "--depth=1", "--filter=blob:none")
    runner = Runner(tmp_path, clone)
    runner.event("pull_request", payload)
    assert told(runner.run()) == (
        "diff",
        "compared with …, to which the pull request is merged",
        ["error elsewhere/new.yaml:5 QL301 quota-exceeded", "error web.yaml:5 QL301 quota-exceeded"],
    )


def decided(given: str, name: str, payload: Any, folder: Path) -> tuple[str, str, bool]:
    """The same without a run: what would be run, or that the base is missing; how that was decided, and whether that is
    doubtful."""
    file = folder.parent / "event.json"
    file.write_text(payload if isinstance(payload, str) else json.dumps(payload))
    what = event({"GITHUB_EVENT_NAME": name, "GITHUB_EVENT_PATH": str(file)})
    comparison = base(given, what, str(folder))
    command = "missing" if comparison.missing else "diff" if comparison.commit else "check"
    return command, re.sub(r"\b[0-9a-f]{9}\b", "…", comparison.because), comparison.doubtful


@pytest.mark.parametrize("name", ["push", "workflow_dispatch", "schedule"])
def test_without_a_base_everything_is_checked(tmp_path: Path, name: str) -> None:
    message = f"the event {name} has no base: everything is checked"
    assert decided("", name, {"before": "0" * 39 + "1", "inputs": None}, tmp_path) == ("check", message, False)


@pytest.mark.parametrize(
    "payload",
    [None, [], {"pull_request": None}, {"pull_request": {"number": 1, "base": {"sha": "--x"}, "head": None}}, "{"],
    ids=str,
)
def test_an_event_that_says_nothing(tmp_path: Path, payload: Any) -> None:
    message = "the event pull_request has no base: everything is checked"
    assert decided("", "pull_request", payload, tmp_path) == ("check", message, False)


def test_no_event_at_all(tmp_path: Path) -> None:
    assert base("", event({}), str(tmp_path)) == Base(because="no event has no base: everything is checked")


GIVEN: dict[str, tuple[str, Callable[[Server], str], str, str]] = {
    "a branch": ("push", lambda _: "main", "diff", "compared with main (…)"),
    "a branch of the server": ("push", lambda _: "origin/main", "diff", "compared with origin/main (…)"),
    "a ref": ("push", lambda _: "refs/heads/main", "diff", "compared with refs/heads/main (…)"),
    "a tag": ("push", lambda _: "v1", "diff", "compared with v1 (…)"),
    "a commit": ("push", lambda server: server.base, "diff", "compared with …"),
    "rather than the event's": ("pull_request", lambda _: "v1", "diff", "compared with v1 (…)"),
    "what is checked out": (
        *("push", lambda _: "HEAD", "check"),
        "the base, …, is what is checked out: everything is checked",
    ),
    "of a new branch": (
        *("push", lambda _: "0" * 40, "check"),
        f"{'0' * 40} stands for no commit, as of a new branch: everything is checked",
    ),
    "nothing that there is": (
        *("push", lambda _: "nope", "missing"),
        "base: nope is neither in this clone nor on the server",
    ),
    "an option": (
        *("push", lambda _: "--upload-pack=touch trap", "missing"),
        "base: --upload-pack=touch trap is neither in this clone nor on the server",
    ),
    "more than a name": (
        *("push", lambda _: "main:refs/heads/trap", "missing"),
        "base: main:refs/heads/trap is neither in this clone nor on the server",
    ),
}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Server, dict[str, Any]]:
    """A server that no test changes, with a pull request."""
    made = Server(tmp_path_factory.mktemp("shared"), BEFORE)
    made.work.git("tag", "v1")
    made.work.git("push", "-q", "origin", "v1")
    return made, made.pull(OVER)


@pytest.mark.parametrize("case", GIVEN)
def test_a_base_that_the_workflow_names(shared: tuple[Server, dict[str, Any]], tmp_path: Path, case: str) -> None:
    name, given, command, message = GIVEN[case]
    server, payload = shared
    clone = server.clone(name=str(tmp_path / "clone"))
    decision = decided(given(server), name, payload if name == "pull_request" else {}, clone)
    assert decision == (command, message, case == "what is checked out")
    assert sorted(path.name for path in clone.iterdir()) == [".git", "quota.yaml", "web.yaml"]


def _gone(server: Server, clone: Path) -> None:
    server.bare.rename(server.bare.with_name("gone"))


def _nothing(server: Server, clone: Path) -> None:
    pass


def _no_repository(server: Server, clone: Path) -> None:
    (clone / ".git").rename(server.folder / "elsewhere")


MISSING: dict[str, tuple[str, str, Callable[[Server, Path], None], str]] = {
    "the server does not answer": (
        *("refs/pull/1/merge", "pull_request", _gone),
        "the base … is not in this clone and could not be fetched: fatal: ",
    ),
    "a clone of nothing": (
        *("refs/pull/1/merge", "pull_request", _no_repository),
        "the working directory is in no git repository, so that there is nothing to compare with: use actions/checkout",
    ),
    "pull_request_target and its own checkout": (
        *("main", "pull_request_target", _nothing),
        "the base, …, is what is checked out, so that nothing of the pull request is here: give actions/checkout "
        "`ref: ${{ github.event.pull_request.head.sha }}`",
    ),
}


@pytest.mark.parametrize("case", MISSING)
def test_a_base_that_is_expected_and_missing_has_a_cure(server: Server, case: str) -> None:
    ref, name, happened, message = MISSING[case]
    server.push(OVER)
    payload = server.pull({"readme.md": "hello"})
    clone = server.clone(ref)
    happened(server, clone)
    command, because, doubtful = decided("", name, payload, clone)
    assert (command, because[: len(message)], doubtful) == ("missing", message, False)


def test_without_the_base_that_is_expected_nothing_is_judged(server: Server, tmp_path: Path) -> None:
    # A check of everything would answer another question, and fail a pull request for what it did not do.
    server.push(OVER)
    payload = server.pull({"readme.md": "hello"})
    clone = server.clone()
    _no_repository(server, clone)
    runner = Runner(tmp_path, clone)
    runner.event("pull_request", payload)
    ended = runner.run()
    assert (ended.status, ended.outputs["status"], [line.split()[0] for line in ended.annotations]) == (
        2,
        "2",
        ["error"],
    )
    assert "use actions/checkout first" in ended.annotations[0]
    assert "could not run" in ended.summary


def test_a_clone_of_two_commits_holds_the_base_of_a_merge(server: Server, tmp_path: Path) -> None:
    # `fetch-depth: 2`, without credentials to fetch more.
    payload = server.pull(OVER)
    clone = server.clone("refs/pull/1/merge", "clone", "--depth=2")
    _gone(server, clone)
    command, because, doubtful = decided("", "pull_request", payload, clone)
    assert (command, because, doubtful) == ("diff", "compared with …, to which the pull request is merged", False)
