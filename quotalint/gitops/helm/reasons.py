"""Why a chart is not rendered, in the same words whatever renders."""

from __future__ import annotations

from collections.abc import Iterable


def dependencies_missing(names: Iterable[str]) -> str:
    """A chart lacks dependencies."""
    names = tuple(dict.fromkeys(names))
    is_plural = len(names) > 1
    subject = f"dependencies {', '.join(names)} are" if is_plural else f"dependency {names[0]} is"
    advice = "run `helm dependency build`, or keep charts/ in the repository"
    return f"its {subject} not vendored (charts/ is missing {'them' if is_plural else 'it'}); {advice}"


def no_application(kind: str) -> str:
    """A chart is none that can be installed."""
    if kind == "library":
        return "it is a library chart, made for other charts to use: it renders nothing itself"
    return f"it is a chart of type {kind}, which is not installable"
