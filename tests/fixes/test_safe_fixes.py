"""`--fix`: what is written before and after, through the command line; nothing else in a file moves."""

from __future__ import annotations

from pathlib import Path

import pytest

from quotalint.cli import run

HEAD = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: base, namespace: team-a}\nspec:\n"


def quota(hard: str, rest: str = "") -> str:
    return f"{HEAD}  hard:\n{hard}{rest}"


def selector(expression: str) -> str:
    return f"{HEAD}  hard: {{pods: 4}}\n  scopeSelector:\n    matchExpressions:\n{expression}"


NAMES = {
    "a device without its prefix": ("    nvidia.com/gpu: 4\n", "    requests.nvidia.com/gpu: 4\n"),
    "a limit of devices": ("    limits.nvidia.com/gpu: 4\n", "    requests.nvidia.com/gpu: 4\n"),
    "a singular": ("    count/deployment.apps: 4\n", "    count/deployments.apps: 4\n"),
    "a missing group": ("    count/jobs: 4\n", "    count/jobs.batch: 4\n"),
    "a group of long ago": ("    count/deployments.extensions: 4\n", "    count/deployments.apps: 4\n"),
    "the words the wrong way round": ("    memory.limit: 4Gi\n", "    limits.memory: 4Gi\n"),
    "a singular side": ("    request.cpu: 4\n", "    requests.cpu: 4\n"),
    "capitals": ("    Requests.CPU: 4\n", "    requests.cpu: 4\n"),
    "a dot for a slash": ("    count.pods: 4\n", "    count/pods: 4\n"),
    "a plural without its count": ("    deployments.apps: 4\n", "    count/deployments.apps: 4\n"),
    "huge pages": ("    limits.hugepages-2Mi: 4Mi\n", "    requests.hugepages-2Mi: 4Mi\n"),
    "double quotes": ('    "nvidia.com/gpu": "4"\n', '    "requests.nvidia.com/gpu": "4"\n'),
    "single quotes": ("    'nvidia.com/gpu': '4'\n", "    'requests.nvidia.com/gpu': '4'\n"),
    "comments": (
        "    # the cards\n    nvidia.com/gpu: 4   # four # of them\n    # end\n",
        "    # the cards\n    requests.nvidia.com/gpu: 4   # four # of them\n    # end\n",
    ),
    "an odd indentation": ("       nvidia.com/gpu :  4\n", "       requests.nvidia.com/gpu :  4\n"),
    "an explicit key": ("    ? nvidia.com/gpu\n    : 4\n", "    ? requests.nvidia.com/gpu\n    : 4\n"),
    "an anchored value": (
        "    nvidia.com/gpu: &n 4\n    pods: *n\n",
        "    requests.nvidia.com/gpu: &n 4\n    pods: *n\n",
    ),
    "an anchored key": ("    &k nvidia.com/gpu: 4\n", "    &k requests.nvidia.com/gpu: 4\n"),
    "the right one is there": (
        "    nvidia.com/gpu: 4 # wrong\n    # right\n    requests.nvidia.com/gpu: '4'\n",
        "    # wrong\n    # right\n    requests.nvidia.com/gpu: '4'\n",
    ),
    "what quotalint was told of it": (
        "    nvidia.com/gpu: 4 # quotalint: ignore[QL301]\n    requests.nvidia.com/gpu: 4\n",
        "    requests.nvidia.com/gpu: 4\n",
    ),
    "two wrong ones": (
        "    nvidia.com/gpu: 4\n    limits.nvidia.com/gpu: 4\n    pods: 1\n",
        "    requests.nvidia.com/gpu: 4\n    pods: 1\n",
    ),
    "no line break at the end": ("    pods: 1\n    count/jobs: 4", "    pods: 1\n    count/jobs.batch: 4"),
    "the last line goes, and what was said of it stays": (
        "    requests.nvidia.com/gpu: 4\n    nvidia.com/gpu: '4' # #4",
        "    requests.nvidia.com/gpu: 4\n    # #4",
    ),
    "the last line goes": (
        "    requests.nvidia.com/gpu: 4\n    nvidia.com/gpu: 4",
        "    requests.nvidia.com/gpu: 4",
    ),
}

