"""Releases whose charts are remote wait for one thing, which is said once."""

from __future__ import annotations

from manifests import quota, web
from workspace import Workspace

RELEASES = "releases:\n" + "".join(
    f"- {{name: {name}, namespace: {namespace}, chart: local/{name}}}\n"
    for name, namespace in (("api", "team-a"), ("ui", "team-a"), ("operator", "team-b"))
)


def test_are_one_finding_that_says_what_settles_it(workspace: Workspace) -> None:
    workspace.put({"helmfile.yaml": RELEASES, "a.yaml": quota("team-a"), "b.yaml": quota("team-b")})
    _, text, _ = workspace.text("check")
    words = " ".join(text.split())
    assert words.count("QL003 unrendered-source") == 1
    assert "3 sources are remote charts (local/api, local/ui, local/operator); what they deploy to the" in words
    assert (
        "pass a snapshot of the cluster with `--with`, or keep the charts in the repository, under their names" in words
    )
    assert "2 namespaces could not be judged: team-a, team-b (see QL003 above)." in words
    _, text, _ = workspace.text("usage")
    assert "Not known (2): waiting for remote charts" in text


def test_a_chart_of_the_name_settles_it(workspace: Workspace) -> None:
    """As the help says; that it is the same one is a guess."""
    workspace.put({"helmfile.yaml": RELEASES, "a.yaml": quota("team-a"), "b.yaml": quota("team-b")})
    for name in ("api", "ui", "operator"):
        workspace.put(
            {
                f"vendored/{name}/Chart.yaml": f"apiVersion: v2\nname: {name}\nversion: 1.0.0\n",
                f"vendored/{name}/templates/web.yaml": web(1, name=name),
            }
        )
    report = workspace.report("check")
    assert [finding["rule"] for finding in report["findings"]] == []
    assert {table["namespace"]: table["certainty"] for table in report["quotas"]} == {
        "team-a": "assumed",
        "team-b": "assumed",
    }


def test_charts_of_a_registry_are_named_without_it_and_without_digests(workspace: Workspace) -> None:
    charts = [f"oci://ghcr.io/example/charts/{name}@sha256:{'0a' * 32}" for name in ("api", "ui")]
    releases = "".join(f"- {{name: r{at}, namespace: team-a, chart: '{chart}'}}\n" for at, chart in enumerate(charts))
    workspace.put({"helmfile.yaml": f"releases:\n{releases}", "q.yaml": quota("team-a")})
    words = " ".join(workspace.text("check")[1].split())
    assert "2 sources are remote charts (api, ui); what" in words
    assert "sha256" not in words
    for name in ("api", "ui"):
        workspace.put({f"charts/{name}/Chart.yaml": f"apiVersion: v2\nname: {name}\nversion: 1.0.0\n"})
        workspace.put({f"charts/{name}/templates/web.yaml": web(1, name=name)})
    report = workspace.report("check")
    assert [table["certainty"] for table in report["quotas"]] == ["assumed"]
    assert report["findings"] == []


def test_what_is_no_digest_stays_in_the_address(workspace: Workspace) -> None:
    """As the user of a remote repository, and the folder in it."""
    charts = ("git::ssh://git@example.com/it/api.git", "git::https://example.com/it/all.git@charts/ui")
    releases = "".join(f"- {{name: r{at}, namespace: team-a, chart: '{chart}'}}\n" for at, chart in enumerate(charts))
    workspace.put({"helmfile.yaml": f"releases:\n{releases}", "q.yaml": quota("team-a")})
    assert "2 sources are remote charts (api.git, ui); what" in " ".join(workspace.text("check")[1].split())
