"""A change to a file that nobody applies, or that holds no object, has nothing judged, as long as only its names decide
anything; and what is said is what would be found out anew."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from edited_repositories import at_work
from git_repositories import Repository, deployment, quota
from kept_answers import anew, asked
from kept_answers import repository as small_repository
from test_compared_slices import ARGO, Files, compare

from quotalint.cli import comparing

JOB = deployment(9, "job", "team-e")
VALUES = "resources: {requests: {cpu: 1}}\n"
BASE: Files = {
    **{name: ARGO[name] for name in ("apps/e.yaml", "e/quota.yaml", "e/web.yaml")},
    "tools/job.yaml": JOB,
    "limits/quota.yaml": quota("pods: 9", namespace="team-x"),
    "values/shop.yaml": VALUES,
}
"""With folders that the one Application does not deploy."""
COMPONENT = """apiVersion: backstage.io/v1alpha1
kind: Component
metadata: {name: web}
spec: {type: service, owner: red}
"""
ENGINE = COMPONENT.replace("backstage.io", "example.net").replace("name: web", "name: web, namespace: team-e")
PLAIN: Files = {"e/quota.yaml": BASE["e/quota.yaml"], "e/web.yaml": BASE["e/web.yaml"], "list.yaml": "names: [web]\n"}
DECLARED = "---\n".join(
    f"apiVersion: v1\nkind: Namespace\nmetadata: {{name: {team}}}\n---\n{quota('pods: 9', namespace=team)}"
    for team in ("team-f", "team-g", "team-h")
)
MAKING = (
    "apiVersion: example.net/v1\nkind: App\nmetadata: {name: made, namespace: team-e}\nspec: {targetNamespace: made}\n"
)
UNDECLARED: Files = {**BASE, "e/all.yaml": DECLARED, "e/made.yaml": quota("pods: 9", namespace="made")}
"""With a quota of a namespace that nothing declares."""
EXTRA = "extraObjects: [{apiVersion: v1, kind: ResourceQuota, metadata: {name: all}, spec: {hard: {pods: 1}}}]\n"
FILLED_IN = deployment(1, "web", "team-e", "MAX_CPU")
CLAIM = """apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: team-e}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: DATA_SIZE}}}
"""
STORING = """apiVersion: apps/v1
kind: StatefulSet
metadata: {name: store, namespace: team-e}
spec:
  selector: {matchLabels: {app: store}}
  template:
    metadata: {labels: {app: store}}
    spec: {containers: [{name: store, image: store}]}
  volumeClaimTemplates:
    - {metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: DATA_SIZE}}}}
"""
FILLING = "on: push\njobs: {build: {steps: [{run: sed -i s/DATA_SIZE/1Gi/ e/data.yaml}]}}\n"
SET = """apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: all, namespace: argocd}
spec:
  generators: [{git: {repoURL: "https://example.com/here.git", revision: HEAD, files: [{path: "teams/*.yaml"}]}}]
  template:
    metadata: {name: "{{team}}"}
    spec:
      project: default
      source: {repoURL: "https://example.com/here.git", path: f}
      destination: {server: "https://kubernetes.default.svc", namespace: "{{team}}"}