LEFT = {
    "another value": "    nvidia.com/gpu: 4\n    requests.nvidia.com/gpu: 5\n",
    "two wrong ones with two values": "    nvidia.com/gpu: 4\n    limits.nvidia.com/gpu: 5\n",
    "a name that resembles none": "    bandwidth: 4\n",
    "a vendor to be guessed": "    gpu: 4\n",
    "a limit that does not exist": "    limits.storage: 4\n",
    "a slip": "    count/deployemnts.apps: 4\n",
    "a group of somebody else": "    kro.run/resourcegroups: 4\n",
    "a name given twice": "    nvidia.com/gpu: 4\n    nvidia.com/gpu: 4\n",
    "a placeholder": "    ${GPU}: 4\n",
    "what is told of the line below": (
        "    # quotalint: ignore[QL301]\n    # so\n    nvidia.com/gpu: 4\n    requests.nvidia.com/gpu: 4\n"
    ),
    "a name in a block": "    ? |-\n      nvidia.com/gpu\n    : 4\n",
}

SCOPES = {
    "capitals in a list": (
        f"{HEAD}  hard: {{pods: 4}}\n  scopes:\n  - notterminating # long\n",
        f"{HEAD}  hard: {{pods: 4}}\n  scopes:\n  - NotTerminating # long\n",
    ),
    "signs between words": (
        f"{HEAD}  hard: {{pods: 4}}\n  scopes: [ 'best-effort' ]\n",
        f"{HEAD}  hard: {{pods: 4}}\n  scopes: [ 'BestEffort' ]\n",
    ),
    "capitals in a selector": (
        selector('    - scopeName: "priorityclass"\n      operator: exists\n'),
        selector('    - scopeName: "PriorityClass"\n      operator: Exists\n'),
    ),
    "no operator": (
        selector("    - scopeName: Terminating # short\n"),
        selector("    - scopeName: Terminating # short\n      operator: Exists\n"),
    ),
    "no operator in flow style": (
        selector("    - {scopeName: Terminating}\n"),
        selector("    - {scopeName: Terminating, operator: Exists}\n"),
    ),
    "an empty operator": (
        selector('    - scopeName: Terminating\n      operator: ""\n'),
        selector('    - scopeName: Terminating\n      operator: "Exists"\n'),
    ),
    "another language": (
        selector("    - {operator: Equals, scopeName: Terminating}\n"),
        selector("    - {operator: Exists, scopeName: Terminating}\n"),
    ),
    "values beside it": (
        selector('    - operator: Exists\n      values: ["true"] # yes\n      scopeName: Terminating\n'),
        selector("    - operator: Exists\n      # yes\n      scopeName: Terminating\n"),
    ),
    "values with comments": (
        selector(
            '    - operator: Exists\n      values: # all\n      - "#a" # b\n      # c\n      - d\n'
            "      scopeName: Terminating\n"
        ),
        selector("    - operator: Exists\n      # all\n      # b\n      # c\n      scopeName: Terminating\n"),
    ),
    "values first": (
        selector("    - values:\n      - a\n      - b\n      operator: exists\n      scopeName: Terminating\n"),
        selector("    - operator: Exists\n      scopeName: Terminating\n"),
    ),
    "values first, with comments": (
        selector("    - values: [a] # b\n      # the scope\n      scopeName: Terminating\n      operator: Exists\n"),
        selector("    - # b\n      # the scope\n      scopeName: Terminating\n      operator: Exists\n"),
    ),
    "values last in flow style": (
        selector("    - {scopeName: Terminating, operator: Exists, values: [a]}\n"),
        selector("    - {scopeName: Terminating, operator: Exists}\n"),
    ),
}

SCOPES_LEFT = {
    "a slip": f"{HEAD}  hard: {{pods: 4}}\n  scopes: [BestEfforts]\n",
    "the opposite": selector("    - {scopeName: Terminating, operator: DoesNotExist}\n"),
    "values that may say the opposite": selector('    - {scopeName: Terminating, operator: In, values: ["false"]}\n'),
    "values of classes": selector("    - {scopeName: PriorityClass, operator: Exists, values: [high]}\n"),
    "no operator for classes": selector("    - {scopeName: PriorityClass, values: [high]}\n"),
    "a placeholder": selector('    - {scopeName: Terminating, operator: "${OPERATOR}"}\n'),
    "a comment between the comma and the entry": selector(
        "    - {scopeName: Terminating, operator: Exists, # a\n       values: [a]}\n"
    ),
}

