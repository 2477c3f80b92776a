"""Fields that are no number, and that what is counted depends on all the same."""

from __future__ import annotations

from typing import Any

import pytest
from attributed_causes import cause_of
from git_repositories import Repository, autoscaler, deployment, quota
from test_attribution import markdown_of


def test_an_init_container_that_becomes_a_sidecar_is_a_cause(repository: Repository, capsys: Any) -> None:
    init = "      initContainers:\n        - name: i\n          resources: {requests: {cpu: 500m}}\n      containers:"
    web = deployment(2).replace("      containers:", init)
    start = {"q.yaml": quota("requests.cpu: 2"), "web.yaml": web}
    change = {"web.yaml": web.replace("name: i\n", "name: i\n          restartPolicy: Always\n")}
    assert "because restartPolicy of init container `i` of `web` is set to Always (`web.yaml:13`)" in markdown_of(
        repository, capsys, start, change
    )


def test_what_makes_pods_best_effort_is_a_cause(repository: Repository, capsys: Any) -> None:
    best_effort = quota("pods: 1", more="  scopes: [BestEffort]\n")
    web = deployment(2).partition("        - {name: web")[0] + "        - name: web\n"
    start = {"q.yaml": best_effort, "web.yaml": web + "          resources: {requests: {memory: 1Mi}}\n"}
    change = {"web.yaml": web + "          resources: {}\n"}
    text = markdown_of(repository, capsys, start, change)
    assert "because requests.memory of `web` is not set any more" in text


DEFAULTS = """\
apiVersion: v1
kind: LimitRange
metadata: {name: defaults, namespace: team-a}
spec: {limits: [{type: Container, defaultRequest: {cpu: 500m}}]}
"""


def test_a_request_that_is_written_out_as_it_was_is_no_cause(repository: Repository, capsys: Any) -> None:
    """It came from a LimitRange; what comes with it decides."""
    written = deployment(2, cpu="500m")
    web = written.replace("{requests: {cpu: '500m'}}", "{}")
    start = {"q.yaml": quota("requests.cpu: 2"), "defaults.yaml": DEFAULTS, "web.yaml": web}
    text = markdown_of(repository, capsys, start, {"web.yaml": written, "hpa.yaml": autoscaler(2, 9)})
    assert "because HorizontalPodAutoscaler `web` is new (`hpa.yaml:4`)" in text


@pytest.mark.parametrize(("resources", "is_cause"), [("{requests: {cpu: '1'}}", False), ("{}", True)])
def test_defaults_that_come_with_a_quota_are_a_cause_where_they_fill_something_in(
    resources: str, is_cause: bool, repository: Repository, capsys: Any
) -> None:
    web = deployment(2).replace("{requests: {cpu: '1'}}", resources)
    change = {"q.yaml": quota("requests.cpu: 500m"), "defaults.yaml": DEFAULTS}
    text = markdown_of(repository, capsys, {"web.yaml": web}, change)
    assert "because quota `base` is new and allows requests.cpu 500m" in text
    assert ("LimitRange `defaults` is new" in text) == is_cause


def test_what_two_containers_have_in_common_is_told_once(repository: Repository, capsys: Any) -> None:
    web = deployment(2, cpu="500m")
    both = web + "        - {name: log, image: log, resources: {requests: {cpu: '500m'}}}\n"
    start = {"q.yaml": quota("requests.cpu: 2"), "web.yaml": both}
    text = markdown_of(repository, capsys, start, {"web.yaml": both.replace("'500m'", "'2'")})
    assert "because requests.cpu of `web` goes from 500m to 2 (`web.yaml:12`)" in text


def test_another_class_of_volume_attributes_is_a_cause(repository: Repository, capsys: Any) -> None:
    scope = "{scopeName: VolumeAttributesClass, operator: In, values: [gold]}"
    gold = quota("requests.storage: 10Gi", more=f"  scopeSelector: {{matchExpressions: [{scope}]}}\n")
    claim = (
        "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data, namespace: team-a}\nspec:\n"
        "  volumeAttributesClassName: silver\n  resources: {requests: {storage: 20Gi}}\n"
    )
    start = {"q.yaml": gold, "data.yaml": claim}
    change = {"data.yaml": claim.replace("silver", "gold")}
    text = markdown_of(repository, capsys, start, change)
    assert "because volumeAttributesClassName of `data` goes from silver to gold (`data.yaml:5`)" in text


def test_more_jobs_that_are_kept_are_a_cause(repository: Repository, capsys: Any) -> None:
    pod = "{spec: {restartPolicy: Never, containers: [{name: a, image: a}]}}"
    night = (
        "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: night, namespace: team-a}\nspec:\n"
        f"  schedule: 0 3 * * *\n  successfulJobsHistoryLimit: 1\n  jobTemplate: {{spec: {{template: {pod}}}}}\n"
    )
    start = {"q.yaml": quota("count/jobs.batch: 4"), "night.yaml": night}
    change = {"night.yaml": night.replace("Limit: 1", "Limit: 5")}
    text = markdown_of(repository, capsys, start, change)
    assert "because successfulJobsHistoryLimit of `night` goes from 1 to 5 (`night.yaml:6`)" in text


