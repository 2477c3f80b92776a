"""Every sentence that a change may be told in, with one and with several of everything."""

from __future__ import annotations

import re
from string import Formatter

import pytest
from amounts import amount

from quotalint.catalogue import rule_by_id, rule_ids
from quotalint.diff.attribution import CHANGES, COMES, GOES, Culprit
from quotalint.diff.explained import RefusedPods
from quotalint.diff.field_changes import FieldChange
from quotalint.kube.objects import Object, objects
from quotalint.reports.compared_amounts import AmountsRow
from quotalint.reports.diff_words import culprit_words, refused_words, where_words
from quotalint.reports.marks import Marks, write_marked
from quotalint.text.place import Place

PLAIN = Marks(str, str, lambda file, line: f"{file}:{line}", str)
VALUES = {
    "is": "is",
    "allowed": "pods, cpu and memory",
    "allows": "4",
    "amount": "2",
    "asks": "asks for",
    "binding": "editors",
    "called": "Pod",
    "change": "storage changes from 2Gi to 1Gi",
    "class": "fast",
    "container": "container app: ",
    "containers": "app",
    "counted": "pods",
    "cure": "keep it in the repository",
    "defaults": "default.cpu",
    "defined": "slow",
    "detail": "must be a number",
    "effect": "silences QL301 in shop",
    "enough": "6",
    "entry": "requests.cpu",
    "field": "default.cpu",
    "file": "a.yaml",
    "first_line": "3",
    "free": "1",
    "hard": "4",
    "heal": "; or set maxSurge to 0",
    "key": "replicas",
    "kind": "Deployment",
    "known": "BestEffort",
    "less": "or run 3 replicas of Deployment web",
    "limit": "3",
    "limit_range": "bounds",
    "lower": "3",
    "maximum": "12 pods",
    "may": "delete",
    "meaning": "4 bytes",
    "meant": "shop",
    "message": "must be a number",
    "missing": "requests.cpu",
    "name": "web",
    "names": "requests.cpu",
    "sources": "both by overlays/a and by overlays/b",
    "winning_source": "overlays/a",
    "namespace": "team",
    "namespaces": "namespace team",
    "needed": "9",
    "needs": "pods 6",
    "new": "BestEffort",
    "number": "3",
    "of": "",
    "old": "Terminating",
    "one": "BestEffort",
    "operator": "Exists",
    "ordinal": "second",
    "other": "NotBestEffort",
    "other_hard": "3",
    "other_resource": "limits.cpu",
    "others": "3",
    "path": "the template",
    "percent": "95",
    "policy": "replica-limits",
    "quota": "base",
    "quotas": "base",
    "raise": "pods to 6",
    "reason": "the file is not there",
    "fewer": "`concurrencyPolicy: Forbid`",
    "remedy": "write 0 or more",
    "resource": "pods",
    "resources": "requests.cpu",
    "revision": "ReplicaSet",
    "role": "Role edit",
    "room": " (room for rollouts)",
    "rule": "QL301",
    "scaler": "HorizontalPodAutoscaler web",
    "scope": "Terminating",
    "scopes": "Terminating",
    "selector": "`scopes: [Terminating]`",
    "several": "3",
    "short": "2",
    "since": "1.34",
    "subject": "Deployment web",
    "subjects": "group team",
    "suggestion": "pods",
    "text": "pods 6 of 4",
    "threshold": "90",
    "times": "3 more times",
    "twice": "8",
    "type": "Container",
    "ended": "Job migrate has ended",
    "used": "6",
    "uses": "uses",
    "usual": "4Gi",
    "value": "x",
    "version": "1.36",
    "what": "pods",
    "where": "team",
    "who": "pod",
    "write": "ResourceQuota",
    "written": "4",
    "available": "7",
    "amounts": "requests.cpu 20",
    "flavors": "spot",
    "in_namespace": "",
    "local_queue": "main",
    "queue": "gpu",
    "bound": "maxAllowed",
    "instead": "apps/v1",
    "kubernetes": "1.36",
    "level": "restricted",
    "release": "1.16",
    "similar": "Deployment",
    "step": "a rollout",
    "whose": "Job crunch",
    "origin": "the default",
    "elsewhere": "; if a policy writes these, show it",
}
"""What the sentences of rules may name."""
OF_A_RULE = {
    "QL701": {"allowed": "10"},
    "QL003": {"names": " (a, b)"},
    "QL404": {"written": " (as Prometheus writes them)"},
}


