"""What says the same of several quotas, or of several containers, is said once to people, and keeps its parts for
programs."""

from __future__ import annotations

import json
import re

import pytest
from workspace import Workspace

from quotalint.catalogue import Rule, rule_by_id, rule_ids

QUOTA = """\
apiVersion: v1
kind: ResourceQuota
metadata: {{name: {name}, namespace: ci}}
spec: {{hard: {{{hard}}}}}
"""
WORKLOAD = """\
apiVersion: apps/v1
kind: Deployment
metadata: {{name: {name}, namespace: ci}}
spec:
  replicas: {replicas}
  strategy: {{type: Recreate}}
  selector: {{matchLabels: {{app: a}}}}
  template:
    metadata: {{labels: {{app: a}}}}
    spec:
      containers:
      - {{name: app, image: a, resources: {{requests: {{cpu: "2"}}, limits: {{cpu: "2"}}}}}}
      - {{name: side, image: a, resources: {{requests: {{cpu: "3"}}, limits: {{cpu: "3"}}}}}}
"""
BOUNDS = """\
apiVersion: v1
kind: LimitRange
metadata: {name: bounds, namespace: ci}
spec: {limits: [{type: Container, max: {cpu: "1"}}]}
"""


def three(*hards: str) -> dict[str, str]:
    names = ("gcc", "node", "strace")
    return {f"{name}.yaml": QUOTA.format(name=name, hard=hard) for name, hard in zip(names, hards, strict=True)}


def test_quotas_that_are_short_of_the_same_are_one_finding(workspace: Workspace) -> None:
    workspace.put({**three(*['requests.cpu: "8"'] * 3), "w.yaml": WORKLOAD.format(name="w", replicas=2)})
    status, text, _ = workspace.text("check")
    assert status == 1
    assert "ci asks for requests.cpu 10; quotas gcc, node and strace allow 8 each" in text
    assert "raise requests.cpu to 10 or more in each of these quotas" in text
    assert text.count("QL301") == 2  # its head, and `quotalint explain`
    assert "1 error in 4 files (1 namespace, 3 quotas)." in text
    assert [line.split(":")[0] for line in text.splitlines() if "quota node" in line or "quota strace" in line] != []


def test_the_place_is_that_of_the_quota_that_is_short_of_most(workspace: Workspace) -> None:
    workspace.put(
        {
            **three('requests.cpu: "9"', 'requests.cpu: "7"', 'requests.cpu: "8"'),
            "w.yaml": WORKLOAD.format(name="w", replicas=2),
        }
    )
    _, text, _ = workspace.text("check", "--quiet")
    (line,) = [line for line in text.splitlines() if "QL301" in line]
    assert line.startswith("node.yaml:4:")
    assert line.endswith("ci asks for requests.cpu 10; quotas node, gcc and strace allow 7, 9 and 8")


@pytest.mark.parametrize("name", ["github", "markdown"])
def test_annotations_and_markdown_say_it_once(workspace: Workspace, name: str) -> None:
    workspace.put({**three(*['requests.cpu: "8"'] * 3), "w.yaml": WORKLOAD.format(name="w", replicas=2)})
    _, text, _ = workspace.text("check", "--format", name)
    assert text.count("asks for requests.cpu 10") == 1


def test_programs_are_told_each(workspace: Workspace) -> None:
    workspace.put({**three(*['requests.cpu: "8"'] * 3), "w.yaml": WORKLOAD.format(name="w", replicas=2)})
    _, text, _ = workspace.text("check", "--format", "json")
    findings = [finding for finding in json.loads(text)["findings"] if finding["rule"] == "QL301"]
    assert len(findings) == 3
    assert len({finding["fingerprint"] for finding in findings}) == 3


def test_a_quota_of_another_sum_stands_by_itself(workspace: Workspace) -> None:
    workspace.put(
        {**three('requests.cpu: "8"', 'limits.cpu: "8"', 'pods: "1"'), "w.yaml": WORKLOAD.format(name="w", replicas=2)}
    )
    _, text, _ = workspace.text("check", "--quiet")
    assert text.count("QL301") == 3


