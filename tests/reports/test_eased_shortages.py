"""What a change does to a shortage that it leaves: how it is told where it eases it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from git_repositories import Repository, deployment, quota

from quotalint.cli import run

OVER = {"q.yaml": quota("pods: 2"), "web.yaml": deployment(9), "api.yaml": deployment(3).replace("web", "api")}


@pytest.mark.parametrize(
    ("change", "verdict", "row"),
    [
        (
            {"api.yaml": None},
            "team-a is still 7 short of pods.\n  pods 12 → 9 of 2, though Deployment api is gone (api.yaml).",
            "though      Deployment api: is gone",
        ),
        (
            {"q.yaml": quota("pods: 4")},
            "team-a is still 8 short of pods.\n"
            "  pods 12 of 2 → 4, though quota base allows pods 4 instead of 2 (q.yaml:6).",
            "though      ResourceQuota base: pods 2 → 4",
        ),
        (
            {"api.yaml": None, "web.yaml": deployment(12)},
            "team-a is still 10 short of pods.\n  pods 12 of 2, because web goes from 9 to 12 replicas (web.yaml:5).",
            "because     Deployment web: replicas 9 → 12",
        ),
    ],
    ids=["less is asked for", "more is allowed", "one asks for less, and one for more"],
)
def test_what_eases_a_shortage_is_no_reason_for_it(
    change: Mapping[str, str | None],
    verdict: str,
    row: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Any,
) -> None:
    repository = Repository(tmp_path / "told", OVER)
    monkeypatch.chdir(repository.folder)
    repository.write(change)
    run(["diff", "HEAD"])
    text = capsys.readouterr().out
    assert text.startswith(verdict)
    assert row in text


def test_what_is_nearly_full_is_so_because_of_what_went(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """It was exceeded before, and nothing is short any more that the change could be said to ease."""
    repository = Repository(tmp_path / "told", {**OVER, "q.yaml": quota("pods: 9")})
    monkeypatch.chdir(repository.folder)
    repository.write({"api.yaml": None})
    run(["diff", "HEAD", "--format", "markdown"])
    text = capsys.readouterr().out
    assert "QL305" in text
    assert "  - because: Deployment api: is gone" in text
    assert "though" not in text


def test_a_resource_has_no_capital(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    small = quota("requests.cpu: 4").replace("name: base", "name: small")
    repository = Repository(tmp_path / "told", {"q.yaml": quota("requests.cpu: 8")})
    monkeypatch.chdir(repository.folder)
    repository.write({"small.yaml": small})
    run(["diff", "HEAD"])
    assert capsys.readouterr().out.startswith("requests.cpu 8 of quota base in team-a is never reached.")


def test_what_takes_as_much_as_before_is_no_reason_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    # `web` runs half as many pods of twice the size.
    files = {"q.yaml": quota("requests.cpu: 4"), "web.yaml": deployment(2), "api.yaml": deployment(2, "api")}
    repository = Repository(tmp_path / "told", files)
    monkeypatch.chdir(repository.folder)
    repository.write({"web.yaml": deployment(1, cpu="2"), "api.yaml": deployment(3, "api")})
    run(["diff", "HEAD"])
    told = capsys.readouterr().out.partition("\n\n")[0]
    assert "because api goes from 2 to 3 replicas (api.yaml:5)." in told.replace("\n  ", " ")
    assert "web goes" not in told


def test_one_number_says_that_several_autoscalers_find_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    scaled = "".join(
        "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\n"
        f"metadata: {{name: {name}, namespace: team-a}}\n"
        f"spec: {{scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: {name}}}, maxReplicas: {most}}}\n"
        for name, most in (("web", 7), ("api", 6))
    )
    files = {"q.yaml": quota("pods: 10"), "web.yaml": deployment(2), "api.yaml": deployment(2, "api") + scaled}
    repository = Repository(tmp_path / "told", {**files, "job.yaml": deployment(1, "job")})
    monkeypatch.chdir(repository.folder)
    repository.write({"job.yaml": deployment(5, "job")})
    run(["diff", "HEAD"])
    told = capsys.readouterr().out.partition("\n\n")[0].replace("\n  ", " ")
    assert " pods 10 → 14 of 10 under load, because job goes from 1 to 5 replicas (job.yaml:5)." in told
    assert told.count("of 10") == 2  # also in the headline


def test_a_file_that_no_longer_overrides_another_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    files = {"a.yaml": quota("pods: 2"), "web.yaml": deployment(3), "z.yaml": quota("pods: 9")}
    repository = Repository(tmp_path / "told", files)
    monkeypatch.chdir(repository.folder)
    repository.write({"z.yaml": None})
    run(["diff", "HEAD"])
    told = capsys.readouterr().out.partition("\n\n")[0].replace("\n  ", " ")
    assert "pods 3 of 9 → 2, because quota base allows pods 2 instead of 9 (before: z.yaml)." in told


def test_what_makes_it_fit_again_is_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """It fills the quota now, of which a finding of its own tells."""
    repository = Repository(tmp_path / "told", {"q.yaml": quota("pods: 2"), "web.yaml": deployment(3)})
    monkeypatch.chdir(repository.folder)
    repository.write({"web.yaml": deployment(2)})
    run(["diff", "HEAD", "--format", "markdown"])
    assert "**pods 3 → 2 of 2**, because `web` goes from 3 to 2 replicas (`web.yaml:5`)." in capsys.readouterr().out
