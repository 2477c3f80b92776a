"""Amounts that nobody can have meant: what they are, and what was probably meant."""

from __future__ import annotations

import pytest

from quotalint.kube.plausibility import Absurd, absurd_amount


@pytest.mark.parametrize(
    ("resource", "written", "neighbours", "expected"),
    [
        ("cpu", "500Mi", {}, Absurd("binary", "524288000 CPUs", "500m")),
        ("cpu", "4Gi", {}, Absurd("binary", "4294967296 CPUs", "4")),
        ("cpu", "4k", {}, None),
        ("memory", "512m", {}, Absurd("default", "0.512 bytes", "512Mi")),
        ("memory", "512k", {}, Absurd("default", "512000 bytes", "512M")),
        ("memory", "512Ki", {}, Absurd("default", "524288 bytes", "512Mi")),
        ("memory", "1", {}, Absurd("default", "1 byte", "1Gi")),
        ("memory", "15", {}, Absurd("default", "15 bytes", "15Gi")),
        ("memory", "16", {}, Absurd("default", "16 bytes", "16Mi")),
        ("requests.storage", "16", {}, Absurd("default", "16 bytes", "16Gi")),
        ("ephemeral-storage", "16", {}, Absurd("default", "16 bytes", "16Mi")),
        ("memory", "999999", {}, Absurd("default", "999999 bytes", "999999Mi")),
        ("memory", "1M", {}, None),
        ("memory", "1000000", {}, None),
        ("memory", "1073741824000m", {}, Absurd("default", "1073741824 bytes", "1024Mi")),
        ("memory", "1073741824500m", {}, Absurd("default", "1073741824.5 bytes", "1073741825")),
        ("requests.memory", "8", {"limits.memory": "16T"}, Absurd("default", "8 bytes", "8T")),
        ("requests.memory", "8", {"requests.memory": "8M"}, Absurd("default", "8 bytes", "8Gi")),
        ("requests.memory", "8", {"limits.cpu": "16M"}, Absurd("default", "8 bytes", "8Gi")),
        ("requests.memory", "8", {"limits.memory": "16"}, Absurd("default", "8 bytes", "8Gi")),
        ("requests.memory", "8", {"pods": "many", "limits.memory": "much"}, Absurd("default", "8 bytes", "8Gi")),
        ("memory", "0", {}, None),
        ("memory", "much", {}, None),
        ("memory", "8e3", {}, None),
        ("pods", "8m", {}, None),
        ("hugepages-2Mi", "8", {}, None),
    ],
)
def test_an_amount_by_itself(
    resource: str, written: str, neighbours: dict[str, object], expected: Absurd | None
) -> None:
    assert absurd_amount(resource, written, neighbours) == expected


@pytest.mark.parametrize(
    ("written", "meaning", "meant"),
    [
        ("512m", "0.512 bytes", "512Mi"),
        ("1610612736000m", "1610612736 bytes", "1536Mi"),
        ("107374182400m", "107374182.4 bytes", "107374183"),
    ],
)
def test_thousandths_of_bytes_are_not_meant(written: str, meaning: str, meant: str) -> None:
    why = absurd_amount("requests.memory", written, {})
    assert why is not None
    assert (why.meaning, why.meant) == (meaning, meant)


@pytest.mark.parametrize("written", ["1Mi", "0.1Gi", "1.5G", "1073741824", "1e9", "0"])
def test_what_is_usual_is_not_absurd(written: str) -> None:
    assert absurd_amount("requests.memory", written, {}) is None
