"""One file has changed: what reaches no further than its namespace is judged with its namespace alone, all else by a
whole run. Whichever it is, the answer is the one that would be found out anew."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from edited_repositories import answered, at_work, mutated, replaced
from kept_answers import anew, asked

from quotalint.cache.folder import KEY, SLICES, entry, keep, kept_entries

CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: %s}\ndata: {a: b}\n"
SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: %s}\nspec: {ports: [{port: 80}]}\n"
SCALER = """apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: %s}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 2
  maxReplicas: 4
"""
QUOTAS = """apiVersion: v1
kind: ResourceQuota
metadata: {name: base, namespace: %s}
spec: {hard: {pods: "12", requests.cpu: "4", services: "2", count/deployments.apps: "3"}}
---
apiVersion: v1
kind: LimitRange
metadata: {name: base, namespace: %s}
spec: {limits: [{type: Container, max: {cpu: "2"}, defaultRequest: {cpu: 200m}}]}
"""
WEB = """apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: %s}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: web
        image: web:1
        resources: {requests: {cpu: 100m}}
"""
WORKER = WEB.replace("web", "worker")
CLASS = "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\nvalue: 7\n"
FILES = {
    "namespace.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: %s}\n",
    "quota.yaml": QUOTAS,
    "web.yaml": WEB,
    "worker.yaml": WORKER,
    "service.yaml": SERVICE,
    "settings.yaml": CONFIG_MAP,
    "scaler.yaml": SCALER,
}


def plain_repository(top: Path) -> None:
    """Three namespaces in which all is well, and one without a quota."""
    (top / ".git").mkdir(parents=True)
    for namespace in ("a", "b", "c", "free"):
        (top / namespace).mkdir()
        for name, text in FILES.items():
            if namespace != "free" or name != "quota.yaml":
                (top / namespace / name).write_text(text.replace("%s", namespace))
    (top / "classes.yaml").write_text(CLASS)


LOCAL = [
    ("a/web.yaml", "replicas: 2", "replicas: 3"),
    ("a/web.yaml", "image: web:1", "image: web:2"),
    ("b/web.yaml", "cpu: 100m", "cpu: 300m"),
    ("b/worker.yaml", "        resources: {requests: {cpu: 100m}}\n", ""),
    ("c/settings.yaml", "a: b", "a: c"),
    ("c/service.yaml", "port: 80", "port: 81"),
    ("c/scaler.yaml", "maxReplicas: 4", "maxReplicas: 5"),
    ("free/web.yaml", "replicas: 2", "replicas: 200"),
    ("a/quota.yaml", 'pods: "12"', 'pods: "13"'),
    ("b/quota.yaml", 'max: {cpu: "2"}', 'max: {cpu: "3"}'),
    ("c/quota.yaml", "defaultRequest: {cpu: 200m}", "defaultRequest: {cpu: 250m}"),
    ("a/web.yaml", "apiVersion", "# a comment\napiVersion"),
]
FAR = [
    ("a/web.yaml", "replicas: 2", "replicas: 200"),
    ("a/web.yaml", "cpu: 100m", "cpu: 3"),
    ("a/web.yaml", "cpu: 100m", "cpu: 1,5"),
    ("a/web.yaml", "containers:\n", "priorityClassName: high\n      containers:\n"),
    ("a/web.yaml", "namespace: a", "namespace: b"),
    ("a/web.yaml", "namespace: a", "namespace: nowhere"),
    ("a/web.yaml", ", namespace: a", ""),
    ("a/web.yaml", "name: web, namespace", "name: other, namespace"),
    ("a/web.yaml", "kind: Deployment", "kind: StatefulSet"),
    ("a/web.yaml", "apps/v1", "argoproj.io/v1alpha1"),
    ("a/web.yaml", "spec:\n  replicas", "spec:\n  paused: true\n  replicas"),
    ("a/web.yaml", "metadata: {name: web, ", "metadata: {name: web, labels: {a: b}, "),
    ("a/web.yaml", "  replicas: 2", "  replicas: 2 # quotalint: ignore"),
    ("a/web.yaml", "  replicas: 2", "  replicas: 2\n  replicas: 3"),
    ("a/web.yaml", "spec:\n  replicas: 2", "data: ["),
    ("a/web.yaml", "spec:", "spec: {}\nother:"),
    ("a/web.yaml", "apiVersion", "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: a}\n---\napiVersion"),
    ("a/quota.yaml", 'pods: "12"', 'pods: "1"'),
    ("a/quota.yaml", 'pods: "12"', 'pods: "${PODS}"'),
    ("a/quota.yaml", 'pods: "12"', 'pods: "{{ pods }}"'),
    ("a/quota.yaml", 'pods: "12"', 'pods: "twelve"'),
    ("a/quota.yaml", 'pods: "12"', 'persistentvolumeclaims: "12"'),
    ("a/quota.yaml", "spec: {hard", "spec: {scopes: [Terminating], hard"),
    ("a/quota.yaml", 'services: "2"', 'services: "0"'),
    ("a/quota.yaml", 'max: {cpu: "2"}', 'max: {cpu: "50m"}'),
    ("a/quota.yaml", "defaultRequest: {cpu: 200m}", "default: {cpu: 1900m}"),
    ("a/quota.yaml", "name: base, namespace: a", "name: base, namespace: b"),
    ("a/namespace.yaml", "name: a", "name: z"),
    ("a/settings.yaml", "{a: b}", '{a: "kind: ResourceQuota"}'),
    ("a/service.yaml", "spec: {", "spec: {type: LoadBalancer, "),
    ("classes.yaml", "value: 7", "value: 7\nglobalDefault: true"),
]


@pytest.mark.parametrize(("path", "old", "new"), LOCAL)
def test_what_stays_in_its_namespace_takes_no_whole_run(
    path: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with at_work(monkeypatch, plain_repository):
        assert (answered(monkeypatch, "check"), answered(monkeypatch, "check")[1]) == ((anew("check"), True), False)
        before = Path(path).read_text()
        replaced(path, old, new)
        assert answered(monkeypatch, "check") == (anew("check"), False)
        # It is kept, so that the next time nothing is read.
        assert answered(monkeypatch, "check") == (anew("check"), False)
        Path(path).write_text(before)
        assert answered(monkeypatch, "check") == (anew("check"), False)


@pytest.mark.parametrize(("path", "old", "new"), FAR)
@pytest.mark.parametrize("command", [("check",), ("check", "--format", "github"), ("check", "--format", "json")])
def test_the_answer_is_that_of_a_whole_run(
    path: str, old: str, new: str, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    with at_work(monkeypatch, plain_repository):
        asked(*command)
        replaced(path, old, new)
        assert asked(*command) == anew(*command)
        assert asked(*command) == anew(*command)
        replaced("b/web.yaml", "replicas: 2", "replicas: 4")
        assert asked(*command) == anew(*command)


OTHER_EDITS = {
    "a kustomization that takes it": ("a/kustomization.yaml", "resources: [web.yaml]\nnamespace: b\n"),
    "a kustomization elsewhere that takes it": ("z/kustomization.yaml", "resources: [../a/web.yaml]\nnamePrefix: z\n"),
    "an object of the same name": ("z/web.yaml", WEB.replace("%s", "a")),
    "another quota": ("z/quota.yaml", QUOTAS.replace("%s", "a").replace("base", "second").replace('"12"', '"1"')),
    "a configuration": (".quotalint.yaml", "scenario: peak\n"),
    "a suppression": ("z/web.yaml", "# quotalint:ignore-file QL301\n" + WEB.replace("%s", "a")),
    "a policy": (
        "z/policy.yaml",
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: p}\n",
    ),
    "a name that is to be filled in": ("z/web.yaml", WEB.replace("%s", "a").replace("name: web", "name: ${NAME}")),
    "a quota that is to be filled in": ("z/quota.yaml", QUOTAS.replace("%s", "a").replace('"12"', '"${PODS}"')),
    "a namespace that is to be filled in": (
        "z/web.yaml",
        WEB.replace("%s", "${TEAM}").replace("replicas: 2", "replicas: 9"),
    ),
    "a quota of a namespace that is to be filled in": ("z/quota.yaml", QUOTAS.replace("%s", "${TEAM}")),
    "a list": (
        "z/all.yaml",
        "apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: Namespace, metadata: {name: z}}]\n",
    ),
    "a namespace that nothing declares": ("z/quota.yaml", QUOTAS.replace("%s", "freee")),
    "what cannot be read": ("z/web.yaml", "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: {{ x }}}\n"),
    "a template that is said to be one": ("template/web.yaml", "apiVersion: v1\nkind: ResourceQuota\nname: {{ x }}\n"),
    "what cannot be read and is no manifest": ("a/notes.yaml", "notes: [\n"),
    "what is encrypted": ("a/secret.yaml", "\0GITCRYPT\0 apiVersion: v1"),
    "a deployer": (
        "z/app.yaml",
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: app, namespace: argocd}\n"
        "spec: {source: {path: a}, destination: {namespace: b}}\n",
    ),
}


@pytest.mark.parametrize("file", OTHER_EDITS.values(), ids=OTHER_EDITS)
def test_beside_something_new(file: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    name, text = file
    with at_work(monkeypatch, plain_repository):
        asked("check")
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
        assert asked("check") == anew("check")
        for replicas in (3, 90):
            replaced("a/web.yaml", "replicas: ", f"replicas: {replicas}")
            assert asked("check") == anew("check")
        Path(name).unlink()
        assert asked("check") == anew("check")


HARMLESS = {
    "a quota of a namespace that nothing declares": ("z/quota.yaml", QUOTAS.replace("%s", "aa")),
    "a webhook": (
        "z/hook.yaml",
        "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfiguration\nmetadata: {name: w}\n",
    ),
    "a policy that nothing binds": OTHER_EDITS["a policy"],
}


@pytest.mark.parametrize("file", HARMLESS.values(), ids=HARMLESS)
def test_beside_what_decides_nothing_in_the_namespace(file: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    name, text = file
    with at_work(monkeypatch, plain_repository):
        Path("z").mkdir()
        Path(name).write_text(text)
        asked("check")
        replaced("a/web.yaml", "replicas: 2", "replicas: 3")
        assert answered(monkeypatch, "check") == (anew("check"), False)


def test_a_namespace_that_only_another_object_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether anything makes it is looked for in all that there is."""
    with at_work(monkeypatch, plain_repository):
        Path("z").mkdir()
        Path("z/quota.yaml").write_text(QUOTAS.replace("%s", "aa"))
        assert "QL602" in asked("check").out
        made = "        env: [{apiVersion: v1, kind: Namespace, metadata: {name: aa}}]\n        image: web:1"
        replaced("free/web.yaml", "        image: web:1", made)
        assert asked("check") == anew("check")
        replaced("free/web.yaml", "kind: Namespace", "kind: Other")
        assert asked("check") == anew("check")