def test_what_a_limit_range_refuses_of_one_workload_is_one_finding(workspace: Workspace) -> None:
    workspace.put(
        {
            "bounds.yaml": BOUNDS,
            "w.yaml": WORKLOAD.format(name="w", replicas=2),
            "v.yaml": WORKLOAD.format(name="v", replicas=1),
        }
    )
    _, text, _ = workspace.text("check", "--quiet")
    refused = [line for line in text.splitlines() if "QL402" in line]
    assert len(refused) == 2  # one for each workload
    assert "container app: maximum cpu usage per Container is 1, but limit is 2; container side: " in refused[0]


def with_one_container(name: str, requests: str) -> str:
    """A Deployment whose container is called as it is."""
    containers = f"- {{name: {name}, image: a, resources: {{requests: {{{requests}}}}}}}\n"
    return WORKLOAD.format(name=name, replicas=1).partition("- {name: app")[0] + containers


def test_workloads_that_break_the_same_bounds_are_one_finding_whatever_their_containers_are_called(
    workspace: Workspace,
) -> None:
    small = {
        f"{name}.yaml": with_one_container(name, "cpu: 100m, memory: 128Mi") for name in ("auth", "budget", "mail")
    }
    workspace.put(
        {
            "bounds.yaml": BOUNDS.replace('max: {cpu: "1"}', "min: {cpu: 250m, memory: 1Gi}"),
            "smaller.yaml": with_one_container("smaller", "cpu: 50m, memory: 128Mi"),
            **small,
        }
    )
    _, text, _ = workspace.text("check")
    assert text.count("error  QL402") == 2
    assert "The pods of Deployment auth are refused by LimitRange bounds: container auth: " in text
    assert re.search("also +Deployment budget +budget.yaml:[0-9]+\n +Deployment mail +mail.yaml", text)


@pytest.mark.parametrize(
    ("hard", "message", "cure"),
    [
        (
            "pod: 1, secret: 1",
            "`pod` and `secret` are not resources that a quota can limit",
            "write `pods` and `secrets`",
        ),
        (
            "a.io/gpu: 1, limits.b.io/gpu: 1",
            "Nothing enforces a.io/gpu and limits.b.io/gpu: the API server accepts the names",
            "write requests.a.io/gpu and requests.b.io/gpu instead",
        ),
        (
            "a.io/gpu: 1, requests.a.io/gpu: 1, limits.a.io/gpu: 1",
            "Nothing enforces a.io/gpu and limits.a.io/gpu: of the two names",
            "remove a.io/gpu and limits.a.io/gpu; what is enforced is requests.a.io/gpu",
        ),
        (
            "count/secret: 1, count/pod: 1",
            "Nothing enforces count/secret and count/pod: Kubernetes has no namespaced resources of these names",
            "write count/secrets and count/pods instead",
        ),
    ],
)
def test_entries_of_a_quota_with_one_mistake_are_one_finding(
    hard: str, message: str, cure: str, workspace: Workspace
) -> None:
    workspace.put({"q.yaml": QUOTA.format(name="base", hard=hard.replace(", ", ",\n  "))})
    _, text, _ = workspace.text("check")
    words = " ".join(text.split())
    assert message in words
    assert cure in words
    assert re.search(r"also +\S+ +q.yaml:[56]\n", text)
    assert len(workspace.report("check")["findings"]) == 2


def test_what_stands_on_the_same_line_is_not_pointed_at_again(workspace: Workspace) -> None:
    workspace.put({"q.yaml": QUOTA.format(name="base", hard="pod: 1, secret: 1")})
    _, text, _ = workspace.text("check")
    assert "`pod` and `secret`" in text
    assert not re.search(r"also +`secret`", text)


def test_entries_that_a_scope_does_not_admit_and_classes_that_are_not_defined_are_one_finding_each(
    workspace: Workspace,
) -> None:
    classes = "".join(
        f"---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {{name: {name}}}\nvalue: 1\n"
        for name in ("first", "second")
    )
    quota = """\
apiVersion: v1
kind: ResourceQuota
metadata: {name: base, namespace: ci}
spec:
  hard: {services: 1, secrets: 1}
  scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [high, low]}]}
"""
    workspace.put({"q.yaml": quota + classes})
    words = " ".join(workspace.text("check")[1].split())
    assert "may not limit services and secrets, so the API server refuses" in words
    assert "names the PriorityClasses high and low, which this repository does not define" in words
    assert "define the PriorityClasses high and low" in words


