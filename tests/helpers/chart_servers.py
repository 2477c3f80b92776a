"""Chart repositories and registries on the loopback address, and what lies in them."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import subprocess
import tarfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
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
            with suppress(ConnectionError):  # a client that has read enough
                self.wfile.write(answer.content if self.command == "GET" else b"")

        do_HEAD = do_GET  # noqa: N815

        def log_message(self, *arguments: object) -> None:
            """Print nothing."""

    with _listening(Handler) as url:
        yield served._replace(url=url)


@contextmanager
def _listening(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    listening = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    listening.daemon_threads = True
    thread = threading.Thread(target=listening.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.server_port}"
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


def add_registry_chart(to: Server, name: str, version: str, content: bytes, *tags: str) -> str:
    """A chart in a registry, as Helm pushes it; the digest of its manifest. Only what is pulled is served."""
    config = b'{"name":"web","version":"1.2.3","apiVersion":"v2"}'
    layers = [
        {"mediaType": "application/vnd.cncf.helm.chart.content.v1.tar+gzip", **_add_blob(to, name, content)},
    ]
    manifest = json.dumps(
        {
            "schemaVersion": 2,
            "config": {"mediaType": "application/vnd.cncf.helm.config.v1+json", **_add_blob(to, name, config)},
            "layers": layers,
        }
    ).encode()
    kind, digest = "application/vnd.oci.image.manifest.v1+json", f"sha256:{hashlib.sha256(manifest).hexdigest()}"
    for reference in (version, digest, *tags):
        headers = {"Content-Type": kind, "Docker-Content-Digest": digest}
        to.answers[f"/v2/{name}/manifests/{reference}"] = Answer(manifest, headers=headers)
    listed = to.answers.get(f"/v2/{name}/tags/list")
    known = json.loads(listed.content)["tags"] if isinstance(listed, Answer) else []
    every = sorted({*known, version, *tags})
    to.answers[f"/v2/{name}/tags/list"] = Answer(json.dumps({"name": name, "tags": every}).encode())
    return digest


def _add_blob(to: Server, name: str, content: bytes) -> dict[str, object]:
    digest = f"sha256:{hashlib.sha256(content).hexdigest()}"
    to.answers[f"/v2/{name}/blobs/{digest}"] = Answer(content)
    return {"digest": digest, "size": len(content)}


@contextmanager
def git_server(folder: Path, authorization: str = "") -> Iterator[Server]:
    """git's own server (`git http-backend`) for the repositories in a folder; with `authorization`, only for those who
    send this header."""
    served = Server("", {}, [])

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            served.requests.append((self.path, headers))
            if authorization and headers.get("authorization") != authorization:
                self.send_response(401)
                self.send_header("WWW-Authenticate", "Basic realm=git")
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            path, _, query = self.path.partition("?")
            body = self.rfile.read(int(headers.get("content-length") or 0))
            environment = {
                "PATH": os.environ["PATH"],
                "GIT_PROJECT_ROOT": str(folder),
                "GIT_HTTP_EXPORT_ALL": "1",
                "GIT_CONFIG_NOSYSTEM": "1",
                "HOME": str(folder),
                "GIT_CONFIG_COUNT": "1",
                "GIT_CONFIG_KEY_0": "safe.directory",
                "GIT_CONFIG_VALUE_0": "*",
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "REQUEST_METHOD": self.command,
                "CONTENT_TYPE": headers.get("content-type", ""),
                "CONTENT_LENGTH": str(len(body)),
                "HTTP_CONTENT_ENCODING": headers.get("content-encoding", ""),
                "GIT_PROTOCOL": headers.get("git-protocol", ""),
            }
            done = subprocess.run(
                ["git", "http-backend"], env=environment, input=body, capture_output=True, check=False
            )
            head, _, content = done.stdout.partition(b"\r\n\r\n")
            fields = [line.split(": ", 1) for line in head.decode().splitlines()]
            status = next((value for name, value in fields if name == "Status"), "200")
            self.send_response(int(status[:3]))
            for name, value in fields:
                if name != "Status":
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_POST = do_GET  # noqa: N815

        def log_message(self, *arguments: object) -> None:
            """Print nothing."""

    with _listening(Handler) as url:
        yield served._replace(url=url)
