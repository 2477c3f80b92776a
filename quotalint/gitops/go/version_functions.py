"""sprig's version comparison."""

from __future__ import annotations

from collections.abc import Mapping

from quotalint.gitops.go.values import GoError, Implementation
from quotalint.text.semver import SemverError, satisfies


def _semver_compare(constraint: str, version: str) -> bool:
    try:
        return satisfies(constraint, version)
    except SemverError as error:
        raise GoError(str(error)) from error


FUNCTIONS: Mapping[str, tuple[str, Implementation]] = {"semverCompare": ("ss", _semver_compare)}
