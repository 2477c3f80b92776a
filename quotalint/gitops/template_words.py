"""What the text of a template that nobody renders here says of itself: which quotas, LimitRanges and workloads it
writes, in any language that makes manifests."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.named_tuples import NamedTuple
from quotalint.text.files import content
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.sources import TemplateFile

_LARGEST = 1 << 20
"""Bytes of a template; in a larger one nothing is looked for."""
_LIMITING = lazy_pattern(
    rb"""\bkind["']?[ \t]*[:=][ \t]*["']?(ResourceQuota|LimitRange)\b"""
    rb"""|\bkubernetes_(resource_quota|limit_range)(?:_v1)?\b|\b(resourceQuota|limitRange)\.new\("""
)
_GROUP_BEFORE = lazy_pattern(rb"""\bgroup["']?[ \t]*:[^\n{}]*[\n,][ \t]*["']?$""")
_GROUP_AFTER = lazy_pattern(rb"""["']?[ \t\r]*[\n,][ \t]*["']?group["']?[ \t]*:""")
_NEAR = 100
"""Bytes before a kind in which its group stands."""
_NAMES = {b"resource_quota": "ResourceQuota", b"limit_range": "LimitRange"}
_KINDS = rb"(CronJob|DaemonSet|Deployment|Job|PersistentVolumeClaim|Pod|ReplicaSet|ReplicationController|StatefulSet)\b"
_IN_YAML = lazy_pattern(rb"""(?m)^(?:- )?["']?kind["']?[ \t]*:[ \t]*["']?""" + _KINDS)
_IN_LANGUAGES = lazy_pattern(rb"""\bkind["']?[ \t]*[:=]+[ \t]*["']?""" + _KINDS)
_NAMESPACES = lazy_pattern(rb"""\bnamespace["']?[ \t]*[:=][ \t]*["']?([a-z0-9][-a-z0-9]*)["']?[ \t]*(?:$|[,}\r\n])""")
LANGUAGES = (".cue", ".dhall", ".jsonnet", ".k", ".libsonnet", ".pp", ".tf")
"""Suffixes of files in which programs are written that make manifests."""


class TemplateWords(NamedTuple):
    """What a template writes, as far as its text says so."""

    limiting: tuple[str, ...] = ()
    """The kinds of what limits namespaces, in order."""
    workload: str = ""
    """The kind of the first workload; empty where there is none."""
    namespaces: frozenset[str] = frozenset()
    """Those that it names, where it writes a workload."""


NO_WORDS = TemplateWords()


def template_words(template: TemplateFile) -> TemplateWords:
    """What a template writes; nothing where it cannot be read."""
    try:
        data = content(template.path, _LARGEST) or b""
    except (OSError, ValueError):
        return NO_WORDS
    if len(data) > _LARGEST:
        return NO_WORDS
    limiting = tuple(_limiting_kinds(data))
    # Most files of Terraform have no such word, and it is sooner looked for than a pattern.
    pattern = _IN_LANGUAGES if template.name.endswith(LANGUAGES) else _IN_YAML
    match = pattern.search(data) if b"kind" in data else None
    if match is None:
        return TemplateWords(limiting) if limiting else NO_WORDS
    namespaces = frozenset(word.decode() for word in _NAMESPACES.findall(data))
    return TemplateWords(limiting, match[1].decode(), namespaces)


def _limiting_kinds(data: bytes) -> Iterator[str]:
    """The kinds of quotas and LimitRanges that a text writes, in order."""
    if b"uota" in data or b"imitRange" in data or b"limit_range" in data:
        matches = (match for match in _LIMITING.finditer(data) if not _has_a_group(data, match.start(), match.end()))
        names = {next(filter(None, match.groups())) for match in matches}
        yield from sorted({_NAMES.get(name) or (name[:1].upper() + name[1:]).decode() for name in names})


def _has_a_group(data: bytes, start: int, end: int) -> bool:
    """Whether a kind is named with its group: so do those who allow, choose or ignore objects (an AppProject), none who
    writes one."""
    before = _GROUP_BEFORE.search(data[max(start - _NEAR, 0) : start])
    return before is not None or _GROUP_AFTER.match(data, end) is not None
