"""What several workloads, or several entries of a quota, are short of for one reason is one finding in the text for
people, with the others listed."""

from __future__ import annotations

import re

import pytest
from deployer_objects import argo_application
from test_alike import QUOTA, WORKLOAD, unlimited
from workspace import Workspace

MAXIMA = {"a": 4, "b": 5, "c": 6}
AUTOSCALER = """\
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: {name}, namespace: ci}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: {name}}}
  minReplicas: 2
  maxReplicas: {most}
"""


def scaled(pods: int) -> dict[str, str]:
    """Three Deployments of two pods, each with an autoscaler, under a quota for so many pods."""
    workloads = {
        f"{name}.yaml": WORKLOAD.format(name=name, replicas=2) + AUTOSCALER.format(name=name, most=most)
        for name, most in MAXIMA.items()
    }
    return {"q.yaml": QUOTA.format(name="compute", hard=f"pods: {pods}"), **workloads}


def test_workloads_that_are_refused_for_one_reason_are_listed_with_the_first(workspace: Workspace) -> None:
    quota = QUOTA.format(name="compute", hard='requests.cpu: "8"')
    workspace.put({"q.yaml": quota, **{f"{name}.yaml": unlimited(name, f"c-{name}") for name in "abc"}})
    _, text, _ = workspace.text("check")
    assert text.count("must specify") == 1
    assert re.search(r"also +Pod b: c-b +b.yaml:4\n +Pod c: c-c +c.yaml:4\n", text)
    assert "3 errors in 4 files" in text
    assert workspace.text("check", "--verbose")[1].count("must specify") == 3
    assert workspace.text("check", "--quiet")[1].count("must specify") == 3


def test_workloads_that_lack_something_else_are_said_by_themselves(workspace: Workspace) -> None:
    quota = QUOTA.format(name="compute", hard='requests.cpu: "8", limits.cpu: "8"')
    half = unlimited("b").replace("image: a", 'image: a, resources: {requests: {cpu: "1"}}')
    workspace.put({"q.yaml": quota, "a.yaml": unlimited("a"), "b.yaml": half})
    assert workspace.text("check")[1].count("must specify") == 2


def test_autoscalers_that_what_is_full_at_rest_stops_are_listed_with_the_first(workspace: Workspace) -> None:
    workspace.put(scaled(5))
    _, text, _ = workspace.text("check", "--select", "QL304")
    assert text.count("warning  QL304") == 1
    assert "a cannot bring Deployment a to 4 pods: that needs pods 8" in " ".join(text.split())
    assert re.search(r"also +HorizontalPodAutoscaler b: pods 9 .*\n +HorizontalPodAutoscaler c: pods 10 ", text)
    assert "3 warnings in 4 files" in text


def test_autoscalers_of_a_quota_that_is_exceeded_at_rest_are_named_there(workspace: Workspace) -> None:
    """What is left of it, 3 of 18, is too little for any pod."""
    workspace.put({**scaled(99), "q.yaml": QUOTA.format(name="compute", hard='requests.cpu: "18"')})
    _, text, _ = workspace.text("check")
    assert text.count("warning  QL304") == 0
    assert re.search(r"also short +during rollouts of a \(QL302\) and under load of a, b, c \(QL304\)", text)
    assert "4 of them follow from others, and are named there" in text
    _, verbose, _ = workspace.text("check", "--verbose")
    assert verbose.count("warning  QL304") == 3 and "also short" not in verbose


def test_autoscalers_that_have_some_room_are_said_each(workspace: Workspace) -> None:
    """Each stops at another number, which can be written as its maximum."""
    workspace.put(scaled(7))
    assert workspace.text("check", "--select", "QL304")[1].count("warning  QL304") == 3


def test_of_many_workloads_the_last_are_counted(workspace: Workspace) -> None:
    quota = QUOTA.format(name="compute", hard='requests.cpu: "8"')
    workspace.put({"q.yaml": quota, **{f"p{number}.yaml": unlimited(f"p{number}") for number in range(10, 22)}})
    _, text, _ = workspace.text("check")
    assert text.count("must specify") == 1
    assert re.search(r"and +3 more workloads\n", text)
    assert "12 errors in 13 files" in text


def test_all_that_a_quota_is_short_of_is_one_finding_with_what_to_write_for_each(workspace: Workspace) -> None:
    workspace.put(
        {
            "quota.yaml": QUOTA.format(name="base", hard='requests.cpu: "8", limits.cpu: "9", pods: "1"'),
            "w.yaml": WORKLOAD.format(name="w", replicas=2),
        }
    )
    status, text, _ = workspace.text("check")
    assert status == 1
    assert text.count("error  QL301") == 1
    assert "ci asks for requests.cpu 10; quota base allows 8" in text
    assert re.search(r"also +limits\.cpu 10 of 9: raise limits\.cpu to 10 +quota\.yaml:4", text)
    assert "pods 2 of 1: raise pods to 2" in text
    assert "3 errors in 2 files" in text