def thing(kind: str, name: str) -> Object:
    body = {"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": name}}
    (obj,) = objects(body, Place("a.yaml"))
    return obj


def is_english(text: str) -> bool:
    """No word twice, nothing left to fill in, and of the API's fields only those that one writes, in backticks."""
    plain = re.sub("`[^`]*`", "it", text)
    return not re.search(r"\b([A-Za-z]+) \1\b|\bspec\.|[{}]|\bNone\b(?! of)|  | ,| ;", plain)


TEMPLATES = [
    (rule_id, variant, text)
    for rule_id in rule_ids()
    for texts in (
        rule_by_id(rule_id).headline,
        rule_by_id(rule_id).consequence,
        rule_by_id(rule_id).message,
        rule_by_id(rule_id).label,
        rule_by_id(rule_id).help,
    )
    for variant, text in texts.items()
]


@pytest.mark.parametrize(("rule_id", "variant", "text"), TEMPLATES)
def test_what_a_rule_says(rule_id: str, variant: str, text: str) -> None:
    assert {field for _, field, _, _ in Formatter().parse(text) if field} <= VALUES.keys()
    format_map = text.format_map(VALUES | OF_A_RULE.get(rule_id, {}))
    assert is_english(format_map), format_map
    before, *number = re.split(r"\d", format_map, maxsplit=1)
    assert len(before.split()) <= (30 if number else 40)


def test_every_rule_about_an_entry_has_a_headline() -> None:
    assert [rule_id for rule_id in rule_ids() if rule_by_id(rule_id).counts and not rule_by_id(rule_id).headline] == []
    assert [rule_id for rule_id in rule_ids() if not set(rule_by_id(rule_id).outdoes) <= set(rule_ids())] == []


@pytest.mark.parametrize(
    ("refused", "new", "kind", "message"),
    [
        (1, 1, "Pod", "The new pod of web will not start."),
        (2, 2, "Pod", "None of the 2 new pods of web will start."),
        (1, 3, "Pod", "1 of the 3 new pods of web will not start."),
        (1, 1, "PersistentVolumeClaim", "The new PersistentVolumeClaim of web will not be created."),
        (2, 3, "PersistentVolumeClaim", "2 of the 3 new PersistentVolumeClaims of web will not be created."),
        (1, 1, "Deployment", "Deployment web will be refused."),
    ],
)
def test_who_is_refused(refused: int, new: int, kind: str, message: str) -> None:
    first = next(refused_words([RefusedPods((thing("Deployment", "web"),), refused, new, kind)]))
    assert write_marked(first, PLAIN) == message
    assert is_english(message)


@pytest.mark.parametrize(
    ("new", "message"),
    [(1, "The new pod of web may not start."), (3, "Some or all of the 3 new pods of web may not start.")],
)
def test_how_many_are_refused_may_not_be_known(new: int, message: str) -> None:
    refused = RefusedPods((thing("Deployment", "web"),), 1, new, "Pod", is_open=True)
    assert write_marked(next(refused_words([refused])), PLAIN) == message


def refusals(kind: str, owner_kind: str, *names: str) -> str:
    refused = [RefusedPods((thing(owner_kind, name),), None, 2, kind) for name in names]
    return write_marked(" ".join(refused_words(refused)), PLAIN)


def test_what_is_there_is_refused_to_change() -> None:
    refused = [RefusedPods((thing("Service", name),), 1, 1, "Service", name == "a") for name in "ab"]
    sentence = write_marked(" ".join(refused_words(refused)), PLAIN)
    assert sentence == "The change of Service a and Service b will be refused."


