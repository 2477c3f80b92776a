"""One comment, kept up to date, whatever GitHub answers. It is asked over HTTP."""

from __future__ import annotations

from typing import Any

import pytest
from github_server import FORBIDDEN, SOMEBODY, Answering, GitHub, bodies, refuses

from action.api import Api, Refused
from action.comment import Text, github_thread, put_comment


def put(github: GitHub, text: str = "report\n", key: str = ".", worth: bool = True) -> str | Refused:
    """Put a comment."""
    return put_comment(
        Api(github.url, "t0ken", timeout=0.5, pause=0),
        github_thread("acme/shop", 1),
        key,
        Text(text, "\n[footer]\n"),
        worth,
    )


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
    assert [call.rpartition("=")[2] for call in github.asked] == [
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
    answers = [put_comment(api, github_thread("acme/shop", 1), ".", Text(text), True) for text in ("mine\n", "again\n")]
    assert (answers, bodies(github)) == (["commented", "the comment is up to date"], ["report\n", "again\n"])


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


def test_a_server_in_trouble_is_asked_again(github: GitHub) -> None:
    answers = [503, 500]
    github.otherwise = lambda *_: (answers.pop(), b"") if answers else None
    assert (put(github), len(github.asked)) == ("commented", 5)


def test_an_answer_that_is_no_json(github: GitHub) -> None:
    github.otherwise = refuses(200, "GET")
    answer = put(github)
    assert (isinstance(answer, Refused) and answer.status, bodies(github)) == (0, [])


def test_no_answer_in_time(github: GitHub) -> None:
    def wait(*_: Any) -> None:
        github.slow.wait(10)

    github.otherwise = wait
    api = Api(github.url, "t0ken", timeout=0.05, pause=0)
    assert put_comment(api, github_thread("acme/shop", 1), ".", Text("report"), True) == Refused(0, "timed out")


def test_an_address_where_nobody_answers_is_refused() -> None:
    answer = put_comment(
        Api("http://127.0.0.1:9", "t0ken", timeout=0.5, pause=0),
        github_thread("acme/shop", 1),
        ".",
        Text("report"),
        True,
    )
    assert isinstance(answer, Refused) and answer.status == 0


@pytest.mark.parametrize("user", [None, "mallory", ["Bot"], {"login": ["x"], "type": None}], ids=str)
def test_a_user_that_is_none(github: GitHub, user: Any) -> None:
    put(github)
    github.comments[0]["user"] = user
    assert (put(github, "mine\n"), bodies(github)) == ("commented", ["report\n", "mine\n"])


@pytest.mark.parametrize("answer", [b"[" * 100_000, b'{"id": 1', b"\xff"], ids=["deep", "cut off", "no UTF-8"])
@pytest.mark.parametrize("status", [200, 422])
def test_answers_that_cannot_be_read(github: GitHub, status: int, answer: bytes) -> None:
    github.otherwise = refuses(status, "GET", answer)
    outcome = put(github)
    assert (isinstance(outcome, Refused) and outcome.status, bodies(github)) == (status if status > 400 else 0, [])


@pytest.mark.parametrize("token", ["s3cret\nHost: elsewhere", "s3cret\N{SNOWMAN}", "s3 cret"], ids=ascii)
def test_a_token_that_is_none_is_not_repeated(github: GitHub, token: str) -> None:
    answer = put_comment(Api(github.url, token, pause=0), github_thread("acme/shop", 1), ".", Text("report"), True)
    assert (answer, github.asked) == (Refused(0, "the token has characters that no token has"), [])