def test_what_has_no_room_since_the_quota_is_exceeded_is_named_there(workspace: Workspace) -> None:
    rolling = WORKLOAD.replace("  strategy: {{type: Recreate}}\n", "")
    workspace.put(
        {
            "b.yaml": rolling.format(name="b", replicas=1),
            "c.yaml": WORKLOAD.format(name="c", replicas=1).replace("app: a", "app: c"),
            "quota.yaml": QUOTA.format(name="base", hard='requests.cpu: "8"'),
        }
    )
    _, text, _ = workspace.text("check")
    heads = [line.split()[0].partition(":")[0] for line in text.splitlines() if "  error  QL30" in line]
    assert heads == ["quota.yaml"]
    assert re.search(r"also short +during rollouts of b \(QL302\)", text)
    assert "2 errors in 3 files" in text
    _, markdown, _ = workspace.text("check", "--format", "markdown")
    assert markdown.count("- **QL30") == 1
    assert "  - also short: during rollouts of b (QL302)\n" in markdown
    assert "**2 errors** in 3 files, 1 namespace, 1 quota. 1 of them follows from another" in markdown
    assert workspace.text("check", "--format", "html")[1].count("during rollouts of b (QL302)") == 1


def test_rollouts_that_lack_the_same_are_one_finding(workspace: Workspace) -> None:
    rolling = WORKLOAD.replace("  strategy: {{type: Recreate}}\n", "")
    workspace.put(
        {
            "quota.yaml": QUOTA.format(name="base", hard='requests.cpu: "20"'),
            **{f"{name}.yaml": rolling.format(name=name, replicas=2) for name in "vw"},
        }
    )
    _, text, _ = workspace.text("check")
    assert text.count("error  QL302") == 1
    assert re.search(r"also +Deployment w +w\.yaml:", text)


def test_fields_that_lost_their_indentation_are_one_finding(workspace: Workspace) -> None:
    workspace.put({"quota.yaml": QUOTA.format(name="base", hard='pods: "1"') + 'requests.cpu: "1"\nlimits.cpu: "2"\n'})
    _, text, _ = workspace.text("check")
    assert text.count("error  QL004") == 1
    assert 'unknown field "requests.cpu"' in text
    assert re.search(r'also +unknown field "limits\.cpu"', text)


def test_entries_of_one_kustomization_that_are_refused_are_one_finding(workspace: Workspace) -> None:
    patch = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {}}}\n"
    files = {
        "kustomization.yaml": (
            "resources: [quota.yaml]\n"
            "patches:\n- path: more.yaml\n- path: less.yaml\n"
            "configMapGenerator:\n- {name: settings, behavior: merge, literals: [a=b]}\n"
        ),
        "quota.yaml": QUOTA.format(name="base", hard='pods: "1"'),
        "more.yaml": patch.format("more"),
        "less.yaml": patch.format("less-than-anybody-would-ever-expect-to-see-in-here"),
    }
    workspace.put(files)
    _, text, _ = workspace.text("check")
    assert text.count("warning  QL003") == 1
    rows = [line.split("  ")[-1] for line in text.split("\n") if "kustomization.yaml:" in line][1:3]
    assert rows == ["kustomization.yaml:4", "kustomization.yaml:6"]
    assert "help        correct these entries; until then nothing in this kustomization is applied" in text


BROKEN = "apiVersion: v1\nkind: ConfigMap\n data: {}\n"
REPEATED = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {}\ndata: {}\n"


@pytest.mark.parametrize("text", [pytest.param(BROKEN, id="unreadable"), pytest.param(REPEATED, id="key given twice")])
def test_a_mistake_that_was_copied_with_its_file_is_said_once(workspace: Workspace, text: str) -> None:
    workspace.put({f"{team}/settings.yaml": text for team in "abc"})
    _, shown, _ = workspace.text("check")
    assert len(re.findall(r"  error  QL00[12]", shown)) == 1
    assert re.search(r"also +the same +b/settings.yaml:\d\n +the same +c/settings.yaml:\d\n", shown)
    assert "3 errors in 3 files" in shown
    assert workspace.text("check", "--verbose")[1].count("  error  QL00") == 3
    assert len(workspace.report("check")["findings"]) == 3


def test_a_mistake_of_other_files_is_said_by_itself(workspace: Workspace) -> None:
    workspace.put({f"{name}.yaml": BROKEN for name in "abc"})
    assert workspace.text("check")[1].count("  error  QL001") == 3


