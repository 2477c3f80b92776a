"""cert-manager's Certificates, written or made for an Ingress: the Secret with the key, and for each HTTP-01 challenge
of an issue or renewal a pod and a Service for a while.

Source: cert-manager 1.19, pkg/issuer/acme/http/pod.go (buildPod) and service.go (buildService),
internal/apis/config/controller/v1alpha1/defaults.go (the amounts), pkg/util/solverpicker/solverpicker.go (Pick),
pkg/controller/certificate-shim/sync.go (buildCertificates, validateIngressTLSBlock).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.text.place import Path
from quotalint.workloads.demand import RUN, SOLVING, Demand, Numbers, Size, Step, Surroundings, implied_objects

_GROUP = "cert-manager.io"
CLUSTER_ISSUER = (_GROUP, "ClusterIssuer")
_AMOUNTS = {"requests": {"cpu": "10m", "memory": "64Mi"}, "limits": {"cpu": "100m", "memory": "64Mi"}}
_RESTRICTED = {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}
_ISSUERS = {"cert-manager.io/cluster-issuer": "ClusterIssuer", "cert-manager.io/issuer": "Issuer"}


def expand_certificate(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The Secret with the key of a Certificate, and its solvers."""
    name = text(obj.spec.get("secretName"))
    if name:
        yield implied_objects(obj, "", "Secret", name=name)
    reference = mapping(obj.spec.get("issuerRef"))
    if text(reference.get("group")) in ("", _GROUP):
        kind = text(reference.get("kind")) or "Issuer"
        issuer = surroundings.objects.get((_GROUP, kind, text(reference.get("name"))))
        names = (*map(text, sequence(obj.spec.get("dnsNames"))), text(obj.spec.get("commonName")))
        yield from _solvers(obj, issuer, names, ("spec", "issuerRef"))


def expand_ingress(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The Certificates that cert-manager makes for an Ingress, each named like its Secret."""
    annotations = mapping(obj.metadata.get("annotations"))
    named = next(((key, text(annotations[key])) for key in _ISSUERS if annotations.get(key)), None)
    if named is None:
        return
    blocks = [block for block in map(mapping, sequence(obj.spec.get("tls"))) if sequence(block.get("hosts"))]
    for name in dict.fromkeys(text(block.get("secretName")) for block in blocks):
        if name:
            yield implied_objects(obj, _GROUP, "Certificate", name=name)
            yield implied_objects(obj, "", "Secret", name=name)
    key, issuer_name = named
    issuer = surroundings.objects.get((_GROUP, _ISSUERS[key], issuer_name))
    hosts = [text(host) for block in blocks if block.get("secretName") for host in sequence(block.get("hosts"))]
    yield from _solvers(obj, issuer, hosts, ("metadata", "annotations", key))


def _solvers(obj: Object, issuer: Object | None, names: Iterable[str], path: Path) -> Iterator[Demand]:
    """A pod and a Service for each name that an HTTP-01 challenge proves, all at once."""
    written = sequence(dig(issuer.spec, "acme", "solvers")) if issuer is not None else ()
    solvers = [mapping(solver) for solver in written]
    labels = mapping(obj.metadata.get("labels"))
    for name in dict.fromkeys(filter(None, names)):
        http01 = mapping(_solver_of_name(name, labels, solvers).get("http01"))
        ways = [mapping(http01[way]) for way in ("ingress", "gatewayHTTPRoute") if isinstance(http01.get(way), dict)]
        if not ways:
            continue
        size = Size(Numbers(0, 1, 0, 1), "only while a certificate is issued", step=Step(RUN, SOLVING, path))
        pod = _solver_pod(mapping(ways[0].get("podTemplate")))
        yield Demand(obj, "", "Pod", "", pod, obj.at(*path), size)
        service = {"spec": {"type": text(ways[0].get("serviceType")) or "NodePort", "ports": [{"port": 8089}]}}
        yield Demand(obj, "", "Service", "", service, obj.at(*path), size)


def _solver_pod(template: Body) -> Body:
    """The pod of a challenge. The template of the issuer may have labels, annotations and some fields of a spec."""
    metadata, spec = mapping(template.get("metadata")), mapping(template.get("spec"))
    written = mapping(spec.get("resources"))
    resources = {field: {**amounts, **mapping(written.get(field))} for field, amounts in _AMOUNTS.items()}
    container = {"name": "acmesolver", "resources": resources, "securityContext": _RESTRICTED}
    return {
        "metadata": {
            "labels": mapping(metadata.get("labels")),
            "annotations": {"sidecar.istio.io/inject": "false", **mapping(metadata.get("annotations"))},
        },
        "spec": {
            "containers": [container],
            "restartPolicy": "OnFailure",
            "securityContext": {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}},
            **{field: spec[field] for field in ("priorityClassName", "securityContext") if spec.get(field)},
        },
    }


def _solver_of_name(name: str, labels: Body, solvers: Sequence[Body]) -> Body:
    """The solver that cert-manager chooses for a name: of those whose selector matches, the most specific one, and of
    equals the first. A wildcard name can only be proved by DNS."""
    chosen: Body = {}
    best: tuple[bool, int, int] | None = None
    for solver in solvers:
        if not mapping(solver.get("dns01")) and (name.startswith("*.") or "http01" not in solver):
            continue
        weight = _weight(name, labels, mapping(solver.get("selector")))
        if weight is not None and (best is None or weight > best):
            chosen, best = solver, weight
    return chosen


def _weight(name: str, labels: Body, selector: Mapping[str, object]) -> tuple[bool, int, int] | None:
    """How specific a selector is for a name: whether it lists the name, the parts of its longest zone, the number of
    its labels. None: it does not match."""
    wanted = mapping(selector.get("matchLabels"))
    names = list(map(text, sequence(selector.get("dnsNames"))))
    zones = [text(zone) for zone in sequence(selector.get("dnsZones"))]
    bare = name.removeprefix("*.")
    matching = [zone for zone in zones if bare == zone or bare.endswith(f".{zone}")]
    if (names and name not in names) or (zones and not matching):
        return None
    if any(labels.get(key) != value for key, value in wanted.items()):
        return None
    return name in names, max((zone.count(".") + 1 for zone in matching), default=0), len(wanted)
