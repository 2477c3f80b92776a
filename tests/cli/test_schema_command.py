"""`schema` prints what editors and scripts go by."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from quotalint.cli import run
from quotalint.cli.editing import SCHEMAS
from quotalint.runtime.data import rules_folder, schemas_folder


def printed(capsys: pytest.CaptureFixture[str], *name: str) -> Any:
    assert run(["schema", *name]) == 0
    return json.loads(capsys.readouterr().out)


def test_every_schema_that_is_shipped_has_a_name() -> None:
    assert {path.name.removesuffix(".schema.json") for path in Path(schemas_folder()).glob("*.schema.json")} == set(
        SCHEMAS
    )


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_is_a_schema(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    document = printed(capsys, name)
    jsonschema.validators.validator_for(document).check_schema(document)


def test_without_a_name_it_is_that_of_the_configuration(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys) == printed(capsys, "config")
    assert "environments" in printed(capsys)["properties"]


def test_a_report_satisfies_the_schema_that_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    quota = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: base, namespace: a}\nspec: {hard: {pod: 1}}\n"
    (tmp_path / "quota.yaml").write_text(quota)
    monkeypatch.chdir(tmp_path)
    assert run(["--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    validator = jsonschema.validators.validator_for(printed(capsys, "report"))(printed(capsys, "report"))
    assert ([*validator.iter_errors(report)], [*validator.iter_errors({})] != []) == ([], True)


def test_a_rule_satisfies_the_one_of_rules(capsys: pytest.CaptureFixture[str]) -> None:
    rule = yaml.safe_load(next(Path(rules_folder()).glob("QL301*")).read_text())
    document = printed(capsys, "rule")
    assert [*jsonschema.validators.validator_for(document)(document).iter_errors(rule)] == []


def test_another_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["schema", "quota"]) == 2
    assert "resource-quota" in capsys.readouterr().err
