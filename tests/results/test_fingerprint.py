"""A fingerprint contains no version of something remote, and no words that were chosen later."""

from __future__ import annotations

import pytest

from quotalint.results.fingerprint import stable_reason


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
    assert stable_reason(several[0]) == stable_reason(several[1])


@pytest.mark.parametrize(
    "text", ["https://charts.example.org:8443/web is remote", "apps/v1 of web2 is missing", "a/b.yaml"]
)
def test_what_is_no_version_stays(text: str) -> None:
    assert stable_reason(text) == text


@pytest.mark.parametrize(
    ("reason", "former"),
    [
        (
            "Application a sets `directory` for apps/a, so Argo CD applies apps/a/kustomization.yaml as an object",
            "Application a says that apps/a is a `directory`, so Argo CD takes apps/a/kustomization.yaml for an object",
        ),
        (
            "Application a is not rendered: its source is of the types Helm and Kustomize, and Argo CD refuses more "
            "than one",
            "Application a is not rendered: its source is said to be Helm and Kustomize, which Argo CD refuses",
        ),
        (
            "bundles in a repository's root folder are not worked out",
            "what its root folder comes to is not worked out here",
        ),
        (
            "requests.cpu allows nothing, so there is no share of it",
            "requests.cpu allows nothing, of which there are no shares",
        ),
        ("a variable is a map with keys that are not strings", "a variable is a map of which not all keys are strings"),
        (
            "it depends on an amount that is only known as a lower bound",
            "it depends on an amount of which only a lower bound is known",
        ),
    ],
)
def test_a_reworded_reason_has_the_fingerprint_of_the_former_words(reason: str, former: str) -> None:
    assert stable_reason(reason) == former
