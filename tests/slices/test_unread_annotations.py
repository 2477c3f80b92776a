"""Annotations of other people's tools are told by their names: whatever quotalint reads of an object is another."""

from __future__ import annotations

import ast
import re

import pytest
from rooms import nodes_of

from quotalint.slices.api_groups import is_unread_annotation

_NAME = re.compile(r"((?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,})/[A-Za-z0-9._-]*")
_PATHS = ("github.com", "gitlab.com", "bitbucket.org", "example.com")


def _written_names() -> set[str]:
    """All that looks like the name of a label or an annotation in the package, or begins one."""
    written = set()
    for path, node in nodes_of(r"[a-z]\.[a-z]"):
        if path.name != "api_groups.py" and isinstance(node, ast.Constant) and isinstance(node.value, str):
            match = _NAME.fullmatch(node.value)
            if match is not None and match[1] not in _PATHS:
                written.add(node.value if not node.value.endswith("/") else f"{node.value}name")
    return written


def test_none_that_is_named_is_unread() -> None:
    names = _written_names()
    assert {"field.cattle.io/resourceQuota", "argocd.argoproj.io/hook"} <= names
    assert sorted(filter(is_unread_annotation, names)) == []


@pytest.mark.parametrize(
    "name", ["nginx.ingress.kubernetes.io/rewrite-target", "example.com/owner", "cloud-platform.justice.gov.uk/owner"]
)
def test_those_of_other_people_are_unread(name: str) -> None:
    assert is_unread_annotation(name)


@pytest.mark.parametrize(
    "name",
    [
        *("owner", "", 1, None, "kubernetes.io/x", "openshift.io/node-selector", "quotalint.dev/ignore"),
        *("config.kubernetes.io/local-config", "helm.sh/hook", "fluxcd.io/ignore", "/", "a/b"),
    ],
)
def test_all_others_may_be_read(name: object) -> None:
    assert not is_unread_annotation(name)
