"""Files, packs and examples of policies of the user's own: which count, and what is wrong with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from git_repositories import Repository, deployment, difference, quota
from policy_runs import PEAK, policy, reported, written

from quotalint import cel
from quotalint.cli import run

pytest.importorskip("cel_expr_python", reason="the extra `policies` is not installed")


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("entry.peak <= entry.hrad", "column 20 of the expression: undeclared reference to 'entry.hrad'; did you mean"),
        ("entry.peak <= 'a'", "column 12 of the expression: found no matching overload for '_<=_'"),
        ("entry.peak", "column 1 of the expression: it comes to a kubernetes.quantity, not to true or false"),
        ("entry.peak <", "column 13 of the expression: Syntax error"),
    ],
)
def test_an_error_of_type_points_into_the_policy(folder: Path, capsys: Any, expression: str, message: str) -> None:
    (folder / "rules").mkdir()
    (folder / "rules/a.yaml").write_text(f'# mine\nid: QLC1\nmessage: m\nexpression: "{expression}"\n')
    written(folder, "rules/", a=quota("pods: 1"))
    assert run(["check"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("quotalint: rules/a.yaml:4:14: QLC1: ")
    assert message.partition("'_<=_'")[0] in err or message in err


def test_an_error_in_a_block_says_the_line(folder: Path, capsys: Any) -> None:
    (folder / ".quotalint.yaml").write_text(
        "policies:\n  - id: QLC1\n    message: m\n    expression: |\n      true &&\n        nosuch\n"
    )
    assert run(["check"]) == 2
    assert ".quotalint.yaml:5:7: QLC1: line 2, column 3 of the expression: undeclared" in capsys.readouterr().err


def test_without_the_engine_the_run_ends(folder: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cel, "MODULE", "no_such_module_at_all")
    written(folder, PEAK, a=quota("pods: 1"))
    assert run(["check"]) == 2
    assert "pip install 'quotalint[policies]'" in capsys.readouterr().err


def test_what_is_wrong_with_files(folder: Path, capsys: Any) -> None:
    (folder / "rules").mkdir()
    first, second = "id: QLC1\nmesage: m\nexpression: 'true'\n", "id: QL301\nmessage: '{x}'\nexpression: a\n"
    (folder / "rules/a.yaml").write_text(f"{first}---\n{second}")
    written(folder, "rules/", "nowhere.yaml", "../outside.yaml", policy("true"), policy("false"))
    assert run(["check"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "quotalint: .quotalint.yaml: `policies[1]` nowhere.yaml: there is no such file",
        "quotalint: .quotalint.yaml: `policies[2]` ../outside.yaml: it leads out of the repository",
        "quotalint: .quotalint.yaml: policy QLC1 is in .quotalint.yaml already",
        "quotalint: rules/a.yaml:1: policy QLC1 lacks `message`",
        "quotalint: rules/a.yaml:2: `mesage` is not a known key; did you mean `message`?",
        'quotalint: rules/a.yaml:5: `id` must be an id that begins with QLC, such as QLC101, not "QL301"',
        "quotalint: rules/a.yaml:6: `message` names {x}; a policy for the cluster has {environment}",
    ]


def test_packs_are_extended(folder: Path, capsys: Any) -> None:
    (folder / "base").mkdir()
    (folder / "base/pack.yaml").write_text(json.dumps({"policies": ["peak.yaml"]}))
    (folder / "base/peak.yaml").write_text(json.dumps(PEAK))
    written(folder, policy("has(quota.pods)"), a=quota("requests.cpu: 4"), b=deployment(4))
    configuration = json.loads((folder / ".quotalint.yaml").read_text())
    (folder / ".quotalint.yaml").write_text(json.dumps({**configuration, "extends": "base/pack.yaml"}))
    assert sorted(message for _, _, message in reported(capsys)) == ["broken", "requests.cpu 4"]


def test_a_pack_of_an_installed_package(folder: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    package = folder.parent / "site" / "acme_pack"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise SystemExit('never run')\n")
    (package / "peak.yaml").write_text(json.dumps(PEAK))
    monkeypatch.syspath_prepend(str(package.parent))
    written(folder, "package:acme_pack/peak.yaml", a=quota("requests.cpu: 4"), b=deployment(4))
    assert [message for _, _, message in reported(capsys)] == ["requests.cpu 4"]


def test_of_a_change_the_policies_of_the_base_count(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    strict, lax = (
        {"policies": [{**PEAK, "expression": name}]} for name in ("entry.peak <= entry.hard * 0.8", "entry.peak >= 0")
    )
    before = {".quotalint.yaml": json.dumps(strict), "a.yaml": quota("requests.cpu: 5"), "b.yaml": deployment(4)}
    repository = Repository(tmp_path / "repo", before)
    repository.git("checkout", "-q", "-b", "change")
    repository.commit({".quotalint.yaml": json.dumps(lax), "b.yaml": deployment(5)})
    monkeypatch.chdir(repository.folder)
    status, report = difference(capsys, "main")
    assert (status, {finding["rule"] for finding in report["findings"]["new"]} - {"QL305"}) == (1, {"QL008", "QLC101"})
    status, report = difference(capsys, "main", "--trust-head-config")
    assert [finding["rule"] for finding in report["findings"]["new"] if finding["rule"] == "QLC101"] == []


def test_of_a_change_the_rule_files_of_the_base_count(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = json.dumps({"policies": ["rules/"]})
    before = {".quotalint.yaml": named, "rules/a.yaml": json.dumps(PEAK), "a.yaml": quota("requests.cpu: 5")}
    repository = Repository(tmp_path / "repo", {**before, "b.yaml": deployment(4)})
    repository.git("checkout", "-q", "-b", "change")
    lax = {**PEAK, "expression": "entry.peak >= 0"}
    repository.commit({"rules/a.yaml": json.dumps(lax), "b.yaml": deployment(5)})
    monkeypatch.chdir(repository.folder)
    status, report = difference(capsys, "main")
    assert (status, {finding["rule"] for finding in report["findings"]["new"]} - {"QL305"}) == (1, {"QL008", "QLC101"})


def test_rules_are_listed_where_the_configuration_is_broken(folder: Path, capsys: Any) -> None:
    (folder / ".quotalint.yaml").write_text("nonsense: 1\n")
    assert run(["rules"]) == 0
    out, err = capsys.readouterr()
    assert ("QL301" in out, "`nonsense` is not a known key" in err) == (True, True)
    assert run(["rules", "--test"]) == 2


def test_policies_are_listed_and_explained(folder: Path, capsys: Any) -> None:
    written(folder, PEAK)
    assert run(["rules", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)[-1]["id"] == "QLC101"
    assert run(["explain", "qlc101"]) == 0
    assert capsys.readouterr().out.startswith("QLC101 policy (error)\n")
    assert run(["explain", "QLC999"]) == 2


def test_an_example_that_does_not_hold_fails(folder: Path, capsys: Any) -> None:
    example = {"title": "four of four", "files": {"a.yaml": quota("requests.cpu: 4"), "b.yaml": deployment(4)}}
    written(folder, {**PEAK, "bad": [example], "good": [{**example, "title": "the same"}]})
    assert run(["rules", "--test"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        ".quotalint.yaml: QLC101: the same: reported a.yaml:6:6",
        "1 policy, 2 examples, 1 failed",
    ]


def test_a_fleet_is_judged_by_the_policies_of_its_first_repository(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = {".quotalint.yaml": json.dumps({"policies": [PEAK]}), "a.yaml": quota("requests.cpu: 4")}
    Repository(tmp_path / "platform", rules)
    Repository(tmp_path / "shop", {"b.yaml": deployment(4)})
    (tmp_path / "fleet.yaml").write_text("repositories: [platform, shop]\n")
    monkeypatch.chdir(tmp_path)
    assert run(["fleet", "fleet.yaml", "--format", "json"]) == 1
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert [finding["message"] for finding in findings if finding["rule"] == "QLC101"] == ["requests.cpu 4"]
    monkeypatch.setattr(cel, "MODULE", "no_such_module_at_all")
    assert run(["fleet", "fleet.yaml"]) == 2
    assert "pip install 'quotalint[policies]'" in capsys.readouterr().err
