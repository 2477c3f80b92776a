"""Searches the text of templates that are not rendered here for quotas, LimitRanges and workloads, in any language for
manifests."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.named_tuples import NamedTuple
from quotalint.text.files import content
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.sources import TERRAFORM_SUFFIXES, TemplateFile

_LARGEST = 1 << 20
"""Larger templates are not searched, in bytes."""
_LIMITING = lazy_pattern(
    rb"""\bkind["']?[ \t]*[:=][ \t]*["']?(ResourceQuota|LimitRange)\b"""
    rb"""|"kubernetes_(resource_quota|limit_range)(?:_v1)?"|\b(resourceQuota|limitRange)\.new\("""
)
_GROUP_BEFORE = lazy_pattern(rb"""\bgroup["']?[ \t]*:[^\n{}]*[\n,][ \t]*["']?$""")
_GROUP_AFTER = lazy_pattern(rb"""["']?[ \t\r]*[\n,][ \t]*["']?group["']?[ \t]*:""")
_NEAR = 100
"""The most bytes between a kind and its group."""
_NAMES = {b"resource_quota": "ResourceQuota", b"limit_range": "LimitRange"}
_KINDS = rb"(CronJob|DaemonSet|Deployment|Job|PersistentVolumeClaim|Pod|ReplicaSet|ReplicationController|StatefulSet)\b"
_IN_YAML = lazy_pattern(rb"""(?m)^(?:- )?["']?kind["']?[ \t]*:[ \t]*["']?""" + _KINDS)
_IN_LANGUAGES = lazy_pattern(rb"""\bkind["']?[ \t]*[:=]+[ \t]*["']?""" + _KINDS)
_NAMESPACES = lazy_pattern(rb"""\bnamespace["']?[ \t]*[:=][ \t]*["']?([a-z0-9][-a-z0-9]*)["']?[ \t]*(?:$|[,}\r\n])""")
_TERRAFORM = (b'"kubernetes_', b'"kubectl_manifest"', b'"helm_release"')
LANGUAGES = (".cue", ".dhall", ".jsonnet", ".k", ".libsonnet", ".pp", *TERRAFORM_SUFFIXES)
"""Suffixes of languages that generate manifests."""


class TemplateWords(NamedTuple):
    """The kinds that a template writes, according to its text."""

    limiting: tuple[str, ...] = ()
    """The kinds of quotas and LimitRanges, sorted."""
    workload: str = ""
    """The kind of the first workload; empty if there is none."""
    namespaces: frozenset[str] = frozenset()
    """The namespaces it names, if it writes a workload."""
    terraform: bool = False
    """Whether it is a file of Terraform that declares objects of Kubernetes."""


NO_WORDS = TemplateWords()


def template_words(template: TemplateFile) -> TemplateWords:
    """The words of a template; NO_WORDS if it cannot be read."""
    try:
        data = content(template.path, _LARGEST) or b""
    except (OSError, ValueError):
        return NO_WORDS
    if len(data) > _LARGEST:
        return NO_WORDS
    limiting = tuple(_limiting_kinds(data))
    if template.name.endswith(TERRAFORM_SUFFIXES) and any(word in data for word in _TERRAFORM):
        return TemplateWords(limiting, terraform=True)
    # Searching for a plain word is faster than a pattern, and most Terraform files have none.
    pattern = _IN_LANGUAGES if template.name.endswith(LANGUAGES) else _IN_YAML
    match = pattern.search(data) if b"kind" in data else None
    if match is None:
        return TemplateWords(limiting) if limiting else NO_WORDS
    namespaces = frozenset(word.decode() for word in _NAMESPACES.findall(data))
    return TemplateWords(limiting, match[1].decode(), namespaces)


def _limiting_kinds(data: bytes) -> Iterator[str]:
    """The kinds of quotas and LimitRanges in a text, sorted."""
    if b"uota" in data or b"imitRange" in data or b"limit_range" in data:
        matches = (match for match in _LIMITING.finditer(data) if not _has_a_group(data, match.start(), match.end()))
        names = {next(filter(None, match.groups())) for match in matches}
        yield from sorted({_NAMES.get(name) or (name[:1].upper() + name[1:]).decode() for name in names})


def _has_a_group(data: bytes, start: int, end: int) -> bool:
    """Whether a kind appears next to its group: then it is selected or ignored, as in an AppProject, not written."""
    before = _GROUP_BEFORE.search(data[max(start - _NEAR, 0) : start])
    return before is not None or _GROUP_AFTER.match(data, end) is not None
