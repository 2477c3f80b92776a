"""Fields that a kustomization does not have, and values of other types than they should be."""

from __future__ import annotations

from pathlib import Path

import pytest
from kustomize_trees import REFUSES, WEB, Case, expected, names, rendered


def refuses(field: str, *reasons: str) -> Case:
    """A field that Kustomize refuses, without anything that the others come to."""
    files = {"kustomization.yaml": f"resources: [web.yaml]\n{field}", "web.yaml": WEB}
    return Case(f"refuses {field}", files, WEB, tuple(("refused", reason) for reason in reasons), REFUSES)


def takes(field: str) -> Case:
    """A field that is taken, and changes nothing here."""
    return Case(f"takes {field}", {"kustomization.yaml": f"resources: [web.yaml]\n{field}", "web.yaml": WEB}, WEB)


CASES = [
    refuses("namepsace: shop", "a kustomization has no field `namepsace`"),
    refuses("images: [{name: nginx, newTag: 1.0}]", "`newTag` must be a string"),
    refuses("images: [{name: nginx, tag: v1}]", "an entry of `images` has no field `tag`"),
    refuses("images: {name: nginx}", "`images` must be a list"),
    refuses("labels: [app]", "an entry of `labels` must be a mapping"),
    refuses("labels: [{pairs: {}, includeSelectors: 'true'}]", "`includeSelectors` must be true or false"),
    refuses("commonLabels: [app]", "`commonLabels` must be a mapping of strings"),
    refuses("generatorOptions: {labels: {version: 1}}", "`labels` must be a mapping of strings"),
    refuses("patchesStrategicMerge: {a: b}", "`patchesStrategicMerge` must be a list"),
    refuses("metadata: {name: 5}", "`name` must be a string"),
    refuses("components: 5", "`components` must be a list"),
    refuses("generatorOptions: {disableNameSuffixHash: 'no'}", "`disableNameSuffixHash` must be true or false"),
    takes("metadata: {name: web}"),
    takes("components:"),
    takes("images: [{name: nginx, newTag: null}]"),
    takes("sortOptions: {order: fifo}"),
    takes("labels: [{pairs: {}}]"),
]


@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_a_field_is_taken_or_refused_as_kustomize_does(case: Case, tmp_path: Path) -> None:
    assert rendered(tmp_path, case) == expected(case)
