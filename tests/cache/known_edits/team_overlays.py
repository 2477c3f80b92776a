"""What people edit of the overlays beside the folders of teams."""

from __future__ import annotations

from git_repositories import deployment, quota

from known_edits.rows import PATCH, RELEASE, Rows, Swap, application, documents, namespace, service
from known_edits.teams import LISTING

MORE = LISTING % ("- service.yaml\n- api.yaml\n- more.yaml", "[]")
ROWS: Rows = {
    "a file of an overlay": (
        {"c/one/more.yaml": deployment(2, "more", ""), "c/one/kustomization.yaml": MORE},
        {"c/one/more.yaml": deployment(20, "more", "")},
        {"c/one/more.yaml": quota("pods: 1", "more", "")},
        {"c/one/more.yaml": deployment(2, "web", "")},
        {"c/one/more.yaml": None},
    ),
    "a file of an overlay has another name": (
        {"c/one/api.yaml": None, "c/one/kustomization.yaml": LISTING % ("- service.yaml\n- server.yaml", "[]")},
        {"c/one/server.yaml": deployment(1, "api", "")},
    ),
    "a manifest that no kustomization lists": ({"c/one/more.yaml": quota("pods: 1", "more", "one")},),
    "a folder that an overlay builds on": (
        {
            "c/one/parts/kustomization.yaml": "resources: [more.yaml]\n",
            "c/one/parts/more.yaml": deployment(2, "more", ""),
            "c/one/kustomization.yaml": LISTING % ("- service.yaml\n- api.yaml\n- parts", "[]"),
        },
    ),
    "a patch": (
        {
            "c/one/patch.yaml": PATCH % ("api", 4),
            "c/one/kustomization.yaml": Swap("patches: []", "patches: [{path: patch.yaml}]"),
        },
        {"c/one/patch.yaml": PATCH % ("nobody", 4)},
    ),
    "a patch that chooses by an annotation": (
        {
            "c/one/kustomization.yaml": Swap(
                "patches: []",
                "patches: [{target: {annotationSelector: example.com/x=y}, "
                "patch: '[{op: replace, path: /spec/replicas, value: 30}]'}]",
            )
        },
        {"c/one/api.yaml": Swap("metadata: {name", "metadata: {annotations: {example.com/x: y}, name")},
    ),
    "an object more of two overlays": (
        {"c/base/web.yaml": documents(deployment(2, "web", ""), service("two"))},
        {"c/base/web.yaml": documents(deployment(2, "web", ""), namespace("one"))},
        {"c/base/web.yaml": documents(deployment(2, "web", ""), deployment(2, "web", ""))},
        {"c/base/web.yaml": "# nothing\n"},
    ),
    "the namespace of a kustomization": ({"c/two/kustomization.yaml": Swap("namespace: two", "namespace: team-d")},),
    "a kustomization of a plain folder": (
        {"b/kustomization.yaml": "resources: [web.yaml]\n"},
        {"c/one/kustomization.yaml": LISTING % ("- service.yaml\n- api.yaml\n- ../../b", "[]")},
    ),
    "a script that a ConfigMap is made of": (
        {"g/run.sh": "false\n"},
        {"g/run.sh": f"kubectl apply -f - <<END\n{quota('pods: 1')}END\n"},
        {"g/kustomization.yaml": Swap("Hash: true", "Hash: false")},
        {"g/run.sh": None},
    ),
    "what a ConfigMap is made of as well": (
        {"g/more.json": '{"a": 1}\n', "g/kustomization.yaml": Swap("[run.sh]", "[run.sh, more.json, web.yaml]")},
        {"g/kustomization.yaml": Swap("more.json, web.yaml", "main.sh=run.sh, quota.yaml")},
    ),
    "KCL that a kustomization reads as manifests": (
        {"g/web.k": service("web", "g"), "g/kustomization.yaml": Swap("quota.yaml]", "quota.yaml, web.k]")},
        {"g/web.k": documents(service("web", "g"), deployment(9, "two", "g"))},
    ),
    "a configuration of transformers that speaks of quotas": (
        {
            "g/names.tpl": "namePrefix: []\n",
            "g/kustomization.yaml": Swap("resources", "configurations: [names.tpl]\nresources"),
        },
        {"g/names.tpl": "namePrefix: [{path: metadata/name, kind: ResourceQuota}]\n"},
    ),
    "a chart in an overlay's folder": ({"a/Chart.yaml": "apiVersion: v2\nname: a\nversion: 1.0.0\n"},),
    "what deploys comes to a base": (
        {
            "c/base/web.yaml": documents(
                deployment(2, "web", ""), RELEASE.replace("interval", "targetNamespace: x\n  interval")
            )
        },
        {"c/base/web.yaml": documents(deployment(2, "web", ""), application("c", "c/one"))},
    ),
    "what deploys is taken away again": (
        {
            "c/one/more.yaml": RELEASE.replace("namespace: team-a", "namespace: one"),
            "c/one/less.yaml": f"$patch: delete\n{RELEASE.partition('spec:')[0].replace('team-a', 'one')}",
            "c/one/kustomization.yaml": MORE.replace("[]", "[{path: less.yaml}]"),
        },
        {"c/one/more.yaml": Swap("  interval", "  targetNamespace: team-x\n  interval")},
    ),
}
