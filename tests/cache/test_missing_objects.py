"""What is not rendered matters where quotas count what it may be: a change of these is looked at with all that is said
of what is missing."""

from __future__ import annotations

from pathlib import Path

import pytest
from edited_repositories import answered, at_work, replaced
from git_repositories import Repository, deployment, quota
from kept_answers import anew, asked, judged_states, note_small_states
from test_compared_slices import RELEASE, Files, compare
from test_new_files import STARTED
from test_whole_namespaces import declared
from written_files import write_as_is

CRITICAL = quota(
    "pods: 9, requests.cpu: 9",
    more="  scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: "
    "[system-node-critical]}]}\n",
)
KSOPS = """apiVersion: viaduct.ai/v1
kind: ksops
metadata: {name: secrets, annotations: {config.kubernetes.io/function: "exec: {path: ksops}"}}
files: [secrets.enc.yaml]
"""
RELEASED: Files = {**STARTED, "a/release.yaml": RELEASE}
DECRYPTED: Files = {
    **STARTED,
    "k/kustomization.yaml": "resources: [web.yaml]\ngenerators: [secrets.yaml]\n",
    "k/web.yaml": deployment(1, "more"),
    "k/secrets.yaml": KSOPS,
}


def team_of(name: str, hard: str) -> Files:
    """A namespace with a quota and a workload, in a folder of its own."""
    return {
        f"namespaces/team-{name}/namespace.yaml": declared(f"team-{name}"),
        f"namespaces/team-{name}/quota.yaml": quota(hard, namespace=f"team-{name}"),
        f"namespaces/team-{name}/web.yaml": deployment(1, namespace=f"team-{name}"),
    }


TEAMS: Files = {
    **{name: text for name, text in DECRYPTED.items() if name.startswith("k/")},
    **{name: text for team in "abc" for name, text in team_of(team, "pods: 4").items()},
}
COUNTED = quota("pods: 9, requests.cpu: 9, secrets: 3")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (RELEASED, {"a/quota.yaml": CRITICAL}),
        ({**RELEASED, "a/quota.yaml": CRITICAL}, {"a/quota.yaml": RELEASED["a/quota.yaml"]}),
        (DECRYPTED, {"a/quota.yaml": COUNTED}),
        ({**DECRYPTED, "a/quota.yaml": COUNTED}, {"a/quota.yaml": DECRYPTED["a/quota.yaml"]}),
    ],
    ids=["critical pods", "all pods", "Secrets", "no Secrets"],
)
def test_whether_it_matters_is_looked_at(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, before: Files, after: Files
) -> None:
    assert compare(noting_repository, monkeypatch, before, after).count("everything") == 2


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (RELEASED, {"a/quota.yaml": COUNTED}),
        (DECRYPTED, {"a/quota.yaml": quota("pods: 9, requests.cpu: 9, configmaps: 9")}),
    ],
    ids=["of a release", "of Secrets"],
)
def test_where_it_matters_as_before_the_namespace_is_compared_alone(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, before: Files, after: Files
) -> None:
    assert "everything" not in compare(noting_repository, monkeypatch, before, after)


@pytest.mark.parametrize(("hard", "states"), [("pods: 4", 0), ("pods: 4, secrets: 3", 2)])
def test_a_namespace_that_comes(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, hard: str, states: int
) -> None:
    note_small_states(monkeypatch)
    noting_repository.commit(TEAMS)
    asked("check")
    noting_repository.commit(team_of("s", hard))
    expected = anew("diff", "HEAD~1", "HEAD")
    judged = judged_states(monkeypatch)
    assert asked("diff", "HEAD~1", "HEAD") == expected
    assert len(judged) == states


def test_a_check_says_whether_it_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(top: Path) -> None:
        write_as_is(top, {"quota.yaml": quota("pods: 9"), "release.yaml": RELEASE})

    with at_work(monkeypatch, make):
        before = asked("check")
        replaced("quota.yaml", quota("pods: 9"), CRITICAL.replace(", requests.cpu: 9", ""))
        after, is_whole = answered(monkeypatch, "check")
        assert (after, is_whole) == (anew("check"), True)
        assert after != before
