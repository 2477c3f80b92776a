"""What a kustomization comes to."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from quotalint.gitops.kustomize.kustomization import Kustomization
from quotalint.gitops.kustomize.problems import Problem
from quotalint.gitops.kustomize.resources import Resource
from quotalint.gitops.kustomize.traced import Traced


class Built(NamedTuple):
    """What a kustomization yields."""

    resources: tuple[Resource, ...]
    problems: tuple[Problem, ...]
    used: frozenset[str]
    """The files and folders that it builds on."""


HelmChart = Callable[[Traced, Kustomization, str], "tuple[list[Resource], list[Problem]]"]
"""Renders an entry of `helmCharts` of a kustomization, into a namespace."""
