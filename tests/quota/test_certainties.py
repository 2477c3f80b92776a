"""How sure the sum of an entry is, and what of the namespace it depends on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from projected_amounts import Manifest, charged, container, manifest, template

from quotalint.kube.discovery import discover_kinds
from quotalint.kube.guess import NAMESPACE, Guess
from quotalint.kube.objects import objects
from quotalint.quota.projection import HiddenObjects, Projection, entries_by_name, projections, uncertain_charges
from quotalint.quota.quotas import quota
from quotalint.text.place import Place

GOLD = "gold.storageclass.storage.k8s.io/requests.storage"
HARD = dict.fromkeys(
    (
        *("pods", "secrets", "requests.cpu", "requests.memory", "limits.memory"),
        *("count/deployments.apps", "count/widgets.x.io", GOLD),
    ),
    "9",
)


def projected_entries(
    *manifests: Manifest,
    inhabited: bool = True,
    unseen: Sequence[HiddenObjects] = (),
    guesses: Sequence[Guess] = (),
    hard: Mapping[str, str] = HARD,
) -> tuple[Projection, ...]:
    """Of a quota with these entries."""
    body = {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "q"},
        "spec": {"hard": hard},
    }
    (obj,) = objects(body, Place("q.yaml"))
    limited, charges = quota(obj._replace(namespace="team-a")), charged(manifests)
    discovery = discover_kinds((obj for each in manifests for obj in objects(each, Place("a.yaml"))), "1.34")
    return projections(
        limited,
        charges,
        uncertain_charges(charges),
        entries_by_name(limited, charges),
        discovery,
        unseen,
        inhabited,
        guesses,
    )


def certainties(*manifests: Manifest, **more: Any) -> dict[str, str]:
    """Of each entry, where it is not `exact`."""
    return {
        projection.name: projection.certainty
        for projection in projected_entries(*manifests, **more)
        if projection.certainty != "exact"
    }


WEB = manifest("Deployment", template=template(container(requests={"cpu": "1", "memory": "1"}, limits={"memory": "1"})))
NOBODY_KNOWS = {"count/widgets.x.io": "unknown"}


def test_what_is_in_view_is_exact() -> None:
    assert certainties(WEB) == NOBODY_KNOWS


def test_objects_that_an_entry_seems_to_count_are_assumed_to_count() -> None:
    """Nobody applies them without a definition, and nothing in view says what is their plural."""
    widgets = certainties(WEB, manifest("Widget", group="x.io/v1"), manifest("Widget", "other", "x.io/v1"))
    assert widgets == {"count/widgets.x.io": "assumed"}


def test_where_no_workload_is_in_view_nothing_is_known_of_what_is_not_used() -> None:
    assert certainties(inhabited=False) == dict.fromkeys(HARD, "unknown")
    assert certainties(WEB, inhabited=False) == {"secrets": "unknown", GOLD: "unknown", **NOBODY_KNOWS}
    reasons = {projection.name: projection.unknowns for projection in projected_entries(WEB, inhabited=False)}
    assert (reasons["pods"], reasons["secrets"]) == ((), ("no workload of the namespace is in view",))


@pytest.mark.parametrize(
    ("hard", "manifests", "certainty"),
    [
        # kube-root-ca.crt lies in every namespace: of those that are elsewhere it tells nothing.
        ("9", (), "unknown"),
        # Where nothing is allowed it is refused all the same.
        ("0", (), "exact"),
        ("9", (manifest("ConfigMap", group="v1"),), "exact"),
    ],
)
def test_what_every_namespace_holds_says_nothing_of_one_without_a_workload_in_view(
    hard: str, manifests: Sequence[Manifest], certainty: str
) -> None:
    (entry,) = projected_entries(*manifests, inhabited=False, hard={"configmaps": hard})
    assert entry.certainty == certainty
    assert entry.unknowns == (("no workload of the namespace is in view",) if certainty == "unknown" else ())


def test_a_guess_concerns_what_somebody_uses() -> None:
    """What decides how much others are charged decides nothing where nobody is charged."""
    guesses = (Guess(NAMESPACE, "it goes somewhere", "say where"),)
    used = ("pods", "requests.cpu", "requests.memory", "limits.memory", "count/deployments.apps")
    assert certainties(WEB, guesses=guesses) == {**dict.fromkeys(used, "assumed"), **NOBODY_KNOWS}


def vertical(policy: Manifest, mode: object = None) -> Manifest:
    policies = {"containerPolicies": [{"containerName": "*", **policy}]}
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": WEB["metadata"]["name"]}
    update = {} if mode is None else {"updatePolicy": {"updateMode": mode}}
    return manifest(
        "VerticalPodAutoscaler", "v", "autoscaling.k8s.io/v1", targetRef=target, resourcePolicy=policies, **update
    )


ALL_OF_IT = {"requests.cpu", "requests.memory", "limits.memory"}


@pytest.mark.parametrize(
    ("autoscaler", "assumed"),
    [
        (vertical({}), ALL_OF_IT),
        (vertical({}, "Initial"), ALL_OF_IT),
        (vertical({"maxAllowed": {"cpu": "1"}}), ALL_OF_IT),
        (vertical({"controlledResources": ["memory"]}), {"requests.memory", "limits.memory"}),
        (vertical({"controlledValues": "RequestsOnly"}), {"requests.cpu", "requests.memory"}),
        # What it leaves at least is as much as is written.
        (vertical({"minAllowed": {"cpu": "1", "memory": "1"}}), set()),
        (vertical({"minAllowed": {"cpu": "500m", "memory": "1"}}), {"requests.cpu"}),
        (vertical({"mode": "Off"}), set()),
        (vertical({}, "Off"), set()),
        (vertical({}, False), set()),
    ],
)
def test_what_a_vertical_autoscaler_may_make_smaller_is_assumed(autoscaler: Manifest, assumed: set[str]) -> None:
    certainty_by_name = certainties(WEB, autoscaler)
    assert {name for name, certainty in certainty_by_name.items() if certainty == "assumed"} == assumed


@pytest.mark.parametrize(
    ("cpu", "memory", "unsure", "sure"),
    [
        # An amount that is not known adds to its own entries alone.
        ("1", "${X}", "requests.memory", {"requests.cpu"}),
        ("${X}", "1", "requests.cpu", {"requests.memory", "limits.memory"}),
    ],
)
def test_an_amount_that_is_not_known(cpu: str, memory: str, unsure: str, sure: set[str]) -> None:
    asking = container(requests={"cpu": cpu, "memory": memory}, limits={"memory": "1"})
    actual_certainties = certainties(manifest("Deployment", template=template(asking)))
    assert actual_certainties[unsure] == "at-least"
    assert actual_certainties.keys().isdisjoint({"pods", "secrets", *sure})


def test_containers_that_are_not_known_may_add_to_everything() -> None:
    actual_certainties = certainties(manifest("Deployment", template={"spec": {"containers": "${CONTAINERS}"}}))
    assert {name for name, certainty in actual_certainties.items() if certainty == "at-least"} == HARD.keys() - {
        "secrets",
        "count/deployments.apps",
        GOLD,
        *NOBODY_KNOWS,
    }


@pytest.mark.parametrize(
    ("hidden", "unsure"),
    [
        (HiddenObjects("x"), set(HARD)),
        (HiddenObjects("x", only=("secrets",)), {"secrets"}),
        (HiddenObjects("x", kinds=("Secret",)), {"secrets"}),
        (HiddenObjects("x", kinds=("Deployment", "Service")), {"count/deployments.apps"}),
        # Something that is counted by number, and no pod, no secret, no widget.
        (HiddenObjects("x", others=frozenset({"pods", "secrets", "deployments.apps", "widgets.x.io"})), set()),
        (HiddenObjects("x", others=frozenset({"pods", "deployments.apps", "widgets.x.io"})), {"secrets"}),
        (HiddenObjects("x", others=frozenset({"pods", "secrets", "widgets.x.io"})), {"count/deployments.apps"}),
    ],
)
def test_what_is_not_in_view(hidden: HiddenObjects, unsure: set[str]) -> None:
    assert certainties(WEB, unseen=(hidden,)).keys() - NOBODY_KNOWS == unsure - NOBODY_KNOWS.keys()


@pytest.mark.parametrize(
    ("storage_class", "expected"),
    [
        pytest.param({}, "at-least", id="the default class, which is not in view"),
        pytest.param({"storageClassName": "gold"}, "", id="this class"),
        pytest.param({"storageClassName": "silver"}, "", id="another class"),
    ],
)
def test_a_claim_without_a_class_may_be_of_any(storage_class: Manifest, expected: str) -> None:
    claim = manifest("PersistentVolumeClaim", group="v1", resources={"requests": {"storage": "1"}}, **storage_class)
    assert certainties(WEB, claim).get(GOLD, "") == expected
