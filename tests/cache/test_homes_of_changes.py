"""What names its namespace itself may make its folder the home of that, by which a quota elsewhere is misplaced
(QL601): unless something beside it does so already, everything is looked at."""

from __future__ import annotations

import pytest
from git_repositories import Repository, deployment
from manifests import quota
from test_compared_slices import Files, compare
from test_new_files import APPLICATION, SERVICE

ELSEWHERE: Files = {
    "mail/web.yaml": deployment(1, "web", "mail"),
    "mail/api.yaml": deployment(1, "api", "mail"),
    "mail/quota.yaml": quota("shop", "mail-quota", "pods: 9"),
}
"""A quota of another namespace than all beside it: misplaced where that has a home."""
GIVEN: Files = {
    **ELSEWHERE,
    "apps/mail.yaml": APPLICATION % ("mail", "mail", "", "mail"),
    "apps/web.yaml": APPLICATION % ("web", "web", "", "shop"),
    "web/web.yaml": deployment(1, "web", ""),
}
"""Where an Application gives a folder its namespace, which is no home of that."""
NAMED: Files = {"web/more.yaml": deployment(1, "more", "shop")}
OF_MORE: dict[str, tuple[Files, Files]] = {
    "a workload that names it": (GIVEN, NAMED),
    "one that goes": ({**GIVEN, **NAMED}, dict.fromkeys(NAMED)),
    "one beside a quota that does not": ({**GIVEN, "web/quota.yaml": quota(hard="pods: 8")}, NAMED),
    "a workload of another namespace that comes to the home of one": (
        {
            **ELSEWHERE,
            "web/web.yaml": deployment(1, "web", "shop"),
            "web/service.yaml": SERVICE % ("web", "third"),
            "third/web.yaml": deployment(1, "web", "third"),
        },
        {"web/more.yaml": deployment(1, "more", "third")},
    ),
}
ALONE: dict[str, tuple[Files, Files]] = {
    "a workload that names none": (GIVEN, {"web/more.yaml": deployment(1, "more", "")}),
    "one that goes": (
        {**GIVEN, "web/more.yaml": deployment(1, "more", "")},
        {"web/more.yaml": None},
    ),
    "a workload that names it as one beside it does": (
        {**GIVEN, **NAMED},
        {"web/third.yaml": deployment(1, "third", "shop")},
    ),
}


@pytest.mark.parametrize("change", OF_MORE)
def test_everything_is_looked_at_where_a_folder_may_become_a_home(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert compare(noting_repository, monkeypatch, *OF_MORE[change]).count("everything") == 2


@pytest.mark.parametrize("change", ALONE)
def test_what_makes_no_folder_a_home_is_compared_alone(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert "everything" not in compare(noting_repository, monkeypatch, *ALONE[change])
