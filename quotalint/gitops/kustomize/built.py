"""What a kustomization comes to."""

from __future__ import annotations

from collections.abc import Callable

from quotalint.gitops.kustomize.kustomization import Kustomization
from quotalint.gitops.kustomize.kustomize_resource import Resource
from quotalint.gitops.kustomize.problems import Problem
from quotalint.gitops.kustomize.traced import Traced
from quotalint.gitops.kustomize.transformer_config import BLANK, TransformerConfig
from quotalint.gitops.kustomize.variables import KustomizeVariable
from quotalint.named_tuples import NamedTuple


class Built(NamedTuple):
    """What a kustomization yields."""

    resources: tuple[Resource, ...]
    problems: tuple[Problem, ...]
    used: frozenset[str]
    """The files and folders that it builds on."""
    config: TransformerConfig = BLANK
    """What it teaches the transformers of those that build on it, too."""
    variables: tuple[KustomizeVariable, ...] = ()
    """Those that are not resolved yet."""


HelmChart = Callable[[Traced, Kustomization, str], "tuple[list[Resource], list[Problem]]"]
"""Renders an entry of `helmCharts` of a kustomization, into a namespace."""
