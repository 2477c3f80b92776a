"""What is rendered here is what `kubectl kustomize` prints, for all cases of the other files and for random ones."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kustomize_trees import DIFFERS, EQUAL, REFUSES, UNASKED, Case, build, documents, names, unordered, without_nulls

from quotalint.gitops.kustomize.build import Built

MODULES = [path.stem for path in sorted(Path(__file__).parent.glob("test_*.py")) if path.stem != Path(__file__).stem]
CASES = [
    case
    for module in map(import_module, MODULES)
    for case in getattr(module, "CASES", ())
    if isinstance(case, Case) and case.kubectl != UNASKED
]
PROGRAM = os.environ.get("QUOTALINT_TEST_KUBECTL") or shutil.which("kubectl") or ""
RELEASE = (5, 8)  # of Kustomize, whose behaviour is rendered here


@cache
def why_not() -> str:
    """Why kubectl cannot be asked; empty if it can."""
    if not PROGRAM:
        return "kubectl is not on PATH, and QUOTALINT_TEST_KUBECTL does not name it"
    ended = subprocess.run([PROGRAM, "version", "--client", "-o", "json"], capture_output=True, timeout=60, check=False)
    match = re.search(rb'"kustomizeVersion": *"v([0-9]+)\.([0-9]+)', ended.stdout)
    release = (int(match[1]), int(match[2])) if match else (0, 0)
    return (
        "" if release >= RELEASE else f"{PROGRAM} has Kustomize {release[0]}.{release[1]}, which is too old to compare"
    )


needs_kubectl = pytest.mark.skipif(bool(why_not()), reason=why_not() or "never")


def printed(folder: Path) -> list[str] | None:
    """What kubectl prints for a folder; None where it refuses."""
    command = [PROGRAM, "kustomize", "--load-restrictor", "LoadRestrictionsNone", str(folder)]
    ended = subprocess.run(command, capture_output=True, timeout=60, check=False)
    return unordered(documents(ended.stdout)) if ended.returncode == 0 else None


def judged(built: Built, theirs: list[str] | None) -> tuple[str, object]:
    """What kubectl prints compared with what is rendered here, and what is to be said if it is not equal."""
    ours = unordered(without_nulls(resource.traced.value) for resource in built.resources)
    reasons = [problem.reason for problem in built.problems if problem.kind != "load"]
    if theirs is None:
        return REFUSES, reasons
    return (EQUAL, "") if ours == theirs else (DIFFERS, reasons or (ours, theirs))


@pytest.mark.slow
@needs_kubectl
@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_kubectl_renders_each_case_as_it_says(case: Case, tmp_path: Path) -> None:
    """One process for each, in its own test: so no case is rendered twice where tests are run side by side."""
    built = build(tmp_path, case.files, case.folder)
    verdict, reasons = judged(built, printed(tmp_path / case.folder))
    assert (verdict, bool(reasons)) == (case.kubectl, case.kubectl != EQUAL)


BASE = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      serviceAccountName: sa
      containers:
      - name: a
        image: nginx:1
        env: [{name: A, value: "1"}, {name: B, valueFrom: {configMapKeyRef: {name: conf, key: k}}}]
        ports: [{containerPort: 80, protocol: TCP}]
        resources: {requests: {cpu: 1, memory: 1Gi}}
      - {name: b, image: "quay.io/x/caddy:1"}
      volumes: [{name: v, secret: {secretName: creds}}, {name: w, emptyDir: {}}]
---
{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db}, spec: {serviceName: svc,
  volumeClaimTemplates: [{metadata: {name: d}}]}}
---
{apiVersion: v1, kind: Service, metadata: {name: svc}, spec: {selector: {app: web}, ports: [{port: 80}]}}
---
{apiVersion: v1, kind: ServiceAccount, metadata: {name: sa}}
---
{apiVersion: v1, kind: ResourceQuota, metadata: {name: q, namespace: other}, spec: {hard: {pods: 4, cpu: "2"}}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: crb}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
subjects: [{kind: ServiceAccount, name: sa, namespace: default}, {kind: ServiceAccount, name: default, namespace: x}]
"""
MERGED: dict[str, dict[str, dict[str, object]]] = {
    "replicas": {"spec": {"replicas": 3}},
    "no replicas": {"spec": {"replicas": None}},
    "containers": {
        "spec": {
            "template": {
                "spec": {
                    "containers": [
                        {"name": "b", "resources": {"limits": {"cpu": 2}}},
                        {
                            "name": "a",
                            "env": [{"name": "C", "value": "3"}],
                            "ports": [{"containerPort": 80, "name": "p"}],
                        },
                    ]
                }
            }
        }
    },
    "deleted": {"spec": {"template": {"spec": {"containers": [{"name": "b", "$patch": "delete"}], "volumes": None}}}},
    "replaced": {"spec": {"template": {"$patch": "replace", "metadata": {"labels": {"app": "web"}}}}},
    "labels": {"metadata": {"labels": {"app": None, "new": "x"}}},
}
OPERATIONS = [
    {"op": "add", "path": "/metadata/annotations", "value": {"note": "x"}},
    {"op": "replace", "path": "/spec/replicas", "value": 7},
    {"op": "add", "path": "/spec/template/spec/containers/-", "value": {"name": "c", "image": "nginx"}},
    {"op": "remove", "path": "/spec/template/spec/containers/0/env/0"},
    {"op": "copy", "from": "/spec/replicas", "path": "/spec/minReadySeconds"},
]
WEB = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}}


