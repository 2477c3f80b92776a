"""Reads the configuration file and the options. A test compares these checks with schemas/config.schema.json; they are
faster than a library for schemas, and suggest corrections."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from quotalint.settings import (
    DEFAULT_KUBE_VERSION,
    ENFORCEMENTS,
    FAIL_ON,
    KUBE_VERSIONS,
    SEVERITIES,
    ConfigError,
    IgnoreRule,
    Options,
    Particular,
)
from quotalint.settings.capacity_settings import (
    read_capacity,
    read_count,
    read_nodes,
    read_platforms,
    read_scenario,
    read_sizes,
    read_templates,
    read_workloads,
)
from quotalint.settings.checking import (
    Checks,
    InvalidSetting,
    did_you_mean,
    known_entries,
    namespace_name,
    nearest_word,
    one_of,
    pattern_list,
    string_list,
    way_to,
)
from quotalint.settings.renderers import (
    environment_aliases,
    read_clusters,
    read_environments,
    read_renderers,
    read_sources,
    read_vendor,
)
from quotalint.text.disk import real_path
from quotalint.text.documents import MAX_BYTES, read
from quotalint.text.files import content
from quotalint.text.place import Path, Place

Fields = dict[str, Any]
"""Fields of Settings by name."""


def of_options(options: Options, known_rules: frozenset[str] | None) -> tuple[Fields, tuple[ConfigError, ...]]:
    """The fields that the options replace or (for `ignore`) extend, and the errors."""
    checks = Checks([], known_rules)
    fields: Fields = {}
    if options.select is not None:
        fields["select"] = _rule_ids(list(options.select), ("--select",), checks)
    if options.ignore:
        fields["ignore"] = (IgnoreRule(_rule_ids(list(options.ignore), ("--ignore",), checks)),)
    if options.fail_on is not None:
        fields["fail_on"] = one_of(FAIL_ON, options.fail_on, ("--fail-on",), checks)
    if options.nodes is not None:
        read_count(options.nodes, ("--nodes",), checks)
    if options.kube_version is not None:
        fields["kube_version"] = _kube_version(options.kube_version, ("--kube-version",), checks)
    if options.enforcement is not None:
        fields["enforcement"] = one_of(ENFORCEMENTS, options.enforcement, ("--enforcement",), checks)
    if options.scenario is not None:
        fields["scenario"] = read_scenario(options.scenario, ("--scenario",), checks)
    return fields, tuple(_of_option(str(path[0]), message) for path, message in checks.wrong)


def _of_option(option: str, message: str) -> ConfigError:
    return ConfigError(message if option in message else f"{option}: {message}", None, None, option)


def of_value(value: object, known_rules: frozenset[str] | None) -> tuple[Fields, tuple[InvalidSetting, ...]]:
    """The fields of a parsed configuration file, and the errors. A key without a value is skipped."""
    checks = Checks([], known_rules)
    fields: Fields = {}
    for key, inner in known_entries(value, (), tuple(_FIELDS), checks):
        name, check = _FIELDS[key]
        if inner is not None:
            fields[name] = check(inner, (key,), checks)
        if key == "environments":
            fields["particulars"] = _read_particulars(inner, checks)
    return fields, tuple(checks.wrong)


def of_file(
    file: str, shown: str, known_rules: frozenset[str] | None, visited: tuple[str, ...] = ()
) -> tuple[Fields, tuple[ConfigError, ...]]:
    """The fields of a configuration file merged with those of the files that it extends, and all errors from top to
    bottom. `way` are the files that extend it."""
    try:
        data = content(file, MAX_BYTES)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no file can have this name"
        return {}, (ConfigError(f"cannot be read: {reason}", shown, None, None),)
    if data is None:
        return {}, (ConfigError("cannot be read: it is not a regular file", shown, None, None),)
    reading = read(data)
    errors = [
        ConfigError(failure.message + _failure_hint(failure.message), shown, failure.line, None)
        for failure in reading.failures
    ]
    errors += [
        ConfigError("what follows the end of the document is not read", shown, at, None) for at in reading.dropped
    ]
    errors += [
        ConfigError("only one document is read", shown, document.line, None) for document in reading.documents[1:]
    ]
    fields: Fields = {}
    for document in reading.documents[:1]:
        for key in document.duplicates:
            at = way_to((*key.path, key.key))
            message = f"`{at}` appears twice, first on line {key.first_line}"
            errors.append(ConfigError(message, shown, key.line, at))
        fields, wrong = of_value(document.value, known_rules)
        if "ignore" in fields:
            fields["ignore"] = tuple(
                _with_place(ignore_rule, shown, document.index) for ignore_rule in fields["ignore"]
            )
        errors += placed_errors(wrong, data, Place(shown, document.index))
        if "policies" in fields:
            from quotalint.settings.policy_files import policies_of

            fields["policies"], below = policies_of(() if wrong else fields["policies"], file, shown, document.index)
            errors += below
        if "extends" in fields:
            from quotalint.settings.extending import with_bases

            visited = visited or (real_path(file),)
            fields, below = with_bases(
                fields, file, shown, visited, lambda *at: of_file(at[0], at[1], known_rules, at[2])
            )
            errors += below
        if "policies" in fields:
            from quotalint.settings.policy_files import repeated_policies

            errors += repeated_policies(fields["policies"])
    return fields, tuple(sorted(errors, key=lambda error: error.line or 0))


def _with_place(ignore_rule: IgnoreRule, file: str, document: int) -> IgnoreRule:
    return ignore_rule._replace(
        place=ignore_rule.place._replace(source=file, document=document) if ignore_rule.place else None
    )


def _failure_hint(failure: str) -> str:
    return "; a pattern that begins with `*` has to be quoted" if "alias" in failure else ""


def placed_errors(wrong: Iterable[InvalidSetting], data: bytes, document: Place) -> list[ConfigError]:
    """The errors with their lines."""
    from quotalint.text.spans import locate

    spans = locate(data, [document.at(*error.path) for error in wrong])
    return [
        ConfigError(error.message, document.source, spans[document.at(*error.path)].line, way_to(error.path) or None)
        for error in wrong
    ]


def _rule_ids(value: object, path: Path, checks: Checks) -> tuple[str, ...]:
    return string_list(value, path, checks, "the id of a rule, or a prefix", _rule_id)


def _some_entries(check: _CheckList, value: object, path: Path, checks: Checks) -> tuple[str, ...]:
    """Reads a list that must not be empty: an empty list of files would mean all files."""
    if value == []:
        checks.say(path, f"`{way_to(path)}` is empty")
    return check(value, path, checks)


def _rule_id(rule_id: str, path: Path, checks: Checks) -> None:
    """Checks that it is the id of a rule, or a prefix of one."""
    if not re.search("^QL([0-9]*|C.*)$", rule_id):
        likely = rule_id.upper() if re.search("^ql[0-9]", rule_id) else nearest_word(rule_id, checks.known_rules or ())
        checks.say(
            path, f"`{rule_id}` is neither the id of a rule, such as QL301, nor a prefix of one{did_you_mean(likely)}"
        )
        return
    known_rules = checks.known_rules
    own = rule_id.startswith("QLC") and not any(rule.startswith("QLC") for rule in known_rules or ())
    if known_rules is not None and not own and not any(rule.startswith(rule_id) for rule in known_rules):
        checks.say(path, f"no rule begins with `{rule_id}`{did_you_mean(nearest_word(rule_id, known_rules))}")


def _read_ignore(value: object, path: Path, checks: Checks) -> tuple[IgnoreRule, ...]:
    if isinstance(value, dict):
        for rule in value:
            _rule_id(rule, (*path, rule), checks)
        return tuple(
            IgnoreRule(
                (rule,),
                _some_entries(pattern_list, value[rule], (*path, rule), checks),
                (),
                Place("", 0, (*path, rule)),
            )
            for rule in value
        )
    if not isinstance(value, list):
        checks.refuse(path, "a list of rules, or a map from rules to paths", value)
        return ()
    return tuple(_read_ignore_rule(item, (*path, index), checks) for index, item in enumerate(value))


def _read_ignore_rule(value: object, path: Path, checks: Checks) -> IgnoreRule:
    if isinstance(value, str):
        _rule_id(value, path, checks)
        return IgnoreRule((value,), place=Place("", 0, path))
    fields = {}
    for key, inner in known_entries(value, path, tuple(_IGNORE), checks):
        fields[key] = _some_entries(_IGNORE[key], inner, (*path, key), checks)
    if isinstance(value, dict) and "rules" not in value:
        checks.say(path, f"`{way_to(path)}` names no rules, such as `rules: [QL201]`")
    return IgnoreRule(**{"rules": (), **fields}, place=Place("", 0, path))


def _read_severity(value: object, path: Path, checks: Checks) -> Mapping[str, str]:
    severities = {}
    for rule, severity in known_entries(value, path, None, checks):
        _rule_id(rule, (*path, rule), checks)
        # YAML 1.1 reads an unquoted `off` as false.
        severities[rule] = one_of(SEVERITIES, "off" if severity is False else severity, (*path, rule), checks)
    return MappingProxyType(severities)


def _read_namespaces(value: object, path: Path, checks: Checks) -> tuple[tuple[str, str], ...]:
    return tuple(
        (pattern, namespace_name(name, (*path, pattern), checks))
        for pattern, name in known_entries(value, path, None, checks)
    )


def _kube_version(value: object, path: Path, checks: Checks) -> str:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        minor = str(value).partition(".")[2]
        likely = f"1.{minor.ljust(2, '0')}"  # 1.30 is the number 1.3
        likely = likely if likely in KUBE_VERSIONS else DEFAULT_KUBE_VERSION
        checks.say(path, f'`{way_to(path)}` is read as the number {value}; quote it: {way_to(path)}: "{likely}"')
        return ""
    version = re.search(r"^v?(1\.[0-9]{1,3})(\.[0-9]+)?$", value) if isinstance(value, str) else None
    if version is None:
        checks.refuse(path, f'a version such as "{DEFAULT_KUBE_VERSION}"', value)
        return ""
    return version[1]


def _read_baseline(value: object, path: Path, checks: Checks) -> str:
    if not isinstance(value, str) or not value:
        checks.refuse(path, "the path of a file", value)
        return ""
    return value


def _read_thresholds(value: object, path: Path, checks: Checks) -> int:
    nearly_full = 90
    for key, share in known_entries(value, path, ("nearlyFull",), checks):
        text = str(share).removesuffix("%") if isinstance(share, str) else str(share)
        if isinstance(share, bool) or not re.search("^([1-9][0-9]?|100)$", text) or text == share:
            checks.refuse((*path, key), "a percentage from 1 to 100, such as 90 or 90%", share)
        else:
            nearly_full = int(text)
    return nearly_full


def _read_particulars(value: object, checks: Checks) -> Mapping[str, Particular]:
    """The settings that differ in environments, by their names."""
    by_environment = {}
    for name, inner in value.items() if isinstance(value, dict) else ():
        own = Particular()
        path = ("environments", name)
        for key, setting in (
            known_entries(inner, path, (*_PARTICULAR, "paths"), checks) if isinstance(inner, dict) else ()
        ):
            if key in _PARTICULAR and setting is not None:
                field, check = _FIELDS[key]
                own = own._replace(**{field: check(setting, (*path, key), checks)})
        if any(setting is not None for setting in own):
            by_environment[name] = own
    return MappingProxyType(by_environment)


_PARTICULAR = ("nodes", "capacity", "kubeVersion", "scenario", "failOn")
_Check = Callable[[object, Path, Checks], Any]
_CheckList = Callable[[object, Path, Checks], tuple[str, ...]]


def _read_extends(value: object, path: Path, checks: Checks) -> tuple[str, ...]:
    from quotalint.settings.extending import read_extends

    return read_extends(value, path, checks)


def _read_policies(value: object, path: Path, checks: Checks) -> tuple[object, ...]:
    from quotalint.settings.policy_files import read_policies

    return read_policies(value, path, checks)


_FIELDS: Mapping[str, tuple[str, _Check]] = {
    "extends": ("extends", _read_extends),
    "exclude": ("exclude", pattern_list),
    "select": ("select", _rule_ids),
    "ignore": ("ignore", _read_ignore),
    "severity": ("severity", _read_severity),
    "failOn": ("fail_on", partial(one_of, FAIL_ON)),
    "nodes": ("nodes", read_nodes),
    "namespaces": ("namespaces", _read_namespaces),
    "kubeVersion": ("kube_version", _kube_version),
    "thresholds": ("nearly_full", _read_thresholds),
    "environments": ("environments", read_environments),
    "environmentAliases": ("environment_aliases", environment_aliases),
    "clusters": ("clusters", read_clusters),
    "sources": ("sources", read_sources),
    "vendor": ("vendor", read_vendor),
    "renderers": ("renderers", read_renderers),
    "capacity": ("capacity", read_capacity),
    "sizes": ("sizes", read_sizes),
    "requiredLimits": (
        "required_limits",
        partial(string_list, item_word="the name of a quota resource, such as requests.cpu"),
    ),
    "limitedPriorityClasses": (
        "limited_priority_classes",
        partial(string_list, item_word="the name of a priority class"),
    ),
    "enforcement": ("enforcement", partial(one_of, ENFORCEMENTS)),
    "scenario": ("scenario", read_scenario),
    "workloads": ("workloads", read_workloads),
    "platform": ("platforms", read_platforms),
    "templates": ("templates", read_templates),
    "configMaps": ("config_maps", pattern_list),
    "baseline": ("baseline", _read_baseline),
    "policies": ("policies", _read_policies),
}
_IGNORE: Mapping[str, _CheckList] = {
    "rules": _rule_ids,
    "paths": pattern_list,
    "resources": partial(string_list, item_word="the name of a resource"),
}
