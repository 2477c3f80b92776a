"""Chart repositories and registries on the loopback address, and what lies in them."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

from manifests import web

CHART = {
    "Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.2.3\n",
    "values.yaml": "replicas: 3\n",
    "templates/web.yaml": web("{{ .Values.replicas }}", name="'{{ .Release.Name }}'"),
}


class Answer(NamedTuple):
    """What a server says to a request."""

    content: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = {}
    length: int | None = None
    """The length that it states, if that is not the true one."""


class Server(NamedTuple):
    """A server, what it answers by path, and what it was asked."""

    url: str
    answers: dict[str, Answer | Callable[[Mapping[str, str]], Answer]]
    requests: list[tuple[str, Mapping[str, str]]]
    """Path and headers of each request."""

    def paths(self) -> list[str]:
        """The paths that were asked for."""
        return [path for path, _ in self.requests]


@contextmanager
def server() -> Iterator[Server]:
    """A server without content; what it has not answers 404."""
    served = Server("", {}, [])

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            served.requests.append((self.path, headers))
            found = served.answers.get(self.path, Answer(status=404))
            answer = found if isinstance(found, Answer) else found(headers)
            self.send_response(answer.status)
            self.send_header("Content-Length", str(len(answer.content) if answer.length is None else answer.length))
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(answer.content)

        do_HEAD = do_GET  # noqa: N815

        def log_message(self, *arguments: object) -> None:
            """Print nothing."""

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listening.daemon_threads = True
    thread = threading.Thread(target=listening.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield served._replace(url=f"http://127.0.0.1:{listening.server_port}")
    finally:
        listening.shutdown()
        listening.server_close()


def packed(files: Mapping[str, str | bytes], folder: str = "web", more: Iterable[tarfile.TarInfo] = ()) -> bytes:
    """A chart as `helm package` packs it; `more` are members without content."""
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w") as archive:
        for name, text in files.items():
            data = text.encode() if isinstance(text, str) else text
            member = tarfile.TarInfo(f"{folder}/{name}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
        for member in more:
            archive.addfile(member)
    return gzip.compress(written.getvalue(), mtime=0)


def add_charts(to: Server, charts: Mapping[tuple[str, str], bytes], below: str = "", digest: str = "") -> None:
    """A chart repository, by name and version."""
    entries: dict[str, list[dict[str, object]]] = {}
    for (name, version), content in charts.items():
        path = f"{name}-{version}.tgz"
        to.answers[f"{below}/{path}"] = Answer(content)
        stated = digest or hashlib.sha256(content).hexdigest()
        entries.setdefault(name, []).append({"name": name, "version": version, "urls": [path], "digest": stated})
    to.answers[f"{below}/index.yaml"] = Answer(json.dumps({"apiVersion": "v1", "entries": entries}).encode())


def web_chart(replicas: int, version: str = "1.2.3") -> bytes:
    """A packed chart `web` with so many replicas."""
    return packed(
        {
            **CHART,
            "Chart.yaml": f"apiVersion: v2\nname: web\nversion: {version}\n",
            "values.yaml": f"replicas: {replicas}\n",
        }
    )
