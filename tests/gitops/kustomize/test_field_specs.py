"""The fields that transformers write to."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from quotalint.gitops.kustomize import field_specs
from quotalint.gitops.kustomize.field_specs import FieldSpec, update_field
from quotalint.gitops.kustomize.kustomize_resource import GroupVersionKind
from quotalint.gitops.kustomize.traced import Traced
from quotalint.text.place import Place

PARTS = st.sampled_from(["a", "b", "a[]", "b[]"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.just("word"),
    lambda below: st.lists(below, max_size=2) | st.dictionaries(st.sampled_from(["a", "b"]), below, max_size=2),
    max_leaves=6,
)


def changed_values(value: object, path: list[str], *, look_first: bool) -> tuple[Traced, list[object]]:
    """What becomes of a value, and which fields were asked for; or the same without looking whether there is any."""
    asked: list[object] = []

    def change(field: Traced) -> Traced:
        asked.append(field)
        return field._replace(value="changed")

    whole = Traced(value, Place("a.yaml"))
    if look_first:
        spec = FieldSpec(tuple(path), GroupVersionKind("", "", ""), create=False)
        return update_field(whole, spec, change), asked
    return field_specs._update_below(whole, tuple(path), change, None, create=False), asked


@given(VALUES, st.lists(PARTS, min_size=1, max_size=3))
@example({"a": None}, ["a[]", "b"])  # null becomes an empty list, though nothing stands below it
@example([{"b": 1}, {"a": [{"b": 2}]}], ["a", "b"])
def test_only_what_cannot_change_is_left_alone(value: object, path: list[str]) -> None:
    assert changed_values(value, path, look_first=True) == changed_values(value, path, look_first=False)
