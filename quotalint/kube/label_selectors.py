"""Label selectors with `matchLabels` and `matchExpressions`.

Source: apimachinery 1.34, pkg/apis/meta/v1/helpers.go (LabelSelectorAsSelector) and pkg/labels/selector.go
(Requirement.Matches).
"""

from __future__ import annotations

from quotalint.kube.fields import Body, mapping, sequence, strings

NAMESPACE_NAME = "kubernetes.io/metadata.name"
"""The label that every namespace has, with its name (pkg/apis/core/v1/defaults.go, SetDefaults_Namespace)."""


def selects(selector: object, labels: Body) -> bool:
    """Whether an object with these labels is selected. An empty selector selects everything, a malformed one
    nothing."""
    if not isinstance(selector, dict):
        return selector is None
    if any(labels.get(key) != value for key, value in mapping(selector.get("matchLabels")).items()):
        return False
    return all(
        _expression_holds(mapping(match_expression), labels)
        for match_expression in sequence(selector.get("matchExpressions"))
    )


def selector_keys(selector: object) -> frozenset[str]:
    """The label keys that a selector reads."""
    written = mapping(selector)
    expressions = (
        mapping(match_expression).get("key") for match_expression in sequence(written.get("matchExpressions"))
    )
    return frozenset((*mapping(written.get("matchLabels")), *(key for key in expressions if isinstance(key, str))))


def _expression_holds(expression: Body, labels: Body) -> bool:
    key, operator = expression.get("key"), expression.get("operator")
    values = strings(expression.get("values"))
    if not isinstance(key, str):
        return False
    if operator == "In":
        return labels.get(key) in values
    if operator == "NotIn":
        return labels.get(key) not in values
    return (operator == "Exists" and key in labels) or (operator == "DoesNotExist" and key not in labels)
