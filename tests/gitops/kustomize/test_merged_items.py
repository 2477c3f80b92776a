"""Items of a list that one key tells apart are merged in one pass, to what upstream's way comes to."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quotalint.gitops.kustomize import strategic_merge
from quotalint.gitops.kustomize.merge_types import ListRule
from quotalint.gitops.kustomize.strategic_merge import Elements, MergeError, _merge_value
from quotalint.gitops.kustomize.traced import Traced, elements
from quotalint.text.place import Place

ITEMS = st.lists(
    st.fixed_dictionaries(
        {"name": st.sampled_from(["a", "b", "c", 1])},
        optional={
            "v": st.sampled_from([1, None, {"x": None}, {"x": 1}]),
            "$patch": st.sampled_from(["replace", "delete"]),
        },
    ),
    max_size=4,
    unique_by=lambda item: item["name"],
)


@example([{"name": "a", "v": 1}], [{"name": "a", "v": {"x": None}}])
@given(ITEMS, ITEMS)
def test_items_that_their_names_tell_apart_merge_as_any_do(mine: list[object], patch: list[object]) -> None:
    def walk(mine: Traced | None, theirs: Traced | None) -> Traced | None:
        return _merge_value(mine, theirs, ListRule(None, ""), {}, 1)

    def outcome_of(merge: Callable[[Sequence[Traced], Sequence[Traced]], list[Traced]]) -> list[Traced] | str:
        try:
            return merge(dest_items, patch_items)
        except MergeError as error:
            return str(error)

    merging = Elements(("name",), walk)
    dest_items, patch_items = elements(Traced(mine, Place("mine"))), elements(Traced(patch, Place("patch")))
    assert outcome_of(merging.merge_items) == outcome_of(merging._merge_any_items)


FIELDS = {"list": ListRule(("name",), "T"), "inner": ListRule(None, "T"), "texts": ListRule((), "")}
LEAVES = st.sampled_from([None, 1, "x", ["a", "a"], [{"name": "a", "v": None}, {"name": "a"}]])
BODIES = st.recursive(
    LEAVES,
    lambda inner: st.dictionaries(st.sampled_from(["a", "inner", "list", "texts", "$patch"]), inner, max_size=4),
    max_leaves=12,
)


@example({"a": {"a": None}, "inner": {"texts": ["x", "x"]}}, {"list": {"a": {"a": None}}})
@given(BODIES, BODIES)
def test_what_a_merge_leaves_as_it_stands_is_what_a_walk_through_it_comes_to(mine: object, patch: object) -> None:
    def outcome() -> Traced | str | None:
        dest = Traced(mine, Place("mine"))
        try:
            return _merge_value(dest, Traced(patch, Place("patch")), ListRule(None, "T"), {"T": FIELDS}, 0)
        except MergeError as error:
            return str(error)

    at_once = outcome()
    with pytest.MonkeyPatch.context() as every_step:
        every_step.setattr(strategic_merge, "_is_normalized", lambda *_: False)
        every_step.setattr(strategic_merge, "_is_plain", lambda _: False)
        assert outcome() == at_once
