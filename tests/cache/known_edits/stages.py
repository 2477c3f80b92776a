"""Namespaces in which all is well, plain and built for each stage, and changes of single words in them."""

from __future__ import annotations

from git_repositories import quota

from known_edits.rows import PATCH, Edit, Files, Rows, Swap, application, config_map, namespace, service
from known_edits.spaces import POLICY

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
BASE = WEB.replace(", namespace: %s", "")
CLASS = "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\nvalue: 7\n"
OF_SPACE: Files = {
    "namespace.yaml": namespace("%s"),
    "quota.yaml": QUOTAS,
    "web.yaml": WEB,
    "worker.yaml": WEB.replace("web", "worker"),
    "service.yaml": service("web", "%s"),
    "settings.yaml": config_map("settings", "1", "%s"),
    "scaler.yaml": SCALER,
}
PLAIN: Files = {
    **{
        f"{space}/{name}": text.replace("%s", space)
        for space in ("a", "b", "free")
        for name, text in OF_SPACE.items()
        if (space, name) != ("free", "quota.yaml")
    },
    "classes.yaml": CLASS,
    "built/kustomization.yaml": "resources: [first.yaml]\npatches: [{path: second.yaml}]\nnamespace: a\n"
    "configMapGenerator:\n- {name: m, literals: [a=b], options: {disableNameSuffixHash: true}}\n",
    "built/first.yaml": f"# as it was\n{BASE.replace('web', 'built')}",
    "built/second.yaml": BASE.replace("web", "built"),
}
STAGED: Files = {
    "apps/web/base/kustomization.yaml": "resources: [web.yaml, service.yaml]\n",
    "apps/web/base/web.yaml": BASE,
    "apps/web/base/service.yaml": service("web"),
    "apps/web/a/kustomization.yaml": "resources: [../base]\nnamespace: a\nimages: [{name: web, newTag: '2'}]\n",
    "apps/web/b/kustomization.yaml": "resources: [../base]\nnamespace: b\npatches: [{path: replicas.yaml}]\n",
    "apps/web/b/replicas.yaml": PATCH % ("web", 3),
    "apps/web/c/kustomization.yaml": "resources: [../base]\nnamespace: c\nreplicas: [{name: web, count: 1}]\n",
    "apps/other/kustomization.yaml": "resources: [settings.yaml]\nnamespace: c\n",
    "apps/other/settings.yaml": config_map("settings", "1"),
    "apps/remote/kustomization.yaml": "resources: [https://example.com/other.yaml]\nnamespace: c\n",
    **{f"spaces/{stage}.yaml": namespace(stage) for stage in "abc"},
    **{f"spaces/{stage}-quota.yaml": QUOTAS.replace("%s", stage) for stage in "abc"},
}
FLUX = """apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: %s, namespace: flux-system}
spec:
  path: ./apps/web/%s
  prune: true
  targetNamespace: %s
  postBuild: {substituteFrom: [{kind: ConfigMap, name: values, optional: true}]}
  sourceRef: {kind: GitRepository, name: flux-system}
"""
MIXED: Files = {
    **STAGED,
    "clusters/one/a.yaml": FLUX % ("a", "a", "a"),
    "clusters/one/b.yaml": FLUX % ("b", "b", "b"),
    "argocd/c.yaml": application("c", "apps/web/c", "", "c"),
    "charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
    "charts/web/values.yaml": "replicas: 2\n",
    "charts/web/templates/web.yaml": BASE.replace("replicas: 2", "replicas: {{ .Values.replicas }}"),
    **{f"plain/{name}": text.replace("%s", "plain") for name, text in OF_SPACE.items()},
}
"""Of which two are deployed by Flux and one by Argo CD, with a chart and a plain folder beside them."""


def each(files: Files, path: str, *changes: tuple[str, str]) -> tuple[Edit, ...]:
    """One change of a file instead of the other."""
    assert [old for old, _ in changes if old not in files[path]] == []
    return tuple({path: files[path].replace(old, new, 1)} for old, new in changes)


