"""Groups of kinds that quotalint knows nothing of are told by their names, and every one that it names is another."""

from __future__ import annotations

import ast
import re

import pytest
from rooms import nodes_of

from quotalint.slices import local_kinds
from quotalint.slices.api_groups import NAMED, is_unnamed_group

_GROUP = re.compile(
    r"(?:[a-z0-9][a-z0-9-]*\.)+(?:app|aws|cloud|co|com|de|dev|in|io|k8s|net|org|run|sh|us)(?:/v[0-9a-z]*)?/?"
)
_HOSTS = re.compile(r"(?:www\.)?(?:github|gitlab|bitbucket|gitea|codeberg)\.(?:com|org|io)/?")
_OF_OPERATORS = ("handed_on.py", "operators.py")
"""They name kinds of which the pods are in the namespace of the object."""


def _written_groups() -> set[str]:
    """All that looks like a group of kinds in the package, but for this list."""
    written = set()
    for path, node in nodes_of(r"[a-z]\.[a-z]"):
        if path.name in ("api_groups.py", *_OF_OPERATORS) or not (
            isinstance(node, ast.Constant) and isinstance(node.value, str)
        ):
            continue
        if _GROUP.fullmatch(node.value) and not _HOSTS.fullmatch(node.value):
            written.add(node.value.rstrip("/").rpartition("/v")[0] or node.value.rstrip("/"))
    return written


def test_every_group_that_is_named_is_known_as_such() -> None:
    local = local_kinds._LOCAL_GROUPS
    groups = _written_groups()
    assert {"argoproj.io", "kyverno.io", "apps.kruise.io", "capsule.clastix.io"} <= groups
    assert sorted(group for group in groups if is_unnamed_group(group) and group not in local) == []


@pytest.mark.parametrize("group", ["elasticsearch.k8s.elastic.co", "repo-manager.pulpproject.org", "example.com"])
def test_groups_of_other_people_are_unnamed(group: str) -> None:
    assert is_unnamed_group(group)


@pytest.mark.parametrize("group", ["", "apps", "batch", "kyverno.io", "hnc.x-k8s.io", "apps.openshift.io", *NAMED])
def test_groups_of_kubernetes_and_of_what_decides_anything_are_named(group: str) -> None:
    assert not is_unnamed_group(group)
