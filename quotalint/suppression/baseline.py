"""The baseline: a file with earlier findings, so that only new ones are reported."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping

from quotalint.named_tuples import NamedTuple
from quotalint.settings import ConfigError
from quotalint.settings.checking import Checks, known_entries, shown_value
from quotalint.suppression import BASELINE, Silence, Suppression
from quotalint.text.documents import MAX_BYTES, read
from quotalint.text.files import content
from quotalint.text.place import Path, Place


class BaselineEntry(NamedTuple):
    """One earlier finding."""

    file: str
    """Relative to the folder of the baseline, so the working directory does not matter."""
    rule: str
    message: str
    """For readers of the file; its numbers may be outdated."""
    fingerprint: str
    """The identity of the finding."""
    reason: str = ""
    """Why it is accepted, written by a reviewer."""
    place: Place = Place("")
    """The place of the entry."""

    @property
    def silence(self) -> Silence:
        """The suppression by this entry."""
        return Silence(BASELINE, self.rule, self.place, reason=self.reason)


class Baseline(NamedTuple):
    """The content of a baseline file."""

    file: str
    """The file as reports name it."""
    entries: tuple[BaselineEntry, ...]

    def by_fingerprint(self) -> dict[str, list[tuple[str, BaselineEntry]]]:
        """The entries of each fingerprint, in their order, each with its file as reports name it."""
        by_fingerprint: dict[str, list[tuple[str, BaselineEntry]]] = {}
        for entry in self.entries:
            by_fingerprint.setdefault(entry.fingerprint, []).append((self.source(entry), entry))
        return by_fingerprint

    def source(self, entry: BaselineEntry) -> str:
        """The file of an entry as reports name it."""
        return _relative_to(entry.file, os.path.dirname(self.file), "")


def read_baseline(file: str) -> Baseline | tuple[ConfigError, ...]:
    """The content of a baseline file, or all errors in it, from top to bottom."""
    try:
        data = content(file, MAX_BYTES)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no file can have this name"
        return (ConfigError(f"the baseline cannot be read: {reason}", file, None, None),)
    if data is None:
        return (ConfigError("the baseline cannot be read: it is not a regular file", file, None, None),)
    reading = read(data)
    errors = [ConfigError(failure.message, file, failure.line, None) for failure in reading.failures]
    errors += [
        ConfigError("only one document is read", file, document.line, None) for document in reading.documents[1:]
    ]
    file_entries: tuple[BaselineEntry, ...] = ()
    for document in reading.documents[:1]:
        for key in document.duplicates:
            message = f"`{key.key}` appears twice, first on line {key.first_line}"
            errors.append(ConfigError(message, file, key.line, None))
        checks = Checks([], None)
        place = Place(file, document.index)
        file_entries = tuple(_read_entries(document.value, place, checks))
        if checks.wrong:
            from quotalint.text.spans import locate

            spans = locate(data, [place.at(*wrong.path) for wrong in checks.wrong])
            errors += [
                ConfigError(wrong.message, file, spans[place.at(*wrong.path)].line, None) for wrong in checks.wrong
            ]
    if errors:
        return tuple(sorted(errors, key=lambda error: error.line or 0))
    return Baseline(file, file_entries)


def baseline_text(entries: Iterable[BaselineEntry]) -> str:
    """The text of a baseline with these entries, in an order that does not depend on the run."""
    lines = [_HEADER]
    for entry in sorted(
        entries, key=lambda entry: (entry.file, entry.rule, entry.message, entry.fingerprint, entry.reason)
    ):
        lines += [
            f"- rule: {entry.rule}",
            f"  file: {_quote_text(entry.file)}",
            f"  message: {_quote_text(entry.message)}",
        ]
        # Quoted, because digits alone would be a number.
        lines.append(f"  fingerprint: {_quote_text(entry.fingerprint)}")
        if entry.reason:
            lines.append(f"  reason: {_quote_text(entry.reason)}")
    return "\n".join([*lines, ""]) if len(lines) > 1 else f"{_HEADER} []\n"


def entry_of(
    rule: str, file: str, message: str, fingerprint: str, suppressed: Suppression | None, baseline: str
) -> BaselineEntry:
    """The entry for a finding, with paths relative to the baseline file."""
    reason = suppressed.reason if suppressed else ""
    return BaselineEntry(_relative_to(file, "", os.path.dirname(baseline)), rule, message, fingerprint, reason)


def _relative_to(file: str, old: str, new: str) -> str:
    """Converts a path relative to one folder into a path relative to another."""
    if file.startswith("<"):
        return file
    return os.path.relpath(os.path.join(old, file), new or ".").replace(os.sep, "/")


_HEADER = """\
# What quotalint found when this file was written, and no longer reports: only what is new is reported.
#
#   quotalint --write-baseline    rewrites it: what has been repaired is dropped, what is new is added
#
# An entry is known by its fingerprint, which stays the same when lines move or amounts change; rule, file and message
# are there to be read. A `reason` may be added to an entry, and is kept.
findings:"""


def _read_entries(value: object, document: Place, checks: Checks) -> Iterator[BaselineEntry]:
    if not isinstance(value, dict):
        checks.say((), f"a baseline is a map with `findings`, not {shown_value(value)}")
        return
    for key, inner in known_entries(value, (), ("findings",), checks):
        if not isinstance(inner, list):
            if inner is not None:
                checks.refuse((key,), "a list", inner)
            continue
        for index, item in enumerate(inner):
            path: Path = (key, index)
            fields = dict(known_entries(item, path, _KEYS, checks))
            wrong = len(checks.wrong)
            for name, (pattern, must) in _FIELDS.items():
                field_text = fields.get(name, "" if name == "reason" else None)
                if isinstance(item, dict) and not (isinstance(field_text, str) and re.search(pattern, field_text)):
                    checks.refuse((*path, name), must, field_text)
            if len(checks.wrong) == wrong and isinstance(item, dict):
                yield BaselineEntry(place=document.at(*path), **{name: str(text) for name, text in fields.items()})


_FIELDS: Mapping[str, tuple[str, str]] = {
    "rule": ("^QL", "the id of a rule"),
    "file": ("", "the path of a file"),
    "message": ("", "a text"),
    "fingerprint": ("^[0-9a-f]{20}$", "a fingerprint: 20 digits from 0 to f, in quotes"),
    "reason": ("", "a text"),
}
_KEYS = tuple(_FIELDS)


def _quote_text(text: str) -> str:
    """The text in double quotes for YAML, with control characters escaped."""
    return '"' + "".join(_escape_character(char) for char in text) + '"'


def _escape_character(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    if char.isprintable():
        return char
    code = ord(char)
    if 0xD800 <= code < 0xE000:  # half a surrogate pair, which YAML cannot contain
        return "\ufffd"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
