"""Which checks look at more than the namespace of what they are about: an answer may stand after a namespace alone was
judged again only as long as that decides nothing elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from quotalint.catalogue import rule_ids
from quotalint.pipeline import run
from quotalint.recall import Memory, recalling
from quotalint.rechecks import Rechecks
from quotalint.settings import Options, Settings
from quotalint.settings.loading import load_settings
from quotalint.text.sources import find
from quotalint.watched import Way

KNOWN = {
    "container_out_of_line": "compares the containers of one file, and no file of a slice is in two namespaces",
    "conflicting_autoscalers": "looks at namespace after namespace",
    "limited_resource_without_quota": "speaks only where an API server is configured, and then there are no slices",
    "denied_by_policy": "speaks only where an admission policy is bound, and then there are no slices",
    "unrendered_source": "speaks only where something could not be rendered, and then there are no slices",
    "namespace_mismatch": "looks at kinds, names and metadata, which change in no slice",
    "undeclared_namespace": "looks at names: those that objects may make are compared where these change",
    "quotas_exceed_capacity": "speaks only where a capacity is configured, and then there are no slices",
    "unfilled_placeholder": "speaks only where a name or a quota is to be filled in, and then there are no slices",
    "quota_out_of_line": "is asked of all quotas of an environment where one of them changes",
    "quota_exceeded": "looks where quotas of several namespaces count, and then there are no slices",
    "rollout_exceeds_quota": "looks where quotas of several namespaces count, and then there are no slices",
    "cronjob_exceeds_quota": "looks where quotas of several namespaces count, and then there are no slices",
    "autoscaling_exceeds_quota": "looks where quotas of several namespaces count, and then there are no slices",
    "partial": "is a policy of the user's own, and then there are no slices",
}
WHOLE = {
    *(("cluster", name) for name in ("objects", "by_namespace", "by_kind", "outline")),
    *((name,) for name in ("charges", "projections", "enforced", "by_quota", "invalid", "rollouts", "stopped")),
    *((name,) for name in ("runs", "piles", "maxima", "quotas")),
    *(("repository", name) for name in ("files", "outline")),
}
"""Ways that lead to what is in any namespace."""
BY_NAMESPACE = {("charges",), ("runs",), ("piles",), ("maxima",), ("cluster", "by_namespace")}


def looks_farther(group: object, ways: frozenset[Way]) -> bool:
    for way in ways:
        *fields, last = way
        if way in WHOLE:
            return True
        if isinstance(last, tuple) and tuple(fields) in BY_NAMESPACE and last[0] != group:
            return True
    return False


def farther_checks(folder: Path) -> Iterator[str]:
    settings = load_settings([str(folder)], Options(), frozenset(rule_ids()))
    assert isinstance(settings, Settings)
    memory = Memory()
    with recalling(memory):
        run(find([str(folder)], settings.root, settings.exclude), settings, bytes, 1)
    for (_, rule, function), answers in memory.lasting("checks", Rechecks)._answers.items():
        if any(looks_farther(group, ways) for group, ways in answers.ways.items()):
            yield getattr(function, "__name__", "partial" if rule.startswith("QLC") else rule)


def test_which_checks_look_farther_than_a_namespace() -> None:
    """Of a check that is new here, somebody has to say why an answer may stand that it has a part in."""
    folders = sorted(Path(__file__).parents[1].glob("golden/*/repo"))
    words = {name for folder in folders for name in farther_checks(folder)}
    assert words - KNOWN.keys() == set()
    assert {"container_out_of_line", "namespace_mismatch", "denied_by_policy"} <= words