WHOLE = {
    "flow style": (
        f"{HEAD}  hard: {{ nvidia.com/gpu: 1, pods: 2 }} # all\n",
        f"{HEAD}  hard: {{ requests.nvidia.com/gpu: 1, pods: 2 }} # all\n",
    ),
    "flow style over lines": (
        f"{HEAD}  hard: {{\n    nvidia.com/gpu: 1, # a\n    requests.nvidia.com/gpu: 1, # b\n    pods: 2\n  }}\n",
        f"{HEAD}  hard: {{\n    # a\n    requests.nvidia.com/gpu: 1, # b\n    pods: 2\n  }}\n",
    ),
    "windows": (
        quota("    nvidia.com/gpu: 4\n    pods: 3\n").replace("\n", "\r\n"),
        quota("    requests.nvidia.com/gpu: 4\n    pods: 3\n").replace("\n", "\r\n"),
    ),
    "windows, a new line": (
        selector("    - scopeName: Terminating").replace("\n", "\r\n"),
        selector("    - scopeName: Terminating\n      operator: Exists").replace("\n", "\r\n"),
    ),
    "line breaks of two kinds": (
        quota("    nvidia.com/gpu: 4\r\n    requests.nvidia.com/gpu: 4\n    count/jobs: 3\r\n"),
        quota("    requests.nvidia.com/gpu: 4\n    count/jobs.batch: 3\r\n"),
    ),
    "a byte order mark": ("\ufeff" + quota("    count/jobs: 1\n"), "\ufeff" + quota("    count/jobs.batch: 1\n")),
    "several documents": (
        f"# first\n---\n{quota('    pods: 1')}\n---\n\n---  # next\n{quota('    count/jobs: 1')}\n...\n",
        f"# first\n---\n{quota('    pods: 1')}\n---\n\n---  # next\n{quota('    count/jobs.batch: 1')}\n...\n",
    ),
    "a list": (
        "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ResourceQuota\n"
        "  metadata: {name: a, namespace: b}\n  spec: {hard: {count/jobs: 1}}\n",
        "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ResourceQuota\n"
        "  metadata: {name: a, namespace: b}\n  spec: {hard: {count/jobs.batch: 1}}\n",
    ),
    "signs beyond ASCII before it": (
        quota("    # größer 😀 \u2028 \u0085\n    pods: 1\n    count/jobs: 1 # ä\n"),
        quota("    # größer 😀 \u2028 \u0085\n    pods: 1\n    count/jobs.batch: 1 # ä\n"),
    ),
    "flow style below what is told of its line": (
        f"{HEAD}  # quotalint: ignore[QL301]\n  hard: {{ nvidia.com/gpu: 1, requests.nvidia.com/gpu: 1 }}\n",
        f"{HEAD}  # quotalint: ignore[QL301]\n  hard: {{ requests.nvidia.com/gpu: 1 }}\n",
    ),
    "an anchor that serves two quotas": (
        "apiVersion: v1\nkind: List\nitems:\n"
        "- {apiVersion: v1, kind: ResourceQuota, metadata: {name: a, namespace: b}, spec: &s {hard: {count/jobs: 1}}}\n"
        "- {apiVersion: v1, kind: ResourceQuota, metadata: {name: a, namespace: c}, spec: *s}\n",
        "apiVersion: v1\nkind: List\nitems:\n"
        "- {apiVersion: v1, kind: ResourceQuota, metadata: {name: a, namespace: b}, "
        "spec: &s {hard: {count/jobs.batch: 1}}}\n"
        "- {apiVersion: v1, kind: ResourceQuota, metadata: {name: a, namespace: c}, spec: *s}\n",
    ),
    "a merge within the quota": (
        f"{HEAD}  hard:\n    <<: {{nvidia.com/gpu: 1}}\n    pods: 1\n",
        f"{HEAD}  hard:\n    <<: {{requests.nvidia.com/gpu: 1}}\n    pods: 1\n",
    ),
}

SHARED = (
    "apiVersion: v1\nkind: List\nitems:\n"
    "- {apiVersion: v1, kind: ResourceQuota, metadata: {name: a, namespace: b}, spec: {hard: &h {nvidia.com/gpu: 1}}}\n"
    "- apiVersion: v1\n  kind: Pod\n  metadata: {name: a, namespace: b}\n"
    "  spec: {containers: [{name: a, image: b, resources: {limits: *h}}]}\n"
)

