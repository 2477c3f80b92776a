"""Which pod templates do not go with their workloads, as far as what is written is known."""

from __future__ import annotations

import pytest

from quotalint.kube.workload_validation import workload_errors

TEMPLATE = {"metadata": {"labels": {"app": "web", "tier": "front"}}, "spec": {}}


def is_refused(selector: object) -> bool:
    return any(workload_errors("apps", "Deployment", {"selector": selector}, TEMPLATE))


@pytest.mark.parametrize(
    ("selector", "refused"),
    [
        ({"matchLabels": {"app": "web"}}, False),
        ({"matchLabels": {"app": "shop"}}, True),
        ({"matchLabels": {"app": "${APP}"}}, False),
        ({"matchLabels": {"app": 5}}, False),
        ({"matchExpressions": [{"key": "tier", "operator": "In", "values": ["front", "back"]}]}, False),
        ({"matchExpressions": [{"key": "tier", "operator": "In", "values": ["back"]}]}, True),
        ({"matchExpressions": [{"key": "tier", "operator": "NotIn", "values": ["front"]}]}, True),
        ({"matchExpressions": [{"key": "zone", "operator": "Exists"}]}, True),
        ({"matchExpressions": [{"key": "app", "operator": "DoesNotExist"}]}, True),
        ({"matchExpressions": [{"key": "tier", "operator": "In", "values": ["${TIER}"]}]}, False),
        ({"matchExpressions": [{"key": "tier", "operator": "In", "values": "${TIERS}"}]}, False),
        ({"matchExpressions": [{"key": "tier", "operator": "In", "values": [5]}]}, False),
        ({"matchExpressions": [{"key": "tier", "operator": "${OPERATOR}", "values": ["front"]}]}, False),
        ({"matchExpressions": [{"key": "tier", "operator": "in", "values": ["front"]}]}, False),
        ({"matchExpressions": [{"key": "${KEY}", "operator": "Exists"}]}, False),
        ({"matchExpressions": "${EXPRESSIONS}", "matchLabels": {"app": "web"}}, False),
        ({"matchExpressions": ["${EXPRESSION}"], "matchLabels": {"app": "web"}}, False),
        ({"matchExpressions": 5}, False),
        ("app=web", False),
        ({}, False),
        (None, True),
    ],
)
def test_a_selector_that_does_not_find_the_template(selector: object, refused: bool) -> None:
    assert is_refused(selector) is refused
