"""The end of the text report, which fits on a screen: numbers, next steps, and what could not be judged."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterator, Sequence

from quotalint.accounts.facts import Facts, Repository
from quotalint.catalogue import SEVERITIES
from quotalint.kube.guess import MEMBERSHIP, NAMESPACE
from quotalint.named_tuples import NamedTuple
from quotalint.reports.consequences import following_words
from quotalint.reports.details import count_repairable
from quotalint.reports.summary import Summary
from quotalint.reports.terminal import SEVERITY_STYLES, Terminal, align_rows, count_noun, safe_text, wrap_paragraph
from quotalint.reports.unsure import unsure_lines
from quotalint.results.finding import Finding
from quotalint.text.words import list_some
from quotalint.unknowns.causes import PLUGIN
from quotalint.unknowns.problems import MISSING
from quotalint.unknowns.unseen import CHART, LIMITING, Skipped
from quotalint.workloads import makes_pods

_TABLE_FROM = 10  # findings; fewer are taken in at a glance
_RULES = 12  # rows of the table
_NAMES = 5  # namespaces that a line names
_GUESSES = 3  # shown without --verbose


def ending_lines(
    findings: Sequence[Finding],
    numbers: Summary,
    environments: Sequence[Facts],
    to: Terminal,
    *,
    verbose: bool,
    following: int = 0,
) -> Iterator[str]:
    """The last lines of the report: numbers, rules, next steps, and what could not be judged. `findings` are not
    suppressed; `following` of them are not shown in full, because another finding explains them."""
    counts = [count_noun(numbers.findings[name], name) for name in ("error", "warning") if numbers.findings[name]]
    if numbers.findings["info"]:
        counts.append(f"{numbers.findings['info']} info")
    scope = f"{count_noun(numbers.namespaces, 'namespace')}, {count_noun(numbers.quotas, 'quota')}"
    scope += f", {count_noun(numbers.templates, 'quota')} in templates" if numbers.templates else ""
    scope += f", {count_noun(numbers.environments, 'environment')}" if numbers.environments > 1 else ""
    where = f"in {count_noun(numbers.files, 'file')} ({scope})."
    where = f", {numbers.suppressed} suppressed {where}" if numbers.suppressed else f" {where}"
    worst = next((name for name in ("error", "warning") if numbers.findings[name]), "")
    repository = environments[0].repository
    limited = any(facts.quotas or facts.limit_ranges for facts in environments)
    unread = [skipped for skipped in repository.skipped if skipped.kind in (CHART, LIMITING)]
    if unread and not (counts or numbers.files):
        why = f": {unread[0].name}: {unread[0].reason}" if unread[0].kind == CHART else ""
        yield wrap_paragraph(f"Nothing was checked{why}.", to.width, "", "  ")
    else:
        head = ", ".join(counts) if counts else "No findings"
        painted = to.paint(head, SEVERITY_STYLES[worst] if worst else "green", "bold")
        yield wrap_paragraph(head + where, to.width, "", "  ").replace(head, painted, 1)
    if following:
        yield wrap_paragraph(following_words(following) + " --verbose shows them in full.", to.width, "", "  ")
    if not limited and numbers.files:
        yield wrap_paragraph(_nothing_limited(numbers, environments), to.width, "", "  ")
        yield from (
            wrap_paragraph(line, to.width, "", "  ") for line in _unrendered_line(environments, verbose=verbose)
        )
    rows = _rule_rows(findings) if len(findings) >= _TABLE_FROM else []
    if rows:
        yield from _rule_table(rows, to)
    safe, unsafe = count_repairable(findings)
    if safe:
        yield wrap_paragraph(_repair_hint(safe, unsafe), to.width, "", "  ")
    if rows:
        text = f"quotalint explain {rows[0].rule} shows why this rule exists, and examples."
        yield wrap_paragraph(text, to.width, "", "  ")
    if repository.settings.file is None and _would_init_help(findings, environments):
        yield wrap_paragraph(_INIT, to.width, "", "  ")
    if repository.embedded or repository.skipped:
        yield from (wrap_paragraph(line, to.width, "", "  ") for line in _template_lines(repository, verbose=verbose))
    yield from (
        wrap_paragraph(line, to.width, "", "  ")
        for line in unsure_lines(environments, repository, findings, verbose=verbose, limited=limited)
    )


_INIT = "quotalint init writes a .quotalint.yaml with the clusters, environments and excludes that it finds here."


def _would_init_help(findings: Sequence[Finding], environments: Sequence[Facts]) -> bool:
    """Whether the namespace or cluster of something was guessed, or a finding is in a folder whose manifests are seldom
    applied."""
    guesses = (guess for facts in environments for projection in facts.projections for guess in projection.guesses)
    if any(guess.about in (MEMBERSHIP, NAMESPACE) for guess in guesses):
        return True
    if not findings:
        return False
    from quotalint.settings.init_file import IDLE_FOLDERS

    return any(not IDLE_FOLDERS.isdisjoint(finding.file.split("/")[:-1]) for finding in findings)


def _nothing_limited(numbers: Summary, environments: Sequence[Facts]) -> str:
    """A sentence that no quota is in force, with the quotas that are not applied."""
    repository = environments[0].repository
    idle = [
        file.source.name
        for file in repository.files
        for document in file.reading.documents
        if isinstance(document.value, dict) and document.value.get("kind") in ("ResourceQuota", "LimitRange")
    ]
    where = f"{count_noun(numbers.files, 'file')} ({_workload_count(environments)})"
    if not idle and (repository.embedded or _limiting_templates(repository)):
        return f"Nothing in {where} limits a namespace: only templates and other objects contain quotas."
    if not idle and any(file.limiting and file.reading.failures for file in repository.files):
        return f"No readable ResourceQuota or LimitRange in {where}."
    if not idle:
        return f"No ResourceQuota or LimitRange in {where}."
    files = list_some([safe_text(name) for name in dict.fromkeys(idle)], _GUESSES)
    if _is_left_to_plugins(idle, environments):
        # The plugin may apply them.
        what, why = "counted", f"quotalint does not run the plugin that renders {'it' if len(idle) == 1 else 'them'}"
    else:
        what, why = "applied", _why_idle(idle, repository)
    if len(idle) == 1:
        return f"The only ResourceQuota or LimitRange in {where} is not {what}: {why} ({files})."
    return f"{len(idle)} ResourceQuotas and LimitRanges in {where} are not {what}: {why} ({files})."


def _is_left_to_plugins(file_names: Sequence[str], environments: Sequence[Facts]) -> bool:
    """Whether a plugin may render some of these files: nothing says that nobody applies them."""
    repository = environments[0].repository
    skipped = {skipped.name for skipped in repository.skipped} | repository.idle
    skipped_folders = {posixpath.dirname(name) for name in skipped}
    return any(
        problem.shared is not None and problem.shared.family == PLUGIN
        for facts in environments
        for problem in facts.problems
    ) and not all(name in skipped or posixpath.dirname(name) in skipped_folders for name in file_names)


def _limiting_templates(repository: Repository) -> list[Skipped]:
    """The templates that write quotas or LimitRanges and are not rendered."""
    return [skipped for skipped in repository.skipped if skipped.kind == LIMITING]


def _template_lines(repository: Repository, *, verbose: bool) -> Iterator[str]:
    """The templates that write quotas and are not rendered, with the command that renders them; similar ones once."""
    alike: dict[str, list[Skipped]] = {}
    for skipped in _limiting_templates(repository):
        alike.setdefault(skipped.reason.replace(skipped.name, ""), []).append(skipped)
    groups = list(alike.values())
    inside = _of_templates(repository)
    if inside:
        yield (
            f"{list_some(inside, len(inside) if verbose else _GUESSES)}: quotas inside Templates; `oc process -f "
            f"{inside[0]} | quotalint -` would show them, and `templates: true` in .quotalint.yaml counts them here."
        )
    for group in groups[: None if verbose else _NAMES]:
        template_names = list_some([safe_text(skipped.name) for skipped in group], len(group) if verbose else _GUESSES)
        yield f"{template_names}: {safe_text(group[0].reason)}."
    if len(groups) > _NAMES and not verbose:
        yield f"{count_noun(len(groups) - _NAMES, 'more kind')} of templates write quotas: --verbose lists them."


def _of_templates(repository: Repository) -> list[str]:
    """The files of OpenShift Templates with quotas in them."""
    holding = {obj.place.source for obj in repository.embedded}
    return [
        safe_text(file.source.name)
        for file in repository.files
        if file.source.name in holding
        and any(
            isinstance(document.value, dict) and document.value.get("kind") == "Template"
            for document in file.reading.documents
        )
    ]


def _why_idle(file_names: Sequence[str], repository: Repository) -> str:
    """Why nobody applies any of these files, as a clause, one name for each quota in them."""
    reasons = {skipped.name: skipped.reason for skipped in repository.skipped}
    reasons_found = {reasons.get(name, "") for name in file_names}
    reason = safe_text(reasons_found.pop()) if len(reasons_found) == 1 else ""
    folders = {posixpath.dirname(name): why for name, why in reasons.items()}
    bases = {folders.get(posixpath.dirname(name), "") for name in file_names}
    if len(bases) == 1 and (base := bases.pop()).startswith("a base "):
        return f"{'it is' if len(file_names) == 1 else 'they are'} of {safe_text(base)}"
    if not reason.endswith(" it"):
        reason = "nothing deploys it"
    # A source that is only partly known may deploy them.
    exceptions = {
        safe_text(tail)
        for reason_of_any in reasons.values()
        if (tail := reason_of_any.removeprefix("nothing deploys this")).startswith(", unless ")
    }
    more = min(exceptions, default="") if reason.endswith("deploys it") else ""
    return (reason if len(file_names) == 1 else reason.removesuffix("it") + "them") + more


def _unrendered_line(environments: Sequence[Facts], *, verbose: bool) -> Iterator[str]:
    """The files whose objects are not all rendered; a quota may be among them. If it surely is, a finding says so."""
    missing = (
        problem
        for facts in environments
        for problem in facts.problems
        if problem.kind == MISSING and not problem.hides_limits
    )
    file_names = sorted({safe_text(problem.place.file) for problem in missing})
    if file_names:
        named = list_some(file_names, len(file_names) if verbose else _NAMES)
        yield f"Not rendered in full: {named} (`--select QL003` says why)."


def _workload_count(environments: Sequence[Facts]) -> str:
    settings = environments[0].settings
    objects = {obj.identity: obj for facts in environments for obj in facts.cluster.objects}
    return count_noun(sum(makes_pods(obj, settings.workloads) for obj in objects.values()), "workload")


def _repair_hint(safe: int, unsafe: int) -> str:
    """How many findings `--fix` can repair. Fixes that need a decision are no reason for the hint."""
    more = f", {unsafe} more with --unsafe-fixes" if unsafe else ""
    return f"quotalint --fix can repair {count_noun(safe, 'finding')}{more}; with --diff it only shows how."


class _RuleRow(NamedTuple):
    """The findings of one rule, as a row of the table."""

    rule: str
    name: str
    severity: str
    findings: int
    files: int


def _rule_rows(findings: Sequence[Finding]) -> list[_RuleRow]:
    """The most severe first, then the commonest."""
    number = Counter((finding.rule.id, finding.rule.name, finding.severity) for finding in findings)
    files = Counter(key for key, _ in {((finding.rule.id, finding.severity), finding.file) for finding in findings})
    rows = [_RuleRow(*key, count, files[key[0], key[2]]) for key, count in number.items()]
    return sorted(rows, key=lambda row: (SEVERITIES.index(row.severity), -row.findings, row.rule))


def _rule_table(rows: Sequence[_RuleRow], to: Terminal) -> Iterator[str]:
    cells = [
        (str(row.findings), row.severity, f"{row.rule} {row.name}", f"in {count_noun(row.files, 'file')}")
        for row in rows[:_RULES]
    ]
    for row, line in zip(rows, align_rows(cells, to_the_right=(0,)), strict=False):
        yield "  " + line.replace(row.severity, to.paint(row.severity, SEVERITY_STYLES[row.severity]), 1)
    if len(rows) > _RULES:
        yield f"  and {count_noun(len(rows) - _RULES, 'rule')} more"
