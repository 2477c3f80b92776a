"""What a snapshot leaves out changes no sum, and nothing that it should not hold gets in."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from live_answers import bundle
from yaml_texts import dump_documents, load_documents

import quotalint
from quotalint.kube.objects import Object, objects
from quotalint.pipeline import run
from quotalint.settings import Options, Settings
from quotalint.settings.loading import load_settings
from quotalint.snapshots.snapshot import Snapshot, read_snapshot
from quotalint.snapshots.snapshot_file import _CLOSED_FIELDS, _OPEN_FIELDS, _ROOTS, reduce_object, reduced_objects
from quotalint.text.dumping import dump_yaml
from quotalint.text.place import Place
from quotalint.text.sources import find

SCENARIOS = bundle("scenarios")
FAMILIES = sorted({scenario["family"] for scenario in SCENARIOS} - {"rule-bad", "rule-good"})
"""Those of which the files are more than quotas."""


def sums(shown: Snapshot) -> list[tuple[object, ...]]:
    settings = load_settings(["."], Options())
    assert isinstance(settings, Settings)
    result = run(find(["."], settings.root, ()), settings, bytes, 1, [shown])
    sums_found = [
        (
            projection.quota.name,
            projection.name,
            projection.steady.nano,
            projection.surge.nano,
            projection.peak.nano,
            projection.certainty,
            sorted(projection.unknowns),
        )
        for facts in result.environments
        for projection in facts.projections
    ]
    return sorted(sums_found)


def is_quota(value: Any) -> bool:
    return isinstance(value, dict) and value.get("kind") in ("ResourceQuota", "AdmissionConfiguration")


@pytest.mark.parametrize("family", FAMILIES)
def test_sums_are_the_same_without_what_is_left_out(
    family: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    compared = 0
    for scenario in [scenario for scenario in SCENARIOS if scenario["family"] == family][:12]:
        documents = [
            value
            for name, text in scenario["files"].items()
            if name.endswith(".yaml") and not name.endswith(".quotalint.yaml") and "kustomization" not in name
            for value in load_documents(text)
        ]
        quotas = [document for document in documents if is_quota(document)]
        others = [
            document
            for document in documents
            if isinstance(document, dict) and document.get("apiVersion") and not is_quota(document)
        ]
        Path("quota.yaml").write_text(dump_documents(quotas))
        Path(".quotalint.yaml").write_text("nodes: 3\n")
        whole = read_snapshot(dump_yaml(others).encode(), "cluster.yaml")
        assert isinstance(whole, Snapshot)
        small = read_snapshot(dump_yaml(reduced_objects(whole.objects)).encode(), "cluster.yaml")
        assert isinstance(small, Snapshot)
        assert sums(small) == sums(whole), scenario["id"]
        compared += len(others)
    assert compared > 0


# Read of metadata, which is kept by itself, or of what is in no snapshot: releases of Flux, Workflows, TaskRuns, jobs
# of Spark and Flink, and what keeps Secrets or solves challenges. `makes` and `unless` are of our table of kinds.
ELSEWHERE = frozenset(
    """
    addedNodes annotations arguments artifacts authentication computeResources data generateName hosts http labels
    maxHistory names ownerReferences phase plugin plural podSpecPatch resource scope sidecarOverrides sidecarSpecs
    status stepOverrides stepSpecs stepTemplate storageNamespace synchronization taskRef taskSpec total used withParam
    workspaces when apiVersion controller create creationPolicy destination kind manifest metadata secretName storage
    tls makes unless acme commonName dns01 dnsNames dnsZones http01 issuerRef serviceType solvers matchLabels
    coreLimit coreRequest cores cpu memory memoryOverhead memoryOverheadFactor sparkConf sparkConfigMap
    """.split()  # noqa: SIM905
)


def test_every_field_that_is_read_of_workloads_is_kept() -> None:
    kept_fields = _OPEN_FIELDS | _CLOSED_FIELDS | frozenset(_ROOTS) | {"containers", "initContainers", "sidecars"}
    package = Path(quotalint.__file__).parent
    kube = [package / "kube" / f"{name}.py" for name in ("pod", "claim", "limit_range")]
    files = [*(package / "workloads").glob("*.py"), *(package / "evaluators").glob("*.py"), *kube]
    read = {name for file in files for name in _fields_read(ast.parse(file.read_text()))}
    assert (len(read) > 100, sorted(read - kept_fields - ELSEWHERE)) == (True, [])


def _fields_read(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        given_ = node.args[:1] if name == "get" else node.args[1:] if name == "dig" else []
        for expression in given_:
            if (
                isinstance(expression, ast.Constant)
                and isinstance(expression.value, str)
                and expression.value.isidentifier()
            ):
                yield expression.value


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "spec",
                    "template",
                    "containers",
                    "metadata",
                    "ownerReferences",
                    "labels",
                    "annotations",
                    "status",
                    "used",
                    "hard",
                    "conditions",
                    "name",
                    "volumes",
                    "sidecars",
                    "container",
                    "withItems",
                    "resources",
                    "namespaces",
                ]
            )
            | st.text(max_size=4),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(VALUES, st.sampled_from(["Deployment", "Job", "Pod", "ResourceQuota", "Tenant", "ClusterResourceQuota", "X"]))
def test_anything_that_claims_to_be_an_object_can_be_reduced(value: Any, kind: str) -> None:
    body = {**(value if isinstance(value, dict) else {"spec": value}), "apiVersion": "apps/v1", "kind": kind}
    sums_found = list(objects(body, Place("x.yaml", 0)))
    small = reduced_objects(sums_found)
    assert len(small) <= len(sums_found)
    assert yaml.safe_load(dump_yaml(small) or "null") is None or small


def of(body: dict[str, Any]) -> Object:
    return next(objects(body, Place("x.yaml", 0)))


@given(
    st.dictionaries(st.text(min_size=1, max_size=10), st.just("s3cr3t"), max_size=3),
    st.sampled_from(["Secret", "ConfigMap"]),
)
def test_nothing_of_the_data_of_a_secret_is_kept(data: dict[str, str], kind: str) -> None:
    metadata = {"name": "x", "namespace": "a", "annotations": {"note": "s3cr3t"}}
    reduced = reduce_object(
        of({"apiVersion": "v1", "kind": kind, "metadata": metadata, "data": data, "stringData": data})
    )
    assert reduced == {"apiVersion": "v1", "kind": kind, "metadata": {"name": "x", "namespace": "a"}}


def test_who_makes_a_scaled_object_is_kept() -> None:
    annotations = {"httpscaledobject.keda.sh/skip-scaledobject-creation": "true", "other": "x"}
    metadata = {"name": "web", "namespace": "shop", "annotations": annotations}
    scaled = {"apiVersion": "http.keda.sh/v1alpha1", "kind": "HTTPScaledObject", "metadata": metadata, "spec": {}}
    snapshot = read_snapshot(dump_yaml([scaled]).encode(), "cluster.yaml")
    assert isinstance(snapshot, Snapshot)
    (reduced,) = reduced_objects(snapshot.objects)
    assert dict(reduced["metadata"]["annotations"]) == {"httpscaledobject.keda.sh/skip-scaledobject-creation": "true"}
