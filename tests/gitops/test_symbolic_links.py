"""Symbolic links: what they lead to is the same file, once."""

from __future__ import annotations

from pathlib import Path

import pytest
from gitops_outcome import NONE, TWO, Case, Outcome, expected, outcome, params
from manifests import quota, web
from team_a_repositories import BASE, LIVE, PATCH, TEAM_A, leaf
from workspace import Workspace
from written_files import Files, Link


def test_a_symbolic_link_out_of_the_repository_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/web.yaml").write_text(web(replicas=7))
    files: Files = {
        ".git/HEAD": "ref: refs/heads/main\n",
        "live/kustomization.yaml": """\
            namespace: team-a
            resources: [quota.yaml, web.yaml, ../more, ../../outside/web.yaml]
            """,
        "live/quota.yaml": quota(),
        "live/web.yaml": Link("../../outside/web.yaml"),
        "more": Link("../outside"),
    }
    seen = outcome(tmp_path / "repository", files, monkeypatch)
    assert seen == Outcome(
        [NONE],
        [
            "live/kustomization.yaml:2:25 QL003 warning",
            "live/kustomization.yaml:2:35 QL003 warning",
            "live/kustomization.yaml:2:44 QL003 warning",
        ],
    )


CASES = [
    Case(
        "a folder linked twice is applied once",
        {**LIVE, "one": Link("live"), "more/two": Link("../live")},
        (TWO,),
    ),
    Case(
        "a kustomization linked twice is rendered once",
        {**BASE, "live/kustomization.yaml": TEAM_A, "also": Link("live")},
        (TWO,),
    ),
    Case(
        "a base that is reached by a link is the same",
        {
            **BASE,
            "bases/shop": Link("../base"),
            "live/kustomization.yaml": "namespace: team-a\nresources: [../bases/shop]\n",
        },
        (TWO,),
    ),
    Case(
        "a patch that is reached by a link is not an object",
        {
            **BASE,
            "shared/more.yaml": PATCH,
            "live/kustomization.yaml": TEAM_A + "patches: [{path: more.yaml}]\n",
            "live/more.yaml": Link("../shared/more.yaml"),
            "one/quota.yaml": quota("default"),
        },
        ("default/base pods ?/8 unknown", "team-a/base pods 3/8 exact"),
        # Kustomize looks at where a link leads, and refuses; Flux does not.
        ("live/kustomization.yaml:3:11 QL003 info",),
    ),
    Case(
        "a resource that is reached by a link is the same",
        {
            "live/kustomization.yaml": "namespace: team-a\nresources: [quota.yaml, web.yaml]\n",
            "live/quota.yaml": quota(),
            "live/web.yaml": Link("../shared/web.yaml"),
            "shared/web.yaml": web(),
            "one/quota.yaml": quota("default"),
        },
        ("default/base pods ?/8 unknown", TWO),
        ("live/kustomization.yaml:2:25 QL003 info",),
    ),
    Case(
        "a linked file is the same file",
        {**LIVE, "live/again.yaml": Link("web.yaml"), "else/web.yaml": Link("../live/web.yaml")},
        (TWO,),
    ),
    Case(
        "links that lead to where they stand",
        {**LIVE, "live/up": Link(".."), "live/self": Link("self"), "live/self.yaml": Link("self.yaml")},
        ("team-a/base pods 2/8 at-least",),
        ("live/self.yaml:1:1 QL001 error",),
    ),
    Case(
        "a link that leads nowhere among the resources",
        {**leaf("bases: [gone.yaml]"), "live/gone.yaml": Link("nothing.yaml")},
        ("team-a/base pods 2/8 at-least",),
        ("live/gone.yaml:1:1 QL001 error", "live/kustomization.yaml:3:9 QL003 warning"),
    ),
    Case(
        "a link that leads nowhere beside a manifest is one that is missing, whatever it is called",
        {**LIVE, "live/more.json": Link("nothing.json")},
        ("team-a/base pods 2/8 at-least",),
        ("live/more.json:1:1 QL001 error",),
    ),
    Case(
        "a link to the newest results of a program, which are ignored, is no manifest",
        {**LIVE, "output/latest.json": Link("results-42.json"), "output/package.json": "{}\n"},
        (TWO,),
    ),
    Case(
        "a link called YAML that leads nowhere is one that is missing",
        {**LIVE, "more/web.yaml": Link("../shared/web.yaml")},
        ("team-a/base pods 2/8 at-least",),
        ("more/web.yaml:1:1 QL001 error",),
    ),
]


@pytest.mark.parametrize("case", params(CASES))
def test_what_is_told_of_links(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)


def test_of_a_link_to_nothing_no_text_is_to_be_fixed(workspace: Workspace) -> None:
    workspace.put({"k8s/quota.yaml": quota("team-a")})
    (workspace.folder / "k8s/web.yaml").symlink_to("../shared/web.yaml")
    (finding,) = workspace.report("check")["findings"]
    assert (finding["rule"], finding["severity"], finding["file"]) == ("QL001", "error", "k8s/web.yaml")
    assert finding["help"].startswith("correct it here;")
