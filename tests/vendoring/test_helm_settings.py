"""Credentials from Helm's list of repositories."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from chart_servers import Answer, add_charts, server, web_chart

from quotalint.lockfile.lock import RemoteSource
from quotalint.vendoring import Limits
from quotalint.vendoring.helm_settings import access_for
from quotalint.vendoring.vendoring import fetch_source
from quotalint.vendoring.web import Access

LISTED = """\
apiVersion: ""
repositories:
- {name: all, url: 'https://charts.example.com/', username: me, password: all}
- {name: a, url: 'https://charts.example.com/team-a', username: me, password: a, caFile: /ca.pem}
- {name: none, url: ''}
- {name: shared, url: 'https://shared.example.com/ours', username: me, password: shared}
"""


@pytest.fixture
def listed(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "helm").mkdir()
    (tmp_path / "helm/repositories.yaml").write_text(LISTED)
    return {"XDG_CONFIG_HOME": str(tmp_path)}


def password(url: str, environment: dict[str, str]) -> str:
    authorization = access_for(url, environment).authorization
    return base64.b64decode(authorization.removeprefix("Basic ")).decode().partition(":")[2]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://charts.example.com", "all"),
        ("https://charts.example.com/team-a/stable", "a"),
        ("https://charts.example.com/team-ab", "all"),
        ("https://shared.example.com/ours", "shared"),
        ("https://shared.example.com/theirs", ""),
        ("https://shared.example.com/ours/../theirs", ""),
        ("https://shared.example.com/ours/%2e%2e/theirs", ""),
        ("http://shared.example.com/ours", ""),
        ("https://shared.example.com.evil.org/ours", ""),
        ("https://shared.example.com:8443/ours", ""),
        ("https://shared.example.com@evil.org/ours", ""),
    ],
)
def test_credentials_are_those_of_the_repository(listed: dict[str, str], url: str, expected: str) -> None:
    assert password(url, listed) == expected


def test_where_the_list_is(listed: dict[str, str], tmp_path: Path) -> None:
    url = "https://charts.example.com/team-a"
    named = {"HELM_REPOSITORY_CONFIG": str(tmp_path / "helm/repositories.yaml")}
    assert (
        access_for(url, named) == access_for(url, listed) == access_for(url, {"HELM_CONFIG_HOME": f"{tmp_path}/helm"})
    )
    assert access_for(url, listed).ca_file == "/ca.pem"
    assert access_for(url, {"HELM_REPOSITORY_CONFIG": str(tmp_path / "none.yaml")}) == Access()
    (tmp_path / "helm/repositories.yaml").write_text("[{")
    assert access_for(url, listed) == Access()


def test_a_private_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with server() as charts:
        add_charts(charts, {("web", "1.2.3"): web_chart(3)})
        entry = f"repositories: [{{name: a, url: '{charts.url}', username: me, password: secret}}]\n"
        (tmp_path / "repositories.yaml").write_text(entry)
        monkeypatch.setenv("HELM_REPOSITORY_CONFIG", str(tmp_path / "repositories.yaml"))
        wanted = f"Basic {base64.b64encode(b'me:secret').decode()}"
        public = dict(charts.answers)
        for path, answer in public.items():
            assert isinstance(answer, Answer)
            charts.answers[path] = lambda headers, answer=answer: (  # type: ignore[misc]
                answer if headers.get("authorization") == wanted else Answer(status=401)
            )
        assert fetch_source(RemoteSource(charts.url, "web", ""), Limits(), "/nowhere").resolved == "1.2.3"
