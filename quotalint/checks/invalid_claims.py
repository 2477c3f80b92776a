"""Checks of storage requests that the API server refuses in any PersistentVolumeClaim, quota or not.

Source: Kubernetes 1.36, pkg/apis/core/validation/validation.go (ValidatePersistentVolumeClaimSpec).
"""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.accounts.facts import Facts
from quotalint.checks.hit import Hit, check
from quotalint.kube.amounts import amount, is_placeholder
from quotalint.kube.api_error import field_path
from quotalint.kube.fields import dig, mapping, sequence
from quotalint.kube.objects import Object
from quotalint.kube.quantity import BadQuantity, show
from quotalint.text.place import Path

_CLAIM, _SET = ("", "PersistentVolumeClaim"), ("apps", "StatefulSet")
_REQUESTS: Path = ("spec", "resources", "requests")


@check("QL404", Object, kinds=(_CLAIM, _SET))
def invalid_storage(obj: Object, facts: Facts) -> Iterator[Hit]:
    for prefix in _claims_in(obj):
        yield from _storage_hits(obj, prefix, facts)


def _claims_in(obj: Object) -> Iterator[Path]:
    """The paths of the claims that an object is or creates."""
    if (obj.group, obj.kind) == _CLAIM:
        yield ()
        return
    for index in range(len(sequence(obj.spec.get("volumeClaimTemplates")))):
        yield ("spec", "volumeClaimTemplates", index)


def _storage_hits(obj: Object, prefix: Path, facts: Facts) -> Iterator[Hit]:
    requests = dig(obj.body, *prefix, *_REQUESTS)
    written = mapping(requests).get("storage")
    if is_placeholder(written) or any(is_placeholder(dig(obj.body, *prefix, *_REQUESTS[:end])) for end in (1, 2, 3)):
        return  # the substituted value may be valid
    parsed = amount(written) if "storage" in mapping(requests) else None
    refused = "claims" if prefix else "claim"
    path = (*prefix, *_REQUESTS, "storage")
    if isinstance(parsed, BadQuantity):
        from quotalint.accounts.filling import is_filled_in_later
        from quotalint.checks.lazy.pod_remedies import remedy

        if is_filled_in_later(obj, path, facts):
            return
        # A value that does not decode is refused together with its whole manifest.
        refused = "itself" if prefix else "claim"
        message = f'{obj.kind} in version "{obj.version}" cannot be handled as a {obj.kind}: {parsed.message}'
        advice = remedy(("storage",), parsed.message, written)
    elif parsed is None or parsed.nano <= 0:
        value = f'Invalid value: "{show(parsed)}": must be greater than zero' if parsed else "Required value"
        message = f"spec.resources[storage]: {value}"
        advice = "write how much storage is wanted in `resources.requests.storage`, such as 10Gi"
    else:
        return
    field = field_path(path, keyed=("requests",))
    shown = f" (storage {written})" if isinstance(written, (str, int, float)) else ""
    values = {"kind": obj.kind, "name": obj.name, "written": shown, "message": message, "remedy": advice}
    yield Hit(obj.at(*path), {**values, "field": field}, obj, field, refused)
