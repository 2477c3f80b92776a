"""The part of the text report about unknowns: what could not be judged, was guessed, or was skipped."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from quotalint.accounts.facts import Facts, Repository
from quotalint.kube.guess import LEFT_OUT, Guess, alike_guesses, list_folders
from quotalint.quota.projection import AT_LEAST, UNKNOWN, Projection, Uninhabited
from quotalint.quota.quotas import Quota
from quotalint.reports.terminal import count_noun, safe_text
from quotalint.results.finding import Finding
from quotalint.text.words import list_some
from quotalint.unknowns.causes import cause_of
from quotalint.unknowns.problems import LIBRARY
from quotalint.unknowns.unseen import CHART, LIMITING, OTHER, TEMPLATE, UNAPPLIED

_ReasonsByName = Mapping[str, Mapping[str, list[str]]]
"""Why quotas are unknown, by noun and name of their subject."""

_NAMES = 5  # namespaces that a line names
_REASONS = 3  # shown without --verbose
_LONG = 300  # characters of a reason, which may quote the error of a template


def unsure_lines(
    environments: Sequence[Facts],
    repository: Repository,
    findings: Sequence[Finding],
    *,
    verbose: bool,
    limited: bool,
) -> Iterator[str]:
    """A sentence for each kind of unknown, the most important first. Reasons that `findings` state are not repeated;
    `limited`: there are quotas."""
    unjudged = _reasons_by_quota(environments)
    yield from _refused_lines(environments, verbose=verbose)
    if unjudged:
        yield from _unjudged_lines(environments, unjudged, _rules_by_reason(findings), verbose=verbose)
    if unjudged and len(environments) > 1:
        from quotalint.reports.related_environments import related_environment_lines

        yield from related_environment_lines(environments)
    yield from _assumption_lines(environments, unjudged, verbose=verbose)
    yield from _lower_bound_lines(environments, verbose=verbose)
    yield from _missing_library_lines(environments)
    if repository.skipped:
        yield from _skipped_lines(repository, verbose=verbose, limited=limited)


def _rules_by_reason(findings: Sequence[Finding]) -> Mapping[str, str]:
    """The reasons and families of causes that findings above state, each with its rule. Info findings may be hidden, so
    they do not count."""
    return {
        finding.values["reason"]: finding.rule.id
        for finding in findings
        if finding.values.get("reason") and finding.severity != "info"
    }


def _said_above(reason: str, rules: Mapping[str, str]) -> str:
    """A reference to the finding above that states the reason, or else the reason."""
    cause = cause_of(reason)
    keys = (reason, reason.partition(": ")[2], cause.family if cause is not None else "")
    rule = next((rules[key] for key in keys if key in rules), "")
    return f"see {rule} above" if rule else reason


def _unjudged_lines(
    environments: Sequence[Facts], unjudged: _ReasonsByName, rules: Mapping[str, str], *, verbose: bool
) -> Iterator[str]:
    """The namespaces whose quotas are unknown, grouped by reason."""
    reasons_by_noun = {
        noun: {name: Counter(reasons).most_common(1)[0][0] for name, reasons in listed.items()}
        for noun, listed in unjudged.items()
    }
    cure_by_reason = {
        safe_text(guess.reason): safe_text(guess.cure)
        for facts in environments
        for projection in facts.projections
        for guess in projection.guesses
        if guess.about == LEFT_OUT
    }
    uninhabited = [name for name, why in reasons_by_noun.get("namespace", {}).items() if isinstance(why, Uninhabited)]
    if len(uninhabited) > _NAMES and not verbose:
        reasons_by_noun["namespace"] = {
            name: why for name, why in reasons_by_noun["namespace"].items() if not isinstance(why, Uninhabited)
        }
        yield (
            f"{len(uninhabited)} namespaces with quotas have no workloads in this repository, so only their "
            "definitions were checked (`--with` a snapshot adds their usage)."
        )
    for noun, reasons in sorted(reasons_by_noun.items()):
        if not reasons:
            continue
        by_reason: dict[str, list[str]] = {}
        for name, reason in sorted(reasons.items()):
            by_reason.setdefault(safe_text(_said_above(reason, rules)), []).append(safe_text(name))
        groups = sorted(by_reason.items(), key=lambda group: -len(group[1]))
        shown = groups if verbose else groups[:_REASONS]
        clauses = [
            f"{_list_names(names, verbose=verbose)} ({_shorten_reason(reason, verbose=verbose)})"
            for reason, names in shown
        ]
        others = sum(len(names) for _, names in groups[len(shown) :])
        more = f"; {others} more for other reasons (see `quotalint usage`)" if others else ""
        cures = list(dict.fromkeys(cure_by_reason[reason] for reason, _ in shown if reason in cure_by_reason))
        settle = f" To settle it, {'; '.join(cures)}." if cures else ""
        yield f"{count_noun(len(reasons), noun)} could not be judged: {', '.join(clauses)}{more}.{settle}"


def _reasons_by_quota(environments: Sequence[Facts]) -> _ReasonsByName:
    """By noun and name, the subjects whose quotas have no entry that can be judged, with the reason of each entry."""
    reasons_by_noun: dict[str, dict[str, list[str]]] = {}
    for facts in environments:
        judged = {_sum_subject(projection.quota) for projection in facts.projections if _is_judged(projection)}
        for projection in facts.projections:
            noun, name = _sum_subject(projection.quota)
            is_unknown = projection.certainty == UNKNOWN and (noun, name) not in judged
            if is_unknown and not projection.quota.is_for_critical_pods:
                reasons = reasons_by_noun.setdefault(noun, {})
                of_subject = reasons.setdefault(_name_in_environment(name, facts, environments), [])
                guessed = tuple(guess.reason for guess in projection.guesses)
                of_subject += projection.unknowns or guessed or ("unknown",)
    return reasons_by_noun


def _is_judged(projection: Projection) -> bool:
    """Whether some user of an entry is known; objects that Kubernetes adds to every namespace do not count."""
    implied = projection.entries and all(entry.owner is None for entry in projection.entries)
    return projection.certainty != UNKNOWN and not implied


def _list_names(names: Sequence[str], *, verbose: bool) -> str:
    return list_some(names, sys.maxsize if verbose else _NAMES)


def _shorten_reason(reason: str, *, verbose: bool) -> str:
    return reason if verbose or len(reason) <= _LONG else f"{reason[:_LONG].rstrip()}…"


def _refused_lines(environments: Sequence[Facts], *, verbose: bool) -> Iterator[str]:
    """The quotas that the API server refuses, so nothing about them was judged."""
    refused_quotas = set[str]()
    for facts in environments:
        for quota in filter(facts.is_rejected, facts.quotas):
            noun, whose = _sum_subject(quota)
            name = quota.name or "a quota without a name"
            name = f"{name} of {whose}" if noun == "namespace" else name
            refused_quotas.add(safe_text(_name_in_environment(name, facts, environments)))
    if refused_quotas:
        names = list_some(sorted(refused_quotas), sys.maxsize if verbose else _NAMES)
        them = "it" if len(refused_quotas) == 1 else "them"
        number = count_noun(len(refused_quotas), "quota")
        yield f"{number} could not be judged, because the API server refuses {them}: {names}."


def _sum_subject(quota: Quota) -> tuple[str, str]:
    """The subject of a sum, noun and name: a namespace, or the quota itself if it counts several."""
    if len(quota.namespaces) == 1 and quota.shares is None:
        return "namespace", quota.namespace
    return "quota", f"{quota.object.kind} {quota.name}"


def _name_in_environment(name: str, facts: Facts, environments: Sequence[Facts]) -> str:
    return f"{name} in {facts.environment}" if len(environments) > 1 and facts.environment else name


def _lower_bound_lines(environments: Sequence[Facts], *, verbose: bool) -> Iterator[str]:
    """The namespaces that may use more than was counted."""
    names_by_noun: dict[str, set[str]] = {}
    for facts in environments:
        for projection in facts.projections:
            if (
                projection.certainty == AT_LEAST
                and _is_judged(projection)
                and not projection.quota.is_for_critical_pods
            ):
                noun, name = _sum_subject(projection.quota)
                names_by_noun.setdefault(noun, set()).add(safe_text(_name_in_environment(name, facts, environments)))
    more = "" if verbose else " (`quotalint usage` says why)"
    for noun, subject_names in sorted(names_by_noun.items()):
        names = list_some(sorted(subject_names), len(subject_names) if verbose else _NAMES)
        may = "may use more than is counted here" if noun == "namespace" else "may have more charged than is in view"
        yield f"{count_noun(len(subject_names), noun)} {may}: {names}{more}."


def _assumption_lines(environments: Sequence[Facts], unjudged: _ReasonsByName, *, verbose: bool) -> Iterator[str]:
    """What was guessed, with the namespaces whose sums depend on it, and what would settle it."""
    told_names = {name for listed in unjudged.values() for name in listed}
    names_by_guess: dict[Guess, set[str]] = {}
    for facts in environments:
        for projection in facts.projections:
            name = _name_in_environment(_sum_subject(projection.quota)[1], facts, environments)
            for guess in projection.guesses:
                if guess.about != LEFT_OUT or name not in told_names:  # its reason is shown already
                    names_by_guess.setdefault(guess, set()).add(safe_text(name))
    alike: dict[tuple[object, ...], list[Guess]] = {}
    for guess, subject_names in sorted(names_by_guess.items()):
        alike.setdefault(_likeness_key(guess, subject_names), []).append(guess)
    groups = list(alike.values())
    for guesses in groups if verbose else groups[:_REASONS]:
        names = _list_names(sorted(set().union(*(names_by_guess[guess] for guess in guesses))), verbose=verbose)
        same = len({frozenset(names_by_guess[guess]) for guess in guesses}) == 1
        shown_guesses = guesses if verbose or same else guesses[:1]
        of_folders = [[guess] for guess in shown_guesses] if verbose else alike_guesses(shown_guesses)
        reasons = "; ".join(dict.fromkeys(map(_shared_reason, of_folders)))
        cures = "; ".join(dict.fromkeys(safe_text(first.cure) for first, *_ in of_folders))
        others = "" if len(shown_guesses) == len(guesses) else "; similar for the others"
        yield f"Assumed for {names}: {reasons}{others}. To settle it, {cures}."
    if len(groups) > _REASONS and not verbose:
        yield f"{count_noun(len(groups) - _REASONS, 'more assumption')}: --verbose lists them."


def _shared_reason(alike: Sequence[Guess]) -> str:
    """A guess about a folder, with the other folders that it applies to."""
    first, *others = alike
    return safe_text(first.reason + (f"; also {list_folders(others, _NAMES)}" if others else ""))


def _likeness_key(guess: Guess, namespaces: set[str]) -> tuple[object, ...]:
    """The key of guesses that are shown together: their namespaces, or their words without the name."""
    if len(namespaces) > 1:
        return (frozenset(namespaces),)
    name = next(iter(namespaces)).partition(" in ")[0]
    return (guess.reason.replace(name, "…"),)


def _missing_library_lines(environments: Sequence[Facts]) -> Iterator[str]:
    """How many releases the extra `helm` would render."""
    releases = {
        (facts.environment, problem.reason): (facts.environment, problem.namespace, problem.namespace in facts.charges)
        for facts in environments
        for problem in facts.problems
        if problem.cause == LIBRARY
    }
    if releases:
        limited = {(environment, namespace) for environment, namespace, has_quota in releases.values() if has_quota}
        of = f", in {count_noun(len(limited), 'namespace')} with a quota" if limited else ""
        limiting = (
            (facts.environment, problem.reason)
            for facts in environments
            for problem in facts.problems
            if problem.limits
        )
        bring = len(set(limiting))
        also = f"; {bring} of them {'bring' if bring > 1 else 'brings'} quotas or LimitRanges" if bring else ""
        many = count_noun(len(releases), "release")
        yield f"`pip install 'quotalint[helm]'` would render {many} of charts here{of}{also}."


def _skipped_lines(repository: Repository, *, verbose: bool, limited: bool) -> Iterator[str]:
    """What was skipped, by kind; only the number if nothing is `limited`."""
    skipped = [skipped_file for skipped_file in repository.skipped if skipped_file.kind != LIMITING]
    if not limited and not verbose:
        if skipped:
            nouns = {_SKIPPED[skipped_file.kind] for skipped_file in skipped}
            alike = next(iter(nouns)).removeprefix("other ") if len(nouns) == 1 else ""
            number = count_noun(len(skipped), alike) if alike else f"{len(skipped)} files and folders"
            yield f"{number} skipped: --verbose lists {'it' if len(skipped) == 1 else 'them'}."
        return
    kinds: dict[tuple[str, str], list[str]] = {}
    for skipped_file in skipped:
        reason = "" if skipped_file.kind in (CHART, TEMPLATE) else safe_text(skipped_file.reason.removeprefix("is "))
        kinds.setdefault((skipped_file.kind, reason), []).append(safe_text(skipped_file.name))
    for (kind, reason), skipped_names in kinds.items():
        names = list(dict.fromkeys(skipped_names))
        named = ": " + ", ".join(names) if verbose else "" if len(names) > 3 else f" ({', '.join(names)})"
        are, nothing = ("is", "it") if len(names) == 1 else ("are", "them")
        reason = reason if len(names) == 1 else _of_several(reason)
        consequence = {
            TEMPLATE: "not read",
            CHART: f"not counted: nothing in view deploys {nothing}; `renderers.helm` can name releases",
            UNAPPLIED: f"not applied: {reason}",
        }.get(kind, f"skipped: {reason}")
        yield f"{count_noun(len(names), _SKIPPED[kind])} {are} {consequence}{named}."


def _of_several(reason: str) -> str:
    """The reason to skip something, in the plural."""
    for of_one, of_many in _PLURALS.items():
        reason = reason.replace(of_one, of_many)
    return reason


_PLURALS = {
    "nothing deploys this": "nothing deploys them",
    "kustomization of its folder does not list it": "kustomizations of their folders do not list them",
    "kustomization of its folder cannot be read": "kustomizations of their folders cannot be read",
    "it only lists": "they only list",
    "a base that nothing": "bases that nothing",
    "a snapshot of": "snapshots of",
    "a generated copy of": "generated copies of",
    "each environment that it is for": "each environment that they are for",
    "a folder that package managers fill": "folders that package managers fill",
    "names it with a `!` before it": "names them with a `!` before them",
    "does not claim to be a manifest": "do not claim to be manifests",
}
_SKIPPED = {CHART: "Helm chart", TEMPLATE: "template", UNAPPLIED: "folder", OTHER: "other file"}