def test_objects_of_a_namespace_that_cannot_exist_are_listed_with_the_first(workspace: Workspace) -> None:
    manifest = "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c{number:02}, namespace: Shop}}\n"
    workspace.put({f"{number:02}.yaml": manifest.format(number=number) for number in range(12)})
    _, text, _ = workspace.text("check")
    assert text.count("which cannot exist") == 1
    assert re.search(r"also +ConfigMap c01 +01.yaml:3\n +ConfigMap c02 ", text)
    assert re.search(r"and +3 more objects\n", text)
    assert len(workspace.report("check")["findings"]) == 12


MERGED = [rule for rule_id in rule_ids() if (rule := rule_by_id(rule_id)).alike is not None]


@pytest.mark.parametrize("rule", MERGED, ids=lambda rule: str(rule.id))
def test_every_text_about_one_has_its_words_about_several(rule: Rule) -> None:
    """A phrase that gives way stands in the message or the help; what takes its place names lists that there are."""
    assert rule.alike is not None
    for phrase, instead in rule.alike.instead.items():
        texts = rule.message if any(phrase in text for text in rule.message.values()) else rule.help
        assert any(phrase in text for text in texts.values()), phrase
        named = set(re.findall(r"\{(\w+)\}", instead)) - set(re.findall(r"\{(\w+)\}", phrase))
        assert named <= set(rule.alike.lists), phrase
    if "quota" in rule.alike.by:
        return  # it lists entries of one quota
    about_one = re.compile(r"\bquota \{quota\}")
    for text in rule.message.values():
        for phrase, instead in rule.alike.instead.items():
            text = text.replace(phrase, instead)
        assert not about_one.search(text), text


def overlays(*names: str, replicas: str = "") -> dict[str, str]:
    """One base of a quota that its Deployment does not fit, and overlays that put it into namespaces of their own."""
    files = {
        "base/kustomization.yaml": "resources: [quota.yaml, web.yaml]\n",
        "base/quota.yaml": QUOTA.format(name="base", hard='\n  requests.cpu: "8"\n'),
        "base/web.yaml": WORKLOAD.format(name="web", replicas=2),
    }
    files |= {f"overlays/{name}/kustomization.yaml": f"namespace: {name}\nresources: [../../base]\n" for name in names}
    if replicas:
        files[f"overlays/{names[0]}/kustomization.yaml"] += f"replicas: [{{name: web, count: {replicas}}}]\n"
    return files


def test_what_one_line_brings_about_in_several_namespaces_is_one_finding(workspace: Workspace) -> None:
    workspace.put(overlays("dev", "prod", "test"))
    _, text, _ = workspace.text("check")
    assert text.count("QL301") == 2  # its head, and `quotalint explain`
    assert "dev asks for requests.cpu 10; quota base allows 8" in text
    assert re.search(
        "also for +namespace prod +overlays/prod/kustomization.yaml:2\n +namespace test +overlays/test", text
    )
    assert "1 error in " in text
    report = json.loads(workspace.text("check", "--format", "json")[1])
    assert sorted(finding["namespace"] for finding in report["findings"] if finding["rule"] == "QL301") == [
        "dev",
        "prod",
        "test",
    ]


