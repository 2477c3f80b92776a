"""What a configuration file and the options may say. Kept in step with schemas/config.schema.json by a test: these
checks are ten times faster than jsonschema is imported, and say what to write instead."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from quotalint.settings import FAIL_ON, KUBE_VERSIONS, SEVERITIES, ConfigError, IgnoreRule, Nodes, Options
from quotalint.text.documents import MAX_BYTES, read
from quotalint.text.files import content
from quotalint.text.place import Path, Place

Fields = dict[str, Any]
"""Fields of Settings by name."""


def of_options(options: Options, known_rules: frozenset[str] | None) -> tuple[Fields, tuple[ConfigError, ...]]:
    """The fields that the options replace or, of `ignore`, add to, and what is wrong with them."""
    checks = _Checks([], known_rules)
    fields: Fields = {}
    if options.select is not None:
        fields["select"] = _rule_ids(list(options.select), ("--select",), checks)
    if options.ignore:
        fields["ignore"] = (IgnoreRule(_rule_ids(list(options.ignore), ("--ignore",), checks)),)
    if options.fail_on is not None:
        fields["fail_on"] = _fail_on(options.fail_on, ("--fail-on",), checks)
    if options.nodes is not None:
        _count(options.nodes, ("--nodes",), checks)
    if options.kube_version is not None:
        fields["kube_version"] = _kube_version(options.kube_version, ("--kube-version",), checks)
    return fields, tuple(_of_option(str(path[0]), message) for path, message in checks.wrong)


def _of_option(option: str, message: str) -> ConfigError:
    return ConfigError(message if option in message else f"{option}: {message}", None, None, option)


def of_value(value: object, known_rules: frozenset[str] | None) -> tuple[Fields, tuple[Wrong, ...]]:
    """The same of what a file says, read from YAML. A key without a value says nothing."""
    checks = _Checks([], known_rules)
    fields: Fields = {}
    for key, inner in _entries(value, (), tuple(_FIELDS), checks):
        name, check = _FIELDS[key]
        if inner is not None:
            fields[name] = check(inner, (key,), checks)
    return fields, tuple(checks.wrong)


def of_file(file: str, shown: str, known_rules: frozenset[str] | None) -> tuple[Fields, tuple[ConfigError, ...]]:
    """The fields that a configuration file gives, and all that is wrong with it, from top to bottom."""
    try:
        data = content(file, MAX_BYTES)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no file can have this name"
        return {}, (ConfigError(f"cannot be read: {reason}", shown, None, None),)
    if data is None:
        return {}, (ConfigError("cannot be read: it is not a regular file", shown, None, None),)
    reading = read(data)
    errors = [ConfigError(one.message + _hint(one.message), shown, one.line, None) for one in reading.failures]
    errors += [
        ConfigError("what follows the end of the document is not read", shown, at, None) for at in reading.dropped
    ]
    errors += [ConfigError("only one document is read", shown, one.line, None) for one in reading.documents[1:]]
    fields: Fields = {}
    for document in reading.documents[:1]:
        for key in document.duplicates:
            at = _way_to((*key.path, key.key))
            message = f"`{at}` is given twice, first in line {key.first_line}"
            errors.append(ConfigError(message, shown, key.line, at))
        fields, wrong = of_value(document.value, known_rules)
        errors += _placed(wrong, data, Place(shown, document.index))
    return fields, tuple(sorted(errors, key=lambda error: error.line or 0))


def _hint(failure: str) -> str:
    return "; a pattern that begins with `*` has to be quoted" if "alias" in failure else ""


def _placed(wrong: Iterable[Wrong], data: bytes, document: Place) -> list[ConfigError]:
    from quotalint.text.spans import locate

    spans = locate(data, [document.at(*one.path) for one in wrong])
    return [
        ConfigError(one.message, document.source, spans[document.at(*one.path)].line, _way_to(one.path) or None)
        for one in wrong
    ]


class Wrong(NamedTuple):
    """Something that may not be there, and why."""

    path: Path
    message: str


class _Checks(NamedTuple):
    wrong: list[Wrong]
    """What was found so far."""
    known_rules: frozenset[str] | None

    def say(self, path: Path, message: str) -> None:
        self.wrong.append(Wrong(path, message))

    def refuse(self, path: Path, must: str, value: object) -> None:
        self.say(path, f"`{_way_to(path) or 'the configuration'}` must be {must}, not {_told(value)}")


def _patterns(value: object, path: Path, checks: _Checks) -> tuple[str, ...]:
    return _strings(value, path, checks, "a pattern (quoted if it begins with `!`, `*` or `#`)")


def _rule_ids(value: object, path: Path, checks: _Checks) -> tuple[str, ...]:
    return _strings(value, path, checks, "the id of a rule, or what it begins with", _rule_id)


def _strings(
    value: object,
    path: Path,
    checks: _Checks,
    each: str,
    check: Callable[[str, Path, _Checks], None] = lambda *_: None,
) -> tuple[str, ...]:
    if not isinstance(value, list):
        checks.refuse(path, "a list", value)
        return ()
    for index, item in enumerate(value):
        if isinstance(item, str) and item:
            check(item, (*path, index), checks)
        else:
            checks.refuse((*path, index), each, item)
    return tuple(map(str, value))


def _some(check: _CheckList, value: object, path: Path, checks: _Checks) -> tuple[str, ...]:
    """What may not be empty: to ignore a rule in no file would be read as to ignore it in all of them."""
    if value == []:
        checks.say(path, f"`{_way_to(path)}` is empty")
    return check(value, path, checks)


def _rule_id(one: str, path: Path, checks: _Checks) -> None:
    """Whether it is the id of a rule, or what one begins with."""
    if not re.search("^QL([0-9]*|C.*)$", one):
        likely = one.upper() if re.search("^ql[0-9]", one) else _nearest(one, checks.known_rules or ())
        checks.say(path, f"`{one}` is not the id of a rule, such as QL301, nor what one begins with{_mean(likely)}")
        return
    known = checks.known_rules
    own = one.startswith("QLC") and not any(rule.startswith("QLC") for rule in known or ())
    if known is not None and not own and not any(rule.startswith(one) for rule in known):
        checks.say(path, f"no rule begins with `{one}`{_mean(_nearest(one, known))}")


def _ignore(value: object, path: Path, checks: _Checks) -> tuple[IgnoreRule, ...]:
    if isinstance(value, dict):
        for rule in value:
            _rule_id(rule, (*path, rule), checks)
        return tuple(IgnoreRule((rule,), _some(_patterns, value[rule], (*path, rule), checks)) for rule in value)
    if not isinstance(value, list):
        checks.refuse(path, "a list of rules, or a map from rules to paths", value)
        return ()
    return tuple(_ignored(item, (*path, index), checks) for index, item in enumerate(value))


def _ignored(value: object, path: Path, checks: _Checks) -> IgnoreRule:
    if isinstance(value, str):
        _rule_id(value, path, checks)
        return IgnoreRule((value,))
    fields = {}
    for key, inner in _entries(value, path, tuple(_IGNORE), checks):
        fields[key] = _some(_IGNORE[key], inner, (*path, key), checks)
    if isinstance(value, dict) and "rules" not in value:
        checks.say(path, f"`{_way_to(path)}` names no rules, such as `rules: [QL201]`")
    return IgnoreRule(**{"rules": (), **fields})


def _severity(value: object, path: Path, checks: _Checks) -> Mapping[str, str]:
    found = {}
    for rule, severity in _entries(value, path, None, checks):
        _rule_id(rule, (*path, rule), checks)
        # Unquoted, `off` is false to the readers of Kubernetes.
        found[rule] = _one_of(SEVERITIES, "off" if severity is False else severity, (*path, rule), checks)
    return MappingProxyType(found)


def _fail_on(value: object, path: Path, checks: _Checks) -> str:
    return _one_of(FAIL_ON, value, path, checks)


def _one_of(allowed: tuple[str, ...], value: object, path: Path, checks: _Checks) -> str:
    if value not in allowed:
        checks.refuse(path, f"{', '.join(allowed[:-1])} or {allowed[-1]}", value)
    return str(value)


def _nodes(value: object, path: Path, checks: _Checks) -> Nodes:
    if not isinstance(value, dict):
        return Nodes(_count(value, path, checks, "a whole number, or a map from labels of nodes to whole numbers"))
    default = None
    by_selector = {}
    for selector, number in value.items():
        count = _count(number, (*path, selector), checks)
        if selector == "*":
            default = count
            continue
        labels = ",".join(sorted(label.strip() for label in selector.split(",")))
        if not all(re.search(_LABEL, label) for label in labels.split(",")):
            checks.say((*path, selector), f"`{selector}` must be labels such as `disk=ssd,zone=a`, or `*` for the rest")
        elif labels in by_selector:
            checks.say((*path, selector), f"`{labels}` is given twice")
        by_selector[labels] = count
    return Nodes(default, MappingProxyType(by_selector))


_LABEL = "^[A-Za-z0-9][-A-Za-z0-9_./]*=[-A-Za-z0-9_.]*$"


def _count(value: object, path: Path, checks: _Checks, must: str = "a whole number, 0 or more") -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    checks.refuse(path, must, value)
    return 0


def _namespaces(value: object, path: Path, checks: _Checks) -> tuple[tuple[str, str], ...]:
    found = []
    for pattern, namespace in _entries(value, path, None, checks):
        if not isinstance(namespace, str) or not re.search("^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$", namespace):
            checks.refuse((*path, pattern), "the name of a namespace", namespace)
        found.append((pattern, str(namespace)))
    return tuple(found)


def _kube_version(value: object, path: Path, checks: _Checks) -> str:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        minor = str(value).partition(".")[2]
        likely = f"1.{minor.ljust(2, '0')}"  # 1.30 is the number 1.3
        likely = likely if likely in KUBE_VERSIONS else KUBE_VERSIONS[-1]
        checks.say(path, f'`{_way_to(path)}` is read as the number {value}; quote it: {_way_to(path)}: "{likely}"')
        return ""
    found = re.search(r"^v?(1\.[0-9]{1,3})(\.[0-9]+)?$", value) if isinstance(value, str) else None
    if found is None or found[1] not in KUBE_VERSIONS:
        checks.refuse(path, f'a version from "{KUBE_VERSIONS[0]}" to "{KUBE_VERSIONS[-1]}"', value)
        return ""
    return found[1]


def _thresholds(value: object, path: Path, checks: _Checks) -> int:
    found = 90
    for key, share in _entries(value, path, ("nearlyFull",), checks):
        text = str(share).removesuffix("%") if isinstance(share, str) else str(share)
        if isinstance(share, bool) or not re.search("^([1-9][0-9]?|100)$", text) or text == share:
            checks.refuse((*path, key), "a share from 1 to 100, such as 90 or 90%", share)
        else:
            found = int(text)
    return found


_Check = Callable[[object, Path, _Checks], Any]
_CheckList = Callable[[object, Path, _Checks], tuple[str, ...]]

_FIELDS: Mapping[str, tuple[str, _Check]] = {
    "exclude": ("exclude", _patterns),
    "select": ("select", _rule_ids),
    "ignore": ("ignore", _ignore),
    "severity": ("severity", _severity),
    "failOn": ("fail_on", _fail_on),
    "nodes": ("nodes", _nodes),
    "namespaces": ("namespaces", _namespaces),
    "kubeVersion": ("kube_version", _kube_version),
    "thresholds": ("nearly_full", _thresholds),
}
_IGNORE: Mapping[str, _CheckList] = {
    "rules": _rule_ids,
    "paths": _patterns,
    "resources": lambda value, path, checks: _strings(value, path, checks, "the name of a resource"),
}
_NOT_YET = frozenset(
    ("capacity", "environments", "renderers", "enforcement", "requiredLimits", "workloads", "policies", "templates")
)


def _entries(value: object, path: Path, known: tuple[str, ...] | None, checks: _Checks) -> Iterator[tuple[str, object]]:
    """The entries of a mapping that may be there; `known` is None where any key may be."""
    if not isinstance(value, dict):
        checks.refuse(path, "a map", value)
        return
    for key, inner in value.items():
        if known is None or key in known:
            yield key, inner
        elif not path and key in _NOT_YET:
            checks.say((key,), f"`{key}` is not supported yet by this version")
        else:
            at = f" in `{_way_to(path)}`" if path else ""
            checks.say((*path, key), f"`{key}` is not a known key{at}{_mean(_nearest(key, known))}")


def _nearest(word: str, words: Iterable[str]) -> str | None:
    """The word that was meant; of several that are as near, one that begins alike."""
    from difflib import get_close_matches

    lower = word.lower()
    folded = {one.lower(): one for one in words}
    near = sorted(get_close_matches(lower, folded, 5))
    return folded[max(near, key=lambda one: [a == b for a, b in zip(one, lower, strict=False)])] if near else None


def _mean(nearest: str | None) -> str:
    return f"; did you mean `{nearest}`?" if nearest else ""


def _way_to(path: Path) -> str:
    """`ignore[1].rules` for ("ignore", 1, "rules")."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")


def _told(value: object) -> str:
    """A value as one would write it, not too long."""
    if value is None:
        return "nothing"
    if isinstance(value, (dict, list)):
        return "a map" if isinstance(value, dict) else "a list"
    text = f'"{value}"' if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= 40 else text[:37] + "…" + text[-1:]
