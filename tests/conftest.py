"""What all tests share."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from git_repositories import Repository
from hypothesis import settings
from workspace import Workspace

from quotalint.runtime import budget
from quotalint.runtime.faults import noted_faults

if TYPE_CHECKING:
    from browser import Browser
    from fake_kubectl import FakeKubectl
    from github_server import GitHub
    from limited_resources import Run

# How long an example takes says more about the machine than about the code.
settings.register_profile("quotalint", deadline=None)
# CI judges a change, so it tries the same examples each time; everybody's own run goes on searching.
settings.register_profile("ci", deadline=None, derandomize=True, database=None)
settings.load_profile("quotalint")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--no-missing-programs` is for CI, which has them; `--update-golden` rewrites the expected outputs for review."""
    parser.addoption(
        "--no-missing-programs", action="store_true", help="fail where a test is skipped for want of a program"
    )
    parser.addoption("--update-golden", action="store_true", help="rewrite the expected outputs in tests/golden/")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, None]:
    """A test that needs a program says so when it is skipped: `… is not on PATH`."""
    outcome = yield
    report = outcome.get_result()
    if report.skipped and item.config.getoption("--no-missing-programs") and "on PATH" in str(report.longrepr):
        report.outcome = "failed"


@pytest.fixture(scope="session", autouse=True)
def own_answers(tmp_path_factory: pytest.TempPathFactory) -> Generator[None, None, None]:
    """What the tests ask is kept apart from what the person asks who runs them. It is kept, and not left out: so every
    test that runs a command line twice tests that its answer is the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUOTALINT_CACHE_DIR", str(tmp_path_factory.mktemp("answers")))
        yield


@pytest.fixture(autouse=True)
def no_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is printed is as wide as where nothing says how wide a terminal is."""
    monkeypatch.delenv("COLUMNS", raising=False)
    # pytest imports readline, and that sets it for programs that tests start without `os.environ` knowing of it.
    os.unsetenv("COLUMNS")


@pytest.fixture(autouse=True)
def no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports link to no repository where the tests themselves are run by CI."""
    for name in ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "CI_PROJECT_URL", "BITBUCKET_GIT_HTTP_ORIGIN"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def whole_budget() -> None:
    """What a test makes of little text takes nothing away from the next one: each begins as a run does."""
    budget.renew()


@pytest.fixture(autouse=True)
def no_faults() -> Generator[None, None, None]:
    """What raises is noted, and everything else goes on: a test that looks at the rest would pass."""
    noted_faults()
    yield
    assert noted_faults() == ()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which the test stands."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Workspace:
    """A folder where a repository can be put and the command line asked about it; no program is on PATH."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "")
    return Workspace(tmp_path, capsys)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A git repository without commits, in which the test stands."""
    (tmp_path / "repository").mkdir()
    monkeypatch.chdir(tmp_path / "repository")
    return Repository(tmp_path / "repository")


# What follows serves one folder each, and is imported where it is asked for: that folder is on the path with its tests.


@pytest.fixture
def github() -> Iterator[GitHub]:
    """A server that answers as GitHub does."""
    from github_server import github_served

    with github_served() as github:
        yield github


@pytest.fixture
def kubectl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeKubectl:
    """The only program on PATH; the test stands in an empty repository."""
    from fake_kubectl import kubectl_alone

    return kubectl_alone(tmp_path, monkeypatch)


@pytest.fixture
def checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs quotalint on files of these contents."""
    from limited_resources import checks_in

    return checks_in(tmp_path, monkeypatch)


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One for all tests of a file."""
    from browser import Browser

    started = Browser(tmp_path_factory.mktemp("profile"))
    yield started
    started.close()
