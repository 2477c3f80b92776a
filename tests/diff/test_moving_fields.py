"""Fields that are no number, and that what is counted depends on all the same."""

from __future__ import annotations

from typing import Any

from git_repositories import Repository, autoscaler, deployment, quota
from test_attribution import markdown_of


def test_an_init_container_that_becomes_a_sidecar_is_a_cause(repository: Repository, capsys: Any) -> None:
    init = "      initContainers:\n        - name: i\n          resources: {requests: {cpu: 500m}}\n      containers:"
    web = deployment(2).replace("      containers:", init)
    start = {"q.yaml": quota("requests.cpu: 2"), "web.yaml": web}
    change = {"web.yaml": web.replace("name: i\n", "name: i\n          restartPolicy: Always\n")}
    assert "because restartPolicy of `web` is set to Always (`web.yaml:13`)" in markdown_of(
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