def merge(name: str) -> dict[str, object]:
    """An entry of `patches` with a strategic merge patch."""
    patch = MERGED[name]
    metadata = {"name": "web", **patch.get("metadata", {})}
    return {"patch": json.dumps({**WEB, **patch, "metadata": metadata})}


def operate(chosen: list[int]) -> dict[str, object]:
    """An entry of `patches` with a JSON patch."""
    operations = [OPERATIONS[number] for number in sorted(set(chosen))]
    return {"target": {"kind": "Deployment", "name": "web"}, "patch": json.dumps(operations)}


def entries(*of: st.SearchStrategy[object]) -> st.SearchStrategy[list[object]]:
    return st.lists(st.one_of(*of), min_size=1, max_size=2)


def generator(name: str, behaviors: list[str | None]) -> st.SearchStrategy[object]:
    """An entry that generates a ConfigMap or Secret."""
    options = st.fixed_dictionaries(
        {}, optional={"disableNameSuffixHash": st.booleans(), "labels": st.just({"made": "here"})}
    )
    literals = st.lists(st.sampled_from(["k=1", "l=two words", "m='quoted'"]), unique=True, max_size=3)
    fields = {"name": st.just(name), "literals": literals, "behavior": st.sampled_from(behaviors)}
    return st.fixed_dictionaries(fields, optional={"options": options})


LABELS = st.sampled_from([{"app": "shop"}, {"team": "red", "app": "web"}])
REPLACEMENT = {
    "source": {"kind": "Service", "fieldPath": "spec.ports.0.port"},
    "targets": [
        {"select": {"kind": "Deployment"}, "fieldPaths": ["spec.template.spec.containers.[name=a].env.[name=A].value"]},
        {"select": {"kind": "StatefulSet"}, "fieldPaths": ["metadata.annotations.port"], "options": {"create": True}},
    ],
}


def features(behaviors: list[str | None]) -> st.SearchStrategy[dict[str, object]]:
    """Fields of a kustomization over the base, any of them together."""
    return st.fixed_dictionaries(
        {},
        optional={
            "namespace": st.sampled_from(["shop", "other"]),
            "namePrefix": st.just("x-"),
            "nameSuffix": st.just("-y"),
            "commonLabels": LABELS,
            "commonAnnotations": st.just({"note": "z"}),
            "labels": entries(
                st.fixed_dictionaries(
                    {"pairs": LABELS}, optional={"includeSelectors": st.booleans(), "includeTemplates": st.booleans()}
                )
            ),
            "images": entries(
                st.just({"name": "nginx", "newTag": "2"}),
                st.just({"name": "quay.io/x/caddy", "newName": "caddy", "digest": "sha256:0123"}),
            ),
            "replicas": st.just([{"name": "web", "count": 5}]),
            "patches": entries(
                st.sampled_from(sorted(MERGED)).map(merge),
                st.lists(st.integers(0, len(OPERATIONS) - 1), min_size=1, max_size=3).map(operate),
                st.just(
                    {
                        "target": {"kind": "Deployment|StatefulSet"},
                        "patch": "kind: Any\nmetadata: {name: any, labels: {target: found}}",
                    }
                ),
            ),
            "configMapGenerator": generator("conf", behaviors).map(lambda case: [case]),
            "secretGenerator": generator("creds", behaviors).map(lambda case: [case]),
            "replacements": st.just([REPLACEMENT]),
        },
    )


@pytest.mark.slow
@needs_kubectl
@given(
    base=features([None, "create"]), part=features(["merge", "replace", None]), top=features(["merge", "replace", None])
)
@settings(max_examples=40, derandomize=True)
def test_kubectl_renders_random_kustomizations_alike(
    base: dict[str, object], part: dict[str, object], top: dict[str, object]
) -> None:
    files = {
        "base/kustomization.yaml": json.dumps({"resources": ["base.yaml"], **base}),
        "base/base.yaml": BASE,
        "part/kustomization.yaml": json.dumps({"kind": "Component", **part}),
        "top/kustomization.yaml": json.dumps({"resources": ["../base"], "components": ["../part"], **top}),
    }
    with TemporaryDirectory() as folder:
        built = build(Path(folder), files, "top")
        verdict, reasons = judged(built, printed(Path(folder, "top")))
    assert verdict == EQUAL or (verdict == REFUSES and reasons), reasons