FIXED = {
    **{f"name: {name}": (quota(before), quota(after)) for name, (before, after) in NAMES.items()},
    **{f"left: {name}": (quota(hard), quota(hard)) for name, hard in LEFT.items()},
    **{f"scope: {name}": pair for name, pair in SCOPES.items()},
    **{f"scope left: {name}": (text, text) for name, text in SCOPES_LEFT.items()},
    **WHOLE,
    "an anchor that serves something else": (SHARED, SHARED),
    "what is not in the list of rules": (
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {nvidia.com/gpu: x}\n",
    )
    * 2,
}

JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {name: migrate, namespace: team-a}
spec:
  activeDeadlineSeconds: 600 # ten minutes
  template:
    spec:
      # once
      restartPolicy: Never # at all
      containers: [{name: main, image: migrate}]
"""
SCOPED = f"{HEAD}  hard: {{pods: 4}}\n  scopes: [%s]\n---\n"
JOBS = {
    "the deadline of a Job": (
        SCOPED % "Terminating" + JOB,
        SCOPED % "Terminating" + JOB.replace("# at all\n", "# at all\n      activeDeadlineSeconds: 600\n"),
    ),
    "the other scope": (SCOPED % "NotTerminating" + JOB,) * 2,
    "a comment about what comes first": (
        SCOPED % "Terminating"
        + JOB.replace("      restartPolicy: Never # at all\n", "")
        .replace("containers: [", "containers:\n      - ")
        .replace("}]", "}"),
        SCOPED % "Terminating"
        + JOB.replace("      restartPolicy: Never # at all\n", "")
        .replace("containers: [", "containers:\n      - ")
        .replace("}]", "}")
        .replace("      # once\n", "      activeDeadlineSeconds: 600\n      # once\n"),
    ),
    "containers first": (
        SCOPED % "Terminating"
        + JOB.replace("      # once\n      restartPolicy: Never # at all\n", "").replace(
            "containers: [{name: main, image: migrate}]", "containers:\n      - name: main\n        image: migrate"
        ),
        SCOPED % "Terminating"
        + JOB.replace("      # once\n      restartPolicy: Never # at all\n", "").replace(
            "containers: [{name: main, image: migrate}]",
            "activeDeadlineSeconds: 600\n      containers:\n      - name: main\n        image: migrate",
        ),
    ),
}


@pytest.mark.parametrize(("before", "after"), JOBS.values(), ids=[*JOBS])
def test_the_deadline_of_a_job_is_a_decision(
    before: str, after: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.yaml"
    file.write_bytes(before.encode())
    monkeypatch.chdir(tmp_path)
    run(["check", "--quiet", "--fix", "."])
    assert file.read_text() == before
    run(["check", "--quiet", "--unsafe-fixes", "."])
    assert file.read_text() == after


@pytest.mark.parametrize(("before", "after"), FIXED.values(), ids=[*FIXED])
def test_fix_writes(before: str, after: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.yaml"
    file.write_bytes(before.encode())
    monkeypatch.chdir(tmp_path)
    run(["check", "--fix"])
    once = file.read_bytes().decode()
    run(["check", "--fix"])
    assert (once, file.read_bytes().decode(), sorted(tmp_path.iterdir())) == (after, after, [file])


JSON = (
    '{\n  "apiVersion": "v1", "kind": "ResourceQuota",\n  "metadata": {"name": "a", "namespace": "b"},\n'
    '  "spec": {\n    "hard": {\n%s\n    },\n    "scopeSelector": {"matchExpressions": [\n      {\n%s\n      }\n'
    "    ]}\n  }\n}"
)


def test_json_is_repaired_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.json"
    wrong = '      "count/jobs": "1",\n      "pods": 3,\n      "limits.nvidia.com/gpu": 2'
    file.write_text(JSON % (wrong, '        "scopeName": "PriorityClass",\n        "operator": "exists"'))
    monkeypatch.chdir(tmp_path)
    run(["check", "--fix"])
    right = '      "count/jobs.batch": "1",\n      "pods": 3,\n      "requests.nvidia.com/gpu": 2'
    assert file.read_text() == JSON % (right, '        "scopeName": "PriorityClass",\n        "operator": "Exists"')


@pytest.mark.parametrize("name", ["a.json", "a.yaml"])
def test_an_entry_is_added_to_json(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / name
    file.write_text(JSON % ('      "pods": 3', '        "scopeName": "Terminating"'))
    monkeypatch.chdir(tmp_path)
    run(["check", "--fix"])
    added = '        "scopeName": "Terminating",\n        "operator": "Exists"'
    assert file.read_text() == JSON % ('      "pods": 3', added)
