"""Reads `policies`: the user's own rules, in the configuration or in files that it names."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from quotalint.catalogue import SEVERITIES as REPORTED
from quotalint.catalogue import Rule
from quotalint.named_tuples import NamedTuple
from quotalint.settings import SEVERITIES, ConfigError
from quotalint.settings.checking import Checks, known_entries, one_of, way_to
from quotalint.settings.extending import PACKAGE, locate_base
from quotalint.text.disk import is_folder, names_in
from quotalint.text.documents import MAX_BYTES, read
from quotalint.text.files import content
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Path, Place

ENTRY, QUOTA, NAMESPACE, WORKLOAD, CLUSTER = SUBJECTS = ("entry", "quota", "namespace", "workload", "cluster")
"""The subjects that policies are evaluated for: each entry of a quota's `hard`, each quota, namespace or workload, or
once for the cluster."""

VALUES: Mapping[str, tuple[str, ...]] = {
    ENTRY: ("namespace", "quota", "resource", "hard", "steady", "surge", "peak", "share", "environment"),
    QUOTA: ("namespace", "quota", "environment"),
    NAMESPACE: ("namespace", "environment"),
    WORKLOAD: ("namespace", "kind", "workload", "pods", "environment"),
    CLUSTER: ("environment",),
}
"""The values that the texts of a policy may contain in braces, by subject."""

_MOST = 1000  # rule files in a folder
_REQUIRED = ("id", "message", "expression")
_FAILED = "{subject} cannot be judged by this policy: {reason}"


class Policy(NamedTuple):
    """A rule of the user."""

    rule: Rule
    expression: str
    about: str
    """One of SUBJECTS."""
    place: Place
    """The place of the expression."""


class WrittenPolicy(NamedTuple):
    """A well-formed item of `policies`: the path of a file or folder, or a policy."""

    value: object
    path: Path


def read_policies(value: object, path: Path, checks: Checks) -> tuple[WrittenPolicy, ...]:
    """Reads the items of the list."""
    if not isinstance(value, list):
        checks.refuse(path, "a list of rule files and policies", value)
        return ()
    for index, item in enumerate(value):
        if isinstance(item, dict):
            check_policy(item, (*path, index), checks)
        elif not isinstance(item, str) or not item:
            checks.refuse((*path, index), "the path of a rule file, or a policy", item)
    return tuple(WrittenPolicy(item, (*path, index)) for index, item in enumerate(value))


def check_policy(value: object, path: Path, checks: Checks) -> None:
    """Checks the form of a policy; its expression is not compiled."""
    policy_fields = dict(known_entries(value, path, tuple(_KEYS), checks))
    for key, inner in policy_fields.items():
        _KEYS[key](inner, (*path, key), checks)
    missing = [key for key in _REQUIRED if key not in policy_fields]
    if isinstance(value, dict) and missing:
        checks.say(path, f"{_policy_title(value, path)} lacks {' and '.join(f'`{key}`' for key in missing)}")
    about = (
        policy_fields.get("for")
        if policy_fields.get("for") in SUBJECTS
        else _subject_of(policy_fields.get("expression"))
    )
    for key in ("message", "help", "label"):
        unknown = [name for name in _named_values(policy_fields.get(key)) if name not in VALUES[str(about)]]
        if unknown:
            variables = ", ".join(f"{{{name}}}" for name in VALUES[str(about)])
            subject = "the cluster" if about == CLUSTER else f"each {about}"
            checks.say((*path, key), f"`{key}` names {{{unknown[0]}}}; a policy for {subject} has {variables}")


def policies_of(
    written: tuple[WrittenPolicy, ...], file: str, shown: str, document: int
) -> tuple[tuple[Policy, ...], list[ConfigError]]:
    """The policies in a configuration and in the files that it names, and the errors in these files."""
    policies_read: list[Policy] = []
    errors: list[ConfigError] = []
    for entry in written:
        if isinstance(entry.value, str):
            more, wrong = _policies_of_files(entry.value, file, shown, way_to(entry.path))
            policies_read += more
            errors += wrong
        else:
            policies_read.append(_policy_of(entry.value, Place(shown, document, entry.path)))
    return tuple(policies_read), errors


def repeated_policies(all_policies: tuple[Policy, ...]) -> Iterator[ConfigError]:
    """Errors for policies whose id is already used."""
    first: dict[str, Policy] = {}
    for policy in all_policies:
        other = first.setdefault(policy.rule.id, policy)
        if other.place != policy.place:
            yield ConfigError(
                f"policy {policy.rule.id} is in {other.place.source} already", policy.place.source, None, "policies"
            )


def policies_in(file: str, shown: str) -> tuple[tuple[Policy, ...], list[ConfigError]]:
    """The policies in a rule file, one per document, and the errors."""
    try:
        data = content(file, MAX_BYTES)
    except (OSError, ValueError) as error:
        return (), [ConfigError(f"cannot be read: {getattr(error, 'strerror', None) or error}", shown, None, None)]
    if data is None or len(data) > MAX_BYTES:
        return (), [ConfigError("cannot be read: it is no regular file, or too large", shown, None, None)]
    reading = read(data)
    errors = [ConfigError(failure.message, shown, failure.line, None) for failure in reading.failures]
    policies_read = []
    for document in reading.documents:
        checks = Checks([], None)
        errors += [
            ConfigError(f"`{way_to((*key.path, key.key))}` is given twice", shown, key.line, None)
            for key in document.duplicates
        ]
        if not isinstance(document.value, dict):
            errors.append(ConfigError("it has no policy (a map)", shown, document.line, None))
            continue
        check_policy(document.value, (), checks)
        if checks.wrong:
            from quotalint.settings.file import placed_errors

            errors += placed_errors(checks.wrong, data, Place(shown, document.index))
        else:
            policies_read.append(_policy_of(document.value, Place(shown, document.index)))
    return tuple(policies_read), errors


def _policies_of_files(name: str, file: str, shown: str, key: str) -> tuple[tuple[Policy, ...], list[ConfigError]]:
    base = locate_base(name, file, also_folders=True)
    if base.reason:
        return (), [ConfigError(f"`{key}` {name}: {base.reason}", shown, None, key)]
    files = [base.path]
    if is_folder(base.path):
        files = sorted(
            os.path.join(base.path, file_name)
            for file_name in names_in(base.path)
            if file_name.endswith((".yaml", ".yml"))
        )[:_MOST]
        if not files:
            return (), [ConfigError(f"`{key}` {name}: there is no rule file in it", shown, None, key)]
    policies_read: list[Policy] = []
    errors: list[ConfigError] = []
    for path in files:
        # A link in the folder may lead out of the repository.
        link_reason = locate_base(os.path.relpath(path, os.path.dirname(os.path.abspath(file))), file).reason
        if link_reason and not name.startswith(PACKAGE):
            errors.append(ConfigError(f"`{key}` {name}: {os.path.basename(path)}: {link_reason}", shown, None, key))
            continue
        shown_path = path if name.startswith(PACKAGE) else os.path.relpath(path).replace(os.sep, "/")
        more, wrong = policies_in(path, shown_path)
        policies_read += more
        errors += wrong
    return tuple(policies_read), errors


def _policy_of(value: object, place: Place) -> Policy:
    policy_fields: Mapping[str, Any] = value if isinstance(value, dict) else {}
    expression = str(policy_fields.get("expression", ""))
    message = str(policy_fields.get("message", ""))
    rule = Rule(
        id=str(policy_fields.get("id", "")),
        name=str(policy_fields.get("name", "policy")),
        severity="off" if policy_fields.get("severity") is False else str(policy_fields.get("severity", "warning")),
        since="",
        looks_at="repository",
        stands_alone=False,
        repair="none",
        summary=str(policy_fields.get("summary", "") or expression),
        message={
            "default": message,
            "undecided": "unknown whether {subject} {keep} to this policy: {reason}",
            "failed": _FAILED,
        },
        label={"default": str(policy_fields.get("label", "")), "undecided": "", "failed": ""},
        help={"default": str(policy_fields.get("help", "")), "undecided": "{cure}", "failed": "{cure}"},
        headline={
            "default": message,
            "undecided": "{subject} cannot be judged",
            "failed": "{subject} cannot be judged",
        },
        rationale=str(policy_fields.get("rationale", "")).strip(),
        kubernetes=(),
        known_problems="",
        bad=_titled_examples(policy_fields.get("bad", ()), "bad"),
        good=_titled_examples(policy_fields.get("good", ()), "good"),
    )
    return Policy(rule, expression, str(policy_fields.get("for", _subject_of(expression))), place.at("expression"))


def _titled_examples(examples: Iterable[Mapping[str, Any]], kind: str) -> tuple[Mapping[str, Any], ...]:
    return tuple({"title": f"{kind} example {number}", **example} for number, example in enumerate(examples, 1))


def _subject_of(expression: object) -> str:
    """The subject of an expression: the most specific variable that it reads."""
    words = set(re.findall(r"(?<![.\w`\"'])[a-z]+", expression)) if isinstance(expression, str) else set()
    return next((subject for subject in (ENTRY, WORKLOAD, QUOTA, NAMESPACE) if subject in words), CLUSTER)


def _named_values(text: object) -> list[str]:
    """The names in braces in a text."""
    from string import Formatter

    try:
        return [name for _, name, _, _ in Formatter().parse(text) if name is not None] if isinstance(text, str) else []
    except ValueError:
        return []


def _policy_title(value: Mapping[object, object], path: Path) -> str:
    policy_id = value.get("id")
    return f"policy {policy_id}" if isinstance(policy_id, str) else f"`{way_to(path)}`" if path else "the policy"


def _check_id(value: object, path: Path, checks: Checks) -> None:
    if not isinstance(value, str) or not re.search(r"^QLC[A-Za-z0-9_-]+$", value):
        checks.refuse(path, "an id that begins with QLC, such as QLC101", value)


def _check_name(value: object, path: Path, checks: Checks) -> None:
    if not isinstance(value, str) or not re.search("^[a-z0-9]+(-[a-z0-9]+)*$", value):
        checks.refuse(path, "words in lower case with `-` between them", value)


def _check_text(value: object, path: Path, checks: Checks) -> None:
    if not isinstance(value, str) or not value:
        checks.refuse(path, "a text", value)


def _check_template(value: object, path: Path, checks: Checks) -> None:
    from string import Formatter

    _check_text(value, path, checks)
    try:
        parts = list(Formatter().parse(value)) if isinstance(value, str) else []
    except ValueError as error:
        checks.say(path, f"`{way_to(path)}` has braces that do not match ({error}); `{{{{` is a brace")
        return
    if any(form or conversion for _, _, form, conversion in parts):
        checks.say(path, f"`{way_to(path)}` names a value with `:` or `!`; its name alone goes between braces")


def _check_severity(value: object, path: Path, checks: Checks) -> None:
    one_of((*REPORTED, SEVERITIES[-1]), "off" if value is False else value, path, checks)


def _check_subject(value: object, path: Path, checks: Checks) -> None:
    one_of(SUBJECTS, value, path, checks)


def _check_examples(value: object, path: Path, checks: Checks) -> None:
    if not isinstance(value, list):
        checks.refuse(path, "a list of examples", value)
        return
    for index, example in enumerate(value):
        at = (*path, index)
        example_fields = dict(known_entries(example, at, ("title", "settings", "files", "expect"), checks))
        files = example_fields.get("files")
        if isinstance(example, dict) and (not isinstance(files, dict) or not files):
            checks.say(at, f"`{way_to(at)}` has no `files`, a map from paths to their text")
        elif isinstance(files, dict):
            for name, text in files.items():
                if not isinstance(text, str) or not _FILE.search(name) or ".." in name.split("/"):
                    checks.say((*at, "files", name), f"`{name}` must be a path below the example, and its value a text")
        if not isinstance(example_fields.get("title", ""), str) or not isinstance(
            example_fields.get("settings", {}), dict
        ):
            checks.say(at, f"`{way_to(at)}`: `title` must be a text, and `settings` a map")
        expect = example_fields.get("expect", [])
        if not isinstance(expect, list) or not all(isinstance(expected_place, str) for expected_place in expect):
            checks.refuse((*at, "expect"), "a list of places", expect)


_FILE = lazy_pattern(r"^[\w.-]+(/[\w.-]+)*$")
_Check = Callable[[object, Path, Checks], None]
_KEYS: Mapping[str, _Check] = {
    "id": _check_id,
    "name": _check_name,
    "severity": _check_severity,
    "for": _check_subject,
    "summary": _check_text,
    "expression": _check_text,
    "message": _check_template,
    "label": _check_template,
    "help": _check_template,
    "rationale": _check_text,
    "bad": _check_examples,
    "good": _check_examples,
}
