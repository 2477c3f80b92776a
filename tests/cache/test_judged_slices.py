"""What a change of amounts does to namespaces is what judging everything anew says of it, whatever these amounts are,
though hardly any of these changes takes a look at everything."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pytest
from git_repositories import Repository, deployment, quota
from kept_answers import anew, asked
from test_compared_slices import UNENFORCED, work_done
from test_slices import SCALER

from quotalint.cli import comparing
from quotalint.slices import joined

LIMITS = """apiVersion: v1
kind: LimitRange
metadata: {name: limits, namespace: %s}
spec:
  limits:
  - {type: Container, max: {cpu: 4}, min: {cpu: 100m}, default: {cpu: 2}, defaultRequest: {cpu: 500m}}
"""
ROLLING = deployment(3).replace(
    "type: Recreate", "type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}"
)
FILES: Mapping[str, str | None] = {
    **UNENFORCED,
    "a/limits.yaml": LIMITS % "team-a",
    "a/rolling.yaml": ROLLING.replace("name: web", "name: rolling"),
    "b/scaler.yaml": SCALER % "team-b",
    "c/two/quota.yaml": quota("pods: 3, requests.cpu: 4", namespace="two"),
    "c/two/kustomization.yaml": "namespace: two\nresources: [../base, quota.yaml]\n",
    "apps/prod/kustomization.yaml": "namespace: shop\nresources: [../shop, quota.yaml]\n",
    "apps/prod/quota.yaml": quota("pods: 9, requests.cpu: 3", namespace="shop"),
    "apps/dev/kustomization.yaml": "namespace: shop\nresources: [../shop, quota.yaml]\n",
    "apps/dev/quota.yaml": quota("pods: 3, requests.cpu: 3", namespace="shop"),
    "apps/shop/kustomization.yaml": "resources: [web.yaml]\n",
    "apps/shop/web.yaml": deployment(2, namespace=""),
}
"""What fits and what does not, in namespaces that are alone and in two environments of one."""
_AMOUNT = re.compile(r"(?<=: )\d+(?=m?\b)")
OPTIONS = (
    *(("--format", form) for form in ("json", "sarif", "markdown", "github", "gitlab", "rdjson")),
    *(("--verbose",), ("--quiet",), ("--fail-on", "warning"), ("--scenario", "peak")),
)


def edits_of_amounts(generator: random.Random) -> Iterator[Mapping[str, str | None]]:
    """Some files in which amounts are others, and lines may have moved."""
    while True:
        files: dict[str, str | None] = {}
        for name in generator.sample(
            sorted(name for name in FILES if name.endswith(".yaml")), generator.choice((1, 1, 2))
        ):
            text = str(FILES[name])
            at = generator.choice([match.span() for match in _AMOUNT.finditer(text)] or [(0, 0)])
            text = f"{text[: at[0]]}{generator.choice((0, 1, 2, 3, 4, 5, 6, 8, 20))}{text[at[1] :]}" if at[1] else text
            files[name] = f"# moved\n{text}" if generator.random() < 0.2 else text
        yield files


@pytest.mark.parametrize("seed", range(4))
def test_changes_of_amounts(remembered_repository: Repository, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    monkeypatch.setattr(comparing, "NOTED_FROM", 0)
    repository, generator = remembered_repository, random.Random(seed)
    repository.commit(FILES)
    repository.write({"more.yaml": deployment(1, "more", "team-e")})
    asked("diff", "HEAD")
    repository.write({"more.yaml": None})
    judged_as_a_whole = 0
    edits = edits_of_amounts(generator)
    for _ in range(12):
        repository.write(next(edits))
        for options in ((), generator.choice(OPTIONS)):
            expected = anew("diff", "HEAD", *options)
            with monkeypatch.context() as inner:
                work = work_done(inner)
                assert asked("diff", "HEAD", *options) == expected
        judged_as_a_whole += "everything" in work
        repository.write(FILES)
    assert judged_as_a_whole <= 4


def test_no_more_is_built_than_what_is_told_takes(
    remembered_repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparing, "NOTED_FROM", 0)
    repository = remembered_repository
    more = deployment(2, "more", "")
    repository.commit(
        {
            **FILES,
            "apps/prod/kustomization.yaml": "namespace: shop\nresources: [../shop, quota.yaml, more.yaml]\n",
            "apps/prod/quota.yaml": quota("pods: 3", namespace="shop"),
            "apps/prod/more.yaml": more,
            "apps/dev/quota.yaml": quota("pods: 1", namespace="shop"),
        }
    )
    repository.write({"more.yaml": deployment(1, "more", "team-e")})
    asked("diff", "HEAD")
    repository.write({"more.yaml": None})
    built: list[int] = []

    def building(of: joined.JoinedSlices, numbers: Iterable[int]) -> Any:
        built.append(len(list(numbers)))
        return build_units(of, numbers)

    build_units = joined._built_units
    monkeypatch.setattr(joined, "_built_units", building)
    edits: tuple[tuple[str, list[int]], ...] = (
        ("# moved\n" + more.replace("image: web", "image: other"), []),
        (more.replace("replicas: 2", "replicas: 1"), [1, 2]),
    )
    for edit, expected in edits:
        repository.write({"apps/prod/more.yaml": edit})
        for form in ("text", "json"):
            built.clear()
            with monkeypatch.context() as inner:
                work = work_done(inner)
                said_of_it = asked("diff", "HEAD", "--format", form)
            assert "everything" not in work
            assert built == (expected if form == "text" else [2])
            assert said_of_it == anew("diff", "HEAD", "--format", form)


@pytest.mark.parametrize(
    "edit",
    [
        {"d/web.yaml": deployment(6, "web", "team-d")},
        {"d/web.yaml": deployment(1, "web", "team-d")},
        {"d/quota.yaml": quota("pods: 3", namespace="team-d")},
        {"d/more.yaml": deployment(1, "more", "team-d")},
        {"a/web.yaml": deployment(3)},
    ],
    ids=["more", "nothing short any more", "a quota", "another workload", "what fits"],
)
def test_what_a_baseline_accepts_is_not_told(
    remembered_repository: Repository, monkeypatch: pytest.MonkeyPatch, edit: Mapping[str, str | None]
) -> None:
    monkeypatch.setattr(comparing, "NOTED_FROM", 0)
    repository = remembered_repository
    repository.write(FILES)
    assert asked("check", "--write-baseline").status == 0
    repository.commit({"README.md": "With a baseline.\n"})
    repository.write({"more.yaml": deployment(1, "more", "team-e")})
    asked("diff", "HEAD")
    repository.write({"more.yaml": None, **edit})
    for options in ((), *OPTIONS):
        expected = anew("diff", "HEAD", *options)
        with monkeypatch.context() as inner:
            work = work_done(inner)
            assert asked("diff", "HEAD", *options) == expected
            assert options or "a/web.yaml" not in edit or "everything" not in work
