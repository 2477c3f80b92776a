"""Rules of the user's own: whether their expressions can be evaluated, and whether their examples hold."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from quotalint.catalogue import rule_ids
from quotalint.cel import NEEDED, is_installed
from quotalint.cel.engine import Issue
from quotalint.cli.actions import CannotRun
from quotalint.cli.printing import write
from quotalint.reports.terminal import count_noun
from quotalint.settings import NAME, ConfigError, Options, Settings, describe_error, load_settings
from quotalint.settings.policies import Policy, policies_in, repeated_policies
from quotalint.text.documents import MAX_BYTES
from quotalint.text.files import content
from quotalint.text.scalar_starts import scalar_start


def unsound_policies(policies: Sequence[Policy]) -> list[str]:
    """What is wrong with the expressions of policies, a line each."""
    if not is_installed():
        return [f"{policies[0].place.source}: {NEEDED}"]
    from quotalint.checks.seldom.policies import issues_in

    return [line for one in policies for line in _issue_lines(one, issues_in(one))]


def _issue_lines(policy: Policy, issues: Iterable[Issue]) -> Iterator[str]:
    for issue in issues:
        line, column = _expression_start(policy)
        before = policy.expression[: issue.offset].split("\n")
        within = f"column {len(before[-1]) + 1} of the expression"
        if "\n" in policy.expression.strip():
            within = f"line {len(before)}, {within}"
        yield f"{policy.place.source}:{line}:{column}: {policy.rule.id}: {within}: {issue.message}"


def _expression_start(policy: Policy) -> tuple[int, int]:
    try:
        data = content(policy.place.source, MAX_BYTES) or b""
    except (OSError, ValueError):
        return 1, 1
    return scalar_start(data, policy.place.document, policy.place.path)


def given_policies(files: Sequence[str]) -> tuple[Policy, ...]:
    """The policies of rule files and folders of them, or without any those of the nearest configuration."""
    if not files:
        settings = load_settings(["."], Options(), frozenset(rule_ids()))
        if not isinstance(settings, Settings):
            raise CannotRun("\n".join(map(describe_error, settings)))
        return settings.policies
    found: list[Policy] = []
    errors: list[ConfigError] = []
    for name in files:
        if not os.path.exists(name):
            raise CannotRun(f"no such file or folder: {name}")
        several = [name]
        if os.path.isdir(name):
            several = [os.path.join(name, one) for one in sorted(os.listdir(name)) if one.endswith((".yaml", ".yml"))]
        for one in several:
            more, wrong = policies_in(one, os.path.relpath(one).replace(os.sep, "/"))
            found += more
            errors += wrong
    errors += repeated_policies(tuple(found))
    if errors:
        raise CannotRun("\n".join(map(describe_error, errors)))
    return tuple(found)


def tell_trials(policies: Sequence[Policy]) -> bool:
    """Print what comes of the examples of policies; whether one does not hold."""
    if not policies:
        raise CannotRun("there are no policies to test: `policies` in .quotalint.yaml names them, or name their files")
    wrong = unsound_policies(policies)
    if wrong:
        raise CannotRun("\n".join(wrong))
    done = list(try_examples(policies))
    failed = [one for one in done if one.failure]
    for one in failed:
        write(f"{one.policy.place.source}: {one.policy.rule.id}: {one.title}: {one.failure}\n")
    bare = [one.rule.id for one in policies if not (one.rule.bad and one.rule.good)]
    for rule_id in bare:
        write(f"{rule_id}: has no bad example and good one to try\n")
    write(
        f"{count_noun(len(policies), 'policy', 'policies')}, {count_noun(len(done), 'example')}, {len(failed)} failed\n"
    )
    return bool(failed)


class Trial(NamedTuple):
    """An example of a policy, and what came of it."""

    policy: Policy
    title: str
    failure: str
    """Empty: it holds."""


def try_examples(policies: Iterable[Policy]) -> Iterator[Trial]:
    """Every example of every policy through the whole pipeline, in a folder of its own."""
    for one in policies:
        for bad, examples in ((True, one.rule.bad), (False, one.rule.good)):
            for example in examples:
                yield Trial(one, str(example["title"]), _trial_failure(one, example, bad))


def _trial_failure(policy: Policy, example: Mapping[str, Any], bad: bool) -> str:
    from quotalint.diff.trees import standing_in
    from quotalint.pipeline import run
    from quotalint.scratch import scratch_folder
    from quotalint.text.sources import find

    with scratch_folder() as folder:
        files = {NAME: json.dumps(example.get("settings", {})), ".git/HEAD": "", **example["files"]}
        for name, text in files.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        with standing_in(folder):
            settings = load_settings(["."], Options(), None, folder)
            if not isinstance(settings, Settings):
                return "; ".join(map(describe_error, settings))
            settings = settings._replace(policies=(policy,), select=(policy.rule.id,), ignore=())
            result = run(find(["."], settings.root, settings.exclude), settings, bytes, 1)
    found = [one for one in result.findings if one.rule.id == policy.rule.id]
    places = [f"{one.file}:{one.span.line}:{one.span.column}" for one in found if one.variant == "default"]
    open_ = [one.message for one in found if one.variant != "default"]
    expected = [str(one).partition(" ")[0] for one in example.get("expect", ())]
    if open_:
        return open_[0]
    if bad and expected and places != expected:
        return f"expected {', '.join(expected)}; reported {', '.join(places) or 'nothing'}"
    if bad and not places:
        return "nothing is reported"
    return f"reported {', '.join(places)}" if places and not bad else ""
