"""How much a keystroke costs, in lines that run: what it does not touch is not worked out again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from line_counts import lines_of
from typed_teams import APPLICATION, DEPLOYMENT, QUOTA, Typing, kustomized, of_flux, plain


def of_argo(top: Path, teams: int) -> None:
    """The kustomizations, each put into its namespace by an Application."""
    kustomized(top, teams)
    for number in range(teams):
        (top / f"team-{number}.yaml").write_text(APPLICATION.format(team=f"team-{number}"))


def too_much(top: Path, teams: int) -> None:
    """A finding for each team."""
    plain(top, teams)
    for web in top.glob("*/web.yaml"):
        web.write_text(web.read_text().replace("100m", "300m"))


LAYOUTS = {"plain": plain, "too much": too_much, "kustomized": kustomized, "Flux": of_flux, "Argo CD": of_argo}
KEYSTROKES = {
    "a request": ("plain", "team-3/web.yaml", "100m", "300m", "admission/"),
    "a request in a kustomization": ("kustomized", "team-3/web.yaml", "100m", "300m", "gitops/kustomize/"),
    "a label of a kustomization": (
        "kustomized", "team-3/kustomization.yaml", "namePrefix", "labels: []\nnamePrefix", "gitops/kustomize/",
    ),
    "a request that Flux deploys": ("Flux", "team-3/web.yaml", "${CPU}", "300m", "gitops/kustomize/"),
    "a value that Flux substitutes": ("Flux", "team-3.yaml", "CPU: 100m", "CPU: 400m", "gitops/substitution/"),
    "a request that Argo CD deploys": ("Argo CD", "team-3/web.yaml", "100m", "300m", "gitops/kustomize/"),
    "a file that cannot be read": ("plain", "team-3/web.yaml", "kind:", "\n- {typed\n", "admission/"),
    "a name": ("plain", "team-3/web.yaml", "name: web,", "name: wed,", "admission/"),
    "what is too much beside others": ("too much", "team-3/web.yaml", "300m", "400m", "catalogue.py"),
}  # fmt: skip
"""What is typed → the layout, the file, the text before and after, and the part of quotalint that is costly then."""
EVEN = 1.4
"""Twice as many teams would be twice the work, if all of them were looked at again."""


@pytest.mark.parametrize("typed", KEYSTROKES)
def test_a_keystroke_costs_no_more_where_there_are_more_teams(
    typed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    layout, file, before, after, part = KEYSTROKES[typed]
    lines = []
    for teams in (12, 24):
        top = tmp_path / str(teams)
        top.mkdir()
        LAYOUTS[layout](top, teams)
        monkeypatch.chdir(top)
        typing = Typing()
        for text in (after, before):  # what is imported or learned once is no part of it
            typing.type(file, before, text)
        lines.append(lines_of(lambda: typing.type(file, before, after), f"/{part}"))  # noqa: B023
    assert 0 < lines[1] < EVEN * lines[0]


def test_an_environment_that_nothing_was_typed_in_keeps_its_sums(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for stage in ("dev", "prod"):
        folder = tmp_path / "overlays" / stage
        folder.mkdir(parents=True)
        (folder / "kustomization.yaml").write_text("resources: [web.yaml, quota.yaml]\n")
        (folder / "web.yaml").write_text(DEPLOYMENT.format(team="shop"))
        (folder / "quota.yaml").write_text(QUOTA.format(team="shop"))
    monkeypatch.chdir(tmp_path)
    typing = Typing()
    typing.type("overlays/dev/web.yaml", "100m", "200m")
    before = typing.workspace.look({os.path.realpath("overlays/dev/web.yaml")}).result
    typing.type("overlays/dev/web.yaml", "100m", "300m")
    now = typing.workspace.look({os.path.realpath("overlays/dev/web.yaml")}).result
    assert before is not None
    assert now is not None
    pairs = list(zip(before.environments, now.environments, strict=True))
    assert [facts.environment for facts, _ in pairs] == ["dev", "prod"]
    assert [old.charges is new.charges for old, new in pairs] == [False, True]


def test_what_is_new_on_disk_is_seen_when_somebody_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain(tmp_path)
    monkeypatch.chdir(tmp_path)
    typing = Typing()
    assert typing.workspace.is_as_it_was()
    Path("team-3/web.yaml").write_text(DEPLOYMENT.format(team="team-3").replace("100m", "300m"))
    assert not typing.workspace.is_as_it_was()
    look = typing.workspace.look()
    assert look.result is not None
    assert "QL301" in [finding.rule.id for finding in look.result.findings]
    assert typing.workspace.is_as_it_was()
