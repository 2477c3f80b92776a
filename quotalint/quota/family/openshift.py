"""OpenShift's ClusterResourceQuota: one ResourceQuota over all namespaces that its selector matches.

Source: openshift/api, quota/v1/types.go; openshift/library-go, pkg/quota/clusterquotamapping/helpers.go
(GetObjectMatcher); openshift/apiserver-library-go, pkg/admission/quota/clusterresourcequota (Validate, GetQuotas): the
admission plugin hands the spec to the evaluator of ResourceQuota, with the total of all namespaces as its status.
Validation is that of openshift/kubernetes, openshift-kube-apiserver/admission/customresourcevalidation/
clusterresourcequota/validation (ValidateClusterResourceQuota).
"""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.amounts import is_placeholder
from quotalint.kube.api_error import ApiError, Wrong
from quotalint.kube.cluster import Cluster
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.quota.family import CLUSTER_RESOURCE_QUOTA, Family
from quotalint.quota.family.described_namespaces import (
    Namespace,
    Namespaces,
    all_hold,
    described_namespaces,
    matches_annotations,
    matches_labels,
    names_in,
)
from quotalint.quota.quotas import Quota, quota
from quotalint.text.place import Path
from quotalint.text.words import list_some

_SHOWN = 5  # namespaces named in a sentence
_SELECTOR: Path = ("spec", "selector")
_OF_TREES = ("hnc.x-k8s.io", "management.cattle.io")  # groups whose objects only describe the namespace tree
_OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist")


def cluster_resource_quotas(cluster: Cluster) -> Family:
    """Every ClusterResourceQuota, including those in the group of OpenShift 3."""
    namespaces = described_namespaces(cluster)
    written = (*cluster.of(*CLUSTER_RESOURCE_QUOTA), *cluster.of("", "ClusterResourceQuota"))
    return Family(tuple(_cluster_quota(obj, cluster, namespaces) for obj in written))


def _cluster_quota(obj: Object, cluster: Cluster, namespaces: Namespaces) -> Quota:
    selector = mapping(obj.spec.get("selector"))
    refused = tuple(_selector_errors(selector))
    only = names_in(selector.get("labels"))
    candidates = (
        tuple(namespaces.namespace_named(name) for name in sorted(only))
        if only is not None
        else namespaces.candidates(selector.get("labels"))
    )
    answers = {} if refused else {namespace.name: _matches_namespace(selector, namespace) for namespace in candidates}
    members = tuple(name for name, answer in answers.items() if answer)
    doubtful = [name for name, answer in answers.items() if answer is None and _is_used(name, cluster)]
    hidden = []
    if doubtful:
        names = list_some(doubtful, _SHOWN)
        hidden.append(f"whether its selector matches {names} depends on labels or annotations that are not in view")
    if only is None and not namespaces.are_shown:
        hidden.append("its selector may match namespaces of the cluster that are not in view")
    return quota(obj, members, ("spec", "quota"))._replace(hidden=tuple(hidden), refused=refused)


def _is_used(namespace: str, cluster: Cluster) -> bool:
    return any(obj.group not in _OF_TREES for obj in cluster.by_namespace.get(namespace, ()))


def _matches_namespace(selector: Body, namespace: Namespace) -> bool | None:
    wanted = mapping(selector.get("annotations"))
    matches = (matches_labels(selector.get("labels"), namespace), matches_annotations(wanted, namespace))
    return all_hold(iter(matches))


def _selector_errors(selector: Body) -> Iterator[ApiError]:
    labels, annotations = selector.get("labels"), selector.get("annotations")
    restricts = any(mapping(labels).get(field) for field in ("matchLabels", "matchExpressions"))
    words = "must restrict the selected projects"
    if not restricts and not mapping(annotations):
        yield _selector_error(_SELECTOR, "spec.selector", words)
    if labels is not None and not restricts:
        yield _selector_error((*_SELECTOR, "labels"), "spec.selector.labels", words)
    for index, written in enumerate(sequence(mapping(labels).get("matchExpressions"))):
        expression = mapping(written)
        operator, values = text(expression.get("operator")), expression.get("values")
        path: Path = (*_SELECTOR, "labels", "matchExpressions", index)
        field = f"spec.selector.labels.matchExpressions[{index}]"
        if is_placeholder(operator):
            continue
        if operator not in _OPERATORS:
            yield _selector_error((*path, "operator"), f"{field}.operator", "not a valid selector operator", operator)
        elif operator in ("In", "NotIn") and not values:
            detail = "must be specified when `operator` is 'In' or 'NotIn'"
            yield _selector_error((*path, "values"), f"{field}.values", detail, operator)
        elif operator in ("Exists", "DoesNotExist") and values:
            detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
            yield _selector_error((*path, "values"), f"{field}.values", detail, operator)


def _selector_error(path: Path, field: str, detail: str, value: str = "") -> ApiError:
    return ApiError(Wrong.ELSEWHERE, field, path, detail, value)
