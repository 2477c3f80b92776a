"""Suppressions in a change count only if the state before the change has them too.

The author of a change must not decide that nothing is reported about it. A suppression is recognised by its object, the
key on its line and its rule, so its line may move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from quotalint.accounts.facts import Facts
from quotalint.checks.hit import Hit
from quotalint.kube.fields import mapping, text
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.suppression import ANNOTATION, BASELINE, COMMENT, Silence, has_ignore_annotation, silences_of
from quotalint.text.documents import read
from quotalint.text.place import Place

if TYPE_CHECKING:
    from quotalint.suppression.baseline import Baseline

DirectiveSubject = tuple[str, ...]


class Directive(NamedTuple):
    """The suppression of a rule, or of all rules with a prefix, for a subject."""

    subject: DirectiveSubject
    """An object, a document of a file, or a fingerprint."""
    file: str
    """The file in which it is written."""
    about: str
    """The key on its line; empty: the whole subject."""
    rule: str

    def covers(self, other: Directive) -> bool:
        """Whether accepting this directive also accepts another one."""
        return self.about in ("", other.about) and other.rule.startswith(self.rule)


class Trust:
    """The suppressions in the state before a change. It is a class because it collects the new ones in the change that
    would suppress something, or that do if `everything` counts."""

    def __init__(
        self,
        before: Sequence[Facts],
        content: Callable[[str], bytes],
        is_gone: Callable[[str], bool] = lambda _: False,
        baseline: Baseline | None = None,
        configured: tuple[Place, ...] = (),
        replaced: tuple[tuple[Place, str], ...] = (),
        *,
        everything: bool = False,
    ) -> None:
        """`content` reads a file of the earlier state; `is_gone`: whether the change removes a file; `configured`: the
        configuration keys that the change modifies; `replaced`: the vendored sources that it replaces, with their place
        in the lock."""
        self._content = content
        self._is_gone = is_gone
        self._everything = everything
        self._configured = configured
        self._replaced = replaced
        self._accepted: dict[DirectiveSubject, list[Directive]] = {}
        self._read: set[str] = set()
        self._comments: dict[Silence, Directive] = {}
        self._silenced: dict[Silence, str] = {}
        for facts in before:
            for obj in filter(has_ignore_annotation, facts.cluster.objects):
                self._take_directives(_annotation_directive(obj, silence) for silence in silences_of(obj))
        for entry in baseline.entries if baseline else ():
            self._take_directives([Directive((entry.fingerprint,), "", "", entry.rule)])
        for file in before[0].repository.files if before else ():
            if file.marked:
                self._read_file(file.source.name)

    def has_annotation(self, silence: Silence, obj: Object | None) -> bool:
        """Whether an object's annotation counts."""
        if silence.by != ANNOTATION or obj is None:
            return True
        return self._has_directive(silence, _annotation_directive(obj, silence))

    def has_entry(self, silence: Silence, fingerprint: str) -> bool:
        """Whether a baseline entry counts."""
        return self._has_directive(silence, Directive((fingerprint,), "", "", silence.rule))

    def take_comments(self, data: bytes, name: str) -> None:
        """Records the directives in the comments of a changed file."""
        self._comments |= directives_in(data, name)
        self._read_file(name)

    def has_comment(self, silence: Silence) -> bool:
        """Whether a comment counts."""
        directive = self._comments.get(silence)
        return directive is not None and self._has_directive(silence, directive)

    @property
    def refused_silences(self) -> frozenset[Silence]:
        """The suppressions that do not count but would suppress something."""
        return frozenset() if self._everything else frozenset(self._silenced)

    def hits(self) -> Iterator[Hit]:
        """The findings about suppressions that a change adds."""
        effect = "counts by `--trust-head-config`" if self._everything else "does not count before the base has it"
        severity = "info" if self._everything else ""
        for place in self._configured:
            key = str(place.path[0]) if place.path else ""
            values = {"what": f"`{key}`", "key": key, "effect": effect}
            yield Hit(place, values, variant="configuration", severity=severity)
        for place, source in self._replaced:
            yield Hit(place, {"what": source, "key": source, "effect": ""}, variant="content", severity=severity)
        for silence, silenced in self._silenced.items():
            values = {"what": silenced, "key": f"{silence.by} {silence.rule}", "effect": effect}
            hit = Hit(silence.place, values, severity=severity)
            yield hit._replace(line=silence.line, column=silence.column)

    def _has_directive(self, silence: Silence, directive: Directive) -> bool:
        covering = (accepted for accepted in self._accepted.get(directive.subject, ()) if accepted.covers(directive))
        # One object may be written for several clusters: accepting one of them only counts for its own file.
        if any(accepted.file == directive.file or self._is_gone(accepted.file) for accepted in covering):
            return True
        self._silenced.setdefault(silence, _WORDS[silence.by].format(silence.rule or "every rule"))
        return self._everything

    def _read_file(self, name: str) -> None:
        if name not in self._read:
            self._read.add(name)
            self._take_directives(directives_in(self._content(name), name).values())

    def _take_directives(self, directives: Iterable[Directive]) -> None:
        for directive in directives:
            self._accepted.setdefault(directive.subject, []).append(directive)


_WORDS = {
    COMMENT: "the comment that silences {}",
    ANNOTATION: "the annotation that silences {}",
    BASELINE: "the entry of the baseline for {}",
}


def changed_keys(old: bytes, new: bytes, file: str) -> tuple[Place, ...]:
    """The keys of a configuration that differ before and after a change, as places in `file`."""
    before, after = (
        mapping(documents[0].value) if documents else {} for documents in (read(old).documents, read(new).documents)
    )
    return tuple(Place(file, 0, (key,)) for key in sorted({*before, *after}) if before.get(key) != after.get(key))


def directives_in(data: bytes, name: str) -> Mapping[Silence, Directive]:
    """The directives in the comments of a file."""
    from quotalint.suppression.ignore_comments import comments_in

    comments = comments_in(data, name)
    if not comments.all:
        return {}
    documents = {document.line: document for document in read(data, json=name.lower().endswith(".json")).documents}
    lines = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").split("\n")
    result: dict[Silence, Directive] = {}
    for comment in comments.all:
        document = documents.get(comment.document.first)
        subject = _document_subject(document.value) if document is not None else ()
        subject = subject or (name, str(document.index if document is not None else -1))
        line = lines[comment.about.first - 1] if 0 < comment.about.first <= len(lines) else ""
        about = "" if comment.heads else _line_key(line)
        result |= {silence: Directive(subject, name, about, silence.rule) for silence in comment.silences}
    return result


def _line_key(line: str) -> str:
    """The key on a line or, for a list, its item. Never empty, which would mean the whole document."""
    return line.partition("#")[0].partition(": ")[0].strip(" \t-:'\"\r") or "-"


def _document_subject(value: object) -> DirectiveSubject:
    """The object in a document; empty if it has no name."""
    body = mapping(value)
    metadata = mapping(body.get("metadata"))
    name = text(metadata.get("name"))
    group = text(body.get("apiVersion")).rpartition("/")[0]
    return (group, text(body.get("kind")), text(metadata.get("namespace")), name) if name else ()


def _annotation_directive(obj: Object, silence: Silence) -> Directive:
    return Directive(("annotated", *map(str, obj.ref)), silence.place.source, "", silence.rule)
