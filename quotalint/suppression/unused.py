"""Finds suppressions that suppress nothing and can be removed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set

from quotalint.accounts.facts import Facts
from quotalint.catalogue import Rule, find_rule, rule_by_id, rule_ids
from quotalint.checks.hit import Hit
from quotalint.named_tuples import NamedTuple
from quotalint.settings import IgnoreRule
from quotalint.settings.checking import nearest_word
from quotalint.suppression import COMMENT, UNUSED, Silence, confined_silences, has_ignore_annotation, silences_of
from quotalint.suppression.baseline import Baseline, BaselineEntry
from quotalint.suppression.ignore_comments import Comments, SilencingComment
from quotalint.text.place import Place
from quotalint.text.reading import File


class Judge(NamedTuple):
    """What a run can conclude from missing findings."""

    runs: Callable[[str], bool]
    """Whether a rule is applied."""
    whole: bool
    """The paths contain the whole root."""
    complete: bool
    """In addition, everything could be read and rendered."""
    read: Set[str]
    """The files that were read."""
    own: Mapping[str, Rule]
    """The policies of this run by id."""

    def would_find(self, prefix: str) -> bool:
        """Whether this run would find a violation of a rule with this prefix. Rules that are off by default count only
        if no other rule matches."""
        begun = [rule_by_id(rule_id_) for rule_id_ in rule_ids() if rule_id_.startswith(prefix) and rule_id_ != UNUSED]
        begun += [policy for policy_id, policy in self.own.items() if policy_id.startswith(prefix)]
        # A suppression of a rule about changes is only used in that change.
        meant = [rule for rule in begun if not rule.of_change]
        usual = [rule for rule in meant if rule.severity != "off"] or meant
        return bool(meant) and all(
            self.runs(rule.id) and (self.complete or rule.looks_at in ("file", "object")) for rule in usual
        )


def judge_of_run(environments: Sequence[Facts], runs: Callable[[str], bool], *, whole: bool) -> Judge:
    """What this run can conclude."""
    repository = environments[0].repository
    complete = (
        whole
        and not repository.unreadable
        and not any(_is_lost(file) for file in repository.files if file.reading.failures)
        and not any(environment.problems for environment in environments)
    )
    own = {policy.rule.id: policy.rule for policy in repository.settings.policies}
    return Judge(runs, whole, complete, frozenset(file.source.name for file in repository.files), own)


def _is_lost(file: File) -> bool:
    return file.encrypted or (file.claims and not file.templated)


def _annotation_silences(environments: Sequence[Facts]) -> dict[Silence, str]:
    """The suppressions in annotations of the repository's objects, with their objects."""
    return {
        silence: f"{obj.kind} {obj.name}"
        for facts in environments
        for obj in facts.cluster.objects
        if has_ignore_annotation(obj) and not obj.foreign
        for silence in silences_of(obj)
    }


def stale_entries(baseline: Baseline, unmatched: Iterable[BaselineEntry], by: Judge) -> tuple[BaselineEntry, ...]:
    """The unmatched baseline entries that this run would have found if they were still true."""
    known_rules = {*rule_ids(), *by.own}
    return tuple(
        entry
        for entry in unmatched
        if (entry.rule not in known_rules and not _may_be_elsewhere(entry.rule, by))
        or ((by.whole or baseline.source(entry) in by.read) and (entry.rule == UNUSED or by.would_find(entry.rule)))
    )


def unused_hits(
    environments: Sequence[Facts],
    comments: Mapping[str, Comments],
    used: Set[Silence],
    by: Judge,
) -> Iterator[Hit]:
    """Hits for unused comments, annotations and configuration entries. Annotations are in marked files too."""
    broken = {
        file.source.name: [failure.line for failure in file.reading.failures]
        for file in environments[0].repository.files
        if file.marked
    }
    for name, file_comments in comments.items():
        for comment in file_comments.all if name in broken else ():
            if not any(comment.document.hold(line) for line in broken[name]):
                yield from _comment_hits(comment, used, by)
    if broken:
        yield from _annotation_hits(_annotation_silences(environments), used, by)
    for ignore_rule, silence in confined_silences(environments[0].settings) if by.whole else ():
        if silence not in used and by.would_find(silence.rule):
            values = {
                "rule": silence.rule,
                "where": _where_ignored(ignore_rule),
                "what": _what_to_remove(silence.rule, ignore_rule.rules, "entry"),
            }
            yield _unused_hit(silence, values, "configuration")


