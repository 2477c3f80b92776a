"""Overlays that begin to build on what others build on, or no longer do, and that make ConfigMaps of other files."""

from __future__ import annotations

import pytest
from git_repositories import Repository, deployment, quota
from test_compared_slices import Files, compare
from test_new_files import SERVICE, STARTED

GENERATING = """resources: [%s]
namespace: %s
generatorOptions: {disableNameSuffixHash: %s}
configMapGenerator: [{name: run, files: [%s]}]
"""
PARTS = "resources:\n- quota.yaml\n- ../base\n- ../parts/base\n- ../parts/more\n"
SHARED: Files = {
    **STARTED,
    "s/base/kustomization.yaml": "resources: [web.yaml]\n",
    "s/base/web.yaml": deployment(1, "web", ""),
    "s/parts/base/kustomization.yaml": "resources: [service.yaml]\n",
    "s/parts/base/service.yaml": (SERVICE % ("part", "x")).replace(", namespace: x", ""),
    "s/parts/more/kustomization.yaml": "resources: [more.yaml]\n",
    "s/parts/more/more.yaml": deployment(2, "more", ""),
    "s/one/kustomization.yaml": "namespace: s-one\nresources:\n- quota.yaml\n- ../base\n",
    "s/one/quota.yaml": quota("pods: 4, services: 2", namespace="s-one"),
    "s/two/kustomization.yaml": f"namespace: s-two\n{PARTS}",
    "s/two/quota.yaml": quota("pods: 4, services: 2", namespace="s-two"),
    "s/three/kustomization.yaml": f"namespace: s-three\n{PARTS}",
    "s/three/quota.yaml": quota("pods: 4, services: 2", namespace="s-three"),
}
ONE = str(SHARED["s/one/kustomization.yaml"])
TWO = str(SHARED["s/two/kustomization.yaml"])
MADE: Files = {
    **STARTED,
    "g/kustomization.yaml": GENERATING % ("web.yaml, quota.yaml", "g", "true", "run.sh"),
    "g/quota.yaml": quota("pods: 9, configmaps: 2", namespace="g"),
    "g/run.sh": "true\n",
    "g/web.yaml": deployment(2, "web", ""),
}


def made_of(files: str, *, listed: str = "web.yaml, quota.yaml", plain: str = "true") -> Files:
    return {"g/kustomization.yaml": GENERATING % (listed, "g", plain, files)}


OF_NAMESPACES: dict[str, tuple[Files, Files]] = {
    "a base that others build on": (SHARED, {"s/one/kustomization.yaml": f"{ONE}- ../parts/base\n"}),
    "one overlay instead of the other": (
        SHARED,
        {
            "s/one/kustomization.yaml": f"{ONE}- ../parts/base\n",
            "s/two/kustomization.yaml": TWO.replace("- ../parts/base\n", ""),
        },
    ),
    "a base that is still built on beside quotas of others": (
        {**SHARED, "s/two/quota.yaml": deployment(1, "api", ""), "q/quota.yaml": quota("pods: 9", namespace="s-two")},
        {"s/two/kustomization.yaml": TWO.replace("- ../parts/base\n", "")},
    ),
    "one that does not fit": (
        {**SHARED, "s/one/quota.yaml": quota("pods: 2", namespace="s-one")},
        {"s/one/kustomization.yaml": f"{ONE}- ../parts/more\n"},
    ),
    "a script that a ConfigMap is made of as well": (MADE, {"g/more.sh": "true\n", **made_of("run.sh, more.sh")}),
    "data that a ConfigMap is made of as well": (MADE, {"g/more.json": '{"a": 1}\n', **made_of("run.sh, more.json")}),
    "another key of the same": (MADE, made_of("main.sh=run.sh")),
    "ConfigMaps of other names": (MADE, made_of("run.sh", plain="false")),
    "a manifest that is data as well": (MADE, made_of("run.sh, web.yaml")),
    "a script and a file": (
        MADE,
        {
            "g/more.sh": "true\n",
            "g/more.yaml": deployment(9, "more", ""),
            **made_of("run.sh, more.sh", listed="web.yaml, quota.yaml, more.yaml"),
        },
    ),
}
ALONE = {name: text for name, text in SHARED.items() if not name.startswith("s/three")}
OF_MORE: dict[str, tuple[Files, Files]] = {
    "what does not fit in the namespace of another one either": (
        {**SHARED, "s/parts/more/more.yaml": deployment(9, "more", "")},
        {"s/one/kustomization.yaml": f"{ONE}- ../parts/more\n"},
    ),
    "a base that nobody builds on": (
        {**SHARED, "s/other/base/kustomization.yaml": "resources: [a.yaml]\n", "s/other/base/a.yaml": deployment(1)},
        {"s/one/kustomization.yaml": f"{ONE}- ../other/base\n"},
    ),
    "a base on which nobody builds any more": (
        ALONE,
        {"s/two/kustomization.yaml": TWO.replace("- ../parts/more\n", "")},
    ),
    "a base on which another one builds in its place": (
        ALONE,
        {
            "s/one/kustomization.yaml": f"{ONE}- ../parts/more\n",
            "s/two/kustomization.yaml": TWO.replace("- ../parts/more\n", ""),
        },
    ),
    "a base on which nobody builds but what is applied among the bases": (
        {
            **STARTED,
            "s/base/part/kustomization.yaml": "resources: [service.yaml]\n",
            "s/base/part/service.yaml": (SERVICE % ("part", "x")).replace(", namespace: x", ""),
            "s/base/all/kustomization.yaml": "namespace: s-all\nresources: [quota.yaml, ../part]\n",
            "s/base/all/quota.yaml": quota("pods: 4, services: 2", namespace="s-all"),
            "s/one/kustomization.yaml": "namespace: s-one\nresources:\n- quota.yaml\n- web.yaml\n",
            "s/one/quota.yaml": quota("pods: 4, services: 2", namespace="s-one"),
            "s/one/web.yaml": deployment(1, "web", ""),
        },
        {"s/one/kustomization.yaml": "namespace: s-one\nresources:\n- quota.yaml\n- web.yaml\n- ../base/part\n"},
    ),
    "an overlay that is applied by itself": (SHARED, {"s/one/kustomization.yaml": f"{ONE}- ../two\n"}),
    "a base whose quota comes": (
        {**SHARED, "s/parts/more/more.yaml": quota("pods: 2", "more", "")},
        {"s/one/kustomization.yaml": f"{ONE}- ../parts/more\n"},
    ),
    "a manifest that comes as data": (MADE, {"g/more.yaml": deployment(9, "more"), **made_of("run.sh, more.yaml")}),
    "a script that is missed": (MADE, made_of("run.sh, more.sh")),
    "a quota that comes as data": (MADE, {"g/more.yaml": quota("pods: 1", "q", "g"), **made_of("run.sh, more.yaml")}),
    "a script that no ConfigMap is made of": (
        {**MADE, "g/more.sh": "true\n", **made_of("run.sh, more.sh")},
        made_of("run.sh"),
    ),
}


@pytest.mark.parametrize("change", OF_NAMESPACES)
def test_what_others_read_too_is_compared_alone(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert "everything" not in compare(noting_repository, monkeypatch, *OF_NAMESPACES[change])


@pytest.mark.parametrize("change", OF_MORE)
def test_what_begins_or_ceases_to_be_applied_by_itself_has_everything_looked_at(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert compare(noting_repository, monkeypatch, *OF_MORE[change]).count("everything") == 2
