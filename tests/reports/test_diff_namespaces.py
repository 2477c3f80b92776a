"""What a change brings about in several namespaces, or of several workloads, is told once, with all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from git_repositories import Repository
from test_alike import QUOTA, UNNUMBERED, quotas_of_their_own, unlimited

from quotalint.cli import run

Told = Callable[..., str]


@pytest.fixture
def tell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> Told:
    """What is said of a change of the base that all overlays share."""

    def told(files: Mapping[str, str], web: str, *options: str) -> str:
        repository = Repository(tmp_path / "repository", dict(files))
        monkeypatch.chdir(repository.folder)
        repository.write({"base/web.yaml": web})
        run(["diff", "HEAD", *options])
        return str(capsys.readouterr().out)

    return told


def with_numbers() -> dict[str, str]:
    text = UNNUMBERED.replace("name: a}", "name: a, resources: {requests: {cpu: 1}}}")
    return {**quotas_of_their_own("{}-quota"), "base/web.yaml": text}


def test_the_first_line_names_the_other_namespace(tell: Told) -> None:
    first = tell(with_numbers(), UNNUMBERED).split("\n\n")[0]
    where = "shop-dev in environment dev and shop-prod in environment prod"
    assert " ".join(first.split()) == f"No pod of web will start in {where}: requests.cpu not stated."


def test_the_first_line_names_the_namespace_that_another_environment_has(tell: Told) -> None:
    files = {**with_numbers(), **quotas_of_their_own("quota"), "base/web.yaml": with_numbers()["base/web.yaml"]}
    first = tell(files, UNNUMBERED).splitlines()[0]
    assert first == "No pod of web will start in shop-dev and shop-prod: requests.cpu not stated."


def test_a_comment_tells_it_once(tell: Told) -> None:
    text = tell(with_numbers(), UNNUMBERED, "--format", "markdown")
    above = text.partition("<details>")[0]
    assert above.count("are refused") == 1
    assert "also for namespace shop-prod, by quota prod-quota" in above


def test_bounds_of_a_limit_range_that_one_container_breaks_are_told_once(tell: Told) -> None:
    files = {name: text for name, text in with_numbers().items() if not name.endswith("quota.yaml")}
    for stage in ("dev", "prod"):
        limits = "{limits: [{type: Container, min: {cpu: 1, memory: 1Gi}}]}"
        files[f"overlays/{stage}/quota.yaml"] = (
            f"{{apiVersion: v1, kind: LimitRange, metadata: {{name: {stage}-limits}}, spec: {limits}}}\n"
        )
    small = UNNUMBERED.replace("name: a}", "name: a, resources: {requests: {cpu: 10m, memory: 1Mi}}}")
    above = tell(files, small, "--format", "markdown").partition("<details>")[0]
    assert above.count("minimum cpu usage per Container") == 1
    assert above.count("minimum memory usage per Container") == 1
    assert above.count("To repair") == 1


def test_new_workloads_that_are_refused_for_one_reason_are_listed_with_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    repository = Repository(tmp_path / "repository", {"q.yaml": QUOTA.format(name="base", hard="requests.cpu: 8")})
    monkeypatch.chdir(repository.folder)
    repository.write({f"{name}.yaml": unlimited(name) for name in "abc"})
    run(["diff", "HEAD"])
    text = str(capsys.readouterr().out)
    assert text.count("must specify") == 1
    assert "also        Pod b: app" in text and "Pod c: app" in text
