"""What a finding is known by says nothing of the version of something remote."""

from __future__ import annotations

import pytest

from quotalint.results.finding import without_pins


@pytest.mark.parametrize(
    "several",
    [
        ("https://github.com/acme/base?ref=v1.2.0 is remote", "https://github.com/acme/base?ref=main is remote"),
        ("oci://ghcr.io/acme/charts/web:1.2.3 is remote", "oci://ghcr.io/acme/charts/web:1.3.0-rc.1 is remote"),
        (
            "ghcr.io/acme/web@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef is remote",
            "ghcr.io/acme/web@sha256:ffff456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef is remote",
        ),
        (
            "chart ingress-nginx 4.7.1 of https://charts.example.org",
            "chart ingress-nginx 4.8.0 of https://charts.example.org",
        ),
        ("chart web version 1.2.3 is remote", "chart web version 2.0.0 is remote"),
    ],
)
def test_another_version_is_the_same(several: tuple[str, str]) -> None:
    assert without_pins(several[0]) == without_pins(several[1])


@pytest.mark.parametrize(
    "text", ["https://charts.example.org:8443/web is remote", "apps/v1 of web2 is missing", "a/b.yaml"]
)
def test_what_is_no_version_stays(text: str) -> None:
    assert without_pins(text) == text
