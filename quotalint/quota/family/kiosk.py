"""kiosk's AccountQuota: limits the sum of all spaces of an account.

Source: loft-sh/kiosk, pkg/apis/config/v1alpha1/accountquota_types.go, pkg/apiserver/registry/space/convert.go (a Space
is a Namespace with the label of its account), kube/plugin/pkg/admission/resourcequota/controller.go (the refusal).
"""

from __future__ import annotations

from quotalint.kube.cluster import Cluster
from quotalint.kube.fields import text
from quotalint.quota.family import ACCOUNT_QUOTA, Family
from quotalint.quota.family.described_namespaces import described_namespaces
from quotalint.quota.quotas import quota

_ACCOUNT = "kiosk.sh/account"


def account_quotas(cluster: Cluster) -> Family:
    """Every AccountQuota, over the known spaces of its account."""
    namespaces = described_namespaces(cluster)
    spaces = {(space.name, text(space.spec.get("account"))) for space in cluster.of("tenancy.kiosk.sh", "Space")}
    spaces |= {(space.name, text(space.labels.get(_ACCOUNT))) for space in namespaces.by_name.values()}
    quotas = []
    for obj in cluster.of(*ACCOUNT_QUOTA):
        account = text(obj.spec.get("account"))
        members = tuple(sorted(name for name, of in spaces if account and of == account))
        hidden = () if namespaces.are_shown else (f"account {account} may have spaces that are not in view",)
        quotas.append(quota(obj, members, ("spec", "quota"))._replace(hidden=hidden))
    return Family(tuple(quotas))
