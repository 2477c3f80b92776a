"""`suggest`: proposes quotas and LimitRanges, prints or writes them, and lists what is unknown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from quotalint.cli import printing
from quotalint.cli.actions import deliver_reports, print_report, result_of
from quotalint.cli.fixing import second_opinions, unified_lines
from quotalint.cli.request import CannotRun, Request
from quotalint.cli.safe_writing import Target, write_below
from quotalint.fixes.apply import Plan, plan_fixes
from quotalint.named_tuples import NamedTuple
from quotalint.pipeline import Gathered, Result, gathered, judged
from quotalint.reports import proposed_yaml
from quotalint.reports.terminal import Terminal, count_noun, safe_text
from quotalint.settings.checking import nearest_word
from quotalint.sizing.entries import Margin, Sizing
from quotalint.sizing.proposed import Proposal, QuotaProposal, Unsized, edits_of
from quotalint.sizing.suggestion import is_named, suggest_quotas
from quotalint.text.digits import whole_number
from quotalint.text.reading import Learning
from quotalint.text.words import list_some

if TYPE_CHECKING:
    from quotalint.fixes.fix import Fix

_SHOWN = 5  # namespaces of unknown size


class SuggestionRequest(NamedTuple):
    """The options of `suggest`."""

    headroom: str = "20%"
    names: tuple[str, ...] = ()
    folder: str | None = None
    """Where to write; None: nowhere."""
    diff: bool = False
    lower: bool = False
    """Whether amounts may be lowered."""


class Made(NamedTuple):
    """The data of the reports."""

    proposal: Proposal
    scenario: str
    headroom: str
    result: Result

    @property
    def how(self) -> str:
        """The scenario and the headroom, in words."""
        return f"{self.scenario} and {self.headroom.removesuffix('%')} % more"

    def line(self, quota_proposal: QuotaProposal) -> int:
        """The first line of a quota."""
        place = quota_proposal.quota.place
        return 0 if quota_proposal.new else self.result.locate([place])[place].line


def headroom_of(text: str) -> Margin:
    """`20%`, `20` or `12.5%` as an exact share. Raises CannotRun."""
    whole, dot, fraction = text.removesuffix("%").strip().partition(".")
    number = whole_number(whole + fraction)
    if number is None or len(whole + fraction) > 9 or (dot and not fraction):
        raise CannotRun(f"--headroom {text}: not a share, such as 20%")
    return Margin(number, 10 ** len(fraction))


def suggest(request: Request, wish: SuggestionRequest) -> int:
    """Print or write the proposals; the exit status."""
    by = Sizing(headroom_of(wish.headroom), wish.lower)
    runs: list[Gathered] = []
    result = result_of(request, by=partial(run_remembering, runs))
    _refuse_unknown(wish.names, result)
    proposal = suggest_quotas(runs[0], result, by, wish.names)
    shown = wish.headroom if wish.headroom.endswith("%") else f"{wish.headroom}%"
    suggestion = Made(proposal, result.environments[0].settings.scenario, shown, result)
    if wish.folder is not None or wish.diff:
        _edit(suggestion, wish)
        request = request._replace(outputs=tuple(output for output in request.outputs if output.file != "-"))
    deliver_reports(request, _FORMATS, suggestion)
    _tell(suggestion.proposal)
    return 0


def _refuse_unknown(names: Sequence[str], result: Result) -> None:
    """Refuse a namespace that does not exist: it is misspelt. Raises CannotRun."""
    namespaces = {namespace for facts in result.environments for namespace in facts.cluster.by_namespace}
    for name in names:
        if not any(is_named(namespace, [name]) for namespace in namespaces):
            near = nearest_word(name, namespaces)
            raise CannotRun(f"--namespace {name}: no object is in it{f'; did you mean {near}?' if near else ''}")


def run_remembering(runs: list[Gathered], *arguments: Any, known: Learning | None, tell: Callable[..., None]) -> Result:
    """Run the pipeline, and store what the result was made of."""
    files_found, settings, stdin, jobs, snapshots, baseline = arguments
    runs[:] = [gathered(files_found, settings, stdin, jobs, snapshots, known, tell)]
    return judged(runs[0], baseline, (), tell)


def _text(of: Made, to: Terminal) -> str:
    return proposed_yaml.render(proposed_yaml.proposed_sheets(of.proposal, of.how, of.line))


def _json(of: Made, to: Terminal) -> str:
    from quotalint.reports.proposed_json import render

    return render(of.proposal, of.scenario, of.headroom, of.line)


_FORMATS: Mapping[str, Callable[[Made, Terminal], str]] = {"text": _text, "yaml": _text, "json": _json}


def _edit(suggestion: Made, wish: SuggestionRequest) -> None:
    """Show or write the changed and the new files."""
    target = Target.of(wish.folder, suggestion.result.environments[0].settings.repository)
    changed: Plan | None = None
    if target is None or target.in_repository:
        changed = _plan_edits(suggestion)
        for quota_proposal, done in zip(_changing(suggestion), changed.done, strict=True):
            if done.reason:
                printing.tell(
                    f"quotalint: left {_name(quota_proposal)}: {safe_text(done.reason)} (to do: {done.fix.words})"
                )
    with_existing = changed is None
    sheets = (
        proposed_yaml.proposed_sheets(suggestion.proposal, suggestion.how, suggestion.line, with_existing=with_existing)
        if target is not None
        else ()
    )
    edits = changed.files if changed is not None else ()
    if wish.diff:
        lines = (line for name, before, after in edits for line in unified_lines(name, before, after))
        print_report("".join(lines), "patch")
        new = sum(quota_proposal.new for quota_proposal in suggestion.proposal.quotas) + len(
            suggestion.proposal.limit_ranges
        )
        if new:
            printing.tell(f"quotalint: {count_noun(new, 'new manifest')} beside: `quotalint suggest` prints them")
        return
    assert target is not None
    paths = [(name, suggestion.result.path(name), before, after) for name, before, after in edits]
    failures = write_below(target, paths, sheets)
    if failures:
        raise CannotRun("\n".join(("nothing was written", *failures)))
    _tell_written(target, paths, sheets)


def _tell_written(
    target: Target, paths: Sequence[tuple[str, str, bytes, bytes]], sheets: Sequence[proposed_yaml.Sheet]
) -> None:
    for name, *_ in paths:
        printing.tell(f"changed {safe_text(name)}")
    for sheet in sheets:
        printing.tell(f"wrote {safe_text(target.path_of(sheet))}")
    if sheets and target.in_repository:
        printing.tell("quotalint: nothing applies the new files yet: list them where their namespaces are deployed")


def _changing(suggestion: Made) -> list[QuotaProposal]:
    return [
        quota_proposal
        for quota_proposal in suggestion.proposal.quotas
        if quota_proposal.changes and not quota_proposal.new
    ]


def _plan_edits(suggestion: Made) -> Plan:
    """The edited files, without those that a second YAML reader would read differently."""
    fixes: list[Fix] = [edits_of(quota_proposal) for quota_proposal in _changing(suggestion)]
    content, doubtful = cache(suggestion.result.content), dict[str, str]()

    def refusal(name: str) -> str:
        return doubtful.get(name) or suggestion.result.refusal(name)

    while True:
        plan = plan_fixes(fixes, content, refusal)
        doubts = second_opinions(plan.files)
        if not doubts:
            return plan
        doubtful |= doubts


def _name(quota_proposal: QuotaProposal) -> str:
    where = f"{safe_text(quota_proposal.environment)}: " if quota_proposal.environment else ""
    return f"{where}quota {safe_text(quota_proposal.quota.name)} of {safe_text(quota_proposal.quota.namespace)}"


def _tell(proposal: Proposal) -> None:
    """Print what is not in the manifests: the numbers, and what is unknown."""
    for line in _summary(proposal):
        printing.tell(f"quotalint: {line}")
    for promise in proposal.promised:
        of = f"{safe_text(promise.environment)}: " if promise.environment else ""
        amounts = f"{promise.resource} {_show(promise.promised)} of {_show(promise.capacity)}"
        less = f" less {_show(promise.reserve)} in reserve" if promise.reserve.nano else ""
        printing.tell(f"quotalint: {of}all quotas promise {amounts}{less}{'' if promise.fits else ': too much'}")
    for unproposed in proposal.left:
        printing.tell(f"quotalint: with this, `check` still says: {safe_text(unproposed)}")


def _show(amount: Any) -> str:
    from quotalint.kube.quantity import show

    return show(amount)


def _summary(proposal: Proposal) -> Iterator[str]:
    quotas = proposal.quotas
    if not quotas and not proposal.unsized:
        yield "nothing to size: no quota and no workload"
        return
    new, changed = (
        sum(quota_proposal.new for quota_proposal in quotas),
        sum(quota_proposal.changes and not quota_proposal.new for quota_proposal in quotas),
    )
    right = len(quotas) - new - changed
    words = [f"{new} new", f"{changed} with other amounts", f"{right} as they are"]
    if quotas:
        yield f"{count_noun(len(quotas), 'quota')}: {', '.join(word for word in words if not word.startswith('0 '))}"
    lowered = sum(entry.lowers for quota_proposal in quotas for entry in quota_proposal.entries)
    if lowered:
        yield (
            f"{count_noun(lowered, 'amount')} would be lowered to what is deployed here; what programs and other "
            "repositories deploy is in no manifest: --with a snapshot counts it"
        )
    generous = sum(entry.sufficient is not None for quota_proposal in quotas for entry in quota_proposal.entries)
    generous += sum(note.endswith(" would do") for quota_proposal in quotas for note in quota_proposal.notes)
    if generous:
        yield f"{count_noun(generous, 'amount')} could be lower for what is deployed here: --lower proposes that"
    if proposal.unsized:
        by_reason = Counter(reason for unsized in proposal.unsized for reason in unsized.reasons[:1])
        yield f"not sized: {list_some([_unsized_name(unsized) for unsized in proposal.unsized], _SHOWN)}"
        for reason, number in by_reason.most_common(_SHOWN):
            yield f"  {safe_text(reason)}" + (f" ({number} times)" if number > 1 else "")


def _unsized_name(unsized: Unsized) -> str:
    where = f"{safe_text(unsized.environment)}: " if unsized.environment else ""
    return f"{where}{safe_text(unsized.namespace)}{'/' if unsized.quota else ''}{safe_text(unsized.quota)}"