"""

OF_NOTHING: Mapping[str, tuple[Files, Files]] = {
    "what nobody applies": (BASE, {"tools/job.yaml": deployment(90, "job", "team-e", "100")}),
    "an entry of a catalogue": ({**BASE, "catalogue/web.yaml": COMPONENT}, {"catalogue/web.yaml": COMPONENT + "\n# x"}),
    "what an entry of a catalogue says": (
        {**BASE, "catalogue/web.yaml": COMPONENT},
        {"catalogue/web.yaml": COMPONENT.replace("red", "blue")},
    ),
    "values of a chart that is elsewhere": (
        BASE,
        {"values/shop.yaml": VALUES.replace("1", "2") + "replicas: 3\n"},
    ),
    "a custom resource of which nothing is known": (
        {**PLAIN, "e/engine.yaml": ENGINE},
        {"e/engine.yaml": ENGINE.replace("red", "blue")},
    ),
    "a list of words": (PLAIN, {"list.yaml": "names: [web, worker]\n"}),
}
OF_MORE: Mapping[str, tuple[Files, Files]] = {
    "another name of what nobody applies": (BASE, {"tools/job.yaml": deployment(9, "web", "team-e")}),
    "where something that nobody applies makes a namespace": (
        {**UNDECLARED, "tools/app.yaml": MAKING},
        {"tools/app.yaml": MAKING.replace("Namespace: made", "Namespace: other")},
    ),
    "half an object that nobody applies": (
        BASE,
        {"tools/job.yaml": JOB.replace("    spec:\n      cont", "    x:\n      cont")},
    ),
    "a quota that nobody applies": (BASE, {"limits/quota.yaml": quota("pods: x", namespace="team-x")}),
    "a quota among values": (
        {**BASE, "values/extra.yaml": EXTRA},
        {"values/extra.yaml": EXTRA.replace("ResourceQuota", "LimitRange")},
    ),
    "a script that fills in an amount": (
        {**PLAIN, "e/web.yaml": FILLED_IN, "Taskfile.yml": "vars: {MAX_CPU: 2}\n"},
        {"Taskfile.yml": "vars: {OTHER: 2}\n"},
    ),
    "a script that fills in a quota": (
        {**PLAIN, "e/quota.yaml": quota("pods: MAX_PODS", namespace="team-e"), "Taskfile.yml": "vars: {MAX_PODS: 2}\n"},
        {"Taskfile.yml": "vars: {OTHER: 2}\n"},
    ),
    "a workflow that fills in how large a claim is": (
        {**PLAIN, "e/data.yaml": CLAIM, ".github/workflows/build.yaml": FILLING},
        {".github/workflows/build.yaml": FILLING.replace("DATA_SIZE", "OTHER")},
    ),
    "one that fills in how large those of a StatefulSet are": (
        {**PLAIN, "e/data.yaml": STORING, ".github/workflows/build.yaml": FILLING},
        {".github/workflows/build.yaml": FILLING.replace("DATA_SIZE", "OTHER")},
    ),
    "what an ApplicationSet reads": (
        {**BASE, "apps/all.yaml": SET, "teams/f.yaml": "team: team-f\n", "f/web.yaml": deployment(1, "web", "")},
        {"teams/f.yaml": "team: team-g\n"},
    ),
    "an object among values": (BASE, {"values/shop.yaml": deployment(1, "more", "team-e")}),
    "what a custom resource declares": (
        {**PLAIN, "e/engine.yaml": ENGINE},
        {"e/engine.yaml": ENGINE + "template: {apiVersion: v1, kind: Namespace, metadata: {name: team-x}}\n"},
    ),
    "a list of releases": (PLAIN, {"list.yaml": "releases: [{name: web, namespace: team-x, chart: ./web}]\n"}),
    "a list of resources": (PLAIN, {"list.yaml": "resources: [e/web.yaml]\n"}),
    "what could not be read before": (
        {**BASE, "values/shop.yaml": "a: {{ .b }}\n"},
        {"values/shop.yaml": "a: {{ .c }}\n"},
    ),
}


@pytest.fixture
def repository(remembered_repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Repository:
    monkeypatch.setattr(comparing, "NOTED_FROM", 0)
    return remembered_repository


@pytest.mark.parametrize("change", OF_NOTHING.values(), ids=OF_NOTHING)
def test_what_only_has_a_name_is_not_judged(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, change: tuple[Files, Files]
) -> None:
    assert "everything" not in compare(repository, monkeypatch, *change)


@pytest.mark.parametrize("change", OF_MORE.values(), ids=OF_MORE)
def test_whatever_else_may_be_made_of_it_is_looked_at(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, change: tuple[Files, Files]
) -> None:
    assert compare(repository, monkeypatch, *change).count("everything") == 2


DECIDING = {
    "a configuration that is named": ("judged.yaml", ("--config", "judged.yaml")),
    "one that another extends": ("judged.yaml", ()),
    "one that is called as a file of Terraform": ("judged.tf", ()),
    "a baseline that is named": ("judged.yaml", ("--baseline", "judged.yaml")),
}


@pytest.mark.parametrize("kind", DECIDING)
def test_what_decides_how_everything_is_judged_is_looked_at(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though it holds no object either."""
    name, options = DECIDING[kind]
    with at_work(monkeypatch, small_repository) as top:
        if not options:
            (top / ".quotalint.yaml").write_text(f"extends: {name}\n")
        is_baseline = "--baseline" in options
        (top / name).write_text("findings: []\n" if is_baseline else "scenario: surge\n")
        assert asked("check", *options) == anew("check", *options)
        if is_baseline:
            asked("check", "--write-baseline", *options)
        else:
            (top / name).write_text("severity: {QL301: info}\n")
        answer = asked("check", *options)
        assert answer == anew("check", *options)
        assert answer.status == 0
