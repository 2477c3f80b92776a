"""Hits → findings: identity, severity, texts and lines are added here, once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from quotalint.accounts.facts import Facts
from quotalint.catalogue import Rule, filled_text
from quotalint.checks.hit import MANY, Check, Hit, Related, with_guesses
from quotalint.kube.guess import LEFT_OUT, Guess
from quotalint.results.finding import Finding, Statement, finding_of, places_of
from quotalint.results.selection import Flood, file_of, guesses_of, is_asked_for, rule_of, severity_of_hit
from quotalint.runtime.faults import reason_of
from quotalint.runtime.recall import memory_in_use, recalled
from quotalint.runtime.resource_limits import share
from quotalint.settings import Settings
from quotalint.suppression import SILENCED, UNUSED, Silence
from quotalint.suppression import Suppression as Suppression
from quotalint.suppression.suppression_matching import SuppressionMatcher, read_suppressions, silences_of_hit
from quotalint.text.place import Place, Span
from quotalint.text.reading import File
from quotalint.text.sources import Unreadable
from quotalint.text.words import list_some

if TYPE_CHECKING:
    from quotalint.results.rechecks import Rechecks
    from quotalint.suppression.baseline import Baseline, BaselineEntry
    from quotalint.suppression.trust import Trust

EXPENSIVE = "QL009"


def findings(
    environments: Sequence[Facts],
    checks: Iterable[Check],
    locate: Callable[[Iterable[Place]], Mapping[Place, Span]],
    content: Callable[[str], bytes],
    baseline: Baseline | None = None,
    unapplied: Sequence[Facts] = (),
    trust: Trust | None = None,
    *,
    whole: bool = True,
) -> tuple[tuple[Finding, ...], tuple[BaselineEntry, ...], tuple[BaselineEntry, ...]]:
    """Three tuples: the findings of these checks that the settings select, with unused suppressions, in order of file
    and line; the stale baseline entries; and those that this run cannot judge.

    `whole`: the files are everything below the root. For `unapplied` facts only rules run that hold wherever an object
    is applied. With `trust`, only suppressions count that the base revision has too.
    """
    settings = environments[0].settings
    limited = any(
        facts.quotas or facts.limit_ranges or facts.before or any(problem.hides_limits for problem in facts.problems)
        for facts in (*environments, *unapplied)
    )
    statements: dict[tuple[object, ...], Statement] = {}
    flood = Flood()
    memory = memory_in_use()
    rechecks = None
    if memory is not None and memory.looks_often:
        from quotalint.results.rechecks import Rechecks

        rechecks = memory.lasting("checks", Rechecks)
        rechecks.begin(environments, unapplied)

    wants_all = limited or bool(settings.select)
    for check in checks:
        if settings.runs(check.rule):
            _apply(
                check, environments, statements, lambda rule: wants_all or not rule.needs_quotas, trust, flood, rechecks
            )
            _apply(check, unapplied, statements, lambda rule: rule.stands_alone, trust, flood, rechecks)
    has_base = any(facts.before for facts in environments)
    for hit in flood.hits(has_base=has_base) if settings.runs(EXPENSIVE) else ():
        _say(statements, EXPENSIVE, environments[0], hit)
    statements = _by_group(_without_superseded(statements), settings)
    entries = baseline.entries if baseline else ()
    spans = dict(locate((*_all_places(statements), *(entry.place for entry in entries))))
    names = [facts.environment for facts in environments if facts.environment] if len(environments) > 1 else []
    of_statement = finding_of if rechecks is None else _remembered_finding
    bare = [(of_statement(statement, settings, names, spans), statement.silences) for statement in statements.values()]
    bare.sort(key=lambda pair: _order(pair[0]))
    bare = _with_others(bare, (*environments, *unapplied))
    heard = read_suppressions(
        environments, [(finding.fingerprint, finding.file) for finding, _ in bare], content, baseline, spans, trust
    )
    stamped_findings = [_stamp_suppression(finding, silences, heard) for finding, silences in bare]
    marked = any(file.marked for file in environments[0].repository.files)
    if not (marked or baseline or settings.ignore or trust):
        return tuple(stamped_findings), (), ()
    from quotalint.suppression.unused import judge_of_run, stale_entries, stale_hits, unused_hits

    def report(hits: Iterable[Hit], rule_id: str = UNUSED) -> None:
        idle: dict[tuple[object, ...], Statement] = {}
        for hit in hits if settings.runs(rule_id) else ():
            _say(idle, rule_id, environments[0], hit)
        spans.update(locate(_all_places(idle)))
        stamped_findings.extend(
            _stamp_suppression(finding_of(statement, settings, names, spans), statement.silences, heard)
            for statement in idle.values()
        )

    by = judge_of_run(environments, lambda rule: is_asked_for(rule, settings), whole=whole)
    used = frozenset(heard.used) | (trust.refused_silences if trust else frozenset())
    report(unused_hits(environments, heard.comments, used, by))
    unused_entries = heard.left_entries()
    gone = stale_entries(baseline, unused_entries, by) if baseline else ()
    report(stale_hits(gone))
    if trust is not None:
        report(trust.hits(), SILENCED)
    return tuple(sorted(stamped_findings, key=_order)), gone, tuple(set(unused_entries) - set(gone))


def _by_group(
    statements: Mapping[tuple[object, ...], Statement], settings: Settings
) -> dict[tuple[object, ...], Statement]:
    """The statements, with those of one group and severity merged into one."""
    result: dict[tuple[object, ...], Statement] = {}
    groups: dict[tuple[object, ...], list[Statement]] = {}
    for key, statement in statements.items():
        hit = statement.hits[0][1]
        if hit.group and not statement.silences:
            groups.setdefault(
                (statement.rule.id, hit.group, severity_of_hit(statement.rule, hit, settings)), []
            ).append(statement)
        else:
            result[key] = statement
    for key, same_cause in groups.items():
        if len(same_cause) == 1:
            result[key] = same_cause[0]
            continue
        same_cause.sort(key=lambda statement: repr(statement.hits[0][1].place.real))
        hit = merge_hits([statement.hits[0][1] for statement in same_cause])
        hits = [(facts, hit) for statement in same_cause for facts, _ in statement.hits]
        result[key] = Statement(
            same_cause[0].rule, filled_text(same_cause[0].rule.message, hit.variant, hit.values), hits, {}
        )
    return result


def _without_superseded(statements: Mapping[tuple[object, ...], Statement]) -> dict[tuple[object, ...], Statement]:
    """The statements, without those at a place where a better rule reports."""
    better = {
        (other, hit.place.real)
        for statement in statements.values()
        for other in statement.rule.supersedes
        for _, hit in statement.hits
    }
    return {
        key: statement
        for key, statement in statements.items()
        if (statement.rule.id, statement.hits[0][1].place.real) not in better
    }


def _all_places(statements: Mapping[tuple[object, ...], Statement]) -> Iterator[Place]:
    for statement in statements.values():
        yield from places_of(statement)
        yield from (silence.place for silence in statement.silences)


def _order(finding: Finding) -> tuple[object, ...]:
    return (
        finding.file,
        finding.span.line,
        finding.span.column,
        finding.rule.id,
        finding.field,
        finding.message,
        finding.suppressed is not None,
    )


def _say(
    statements: dict[tuple[object, ...], Statement], rule_id: str, facts: Facts, hit: Hit, trust: Trust | None = None
) -> None:
    if hit.object is not None and not hit.object.name and "name" in hit.values:
        hit = hit._replace(values={**hit.values, "name": hit.values["name"] or hit.object.title})
    memory = memory_in_use()
    make = partial(_words_of, rule_id, hit, facts.settings, trust)
    if trust is None and memory is not None and memory.looks_often:
        words = memory.made("words", (hit, facts.settings), rule_id, make)
    else:
        words = make()
    if words is None:
        return
    key, rule, message, silences = words
    entry = statements.setdefault(key, Statement(rule, message, [], {}))
    entry.hits.append((facts, hit))
    entry.silences.update(silences)


def _words_of(
    rule_id: str, hit: Hit, settings: Settings, trust: Trust | None
) -> tuple[tuple[object, ...], Rule, str, dict[Silence, None]] | None:
    """The statement of a hit: a key that equal statements share, the rule, the message, and its suppressions. None if
    the rule is off."""
    rule = rule_of(rule_id, settings)
    if severity_of_hit(rule, hit, settings) == "off":
        return None
    message = filled_text(rule.message, hit.variant, hit.values)
    silences = dict.fromkeys(silences_of_hit(rule_id, hit, settings, trust))
    # A suppression of one object does not hide the same finding of another.
    key = (rule.id, hit.place.real, hit.line, hit.column, hit.field, _nameless(message, hit), not silences)
    return key, rule, message, silences


def _remembered_finding(
    statement: Statement, settings: Settings, names: Sequence[str], spans: Mapping[Place, Span]
) -> Finding:
    """The finding, reused while its hits, texts and lines are unchanged."""
    lines = tuple(map(spans.__getitem__, places_of(statement)))
    where = tuple(facts.environment for facts, _ in statement.hits)
    return recalled(
        "finding",
        (settings, statement.rule, *(hit for _, hit in statement.hits)),
        (statement.message, tuple(names), where, lines),
        partial(finding_of, statement, settings, names, spans),
    )


def _nameless(message: str, hit: Hit) -> str:
    """A message without the name that an overlay gave the object, so that the same line under another prefix gives the
    same message."""
    if hit.object is None or hit.object.place.made is None or hit.object.name not in message:
        return message
    name = hit.object.name
    return " ".join(word.replace(name, "") if word.strip(",;:.()") == name else word for word in message.split(" "))


def _stamp_suppression(finding: Finding, silences: Iterable[Silence], heard: SuppressionMatcher) -> Finding:
    suppressed = heard.suppression(finding.rule.id, finding.file, finding.span.line, finding.fingerprint, silences)
    if suppressed is None:
        return finding
    # A suppressed finding is not fixed, nor is text that it shares with others.
    return finding._replace(
        suppressed=suppressed, fix=finding.fix and finding.fix._replace(obstacle=_SUPPRESSED, otherwise=None)
    )


_SUPPRESSED = "it is suppressed"


def _apply(
    check: Check,
    environments: Sequence[Facts],
    statements: dict[tuple[object, ...], Statement],
    wanted: Callable[[Rule], bool],
    trust: Trust | None,
    flood: Flood,
    rechecks: Rechecks | None,
) -> None:
    """Take the hits of a check whose rules are `wanted`. An exception about one subject does not affect the others."""
    # Files are the same in all environments.
    for facts in environments[:1] if check.subject in (File, Unreadable) else environments:

        def take(hit: Hit, guesses: Sequence[Guess], facts: Facts = facts) -> None:
            # Nothing follows from an unknown sum.
            if any(guess.about == LEFT_OUT for guess in guesses) or _is_foreign(hit, facts):
                return
            if wanted(rule_of(check.rule, facts.settings)):
                _say(statements, check.rule, facts, hit, trust)
                flood.count(check.rule, hit)

        hits_by_subject = rechecks.find_hits(check, facts) if rechecks is not None else None
        if hits_by_subject is not None:
            for subject, hits in hits_by_subject:
                for hit, guesses in hits:
                    if flood.stopped and flood.is_stopped(check.rule, subject):
                        break
                    take(hit, guesses)
            continue
        unasked_subjects = iter(check.subjects(facts))
        # One time share for all subjects, and a new one after each that was given up.
        while _ask_check(check, facts, unasked_subjects, take, flood):
            pass


def _ask_check(
    check: Check,
    facts: Facts,
    subjects: Iterator[object],
    take: Callable[[Hit, Sequence[Guess]], None],
    flood: Flood,
) -> bool:
    """Run a check on subjects; True if some remain because one raised or took too long."""
    subject: object = None
    try:
        with share():
            for subject in subjects:
                if flood.stopped and flood.is_stopped(check.rule, subject):
                    continue
                for hit in check.run(subject, facts):
                    if flood.stopped and flood.is_stopped(check.rule, subject):
                        break
                    take(*with_guesses(hit, guesses_of(check, subject, hit, facts)))
        return False
    except Exception as error:
        file = file_of(subject) if subject is not None else ""
        reason, is_expensive = reason_of(check.rule, file, error)
        if is_expensive:
            flood.stop(check.rule, file, reason)
        return subject is not None


def _is_foreign(hit: Hit, facts: Facts) -> bool:
    """Whether a hit is about an object of the cluster only, without any place in the repository."""
    if hit.object is None or not hit.object.foreign:
        return False
    elsewhere = {obj.place.source for obj in facts.cluster.objects if obj.foreign}
    return all(related.place.source in elsewhere for related in hit.related)


def _with_others(
    bare: list[tuple[Finding, dict[Silence, None]]], environments: Sequence[Facts]
) -> list[tuple[Finding, dict[Silence, None]]]:
    """The findings, with the other users of a text that a fix edits."""
    fixes = [finding.fix for finding, _ in bare]
    if not any(edit.place.made is not None for fix in fixes if fix is not None for edit in fix.edits):
        return bare
    from quotalint.fixes.sharing import with_others

    fixes = with_others(fixes, [tuple(obj.place for obj in facts.cluster.objects) for facts in environments])
    return [(finding._replace(fix=fix), silences) for (finding, silences), fix in zip(bare, fixes, strict=True)]


_NAMES = 4  # that a sentence names
_PLACES = 8  # that are shown; the rest is counted


def merge_hits(hits: Sequence[Hit]) -> Hit:
    """One hit for several of one group, at the place of the first."""
    first = hits[0]
    places = list(dict.fromkeys(hit.place.real for hit in hits))
    names = list(dict.fromkeys(name for hit in hits if (name := hit.values["name"].partition("?")[0])))
    wheres = list(dict.fromkeys(hit.values["namespaces"] for hit in hits))
    things = {(hit.place.real, hit.values.get("subject", "")) for hit in hits}
    number = max(len(things), len(names))
    if number == 1:
        return first._replace(values={**first.values, "namespaces": _namespace_words(wheres)})
    values = {
        **first.values,
        "number": str(number),
        "names": f" ({list_some(_single(names), _NAMES)})" if names else "",
        "namespaces": _namespace_words(wheres),
        "key": first.group[0],
        "reason": first.group[0],
    }
    values.pop("together", None)  # what one of them has in common with others is not what all have
    others = [hit for hit in hits if hit.place.real != places[0]]
    hits_by_place = {places[0]: first} | {hit.place.real: hit for hit in reversed(others)}
    related = [
        Related("also", place, hits_by_place[place].values.get("subject") or hits_by_place[place].values["name"])
        for place in places[1 : _PLACES + 1]
    ]
    return first._replace(variant=first.values.get("many", MANY), values=values, related=tuple(related))


def _single(names: Sequence[str]) -> Sequence[str]:
    """Each name once, where a cause has several."""
    return list(dict.fromkeys(single for name in names for single in name.split(", ")))


def _namespace_words(wheres: Sequence[str]) -> str:
    if "any namespace" in wheres:
        return "any namespace"
    names = [where.removeprefix("namespace ") for where in wheres]
    return f"namespace {names[0]}" if len(names) == 1 else f"the namespaces {list_some(names, _NAMES)}"