def test_objects_that_are_refused_themselves_are_one_sentence() -> None:
    assert refusals("Service", "Service", "a", "b") == "Service a and Service b will be refused."
    several = "Service a, Service b, Service c and 2 more objects will be refused."
    assert refusals("Service", "Service", "a", "b", "c", "d", "e") == several


def test_of_many_workloads_the_last_are_counted() -> None:
    sentences = refusals("Pod", "Deployment", "a", "b", "c", "d").split(". ")
    assert sentences[2:] == [
        "Some of the 2 new pods of c will not start",
        "The same goes for 1 more workload",
        "Running pods are not touched.",
    ]


@pytest.mark.parametrize(
    ("culprit", "message"),
    [
        (FieldChange(("spec", "replicas"), 4, 12), "Deployment web goes from 4 to 12 replicas"),
        (FieldChange(("spec", "replicas"), None, 2), "Deployment web goes from 1 to 2 replicas"),
        (FieldChange(("spec", "replicas"), 3, 1), "Deployment web goes from 3 to 1 replica"),
        (FieldChange(("spec", "maxReplicas"), 6, 12), "maxReplicas of Deployment web goes from 6 to 12"),
        (FieldChange(("a", "requests", "cpu"), None, "1"), "requests.cpu of Deployment web is set to 1"),
        (FieldChange(("a", "requests", "cpu"), "1", None), "requests.cpu of Deployment web is not set any more"),
        (COMES, "Deployment web is new"),
        (GOES, "Deployment web is gone"),
    ],
)
def test_what_brought_it_about(culprit: FieldChange | str, message: str) -> None:
    how, fields = (culprit, ()) if isinstance(culprit, str) else (CHANGES, (culprit,))
    assert write_marked(culprit_words(Culprit(thing("Deployment", "web"), how, fields, None)), PLAIN) == message


@pytest.mark.parametrize(
    ("hard", "how", "message"),
    [
        (("20", "8"), CHANGES, "quota base allows pods 8 instead of 20"),
        ((None, "8"), CHANGES, "quota base allows pods 8, which it did not limit before"),
        ((None, "8"), COMES, "quota base is new and allows pods 8"),
        (("8", None), CHANGES, "quota base no longer limits pods"),
    ],
)
def test_what_became_of_a_quota(hard: tuple[str | None, str | None], how: str, message: str) -> None:
    old, new = (text and amount(text) for text in hard)
    field = FieldChange(("spec", "hard", "pods"), hard[0], hard[1])
    culprit = Culprit(thing("ResourceQuota", "base"), how, (field,), None, hard=(old or None, new or None))
    assert write_marked(culprit_words(culprit), PLAIN) == message


@pytest.mark.parametrize(
    ("amounts", "message"),
    [
        (("14Gi", "28Gi", "24Gi", "24Gi"), "limits.memory 14Gi → 28Gi of 24Gi"),
        (("14Gi", "14Gi", "24Gi", "12Gi"), "limits.memory 14Gi of 24Gi → 12Gi"),
        ((None, "8Gi", None, "6Gi"), "limits.memory 8Gi of 6Gi"),
    ],
)
def test_numbers_are_said_in_words(amounts: tuple[str | None, ...], message: str) -> None:
    given = [(text and amount(text)) or None for text in amounts]
    assert AmountsRow("limits.memory", *given).words == message


@pytest.mark.parametrize(
    ("environments", "message"),
    [
        ((), "shop"),
        (("prod",), "shop in environment prod"),
        (("shop",), "shop"),
        (("a", "b"), "shop in environments a and b"),
        (tuple("abcdefghijkl"), "shop in 12 environments"),
    ],
)
def test_a_place_is_said_with_its_environments(environments: tuple[str, ...], message: str) -> None:
    assert write_marked(where_words("shop", environments), PLAIN) == message
