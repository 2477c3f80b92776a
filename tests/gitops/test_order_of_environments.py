"""Neither the names of folders nor the order of documents decide which environments there are."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from gitops_outcome import Outcome, outcome
from manifests import quota, web
from staged_repositories import base, over
from written_files import Files


@pytest.mark.parametrize("names", list(permutations("abc")), ids="".join)
def test_the_names_of_folders_do_not_matter(
    names: tuple[str, str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    below, above, quotas = names
    files: Files = {
        **base(f"{below}/web"),
        **base(f"{below}/shop", "shop"),
        **over(f"{above}/dev/web", f"{below}/web", 1),
        **over(f"{above}/prod/web", f"{below}/web", 3),
        **over(f"{above}/prod/shop", f"{below}/shop", 2, "shop"),
        **over(f"{above}/staging/shop", f"{below}/shop", 1, "shop"),
        f"{quotas}/quota.yaml": quota("team-a"),
    }
    lines = [
        "dev: team-a/base pods 1/8 assumed",
        "prod: team-a/base pods 5/8 assumed",
        "staging: team-a/base pods 1/8 assumed",
    ]
    assert outcome(tmp_path, files, monkeypatch) == Outcome(lines, [])


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=lambda order: "".join(map(str, order)))
def test_the_order_of_documents_does_not_matter(
    order: tuple[int, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = (quota(), web(), web(1, name="shop"))
    files = {
        "base/kustomization.yaml": "namespace: team-a\nresources: [all.yaml]\n",
        "base/all.yaml": "---\n".join(documents[number] for number in order),
        **over("overlays/dev", "base", 1),
        **over("overlays/prod", "base", 3),
    }
    lines = ["dev: team-a/base pods 2/8 exact", "prod: team-a/base pods 4/8 exact"]
    assert outcome(tmp_path, files, monkeypatch) == Outcome(lines, [])
