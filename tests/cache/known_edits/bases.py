"""Overlays of which the bases are shared, unused or applied by themselves, by what lists them and what lies beside."""

from __future__ import annotations

from git_repositories import deployment, quota

from known_edits.rows import PATCH, Files, Rows, Swap, documents, service

WEB = deployment(3, "web", "")
UNPLACED = quota("pods: 2", namespace="x").replace(", namespace: x", "")
WATCHED = "apiVersion: example.com/v1\nkind: Monitor\nmetadata: {name: web}\n"
PARTS = "resources:\n- quota.yaml\n- ../base\n- ../parts/base\n- ../parts/more\n"
TAKEN = """replacements:
- source: {kind: Deployment, name: web, namespace: o-two, fieldPath: metadata.namespace}
  targets:
  - {select: {kind: Service, name: more}, fieldPaths: [metadata.namespace]}
"""
STAGES: Files = {
    "shop/base/kustomization.yaml": "resources: [web.yaml]\n",
    "shop/base/web.yaml": f"{UNPLACED}---\n{WEB}",
    "shop/overlays/dev/kustomization.yaml": "namespace: shop-dev\nresources: [web.yaml]\n",
    "shop/overlays/dev/web.yaml": WEB,
    "s/base/kustomization.yaml": "resources: [web.yaml]\n",
    "s/base/web.yaml": deployment(1, "web", ""),
    "s/parts/base/kustomization.yaml": "resources: [service.yaml]\n",
    "s/parts/base/service.yaml": service("part"),
    "s/parts/more/kustomization.yaml": "resources: [more.yaml]\n",
    "s/parts/more/more.yaml": deployment(2, "more", ""),
    "s/one/kustomization.yaml": "namespace: s-one\nresources:\n- quota.yaml\n- ../base\n",
    "s/one/quota.yaml": quota("pods: 4, services: 2", namespace="s-one"),
    "s/two/kustomization.yaml": f"namespace: s-two\n{PARTS}",
    "s/two/quota.yaml": quota("pods: 4, services: 2", namespace="s-two"),
    "s/three/kustomization.yaml": f"namespace: s-three\n{PARTS}",
    "s/three/quota.yaml": quota("pods: 4, services: 2", namespace="s-three"),
    "o/kustomization.yaml": "resources:\n- one\n- two\n",
    "o/one/kustomization.yaml": "resources:\n- quota.yaml\n- web.yaml\n- more.yaml\n",
    "o/one/more.yaml": service("more", "o-one"),
    "o/one/quota.yaml": quota("services: 1, pods: 4", namespace="o-one"),
    "o/one/web.yaml": deployment(2, "web", "o-one"),
    "o/two/kustomization.yaml": "resources:\n- quota.yaml\n- web.yaml\n",
    "o/two/quota.yaml": quota("pods: 4", namespace="o-two"),
    "o/two/web.yaml": deployment(2, "web", "o-two"),
}
"""A base beside a stage that does not build on it, parts of several overlays, and an overlay of two namespaces."""
OF_STAGES: Rows = {
    "objects of a base that name a namespace": (
        {"shop/base/web.yaml": f"{UNPLACED}---\n{WEB}---\n{service('web', 'team-a')}"},
        {"shop/base/web.yaml": f"{WEB}---\n{service('web', 'team-a')}"},
        {"shop/base/web.yaml": f"{UNPLACED}---\n{deployment(3, 'web', 'a')}"},
    ),
    "the only workload of a base": (
        {"shop/base/web.yaml": WATCHED},
        {"shop/base/web.yaml": f"{WATCHED}---\n{WEB}"},
        {
            "shop/base/web.yaml": WATCHED,
            "shop/base/kustomization.yaml": "resources: [web.yaml, api.yaml]\n",
            "shop/base/api.yaml": WEB,
        },
    ),
    "the only stage": ({"shop/overlays/dev/kustomization.yaml": None, "shop/overlays/dev/web.yaml": None},),
    "a stage that builds on the base": (
        {"shop/overlays/dev/kustomization.yaml": Swap("[web.yaml]", "[../../base]")},
        {
            "shop/overlays/prod/kustomization.yaml": "namespace: shop-prod\nresources: [web.yaml]\n",
            "shop/overlays/prod/web.yaml": WEB,
        },
    ),
    "parts of which an overlay is made": (
        {"s/one/kustomization.yaml": "namespace: s-one\nresources:\n- quota.yaml\n- ../base\n- ../parts/base\n"},
        {"s/two/kustomization.yaml": Swap("- ../parts/base\n", "")},
        {"s/three/kustomization.yaml": Swap("- ../parts/base\n", "")},
        {"s/one/kustomization.yaml": Swap("../parts/base", "../two")},
    ),
    "parts that do not fit": (
        {"s/parts/more/more.yaml": deployment(9, "more", "")},
        {"s/one/kustomization.yaml": Swap("../base", "../parts/more")},
        {"s/parts/more/more.yaml": quota("pods: 2", "more", "")},
    ),
    "a base that nobody else builds on": (
        {"s/other/base/kustomization.yaml": "resources: [a.yaml]\n", "s/other/base/a.yaml": deployment(1, "a", "s-b")},
        {"s/one/kustomization.yaml": Swap("../base", "../other/base")},
    ),
    "an overlay among bases": (
        {
            "s/base/all/kustomization.yaml": "namespace: s-all\nresources: [quota.yaml, ../../parts/base]\n",
            "s/base/all/quota.yaml": quota("pods: 4, services: 0", namespace="s-all"),
        },
        {"s/one/kustomization.yaml": Swap("../base", "../base/all")},
    ),
    "a Service less": (
        {"o/one/more.yaml": documents(service("more", "o-one"), service("api", "o-one"))},
        {"o/one/kustomization.yaml": Swap("- more.yaml\n", ""), "o/one/more.yaml": None},
    ),
    "a Service that takes its namespace from elsewhere": (
        {"o/kustomization.yaml": f"resources:\n- one\n- two\n{TAKEN}"},
        {"o/one/kustomization.yaml": Swap("- more.yaml\n", ""), "o/one/more.yaml": None},
    ),
    "a Service beside quotas of another namespace": (
        {
            "o/two/kustomization.yaml": Swap("- web.yaml", "- web.yaml\n- more.yaml"),
            "o/two/more.yaml": service("web", "z"),
        },
    ),
}
LISTED: Files = {
    "s/base/used/kustomization.yaml": "resources: [service.yaml]\n",
    "s/base/used/service.yaml": service("used", "s-one"),
    "s/base/spare/kustomization.yaml": "resources:\n- service.yaml\n",
    "s/base/spare/service.yaml": service("spare", "s-one"),
    "s/one/kustomization.yaml": "resources: [../base/used]\n",
    "s/two/kustomization.yaml": "namespace: s-two\nresources: [quota.yaml, web.yaml]\n",
    "s/two/quota.yaml": quota("pods: 4", namespace="s-two"),
    "s/two/web.yaml": deployment(5, "web", ""),
    "t/kustomization.yaml": "resources:\n- web.yaml\npatches: []\n",
    "t/web.yaml": deployment(1, "web", "t"),
    "t/part/more.yaml": deployment(2, "more", "t-part"),
    "t/part/service.yaml": service("more", "t-part"),
    "q/quota.yaml": quota("pods: 1, services: 2", namespace="t-part"),
}
"""A base that nobody builds, and a folder below a kustomization of which that lists nothing."""
OF_LISTS: Rows = {
    "what is not built takes a folder": (
        {"s/base/spare/kustomization.yaml": "resources:\n- service.yaml\n- ../../two\n"},
        {"s/base/spare/kustomization.yaml": "resources:\n- service.yaml\n- ../../../t/web.yaml\n"},
    ),
    "a file of a folder below": (
        {
            "t/kustomization.yaml": Swap("- web.yaml", "- web.yaml\n- part/new.yaml"),
            "t/part/new.yaml": service("n", "t"),
        },
        {"t/kustomization.yaml": Swap("part/new.yaml", "part/more.yaml")},
        {"t/kustomization.yaml": Swap("part/more.yaml", "new/new.yaml"), "t/new/new.yaml": service("new", "t")},
    ),
    "a patch of a folder below": (
        {"t/kustomization.yaml": Swap("[]", "[{path: part/new.yaml}]"), "t/part/new.yaml": PATCH % ("web", 2)},
    ),
}
OVERLAID: Files = {
    ".quotalint.yaml": "environments: {main: ['**']}\n",
    "k/kustomization.yaml": "resources:\n- base\n- more.yaml\n",
    "k/more.yaml": service("more", "k"),
    "k/base/kustomization.yaml": "resources: [web.yaml, service.yaml]\n",
    "k/base/web.yaml": deployment(1, "web", "k"),
    "k/base/service.yaml": service("web", "k"),
    "k/prod/kustomization.yaml": "namespace: k-prod\nresources:\n- quota.yaml\n- ../base\n",
    "k/prod/quota.yaml": quota("pods: 4", namespace="k-prod"),
    "k/two/kustomization.yaml": "namespace: k-two\nresources:\n- quota.yaml\n- ../base\n",
    "k/two/quota.yaml": quota("pods: 4", namespace="k-two"),
    "q/quota.yaml": quota("pods: 4, services: 1", namespace="k"),
    "a/quota.yaml": quota("pods: 1"),
    "a/web.yaml": deployment(5),
}
"""A kustomization that builds on what the overlays below it build on, and adds something."""
OF_OVERLAID: Rows = {
    "nothing but the base": (
        {"k/kustomization.yaml": "resources:\n- base\n", "k/more.yaml": None},
        {"k/two/kustomization.yaml": Swap("- ../base\n", "")},
        {"k/prod/kustomization.yaml": Swap("- ../base\n", "")},
    ),
    "other environments": (
        {".quotalint.yaml": "environments: {prod: ['k/prod/**'], rest: ['**']}\n"},
        {".quotalint.yaml": "environments: {prod: ['k/prod/**'], rest: ['k/**']}\n"},
    ),
}
