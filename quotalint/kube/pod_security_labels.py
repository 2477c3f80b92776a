"""The labels of a Namespace that say what Pod Security enforces, and which of them the API server refuses.

Source: Kubernetes 1.37, k8s.io/pod-security-admission/api/helpers.go (PolicyToEvaluate, ParseLevel, ParseVersion).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from quotalint.kube.amounts import is_placeholder
from quotalint.kube.fields import mapping, text
from quotalint.kube.objects import Object
from quotalint.kube.pod_security import LEVELS

PREFIX = "pod-security.kubernetes.io/"
ENFORCE = f"{PREFIX}enforce"
LATEST = "latest"


def enforced_policy(namespace: Object) -> tuple[str, str]:
    """The enforced level and its version, as they are written; the level is empty without the label."""
    labels = mapping(namespace.metadata.get("labels"))
    return text(labels.get(ENFORCE)), text(labels.get(f"{ENFORCE}-version")) or LATEST


def label_errors(namespace: Object) -> Iterator[tuple[str, str]]:
    """The labels with which the API server refuses a Namespace, with its messages."""
    labels = mapping(namespace.metadata.get("labels"))
    for mode in ("enforce", "audit", "warn"):
        for key, error in ((f"{PREFIX}{mode}", _level_error), (f"{PREFIX}{mode}-version", _version_error)):
            value = labels.get(key)
            if isinstance(value, str) and not is_placeholder(value) and (words := error(value)):
                yield key, f'metadata.labels[{key}]: Invalid value: "{value}": {words}'


def _level_error(level: str) -> str:
    return "" if level in LEVELS else f"must be one of {', '.join(LEVELS)}"


def _version_error(version: str) -> str:
    return "" if is_version(version) else 'must be "latest" or "v1.x"'


def is_version(version: str) -> bool:
    """Whether the API server reads a text as the version of a policy."""
    return version == LATEST or bool(re.fullmatch(r"v1\.([0-9]|[1-9][0-9]{1,17})", version))
