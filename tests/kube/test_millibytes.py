"""Bytes that are counted in thousandths: half a byte, and amounts that come to a fraction of one."""

from __future__ import annotations

import pytest

from quotalint.kube.plausibility import absurd_amount


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
