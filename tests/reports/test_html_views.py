"""What of the HTML report is where: quotas and all else, equal problems together, addresses, links, the past."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from sample_findings import finding
from test_html import NUMBERS, SETTINGS, Page
from test_html_map import PODS, QUOTA
from workspace import Workspace

from quotalint.catalogue import rule_by_id
from quotalint.cli import run
from quotalint.reports.earlier import EarlierReport, read_earlier
from quotalint.reports.html import render
from quotalint.reports.html.finding_views import group_findings
from quotalint.reports.links import Links, Origin


def words(html: str) -> str:
    """What a reader sees, in one line."""
    return Page(html).text


def test_what_is_about_no_quota_is_behind_a_tab(workspace: Workspace) -> None:
    broken = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [nowhere.yaml]\n"
    workspace.put({"q.yaml": QUOTA.format("a", 1) + "---\n" + PODS.format("a", 2), "k/kustomization.yaml": broken})
    html = workspace.text("check", "--format", "html")[1]
    beside = html[html.index('id="beside"') :]
    assert ('href="#beside">Other findings (1' in html, "QL003" in beside, "QL301" in beside) == (True, True, False)
    assert "QL301" in html[html.index('id="by-quota"') : html.index('id="beside"')]


def test_there_are_no_tabs_where_all_is_about_quotas(workspace: Workspace) -> None:
    workspace.put({"q.yaml": QUOTA.format("a", 1) + "---\n" + PODS.format("a", 2)})
    assert 'class="tabs"' not in workspace.text("check", "--format", "html")[1]


def test_equal_problems_are_one() -> None:
    findings = [
        finding(namespace=name, message=name, values={"quota": "x-small"}, environments=("prod", f"c-{name}"))
        for name in ("acme", "dex", "loader")
    ]
    other = finding(namespace="acme", message="large", values={"quota": "large"})
    assert [len(group.findings) for group in group_findings([*findings, other])] == [3, 1]
    html = render([*findings, other], (), NUMBERS, SETTINGS, lambda name: b"")
    assert "3 × x-small in acme, dex, loader (4 environments): " + rule_by_id("QL301").summary in words(html)
    assert html.count('class="several error"') == 1


def test_what_says_the_same_of_several_places_is_said_once() -> None:
    html = render([finding(file="a.yaml"), finding(file="b.yaml")], (), NUMBERS, SETTINGS, lambda name: b"")
    assert "2 × team-a asks for pods 5; quota base allows 4" in words(html)


def test_addresses_are_the_same_from_day_to_day(workspace: Workspace) -> None:
    first = QUOTA.format("shop", 4) + "---\n" + PODS.format("shop", 5)
    workspace.put({"q.yaml": first})
    before = set(re.findall(r' id="((?:quota|finding)-[^"]*)"', workspace.text("check", "--format", "html")[1]))
    workspace.put({"a.yaml": QUOTA.format("cart", 4) + "---\n" + PODS.format("cart", 6), "q.yaml": "# later\n" + first})
    after = re.findall(r' id="((?:quota|finding)-[^"]*)"', workspace.text("check", "--format", "html")[1])
    assert ("quota-shop-base" in before, len(before) > 1, before - set(after), len(after) == len(set(after))) == (
        True,
        True,
        set(),
        True,
    )


def test_every_address_of_the_page_is_there(workspace: Workspace) -> None:
    workspace.put(
        {f"clusters/{name}/all.yaml": QUOTA.format("shop", 4) + "---\n" + PODS.format("shop", 5) for name in "ab"}
    )
    page = Page(workspace.text("check", "--format", "html")[1])
    ids = [given["id"] for _, given in page.tags if given.get("id")]
    links = {str(given["href"])[1:] for tag, given in page.tags if tag == "a"}
    assert (links - set(ids), len(ids) == len(set(ids)), len(links) > 4) == (set(), True, True)


LINKS = Links("https://git.example.org/a/b/blob/c0ffee/", "#L{line}", "c0ffee")


def test_places_lead_into_the_repository(workspace: Workspace) -> None:
    workspace.put({"apps/q.yaml": QUOTA.format("a", 1) + "---\n" + PODS.format("a", 2)})
    html = workspace.text("check", "--format", "html", "--link", "https://github.com/acme/gitops")[1]
    links = set(re.findall(r'href="(https://[^"]*)"', html))
    base = "https://github.com/acme/gitops/blob/HEAD/apps/q.yaml"
    assert {f"{base}#L{line}" for line in (1, 4, 6)} - links == set()
    assert all(link.startswith(base) for link in links)


@pytest.mark.parametrize("link", ["javascript:alert(1)", "/srv/git", "ftp://a/b", "github.com/acme/gitops", "{file}"])
def test_a_link_that_is_no_address_ends_the_run(link: str, workspace: Workspace) -> None:
    workspace.put({"q.yaml": QUOTA.format("a", 1)})
    assert workspace.text("check", "--format", "html", "--link", link)[0] == 2


def test_no_name_of_a_file_leads_elsewhere() -> None:
    evil = finding(file='a"onclick=x.yaml', related=())
    html = render([evil], (), NUMBERS, SETTINGS, lambda name: b"", origin=Origin(links=LINKS))
    (link,) = (given["href"] for tag, given in Page(html).tags if tag == "a" and "https" in str(given["href"]))
    assert link == "https://git.example.org/a/b/blob/c0ffee/a%22onclick%3Dx.yaml#L6"


def test_the_page_says_how_it_was_made(workspace: Workspace) -> None:
    workspace.put({"q.yaml": QUOTA.format("a", 1)})
    assert "Made by quotalint check --format html" in words(workspace.text("check", "--format", "html")[1])
    (workspace.folder / ".git").mkdir()
    (workspace.folder / ".git" / "HEAD").write_text("c0ffee0123" * 4)
    assert "Made by quotalint usage --format html at commit c0ffee0123c0" in words(
        workspace.text("usage", "--format", "html")[1]
    )


def report_of(workspace: Workspace, pods: int, name: str) -> None:
    """Keep the JSON report of so many pods."""
    workspace.put({"q.yaml": QUOTA.format("a", 4) + "---\n" + PODS.format("a", pods)})
    text = workspace.text("usage", "--format", "json", "q.yaml")[1]
    (workspace.folder / "past").mkdir(exist_ok=True)
    (workspace.folder / "past" / name).write_text(text)


def test_how_full_a_quota_was_before(workspace: Workspace) -> None:
    for pods, name in ((1, "week-9.json"), (2, "week-10.json")):
        report_of(workspace, pods, name)
    workspace.put({"q.yaml": QUOTA.format("a", 4) + "---\n" + PODS.format("a", 5)})
    html = workspace.text("usage", "--format", "html", "--history", "past", "q.yaml")[1]
    assert "pods week-9: 25 %, week-10: 50 %, now: 125 %" in words(html).replace("\u00a0", " ")
    assert (html.count('class="sparkline over"'), 'class="history"' in html) == (2, True)


def test_what_was_unknown_is_a_gap(workspace: Workspace) -> None:
    report_of(workspace, 1, "1.json")
    workspace.put({"q.yaml": QUOTA.format("a", 4)})
    (workspace.folder / "past" / "2.json").write_text(workspace.text("usage", "--format", "json", "q.yaml")[1])
    report_of(workspace, 2, "3.json")
    html = workspace.text("usage", "--format", "html", "--history", "past", "q.yaml")[1]
    assert "1: 25 %, 2: not known, 3: 50 %, now: 50 %" in words(html).replace("\u00a0", " ")


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"quotas": 1}', '{"quotas": [1]}', '{"quotas": [{"resources": 1}]}', "[" * 100_000, "\0", '"a"'],
)
def test_what_is_no_report_ends_the_run(text: str, workspace: Workspace) -> None:
    workspace.put({"q.yaml": QUOTA.format("a", 4), "past.json": text})
    assert workspace.text("usage", "--format", "html", "--history", "past.json", "q.yaml")[0] == 2


@pytest.mark.parametrize("row", [1, {}, {"resource": 1, "hard": "x", "steady": []}, {"hard": "1e9999999999"}])
def test_a_report_may_hold_anything(row: Any) -> None:
    data = json.dumps({"quotas": [{"namespaces": [1], "name": None, "resources": [row]}]}).encode()
    assert isinstance(read_earlier("a", data), EarlierReport)


def test_a_folder_without_reports_ends_the_run(workspace: Workspace, tmp_path: Path) -> None:
    workspace.put({"q.yaml": QUOTA.format("a", 4), "past/readme.txt": "none"})
    assert workspace.text("usage", "--format", "html", "--history", "past", "q.yaml")[0] == 2


def test_a_link_has_no_password_on_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "q.yaml").write_text(QUOTA.format("a", 4))
    monkeypatch.chdir(tmp_path)
    run(["check", "--format", "html", "--link", "https://me:secret@git.example.org/a/b"])
    html = capsys.readouterr().out
    assert ("secret" in html, "https://git.example.org/a/b/blob/HEAD/q.yaml" in html) == (False, True)


def test_several_repositories_are_not_linked_as_one(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("SERVER_URL", "https://github.com"), ("REPOSITORY", "acme/fleet"), ("SHA", "c0ffee0123" * 4)):
        monkeypatch.setenv(f"GITHUB_{name}", value)
    workspace.put(
        {
            "quotas/q.yaml": QUOTA.format("a", 1),
            "shop/w.yaml": PODS.format("a", 2),
            "fleet.yaml": "repositories: [quotas, shop]\n",
        }
    )
    alone = workspace.text("check", "quotas", "--format", "html")[1]
    together = workspace.text("fleet", "fleet.yaml", "--format", "html")[1]
    assert ("https://github.com" in alone, "https://github.com" in together, "QL301" in together) == (True, False, True)
