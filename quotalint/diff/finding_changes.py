"""The findings of two states → what became of each: new, worse, still there, better, fixed or unknown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set

from quotalint.catalogue import SEVERITIES
from quotalint.checks.hit import Note
from quotalint.diff.lost_visibility import LostVisibility
from quotalint.diff.pairs import match_by_keys, pair_environments
from quotalint.diff.state import State
from quotalint.kube import quantity
from quotalint.kube.guess import MEMBERSHIP
from quotalint.kube.quantity import Quantity
from quotalint.named_tuples import NamedTuple
from quotalint.results.finding import Finding, FindingId
from quotalint.results.selection import is_asked_for
from quotalint.text.words import join_with_and

QuotaName = tuple[str, str]
"""A quota as findings name it: its namespaces in words, and its name."""


class Lasting(NamedTuple):
    """A finding of both states."""

    finding: Finding
    """The finding in the head."""
    was: Finding

    @property
    def short(self) -> tuple[Quantity, Quantity] | None:
        """The missing amount before and now, of the first entry with a larger shortage, else of the first entry; for a
        bound, the distance from it. None for other findings."""
        if not self.was.needs:
            return None
        was = {need.resource: need.short for need in self.was.needs}
        amounts = [(was.get(need.resource, quantity.ZERO), need.short) for need in self.finding.needs]
        return next((pair for pair in amounts if pair[0].nano < pair[1].nano), next(iter(amounts), None))

    @property
    def worse(self) -> str:
        """The words for what is worse than before; empty if nothing is."""
        was, now = self.was, self.finding
        sentences = []
        if SEVERITIES.index(now.severity) < SEVERITIES.index(was.severity):
            sentences.append(f"{_with_article(was.severity)} before, {_with_article(now.severity)} now")
        if self.short is not None and self.short[0].nano < self.short[1].nano:
            what = "short" if now.rule.worse_with else "outside the bound"
            sentences.append("{0} {2} before, {1} {2} now".format(*map(quantity.show, self.short), what))
        if 0 < _used_percent(was) < _used_percent(now):
            sentences.append(f"{_used_percent(was)} % used before, {_used_percent(now)} % now")
        if now.rule.id == was.rule.id and (added := sorted(_unstated(now) - _unstated(was))):
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
    """What became of the findings. Suppressed ones count as not found."""

    new: tuple[Finding, ...]
    """Found only now, or worse than before."""
    worse: tuple[Lasting, ...]
    """The new ones that were found before, too."""
    still: tuple[Lasting, ...]
    """A quota that stays exceeded, although the change touches it or its workloads; or an object that stays refused,
    although the change repairs a part."""
    better: tuple[Finding, ...]
    """Found only now, because something graver about the same quota was repaired; or less severe than before."""
    fixed: tuple[Finding, ...]
    """Found only before; or an error before that is a warning now, which is `better` too."""
    outdone: tuple[Finding, ...]
    """Found only before, because something graver about the same quota is true now, or the same of more objects."""
    unknown: tuple[Finding, ...]
    """Found only before, because less is in view now: they may still be true."""
    silenced: tuple[Finding, ...]
    """Reported before, and now suppressed or switched off."""
    unchanged: tuple[Finding, ...]
    """The findings in both states, with the values of the head."""

    @property
    def failing(self) -> tuple[Finding, ...]:
        """The findings that decide the verdict and the exit status: new ones, and those that are still wrong."""
        return (*self.new, *(lasting.finding for lasting in self.still))


NO_FINDING_CHANGES = FindingChanges((), (), (), (), (), (), (), (), ())
"""The result for states without findings."""


class Renamings(NamedTuple):
    """Renamed quotas and files, and whether the change touches a finding."""

    quotas: Mapping[QuotaName, QuotaName] = {}
    """Renamed and moved quotas: name in the head → name in the base."""
    earlier: Callable[[str], str] = str
    """The earlier name of a file."""
    touched: Callable[[Finding], bool] = lambda _: False
    """Whether the change touches the quota of a finding, or its workloads."""

    def quota_before(self, finding: Finding) -> QuotaName | None:
        """The quota of a finding, by its name in the base."""
        name = _quota_name(finding)
        return name and self.quotas.get(name, name)


def classify_findings(before: State, after: State, visibility: LostVisibility, renamings: Renamings) -> FindingChanges:
    """What became of the findings. `visibility`: what went out of view."""
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
        elif lost := visibility.lost_reason(finding):
            unknown.append(_with_note(finding, "unknown", lost))
        else:
            fixed.append(finding)
    # An error that a change makes a warning is repaired, unless the error is only less certain now.
    eased_ids = {finding.identity for finding in eased}
    fixed += [
        pair.was
        for pair in lasting
        if pair.finding.identity in eased_ids and pair.was.severity == "error" and _is_milder(pair)
        if pair.was.variant != pair.finding.variant and not pair.finding.guesses
    ]
    # Where one of the reasons goes, the others refuse what they refused.
    left = [pair for pair in lasting_only if pair not in still and _refuses_one_of(pair.finding, fixed)]
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
    """The used share of a nearly full entry; 0 for other findings."""
    return int(finding.values.get("percent", "0")) if finding.counts else 0


def _is_milder(lasting: Lasting) -> bool:
    return SEVERITIES.index(lasting.finding.severity) > SEVERITIES.index(lasting.was.severity)


def _only_spreads(lasting: Lasting, known_environments: Set[str]) -> bool:
    """Whether a finding is the same and only counts in a new environment too. That is not worse for a finding about a
    file, nor for an object that names no environment and is assumed to be in each."""
    was, now = lasting.was, lasting.finding
    added = set(now.environments).difference(was.environments)
    if now.severity != was.severity or not added.isdisjoint(known_environments):
        return False
    guesses = now.object.guesses if now.object is not None else ()
    return now.rule.looks_at == "file" or any(guess.about == MEMBERSHIP for guess in guesses)


def _pair_findings(
    before: State, after: State, renamings: Renamings
) -> tuple[list[Finding], list[Lasting], list[Finding]]:
    """The findings that came, those of both states, and those that went."""
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
    """The findings of the base with the name of their environment, even if it was the only one: a finding in a second
    environment is new there."""
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
    """Pairs of findings about the same objects. The fingerprint of a finding about several objects of one line is that
    of the first one, which may go. A refusal is paired by object and bound."""
    shared: list[Lasting] = []
    paired: set[FindingId] = set()
    for old_key, new_key in (
        (_line_key, lambda now: (now.rule.id, renamings.earlier(now.file), now.field)),
        (_bound_key, _bound_key),
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
    """A key of a finding that survives a renamed quota or a moved file."""
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
    """Whether an entry stays exceeded or nearly full; a temporary need counts only if the limit changed."""
    if _used_percent(lasting.finding):
        return True
    if not lasting.finding.rule.worse_with:
        return False
    allows = [finding.values.get("allows") for finding in (lasting.was, lasting.finding)]
    return lasting.finding.counts == "settled" or allows[0] != allows[1]


def _is_lighter(finding: Finding, gone: Sequence[Finding], renamings: Renamings) -> bool:
    """Whether something graver about the same quota was true before."""
    return any(finding.rule.id in was.rule.outdoes and _same_quota(finding, was, renamings) for was in gone)


def _is_part_of(was: Finding, now: Finding) -> bool:
    """Whether a finding now covers the objects of an earlier one and more, as when copies become one base."""
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


def _refuses_one_of(finding: Finding, others: Iterable[Finding]) -> bool:
    """Whether it refuses an object that one of the others refused as well."""
    return finding.rule.refuses and any(
        other.rule.refuses
        and not other.subjects.isdisjoint(finding.subjects)
        and (not (other.environments and finding.environments) or set(other.environments) & set(finding.environments))
        for other in others
    )


def _unstated(finding: Finding) -> Set[str]:
    """What containers have to state and do not, and which containers."""
    names = (finding.values.get(key, "") for key in ("resources", "containers") if finding.rule.refuses)
    return {name for listed in names for name in listed.split(", ") if name}


def _bound_key(finding: Finding) -> Hashable:
    """Which bound an object is outside of; none where it is not refused for one."""
    names = ("limit_range", "bound", "container", "quota")
    return (finding.rule.id, *(finding.values.get(name, "") for name in names)) if finding.rule.refuses else ()


def _reported_findings(findings: Iterable[Finding]) -> Sequence[Finding]:
    return [finding for finding in findings if finding.suppressed is None]


def _with_note(finding: Finding, label: str, text: str) -> Finding:
    return finding._replace(notes=(Note(label, text), *finding.notes))


def _with_article(severity: str) -> str:
    return {"error": "an error", "warning": "a warning"}.get(severity, severity)
