"""A server that answers as GitHub does, on a port of this machine."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

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
        match = re.fullmatch(r"/repos/acme/shop/issues/comments/(\d+)", path)
        for there in self.comments:
            if method == "PATCH" and match and there["id"] == int(match[1]):
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
        status, body_of_answer = self.server.github.answer(self.command, self.path, json.loads(body) if body else None)
        data = body_of_answer if isinstance(body_of_answer, bytes) else json.dumps(body_of_answer).encode()
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


@contextmanager
def github_served() -> Iterator[GitHub]:
    """GitHub, answering for as long as it is needed."""
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


def bodies(github: GitHub) -> list[str]:
    """The comments without what is not shown."""
    return [re.sub("<!--.*?-->\n|\n.footer.\n", "", comment["body"]) for comment in github.comments]


def refuses(status: int, method: str, body: Any = b"<html>") -> Answering:
    """Always answers so."""
    return lambda _, asked, path: (status, body) if asked == method and path != "/user" else None
