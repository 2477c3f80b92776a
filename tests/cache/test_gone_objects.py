"""What goes from an overlay that brings quotas to several namespaces concerns its own namespace alone, wherever these
are written; unless it takes the name of its namespace from one of their folders."""

from __future__ import annotations

import pytest
from git_repositories import Repository, deployment, quota
from test_compared_slices import Files, compare
from test_new_files import SERVICE, STARTED

ALL = "resources:\n- one\n- two\n"
LARGE: Files = {
    **STARTED,
    "o/kustomization.yaml": ALL,
    "o/one/kustomization.yaml": "resources:\n- quota.yaml\n- web.yaml\n- service.yaml\n- more.yaml\n",
    "o/one/more.yaml": SERVICE % ("more", "o-one"),
    "o/one/quota.yaml": quota("services: 4, pods: 4", namespace="o-one"),
    "o/one/service.yaml": SERVICE % ("web", "o-one"),
    "o/one/web.yaml": deployment(2, "web", "o-one"),
    "o/two/kustomization.yaml": "resources:\n- quota.yaml\n- web.yaml\n",
    "o/two/quota.yaml": quota("pods: 4", namespace="o-two"),
    "o/two/web.yaml": deployment(2, "web", "o-two"),
}
WITHOUT_MORE: Files = {
    "o/one/kustomization.yaml": "resources:\n- quota.yaml\n- web.yaml\n- service.yaml\n",
    "o/one/more.yaml": None,
}
TAKEN = """replacements:
- source: {kind: Deployment, name: web, namespace: o-two, fieldPath: metadata.namespace}
  targets:
  - {select: {kind: Service, name: more}, fieldPaths: [metadata.namespace]}
"""
OF_NAMESPACES: dict[str, tuple[Files, Files]] = {
    "a Service": (LARGE, WITHOUT_MORE),
    "a Service in a file with others": (
        {**LARGE, "o/one/service.yaml": f"{LARGE['o/one/service.yaml']}---\n{SERVICE % ('api', 'o-one')}"},
        {"o/one/service.yaml": LARGE["o/one/service.yaml"]},
    ),
    "a Service of which there are too many": (
        {**LARGE, "o/one/quota.yaml": quota("services: 1", namespace="o-one")},
        WITHOUT_MORE,
    ),
    "a Service that is given its namespace": (
        {
            **LARGE,
            "o/one/kustomization.yaml": f"namespace: o-one\n{LARGE['o/one/kustomization.yaml']}",
            "o/one/more.yaml": (SERVICE % ("more", "x")).replace(", namespace: x", ""),
        },
        {**WITHOUT_MORE, "o/one/kustomization.yaml": f"namespace: o-one\n{WITHOUT_MORE['o/one/kustomization.yaml']}"},
    ),
}
OF_MORE: dict[str, tuple[Files, Files]] = {
    "what takes its namespace from elsewhere": ({**LARGE, "o/kustomization.yaml": f"{ALL}{TAKEN}"}, WITHOUT_MORE),
    "what stands beside quotas of another namespace": (
        {
            **LARGE,
            "o/two/kustomization.yaml": f"{LARGE['o/two/kustomization.yaml']}- more.yaml\n",
            "o/two/more.yaml": SERVICE % ("web", "o-three"),
        },
        {"o/two/kustomization.yaml": LARGE["o/two/kustomization.yaml"], "o/two/more.yaml": None},
    ),
}


@pytest.mark.parametrize("change", OF_NAMESPACES)
def test_what_goes_from_an_overlay_is_compared_alone(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert "everything" not in compare(noting_repository, monkeypatch, *OF_NAMESPACES[change])


@pytest.mark.parametrize("change", OF_MORE)
def test_what_says_something_of_other_folders_has_everything_looked_at(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert compare(noting_repository, monkeypatch, *OF_MORE[change]).count("everything") == 2
