"""Which groups of kinds quotalint knows anything of.

Nothing is looked up in objects of the others but what is in any object: a namespace that is declared in it, and quotas
inside it; and where those deploy to that are called like what deploys (`DEPLOYING`). What the rest say decides nothing
outside of their namespace.
"""

from __future__ import annotations

NAMED = (
    *("amazonaws.com", "apache.org", "argoproj.io", "azure.com", "bitnami.com", "carvel.dev", "cattle.io"),
    *("cert-manager.io", "cilium.io", "clastix.io", "cnpg.io", "controlplane.io", "coreos.com", "crossplane.io"),
    *("crunchydata.com", "dapr.io", "datastax.com", "external-secrets.io", "flagger.app", "fluxcd.io"),
    *("gatekeeper.sh", "github.io", "gke.io", "hashicorp.com", "helm.sh", "istio.io", "k14s.io", "k3d.io", "k8c.io"),
    *("k8s.aws", "kro.run", "kustomize.config"),
    *("k8s-sigs.io", "k8s.io", "k8ssandra.io", "karpenter.sh", "keda.sh", "keycloak.org", "kiosk.sh", "kluctl.io"),
    *("knative.dev", "kruise.io", "kserve.io", "kubeflow.org", "kubernetes.io", "kuma.io", "kuttl.dev"),
    *("kyverno.io", "linkerd.io", "loft.sh", "mariadb.com", "min.io", "mongodb.com", "nvidia.com", "oam.dev"),
    *("onepassword.com", "open-cluster-management.io", "openshift.com", "openshift.io", "opentelemetry.io"),
    *("operatorframework.io", "opster.io", "percona.com", "pravega.io", "projectcalico.org", "projectcapsule.dev"),
    *("projectsveltos.io", "quotalint.dev", "rabbitmq.com", "ray.io", "redhat.io", "rook.io"),
    *(
        "scaffolder.backstage.io",
        "stakater.com",
        "strimzi.io",
        "tanka.dev",
        "tekton.dev",
        "tigera.io",
        "traefik.containo.us",
        "victoriametrics.com",
    ),
    *("volcano.sh", "wgpolicyk8s.io"),
)
"""How the groups end that any module names, but for those of which nothing outside of their namespace is looked up."""


_OF_INGRESSES = (
    *("alb.ingress.kubernetes.io", "external-dns.alpha.kubernetes.io", "haproxy.org", "ingress.kubernetes.io"),
    *("nginx.ingress.kubernetes.io", "nginx.org", "traefik.ingress.kubernetes.io"),
)
"""Before the names of annotations that nothing reads here, though the domain around is named."""


def is_unread_annotation(name: object) -> bool:
    """Whether no module looks for an annotation: it is one of other people's tools."""
    domain, slash, _ = name.partition("/") if isinstance(name, str) else ("", "", "")
    return bool(slash) and (domain in _OF_INGRESSES or is_unnamed_group(domain))


_SHOWN = frozenset(("openshift.io/description", "openshift.io/display-name"))
"""Annotations that are there to be read by people."""


def is_local_mark(name: object) -> bool:
    """Whether what a label or an annotation of a Namespace says decides nothing in another one. One without a domain
    says something of this namespace, if it says anything to a program: `istio-injection`."""
    return isinstance(name, str) and ("/" not in name or name in _SHOWN or is_unread_annotation(name))


def is_unnamed_group(group: str) -> bool:
    """Whether a group is one that no module names: of other people's custom resources."""
    return "." in group and not group.endswith(NAMED)
