"""A Helm chart with values of two stages, and releases of helmfile."""

from __future__ import annotations

from git_repositories import deployment, quota
from written_files import Link

from known_edits.rows import Files, Rows, Swap, application, service

WEB = deployment(0, "web", "").replace("replicas: 0", "replicas: {{ .Values.replicas }}")
HELPERS = '{{- define "shop.cpu" -}}\n{{ .Values.cpu | default "100m" }}\n{{- end }}\n'
CHART: Files = {
    "charts/shop/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
    "charts/shop/values.yaml": "replicas: 2\nquota: {pods: 4}\n",
    "charts/shop/templates/_helpers.tpl": HELPERS,
    "charts/shop/templates/web.yaml": WEB.replace("'1'", '{{ include "shop.cpu" . }}'),
    "charts/shop/templates/quota.yaml": quota("pods: {{ .Values.quota.pods }}", namespace="x").replace(
        "namespace: x", "namespace: {{ .Release.Namespace }}"
    ),
    "charts/shop/values-prod.yaml": "replicas: 3\n",
    "charts/shop/ci/test-values.yaml": "replicas: 1\n",
}
HELM: Files = {**CHART, "team/quota.yaml": quota("pods: 2"), "team/web.yaml": deployment(5)}
OF_HELM: Rows = {
    "values": (
        {"charts/shop/values.yaml": Swap("replicas: 2", "replicas: 9")},
        {"charts/shop/values.yaml": Swap("replicas: 9", "replicas: many")},
        {"charts/shop/values-prod.yaml": "replicas: 30\n"},
        {"charts/shop/values-test.yaml": "quota: {pods: 0}\n"},
    ),
    "a template": (
        {"charts/shop/templates/web.yaml": Swap("image: web", "image: {{ .Values.image | default `web` }}")},
        {"charts/shop/templates/_helpers.tpl": Swap("100m", "9")},
        {"charts/shop/templates/more.yaml": "{{- range until 3 }}\n---\n" + service("s-{{ . }}") + "{{- end }}\n"},
        {"charts/shop/templates/web.yaml": "{{ .Values.missing.field }}\n"},
        {"charts/shop/templates/_helpers.tpl": None},
    ),
    "a chart that another one depends on": (
        {
            "charts/shop/Chart.yaml": CHART["charts/shop/Chart.yaml"] + "dependencies: [{name: db, version: 1.0.0}]\n",
            "charts/shop/charts/db/Chart.yaml": "apiVersion: v2\nname: db\nversion: 1.0.0\n",
            "charts/shop/charts/db/templates/db.yaml": deployment(4, "db", ""),
        },
        {"charts/shop/charts/db/templates/db.yaml": deployment(1, "db", "")},
        {"charts/shop/Chart.yaml": Swap("name: db,", "name: db, condition: db.enabled,")},
        {"charts/shop/values.yaml": "replicas: 2\nquota: {pods: 4}\ndb: {enabled: false}\n"},
    ),
    "a schema": ({"charts/shop/values.schema.json": '{"properties": {"replicas": {"maximum": 1}}}'},),
    "what lies beside templates": (
        {"charts/shop/.helmignore": "templates/quota.yaml\n"},
        {"charts/shop/notes.txt": "x\n"},
        {"charts/shop/templates/NOTES.txt": "{{ .Values.replicas }}\n"},
    ),
    "a chart that is moved": (
        dict.fromkeys(CHART) | {name.replace("shop/", "store/", 1): text for name, text in CHART.items()},
    ),
    "values behind a link": (
        {"charts/shop/values-prod.yaml": None, "more.yaml": "replicas: 8\n"},
        {"charts/shop/values-prod.yaml": Link("../../more.yaml")},
        {"more.yaml": "replicas: 1\n"},
    ),
    "no chart any more": ({"charts/shop/Chart.yaml": None},),
}
HELMFILE: Files = {
    **CHART,
    "helmfile.yaml": """environments: {dev: {values: [dev.yaml]}, prod: {values: [prod.yaml]}}
---
releases:
- {name: shop, namespace: shop, chart: ./charts/shop, values: [values/shop.yaml.gotmpl]}
- {name: other, namespace: other, chart: repo/other}
""",
    "dev.yaml": "n: 1\n",
    "prod.yaml": "n: 3\n",
    "values/shop.yaml.gotmpl": "replicas: {{ .Values.n }}\n",
    "quota.yaml": quota("pods: 2", namespace="shop"),
}
OF_HELMFILE: Rows = {
    "values of an environment": (
        {"prod.yaml": "n: 2\n"},
        {"prod.yaml": "n: 9\nenabled: false\n"},
        {"values/shop.yaml.gotmpl": "replicas: {{ .Values.n | add 1 }}\n"},
        {"values/shop.yaml.gotmpl": None},
    ),
    "releases": (
        {"helmfile.yaml": Swap("name: other", "name: shop-two, condition: shop.enabled")},
        {"helmfile.yaml": Swap("namespace: shop,", "namespace: team-x,")},
        {"helmfile.yaml": Swap("./charts/shop", "./charts/missing")},
        {"helmfile.yaml": Swap("values: [values", "needs: [x/y], values: [values")},
    ),
    "an environment": (
        {"helmfile.yaml": Swap("{dev: {values: [dev.yaml]}, prod", "{prod")},
        {".quotalint.yaml": "exclude: [dev.yaml]\n"},
    ),
    "a helmfile below": (
        {
            "more/helmfile.yaml": "releases:\n- {name: more, namespace: shop, chart: ../charts/shop}\n",
            "helmfile.yaml": Swap("---\nreleases", "---\nhelmfiles: [more/helmfile.yaml]\nreleases"),
        },
        {"charts/shop/values.yaml": Swap("replicas: 2", "replicas: 9")},
    ),
    "Argo CD beside it": ({"apps/shop.yaml": application("shop", "charts/shop", "", "shop")},),
}