def test_applications_that_no_project_allows_are_listed_with_the_first(workspace: Workspace) -> None:
    project = (
        "apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: {name: shop, namespace: argocd}\nspec: {}\n"
    )
    applications = {f"argocd/{name}.yaml": argo_application("apps", name=name, project="shop") for name in "abc"}
    workspace.put(
        {"argocd/project.yaml": project, "apps/q.yaml": QUOTA.format(name="q", hard="pods: 1"), **applications}
    )
    _, text, _ = workspace.text("check")
    assert text.count("not allowed") == 1
    assert re.search(r"also +Application b is not applied: .+ argocd/b.yaml:4\n +Application c is not applied", text)
    assert "correct each Application, or let its project allow it" in text
    assert workspace.text("check", "--quiet")[1].count("QL003") == 1


SET = """\
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: apps, namespace: argocd}
spec:
  generators: [{list: {elements: [{name: a}, {name: b}]}}]
  template:
    metadata: {name: '{{name}}'}
    spec:
      source: {repoURL: 'https://example.com/shop.git', path: 'apps/{{name}}', directory: {recurse: true}}
      destination: {server: 'https://kubernetes.default.svc', namespace: '{{name}}'}
"""
KUSTOMIZATION = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [q.yaml]\n"


def test_applications_of_one_set_are_listed_with_the_first(workspace: Workspace) -> None:
    quota = QUOTA.format(name="q", hard="pods: 1").replace(", namespace: ci", "")
    folders = {f"apps/{name}/q.yaml": quota for name in "ab"}
    folders |= {f"apps/{name}/kustomization.yaml": KUSTOMIZATION for name in "ab"}
    workspace.put({"argocd/set.yaml": SET, **folders})
    _, text, _ = workspace.text("check")
    assert text.count("not synced") == 1
    assert re.search(r"also +Application b sets `directory` for apps/b.+ argocd/set.yaml:6\n", text)
    assert "builds the kustomization at each path" in " ".join(text.split())


def test_objects_of_one_document_are_told_once(workspace: Workspace) -> None:
    maps = "".join(f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, namespace: ci}}\n" for name in "abcd")
    workspace.put({"maps.yaml": maps, "other.yaml": maps})
    _, text, _ = workspace.text("check")
    assert text.count("A second object begins here") == 2  # of each file
    assert re.search(r"also +an object without a `---` before it +maps.yaml:7\n +an object .+ maps.yaml:10\n", text)
    assert "each but the last is silently lost" in " ".join(text.split())
    assert text.count("write a line `---` above each of them") == 2


def test_of_the_entries_of_a_quota_the_one_that_refuses_pods_comes_first(workspace: Workspace) -> None:
    """There is processor time for three pods and memory for one, so that the second is refused for memory alone."""
    workload = """\
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: a, namespace: ci}
spec:
  replicas: 4
  selector: {matchLabels: {app: a}}
  template:
    metadata: {labels: {app: a}}
    spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "1", memory: 1Gi}}}]}
"""
    quota = QUOTA.format(name="compute", hard='requests.cpu: "3", requests.memory: 1Gi')
    workspace.put({"q.yaml": quota, "a.yaml": workload})
    _, text, _ = workspace.text("check", "--select", "QL301")
    assert text.count("error  QL301") == 1
    assert "ci asks for requests.memory 4Gi; quota compute allows 1Gi" in text
    assert re.search(r"also +requests.cpu 4 of 3: raise requests.cpu to 4 ", text)
    assert re.search(r"so +3 of 4 pods", text)


@pytest.mark.parametrize("entry", ["../base", "../base/", "../gone", "../base/gone.yaml"])
def test_what_leads_to_the_same_nothing_is_listed_with_the_first(entry: str, workspace: Workspace) -> None:
    quotas = {f"{name}/q.yaml": QUOTA.format(name=name, hard="pods: 1") for name in "abc"}
    workspace.put({"base/README.md": "to come\n", **quotas})
    workspace.put({f"{name}/kustomization.yaml": f"resources: [q.yaml, {entry}]\n" for name in "abc"})
    text = workspace.text("check", "--select", "QL003")[1]
    assert text.count("QL003 unrendered-source") == 1
    assert re.search(r"also +there is no .*b/kustomization.yaml:1\n +there is no .*c/kustomization.yaml:1\n", text)
    workspace.put({"c/kustomization.yaml": f"resources: [q.yaml, {entry}, ../other]\n"})
    assert workspace.text("check", "--select", "QL003")[1].count("QL003 unrendered-source") == 2


def test_what_overlays_of_several_environments_miss_is_listed_with_the_first(workspace: Workspace) -> None:
    for name in ("dev", "prod"):
        files = {
            "q.yaml": QUOTA.format(name="a", hard="pods: 1"),
            "kustomization.yaml": "resources: [q.yaml, ../../base]\n",
        }
        workspace.put({f"overlays/{name}/{file}": text for file, text in files.items()})
    text = workspace.text("check", "--select", "QL003")[1]
    assert text.count("QL003 unrendered-source") == 1
    assert "overlays/prod/kustomization.yaml:1\n   in          dev, prod\n" in text
