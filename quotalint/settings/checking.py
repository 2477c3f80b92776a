"""Checks of a configuration: errors are collected with their paths, and the rest is still read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from quotalint.named_tuples import NamedTuple
from quotalint.runtime.data import load_schema
from quotalint.text.place import Path


class InvalidSetting(NamedTuple):
    """An invalid setting, and why."""

    path: Path
    message: str


class Checks(NamedTuple):
    """Collects the errors of a configuration."""

    wrong: list[InvalidSetting]
    known_rules: frozenset[str] | None
    """The existing rules; None if any rule id is accepted."""

    def say(self, path: Path, message: str) -> None:
        """Adds an error at a path."""
        self.wrong.append(InvalidSetting(path, message))

    def refuse(self, path: Path, must: str, value: object) -> None:
        """Adds an error for a value that is not what it must be."""
        self.say(path, f"`{way_to(path) or 'the configuration'}` must be {must}, not {shown_value(value)}")


def pattern_list(value: object, path: Path, checks: Checks) -> tuple[str, ...]:
    """Reads a list of .gitignore patterns."""
    return string_list(value, path, checks, "a pattern (quoted if it begins with `!`, `*` or `#`)")


def string_list(
    value: object,
    path: Path,
    checks: Checks,
    item_word: str,
    check: Callable[[str, Path, Checks], None] = lambda *_: None,
) -> tuple[str, ...]:
    """Reads a list of non-empty strings; `check` may refuse each."""
    if not isinstance(value, list):
        checks.refuse(path, "a list", value)
        return ()
    for index, item in enumerate(value):
        if isinstance(item, str) and item:
            check(item, (*path, index), checks)
        else:
            checks.refuse((*path, index), item_word, item)
    return tuple(map(str, value))


def one_of(allowed: tuple[str, ...], value: object, path: Path, checks: Checks) -> str:
    """Reads one of the allowed words."""
    if value not in allowed:
        checks.refuse(path, f"{', '.join(allowed[:-1])} or {allowed[-1]}", value)
    return str(value)


def namespace_name(value: object, path: Path, checks: Checks) -> str:
    """Reads the name of a namespace."""
    if not isinstance(value, str) or not re.search("^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$", value):
        checks.refuse(path, "the name of a namespace", value)
    return str(value)


def known_entries(
    value: object, path: Path, allowed: tuple[str, ...] | None, checks: Checks
) -> Iterator[tuple[str, object]]:
    """The entries of a mapping with allowed keys; `allowed` is None if any key is allowed."""
    if not isinstance(value, dict):
        checks.refuse(path, f"a map{_such_as(path)}", value)
        return
    for key, inner in value.items():
        if allowed is None or key in allowed:
            yield key, inner
        else:
            at = f" in `{way_to(path)}`" if path else ""
            checks.say((*path, key), f"`{key}` is not a known key{at}{did_you_mean(nearest_word(key, allowed))}")


def _such_as(path: Path) -> str:
    """An example for a path, from the schema of the configuration; empty if it has none."""
    fields = load_schema("config")["properties"]
    field = fields.get(path[0]) if len(path) == 1 and isinstance(fields, dict) else None
    examples = field.get("examples") if isinstance(field, dict) else None
    if not isinstance(examples, list) or not isinstance(examples[0], dict):
        return ""
    key, inner = next(iter(examples[0].items()))
    return f" such as `{_flow_of({key: inner})}`"


def _flow_of(value: object) -> str:
    """A mapping in YAML's flow style."""
    if not isinstance(value, dict):
        return str(value)
    return f"{{{', '.join(f'{key}: {_flow_of(inner)}' for key, inner in value.items())}}}"


def nearest_word(word: str, words: Iterable[str]) -> str | None:
    """The most similar word; of equally similar ones, the one with the longest common beginning."""
    from difflib import get_close_matches

    lower = word.lower()
    folded = {word.lower(): word for word in words}
    near = sorted(get_close_matches(lower, folded, 5))
    return (
        folded[max(near, key=lambda candidate: [a == b for a, b in zip(candidate, lower, strict=False)])]
        if near
        else None
    )


def did_you_mean(nearest: str | None) -> str:
    """A question whether this word was meant; empty without a word."""
    return f"; did you mean `{nearest}`?" if nearest else ""


def way_to(path: Path) -> str:
    """`ignore[1].rules` for ("ignore", 1, "rules")."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")


def shown_value(value: object) -> str:
    """A value for a message, shortened."""
    if value is None:
        return "nothing"
    if isinstance(value, (dict, list)):
        return "a map" if isinstance(value, dict) else "a list"
    text = f'"{value}"' if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= 40 else text[:37] + "…" + text[-1:]