INNER = "{apiVersion: v1, kind: ResourceQuota, metadata: {name: inner}, spec: {hard: {pods: x}}}"
MAKING = "        env: [{apiVersion: v1, kind: Namespace, metadata: {name: aa}}]\n        image: web:1"
OF_PLAIN: Rows = {
    "amounts of a workload": each(
        PLAIN,
        "a/web.yaml",
        ("replicas: 2", "replicas: 3"),
        ("replicas: 2", "replicas: 200"),
        ("cpu: 100m", "cpu: 101m"),
        ("cpu: 100m", "cpu: 3"),
        ("cpu: 100m", "cpu: 1,5"),
        ("        resources: {requests: {cpu: 100m}}\n", ""),
    ),
    "what a workload is": each(
        PLAIN,
        "a/web.yaml",
        ("image: web:1", "image: web:2\n        command: [run]"),
        ("containers:\n", "priorityClassName: high\n      containers:\n"),
        ("spec:\n  replicas", "spec:\n  paused: true\n  replicas"),
        ("spec:\n  replicas", "spec:\n  strategy: {type: Recreate}\n  replicas"),
        ("spec:\n  replicas", "spec:\n  strategy: {rollingUpdate: {maxSurge: 2, maxUnavailable: 1}}\n  replicas"),
        ("kind: Deployment", "kind: StatefulSet"),
        ("apps/v1", "argoproj.io/v1alpha1"),
        ("spec:", "spec: {}\nother:"),
    ),
    "where it is": each(
        PLAIN,
        "a/web.yaml",
        ("namespace: a", "namespace: b"),
        ("namespace: a", "namespace: nowhere"),
        ("namespace: a", "namespace: ${TEAM}"),
        (", namespace: a", ""),
        ("name: web, namespace", "name: other, namespace"),
        ("name: web, namespace", "name: ${NAME}, namespace"),
    ),
    "how it is written": each(
        PLAIN,
        "a/web.yaml",
        ("apiVersion", "# a comment\napiVersion"),
        ("apiVersion", "# nothing\n---\napiVersion"),
        ("apiVersion", "# quotalint:ignore-file QL301\napiVersion"),
        ("apiVersion", "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: a}\n---\napiVersion"),
        ("  replicas: 2", "  replicas: 2\n  replicas: 3"),
        ("  replicas: 2", "  replicas: 2 # quotalint: ignore"),
        ("spec:\n  replicas: 2", "data: ["),
        ("image: web:1", f"image: web:1\n        object: {INNER}"),
    ),
    "a quota": each(
        PLAIN,
        "a/quota.yaml",
        ('pods: "12"', 'pods: "13"'),
        ('pods: "12"', 'pods: "1"'),
        ('pods: "12"', 'pods: "${PODS}"'),
        ('pods: "12"', 'pods: "{{ pods }}"'),
        ('pods: "12"', 'persistentvolumeclaims: "12"'),
        ('pods: "12", ', ""),
        ('requests.cpu: "4"', "requests.cpu: 4000m"),
        ("spec: {hard", "spec: {scopes: [Terminating], hard"),
        ('services: "2"', 'services: "0"'),
        ("name: base, namespace: a", "name: base, namespace: b"),
        ("apiVersion: v1\nkind: R", "# a comment\napiVersion: v1\nkind: R"),
    ),
    "a LimitRange": (
        *each(
            PLAIN,
            "b/quota.yaml",
            ('max: {cpu: "2"}', 'max: {cpu: "3"}'),
            ('max: {cpu: "2"}', 'max: {cpu: "50m"}'),
            ("defaultRequest: {cpu: 200m}", "default: {cpu: 1900m}"),
            ("defaultRequest: {cpu: 200m}", "defaultRequest: {cpu: 250m}"),
        ),
        {"b/worker.yaml": Swap("        resources: {requests: {cpu: 100m}}\n", "")},
    ),
    "an amount out of line with those of others": (
        {f"{name}/quota.yaml": QUOTAS.replace("%s", name) for name in ("d", "e")},
        {"d/quota.yaml": Swap('pods: "12"', 'pods: "12000"')},
        {"e/quota.yaml": Swap('services: "2"', 'services: "3"')},
    ),
    "what scales": (
        {"b/scaler.yaml": Swap("maxReplicas: 4", "maxReplicas: 5")},
        {"b/scaler.yaml": Swap("minReplicas: 2", "minReplicas: 3\n  metrics: []")},
        {"b/scaler.yaml": Swap("maxReplicas: 5", "maxReplicas: 50")},
    ),
    "several that change places": (
        {"a/worker.yaml": Swap("replicas: 2", "replicas: 4")},
        {"a/worker.yaml": Swap("replicas: 4", "replicas: 2"), "a/web.yaml": Swap("replicas: 2", "replicas: 4")},
        {f"{space}/web.yaml": WEB.replace("%s", space).replace("replicas: 2", "replicas: 11") for space in "ab"},
    ),
    "what decides nothing": (
        {"b/settings.yaml": Swap("'1'", "'2'"), "b/service.yaml": Swap("port: 80", "port: 81")},
        {"free/web.yaml": Swap("replicas: 2", "replicas: 200")},
        {"a/settings.yaml": Swap("'1'", "'kind: ResourceQuota'")},
        {"a/service.yaml": Swap("spec: {", "spec: {type: LoadBalancer, ")},
        {"classes.yaml": Swap("value: 7", "value: 7\nglobalDefault: true")},
    ),
    "a namespace that nothing declares": (
        {"a/namespace.yaml": Swap("name: a", "name: z"), "z/quota.yaml": QUOTAS.replace("%s", "aa")},
        {"free/web.yaml": Swap("        image: web:1", MAKING)},
        {"free/web.yaml": Swap("kind: Namespace", "kind: Other")},
    ),
    "a policy": (
        {"z/policy.yaml": POLICY},
        {"a/web.yaml": Swap("replicas: 2", "replicas: 3")},
        {
            "z/hook.yaml": POLICY.partition("spec")[0].replace(
                "ValidatingAdmissionPolicy", "MutatingWebhookConfiguration"
            )
        },
    ),
    "what takes a file": (
        {"a/kustomization.yaml": "resources: [web.yaml]\nnamespace: b\n"},
        {"z/kustomization.yaml": "resources: [../a/web.yaml]\nnamePrefix: z\n"},
        {"z/app.yaml": application("app", "a", "", "b")},
    ),
    "what cannot be read": (
        {"z/web.yaml": "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: {{ x }}}\n"},
        {"z/web.yaml": None, "template/web.yaml": "apiVersion: v1\nkind: ResourceQuota\nname: {{ x }}\n"},
        {"a/secret.yaml": "\0GITCRYPT\0 apiVersion: v1", "a/notes.yaml": "notes: [\n"},
    ),
    "what is built": (
        {"built/first.yaml": Swap("image: built:1", "image: built:2")},
        {"built/second.yaml": Swap("cpu: 100m", "cpu: 101m")},
        {"built/first.yaml": Swap("apiVersion", "# a comment\napiVersion")},
        {"built/kustomization.yaml": Swap("- {name: m", "# a comment\n- {name: m")},
        {"built/kustomization.yaml": Swap("literals: [a=b]", "files: [data.yaml]"), "built/data.yaml": "a: b\n"},
        {"built/data.yaml": "c: d\n---\na: b\n"},
        {"built/first.yaml": BASE.replace("web", "built") + "---\n" + config_map("out", "1")},
        {"built/kustomization.yaml": "resources: [second.yaml]\npatches: [{path: first.yaml}]\nnamespace: a\n"},
    ),
}
WEB_OF_ALL = "apps/web/base/web.yaml"
DELETING = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, $patch: delete}"
OF_STAGED: Rows = {
    "the base of all": each(
        STAGED,
        WEB_OF_ALL,
        ("replicas: 2", "replicas: 1"),
        ("replicas: 2", "replicas: 40"),
        ("cpu: 100m", "cpu: 150m"),
        ("cpu: 100m", 'cpu: "${CPU}"'),
        ("image: web:1", "image: web:${TAG}"),
        ("name: web}", "name: web, labels: {a: b}}"),
        ("kind: Deployment", "kind: StatefulSet"),
        ("apiVersion", "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p}\n---\napiVersion"),
        ("spec:\n  replicas: 2", "data: ["),
    ),
    "a patch": each(
        STAGED,
        "apps/web/b/replicas.yaml",
        ("replicas: 3", "replicas: 30"),
        ("spec: {", "$patch: delete\nspec: {"),
        ("name: web", "name: wob"),
        ("metadata: {", "metadata: {namespace: c, "),
        ("spec: {replicas: 3}", "spec: {}"),
    ),
    "an overlay": each(
        STAGED,
        "apps/web/a/kustomization.yaml",
        ("namespace: a", "namespace: b"),
        ("namespace: a", "namespace: a\nnamePrefix: x-"),
        ("newTag: '2'", "newTag: '3'"),
        ("newTag: '2'", "newTag: []"),
        ("[../base]", "[../base, ../../missing]"),
        ("[../base]", "[../b]"),
    ),
    "patches of an overlay": each(
        STAGED,
        "apps/web/b/kustomization.yaml",
        ("yaml}]", "yaml}, {target: {kind: Deployment}, patch: '{$patch: delete}'}]"),
        ("yaml}]", f"yaml}}, {{patch: '{DELETING}'}}]"),
    ),
    "replicas and what the base lists": (
        {"apps/web/c/kustomization.yaml": Swap("count: 1", "count: 50")},
        {"apps/web/base/kustomization.yaml": Swap("web.yaml, ", "")},
        {"apps/web/base/kustomization.yml": "resources: [web.yaml]\n"},
    ),
    "edits that are harmless one by one": (
        {"apps/web/b/replicas.yaml": Swap("replicas: 3", "replicas: 7")},
        {WEB_OF_ALL: Swap("cpu: 100m", "cpu: 900m")},
    ),
    "beside what does not fit": (
        {"spaces/b-quota.yaml": Swap('requests.cpu: "4"', "requests.cpu: 200m")},
        {"apps/web/base/service.yaml": Swap("apiVersion", "# a comment\napiVersion")},
        {WEB_OF_ALL: Swap("apiVersion", "# a comment\napiVersion")},
        {"apps/web/b/replicas.yaml": Swap("spec: {replicas: 3}", "spec: {minReadySeconds: 1}")},
    ),
    "an object that was half one": (
        {WEB_OF_ALL: PATCH % ("web", 3)},
        {WEB_OF_ALL: BASE.replace("replicas: 2", "replicas: 40")},
    ),
    "an object that two overlays bring alike": (
        {
            "apps/web/aa/kustomization.yaml": "resources: [../base]\nnamespace: b\npatches: [{path: replicas.yaml}]\n",
            "apps/web/aa/replicas.yaml": PATCH % ("web", 3),
        },
        {"apps/web/aa/replicas.yaml": PATCH % ("web", 4)},
    ),
    "a file and a folder that are missing": (
        {"apps/web/c/kustomization.yaml": "resources: [../base, more.yaml, ../more]\nnamespace: c\n"},
        {"apps/web/c/more.yaml": namespace("d")},
        {"apps/web/c/more.yaml": None, "apps/web/c/More.yaml": namespace("d")},
        {"apps/web/more/kustomization.yaml": "resources: [../base/web.yaml]\nnamePrefix: more-\n"},
    ),
}
OF_MIXED: Rows = {
    "the base of all": OF_STAGED["the base of all"][:3],
    "values of all": (
        {WEB_OF_ALL: Swap("replicas: 2", "replicas: ${N:=2}")},
        {"clusters/one/values.yaml": config_map("values", "5", "flux-system")},
        {"clusters/one/values.yaml": config_map("values", "50", "flux-system")},
    ),
    "who deploys": (
        {"argocd/c.yaml": Swap("namespace: c}", "namespace: b}")},
        {"clusters/one/b.yaml": None},
        {"argocd/web.yaml": application("web", "charts/web", "", "a")},
        {"charts/web/values.yaml": "replicas: 20\n"},
        {"argocd/plain.yaml": application("plain", "plain", "", "plain")},
    ),
    "quotas": (
        {
            "spaces/b-quota.yaml": Swap('pods: "12"', 'pods: "2"'),
            "plain/quota.yaml": quota("pods: 2", namespace="plain"),
        },
        {"spaces/c-quota.yaml": None},
    ),
}
