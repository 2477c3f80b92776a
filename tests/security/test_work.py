"""What a page of YAML asks for is bounded in work, not in time, and what is given up is said with the file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from deployer_objects import flux_kustomization
from manifests import quota

from quotalint.checks import quota_repairs
from quotalint.cli import run
from quotalint.gitops import deployment_graph
from quotalint.gitops.deployer_memory import DeployerMemory
from quotalint.gitops.kustomize.kustomize_yaml import _folds_indented, find_misread_key
from quotalint.kube.discovery import Discovery
from quotalint.kube.spelling import certain_name
from quotalint.results import selection
from quotalint.runtime import budget
from quotalint.text import guards
from quotalint.text.aliases import aliased_share, expanded_size
from quotalint.text.documents import read

MOST = budget.START + 10_000
"""Units: what small repositories may spend, with what their files add and one step beyond the end."""
VICTIM = quota("victim", "victim", "pod: '1'")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUOTALINT_DEBUG", "1")
    write(tmp_path, "victim/q.yaml", VICTIM)
    return tmp_path


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)


def reported(capsys: Any) -> dict[str, list[str]]:
    """The files that each rule speaks of."""
    run(["-f", "json", "."])
    reported: dict[str, list[str]] = {}
    for finding in json.loads(capsys.readouterr().out)["findings"]:
        reported.setdefault(finding["rule"], []).append(finding["file"])
    return reported


def config_map(data: str, name: str = "c") -> str:
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, namespace: a}}\ndata: {data}\n"


def test_bases_that_build_twice_on_bases(folder: Path, capsys: Any) -> None:
    write(folder, "b0/kustomization.yaml", "resources: [c.yaml]\n")
    write(folder, "b0/c.yaml", config_map("{k: v}"))
    for number in range(1, 30):
        for side in "lr":
            write(
                folder, f"b{number}{side}/kustomization.yaml", f"resources: [../b{number - 1}]\nnamePrefix: {side}-\n"
            )
        write(folder, f"b{number}/kustomization.yaml", f"resources: [../b{number}l, ../b{number}r]\n")
    for number in range(10):
        write(folder, f"o{number}/kustomization.yaml", f"resources: [../b29]\nnameSuffix: -{number}\n")
    report = reported(capsys)
    assert budget.spent() < 2 * MOST
    assert report["QL102"] == ["victim/q.yaml"]
    assert {f"o{number}/kustomization.yaml" for number in range(10)} & set(report["QL009"])


@pytest.mark.parametrize(
    "change",
    [
        "replacements:\n- &r\n  source: {kind: ConfigMap, name: c, fieldPath: data.k}\n"
        "  targets: [{select: {kind: ConfigMap}, fieldPaths: [data.k], options: {delimiter: x, index: 0}}]\n"
        + "- *r\n"
        * 60,
        "replacements:\n- &r\n  source: {kind: ConfigMap, name: c, fieldPath: data}\n"
        "  targets: [{select: {kind: ConfigMap}, fieldPaths: [data.m], options: {create: true}}]\n" + "- *r\n" * 2000,
        "patches:\n- target: {kind: ConfigMap}\n  patch: |\n"
        + "".join(f"    - {{op: copy, from: /data, path: /data/x{number}}}\n" for number in range(60)),
    ],
)
def test_what_doubles_with_each_step(change: str, folder: Path, capsys: Any) -> None:
    write(folder, "app/kustomization.yaml", f"resources: [c.yaml]\n{change}")
    write(folder, "app/c.yaml", config_map("{k: axaxaxax}"))
    report = reported(capsys)
    assert (budget.spent() < 3 * MOST, report["QL102"]) == (True, ["victim/q.yaml"])
    if "copy" in change or "delimiter" in change:
        assert report["QL009"] == ["app/kustomization.yaml"]


def test_aliases_in_a_base_of_many_overlays(folder: Path, capsys: Any) -> None:
    body = "{a: &a [" + "x," * 2000 + "], b: [" + ",".join(["*a"] * 90) + "]}"
    write(folder, "base/kustomization.yaml", "resources: [a.yaml]\nnamePrefix: p-\n")
    write(folder, "base/a.yaml", "---\n".join(config_map(body, f"x{number}") for number in range(12)))
    for number in range(12):
        write(folder, f"o{number}/kustomization.yaml", "resources: [../base]\nimages: [{name: x, newTag: y}]\n")
    report = reported(capsys)
    assert (budget.spent() < 2 * MOST, report["QL102"]) == (True, ["victim/q.yaml"])
    assert set(report["QL009"]) == {f"o{number}/kustomization.yaml" for number in range(12)}


def test_the_order_of_what_is_given_up_does_not_change(folder: Path, capsys: Any) -> None:
    test_aliases_in_a_base_of_many_overlays(folder, capsys)
    assert reported(capsys) == reported(capsys)


def test_documents_without_end(folder: Path, capsys: Any) -> None:
    write(folder, "a.yaml", "---\napiVersion: v1\nkind: [\n" * 5000)
    assert len(reported(capsys)["QL001"]) == guards.MAX_FAILURES + 1
    many = read(b"a: 1\n---\n" * (guards.MAX_DOCUMENTS + 5000))
    assert (len(many.documents), len(many.failures)) == (guards.MAX_DOCUMENTS, 1)
    assert guards.TOO_EXPENSIVE in many.failures[0].message
    lines = many.failures[0].line
    assert lines == 2 * guards.MAX_DOCUMENTS + 1
    stream = read(b'{"a":1}' * (guards.MAX_DOCUMENTS + 5000))
    assert (len(stream.documents), len(stream.failures)) == (guards.MAX_DOCUMENTS, 1)


def test_one_key_given_again_without_end() -> None:
    document = read(b"a:\n" + b"  k: v\n" * 5000).documents[0]
    assert len(document.duplicates) == guards.MAX_REPEATS


def test_findings_without_end(folder: Path, capsys: Any) -> None:
    entries = "".join(f"    x{number}: 1\n" for number in range(selection.MAX_FINDINGS + 50))
    manifest = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: NAME, namespace: a}\nspec:\n  hard:\n" + entries
    write(folder, "a.yaml", manifest.replace("NAME", "q1") + "---\n" + manifest.replace("NAME", "q2"))
    report = reported(capsys)
    assert report["QL102"].count("a.yaml") < 2 * (selection.MAX_FINDINGS + 50)
    assert ("victim/q.yaml" in report["QL102"], "a.yaml" in report["QL009"]) == (True, True)


def test_findings_of_one_object_without_end(folder: Path, capsys: Any) -> None:
    """What a rule says of one quota fills a report as well."""
    entries = "".join(f"    x{number}: 1\n" for number in range(2 * selection.MAX_FINDINGS))
    write(folder, "a.yaml", quota("a", "q").replace(' {hard: {pods: "8"}}', "\n  hard:\n" + entries.rstrip()))
    report = reported(capsys)
    assert (report["QL102"].count("a.yaml"), report["QL009"]) == (selection.MAX_FINDINGS, ["a.yaml"])
    assert "victim/q.yaml" in report["QL102"]


def test_entries_are_compared_with_two_hundred_others(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """Whether another entry of the quota means the same is asked of each that has to be renamed: a square."""
    asked: list[str] = []

    def counted(name: str, discovery: Discovery) -> str | None:
        asked.append(name)
        return certain_name(name, discovery)

    monkeypatch.setattr(quota_repairs, "certain_name", counted)
    number = 2 * quota_repairs.MOST_COMPARED
    write(folder, "a.yaml", quota("a", "q", ", ".join(f"x{entry}.example.com/a: 1" for entry in range(number))))
    report = reported(capsys)
    assert len(asked) < 10 * number
    assert report["QL201"].count("a.yaml") == number


def test_a_chain_of_deployers_is_followed_from_each_of_them(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """Each of a chain lies in a folder of its own, from which the rest of the chain is followed: a square."""
    followed: list[object] = []
    follow = DeployerMemory.deployed_renderings

    def counted(memory: DeployerMemory, *asked: Any) -> object:
        followed.append(asked)
        return follow(memory, *asked)

    monkeypatch.setattr(DeployerMemory, "deployed_renderings", counted)
    monkeypatch.setattr(deployment_graph, "_MAX_LOOKS", 20_000)
    for number in range(120):
        write(folder, f"f/{number}/k.yaml", flux_kustomization(f"./f/{number + 1}", name=f"k{number}"))
    write(folder, "f/120/q.yaml", quota("a", "q"))
    run(["usage", "-f", "json", "."])
    assert [row["file"] for row in json.loads(capsys.readouterr().out)["quotas"]].count("f/120/q.yaml") == 1
    assert len(followed) < 20_000 / deployment_graph._LOOKS_OF_A_DEPLOYER + 4 * 120


def test_render_of_aliases(folder: Path, capsys: Any) -> None:
    body = "{a: &a [" + "x," * 4000 + "], b: [" + ",".join(["*a"] * 95) + "]}"
    write(folder, "a.yaml", "---\n".join(config_map(body, f"x{number}") for number in range(20)))
    assert run(["render", "."]) == 0
    printed = capsys.readouterr()
    assert (len(printed.out) < 4_000_000, "a.yaml: not printed: too expensive" in printed.err) == (True, True)
    assert "name: victim" in printed.out


def test_long_numbers_and_blank_lines_are_read_once() -> None:
    """Each took more than a minute."""
    assert find_misread_key(b"# - " + b"1" * 2_000_000) == ""
    assert find_misread_key(b"- " + b"1_" * 500_000 + b"x") == ""
    assert find_misread_key(b"a: {1: x}\n") == "1"
    assert find_misread_key(b"1.5e3 : x\n") == "1.5e3"
    assert _folds_indented(b"x: >\n\nb: c\n" + b"\n" * 200_000) is False
    assert _folds_indented(b"a: >\n" * 200_000) is False
    assert _folds_indented(b"a: >\n  b\n   c\n") is True
    assert _folds_indented(b"a: >-\n\n  b\n\n  c\nd: e\n   f\n") is False


def test_how_much_aliases_stand_for() -> None:
    value: Any = ["x"] * 9
    for _ in range(50):
        value = [value, value]
    assert expanded_size(value) > 2**50
    assert aliased_share([value]) > 2**50
    assert aliased_share([{"a": [1, 2], "b": [1, 2]}]) == 0


def test_each_run_begins_anew(folder: Path, capsys: Any) -> None:
    budget.renew()
    with pytest.raises(budget.OverBudgetError, match="too expensive: x"):
        budget.spend(budget.START + 1, "x")
    assert "QL009" not in reported(capsys)