UNNUMBERED = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a}]}}}
"""


def quotas_of_their_own(*quotas: str) -> dict[str, str]:
    """A Deployment without numbers, and overlays with quotas that are called after them."""
    files = {"base/kustomization.yaml": "resources: [web.yaml]\n", "base/web.yaml": UNNUMBERED}
    for stage in ("dev", "prod"):
        kustomization = f"namespace: shop-{stage}\nresources: [../../base, quota.yaml]\n"
        named = [QUOTA.format(name=name.format(stage), hard="requests.cpu: 8") for name in quotas]
        files[f"overlays/{stage}/kustomization.yaml"] = kustomization
        files[f"overlays/{stage}/quota.yaml"] = "---\n".join(named)
    return files


def test_quotas_that_each_namespace_names_its_own_way_refuse_one_line_once(workspace: Workspace) -> None:
    workspace.put(quotas_of_their_own("{}-quota"))
    _, text, _ = workspace.text("check")
    assert "1 error in " in text
    assert "because quota dev-quota requires" in " ".join(text.split())
    assert re.search("also for +namespace shop-prod, by quota prod-quota +overlays/prod/kustomization.yaml:2\n", text)
    findings = workspace.report("check")["findings"]
    assert sorted(finding["namespace"] for finding in findings) == ["shop-dev", "shop-prod"]


def test_a_bound_of_limit_ranges_with_names_of_their_own_is_broken_once(workspace: Workspace) -> None:
    files = quotas_of_their_own("{}-limits")
    for stage in ("dev", "prod"):
        limits = "{limits: [{type: Container, max: {cpu: 1}}]}"
        files[f"overlays/{stage}/quota.yaml"] = (
            f"{{apiVersion: v1, kind: LimitRange, metadata: {{name: {stage}-limits}}, spec: {limits}}}\n"
        )
    files["base/web.yaml"] = UNNUMBERED.replace("name: a}", "name: a, resources: {limits: {cpu: 2}}}")
    workspace.put(files)
    _, text, _ = workspace.text("check")
    assert "1 error in " in text
    assert "namespace shop-prod, by LimitRange prod-limits" in text


def test_namespaces_with_two_quotas_each_are_one_finding_with_both(workspace: Workspace) -> None:
    workspace.put(quotas_of_their_own("{}-a", "{}-b"))
    text = " ".join(workspace.text("check")[1].split())
    assert "1 error in " in text
    assert "because quotas dev-a and dev-b require" in text
    assert "namespace shop-prod, by quotas prod-a and prod-b" in text


def test_namespaces_in_which_the_amounts_differ_stay_apart(workspace: Workspace) -> None:
    workspace.put(overlays("dev", "prod", "test", replicas="3"))
    _, text, _ = workspace.text("check", "--quiet")
    first, second = [line for line in text.splitlines() if "QL301" in line]
    assert "dev asks for requests.cpu 15" in first
    assert "prod asks for requests.cpu 10" in second


def test_namespaces_that_are_too_many_to_name_are_counted(workspace: Workspace) -> None:
    workspace.put(overlays(*(f"team-{number:02}" for number in range(12))))
    _, text, _ = workspace.text("check")
    assert "3 more namespaces" in text
    assert text.count("namespace team-") == 8


def test_entries_that_the_same_quota_shadows_are_one_finding(workspace: Workspace) -> None:
    low, high = "pods: 2, services: 3", "pods: 9, services: 9"
    workspace.put({"a.yaml": QUOTA.format(name="low", hard=low), "b.yaml": QUOTA.format(name="high", hard=high)})
    _, text, _ = workspace.text("check")
    words = "pods 9 and services 9 of quota high are never reached: pods 2 and services 3 of quota low count at least"
    assert words in " ".join(text.split())
    assert text.count("QL206") == 2  # its head, and `quotalint explain`


def unlimited(name: str, container: str = "app") -> str:
    spec = f"{{containers: [{{name: {container}, image: a}}]}}"
    return f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}, namespace: ci}}\nspec: {spec}\n"


def test_fields_that_resources_do_not_have_are_one_finding_with_each_place(workspace: Workspace) -> None:
    pod = unlimited("a").replace("image: a", "image: a, resources: {\n worker: {},\n web: {},\n api: {}}")
    workspace.put({"q.yaml": QUOTA.format(name="compute", hard='pods: "8"'), "a.yaml": pod})
    _, text, _ = workspace.text("check")
    unknown = [f'unknown field "spec.containers[0].resources.{name}"' for name in ("api", "web", "worker")]
    assert f"strict decoding error: {', '.join(unknown)}" in " ".join(text.split())
    also = r"also +spec.containers\[0\].resources.web +a.yaml:6\n +spec.containers\[0\].resources.api +a.yaml:7\n"
    assert re.search(also, text)
    assert "correct the name or the indentation" in text
    assert len(workspace.report("check")["findings"]) == 3
