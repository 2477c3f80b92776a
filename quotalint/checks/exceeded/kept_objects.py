"""Findings about objects that are kept until a quota has no room for another one: old revisions, finished Jobs, ended
pods."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.accounts.facts import Facts
from quotalint.checks import quota_repairs
from quotalint.checks.exceeded.smaller_steps import shorter_history
from quotalint.checks.exceeded.stopped_rollouts import limiting_entries, short_names
from quotalint.checks.exceeded.sufficient_amounts import amounts_of, raise_words, raised_to, sufficient_amounts
from quotalint.checks.exceeded.temporary_needs import entry_needs, need_words
from quotalint.checks.hit import Hit, Note
from quotalint.kube import quantity
from quotalint.quota.histories import History, is_of_runs
from quotalint.quota.quotas import Quota
from quotalint.quota.refusals import exceeded_message


def kept_revisions_without_room(quota: Quota, facts: Facts) -> Iterator[Hit]:
    """Old revisions of workloads that can be changed only a few more times (QL302)."""
    for history in _own_histories(quota, facts, of_runs=False):
        alone = history.workloads == 1
        kept, owner, changes = history.kept, history.owner, history.changes
        lower = kept.limit - history.lacking
        can_be_lower = alone and kept.field and lower >= (1 if kept.field == "maxHistory" else 0)
        fixes = (shorter_history(owner, kept.field, lower),) if can_be_lower else ()
        several = f"; or set a lower {kept.field} in each" if kept.field and not alone else ""
        more = "another change" if changes == 1 else f"{changes} more changes"
        times = "once more" if changes == 1 else f"{changes} more times"
        hit = _history_hit(history, quota, facts)
        values = {
            **hit.values,
            "heal": "".join(f"; or {fix.words}" for fix in fixes) or several,
            "times": times if alone else more,
            "limit": str(kept.number),
            "several": str(history.workloads),
            "revision": history.charge.kind,
        }
        field = kept.field or "revisionHistoryLimit"
        yield hit._replace(
            place=owner.at("spec", field),
            field=f"spec.{field}",
            values=values,
            variant="history" if alone else "histories",
            ways=fixes,
        )


def ended_runs_without_room(quota: Quota, facts: Facts) -> Iterator[Hit]:
    """Finished Jobs and ended pods that leave no room for the next ones (QL303)."""
    for history in _own_histories(quota, facts, of_runs=True):
        owner, kind, number = history.owner, history.charge.kind, history.changes
        alone = history.workloads == 1
        never = alone and (owner.group, owner.kind) == ("batch", "Job") and "successPolicy" not in owner.spec
        hit = _history_hit(history, quota, facts)
        noun = "pod" if kind == "Pod" else kind
        values = {
            **hit.values,
            "whose": f"{owner.kind} {owner.name}"
            if alone
            else f"the {history.workloads} workloads of {owner.namespace} that keep what has ended, such as "
            f"{owner.kind} {owner.name},",
            "times": f"another {noun}" if number == 1 else f"{number} more {noun}s",
            "fewer": _fewer_words(history),
        }
        yield hit._replace(
            place=owner.at("spec", "completions") if never else owner.at("spec"),
            field="spec.completions" if never else "spec",
            values=values,
            variant="ended" if never else "kept",
            severity="error" if never else "",
        )


def _fewer_words(history: History) -> str:
    """How less is kept or counted."""
    if "count/pods" in history.charge.each:
        return "limit `pods` instead of `count/pods`, which also counts pods that have ended"
    return "keep fewer: lower `successfulJobsHistoryLimit` and `failedJobsHistoryLimit`"


def _own_histories(quota: Quota, facts: Facts, *, of_runs: bool) -> Iterator[History]:
    """The histories that this quota is the first to stop."""
    if quota.shares is None:
        for history in facts.histories.get(quota.id, ()):
            if is_of_runs(history) is of_runs and not history.owner.foreign:
                yield history


def _history_hit(history: History, quota: Quota, facts: Facts) -> Hit:
    used = history.shortage.used.get(quota.pool, {})
    names = short_names(quota, history.shortage)
    needed = {name: quantity.add(used.get(name, quantity.ZERO), quantity.of(history.lacking)) for name in names}
    raised = raised_to(names, sufficient_amounts(quota, facts), needed)
    message = exceeded_message(quota, history.shortage.asked, used)
    after = "run" if is_of_runs(history) else "change"
    kind = history.charge.kind
    refused = "next pod" if kind == "Pod" else f"{kind} of the {after} after that"
    return Hit(
        history.owner.at("spec"),
        {**need_words(history.owner, quota, needed), **raise_words(raised)},
        history.owner,
        "spec",
        related=limiting_entries(quota, names, used),
        notes=(Note("so", f"the {refused} is refused: {message}"),),
        resource=names[0],
        needs=entry_needs(quota, needed),
        entries=names,
        fix=quota_repairs.raise_entries(quota, amounts_of(raised)),
    )