@pytest.mark.parametrize(
    "edit",
    [("{cpu: 200m}", "{cpu: 200}"), ('pods: "12"', 'pods: "12000"'), ('requests.cpu: "4"', "requests.cpu: 4m")],
)
def test_an_amount_beside_those_of_other_namespaces(edit: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """What is in no proportion to the same quota elsewhere is said, wherever that is, and no longer when it is."""
    with at_work(monkeypatch, plain_repository):
        for namespace in ("d", "e"):
            Path(namespace).mkdir()
            Path(namespace, "quota.yaml").write_text(QUOTAS.replace("%s", namespace))
        before = asked("check")
        replaced("d/quota.yaml", *edit)
        assert asked("check") == anew("check")
        replaced("e/quota.yaml", 'services: "2"', 'services: "3"')
        assert asked("check") == anew("check")
        replaced("d/quota.yaml", *reversed(edit))
        assert asked("check") == anew("check") == before


def test_a_quota_inside_another_object(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that speaks of quotas may come to hold one where nobody looked for it."""
    with at_work(monkeypatch, plain_repository):
        Path("a/all.yaml").write_text(f"{QUOTAS}---\n{WEB}".replace("base", "all").replace("%s", "a"))
        asked("check")
        inner = "{apiVersion: v1, kind: ResourceQuota, metadata: {name: inner}, spec: {hard: {pods: x}}}"
        replaced("a/all.yaml", "image: web:1", f"image: web:1\n        object: {inner}")
        assert asked("check") == anew("check")


def test_several_files_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with at_work(monkeypatch, plain_repository):
        asked("check")
        for path in ("a/web.yaml", "a/worker.yaml", "b/web.yaml"):
            replaced(path, "replicas: 2", "replicas: 3")
        assert answered(monkeypatch, "check") == (anew("check"), False)
        for path in ("a/web.yaml", "a/worker.yaml", "b/web.yaml"):
            replaced(path, "replicas: 3", "replicas: 11")
        answer, whole = answered(monkeypatch, "check")
        assert (answer, answer.status, whole) == (anew("check"), 1, True)


def test_what_rests_on_many_objects_takes_a_whole_run(monkeypatch: pytest.MonkeyPatch) -> None:
    with at_work(monkeypatch, plain_repository):
        monkeypatch.setattr("quotalint.slices.trial.MOST_OBJECTS", 1)
        asked("check")
        replaced("a/worker.yaml", "replicas: 2", "replicas: 90")
        answer, whole = answered(monkeypatch, "check")
        assert (answer, answer.status, whole) == (anew("check"), 1, True)


def test_a_namespace_of_which_something_is_wrong_takes_a_whole_run(monkeypatch: pytest.MonkeyPatch) -> None:
    with at_work(monkeypatch, plain_repository):
        replaced("a/worker.yaml", "replicas: 2", "replicas: 50")
        asked("check")
        replaced("a/web.yaml", "replicas: 2", "replicas: 3")
        assert answered(monkeypatch, "check") == (anew("check"), True)
        replaced("b/web.yaml", "replicas: 2", "replicas: 3")
        assert answered(monkeypatch, "check") == (anew("check"), False)


@pytest.mark.parametrize("options", [("--verbose",), ("--format", "json"), ("--format", "html"), ("--format", "csv")])
def test_what_tells_more_takes_a_whole_run(options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    with at_work(monkeypatch, plain_repository):
        asked("check", *options)
        replaced("a/web.yaml", "replicas: 2", "replicas: 3")
        assert answered(monkeypatch, "check", *options)[1]


def test_a_report_in_a_file_is_written_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with at_work(monkeypatch, plain_repository) as top:
        file = top.parent / "report.txt"
        command = ("check", "--output", f"github={file}")
        asked(*command)
        file.unlink()
        replaced("a/web.yaml", "replicas: 2", "replicas: 3")
        assert (answered(monkeypatch, *command), file.exists()) == ((anew(*command), False), True)


def test_a_damaged_entry_takes_a_whole_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is in the part of it that says what stands by itself."""
    generator = random.Random(7)
    with at_work(monkeypatch, plain_repository) as top:
        asked("check")
        folder = str(top.parent / "kept")
        (path,) = (path for _, _, path in kept_entries(folder) if path.endswith(SLICES))
        key = os.path.basename(path)[:KEY]
        body = entry(folder, key, SLICES)
        assert body is not None
        # As if it were the one that the answer names, whatever is in it.
        monkeypatch.setattr("quotalint.cache.answers.slices_entry", lambda folder, _: entry(folder, key, SLICES))
        for number in range(40):
            at = generator.randrange(len(body))
            damage = generator.choice((b"", b"\0", b"\xff" * 9, body[:40]))
            keep(folder, key, body[:at] + damage + body[at + len(damage) + generator.randrange(3) :], SLICES)
            replaced("a/web.yaml", "replicas: ", f"replicas: {'9' * (number % 2)}")
            assert asked("check") == anew("check")
            Path("a/web.yaml").write_text(WEB.replace("%s", "a"))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("command", [("check",), ("check", "--format", "gitlab", "--scenario", "peak"), ("usage",)])
def test_any_change_of_any_file(seed: int, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    generator = random.Random(seed)
    with at_work(monkeypatch, plain_repository):
        asked(*command)
        for _ in range(12):
            path = generator.choice(sorted(Path().rglob("*.yaml")))
            before = path.read_text()
            path.write_text(mutated(before, list(FILES.values()), generator))
            assert asked(*command) == anew(*command)
            if generator.random() < 0.6:
                path.write_text(before)
                assert asked(*command) == anew(*command)
