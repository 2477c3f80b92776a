"""One comment, kept up to date, whatever GitHub answers. It is asked over HTTP."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from git_repositories import deployment, quota
from github_runner import TOKEN, Ended, Runner, Server, obeyed

from action.api import Api, Refused
from action.comment import Text, github_thread, put_comment
from action.event import Event
from action.inputs import Inputs, inputs
from action.steps import comment

BOT = {"login": "github-actions[bot]", "type": "Bot"}
SOMEBODY = {"login": "mallory", "type": "User"}
FORBIDDEN = (403, {"message": "Resource not accessible by integration"})
Answer = tuple[int, Any]
Answering = Callable[["GitHub", str, str], "Answer | None"]


class GitHub:
    """The part of the API that has to do with comments on pull request 1 of acme/shop."""

    def __init__(self) -> None:
        self.comments: list[dict[str, Any]] = []
        self.asked: list[str] = []
        self.tokens: set[str] = set()
        self.me: Answer = FORBIDDEN  # as the token of a run is told
        self.otherwise: Answering = lambda *_: None
        self.slow = threading.Event()
        self.url = ""

    def add(self, body: str, user: Mapping[str, str] | None = BOT) -> None:
        """A comment that is there."""
        self.comments.append({"id": 100 + len(self.comments), "body": body, "user": user})

    def answer(self, method: str, path: str, body: Any) -> Answer:
        """What GitHub does."""
        self.asked.append(f"{method} {path}")
        other = self.otherwise(self, method, path)
        if other is not None:
            return other
        if (method, path) == ("GET", "/user"):
            return self.me
        listed = re.fullmatch(r"/repos/acme/shop/issues/1/comments\?per_page=100&page=(\d+)", path)
        if method == "GET" and listed:
            start = (int(listed[1]) - 1) * 100
            return 200, self.comments[start : start + 100]
        if (method, path) == ("POST", "/repos/acme/shop/issues/1/comments"):
            self.add(body["body"])
            return 201, self.comments[-1]
        one = re.fullmatch(r"/repos/acme/shop/issues/comments/(\d+)", path)
        for there in self.comments:
            if method == "PATCH" and one and there["id"] == int(one[1]):
                there["body"] = body["body"]
                return 200, there
        return 404, {"message": "Not Found"}


class Served(ThreadingHTTPServer):
    """It, on a port of this machine."""

    daemon_threads = True
    github: GitHub


class _Handler(BaseHTTPRequestHandler):
    server: Served

    def _do(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.github.tokens.add(self.headers["Authorization"])
        status, said = self.server.github.answer(self.command, self.path, json.loads(body) if body else None)
        data = said if isinstance(said, bytes) else json.dumps(said).encode()
        with suppress(BrokenPipeError, ConnectionResetError):  # who asked did not wait
            self.send_response(status)
            if status == 301:
                self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    do_GET = do_POST = do_PATCH = do_PUT = _do  # noqa: N815  # as http.server looks for them

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002  # as the base has it
        """Nowhere."""


@pytest.fixture
def github() -> Iterator[GitHub]:
    made = GitHub()
    server = Served(("127.0.0.1", 0), _Handler)
    server.github = made
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    made.url = f"http://127.0.0.1:{server.server_port}"
    yield made
    made.slow.set()
    server.shutdown()
    thread.join()
    server.server_close()


def put(github: GitHub, text: str = "report\n", key: str = ".", worth: bool = True) -> str | Refused:
    """Put a comment."""
    return put_comment(
        Api(github.url, "t0ken", timeout=0.5, pause=0),
        github_thread("acme/shop", 1),
        key,
        Text(text, "\n[footer]\n"),
        worth,
    )


def bodies(github: GitHub) -> list[str]:
    """The comments without what is not shown."""
    return [re.sub("<!--.*?-->\n|\n.footer.\n", "", one["body"]) for one in github.comments]


def test_the_first_run_comments_and_later_ones_update_that(github: GitHub) -> None:
    github.add("hello", SOMEBODY)
    assert (put(github), put(github, "second\n"), put(github, "all is well\n", worth=False)) == (
        *("commented", "the comment is up to date", "the comment is up to date"),
    )
    assert bodies(github) == ["hello", "all is well\n"]
    assert github.tokens == {"Bearer t0ken"}


def test_nothing_is_said_where_there_is_nothing_to_say(github: GitHub) -> None:
    assert (put(github, worth=False), bodies(github)) == ("there is nothing to comment on", [])


def test_each_use_has_its_own_comment(github: GitHub) -> None:
    put(github, "one\n", "clusters/prod")
    put(github, "two\n", "clusters/dev")
    put(github, "three\n", "clusters/prod")
    assert bodies(github) == ["three\n", "two\n"]


def test_the_comment_is_found_on_a_later_page(github: GitHub) -> None:
    for number in range(250):
        github.add(f"comment {number}", SOMEBODY if number % 2 else None)
    put(github)
    del github.asked[:]
    assert (put(github, "again\n"), bodies(github)[250:]) == ("the comment is up to date", ["again\n"])
    assert [one.rpartition("=")[2] for one in github.asked] == [
        "GET /user",
        "1",
        "2",
        "3",
        "PATCH /repos/acme/shop/issues/comments/350",
    ]


def test_a_comment_of_somebody_else_is_left_alone(github: GitHub) -> None:
    put(github)
    github.comments[0]["user"] = SOMEBODY
    stolen = github.comments[0]["body"]
    assert (put(github, "mine\n"), github.comments[0]["body"], bodies(github)[1]) == ("commented", stolen, "mine\n")


def test_a_comment_of_another_robot_is_left_alone(github: GitHub) -> None:
    """A robot that repeats what it is told can be told the marker."""
    put(github)
    github.comments[0]["user"] = {"login": "preview[bot]", "type": "Bot"}
    api = Api(github.url, "t0ken", login="github-actions[bot]", pause=0)
    said = [put_comment(api, github_thread("acme/shop", 1), ".", Text(text), True) for text in ("mine\n", "again\n")]
    assert (said, bodies(github)) == (["commented", "the comment is up to date"], ["report\n", "again\n"])


def test_the_marker_within_a_comment_is_a_quotation(github: GitHub) -> None:
    put(github)
    github.comments[0]["body"] = "> " + github.comments[0]["body"]
    put(github)
    assert len(github.comments) == 2


def test_a_token_of_a_user_knows_its_own_comments(github: GitHub) -> None:
    put(github)
    github.me = (200, {"login": "ci-robot", "type": "User"})
    put(github, "mine\n")
    github.comments[1]["user"] = {"login": "ci-robot", "type": "User"}
    assert (put(github, "again\n"), bodies(github)) == ("the comment is up to date", ["report\n", "again\n"])


def test_a_comment_that_is_deleted_in_the_meantime_is_written_anew(github: GitHub) -> None:
    put(github)
    github.otherwise = lambda _, method, path: (404, {"message": "Not Found"}) if method == "PATCH" else None
    assert (put(github, "again\n"), bodies(github)) == ("commented", ["report\n", "again\n"])


def test_a_long_report_is_shortened(github: GitHub) -> None:
    put(github, "# quotalint\n\n" + "- é finding\n" * 20_000)
    (comment,) = github.comments
    assert 60_000 < len(comment["body"].encode()) <= 64_000
    assert comment["body"].endswith("- é finding\n\n_The rest is left out, since GitHub takes no more._\n\n[footer]\n")


def refuses(status: int, method: str, body: Any = b"<html>") -> Answering:
    """Always answers so."""
    return lambda _, asked, path: (status, body) if asked == method and path != "/user" else None


@pytest.mark.parametrize(
    ("otherwise", "reason", "asked"),
    [
        (refuses(403, "POST", FORBIDDEN[1]), Refused(403, FORBIDDEN[1]["message"]), 3),
        (refuses(404, "GET", {"message": "Not Found"}), Refused(404, "Not Found"), 2),
        (refuses(401, "GET", {"message": "Bad credentials"}), Refused(401, "Bad credentials"), 2),
        (refuses(410, "POST", b""), Refused(410, "Gone"), 3),
        (refuses(502, "GET"), Refused(502, "Bad Gateway"), 4),
        (refuses(502, "POST"), Refused(502, "Bad Gateway"), 3),
        (refuses(301, "GET"), Refused(301, "Moved Permanently"), 2),
        (refuses(200, "GET", {"message": "?"}), Refused(0, "no list of comments"), 2),
        (refuses(200, "GET", [None]), Refused(0, "no list of comments"), 2),
        (refuses(200, "GET", [{"id": "1/../2", "body": ""}]), Refused(0, "no list of comments"), 2),
    ],
    ids=[
        *("403", "404", "401", "410", "5xx of what changes nothing", "5xx of what does", "301", "200"),
        *("a strange list", "a strange comment"),
    ],
)
def test_what_github_refuses(github: GitHub, otherwise: Answering, reason: Refused, asked: int) -> None:
    github.otherwise = otherwise
    assert (put(github), len(github.asked), bodies(github)) == (reason, asked, [])


def test_trouble_passes(github: GitHub) -> None:
    answers = [503, 500]
    github.otherwise = lambda *_: (answers.pop(), b"") if answers else None
    assert (put(github), len(github.asked)) == ("commented", 5)


def test_an_answer_that_is_no_json(github: GitHub) -> None:
    github.otherwise = refuses(200, "GET")
    said = put(github)
    assert (isinstance(said, Refused) and said.status, bodies(github)) == (0, [])


def test_no_answer_in_time(github: GitHub) -> None:
    def wait(*_: Any) -> None:
        github.slow.wait(10)

    github.otherwise = wait
    api = Api(github.url, "t0ken", timeout=0.05, pause=0)
    assert put_comment(api, github_thread("acme/shop", 1), ".", Text("report"), True) == Refused(0, "timed out")


def test_nobody_there() -> None:
    said = put_comment(
        Api("http://127.0.0.1:9", "t0ken", timeout=0.5, pause=0),
        github_thread("acme/shop", 1),
        ".",
        Text("report"),
        True,
    )
    assert isinstance(said, Refused) and said.status == 0


@pytest.mark.parametrize("user", [None, "mallory", ["Bot"], {"login": ["x"], "type": None}], ids=str)
def test_a_user_that_is_none(github: GitHub, user: Any) -> None:
    put(github)
    github.comments[0]["user"] = user
    assert (put(github, "mine\n"), bodies(github)) == ("commented", ["report\n", "mine\n"])


@pytest.mark.parametrize("answer", [b"[" * 100_000, b'{"id": 1', b"\xff"], ids=["deep", "cut off", "no UTF-8"])
@pytest.mark.parametrize("status", [200, 422])
def test_answers_that_cannot_be_read(github: GitHub, status: int, answer: bytes) -> None:
    github.otherwise = refuses(status, "GET", answer)
    said = put(github)
    assert (isinstance(said, Refused) and said.status, bodies(github)) == (status if status > 400 else 0, [])


@pytest.mark.parametrize("token", ["s3cret\nHost: elsewhere", "s3cret\N{SNOWMAN}", "s3 cret"], ids=ascii)
def test_a_token_that_is_none_is_not_repeated(github: GitHub, token: str) -> None:
    said = put_comment(Api(github.url, token, pause=0), github_thread("acme/shop", 1), ".", Text("report"), True)
    assert (said, github.asked) == (Refused(0, "the token has characters that no token has"), [])


# From here on all of the step.

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
    lines = [one for one in (*ended.log, *ended.annotations) if "comment" in one]
    return [one.removeprefix("quotalint: ") for one in lines]


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
    assert not any(TOKEN in one for ended in (first, second) for one in (*ended.log, *ended.annotations, ended.summary))


def test_a_pull_request_that_has_nothing_to_do_with_quotas(job: Job, github: GitHub) -> None:
    assert (said(job.run(3)), github.comments) == (["there is nothing to comment on"], [])


def test_a_change_that_fits_is_worth_its_table(job: Job, github: GitHub) -> None:
    assert (said(job.run(4)), "3 → 4" in bodies(github)[0]) == (["commented"], True)


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
    ("what", "token", "said"),
    [
        (Event("pull_request", 1), "", "::warning title=quotalint::no comment: there is no token, or no repository\n"),
        (Event("push"), "t0ken", "quotalint: no comment: the event push is about no pull request\n"),
    ],
    ids=["no token", "no pull request"],
)
def test_where_nobody_is_asked(
    github: GitHub, what: Event, token: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    environ = {"GITHUB_REPOSITORY": "acme/shop", "GITHUB_API_URL": github.url}
    comment(_wanted(token), what, Text("report"), True, environ)
    assert (capsys.readouterr().out, github.asked) == (said, [])


def _wanted(token: str = "t0ken") -> Inputs:
    wanted = inputs({"INPUT_TOKEN": token, "INPUT_COMMENT": "true"})
    assert isinstance(wanted, Inputs)
    return wanted