def test_other_nodes_are_a_cause_of_what_has_a_pod_on_each(repository: Repository, capsys: Any) -> None:
    def agent(kind: str, pool: str, more: str = "") -> str:
        return (
            f"apiVersion: apps/v1\nkind: {kind}\nmetadata: {{name: agent, namespace: team-a}}\nspec:\n{more}"
            "  selector: {matchLabels: {a: b}}\n  template:\n    metadata: {labels: {a: b}}\n    spec:\n"
            f"      nodeSelector: {{pool: {pool}}}\n      containers: [{{name: a, image: a}}]\n"
        )

    nodes = "nodes: {pool=few: 2, pool=many: 6}\n"
    start = {"q.yaml": quota("pods: 4"), "agent.yaml": agent("DaemonSet", "few"), ".quotalint.yaml": nodes}
    text = markdown_of(repository, capsys, start, {"agent.yaml": agent("DaemonSet", "many")})
    assert "because nodeSelector.pool of `agent` goes from few to many (`agent.yaml:9`)" in text
    fewer = agent("Deployment", "few", "  replicas: 2\n  strategy: {type: Recreate}\n")
    more = agent("Deployment", "many", "  replicas: 6\n  strategy: {type: Recreate}\n")
    text = markdown_of(repository, capsys, {"agent.yaml": fewer}, {"agent.yaml": more})
    assert "because `agent` goes from 2 to 6 replicas (`agent.yaml:5`)" in text


def claim_template(name: str, devices: int) -> str:
    """A template of claims for some devices of the class gpu."""
    request = f"{{name: r, exactly: {{deviceClassName: gpu, count: {devices}}}}}"
    return (
        f"apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {{name: {name}, namespace: team-a}}\n"
        f"spec: {{spec: {{devices: {{requests: [{request}]}}}}}}\n"
    )


def test_the_template_of_resource_claims_is_a_cause(repository: Repository, capsys: Any) -> None:
    claims = "      resourceClaims: [{name: g, resourceClaimTemplateName: two}]\n      containers:"
    start = {
        "q.yaml": quota("gpu.deviceclass.resource.k8s.io/devices: 4"),
        "web.yaml": deployment(3).replace("      containers:", claims),
        "one.yaml": claim_template("one", 1),
        "two.yaml": claim_template("two", 1),
    }
    change = {"one.yaml": claim_template("one", 3), "two.yaml": claim_template("two", 2)}
    text = markdown_of(repository, capsys, start, change)
    assert "because count of ResourceClaimTemplate `two` goes from 1 to 2 (`two.yaml:4`).\\" in text


def test_the_name_that_a_device_class_gets_is_a_cause(repository: Repository, capsys: Any) -> None:
    gpu = "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu}\nspec:\n  selectors: []\n"
    claim = (
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: g, namespace: team-a}\n"
        "spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, count: 3}}]}}\n"
    )
    start = {
        "q.yaml": quota("requests.example.com/gpu: 2"),
        "gpu.yaml": gpu,
        "claim.yaml": claim,
        ".quotalint.yaml": "kubeVersion: '1.36'\n",
    }
    change = {"gpu.yaml": f"{gpu}  extendedResourceName: example.com/gpu\n"}
    text = markdown_of(repository, capsys, start, change)
    assert "because extendedResourceName of DeviceClass `gpu` is set to example.com/gpu (`gpu.yaml:6`)" in text


WIDGET = (
    "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: web, namespace: team-a}\nspec:\n"
    "  title: ONE\n  width: FEW\n  pod: {spec: {containers: [{name: a, image: a}]}}\n"
)
KNATIVE = (
    "apiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: {name: web, namespace: team-a}\nspec:\n  template:\n"
    "    metadata:\n      annotations:\n        autoscaling.knative.dev/min-scale: 'FEW'\n        note: ONE\n"
    "    spec: {containers: [{image: a}]}\n"
)
GROUPS = (
    "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata: {name: web, namespace: team-a}\n"
    "spec:\n  replicas: 1\n  leaderWorkerTemplate:\n    size: FEW\n"
    "    workerTemplate: {spec: {containers: [{name: a, image: ONE}]}}\n"
)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        pytest.param(WIDGET, "web.yaml:6 Widget web: width 2 → 6", id="a kind that the configuration describes"),
        pytest.param(KNATIVE, "web.yaml:8 Service web: autoscaling.knative.dev/min-scale 2 → 6", id="Knative"),
        pytest.param(GROUPS, "web.yaml:7 LeaderWorkerSet web: size 2 → 6", id="groups of pods"),
    ],
)
def test_the_number_of_other_kinds_is_a_cause(text: str, cause: str, repository: Repository, capsys: Any) -> None:
    described = "workloads:\n  Widget: {podTemplate: spec.pod, replicas: spec.width}\n"
    small, large = (
        text.replace("FEW", number).replace("ONE", word) for number, word in (("2", "one"), ("6", "another"))
    )
    start = {"q.yaml": quota("pods: 3"), "web.yaml": small, ".quotalint.yaml": described}
    assert cause_of(repository, capsys, start, {"web.yaml": large}) == [cause]


def test_a_hook_that_is_none_any_more_is_a_cause(repository: Repository, capsys: Any) -> None:
    job = (
        "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: load\n  namespace: team-a\n  annotations:\n    a: b\n"
        "    argocd.argoproj.io/hook: PreSync\nspec:\n  parallelism: 4\n"
        "  template: {spec: {restartPolicy: Never, containers: [{name: a, image: a}]}}\n"
    )
    start = {"q.yaml": quota("pods: 3"), "load.yaml": job}
    change = {"load.yaml": job.replace("    argocd.argoproj.io/hook: PreSync\n", "")}
    cause = cause_of(repository, capsys, start, change)
    assert cause == ["load.yaml:8 Job load: argocd.argoproj.io/hook PreSync → unset"]
