"""The findings of two states → what became of each: it is new, or worse, still there, or fixed, or nobody knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set

from quotalint.catalogue import SEVERITIES
from quotalint.checks.hit import Note
from quotalint.diff.lost_visibility import LostVisibility
from quotalint.diff.pairs import match_by_keys, pair_environments
from quotalint.diff.refused_objects import bound_key, refuses_one_of, unstated
from quotalint.diff.state import State
from quotalint.kube import quantity
from quotalint.kube.quantity import Quantity
from quotalint.named_tuples import NamedTuple
from quotalint.results.finding import Finding, FindingId
from quotalint.results.selection import is_asked_for
from quotalint.text.words import join_with_and

QuotaName = tuple[str, str]
"""A quota as findings speak of it: its namespaces in words, and its name."""


class Lasting(NamedTuple):
    """A finding of both states."""

    finding: Finding
    """As it is now."""
    was: Finding

    @property
    def short(self) -> tuple[Quantity, Quantity] | None:
        """How much was missing and is, of the first entry of which it is more now, else of the first; of a bound, how
        far outside it. None where that is not what the finding is about."""
        if not self.was.needs:
            return None
        was = {need.resource: need.short for need in self.was.needs}
        amounts = [(was.get(need.resource, quantity.ZERO), need.short) for need in self.finding.needs]
        return next((pair for pair in amounts if pair[0].nano < pair[1].nano), next(iter(amounts), None))

    @property
    def worse(self) -> str:
        """What is worse than before, in words; empty where nothing is."""
        was, now = self.was, self.finding
        sentences = []
        if SEVERITIES.index(now.severity) < SEVERITIES.index(was.severity):
            sentences.append(f"{_with_article(was.severity)} before, {_with_article(now.severity)} now")
        if self.short is not None and self.short[0].nano < self.short[1].nano:
            what = "short" if now.rule.worse_with else "outside the bound"
            sentences.append("{0} {2} before, {1} {2} now".format(*map(quantity.show, self.short), what))
        if 0 < _used_percent(was) < _used_percent(now):
            sentences.append(f"{_used_percent(was)} % used before, {_used_percent(now)} % now")
        if now.rule.id == was.rule.id and (added := sorted(unstated(now) - unstated(was))):
            sentences.append(f"{join_with_and(added)} not stated as well")
        more = (
            [environment for environment in now.environments if environment not in was.environments]
            if was.environments
            else []
        )
        if more:
            sentences.append(f"before in {', '.join(was.environments)} alone, now in {', '.join(more)} as well")
        return "; ".join(sentences)


class FindingChanges(NamedTuple):
    """What became of findings. What is suppressed is not found."""

    new: tuple[Finding, ...]
    """Found now and not before, or worse than before."""
    worse: tuple[Lasting, ...]
    """Those of the new ones that were found before."""
    still: tuple[Lasting, ...]
    """A quota that was exceeded and is, no worse than before, though the change touches it or its workloads; or what
    was refused and is, though the change repairs a part of that."""
    better: tuple[Finding, ...]
    """Found now and not before, since something that says more of the same quota is true no more; or less severe than
    before."""
    fixed: tuple[Finding, ...]
    """Found before, and not now."""
    outdone: tuple[Finding, ...]
    """Found before and not now, since something that says more of the same quota is true now, or the same of its object
    and of others."""
    unknown: tuple[Finding, ...]
    """Found before and not now, since less is in view: they may still be true."""
    silenced: tuple[Finding, ...]
    """Reported before, and now suppressed, or of a rule that is off."""
    unchanged: tuple[Finding, ...]
    """As they are now."""

    @property
    def failing(self) -> tuple[Finding, ...]:
        """Those that decide the verdict and the exit status: the new ones, and what is still wrong."""
        return (*self.new, *(lasting.finding for lasting in self.still))


NO_FINDING_CHANGES = FindingChanges((), (), (), (), (), (), (), (), ())
"""Of states in which nobody found anything."""


class Renamings(NamedTuple):
    """How the second state speaks of what the first one knows by another name."""

    quotas: Mapping[QuotaName, QuotaName] = {}
    """Quotas that were renamed, or went to another namespace: now → before."""
    earlier: Callable[[str], str] = str
    """What a file was called before."""
    touched: Callable[[Finding], bool] = lambda _: False
    """Whether the change touches the quota that a finding is about, or who uses it."""

    def quota_before(self, finding: Finding) -> QuotaName | None:
        """The quota that a finding is about, as the first state knows it."""
        name = _quota_name(finding)
        return name and self.quotas.get(name, name)


def classify_findings(before: State, after: State, sight: LostVisibility, renamings: Renamings) -> FindingChanges:
    """What became of the findings of a state, and which came to them. `sight` knows what went out of view."""
    settings = after.environments[0].settings
    come, lasting, gone = _pair_findings(before, after, renamings)
    known_environments = frozenset(facts.environment for facts in before.environments)
    worse: list[Lasting] = []
    lasting_only: list[Lasting] = []
    for pair in lasting:
        if pair.worse and not _only_spreads(pair, known_environments):
            worse.append(pair._replace(finding=_with_note(pair.finding, "worse", pair.worse)))
        else:
            lasting_only.append(pair)
    eased = [pair.finding for pair in lasting_only if pair.finding.rule.worse_with and _is_milder(pair)]
    eased += [pair.finding for pair in lasting_only if _used_percent(pair.finding) < _used_percent(pair.was)]
    lasting_only = [pair for pair in lasting_only if pair.finding not in eased]
    still = [pair for pair in lasting_only if any(map(renamings.touched, pair)) and _is_exceeded(pair)]
    position = {finding.identity: number for number, finding in enumerate(after.findings)}
    still += [pair for pair in lasting_only if pair.finding.rule.refuses and pair.finding.message != pair.was.message]
    # In their own order, whatever they were paired by.
    lasting_only.sort(key=lambda pair: position[pair.finding.identity])
    unchanged = [pair.finding for pair in lasting_only if pair not in still]
    lighter = [finding for finding in come if _is_lighter(finding, gone, renamings)]
    # What is broken for good is no good news, whatever was worse before.
    better = [*eased, *(finding for finding in lighter if finding.severity != "error")]
    still += [Lasting(finding, finding) for finding in lighter if finding.severity == "error"]
    new = [*(finding for finding in come if finding not in lighter), *(pair.finding for pair in worse)]
    new_ids = {finding.identity for finding in new}
    now = [*new, *better, *(pair.finding for pair in still), *unchanged]
    hushed = Counter(finding.fingerprint for finding in after.findings if finding.suppressed is not None)
    hushed.subtract(Counter(finding.fingerprint for finding in before.findings if finding.suppressed is not None))
    silenced: list[Finding] = []
    unknown: list[Finding] = []
    fixed: list[Finding] = []
    outdone: list[Finding] = []
    for finding in gone:
        hushed[finding.fingerprint] -= 1
        if hushed[finding.fingerprint] >= 0 or not is_asked_for(finding.rule.id, settings):
            silenced.append(finding)
        elif any(_is_part_of(finding, other) for other in now) or any(
            finding.rule.id in other.rule.outdoes
            and _same_quota(other, finding, renamings)
            # What was exceeded before hides no more than it did, but in its own entry.
            and (other.identity in new_ids or not _entry_names(other).isdisjoint(_entry_names(finding)))
            for other in now
        ):
            outdone.append(finding)
        elif lost := sight.lost_reason(finding):
            unknown.append(_with_note(finding, "unknown", lost))
        else:
            fixed.append(finding)
    # Where one of the reasons goes, the others refuse what they refused.
    left = [pair for pair in lasting_only if pair not in still and refuses_one_of(pair.finding, fixed)]
    still += left
    unchanged = [finding for finding in unchanged if not any(finding is pair.finding for pair in left)]
    return FindingChanges(
        new=tuple(new),
        worse=tuple(worse),
        still=tuple(still),
        better=tuple(better),
        fixed=tuple(fixed),
        outdone=tuple(outdone),
        unknown=tuple(unknown),
        silenced=tuple(silenced),
        unchanged=tuple(unchanged),
    )


def _used_percent(finding: Finding) -> int:
    """How much is used of an entry that is nearly full; 0 where a finding is about something else."""
    return int(finding.values.get("percent", "0")) if finding.counts else 0


def _is_milder(lasting: Lasting) -> bool:
    return SEVERITIES.index(lasting.finding.severity) > SEVERITIES.index(lasting.was.severity)


def _only_spreads(lasting: Lasting, known_environments: Set[str]) -> bool:
    """Whether a file has what it had, and nothing is new but an environment in which it counts as well: who adds that
    has not made it worse."""
    was, now = lasting.was, lasting.finding
    added = set(now.environments).difference(was.environments)
    return now.rule.looks_at == "file" and now.severity == was.severity and added.isdisjoint(known_environments)


def _pair_findings(
    before: State, after: State, renamings: Renamings
) -> tuple[list[Finding], list[Lasting], list[Finding]]:
    """What came, what was there and still is, and what went."""
    # Of several that are known by one fingerprint those stay that are true where they were, and that say the same, in
    # the same place if they can.
    earlier_findings = _in_their_environment(before, after)
    identities = {finding.identity: _finding_identity(finding, renamings) for finding in after.findings}
    identities.update((finding.identity, _finding_identity(finding, Renamings())) for finding in earlier_findings)
    alike: tuple[Callable[[Finding], Hashable], ...] = (
        lambda finding: (finding.fingerprint, finding.file, finding.span, finding.message),
        lambda finding: (finding.fingerprint, finding.file, finding.message),
        lambda finding: (finding.fingerprint, finding.message),
        lambda finding: finding.fingerprint,
        lambda finding: identities[finding.identity],
    )
    keys = (*map(_in_environments, alike), *alike)
    come: list[Finding] = []
    lasting: list[Lasting] = []
    gone: list[Finding] = []
    for was, now in match_by_keys(_reported_findings(earlier_findings), _reported_findings(after.findings), keys):
        if now is None:
            gone.extend([was] if was else [])
        elif was is None:
            come.append(now)
        else:
            lasting.append(Lasting(now, was))
    shared = [*_pair_by_cause(come, gone), *_pair_by_subjects(come, gone, renamings)]
    lasting += shared
    paired_ids = {finding.identity for pair in shared for finding in (pair.finding, pair.was)}
    return (
        [finding for finding in come if finding.identity not in paired_ids],
        lasting,
        [finding for finding in gone if finding.identity not in paired_ids],
    )


def _in_their_environment(before: State, after: State) -> Sequence[Finding]:
    """The findings of the first state, each of which says where it is true even if all was one environment: what is
    true of a second one as well is new there."""
    if len(before.environments) != 1 or len(after.environments) == 1:
        return before.findings
    pairs = pair_environments(before.environments, after.environments)
    name = next((new.environment for old, new in pairs if old is not None and new is not None), "")
    return [
        finding._replace(environments=(name,)) if name and finding.rule.looks_at != "file" else finding
        for finding in before.findings
    ]


def _in_environments(likeness: Callable[[Finding], Hashable]) -> Callable[[Finding], Hashable]:
    return lambda finding: (finding.environments, likeness(finding))


def _pair_by_cause(come: Sequence[Finding], gone: Sequence[Finding]) -> Iterator[Lasting]:
    """One finding for several sources of one cause, and the finding for the one source that there was, or that is left:
    another source makes a group, and repairs nothing."""
    left = list(gone)
    for now in come:
        was = next((was for was in left if _cause_of(was) == _cause_of(now) and _is_group(was) != _is_group(now)), None)
        if was is not None and _cause_of(now)[1]:
            left.remove(was)
            yield Lasting(now, was)


def _cause_of(finding: Finding) -> tuple[str, str]:
    """The rule of a finding, and the family of its cause; empty where that is not shared."""
    return finding.rule.id, finding.values.get("key", "").partition(" ")[0]


def _is_group(finding: Finding) -> bool:
    return "names" in finding.values


def _pair_by_subjects(come: Sequence[Finding], gone: Sequence[Finding], renamings: Renamings) -> list[Lasting]:
    """What is said of several objects that one line makes is known by the first of them. Where that one goes, or
    another comes before it, it stays for the others. What refuses an object is known by that and by the bound."""
    shared: list[Lasting] = []
    paired: set[FindingId] = set()
    for old_key, new_key in (
        (_line_key, lambda now: (now.rule.id, renamings.earlier(now.file), now.field)),
        (bound_key, bound_key),
    ):
        waiting: dict[Hashable, list[Finding]] = {}
        for was in gone:
            if was.identity not in paired:
                waiting.setdefault(old_key(was), []).append(was)
        for now in (now for now in come if now.identity not in paired):
            alike = waiting.get(new_key(now), []) if new_key(now) else []
            earlier = next((before for before in alike if before.subjects & now.subjects), None)
            if earlier is not None:
                alike.remove(earlier)
                shared.append(Lasting(now, earlier))
                paired |= {now.identity, earlier.identity}
    return shared


def _line_key(finding: Finding) -> Hashable:
    return finding.rule.id, finding.file, finding.field


def _finding_identity(finding: Finding, renamings: Renamings) -> Hashable:
    """What a finding is known by where its quota was renamed or its file was moved."""
    quota = renamings.quota_before(finding)
    obj = finding.object
    if quota is None or obj is None:
        about = (obj.kind, obj.namespace, obj.name) if obj is not None else (renamings.earlier(finding.file),)
        return (
            finding.rule.id,
            about,
            finding.field,
            finding.message.replace(finding.file, renamings.earlier(finding.file)),
        )
    named = quota if obj.name == finding.values["quota"] else (quota[0], obj.name)
    return finding.rule.id, obj.kind, named, quota, finding.field, finding.values.get("resource", "")


def _is_exceeded(lasting: Lasting) -> bool:
    """Whether too much was asked for and is, and that is more than a passing need that nobody repaired; or nearly too
    much."""
    if _used_percent(lasting.finding):
        return True
    if not lasting.finding.rule.worse_with:
        return False
    allows = [finding.values.get("allows") for finding in (lasting.was, lasting.finding)]
    return lasting.finding.counts == "settled" or allows[0] != allows[1]


def _is_lighter(finding: Finding, gone: Sequence[Finding], renamings: Renamings) -> bool:
    """Whether something that says more of the same quota was true before."""
    return any(finding.rule.id in was.rule.outdoes and _same_quota(finding, was, renamings) for was in gone)


def _is_part_of(was: Finding, now: Finding) -> bool:
    """Whether what was said of some objects is said of these and of others, as where copies of a file become one."""
    return (
        (now.rule.id, now.field) == (was.rule.id, was.field)
        and bool(was.subjects)
        and was.subjects < now.subjects
        and set(was.environments) <= set(now.environments)
    )


def _same_quota(now: Finding, was: Finding, renamings: Renamings) -> bool:
    """Whether both are about one quota."""
    name = _quota_name(was)
    return name is not None and name == renamings.quota_before(now)


def _entry_names(finding: Finding) -> Set[str]:
    """The entries of the quota that a finding is about."""
    return {need.resource for need in finding.needs} or {finding.values.get("resource", "")}


def _quota_name(finding: Finding) -> QuotaName | None:
    return (
        (finding.values["namespace"], finding.values["quota"]) if finding.counts and "quota" in finding.values else None
    )


def _reported_findings(findings: Iterable[Finding]) -> Sequence[Finding]:
    return [finding for finding in findings if finding.suppressed is None]


def _with_note(finding: Finding, label: str, text: str) -> Finding:
    return finding._replace(notes=(Note(label, text), *finding.notes))


def _with_article(severity: str) -> str:
    return {"error": "an error", "warning": "a warning"}.get(severity, severity)
