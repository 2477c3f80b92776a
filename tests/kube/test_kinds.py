"""Kinds, their plurals, and the object count that was meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotalint.kube.kinds import BUILTIN, GONE, OPENSHIFT, VIRTUAL, Kind, by_kind, by_plural, suggest_count

_BY_KIND = {
    "core group": ("", "ConfigMap", Kind("", "ConfigMap", "configmaps", True)),
    "plural like the kind": ("", "Endpoints", Kind("", "Endpoints", "endpoints", True)),
    "plural in -ies": (
        "networking.k8s.io",
        "NetworkPolicy",
        Kind("networking.k8s.io", "NetworkPolicy", "networkpolicies", True),
    ),
    "plural in -es": ("networking.k8s.io", "Ingress", Kind("networking.k8s.io", "Ingress", "ingresses", True)),
    "cluster-scoped": (
        "storage.k8s.io",
        "StorageClass",
        Kind("storage.k8s.io", "StorageClass", "storageclasses", False),
    ),
    "not served by client libraries": (
        "apiextensions.k8s.io",
        "CustomResourceDefinition",
        Kind("apiextensions.k8s.io", "CustomResourceDefinition", "customresourcedefinitions", False),
    ),
    "came in 1.34": (
        "certificates.k8s.io",
        "PodCertificateRequest",
        Kind("certificates.k8s.io", "PodCertificateRequest", "podcertificaterequests", True, "1.34", "", False),
    ),
    "went in 1.32": (
        "resource.k8s.io",
        "PodSchedulingContext",
        Kind("resource.k8s.io", "PodSchedulingContext", "podschedulingcontexts", True, "", "1.32", False),
    ),
    "events are stored": ("events.k8s.io", "Event", Kind("events.k8s.io", "Event", "events", True)),
    "a subresource is no kind": ("autoscaling", "Scale", None),
    "an eviction is no kind": ("policy", "Eviction", None),
    "what is not stored": ("authorization.k8s.io", "SubjectAccessReview", None),
    "gone before 1.28": ("policy", "PodSecurityPolicy", None),
    "old group": ("extensions", "Deployment", None),
    "plural given for the kind": ("apps", "deployments", None),
    "OpenShift is not built in": ("route.openshift.io", "Route", None),
}


@pytest.mark.parametrize(("group", "kind", "expected"), _BY_KIND.values(), ids=_BY_KIND.keys())
def test_a_kind_is_found_by_its_name_and_group(group: str, kind: str, expected: Kind | None) -> None:
    assert by_kind(group, kind) == expected


_BY_PLURAL = {
    "core group": ("", "pods", Kind("", "Pod", "pods", True)),
    "named group": ("batch", "cronjobs", Kind("batch", "CronJob", "cronjobs", True)),
    "case counts": ("batch", "CronJobs", None),
    "group missing": ("", "deployments", None),
    "singular": ("apps", "deployment", None),
}


@pytest.mark.parametrize(("group", "plural", "expected"), _BY_PLURAL.values(), ids=_BY_PLURAL.keys())
def test_a_kind_is_found_by_its_plural(group: str, plural: str, expected: Kind | None) -> None:
    assert by_plural(group, plural) == expected


_SUGGESTIONS = {
    "singular with group": ("deployment.apps", "count/deployments.apps"),
    "singular without group": ("deployment", "count/deployments.apps"),
    "plural without group": ("deployments", "count/deployments.apps"),
    "jobs": ("jobs", "count/jobs.batch"),
    "cronjobs": ("cronjobs", "count/cronjobs.batch"),
    "short name": ("deploy", "count/deployments.apps"),
    "hpa": ("hpa", "count/horizontalpodautoscalers.autoscaling"),
    "ing": ("ing", "count/ingresses.networking.k8s.io"),
    "short name with group": ("sts.apps", "count/statefulsets.apps"),
    "short name in the core group": ("pvc", "count/persistentvolumeclaims"),
    "upper case": ("Pods", "count/pods"),
    "kind": ("ConfigMap", "count/configmaps"),
    "kind with group": ("CronJob.batch", "count/cronjobs.batch"),
    "singular in the core group": ("pod", "count/pods"),
    "core group written out": ("secrets.core", "count/secrets"),
    "version for a group": ("configmaps.v1", "count/configmaps"),
    "version before the group": ("deployments.v1.apps", "count/deployments.apps"),
    "beta version before the group": ("cronjobs.v1beta1.batch", "count/cronjobs.batch"),
    "group gone": ("deployments.extensions", "count/deployments.apps"),
    "group gone, other kind": ("ingresses.extensions", "count/ingresses.networking.k8s.io"),
    "another kind's group": ("jobs.apps", "count/jobs.batch"),
    "beginning of the group": ("ingresses.networking", "count/ingresses.networking.k8s.io"),
    "end of the group": ("ingresses.k8s.io", "count/ingresses.networking.k8s.io"),
    "group with k8s.io too many": ("cronjobs.batch.k8s.io", "count/cronjobs.batch"),
    "misspelt": ("deployements.apps", "count/deployments.apps"),
    "plural guessed wrong": ("networkpolicys", "count/networkpolicies.networking.k8s.io"),
    "OpenShift kind in a Kubernetes group": ("deploymentconfigs.apps", "count/deploymentconfigs.apps.openshift.io"),
    "OpenShift kind in its parent group": (
        "deploymentconfigs.openshift.io",
        "count/deploymentconfigs.apps.openshift.io",
    ),
    "routes": ("routes", "count/routes.route.openshift.io"),
    "imagestream": ("imagestream", "count/imagestreams.image.openshift.io"),
    "OpenShift's view of a Kubernetes kind": (
        "roles.authorization.openshift.io",
        "count/roles.rbac.authorization.k8s.io",
    ),
    "right as it stands": ("deployments.apps", None),
    "right in the core group": ("services", None),
    "extended resource": ("nvidia.com/gpu", None),
    "another kind of that plural": ("jobs.batch.volcano.sh", None),
    "a Knative service": ("services.serving.knative.dev", None),
    "a custom kind": ("certificates.cert-manager.io", None),
    "a near custom kind": ("httproutes", None),
    "cluster-scoped": ("nodes", None),
    "cluster-scoped near to a countable kind": ("persistentvolumes", None),
    "never counted": ("events", None),
    "never counted, with group": ("events.events.k8s.io", None),
    "gone": ("podsecuritypolicies.policy", None),
    "gone since 1.32": ("podschedulingcontexts.resource.k8s.io", None),
    "nothing": ("", None),
}


@pytest.mark.parametrize(("name", "expected"), _SUGGESTIONS.values(), ids=_SUGGESTIONS.keys())
def test_a_misspelled_count_is_corrected(name: str, expected: str | None) -> None:
    assert suggest_count(name) == expected


@given(
    st.sampled_from(
        [kind for kind in BUILTIN if kind.namespaced and kind.served and not kind.until and kind.kind != "Event"]
    )
)
def test_every_countable_kind_is_suggested_from_its_kind_alone(kind: Kind) -> None:
    assert suggest_count(kind.kind) == f"count/{kind.plural}" + (f".{kind.group}" if kind.group else "")


_WORDS = st.sampled_from([kind.kind for kind in (*BUILTIN, *OPENSHIFT)]) | st.sampled_from(
    [kind.plural for kind in BUILTIN]
)
_GROUPS = st.sampled_from(
    [f".{kind.group}" for kind in (*BUILTIN, *OPENSHIFT)] + [".extensions", ".v1", ".example.com", ""]
)


@given(st.builds(str.__add__, _WORDS, _GROUPS))
def test_what_is_suggested_needs_no_correction(name: str) -> None:
    suggestion = suggest_count(name)
    assert suggestion is None or suggest_count(suggestion.removeprefix("count/")) is None


def test_the_table_is_sorted_and_names_each_kind_once() -> None:
    assert list(BUILTIN) == sorted({(kind.group, kind.kind): kind for kind in BUILTIN}.values())
    assert list(OPENSHIFT) == sorted({(kind.group, kind.kind): kind for kind in OPENSHIFT}.values())


def test_plurals_are_written_as_the_api_writes_them() -> None:
    plurals = [
        kind.plural
        for kind in (*BUILTIN, *OPENSHIFT)
        if not kind.plural.startswith(kind.kind.lower().removesuffix("y"))
    ]
    assert plurals == []


def test_what_is_gone_is_not_built_in_and_its_new_group_is() -> None:
    assert {name: by_plural(*name) for name in GONE} == dict.fromkeys(GONE)
    assert [plural for (_, plural), group in GONE.items() if group and not by_plural(group, plural)] == []


def test_only_events_are_stored_and_never_counted() -> None:
    stored = {f"{kind.plural}.{kind.group}".rstrip(".") for kind in BUILTIN}
    assert stored & VIRTUAL == {"events", "events.events.k8s.io"}
