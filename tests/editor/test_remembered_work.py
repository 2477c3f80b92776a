"""How much a keystroke costs, counted and not timed: what it does not touch is not worked out again."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest
from typed_teams import DEPLOYMENT, QUOTA, TEAMS, Typing, counted, kustomized, of_flux, plain

from quotalint.accounts import sums
from quotalint.accounts.facts import Facts
from quotalint.accounts.quota_table import QuotaTable, quota_tables
from quotalint.admission import Admitted, admit_demand
from quotalint.admission.plugins import Plugins
from quotalint.checks import limit_ranges
from quotalint.editor import looking
from quotalint.gitops import conflicts, view
from quotalint.gitops.by_hand import entry_points
from quotalint.gitops.default_namespaces import place_objects
from quotalint.gitops.kustomize.build import Builder
from quotalint.gitops.kustomize.kustomization import Kustomization
from quotalint.gitops.kustomize.work import Built
from quotalint.gitops.nodes import Root
from quotalint.gitops.rendering import Rendering
from quotalint.results import findings
from quotalint.results.finding import Finding, Statement, finding_of
from quotalint.results.rechecks import Rechecks
from quotalint.text.place import Place, Span
from quotalint.workloads.demand import Demand

Locate = Callable[[Iterable[Place]], Mapping[Place, Span]]


def test_only_the_pods_of_the_namespace_are_admitted_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain(tmp_path)
    monkeypatch.chdir(tmp_path)
    typing = Typing()
    owners: list[str] = []

    def counting(demand: Demand, by: Plugins) -> Admitted:
        owners.append(demand.owner.namespace if demand.owner is not None else "")
        return admit_demand(demand, by)

    monkeypatch.setattr(sums, "admit_demand", counting)
    assert "QL301" in typing.type("team-3/web.yaml", "100m", "300m")
    assert {owner for owner in owners if owner} == {"team-3"}
    assert "QL301" not in typing.type("team-3/web.yaml", "100m", "200m")
    assert {owner for owner in owners if owner} == {"team-3"}


def test_checks_are_asked_again_of_the_namespace_and_of_the_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain(tmp_path)
    monkeypatch.chdir(tmp_path)
    typing = Typing()
    asked: list[object] = []
    whole = Rechecks._ask

    def counting(self: Rechecks, check: object, group: object, *others: object) -> None:
        asked.append(group)
        whole(self, check, group, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(Rechecks, "_ask", counting)
    typing.type("team-3/web.yaml", "100m", "300m")
    assert {group for group in asked if group} == {"team-3"}


def test_only_the_kustomization_that_reads_a_file_is_built_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kustomized(tmp_path)
    monkeypatch.chdir(tmp_path)
    built = counted(monkeypatch, Builder, "build")
    typing = Typing()
    assert len(built) == TEAMS
    del built[:]
    assert "QL301" in typing.type("team-3/web.yaml", "100m", "300m")
    assert built == ["team-3"]
    del built[:]
    assert "QL301" not in typing.type("team-3/web.yaml", "100m", "200m")
    assert built == ["team-3"]


def test_only_what_flux_puts_over_a_changed_folder_is_built_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_flux(tmp_path)
    monkeypatch.chdir(tmp_path)
    overlays: list[str] = []
    whole = Builder.overlay

    def counting(self: Builder, over: Kustomization, folder: str) -> Built:
        overlays.append(folder)
        return whole(self, over, folder)

    monkeypatch.setattr(Builder, "overlay", counting)
    typing = Typing()
    assert sorted(overlays) == sorted(f"team-{number}" for number in range(TEAMS))
    del overlays[:]
    assert "QL301" in typing.type("team-3/web.yaml", "${CPU}", "300m")
    assert overlays == ["team-3"]
    del overlays[:]
    assert "QL301" in typing.type("team-4.yaml", "CPU: 100m", "CPU: 400m")
    assert overlays == []
    assert "QL301" not in [*typing.type("team-3/web.yaml", "", ""), *typing.type("team-4.yaml", "", "")]


def test_of_a_label_only_what_has_it_is_looked_at_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kustomized(tmp_path)
    (tmp_path / "team-4" / "namespace.yaml").write_text("apiVersion: v1\nkind: Namespace\nmetadata: {name: team-4}\n")
    (tmp_path / "team-4" / "kustomization.yaml").write_text("resources: [web.yaml, namespace.yaml]\n")
    monkeypatch.chdir(tmp_path)
    built = counted(monkeypatch, Builder, "build")
    typing = Typing()
    del built[:]
    typing.type("team-4/namespace.yaml", "name: team-4", "name: team-4, labels: {typed: here}")
    typing.type("team-3/kustomization.yaml", "resources:", "commonLabels: {typed: here}\nresources:")
    assert built == ["team-4", "team-3"]


def test_bounds_of_pods_are_gathered_once_for_all_limit_ranges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain(tmp_path)
    for number in range(TEAMS):
        text = LIMITS.format(team=f"team-{number}")
        (tmp_path / f"team-{number}" / "limits.yaml").write_text(text)
    monkeypatch.chdir(tmp_path)
    typing = Typing()
    gathered = counted(monkeypatch, limit_ranges, "_bounds_in")
    typing.type("team-3/limits.yaml", "200m", "300m")
    assert len(gathered) == 1
    assert "QL604" in typing.type("team-3/limits.yaml", "200m", "2")
    assert len(gathered) == 2


LIMITS = """\
apiVersion: v1
kind: LimitRange
metadata: {{name: base, namespace: {team}}}
spec: {{limits: [{{type: Pod, max: {{cpu: "1"}}}}, {{type: Container, default: {{cpu: 200m}}}}]}}
"""
BROKEN = "\n- {typed\n"


@pytest.mark.parametrize(("old", "new"), [("kind:", BROKEN), ("name: web,", "name: wed,")])
def test_of_a_file_that_comes_or_goes_only_its_folder_is_looked_at_again(
    old: str, new: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain(tmp_path)
    monkeypatch.chdir(tmp_path)
    typing = Typing()
    folders: list[str] = []

    def counted_place(rendering: Rendering, *others: object) -> Rendering:
        folders.append(rendering.folder)
        return place_objects(rendering, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(view, "place_objects", counted_place)
    keyed = counted_roots(monkeypatch, conflicts, "objects_by_key")
    keyed += counted_roots(monkeypatch, entry_points, "_why_not")
    admitted: list[str] = []

    def counted_admission(demand: Demand, by: Plugins) -> Admitted:
        admitted.append(demand.owner.namespace if demand.owner is not None else "")
        return admit_demand(demand, by)

    monkeypatch.setattr(sums, "admit_demand", counted_admission)
    for text in (new, old, new):
        typing.type("team-3/web.yaml", old, text)
    assert set(folders) == {"team-3"}
    assert set(keyed) == {"team-3"}
    assert set(filter(None, admitted)) <= {"team-3"}


def counted_roots(monkeypatch: pytest.MonkeyPatch, of: object, name: str) -> list[str]:
    """The folders of the roots that a function is called with from here on, its last argument."""
    folders: list[str] = []
    whole: Callable[..., object] = getattr(of, name)

    def counting(*arguments: object) -> object:
        root = arguments[-1]
        assert isinstance(root, Root)
        folders.append(root.folder)
        return whole(*arguments)

    monkeypatch.setattr(of, name, counting)
    return folders


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


def test_only_what_is_said_anew_is_worded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain(tmp_path)
    monkeypatch.chdir(tmp_path)
    typing = Typing()
    for number in range(4):
        typing.type(f"team-{number}/web.yaml", "100m", "300m")
    worded: list[str] = []
    whole = finding_of

    def counting(statement: Statement, *others: object) -> Finding:
        worded.append(statement.hits[0][1].values.get("namespace", ""))
        return whole(statement, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(findings, "finding_of", counting)
    rules = typing.type("team-2/web.yaml", "100m", "400m")
    assert rules.count("QL301") == 4
    assert set(worded) == {"team-2"}


def test_tables_are_made_when_somebody_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain(tmp_path)
    monkeypatch.chdir(tmp_path)
    asked: list[int] = []
    whole = quota_tables

    def counting(
        environments: tuple[Facts, ...], locate: Callable[[Iterable[Place]], Mapping[Place, Span]]
    ) -> tuple[QuotaTable, ...]:
        asked.append(len(environments))
        return whole(environments, locate)

    monkeypatch.setattr(looking, "quota_tables", counting)
    typing = Typing()
    typing.type("team-3/web.yaml", "100m", "300m")
    assert asked == []
    look = typing.workspace.look({os.path.realpath("team-3/web.yaml")})
    assert len(look.tables) == len(look.tables) == TEAMS
    assert asked == [1]
