"""Containers whose amounts are a thousand times those of the others in the file (QL603), and what is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from pipeline_runs import run_pipeline
from written_files import write_as_is


def pod(name: str, *containers: str) -> str:
    listed = "".join(
        f"  - {{name: c{number}, image: {name}, resources: {{{resources}}}}}\n"
        for number, resources in enumerate(containers)
    )
    return f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}, namespace: shop}}\nspec:\n  containers:\n{listed}"


def requests(amounts: str) -> str:
    return f"requests: {{{amounts}}}"


def limits(amounts: str) -> str:
    return f"limits: {{{amounts}}}"


def implausible(folder: Path, files: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    write_as_is(folder, files)
    monkeypatch.chdir(folder)
    return [finding.message for finding in run_pipeline().findings if finding.rule.id == "QL603"]


@pytest.mark.parametrize(
    ("unusual", "others", "words"),
    [
        (requests("cpu: 500"), [requests("cpu: 500m"), requests("cpu: 250m")], "cpu 500 of container c0 of Pod odd"),
        (requests("memory: 256Gi"), [requests("memory: 128Mi"), requests("memory: 256Mi")], "is 1024 times what"),
        (
            "requests: {cpu: 500}, limits: {cpu: 500}",
            ["requests: {cpu: 500m}, limits: {cpu: 1}", "requests: {cpu: 500m}, limits: {cpu: 1}"],
            "requests.cpu 500",
        ),
        (limits("memory: 2Mi"), [limits("memory: 2Gi"), limits("memory: 4Gi")], "is 1/1024 of what"),
        (limits("cpu: 2m"), [limits("cpu: 2"), limits("cpu: 4")], "the 2 other containers of the file"),
        (
            requests("ephemeral-storage: 2Ti"),
            [requests("ephemeral-storage: 2Gi"), requests("ephemeral-storage: 4Gi")],
            "ephemeral-storage 2Ti",
        ),
    ],
)
def test_a_thousand_times_its_neighbours(
    unusual: str, others: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pods = [pod("odd", unusual), *(pod(f"other{number}", other) for number, other in enumerate(others))]
    (message, *_) = implausible(tmp_path, {"all.yaml": "---\n".join(pods)}, monkeypatch)
    assert words in message


def test_amounts_of_one_patch_for_objects_of_several_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("odd", "one", "two")
    patches = [pod(name, requests(f"cpu: {cpu}")) for name, cpu in zip(names, ("500", "500m", "250m"), strict=True)]
    listed = ", ".join(f"../base/{name}.yaml" for name in names)
    files = {
        **{f"base/{name}.yaml": pod(name, requests("cpu: 100m")) for name in names},
        "live/patches.yaml": "---\n".join(patches),
        "live/kustomization.yaml": f"resources: [{listed}]\npatches: [{{path: patches.yaml}}]\n",
    }
    (message,) = implausible(tmp_path, files, monkeypatch)
    assert message.startswith("requests.cpu 500 of container c0 of Pod odd")


@pytest.mark.parametrize(
    ("unusual", "others"),
    [
        pytest.param(requests("cpu: 500"), [requests("cpu: 500m")], id="one neighbour"),
        pytest.param(requests("cpu: 500"), [requests("cpu: 500m"), requests("cpu: 500")], id="two of three"),
        pytest.param(requests("cpu: 128"), [requests("cpu: 5m"), requests("cpu: 200m")], id="others that differ"),
        pytest.param(requests("cpu: 10"), [requests("cpu: 10m"), requests("cpu: 10m")], id="ten CPUs"),
        pytest.param(requests("memory: 64Gi"), [requests("memory: 64Mi"), requests("memory: 64Mi")], id="a node's"),
        pytest.param(
            "requests: {memory: 128Gi}, limits: {memory: 160Gi}",
            [requests("memory: 128Mi"), requests("memory: 128Mi")],
            id="two halves that agree",
        ),
        pytest.param(requests("cpu: 1m"), [requests("cpu: 1"), requests("cpu: 2")], id="a small request"),
        pytest.param(
            "requests: {memory: 4Mi}, limits: {memory: 8Mi}",
            [limits("memory: 4Gi"), limits("memory: 8Gi")],
            id="small twice",
        ),
    ],
)
def test_what_may_be_meant(unusual: str, others: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pods = [pod("odd", unusual), *(pod(f"other{number}", other) for number, other in enumerate(others))]
    assert implausible(tmp_path, {"all.yaml": "---\n".join(pods)}, monkeypatch) == []


def test_helpers_in_the_same_pod_may_be_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    helpers = [requests("memory: 128Mi"), requests("memory: 128Mi")]
    crowded_pod = pod("all", requests("memory: 128Gi"), *helpers)
    assert implausible(tmp_path, {"all.yaml": crowded_pod}, monkeypatch) == []


def test_so_large_is_no_node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crowded_pod = pod("all", requests("cpu: 500"), requests("cpu: 500m"), requests("cpu: 250m"))
    assert len(implausible(tmp_path, {"all.yaml": crowded_pod}, monkeypatch)) == 1


def test_what_makes_no_pods_is_no_neighbour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the amounts of another kind are for is not known: it is not spoken of, nor are others held against it."""
    amounts = ("500", "500m", "250m")
    pods = [pod(f"p{number}", requests(f"cpu: {cpu}")) for number, cpu in enumerate(amounts)]
    kinds = [text.replace("v1\nkind: Pod", "example.com/v1\nkind: Widget") for text in pods]
    widgets = {"all.yaml": "---\n".join(kinds), "pods.yaml": "---\n".join([pods[0], *kinds[1:]])}
    assert implausible(tmp_path, widgets, monkeypatch) == []


def test_other_files_are_no_neighbours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        f"{number}.yaml": pod(f"p{number}", requests(f"cpu: {cpu}"))
        for number, cpu in enumerate(("500", "500m", "250m"))
    }
    assert implausible(tmp_path, files, monkeypatch) == []


def test_overlays_that_enlarge_one_line_are_no_neighbours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One amount of the base, and those of two patches in files of their own."""
    patch = "- {op: replace, path: /spec/containers/0/resources/requests/cpu, value: '%s'}\n"
    overlay = "resources: [../base]\nnamespace: %s\npatches: [{path: cpu.yaml, target: {kind: Pod}}]\n"
    files = {"base/kustomization.yaml": "resources: [pod.yaml]\n", "base/pod.yaml": pod("one", requests("cpu: 500m"))}
    for name, cpu in (("small", "250m"), ("large", "500")):
        files |= {f"{name}/kustomization.yaml": overlay % name, f"{name}/cpu.yaml": patch % cpu}
    assert implausible(tmp_path, files, monkeypatch) == []
