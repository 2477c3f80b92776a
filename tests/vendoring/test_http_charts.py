"""Chart repositories over HTTP, on a real server."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from chart_servers import CHART, Answer, Server, add_charts, packed, server, web_chart

from quotalint.lockfile.lock import RemoteSource
from quotalint.vendoring import FetchError, Limits
from quotalint.vendoring.http_charts import fetch_http_chart, newest_version
from quotalint.vendoring.web import Access, download

NOBODY = Access()
QUICK = Limits(silence=0.3, longest=2, download=100_000)


@pytest.fixture
def charts() -> Iterator[Server]:
    with server() as served:
        add_charts(
            served, {("web", "1.2.3"): web_chart(3), ("web", "1.3.0"): web_chart(4), ("db", "2.0.0"): web_chart(5)}
        )
        yield served


def fetch(served: Server, version: str = "", chart: str = "web", access: Access = NOBODY) -> str:
    """The version that was fetched, or why not."""
    try:
        return fetch_http_chart(RemoteSource(served.url, chart, version), access, QUICK).resolved
    except FetchError as error:
        return str(error)


def test_fetches_the_version_that_is_asked_for(charts: Server) -> None:
    assert [fetch(charts, version) for version in ("1.2.3", "~1.2", "", "1.x")] == ["1.2.3", "1.2.3", "1.3.0", "1.3.0"]
    assert fetch(charts, "2.x") == "no version satisfies 2.x"
    assert fetch(charts, chart="api") == "the repository has no such chart"


def test_a_chart_has_its_files(charts: Server) -> None:
    fetched = fetch_http_chart(RemoteSource(charts.url, "web", "1.2.3"), NOBODY, QUICK)
    assert fetched.files == {name: text.encode() for name, text in CHART.items()}


def test_only_the_part_of_the_chart_is_read(charts: Server) -> None:
    index = "entries:\n  api:\n  - {{\n    web:\n  web:\n  - {version: 1.2.3, urls: [web-1.2.3.tgz]}\n  xyz:\n  - }\n"
    charts.answers["/index.yaml"] = Answer(index.encode())
    assert fetch(charts) == "1.2.3"
    charts.answers["/index.yaml"] = Answer(b"entries: {{\n")
    assert fetch(charts) == "the repository's index.yaml cannot be read"


def test_a_prerelease_is_taken_only_by_its_name() -> None:
    versions = ["1.0.0", "1.1.0-rc.1", "v0.9.0"]
    assert [newest_version(versions, asked) for asked in ("", "1.1.0-rc.1", ">0-0", "<1")] == [
        *("1.0.0", "1.1.0-rc.1", "1.1.0-rc.1", "v0.9.0"),
    ]


def test_the_server_has_no_such_file(charts: Server) -> None:
    del charts.answers["/web-1.2.3.tgz"]
    assert fetch(charts, "1.2.3") == "127.0.0.1 answered 404 to a request for /web-1.2.3.tgz"
    del charts.answers["/index.yaml"]
    assert fetch(charts) == "127.0.0.1 answered 404 to a request for /index.yaml"


def test_another_digest_than_in_the_index_is_refused(charts: Server) -> None:
    add_charts(charts, {("web", "1.2.3"): web_chart(3)}, digest="0" * 64)
    assert fetch(charts) == "the file of version 1.2.3 has not the digest that the repository's index names"


def test_a_truncated_file_is_refused(charts: Server) -> None:
    content = web_chart(3)
    charts.answers["/web-1.2.3.tgz"] = Answer(content, length=len(content) + 100)
    assert fetch(charts, "1.2.3") in (
        f"127.0.0.1 sent only {len(content)} of {len(content) + 100} bytes of /web-1.2.3.tgz",
        "127.0.0.1: no answer in time",
    )
    charts.answers["/web-1.2.3.tgz"] = Answer(content[:100])
    assert fetch(charts, "1.2.3").startswith("the file of version 1.2.3 has not the digest")


def test_more_than_the_limit_is_refused(charts: Server) -> None:
    charts.answers["/index.yaml"] = Answer(b"#" * 200_000)
    assert fetch(charts) == "127.0.0.1 sends more than 0 MiB for /index.yaml"


def test_a_bomb_is_not_unpacked(charts: Server) -> None:
    add_charts(charts, {("web", "1.2.3"): packed({**CHART, "a": bytes(80 << 20)})})
    assert fetch(charts).startswith("its archive unpacks to more than")


def test_a_server_that_never_answers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(FetchError, match="no answer in time"):
            download(f"{url}/index.yaml", NOBODY, QUICK)


def test_a_server_that_answers_for_ever(charts: Server) -> None:
    charts.answers["/index.yaml"] = Answer(status=302, headers={"Location": "/index.yaml"})
    assert fetch(charts) == "127.0.0.1 redirects more than 5 times"


def test_a_redirect_to_another_server_loses_the_credentials(charts: Server) -> None:
    access = Access(charts.url, "Basic c2VjcmV0")
    with server() as other:
        add_charts(other, {("web", "1.2.3"): web_chart(3)})
        charts.answers["/index.yaml"] = Answer(status=302, headers={"Location": f"{other.url}/index.yaml"})
        charts.answers["/web-1.2.3.tgz"] = Answer(status=307, headers={"Location": f"{other.url}/web-1.2.3.tgz"})
        assert fetch(charts, access=access) == "1.2.3"
        assert [headers.get("authorization") for _, headers in charts.requests] == ["Basic c2VjcmV0"] * 2
        assert [headers.get("authorization") for _, headers in other.requests] == [None] * 2


def test_credentials_are_not_sent_to_a_server_that_the_index_names(charts: Server) -> None:
    with server() as other:
        other.answers["/web.tgz"] = Answer(web_chart(3))
        charts.answers["/index.yaml"] = Answer(
            f"entries: {{web: [{{version: 1.0.0, urls: ['{other.url}/web.tgz']}}]}}".encode()
        )
        assert fetch(charts, access=Access(charts.url, "Basic c2VjcmV0")) == "1.0.0"
        assert "authorization" not in other.requests[0][1]


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://127.0.0.1/a", "data:,a"])
def test_a_redirect_leads_to_no_other_kind_of_address(charts: Server, url: str) -> None:
    charts.answers["/index.yaml"] = Answer(status=302, headers={"Location": url})
    assert fetch(charts) == f"{urlsplit(url).hostname or url} is not reached by https"


@pytest.mark.parametrize("url", ["http://[", "http://", "http://a b/", "http://\x00/", "https://127.0.0.1:x/"])
def test_what_is_no_address(url: str) -> None:
    with pytest.raises((FetchError, ValueError)):
        fetch_http_chart(RemoteSource(url, "web", ""), NOBODY, QUICK)


def test_https_is_never_left_for_http() -> None:
    with pytest.raises(FetchError, match="is not reached by https"):
        download("gopher://127.0.0.1/", NOBODY, QUICK)
