"""Policies of the user: whether their expressions are valid, and whether their examples hold."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from quotalint.catalogue import rule_ids
from quotalint.cel import NEEDED, is_installed
from quotalint.cel.engine import Issue
from quotalint.cli.printing import write
from quotalint.cli.request import CannotRun
from quotalint.named_tuples import NamedTuple
from quotalint.reports.terminal import count_noun
from quotalint.settings import ConfigError, Options, Settings, describe_error
from quotalint.settings.loading import NAME, load_settings
from quotalint.settings.policy_files import Policy, policies_in, repeated_policies
from quotalint.text.documents import MAX_BYTES
from quotalint.text.files import content
from quotalint.text.spans import scalar_start


def unsound_policies(policies: Sequence[Policy]) -> list[str]:
    """The errors in expressions of policies, a line each."""
    if not is_installed():
        return [f"{policies[0].place.source}: {NEEDED}"]
    from quotalint.checks.lazy.own_policies import issues_in

    return [line for policy in policies for line in _issue_lines(policy, issues_in(policy))]


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
    """The policies of rule files and folders, or without any those of the nearest configuration."""
    if not files:
        settings = load_settings(["."], Options(), frozenset(rule_ids()))
        if not isinstance(settings, Settings):
            raise CannotRun("\n".join(map(describe_error, settings)))
        return settings.policies
    policies: list[Policy] = []
    errors: list[ConfigError] = []
    for name in files:
        if not os.path.exists(name):
            raise CannotRun(f"no such file or folder: {name}")
        paths = [name]
        if os.path.isdir(name):
            paths = [
                os.path.join(name, file_name)
                for file_name in sorted(os.listdir(name))
                if file_name.endswith((".yaml", ".yml"))
            ]
        for path in paths:
            more, wrong = policies_in(path, os.path.relpath(path).replace(os.sep, "/"))
            policies += more
            errors += wrong
    errors += repeated_policies(tuple(policies))
    if errors:
        raise CannotRun("\n".join(map(describe_error, errors)))
    return tuple(policies)


def tell_trials(policies: Sequence[Policy]) -> bool:
    """Print the results of the examples of policies; whether one fails."""
    if not policies:
        raise CannotRun("no policies to test: name their files, or list them under `policies` in .quotalint.yaml")
    wrong = unsound_policies(policies)
    if wrong:
        raise CannotRun("\n".join(wrong))
    done = list(try_examples(policies))
    failed = [trial for trial in done if trial.failure]
    for trial in failed:
        write(f"{trial.policy.place.source}: {trial.policy.rule.id}: {trial.title}: {trial.failure}\n")
    bare = [policy.rule.id for policy in policies if not (policy.rule.bad and policy.rule.good)]
    for rule_id in bare:
        write(f"{rule_id}: needs a bad and a good example\n")
    write(
        f"{count_noun(len(policies), 'policy', 'policies')}, {count_noun(len(done), 'example')}, {len(failed)} failed\n"
    )
    return bool(failed)


class Trial(NamedTuple):
    """An example of a policy, and its result."""

    policy: Policy
    title: str
    failure: str
    """Empty: it holds."""


def try_examples(policies: Iterable[Policy]) -> Iterator[Trial]:
    """Run every example of every policy through the whole pipeline, each in a folder of its own."""
    for policy in policies:
        for bad, examples in ((True, policy.rule.bad), (False, policy.rule.good)):
            for example in examples:
                yield Trial(policy, str(example["title"]), _trial_failure(policy, example, bad=bad))


def _trial_failure(policy: Policy, example: Mapping[str, Any], *, bad: bool) -> str:
    from quotalint.diff.trees import standing_in
    from quotalint.pipeline import run
    from quotalint.runtime.scratch import scratch_folder
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
    findings = [finding for finding in result.findings if finding.rule.id == policy.rule.id]
    places = [
        f"{finding.file}:{finding.span.line}:{finding.span.column}"
        for finding in findings
        if finding.variant == "default"
    ]
    open_ = [finding.message for finding in findings if finding.variant != "default"]
    expected = [str(expectation).partition(" ")[0] for expectation in example.get("expect", ())]
    if open_:
        return open_[0]
    if bad and expected and places != expected:
        return f"expected {', '.join(expected)}; reported {', '.join(places) or 'nothing'}"
    if bad and not places:
        return "nothing is reported"
    return f"reported {', '.join(places)}" if places and not bad else ""
