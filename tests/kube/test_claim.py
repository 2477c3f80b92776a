"""A manifest as a PersistentVolumeClaim."""

from __future__ import annotations

import pytest
import yaml

from quotalint.kube.amounts import UnknownAmount
from quotalint.kube.claim import Claim, claim
from quotalint.kube.quantity import of

CASES: dict[str, tuple[str, Claim]] = {
    "nothing": ("{}", Claim({}, None, "", ())),
    "a class": ("spec: {storageClassName: gold}", Claim({}, "gold", "", ())),
    "no class at all": ("spec: {storageClassName: ''}", Claim({}, "", "", ())),
    "a class that is null is not written": ("spec: {storageClassName: null}", Claim({}, None, "", ())),
    "the annotation wins": (
        "{metadata: {annotations: {volume.beta.kubernetes.io/storage-class: old}}, spec: {storageClassName: gold}}",
        Claim({}, "old", "", ()),
    ),
    "an empty annotation wins too": (
        "{metadata: {annotations: {volume.beta.kubernetes.io/storage-class: ''}}, spec: {storageClassName: gold}}",
        Claim({}, "", "", ()),
    ),
    "annotations that are null": (
        "{metadata: {annotations: null}, spec: {storageClassName: gold}}",
        Claim({}, "gold", "", ()),
    ),
    "storage": ("spec: {resources: {requests: {storage: 5}}}", Claim({"storage": of(5)}, None, "", ())),
    "limits are nobody's": ("spec: {resources: {limits: {storage: 5}}}", Claim({}, None, "", ())),
    "a class of volume attributes": ("spec: {volumeAttributesClassName: fast}", Claim({}, None, "fast", ())),
    "a placeholder": (
        "spec: {resources: {requests: {storage: '${SIZE}'}}}",
        Claim(
            {},
            None,
            "",
            (UnknownAmount(("spec", "resources", "requests", "storage"), "is the placeholder '${SIZE}'"),),
        ),
    ),
    "requests that are text": (
        "spec: {resources: {requests: 5Gi}}",
        Claim(
            {},
            None,
            "",
            (UnknownAmount(("spec", "resources", "requests"), "is not a mapping of resource names to quantities"),),
        ),
    ),
    "a spec that is text": ("spec: 5Gi", Claim({}, None, "", ())),
    "resources that are a list": ("spec: {resources: [storage]}", Claim({}, None, "", ())),
}


@pytest.mark.parametrize("case", CASES)
def test_a_claim_is_read_with_all_that_is_charged(case: str) -> None:
    text, expected = CASES[case]
    assert claim(yaml.safe_load(text)) == expected
