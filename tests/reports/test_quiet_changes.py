"""What is said of a change that breaks nothing: that there is room only where that is known."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from git_repositories import Repository, autoscaler, deployment, quota

from quotalint.cli import run

SMALL, LARGE = quota("requests.storage: 80Gi", "small", "bay"), quota("requests.storage: 2Ti", "small", "bay")
OF_AN_OPERATOR = (
    "apiVersion: postgres-operator.crunchydata.com/v1beta1\nkind: PostgresCluster\n"
    "metadata: {name: db, namespace: team-a}\nspec: {}\n"
)
REMOTE = "https://github.com/example/base?ref=v1"
CLAIM = "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c, namespace: team-a}, spec: {}}\n"
SERVICE = "{apiVersion: v1, kind: Service, metadata: {name: web, namespace: team-a}, spec: {ports: [{port: 80}]}}\n"


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        pytest.param(
            {"q.yaml": SMALL},
            {"q.yaml": LARGE},
            "ℹ️ quotalint: quota `small` of `bay` allows requests.storage 2048Gi instead of 80Gi; how much of it is "
            "used is not known",
            id="a larger quota of a namespace without a workload in view",
        ),
        pytest.param(
            {"other.yaml": quota("pods: 9", "other", "far")},
            {"q.yaml": SMALL},
            "ℹ️ quotalint: quota `small` of `bay` is new; how much of it is used is not known",
            id="a new one",
        ),
        pytest.param(
            {"q.yaml": SMALL},
            {"q.yaml": quota("requests.storage: 2Ti", "large", "bay"), "other.yaml": quota("pods: 9", "other", "far")},
            "",
            id="renamed, and another one",
        ),
        pytest.param(
            {"q.yaml": quota("pods: 9"), "w.yaml": deployment(2)},
            {"w.yaml": deployment(3)},
            "✅ quotalint: the one quota that changes has room: `team-a` (of 1 checked)",
            id="a quota that is known to have room",
        ),
        pytest.param(
            {"q.yaml": quota("pods: 9"), "w.yaml": deployment(2), "cluster.yaml": OF_AN_OPERATOR},
            {"w.yaml": deployment(3)},
            "✅ quotalint: the one quota that changes has room for what is in view: `team-a` (of 1 checked)",
            id="a quota that is known to have room but for what an operator makes",
        ),
        pytest.param(
            {"q.yaml": quota("pods: 6, services: 9"), "w.yaml": deployment(2), "hpa.yaml": autoscaler(2, 9)},
            {"s.yaml": SERVICE},
            "ℹ️ quotalint: the one quota that changes has room at rest, not at the peak: `team-a` (of 1 checked)",
            id="a quota that has none for all that may grow, as before",
        ),
        pytest.param(
            {
                "q.yaml": quota("pods: 3, services: 9") + "---\n" + quota("pods: 9, services: 8", "loose"),
                "w.yaml": deployment(3).replace("Recreate", "RollingUpdate"),
            },
            {"s.yaml": SERVICE},
            "ℹ️ quotalint: both quotas that change have room at rest, 1 of them not during rollouts (of 2 checked)",
            id="one of two that has none for rollouts, as before",
        ),
        pytest.param(
            {
                **{f"{name}/kustomization.yaml": "resources: [../base]\n" for name in ("dev", "prod")},
                "base/kustomization.yaml": "resources: [q.yaml, w.yaml]\n",
                "base/q.yaml": quota("pods: 9"),
                "base/w.yaml": deployment(2),
            },
            {"base/q.yaml": quota("pods: 8")},
            "✅ quotalint: the one quota that changes has room: `team-a` in environments dev and prod (of 1 checked)",
            id="one that two environments get from one file",
        ),
        pytest.param(
            {
                "rest/kustomization.yaml": f"resources: ['{REMOTE}']\nnamespace: team-a\n",
                "q.yaml": quota("pods: 9, persistentvolumeclaims: 9"),
                "c.yaml": CLAIM,
                "w.yaml": deployment(2),
            },
            {"w.yaml": None},
            "ℹ️ quotalint: quota `base` of `team-a` changes; how much of pods is used is not known",
            id="a quota whose pods are all out of view now",
        ),
        pytest.param(
            {"q.yaml": quota("pods: 3"), "w.yaml": deployment(5), ".quotalint.yaml": "ignore: [QL301]\n"},
            {"w.yaml": deployment(9)},
            "ℹ️ quotalint: quota `base` of `team-a` is exceeded (pods 9 of 3); its finding is suppressed, "
            "switched off, or as it was",
            id="a quota that has none, of which nothing may be said",
        ),
        pytest.param(
            {"q.yaml": quota("pods: 3, services: 9"), "w.yaml": deployment(5)},
            {"s.yaml": SERVICE},
            "ℹ️ quotalint: quota `base` of `team-a` is exceeded as before (pods 5 of 3)",
            id="a quota that has none left of what the change does not touch",
        ),
        pytest.param(
            {
                "q.yaml": quota("pods: 3, services: 9") + "---\n" + quota("pods: 4, services: 8", "tight"),
                "w.yaml": deployment(5),
            },
            {"s.yaml": SERVICE},
            "ℹ️ quotalint: quota `base` of `team-a` (pods 5 of 3) and 1 more are exceeded as before",
            id="two of these",
        ),
        pytest.param(
            {"q.yaml": SMALL, "r.yaml": quota("pods: 9", "other", "far")},
            {"q.yaml": LARGE, "r.yaml": quota("pods: 19", "other", "far")},
            "ℹ️ quotalint: 2 quotas change (of 2 checked); how much of them is used is not known",
            id="two of which nothing is known",
        ),
        pytest.param(
            {"q.yaml": SMALL, "r.yaml": quota("pods: 9"), "w.yaml": deployment(2)},
            {"q.yaml": LARGE, "w.yaml": deployment(3)},
            "ℹ️ quotalint: 2 quotas change (of 2 checked); none is short, but how much of 1 is used is not known",
            id="one of two",
        ),
        pytest.param(
            {"q.yaml": SMALL},
            {"r.yaml": quota("pods: 9", "other", "far"), "s.yaml": quota("pods: 9", "third", "away")},
            "ℹ️ quotalint: 2 quotas are new (of 3 checked); how much of them is used is not known",
            id="two new ones",
        ),
    ],
)
def test_room_is_said_only_where_it_is_known(
    before: Mapping[str, str],
    after: Mapping[str, str | None],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Any,
) -> None:
    repository = Repository(tmp_path / "repository", dict(before))
    monkeypatch.chdir(repository.folder)
    repository.write(dict(after))
    run(["diff", "HEAD", "--format", "markdown"])
    first = capsys.readouterr().out.splitlines()[0].removeprefix("### ")
    if message:
        assert first == message
    else:
        assert not first.startswith("✅")


COMPONENT = """\
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
resources: [quota.yaml]
"""
KUSTOMIZATION = """\
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: bay
"""


def test_a_quota_that_replaces_another_is_said_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    files = {
        "large/kustomization.yaml": COMPONENT,
        "large/quota.yaml": quota("limits.cpu: 4", "large", "any"),
        "bay/kustomization.yaml": f"{KUSTOMIZATION}components: [../large]\n",
        "cove/kustomization.yaml": f"{KUSTOMIZATION.replace('bay', 'cove')}components: [../large]\n",
    }
    repository = Repository(tmp_path / "repository", files)
    monkeypatch.chdir(repository.folder)
    custom = {"bay/kustomization.yaml": f"{KUSTOMIZATION}resources: [quota.yaml]\n"}
    repository.write({**custom, "bay/quota.yaml": quota("limits.cpu: 40", "custom", "bay")})
    run(["diff", "HEAD", "--format", "markdown"])
    first = capsys.readouterr().out.splitlines()[0]
    assert first == "### ℹ️ quotalint: quota `custom` of `bay` replaces `large`; how much of it is used is not known"


@pytest.mark.parametrize(
    ("after", "message"),
    [
        pytest.param(
            [quota("pods: 9", "many"), quota("requests.cpu: 4", "large")],
            "✅ quotalint: quotas `large` and `many` of `team-a` replace `base`",
            id="which limit what it did",
        ),
        pytest.param(
            [quota("pods: 9", "many"), quota("services: 4", "large")],
            "ℹ️ quotalint: quota `base` of `team-a` is gone, so it no longer limits anything",
            id="which leave a limit out",
        ),
    ],
)
def test_quotas_that_replace_one(
    after: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    files = {"q.yaml": quota("pods: 9, requests.cpu: 4"), "w.yaml": deployment(2)}
    monkeypatch.chdir((repository := Repository(tmp_path / "repository", files)).folder)
    repository.write({"q.yaml": "---\n".join(after)})
    run(["diff", "HEAD", "--format", "markdown"])
    assert capsys.readouterr().out.splitlines()[0].removeprefix("### ") == message


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        pytest.param(
            "pods: 9, requests.cpu: 4",
            "pods: 9",
            "ℹ️ quota `base` of `team-a` no longer limits requests.cpu",
            id="an entry goes",
        ),
        pytest.param(
            "pods: 9, requests.cpu: 1",
            "pods: 9",
            "ℹ️ quota `base` of `team-a` no longer limits requests.cpu",
            id="an entry that was exceeded goes, which is not to fit",
        ),
        pytest.param(
            "pods: 1, requests.cpu: 4",
            "pods: 9",
            "✅ `team-a` fits again: pods 2 of 1 → 9",
            id="another entry fits again",
        ),
        pytest.param(
            "pods: 9, cpu: 4",
            "pods: 9, requests.cpu: 4",
            "✅ the one quota that changes has room: `team-a` (of 1 checked)",
            id="an entry by its other name",
        ),
        pytest.param(
            "pods: 9, nvidia.com/gpu: 4",
            "pods: 9",
            "✅ 1 finding repaired (QL201 in `team-a`)",
            id="an entry that limited nothing",
        ),
    ],
)
def test_an_entry_that_is_gone_has_no_room(
    before: str, after: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    files = {"q.yaml": quota(before), "w.yaml": deployment(2)}
    monkeypatch.chdir((repository := Repository(tmp_path / "repository", files)).folder)
    repository.write({"q.yaml": quota(after)})
    run(["diff", "HEAD", "--format", "markdown"])
    assert capsys.readouterr().out.splitlines()[0].removeprefix("### ").replace("quotalint: ", "") == message


def test_entries_of_several_quotas_that_are_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    names = ("a", "b", "c")
    files = {f"{name}.yaml": quota("pods: 9, requests.cpu: 4", namespace=f"team-{name}") for name in names}
    monkeypatch.chdir((repository := Repository(tmp_path / "repository", files)).folder)
    repository.write({f"{name}.yaml": quota("pods: 9", namespace=f"team-{name}") for name in names})
    run(["diff", "HEAD", "--format", "markdown"])
    first = capsys.readouterr().out.splitlines()[0]
    assert first == "### ℹ️ quotalint: quota `base` of `team-a` and 2 more no longer limit requests.cpu"


def test_an_entry_that_another_quota_takes_over_is_still_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    files = {"q.yaml": quota("pods: 9, requests.cpu: 4")}
    monkeypatch.chdir((repository := Repository(tmp_path / "repository", files)).folder)
    repository.write({"q.yaml": quota("pods: 9") + "---\n" + quota("requests.cpu: 4", "compute")})
    run(["diff", "HEAD", "--format", "markdown"])
    assert "no longer limit" not in capsys.readouterr().out.splitlines()[0]


@pytest.mark.parametrize(("path", "what"), [("bay", "folder"), ("q.yaml", "file")])
def test_a_path_in_the_place_of_a_revision_is_told_from_one(
    path: str, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    repository = Repository(tmp_path / "repository", {"q.yaml": SMALL, "bay/r.yaml": LARGE})
    monkeypatch.chdir(repository.folder)
    assert run(["diff", "HEAD", path]) == 2
    message = f"'{path}' is a {what} here, not a revision; write paths after `--`: quotalint diff main -- {path}"
    assert message in capsys.readouterr().err


def test_what_is_not_known_to_be_repaired_is_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """Five pods of two before; how many there are now, nothing says."""
    start = {"quota.yaml": quota("pods: 2"), "web.yaml": deployment(5)}
    repository = Repository(tmp_path / "repository", start)
    monkeypatch.chdir(repository.folder)
    repository.write({"web.yaml": deployment(5).replace("replicas: 5", "replicas: ${SIZE}")})
    run(["diff", "HEAD", "--format", "markdown"])
    first = capsys.readouterr().out.splitlines()[0]
    assert first == "### ℹ️ quotalint: quota `base` of `team-a` changes; how much of it is used is not known"


def test_repairs_in_two_namespaces_name_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    def files(hard: str) -> dict[str, str]:
        return {f"{name}.yaml": quota(f"pods: 9, {hard}", namespace=name) for name in ("cove", "bay")}

    monkeypatch.chdir((repository := Repository(tmp_path / "repository", files("nvidia.com/gpu: 4"))).folder)
    repository.write(files("services: 9"))
    run(["diff", "HEAD", "--format", "markdown"])
    assert (
        capsys.readouterr().out.splitlines()[0] == "### ✅ quotalint: 2 findings repaired (QL201 in `bay` and `cove`)"
    )
