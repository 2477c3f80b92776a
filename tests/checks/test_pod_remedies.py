"""What is advised against resources that no pod may have: each cause has a remedy of its own, and it helps."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quotalint.cli import run

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: team-a}
spec:
  %s
  containers:
    - {name: main, image: main, resources: {%s}}
"""
CASES = {
    "a device without a limit": ("", "requests: {nvidia.com/gpu: 1}", "write nvidia.com/gpu below `limits` as well"),
    "half a device": ("", "limits: {nvidia.com/gpu: 0.5}", "write a whole number of nvidia.com/gpu"),
    "devices that differ": (
        "",
        "requests: {nvidia.com/gpu: 1}, limits: {nvidia.com/gpu: 2}",
        "write the same amount of nvidia.com/gpu below `requests` and `limits`",
    ),
    "a request above its limit": ("", "requests: {cpu: 2}, limits: {cpu: 1}", "make each request an amount"),
    "a device without its vendor": ("", "limits: {gpu: 1}", "write nvidia.com/gpu, if that was meant"),
    "storage of a claim": ("", "requests: {storage: 1Gi}", "write ephemeral-storage, if that was meant"),
    "a misspelt resource": ("", "requests: {memroy: 1Gi}", "write memory, if that was meant"),
    "a resource that resembles none": ("", "limits: {bandwidth: 1G}", "write a resource that containers have"),
    "small letters": ("", "limits: {memory: 1gi}", "write `1Gi`, if that was meant"),
    "a word": ("", "limits: {memory: much}", "write a number with one of the suffixes"),
    "a mapping": ("", "limits: {memory: {most: 1Gi}}", "write a number with one of the suffixes"),
    "below zero": ("", "limits: {memory: -1Gi}", "write an amount that is not below zero"),
    "huge pages alone": ("", "limits: {hugepages-2Mi: 4Mi}", "ask for cpu or memory as well"),
    "a page and a half": ("", "limits: {cpu: 1, hugepages-2Mi: 3Mi}", "write a multiple of the size of one page"),
    "pages of no size": ("", "limits: {cpu: 1, hugepages-2MB: 4Mi}", "name the size of a page as Kubernetes reads it"),
    "containers above their pod": (
        "resources: {requests: {cpu: 1}}",
        "requests: {cpu: 2}",
        "raise the request of the pod as a whole to what its containers ask for together",
    ),
    "storage of a pod as a whole": (
        "resources: {requests: {cpu: 1, ephemeral-storage: 1Gi}}",
        "",
        "write ephemeral-storage in the containers",
    ),
    "more huge pages than their pod": (
        "resources: {limits: {cpu: 4, hugepages-2Mi: 2Mi}}",
        "limits: {cpu: 1, hugepages-2Mi: 2Mi}}}\n"
        "    - {name: other, image: other, resources: {limits: {cpu: 1, hugepages-2Mi: 2Mi}",
        "raise the ",
    ),
    "an overhead without a class": ("overhead: {cpu: 1}", "", "remove `overhead`: the API server writes there"),
    "a limit above that of the pod": (
        "resources: {limits: {cpu: 1}}",
        "requests: {cpu: 1}, limits: {cpu: 2}",
        "make the limit of the pod as a whole at least that of each container",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_each_cause_has_its_remedy(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, container, help_begins = CASES[case]
    (tmp_path / "pod.yaml").write_text(POD % (whole, container))
    run(["check", "--format", "json", "--select", "QL404", str(tmp_path)])
    helps = {finding["help"] for finding in json.loads(capsys.readouterr().out)["findings"]}
    assert {text[: len(help_begins)] for text in helps} == {help_begins}


@pytest.mark.parametrize(
    ("resources", "lacking"),
    [
        ("limit: {cpu: 1, memory: 1Gi}", []),
        ("limit: {cpu: 1}", ["limits.memory"]),
        ("memory: 1Gi", ["limits.cpu"]),
        ("size: large", ["limits.cpu, limits.memory"]),
    ],
)
def test_what_stands_below_an_unknown_field_is_not_said_to_be_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], resources: str, lacking: list[str]
) -> None:
    quota = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: base, namespace: team-a}\nspec: {hard: %s}\n"
    (tmp_path / "quota.yaml").write_text(quota % "{limits.cpu: 9, limits.memory: 9Gi}")
    (tmp_path / "pod.yaml").write_text(POD % ("", resources))
    assert run(["check", str(tmp_path), "--format", "json"]) == 1
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert {finding["rule"] for finding in findings} == {"QL404", *(["QL401"] if lacking else [])}
    messages = [finding["message"] for finding in findings if finding["rule"] == "QL401"]
    assert all(
        f"to state {names} (missing in main)" in message for names, message in zip(lacking, messages, strict=True)
    )
