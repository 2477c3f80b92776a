"""Charts of registries, with Helm's library."""

from __future__ import annotations

import base64
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from chart_servers import CHART, Answer, Server, add_registry_chart, server, web_chart

from quotalint.gitops.helm.library import is_installed
from quotalint.lockfile.lock import RemoteSource
from quotalint.vendoring import Fetched, FetchError, Limits
from quotalint.vendoring.oci_charts import fetch_oci_chart

pytestmark = pytest.mark.skipif(not is_installed(), reason="Helm's library is not installed")
LIMITS = Limits()


@pytest.fixture
def registry() -> Iterator[Server]:
    with server() as served:
        served.answers["/v2/"] = Answer(b"{}")
        add_registry_chart(served, "acme/web", "1.2.3", web_chart(3), "latest")
        add_registry_chart(served, "acme/web", "1.3.0", web_chart(4, "1.3.0"))
        yield served


@pytest.fixture(autouse=True)
def own_settings(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of settings that nobody else uses."""
    home = tmp_path_factory.mktemp("home")
    for name in ("HOME", "XDG_CONFIG_HOME", "HELM_CONFIG_HOME", "DOCKER_CONFIG"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.delenv("HELM_REGISTRY_CONFIG", raising=False)
    return home


def pull(of: Server, version: str, chart: str = "web", limits: Limits = LIMITS) -> Fetched:
    where = f"oci+{of.url}/acme"
    return fetch_oci_chart(RemoteSource(where, chart, version), limits, "/nowhere")


def why_not(of: Server, version: str, chart: str = "web", limits: Limits = LIMITS) -> str:
    with pytest.raises(FetchError) as caught:
        pull(of, version, chart, limits)
    return str(caught.value)


def test_a_chart_of_a_registry(registry: Server) -> None:
    digest = registry.answers["/v2/acme/web/manifests/1.2.3"]
    assert isinstance(digest, Answer)
    fetched = pull(registry, "1.2.3")
    assert fetched == Fetched("1.2.3", {name: text.encode() for name, text in CHART.items()})
    asked = ["~1.2", "", "latest", digest.headers["Docker-Content-Digest"]]
    assert [pull(registry, version).resolved for version in asked] == ["1.2.3", "1.3.0", "1.2.3", "1.2.3"]


def test_what_a_registry_has_not(registry: Server) -> None:
    assert "not found" in why_not(registry, "9.9.9")
    assert "404" in why_not(registry, "1.x", "api") or "not found" in why_not(registry, "1.x", "api")


def test_a_blob_with_another_content_is_refused(registry: Server) -> None:
    for path, answer in list(registry.answers.items()):
        if "/blobs/" in path and isinstance(answer, Answer) and len(answer.content) > 100:
            changed = answer.content[:-1] + bytes([answer.content[-1] ^ 1])
            registry.answers[path] = Answer(changed)
    assert "mismatch" in why_not(registry, "1.2.3")


def test_a_truncated_blob_is_refused(registry: Server) -> None:
    for path, answer in list(registry.answers.items()):
        if "/blobs/" in path and isinstance(answer, Answer):
            registry.answers[path] = Answer(answer.content[:20])
    assert why_not(registry, "1.2.3")


def test_a_chart_that_is_too_large_is_refused(registry: Server) -> None:
    assert why_not(registry, "1.2.3", limits=Limits(download=100)).startswith("the registry sent no chart of at most")


def test_a_registry_that_never_answers(registry: Server) -> None:
    def wait(_: object) -> Answer:
        time.sleep(3)
        return Answer(status=500)

    registry.answers["/v2/acme/web/manifests/1.2.3"] = wait
    assert why_not(registry, "1.2.3", limits=Limits(longest=1.5)) == "the registry took longer than 1.5 s"


def test_logins_go_to_their_registry_alone(registry: Server, own_settings: Path) -> None:
    login = base64.b64encode(b"me:secret").decode()

    content = registry.answers["/v2/acme/web/manifests/1.2.3"]

    def only_for_me(headers: object) -> Answer:
        assert isinstance(headers, dict)
        assert isinstance(content, Answer)
        if headers.get("authorization") == f"Basic {login}":
            return content
        return Answer(status=401, headers={"WWW-Authenticate": "Basic realm=registry"})

    registry.answers["/v2/acme/web/manifests/1.2.3"] = only_for_me
    assert "401" in why_not(registry, "1.2.3") or "credential" in why_not(registry, "1.2.3")
    (own_settings / "config.json").write_text(json.dumps({"auths": {registry.url[7:]: {"auth": login}}}))
    os.makedirs(own_settings / "registry", exist_ok=True)
    shutil.copy(own_settings / "config.json", own_settings / "registry/config.json")
    assert pull(registry, "1.2.3").resolved == "1.2.3"
    with server() as other:
        add_registry_chart(other, "acme/web", "1.2.3", web_chart(3))
        other.answers["/v2/acme/web/manifests/1.2.3"] = Answer(
            status=401, headers={"WWW-Authenticate": "Basic realm=registry"}
        )
        why_not(other, "1.2.3")
        assert {headers.get("authorization") for _, headers in other.requests} == {None}


@pytest.mark.skipif(shutil.which("docker-registry") is None, reason="docker-registry is not installed")
def test_a_packaged_registry(tmp_path: Path, registry: Server) -> None:
    """The reference implementation, as Debian packages it."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (tmp_path / "registry.yml").write_text(
        f"version: 0.1\nstorage: {{filesystem: {{rootdirectory: {tmp_path}/data}}}}\n"
        f"http: {{addr: '127.0.0.1:{port}'}}\n"
    )
    (tmp_path / "web-1.2.3.tgz").write_bytes(web_chart(3))
    program = ["docker-registry", "serve", str(tmp_path / "registry.yml")]
    with subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        try:
            for _ in range(100):
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except OSError:
                    time.sleep(0.05)
            push = (
                "import sys; from helm_python.registry import RegistryClient as C; "
                "C(plain_http=True).push(sys.argv[1], sys.argv[2], plain_http=True)"
            )
            where = f"oci://127.0.0.1:{port}/acme"
            subprocess.run([sys.executable, "-c", push, str(tmp_path / "web-1.2.3.tgz"), where], check=True)
            fetched = fetch_oci_chart(RemoteSource(f"oci+http{where[3:]}", "web", "1.x"), LIMITS, "/nowhere")
        finally:
            running.terminate()
    assert fetched == pull(registry, "1.2.3")
