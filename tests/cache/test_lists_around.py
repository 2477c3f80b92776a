"""What a kustomization lists may decide whether others are applied: then everything is looked at."""

from __future__ import annotations

import pytest
from git_repositories import Repository, deployment, quota
from kept_answers import anew, asked, note_small_states
from test_compared_slices import Files, compare
from test_new_files import SERVICE, STARTED

UNBUILT: Files = {
    **STARTED,
    "s/base/used/kustomization.yaml": "resources: [service.yaml]\n",
    "s/base/used/service.yaml": SERVICE % ("used", "s-one"),
    "s/base/spare/kustomization.yaml": "resources:\n- service.yaml\n",
    "s/base/spare/service.yaml": SERVICE % ("spare", "s-one"),
    "s/one/kustomization.yaml": "resources: [../base/used]\n",
    "s/two/kustomization.yaml": "namespace: s-two\nresources: [quota.yaml, web.yaml]\n",
    "s/two/quota.yaml": quota("pods: 4", namespace="s-two"),
    "s/two/web.yaml": deployment(5, "web", ""),
}
"""With a base that nobody builds, as others take what lies beside it."""
BELOW: Files = {
    **STARTED,
    "s/kustomization.yaml": "resources:\n- web.yaml\npatches: []\n",
    "s/web.yaml": deployment(1, "web", "s"),
    "s/part/more.yaml": deployment(2, "more", "s-part"),
    "s/part/service.yaml": SERVICE % ("more", "s-part"),
    "q/quota.yaml": quota("pods: 4, services: 2", namespace="s-part"),
}
"""With a folder below a kustomization, of which that lists nothing."""
LISTED_BELOW: Files = {
    **BELOW,
    "s/kustomization.yaml": "resources:\n- web.yaml\n- part/new.yaml\npatches: []\n",
    "s/part/new.yaml": SERVICE % ("new", "s"),
}
NEW = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: s}\nspec: {replicas: 2}\n"
OVERLAID: Files = {
    **STARTED,
    ".quotalint.yaml": "environments: {main: ['**']}\n",
    "k/kustomization.yaml": "resources:\n- base\n- more.yaml\n",
    "k/more.yaml": SERVICE % ("more", "k"),
    "k/base/kustomization.yaml": "resources: [web.yaml, service.yaml]\n",
    "k/base/web.yaml": deployment(1, "web", "k"),
    "k/base/service.yaml": SERVICE % ("web", "k"),
    "k/prod/kustomization.yaml": "namespace: k-prod\nresources:\n- quota.yaml\n- api.yaml\n- ../base\n",
    "k/prod/quota.yaml": quota("pods: 4", namespace="k-prod"),
    "k/prod/api.yaml": deployment(1, "api", ""),
    "k/two/kustomization.yaml": "namespace: k-two\nresources:\n- quota.yaml\n- api.yaml\n- ../base\n",
    "k/two/quota.yaml": quota("pods: 4", namespace="k-two"),
    "k/two/api.yaml": deployment(1, "api", ""),
    "q/quota.yaml": quota("pods: 4, services: 3", namespace="k"),
}
"""With a kustomization that builds on what the overlays below it build on, and adds something."""
OF_MORE: dict[str, tuple[Files, Files]] = {
    "what is not built takes a folder": (
        UNBUILT,
        {"s/base/spare/kustomization.yaml": "resources:\n- service.yaml\n- ../../two\n"},
    ),
    "what is not built takes a folder no longer": (
        {**UNBUILT, "s/base/spare/kustomization.yaml": "resources:\n- service.yaml\n- ../../two\n"},
        {"s/base/spare/kustomization.yaml": "resources:\n- service.yaml\n"},
    ),
    "what is not built takes a file": (
        UNBUILT,
        {"s/base/spare/kustomization.yaml": "resources:\n- service.yaml\n- ../../../b/web.yaml\n"},
    ),
    "a file of a folder below": (
        BELOW,
        {"s/kustomization.yaml": LISTED_BELOW["s/kustomization.yaml"], "s/part/new.yaml": SERVICE % ("new", "s")},
    ),
    "a patch of a folder below": (
        BELOW,
        {
            "s/kustomization.yaml": "resources:\n- web.yaml\npatches: [{path: part/new.yaml}]\n",
            "s/part/new.yaml": NEW,
        },
    ),
    "no file of a folder below any more": (
        LISTED_BELOW,
        {
            "s/kustomization.yaml": "resources:\n- web.yaml\n- new.yaml\npatches: []\n",
            "s/part/new.yaml": None,
            "s/new.yaml": SERVICE % ("new", "s"),
        },
    ),
    "nothing but the base of overlays below": (
        OVERLAID,
        {"k/kustomization.yaml": "resources:\n- base\n", "k/more.yaml": None},
    ),
    "something more than the base of overlays below": (
        {**OVERLAID, "k/kustomization.yaml": "resources:\n- base\n"},
        {"k/kustomization.yaml": "resources:\n- base\n- more.yaml\n"},
    ),
    "one overlay more that builds on the base": (
        {
            **OVERLAID,
            "k/kustomization.yaml": "resources: [base]\n",
            "k/two/kustomization.yaml": "namespace: k-two\nresources:\n- quota.yaml\n- api.yaml\n",
        },
        {"k/two/kustomization.yaml": OVERLAID["k/two/kustomization.yaml"]},
    ),
}
OF_NAMESPACES: dict[str, tuple[Files, Files]] = {
    "a file of a new folder below": (
        BELOW,
        {
            "s/kustomization.yaml": "resources:\n- web.yaml\n- new/new.yaml\npatches: []\n",
            "s/new/new.yaml": SERVICE % ("new", "s"),
        },
    ),
    "a file more of a folder below of which all are listed": (
        {
            **STARTED,
            "s/kustomization.yaml": "resources:\n- part/web.yaml\n",
            "s/part/web.yaml": deployment(1, "web", "s"),
        },
        {
            "s/kustomization.yaml": "resources:\n- part/web.yaml\n- part/new.yaml\n",
            "s/part/new.yaml": SERVICE % ("new", "s"),
        },
    ),
}


@pytest.mark.parametrize("change", OF_MORE)
def test_everything_is_looked_at_where_others_may_be_applied_now(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert compare(noting_repository, monkeypatch, *OF_MORE[change]).count("everything") == 2


@pytest.mark.parametrize("change", OF_NAMESPACES)
def test_what_leaves_others_as_they_are_is_compared_alone(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert "everything" not in compare(noting_repository, monkeypatch, *OF_NAMESPACES[change])


@pytest.mark.parametrize("change", [name for name in OF_MORE if name.startswith("what is not built")])
def test_a_check_says_of_it_what_it_says_without_memory(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    note_small_states(monkeypatch)
    before, after = OF_MORE[change]
    noting_repository.commit(before)
    asked("check")
    noting_repository.commit(after)
    assert asked("check") == anew("check")
