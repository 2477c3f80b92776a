"""What Argo CD deploys by Applications and sets of them: folders, kustomizations and charts, as projects allow."""

from __future__ import annotations

from textwrap import indent

from git_repositories import deployment, quota

from known_edits.rows import Files, Rows, Swap, application, config_map, custom, documents, namespace, service

PROJECT = """apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: {name: default, namespace: argocd}
spec:
  sourceRepos: ["*"]
  destinations: [{server: "https://kubernetes.default.svc", namespace: "*"}]
  clusterResourceWhitelist: [{group: "*", kind: "*"}]
"""
KINDS = '  namespaceResourceWhitelist: [{group: apps, kind: "*"}, {group: "", kind: ResourceQuota}]\n'
NO_MONITORS = "  namespaceResourceBlacklist: [{group: monitoring.coreos.com, kind: PodMonitor}]\n"
MONITOR = custom("monitoring.coreos.com/v1", "PodMonitor", "m", "", "team-e")
SET = """apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: %s, namespace: argocd}
spec:
  generators: [%s]
  template:
    metadata: {name: "%s"}
    spec:
      project: default
      source: {repoURL: "https://example.com/here.git", path: "%s"}
      destination: {server: "https://kubernetes.default.svc", namespace: %s}
"""
GIT = '{git: {repoURL: "https://example.com/here.git", revision: HEAD, %s}}'
CHART = """apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop, namespace: argocd}
spec:
  project: default
  source: {repoURL: "https://charts.example.com", chart: shop, targetRevision: 1.0.0, helm: {values: "image: shop:1"}}
  destination: {server: "https://kubernetes.default.svc", namespace: team-e}
"""
OF_CHART = """apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: own, namespace: argocd}
spec:
  project: default
  source: {repoURL: "https://example.com/here.git", path: charts/own, helm: {valuesObject: {n: 2}}}
  destination: {server: "https://kubernetes.default.svc", namespace: team-e}
"""
CLUSTER = """apiVersion: v1
kind: Secret
metadata: {name: cluster-%s, namespace: argocd, labels: {argocd.argoproj.io/secret-type: cluster%s}}
stringData: {name: %s, server: "https://%s.example.com"}
"""
EXTERNAL = """apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: %s, namespace: argocd}
spec: {refreshInterval: 1h, target: {template: {metadata: {labels: {%s}}}}}
"""
REGISTERING = "argocd.argoproj.io/secret-type: cluster"
TOPIC = custom("kafka.strimzi.io/v1beta2", "KafkaTopic", "one", "partitions: 1")
SKIP = "# +argocd:skip-file-rendering argocd.argoproj.io/\n"
LISTED = "resources: [quota.yaml, web.yaml, topic.yaml%s]\n"
CHARTED: Files = {
    "apps/own.yaml": OF_CHART,
    "charts/own/Chart.yaml": "apiVersion: v2\nname: own\nversion: 1.0.0\n",
    "charts/own/values.yaml": "n: 1\n",
    "charts/own/templates/web.yaml": deployment(0, "own", "").replace("replicas: 0", "replicas: {{ .Values.n }}"),
}
LAYOUT: Files = {
    "apps/project.yaml": PROJECT,
    "apps/e.yaml": application("e", "e", "recurse: true"),
    "apps/f.yaml": application("f", "f", "recurse: false", "team-f"),
    "apps/h.yaml": application("h", "h", "", "team-h"),
    "apps/shop.yaml": CHART,
    "apps/teams.yaml": SET
    % ("teams", GIT % "directories: [{path: teams/*}]", "{{path.basename}}", "{{path}}", "team-e"),
    "e/quota.yaml": quota("pods: 9, services: 2", namespace="team-e"),
    "e/service.yaml": service("web", "team-e"),
    "e/web.yaml": deployment(2, "web", "team-e"),
    "f/scripts/run.sh": "true\n",
    "f/web.yaml": deployment(1, "web", "team-f"),
    "h/kustomization.yaml": LISTED % "",
    "h/quota.yaml": quota("pods: 4, services: 2", namespace="x").replace(", namespace: x", ""),
    "h/web.yaml": deployment(2, "web", ""),
    "h/topic.yaml": TOPIC,
    "teams/a/web.yaml": deployment(1, "a", ""),
    "tools/job.yaml": deployment(9, "job", "team-e"),
}
DEPLOYED: Rows = {
    "a file that is applied as it is": (
        {"e/more.yaml": deployment(3, "more", "team-e")},
        {"e/more.yaml": deployment(9, "more", "")},
        {"e/more.yaml": service("more", "team-a")},
        {"e/more.yaml": SKIP + deployment(9, "more", "")},
        {"e/more.yaml": None, "e/service.yaml": None, "e/a-service.yaml": service("web", "team-e")},
    ),
    "a hook": ({"e/web.yaml": Swap("{name: web", "{annotations: {argocd.argoproj.io/hook: Skip}, name: web")},),
    "what is not taken": (
        {"apps/f.yaml": application("f", "f", "include: '*b.yaml'", "team-f")},
        {"f/more.yaml": service("more", "team-f"), "f/more.jsonnet": "{}\n"},
        {"f/scripts/more.yaml": deployment(3, "more", "team-f")},
        {"apps/f.yaml": application("f", "f", "recurse: true", "team-f")},
    ),
    "what is built": (
        {"h/more.yaml": service("more"), "h/kustomization.yaml": LISTED % ", more.yaml"},
        {"h/more.yaml": deployment(9, "more", "")},
        {"h/more.yaml": custom("gateway.networking.k8s.io/v1", "GatewayClass", "a", "")},
        {"h/topic.yaml": None, "h/kustomization.yaml": "resources: [quota.yaml, web.yaml]\n"},
    ),
    "another Application of the same folder": (
        {"apps/more.yaml": application("more", "h", "", "team-f")},
        {"h/web.yaml": deployment(3, "web", "")},
        {"apps/more.yaml": application("more", "h", "", "team-h")},
    ),
    "half an object": (
        {"h/web.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 2}\n"},
    ),
    "an Application": (
        {"apps/e.yaml": Swap("path: e,", "path: e, targetRevision: v1.0.0,")},
        {"apps/e.yaml": Swap("namespace: team-e}", "namespace: team-x}")},
        {"apps/e.yaml": Swap("path: e,", "path: missing,")},
        {"missing/how.md": "How.\n"},
        {"apps/e.yaml": None},
    ),
    "an Application of Applications": (
        {"root/root.yaml": application("root", "apps", "recurse: true", "argocd")},
        {"apps/e.yaml": Swap("namespace: team-e}", "namespace: team-h}")},
    ),
    "a chart that is not in view": (
        {"apps/shop.yaml": Swap("1.0.0", "2.0.0")},
        {"apps/shop.yaml": Swap("chart: shop", "chart: store")},
        {"apps/shop.yaml": Swap("  destination", "  syncPolicy: {automated: {prune: true}}\n  destination")},
    ),
    "a chart that is": (
        CHARTED,
        {"apps/own.yaml": Swap("n: 2", "n: 20")},
        {"apps/own.yaml": Swap("valuesObject: {n: 20}", "values: 'n: 3', parameters: [{name: n, value: '4'}]")},
        {"charts/own/templates/web.yaml": Swap("replicas: {{ .Values.n }}", "replicas: 7")},
        {"charts/own/values.yaml": "n: many\n"},
        {"charts/own/Chart.yaml": None},
    ),
    "what nobody applies": (
        {"tools/job.yaml": deployment(90, "job", "team-e", "100")},
        {"tools/job.yaml": deployment(9, "web", "team-e")},
        {"tools/quota.yaml": quota("pods: x", namespace="team-x")},
        {"tools/base/kustomization.yaml": "resources: [web.yaml]\n", "tools/base/web.yaml": application("t", "e")},
    ),
    "an entry of a catalogue": (
        {"catalogue/web.yaml": custom("backstage.io/v1alpha1", "Component", "web", "owner: red")},
        {"catalogue/web.yaml": Swap("red", "blue")},
    ),
    "labels of a namespace": (
        {"e/namespace.yaml": namespace("team-e", ", labels: {a: b}")},
        {"e/namespace.yaml": namespace("team-e", ", labels: {argocd.argoproj.io/managed-by: argocd}")},
    ),
}
PROJECTS: Rows = {
    "kinds that a project allows": (
        {"apps/project.yaml": PROJECT + KINDS},
        {"e/more.yaml": MONITOR},
        {"h/more.yaml": deployment(1, "more", ""), "h/kustomization.yaml": LISTED % ", more.yaml"},
        {"h/more.yaml": service("more")},
        {"e/service.yaml": None},
    ),
    "kinds that it refuses": (
        {"apps/project.yaml": PROJECT + NO_MONITORS},
        {"e/more.yaml": documents(deployment(2, "more", "team-e"), MONITOR)},
        {"apps/project.yaml": Swap("name: default,", "name: default, labels: {a: b},")},
    ),
    "namespaces that it allows": (
        {"apps/project.yaml": PROJECT.replace('"*"}]\n  clusterR', '"team-[eh]"}]\n  clusterR')},
        {"e/more.yaml": service("more", "team-z")},
    ),
    "a project in a List": (
        {"apps/project.yaml": f"apiVersion: v1\nkind: List\nitems:\n- {indent(PROJECT + KINDS, '  ').lstrip()}"},
        {"e/more.yaml": service("more", "team-e")},
    ),
    "a project of a chart": (
        {
            "apps/project.yaml": None,
            "apps/of-project.yaml": OF_CHART.replace("own", "project").replace(
                "namespace: team-e", "namespace: argocd"
            ),
            "charts/project/Chart.yaml": "apiVersion: v2\nname: project\nversion: 1.0.0\n",
            "charts/project/templates/project.yaml": PROJECT + KINDS,
        },
        {"e/more.yaml": service("more", "team-e")},
    ),
    "two projects for one folder": (
        {
            "apps/strict.yaml": (PROJECT + KINDS)
            .replace("default", "strict")
            .replace("kubernetes.default.svc", "z.com"),
            "apps/more.yaml": application("more", "h", "", "team-h", "strict").replace(
                "kubernetes.default.svc", "z.com"
            ),
        },
        {"h/more.yaml": service("more"), "h/kustomization.yaml": LISTED % ", more.yaml"},
        {"apps/strict.yaml": PROJECT.replace("default", "strict").replace("kubernetes.strict.svc", "z.com")},
    ),
}
SETS: Rows = {
    "a folder of which a set makes an Application": (
        {"teams/b/how.md": "How.\n", "teams/how.md": "How.\n"},
        {"teams/b/web.yaml": deployment(20, "b", "")},
    ),
    "a file of which a set makes an Application": (
        {
            "apps/files.yaml": SET
            % ("files", GIT % "files: [{path: 'f/**/config.yaml'}]", "{{team}}", "f", '"{{team}}"'),
            "f/scripts/config.yaml": "team: team-g\n",
        },
        {"f/scripts/config.yaml": "team: team-e\n"},
    ),
    "clusters of which a set makes Applications": (
        {
            "apps/clusters.yaml": SET % ("clusters", "{clusters: {}}", "web-{{name}}", "h", "team-h"),
            "argocd/east.yaml": CLUSTER % ("east", "", "east", "east"),
            "argocd/more.yaml": config_map("more", "2", "argocd", "Secret"),
        },
        {"argocd/more.yaml": config_map("more", "3", "argocd", "Secret")},
        {"argocd/east.yaml": CLUSTER % ("east", "", "east", "eastern")},
        {"argocd/more.yaml": CLUSTER % ("west", "", "west", "west")},
        {"argocd/external.yaml": EXTERNAL % ("external", "a: b")},
        {"argocd/external.yaml": EXTERNAL % ("external", REGISTERING)},
    ),
    "labels by which a set chooses clusters": (
        {
            "apps/clusters.yaml": SET
            % ("clusters", '{clusters: {selector: {matchLabels: {stage: "1"}}}}', "web-{{name}}", "h", "team-h"),
            "argocd/east.yaml": CLUSTER % ("east", ", stage: '1'", "east", "east"),
        },
        {"argocd/east.yaml": Swap("stage: '1'", "stage: '2'")},
    ),
}
ROWS: Rows = {**DEPLOYED, **PROJECTS, **SETS}