def _comment_hits(comment: SilencingComment, used: Set[Silence], by: Judge) -> Iterator[Hit]:
    rules_of_comment = tuple(silence.rule for silence in comment.silences)
    where = "in this document" if comment.heads else f"on line {comment.about.first}"
    for silence in comment.silences:
        values = {"rule": silence.rule or "every rule", "where": where, "what": ""}
        yield from _judged_hits(
            silence, {**values, "what": _what_to_remove(silence.rule, rules_of_comment, "comment")}, used, by, "default"
        )


def _annotation_hits(annotations: Mapping[Silence, str], used: Set[Silence], by: Judge) -> Iterator[Hit]:
    rules_by_place: dict[Place, list[str]] = {}
    for silence in annotations:
        rules_by_place.setdefault(silence.place, []).append(silence.rule)
    for silence, object_name in annotations.items():
        removable = _what_to_remove(silence.rule, rules_by_place[silence.place], "annotation")
        yield from _judged_hits(
            silence, {"rule": silence.rule, "where": object_name, "what": removable}, used, by, "annotation"
        )


def _judged_hits(
    silence: Silence, values: Mapping[str, str], used: Set[Silence], by: Judge, variant: str
) -> Iterator[Hit]:
    if silence in used or silence.rule == UNUSED:
        return
    if not _is_known(silence.rule, by) and not _may_be_elsewhere(silence.rule, by):
        likely = _suggested_rule(silence.rule, by)
        yield _unused_hit(silence, {**values, "suggestion": likely}, "suggested" if likely else "unknown")
    elif by.would_find(silence.rule):
        yield _unused_hit(silence, values, variant)


def _is_known(prefix: str, by: Judge) -> bool:
    return not prefix or (
        prefix.startswith("QL") and any(rule_id_.startswith(prefix) for rule_id_ in (*rule_ids(), *by.own))
    )


def _may_be_elsewhere(rule_id_: str, by: Judge) -> bool:
    """Whether it may be a policy of another run: this run has none."""
    return rule_id_.startswith("QLC") and not by.own


def _suggested_rule(wanted: str, by: Judge) -> str:
    if wanted.startswith("QLC"):
        return nearest_word(wanted, by.own) or ""
    rule_or_hint = find_rule(wanted)
    if isinstance(rule_or_hint, str) and rule_or_hint:
        rule_or_hint = find_rule(rule_or_hint)
    return "" if isinstance(rule_or_hint, str) else rule_or_hint.id


def _what_to_remove(rule_id: str, all_rules: Sequence[str], noun: str) -> str:
    """What to remove: a part, or everything."""
    return f"the {noun}" if len(all_rules) == 1 else f"`{rule_id}` from the {noun}"


def _where_ignored(ignore_rule: IgnoreRule) -> str:
    paths = f" in {', '.join(ignore_rule.paths)}" if ignore_rule.paths else ""
    return paths + (f" about {', '.join(ignore_rule.resources)}" if ignore_rule.resources else "")


def _unused_hit(silence: Silence, values: Mapping[str, str], variant: str) -> Hit:
    about = {"key": silence.rule, "detail": values.get("where", "") if silence.by != COMMENT else ""}
    return Hit(silence.place, {**values, **about}, None, "", variant, line=silence.line, column=silence.column)


def stale_hits(entries: Iterable[BaselineEntry]) -> Iterator[Hit]:
    """The hits for stale baseline entries."""
    for entry in entries:
        values = {
            "rule": entry.rule,
            "file": entry.file,
            "text": entry.message,
            "what": "the entry",
            "key": entry.fingerprint,
        }
        yield Hit(entry.place, values, variant="baseline")
