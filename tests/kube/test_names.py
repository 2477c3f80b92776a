"""Names as the API server judges them (apimachinery/pkg/util/validation/validation_test.go has more of each sort)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotalint.kube.names import qualified_errors, subdomain_errors

SUBDOMAIN = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start "
    "and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)
NAME = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
    "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
)

SUBDOMAINS: dict[str, tuple[str, tuple[str, ...]]] = {
    "one letter": ("a", ()),
    "digits": ("0", ()),
    "labels": ("a.b-c.0d", ()),
    "dashes within": ("a--b", ()),
    "253 characters": ("a" * 253, ()),
    # Only names of objects of some kinds are bound to labels of 63 characters.
    "a label of 100 characters": ("a" * 100 + ".b", ()),
    "254 characters": ("a" * 254, ("must be no more than 253 characters",)),
    "too long and wrong": ("A" * 254, ("must be no more than 253 characters", SUBDOMAIN)),
    "empty": ("", (SUBDOMAIN,)),
    "upper case": ("Quota", (SUBDOMAIN,)),
    "underscore": ("my_quota", (SUBDOMAIN,)),
    "begins with a dash": ("-a", (SUBDOMAIN,)),
    "ends with a dash": ("a-", (SUBDOMAIN,)),
    "begins with a dot": (".a", (SUBDOMAIN,)),
    "two dots": ("a..b", (SUBDOMAIN,)),
    "a label that ends with a dash": ("a-.b", (SUBDOMAIN,)),
    "space": ("a b", (SUBDOMAIN,)),
    "line end": ("a\n", (SUBDOMAIN,)),
    "letters beyond ASCII": ("größe", (SUBDOMAIN,)),
    "digits beyond ASCII": ("٣", (SUBDOMAIN,)),
}


@pytest.mark.parametrize("case", SUBDOMAINS)
def test_a_name_that_is_no_subdomain_is_refused(case: str) -> None:
    name, expected = SUBDOMAINS[case]
    assert subdomain_errors(name) == expected


QUALIFIED: dict[str, tuple[str, tuple[str, ...]]] = {
    "simple": ("simple", ()),
    "all sorts within": ("Now_is-the.time4", ()),
    "prefix": ("example.com/gpu", ()),
    "digits": ("1234/5678", ()),
    "name of 63": ("a" * 63, ()),
    "prefix of 253": ("a" * 253 + "/b", ()),
    "empty": ("", ("name part must be non-empty", f"name part {NAME}")),
    "empty name": ("example.com/", ("name part must be non-empty", f"name part {NAME}")),
    "empty prefix": ("/gpu", ("prefix part must be non-empty",)),
    "only a slash": ("/", ("prefix part must be non-empty", "name part must be non-empty", f"name part {NAME}")),
    "two slashes": (
        "a/b/c",
        (f"a valid label key {NAME} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",),
    ),
    "name of 64": ("a" * 64, ("name part must be no more than 63 bytes",)),
    "prefix of 254": ("a" * 254 + "/b", ("prefix part must be no more than 253 bytes",)),
    "upper case in the prefix": ("Example.com/gpu", (f"prefix part {SUBDOMAIN}",)),
    "upper case in the name": ("example.com/GPU", ()),
    "ends with a dash": ("a-", (f"name part {NAME}",)),
    "begins with an underscore": ("_a", (f"name part {NAME}",)),
    "space": ("a b", (f"name part {NAME}",)),
    "both wrong": ("_/_", (f"prefix part {SUBDOMAIN}", f"name part {NAME}")),
}


@pytest.mark.parametrize("case", QUALIFIED)
def test_a_name_that_is_not_qualified_is_refused(case: str) -> None:
    name, expected = QUALIFIED[case]
    assert qualified_errors(name) == expected


@given(st.text(max_size=20), st.text(max_size=20))
def test_a_prefixed_name_is_good_when_both_parts_are(prefix: str, name: str) -> None:
    good = not subdomain_errors(prefix) and not qualified_errors(name) and "/" not in name
    assert (not qualified_errors(f"{prefix}/{name}")) == good
