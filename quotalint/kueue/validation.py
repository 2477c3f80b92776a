"""Why a ClusterQueue, Cohort, LocalQueue or ResourceFlavor is refused: the schemas of their CustomResourceDefinitions,
then the expressions in these and Kueue's webhooks.

Source: Kueue 0.19, config/components/crd/bases, pkg/webhooks/clusterqueue_webhook.go (ValidateClusterQueue),
cohort_webhook.go (validateCohort) and resourceflavor_webhook.go (ValidateResourceFlavor).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from quotalint.kube.amounts import amount, is_placeholder
from quotalint.kube.api_error import field_path
from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.names import label_errors, qualified_errors, subdomain_errors
from quotalint.kube.objects import Object
from quotalint.kube.quantity import BadQuantity, Quantity
from quotalint.kube.spelling import most_similar
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.data import load_table
from quotalint.text.place import Path

Schema = Mapping[str, Any]


class QueueError(NamedTuple):
    """One reason why a manifest is refused."""

    path: Path
    message: str

    @property
    def field(self) -> str:
        """The field as the API server writes it."""
        return field_path(self.path)


def queue_errors(obj: Object) -> tuple[QueueError, ...]:
    """Why the API server refuses an object; nothing for a version whose schema is not known."""
    schemas = mapping(mapping(load_table("kueue")).get(obj.kind))
    schema = schemas.get(obj.version)
    if not isinstance(schema, dict) or obj.body.get("spec") is None:
        return ()
    wrong = tuple(_schema_errors(schema, obj.body.get("spec"), ("spec",)))
    if wrong:
        return wrong  # later checks need what the schema asks for
    if obj.kind == "ResourceFlavor":
        return tuple(_flavor_errors(obj.spec))
    return tuple(_node_errors(obj)) if obj.kind in ("ClusterQueue", "Cohort") else ()


def _schema_errors(schema: Schema, value: object, path: Path) -> Iterator[QueueError]:
    if value is None or is_placeholder(value):  # null is as if it were not written
        return
    if schema.get("x-kubernetes-int-or-string"):
        parsed = amount(value)
        if not isinstance(value, int | str) or isinstance(value, bool) or isinstance(parsed, BadQuantity):
            yield QueueError(path, f'Invalid value: "{str(value)[:40]}": must be a quantity, such as 8 or 36Gi')
        return
    kind = schema.get("type")
    if not _is_of(kind, value):
        yield QueueError(path, f"Invalid value: must be of type {kind}, not {str(value)[:40]!r}")
    elif isinstance(value, dict):
        yield from _object_errors(schema, value, path)
    elif isinstance(value, list):
        yield from _list_errors(schema, value, path)
    elif isinstance(value, str):
        yield from _text_errors(schema, value, path)


def _is_of(kind: object, value: object) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    types = {"object": dict, "array": list, "string": str, "integer": int}
    return isinstance(value, types[kind]) if isinstance(kind, str) and kind in types else True


def _object_errors(schema: Schema, value: Body, path: Path) -> Iterator[QueueError]:
    properties, others = mapping(schema.get("properties")), schema.get("additionalProperties")
    for name in sequence(schema.get("required")):
        if value.get(str(name)) is None:
            yield QueueError((*path, str(name)), "Required value")
    most = schema.get("maxProperties")
    if most is not None and len(value) > most:
        yield QueueError(path, f"Too many: {len(value)}: must have at most {most} items")
    for name, below in value.items():
        part = properties.get(name, others)
        if isinstance(part, dict):
            yield from _schema_errors(part, below, (*path, str(name)))
        elif properties and not is_placeholder(name):
            yield QueueError((*path, str(name)), _unknown_field(str(name), properties))


def _unknown_field(name: str, properties: Body) -> str:
    meant = {"cohort": "cohortName", "cohortName": "cohort", "parent": "parentName"}.get(name)
    near = meant if meant in properties else most_similar(name, properties)
    return f'unknown field "{name}"' + (f'; did you mean "{near}"?' if near else "")


def _list_errors(schema: Schema, value: Sequence[object], path: Path) -> Iterator[QueueError]:
    least, most = schema.get("minItems", 0), schema.get("maxItems")
    if len(value) < least:
        yield QueueError(path, f"Invalid value: must have at least {least} item{'s' if least > 1 else ''}")
    if most is not None and len(value) > most:
        yield QueueError(path, f"Too many: {len(value)}: must have at most {most} items")
    keys = sequence(schema.get("x-kubernetes-list-map-keys"))
    seen: set[str] = set()
    for index, item in enumerate(value):
        yield from _schema_errors(mapping(schema.get("items")), item, (*path, index))
        key = ", ".join(text(mapping(item).get(str(name))) for name in keys)
        if key and key in seen:
            yield QueueError((*path, index), f'Duplicate value: "{key}"')
        seen.add(key)


def _text_errors(schema: Schema, value: str, path: Path) -> Iterator[QueueError]:
    allowed = sequence(schema.get("enum"))
    if allowed and value not in allowed:
        names = ", ".join(f'"{name}"' for name in allowed)
        yield QueueError(path, f'Unsupported value: "{value}": supported values: {names}')
    most = schema.get("maxLength")
    if most is not None and len(value) > most:
        yield QueueError(path, f"Too long: may not be more than {most} bytes")
    elif len(value) < schema.get("minLength", 0):
        yield QueueError(path, "Invalid value: may not be empty")
    elif schema.get("pattern"):  # all patterns of texts are that of a name
        yield from (QueueError(path, f'Invalid value: "{value}": {words}') for words in subdomain_errors(value))


def _node_errors(obj: Object) -> Iterator[QueueError]:
    """What the schema cannot say of a ClusterQueue or Cohort."""
    spec = obj.spec
    above = ("parentName",) if obj.kind == "Cohort" else ("cohortName", "cohort")
    has_parent = any(text(spec.get(field)) for field in above)
    resources: set[str] = set()
    flavors: set[str] = set()
    for index, group in enumerate(map(mapping, sequence(spec.get("resourceGroups")))):
        path: Path = ("spec", "resourceGroups", index)
        covered = [text(name) for name in sequence(group.get("coveredResources"))]
        for position, name in enumerate(covered):
            at = (*path, "coveredResources", position)
            if not is_placeholder(name):
                yield from (QueueError(at, f'Invalid value: "{name}": {words}') for words in qualified_errors(name))
            if name in resources:
                yield QueueError(at, f'Duplicate value: "{name}"')
            resources.add(name)
        for position, flavor in enumerate(map(mapping, sequence(group.get("flavors")))):
            at = (*path, "flavors", position)
            if text(flavor.get("name")) in flavors:
                yield QueueError((*at, "name"), f'Duplicate value: "{text(flavor.get("name"))}"')
            flavors.add(text(flavor.get("name")))
            listed = sequence(flavor.get("resources"))
            if len(listed) != len(covered):
                words = "flavors must have the same number of resources as the coveredResources"
                yield QueueError((*at, "resources"), f"Invalid value: {words}")
                continue
            quotas = list(map(mapping, listed))
            yield from islice(_order_errors(quotas, covered, (*at, "resources")), 1)  # the others follow from it
            for number, quota in enumerate(quotas):
                yield from _amount_errors(quota, (*at, "resources", number), obj.kind, has_parent=has_parent)
    if obj.kind == "ClusterQueue":
        yield from _policy_errors(spec)
    weight = amount(dig(spec, "fairSharing", "weight"))
    if isinstance(weight, Quantity) and weight.nano < 0:
        yield QueueError(("spec", "fairSharing", "weight"), "Invalid value: must be greater than or equal to 0")


def _order_errors(quotas: Sequence[Body], covered: Sequence[str], path: Path) -> Iterator[QueueError]:
    for number, (name, quota) in enumerate(zip(covered, quotas, strict=True)):
        written = text(quota.get("name"))
        if written != name and not (is_placeholder(written) or is_placeholder(name)):
            words = f'Invalid value: "{written}": must match the name in coveredResources'
            yield QueueError((*path, number, "name"), f"{words}, {name}, at the same position")


def _amount_errors(quota: Body, path: Path, kind: str, *, has_parent: bool) -> Iterator[QueueError]:
    """Why the amounts of one resource in one flavor are refused."""
    nominal = amount(quota.get("nominalQuota"))
    for field in ("nominalQuota", "borrowingLimit", "lendingLimit"):
        limit = amount(quota[field]) if quota.get(field) is not None else None
        if limit is None:
            continue
        at = (*path, field)
        if not has_parent and field != "nominalQuota":
            above = "parent" if kind == "Cohort" else "cohort"
            yield QueueError(at, f'Invalid value: "{quota[field]}": must be nil when {above} is empty')
        if isinstance(limit, Quantity) and limit.nano < 0:
            yield QueueError(at, f'Invalid value: "{quota[field]}": must be greater than or equal to 0')
        is_lent = field == "lendingLimit" and kind == "ClusterQueue"
        if is_lent and isinstance(limit, Quantity) and isinstance(nominal, Quantity) and limit.nano > nominal.nano:
            yield QueueError(at, f'Invalid value: "{quota[field]}": must be less than or equal to the nominalQuota')


def _policy_errors(spec: Body) -> Iterator[QueueError]:
    """Why what a ClusterQueue says beside its amounts is refused."""
    preemption = mapping(spec.get("preemption"))
    borrowing = text(dig(preemption, "borrowWithinCohort", "policy")) or "Never"
    if (text(preemption.get("reclaimWithinCohort")) or "Never") == "Never" and borrowing != "Never":
        words = "reclaimWithinCohort=Never and borrowWithinCohort.Policy!=Never"
        yield QueueError(("spec", "preemption"), f"Invalid value: {words}")
    fungibility = mapping(spec.get("flavorFungibility"))
    can = (text(fungibility.get("whenCanBorrow")), text(fungibility.get("whenCanPreempt")) or "TryNextFlavor")
    if fungibility.get("preference") is not None and can != ("TryNextFlavor", "TryNextFlavor"):
        words = "preference can only be set when both whenCanBorrow and whenCanPreempt are TryNextFlavor"
        yield QueueError(("spec", "flavorFungibility"), f"Invalid value: {words}")
    expressions = sequence(dig(spec, "namespaceSelector", "matchExpressions"))
    for index, expression in enumerate(map(mapping, expressions)):
        path: Path = ("spec", "namespaceSelector", "matchExpressions", index)
        operator, values = expression.get("operator"), sequence(expression.get("values"))
        if operator not in ("In", "NotIn", "Exists", "DoesNotExist"):
            yield QueueError((*path, "operator"), f'Invalid value: "{operator}": not a valid selector operator')
        elif bool(values) is (operator in ("Exists", "DoesNotExist")):
            may = "may not be specified" if values else "must be specified"
            yield QueueError((*path, "values"), f"{may} when `operator` is {operator}")


_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")


def _flavor_errors(spec: Body) -> Iterator[QueueError]:
    written = mapping(spec.get("nodeLabels"))
    labels = {name: value for name, value in written.items() if not (is_placeholder(name) or is_placeholder(value))}
    for name, words in label_errors(labels):
        yield QueueError(("spec", "nodeLabels"), f'Invalid value: "{name}": {words}')
    if spec.get("topologyName") and not mapping(spec.get("nodeLabels")):
        yield QueueError(("spec",), "Invalid value: at least one nodeLabel is required when topology is set")
    seen: set[tuple[str, str]] = set()
    for index, taint in enumerate(map(mapping, sequence(spec.get("nodeTaints")))):
        path: Path = ("spec", "nodeTaints", index)
        key = text(taint.get("key")), text(taint.get("effect"))
        if key[1] not in _EFFECTS:
            yield QueueError((*path, "effect"), f"Invalid value: supported taint effect values: {', '.join(_EFFECTS)}")
        if key in seen:
            yield QueueError(path, "Duplicate value: taints must be unique by key and effect pair")
        seen.add(key)
    for index, toleration in enumerate(map(mapping, sequence(spec.get("tolerations")))):
        words = _toleration_fault(toleration)
        if words:
            yield QueueError(("spec", "tolerations", index), f"Invalid value: {words}")


def _toleration_fault(toleration: Body) -> str:
    operator = toleration.get("operator")
    if operator not in (None, "Equal", "Exists"):
        return "supported toleration values: 'Equal'(default), 'Exists'"
    if toleration.get("key") is None and operator != "Exists":
        return "operator must be Exists when 'key' is empty, which means 'match all values and all keys'"
    if toleration.get("tolerationSeconds") is not None and toleration.get("effect") != "NoExecute":
        return "effect must be 'NoExecute' when 'tolerationSeconds' is set"
    if operator == "Exists" and toleration.get("value") is not None:
        return "a value must be empty when 'operator' is 'Exists'"
    if toleration.get("effect") not in (None, *_EFFECTS):
        return f"supported taint effect values: {', '.join(_EFFECTS)}"
    return ""
