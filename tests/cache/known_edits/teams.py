"""Plain folders of teams, overlays beside them, and what people edit there day by day."""

from __future__ import annotations

import json

from git_repositories import deployment, quota

from known_edits.rows import (
    RELEASE,
    Files,
    Rows,
    Swap,
    binding,
    config_map,
    custom,
    documents,
    limits,
    namespace,
    role,
    service,
)

LISTING = "namespace: one\nresources:\n- ../base\n- quota.yaml\n%s\npatches: %s\n"
GENERATED = "generatorOptions: {disableNameSuffixHash: true}\nconfigMapGenerator: [{name: run, files: [run.sh]}]\n"
CLAIM = """apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: team-a}
spec: {storageClassName: gold, resources: {requests: {storage: 2Gi}}}
"""
CLASS = "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: gold}\nprovisioner: example.com/a\n"
WORKFLOW = "on: push\njobs: {build: {runs-on: ubuntu-latest, steps: [{uses: actions/checkout@v1}]}}\n"
MEMBERS = "apiVersion: user.openshift.io/v1\nkind: Group\nmetadata: {name: admins}\nusers: [ann]\n"
SETTLED = documents(
    *(
        custom(api, kind, "it", "text: one", space)
        for api, kind, space in (
            ("nmstate.io/v1", "NodeNetworkConfigurationPolicy", ""),
            ("machineconfiguration.openshift.io/v1", "MachineConfig", ""),
            ("objectbucket.io/v1alpha1", "ObjectBucketClaim", "team-a"),
            ("image.openshift.io/v1", "ImageStream", "team-b"),
            ("kafka.strimzi.io/v1beta2", "KafkaTopic", "team-b"),
        )
    )
)
CRD = """apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: engines.example.net}
spec: {group: example.net, scope: %s, names: {kind: Engine, plural: engines}, versions: [{name: v1}]}
"""
TERRAFORM = 'resource "aws_s3_bucket" "a" {\n  bucket = "a"\n}\n'
DEPLOYING_TERRAFORM = 'resource "kubernetes_manifest" "a" {\n  manifest = { kind = "Deployment" }\n}\n'
SERVICES = documents(*(service(name, "team-a") for name in ("web", "two", "three")))
LISTED_SERVICE = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "listed", "namespace": "team-a"}}
KSOPS = """apiVersion: viaduct.ai/v1
kind: ksops
metadata: {name: secrets, annotations: {config.kubernetes.io/function: "exec: {path: ksops}"}}
files: [secrets.enc.yaml]
"""
CRITICAL = (
    "  scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [system-node-critical]}]}\n"
)
LAYOUT: Files = {
    ".gitattributes": "*.md text\n",
    ".gitignore": "*.tmp\n",
    ".github/workflows/build.yaml": WORKFLOW,
    "README.md": "What this is.\n",
    "a/quota.yaml": quota("pods: 9, requests.cpu: 9, services: 3"),
    "a/web.yaml": deployment(2),
    "a/service.yaml": service("web", "team-a"),
    "a/admins.yaml": binding("admins", "admin"),
    "b/quota.yaml": quota("pods: 3", namespace="team-b"),
    "b/web.yaml": deployment(2, "web", "team-b"),
    "c/base/kustomization.yaml": "resources:\n- web.yaml\n",
    "c/base/web.yaml": deployment(2, "web", ""),
    "c/one/kustomization.yaml": LISTING % ("- service.yaml\n- api.yaml", "[]"),
    "c/one/quota.yaml": quota("pods: 9, requests.cpu: 9", namespace="one"),
    "c/one/service.yaml": service("web", "one"),
    "c/one/api.yaml": deployment(1, "api", ""),
    "c/two/kustomization.yaml": "namespace: two\nresources: [../base]\n",
    "d/quota.yaml": quota("pods: 2", namespace="team-d"),
    "d/web.yaml": deployment(5, "web", "team-d"),
    "g/kustomization.yaml": f"namespace: g\nresources: [web.yaml, quota.yaml]\n{GENERATED}",
    "g/quota.yaml": quota("pods: 9, configmaps: 2", namespace="g"),
    "g/run.sh": "true\n",
    "g/web.yaml": deployment(2, "web", ""),
}
"""Of which a quota has no room for what is there."""
REPLICAS = {"a/web.yaml": Swap("replicas: 2", "replicas: 4")}
NAMED = "metadata: {name: web"
AMOUNTS: Rows = {
    "more replicas": (REPLICAS,),
    "fewer, and a text that nobody reads": ({"b/web.yaml": Swap("s: 2", "s: 1"), "README.md": "What this was.\n"},),
    "no replicas, then too many": ({"a/web.yaml": deployment(0)}, {"a/web.yaml": deployment(20)}),
    "another image": ({"a/web.yaml": Swap("image: web", "image: other")},),
    "another image, where nothing fits": ({"d/web.yaml": Swap("image: web", "image: other")},),
    "an image of what only waits": ({"a/web.yaml": Swap("image: web", "image: pause")},),
    "no image, and what is none": (
        {"a/web.yaml": Swap("image: web", "image: ''")},
        {"a/web.yaml": Swap("image: ''", "image: 1")},
    ),
    "an image, where a rollout has no room": (
        {"b/web.yaml": Swap("Recreate", "RollingUpdate"), "b/quota.yaml": Swap("pods: 3", "pods: 2")},
        {"b/web.yaml": Swap("image: web", "image: other")},
    ),
    "an image, where no new pods are admitted": (
        {"a/limits.yaml": limits("team-a").replace("default: {cpu: 2}, defaultRequest: {cpu: 1}", "max: {cpu: 10m}")},
        {"a/web.yaml": Swap("image: web", "image: other")},
    ),
    "another request": (
        {"a/web.yaml": deployment(2, cpu="2")},
        {"a/web.yaml": deployment(2, cpu="10"), "b/web.yaml": deployment(9, "web", "team-b")},
    ),
    "what did not fit, still less, and then does": (
        {"d/web.yaml": deployment(9, "web", "team-d")},
        {"d/web.yaml": deployment(1, "web", "team-d")},
    ),
    "a base of two overlays": (
        {"c/base/web.yaml": deployment(2, "web", "", "2")},
        {"c/base/web.yaml": deployment(2, "web", "", "4")},
    ),
    "replicas of a kustomization": (
        {"c/one/kustomization.yaml": Swap("patches: []", "replicas: [{name: web, count: 5}]")},
        {"c/one/kustomization.yaml": Swap("count: 5", "count: 12")},
    ),
    "a quota that is too small, then refused, then less": (
        {"a/quota.yaml": quota("pods: 1, requests.cpu: 9")},
        {"a/quota.yaml": quota("pods: 9, requests.cpus: 9")},
        {"a/quota.yaml": quota("pods: 9, requests.cpu: 9, limits.cpu: 1")},
    ),
    "a quota that is large enough": ({"d/quota.yaml": Swap("pods: 2", "pods: 6")},),
    "a quota with an entry that nothing enforces": ({"b/quota.yaml": quota("pods: 3, gpu: 1", namespace="team-b")},),
    "an amount that is none": ({"d/quota.yaml": Swap("pods: 2", "pods: two")}, REPLICAS),
    "the quota of an overlay": ({"c/one/quota.yaml": Swap("pods: 9", "pods: 2")},),
    "one quota of a file with several": (
        {"all.yaml": documents(*(quota("pods: 12", "all", f"team-{team}") for team in "abde"))},
        {"all.yaml": Swap("pods: 12", "pods: 1")},
    ),
    "a LimitRange that is refused": ({"a/limits.yaml": limits("team-a", "0.5")}, {"a/limits.yaml": Swap("0.5", "0.2")}),
    "a claim that cannot shrink": (
        {"a/claim.yaml": CLAIM, "class.yaml": CLASS},
        {"a/claim.yaml": Swap("2Gi", "1Gi")},
        {"a/claim.yaml": Swap("1Gi", "3Gi")},
    ),
    "lines above what is told": (
        {"d/web.yaml": Swap("spec:\n", "spec:\n  minReadySeconds: 1\n")},
        {"d/web.yaml": Swap("apiVersion", "# as it was\napiVersion")},
        {"d/web.yaml": Swap("Seconds: 1", "Seconds: 2")},
    ),
    "a quota that counts critical pods, where a release is not rendered": (
        {"a/release.yaml": RELEASE},
        {"a/quota.yaml": quota("pods: 9", more=CRITICAL)},
    ),
    "a quota that counts Secrets, where they are not decrypted": (
        {"g/kustomization.yaml": "resources: [web.yaml]\ngenerators: [secrets.yaml]\n", "g/secrets.yaml": KSOPS},
        {"a/quota.yaml": quota("pods: 9, secrets: 3")},
        {"g/quota.yaml": quota("pods: 9, secrets: 3", namespace="g")},
    ),
    "a baseline": (
        {".quotalint-baseline.yaml": "version: 1\nfindings: []\n"},
        {"d/web.yaml": deployment(6, "web", "team-d"), "d/more.yaml": deployment(1, "more", "team-d")},
    ),
}
MANIFESTS: Rows = {
    "a Service more": ({"a/more.yaml": service("more", "team-a")}, {"a/more.yaml": documents(SERVICES, service("x"))}),
    "a workload more": ({"a/more.yaml": deployment(3, "more")}, {"a/more.yaml": deployment(8, "more")}),
    "a workload where nothing fits": ({"d/more.yaml": deployment(1, "more", "team-d")}, {"d/web.yaml": None}),
    "another name of a file": ({"a/web.yaml": None, "a/other.yaml": deployment(2)},),
    "another name of a workload": ({"a/web.yaml": deployment(2, "other")},),
    "another kind": ({"a/web.yaml": Swap("kind: Deployment", "kind: StatefulSet")},),
    "a label": ({"a/web.yaml": Swap("{name: web", "{labels: {a: b}, name: web")},),
    "another namespace": ({"b/web.yaml": deployment(2, "web", "team-c")}, {"b/web.yaml": deployment(2, "web", "")}),
    "what has a namespace by its neighbours alone": (
        {"h/web.yaml": deployment(1, "web", "team-a"), "h/api.yaml": deployment(1, "api", "")},
        {"h/more.yaml": service("more", "team-b")},
        {"h/web.yaml": None},
    ),
    "an object that is there twice": (
        {"a/more.yaml": deployment(5)},
        {"a/more.yaml": deployment(5), "a/web.yaml": None},
    ),
    "half an object": ({"a/web.yaml": Swap("    spec:\n", "    other:\n")},),
    "a file that cannot be read": ({"a/more.yaml": "apiVersion: v1\nkind: Service\na: [\n"},),
    "an object that goes to another file": (
        {"a/web.yaml": documents(deployment(2), service("two", "team-a"))},
        {"a/web.yaml": deployment(2), "a/more.yaml": service("two", "team-a")},
    ),
    "objects that change places": (
        {"d/web.yaml": documents(deployment(1, "one", "team-d"), deployment(5, "web", "team-d"))},
        {"d/web.yaml": documents(deployment(5, "web", "team-d"), deployment(1, "one", "team-d"))},
    ),
    "what stands behind a list": (
        {"a/y.yaml": f"apiVersion: v1\nkind: List\nitems: [{json.dumps(LISTED_SERVICE)}]\n"},
        {"a/quota.yaml": quota("services: 1"), "a/z.yaml": service("more", "team-a")},
    ),
    "a quota more": ({"a/more.yaml": quota("pods: 1", "more")}, {"x/more.yaml": quota("pods: 1", "more", "one")}),
    "a Namespace that is declared": (
        {"a/namespace.yaml": namespace("team-a", ", labels: {a: b}")},
        {"a/namespace.yaml": namespace("team-a", ", labels: {a: c}, annotations: {example.com/owner: a}")},
        {"a/namespace.yaml": namespace("team-a", ", labels: {field.cattle.io/projectId: c}")},
        {
            "a/namespace.yaml": namespace(
                "team-a", ', annotations: {field.cattle.io/resourceQuota: \'{"limit":{"pods":"1"}}\'}'
            )
        },
    ),
    "annotations of others, and those of quotalint": (
        {"d/web.yaml": Swap(NAMED, "metadata: {annotations: {example.com/checksum: a}, name: web")},
        {"d/web.yaml": Swap("example.com/checksum: a", "quotalint.dev/ignore: QL301")},
    ),
    "a directive": ({"d/web.yaml": Swap("apiVersion", "# quotalint: ignore[QL301]\napiVersion")},),
    "what nobody knows of": (
        {"settled.yaml": SETTLED, "users.yaml": MEMBERS},
        {"settled.yaml": SETTLED.replace("one", "two"), "users.yaml": MEMBERS.replace("[ann]", "[ann, bob]")},
        {"users.yaml": MEMBERS.replace("user.openshift.io", "kyverno.io")},
    ),
    "a custom kind, and where it lives": (
        {"engine.yaml": custom("example.net/v1", "Engine", "web", "a: b", "team-x")},
        {"crd.yaml": CRD % "Namespaced"},
        {"crd.yaml": CRD % "Cluster"},
    ),
    "a namespace that only another object makes": (
        {"e/quota.yaml": quota("pods: 9", namespace="made")},
        {"e/app.yaml": custom("example.net/v1", "App", "made", "targetNamespace: made", "team-e")},
        {"e/app.yaml": Swap("Namespace: made", "Namespace: other")},
    ),
    "a chart that is not in view": (
        {"a/release.yaml": documents(*(RELEASE.replace("shop,", f"shop-{number},") for number in range(3)))},
        {"a/release.yaml": Swap("shop:1", "shop:2")},
        {"a/release.yaml": Swap("chart: shop", "chart: store")},
        {"a/release.yaml": Swap("  interval", "  targetNamespace: b\n  interval")},
    ),
    "a workflow": (
        {".github/workflows/build.yaml": Swap("@v1", "@v2")},
        {".github/workflows/build.yaml": deployment(1, "more")},
    ),
    "a workflow that fills in an amount": (
        {"a/claim.yaml": CLAIM.replace("2Gi", "DATA_SIZE"), "a/more.yaml": deployment(1, "more", cpu="MAX_CPU")},
        {".github/workflows/build.yaml": Swap("{uses", "{run: sed -i s/DATA_SIZE/1Gi/ a/claim.yaml}, {uses")},
        {"Taskfile.yml": "vars: {MAX_CPU: 2}\n"},
    ),
    "Terraform": (
        {"a/main.tf": TERRAFORM},
        {"a/main.tf": DEPLOYING_TERRAFORM},
        {"g/kustomization.yaml": Swap("run.sh", "main.tf"), "g/main.tf": TERRAFORM},
        {"g/main.tf": None},
    ),
    "texts that nobody reads": (
        {"docs/how.md": "How.\n", "list.yaml": "names: [web]\n"},
        {"list.yaml": "resources: [a/web.yaml]\n"},
        {"list.yaml": "releases: [{name: web, namespace: team-x, chart: ./web}]\n"},
    ),
    "values, of which one is an object": (
        {"values/shop.yaml": "resources: {requests: {cpu: 1}}\n"},
        {"values/shop.yaml": "a: {{ .b }}\n"},
        {"values/shop.yaml": "extra: [{apiVersion: v1, kind: ResourceQuota, metadata: {name: all}, spec: {}}]\n"},
        {"values/shop.yaml": deployment(1, "more", "team-e")},
    ),
}
ROLES: Rows = {
    "who is an administrator": (
        {"a/admins.yaml": Swap("name: a}", "name: b}")},
        {"a/admins.yaml": Swap("admin}", "view}")},
    ),
    "what a Role allows": (
        {"a/role.yaml": role("pods", "pods", ", namespace: team-a", "Role")},
        {"a/more.yaml": binding("more", "pods", kind="Role")},
        {"a/role.yaml": Swap("[pods]", "[pods, resourcequotas]")},
        {"a/role.yaml": Swap("[pods, resourcequotas]", '["*"], resourceNames: [quota]')},
        {"a/more.yaml": Swap("kind: Role,", "kind: ClusterRole,")},
    ),
    "a role that adds to others": (
        {"roles.yaml": role("more", "pods", ', labels: {rbac.authorization.k8s.io/aggregate-to-edit: "true"}')},
        {"roles.yaml": Swap("pods", "resourcequotas")},
        {"a/more.yaml": binding("editors", "edit")},
        {"roles.yaml": Swap("to-edit", "to-view")},
    ),
    "a role of two environments": (
        {
            ".quotalint.yaml": "environments: {east: ['a/**', 'east/**'], west: ['b/**', 'west/**']}\n",
            "east/more.yaml": role("edit", "resourcequotas"),
            "west/more.yaml": role("edit", "pods"),
        },
        {"a/editors.yaml": binding("editors", "edit")},
    ),
    "a quota that is refused, where somebody may write it": (
        {"a/more.yaml": binding("more", "cluster-admin")},
        {"a/quota.yaml": quota("pods: -9")},
    ),
}
SETTINGS: Rows = {
    "a configuration": (
        {".quotalint.yaml": "failOn: never\n"},
        {".quotalint.yaml": "ignore: [{rules: [QL301]}]\n"},
        {".quotalint.yaml": "exclude: [a/]\n"},
        {".quotalint.yaml": "scenario: peak\n"},
        {".quotalint.yaml": "namespaces: {c/one/a*.yaml: team-z, a/web.yaml: team-z}\n"},
        {".quotalint.yaml": "failOn: 7\n"},
    ),
    "a configuration that another extends": (
        {".quotalint.yaml": "extends: judged.tf\n", "judged.tf": "scenario: surge\n"},
        {"judged.tf": "severity: {QL301: info}\n"},
    ),
    "what git ignores": ({".gitignore": "d/\n"}, {"a/.gitignore": "*.yaml\n!quota.yaml\n"}),
    "patterns of git": ({".gitattributes": "*.md filter=lfs\n"},),
    "settings that may be looked up": ({"a/more.yaml": config_map("more", "1", "team-a")},),
}
ROWS: Rows = {**AMOUNTS, **MANIFESTS, **ROLES, **SETTINGS}
