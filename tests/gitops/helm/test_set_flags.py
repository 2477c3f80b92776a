"""`--set` texts are read as Helm's own parser reads them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quotalint.gitops.helm.set_flags import ParameterError, with_parameters

helm_python = pytest.importorskip("helm_python")

TEXTS = st.text(alphabet="ab01.[]{}=,\\- tue", max_size=14)


def by_helm(text: str, function: str) -> Any:
    try:
        return json.loads(helm_python._native.call_string(function, text))
    except helm_python.HelmError:
        return "refused"


def by_us(text: str, is_string: bool) -> Any:
    try:
        return with_parameters({}, text, is_string=is_string)
    except ParameterError:
        return "refused"


@given(TEXTS)
@example("a=1,b.c=two,d={x,y}")
@example("a[1].b=c")
@example("a[0][1]=2")
@example("a\\.b=c\\,d")
@example("a=true,b=NULL,c=007,d=0,e=-5,f=+5,g=1_0,h=1e3,i=9223372036854775808")
@example("a={},b={x")
@example("a=,b")
@example("=1")
@example("a.b.=1")
@example("0.0=")
@example("a[0].b=")
@example("a[0][1].b=")
@example("a[0][1]=")
@example("a[0][1].b.c=,d=1")
@example("a[65537]=1")
@example("a[-1]=1")
@example("a=1,a.b=2")
@example("a=1,a[0]=2")
@example("a={x},a[2]=z,a[0].b=c")
def test_every_text_is_read_as_helm_reads_it(text: str) -> None:
    assert (by_us(text, False), by_us(text, True)) == (
        by_helm(text, "helm_strvals_parse"),
        by_helm(text, "helm_strvals_parse_string"),
    )


def test_values_that_are_there_stay() -> None:
    values = {"a": {"b": [1, {"c": 2}], "d": 3}}
    assert with_parameters(values, "a.b[1].c=9,a.e=x") == {"a": {"b": [1, {"c": 9}], "d": 3, "e": "x"}}
    assert values == {"a": {"b": [1, {"c": 2}], "d": 3}}
