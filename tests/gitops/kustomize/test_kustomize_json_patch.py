"""The operations of JSON patches."""

from __future__ import annotations

from pathlib import Path

import pytest
from kustomize_trees import Case, expected, names, rendered

SPEC = "a: 1, list: [x, b, z], deep: {b: {c: d}}, a/b~c: e"
HEAD = "apiVersion: example.com/v1, kind: Widget, metadata: {name: w}"


def tree(operations: str) -> dict[str, str]:
    """A kustomization with a JSON patch."""
    kustomization = "resources: [w.yaml]\npatches: [{path: patch.yaml, target: {kind: Widget}}]"
    return {
        "kustomization.yaml": kustomization,
        "w.yaml": f"{{{HEAD}, spec: {{{SPEC}, none: null}}}}",
        "patch.yaml": operations,
    }


def noted(annotations: str, operations: str) -> dict[str, str]:
    """The same for an object with annotations."""
    files = tree(operations)
    return {**files, "w.yaml": files["w.yaml"].replace("name: w", f"name: w{annotations}")}


def gives(operations: str, spec: str, head: str = HEAD) -> Case:
    """Operations and the spec that they give."""
    return Case(f"gives {operations}", tree(operations), f"{{{head}, spec: {{{spec}}}}}")


def wrong(operations: str, reason: str) -> Case:
    """Operations that Kustomize refuses."""
    problem = ("refused", f"the patch is not applied: {reason}")
    return Case(f"refuses {operations}", tree(operations), f"{{{HEAD}, spec: {{{SPEC}}}}}", (problem,), "refuses")


OWN = "internal.config.kubernetes.io/previous"
FORMER = {"Kinds": "Widget", "Names": "w", "Namespaces": "default"}
REST = "list: [x, b, z], deep: {b: {c: d}}, a/b~c: e"
MAPS = "deep: {b: {c: d}}, a/b~c: e"

CASES = [
    gives("[]", SPEC),
    gives("- {op: add, path: /spec/a, value: 2}", f"a: 2, {REST}"),
    gives("- {op: add, path: /spec/new, value: {x: [1]}}", f"{SPEC}, new: {{x: [1]}}"),
    gives("- {op: add, path: /spec/list/-, value: i}", f"a: 1, list: [x, b, z, i], {MAPS}"),
    gives("- {op: add, path: /spec/list/0, value: i}", f"a: 1, list: [i, x, b, z], {MAPS}"),
    gives("- {op: add, path: /spec/list/3, value: i}", f"a: 1, list: [x, b, z, i], {MAPS}"),
    gives("- {op: add, path: /spec/list/-1, value: i}", f"a: 1, list: [x, b, z, i], {MAPS}"),
    gives("- {op: add, path: /spec/list/+1, value: i}", f"a: 1, list: [x, i, b, z], {MAPS}"),
    gives("- {op: add, path: /spec/list/01, value: i}", f"a: 1, list: [x, i, b, z], {MAPS}"),
    gives("- {op: add, path: /spec/a~1b~0c, value: i}", "a: 1, list: [x, b, z], deep: {b: {c: d}}, a/b~c: i"),
    gives("- {op: add, path: /spec/a, value: null}", REST),
    gives("- {op: add, path: /spec/a}", REST),
    gives("- {op: add, path: /spec/, value: i}", f'{SPEC}, "": i'),
    gives("- {op: add, path: what/spec/a, value: 7}", f"a: 7, {REST}"),
    gives("- {op: add, path: /spec/a, value: yes}", f"a: true, {REST}"),
    gives("- {op: replace, path: /spec/a, value: 2}", f"a: 2, {REST}"),
    gives("- {op: replace, path: /spec/new, value: 2}", f"{SPEC}, new: 2"),
    gives("- {op: replace, path: /spec/none, value: 2}", f"{SPEC}, none: 2"),
    gives("- {op: replace, path: /spec/list/1, value: i}", f"a: 1, list: [x, i, z], {MAPS}"),
    gives("- {op: replace, path: /spec/list/-1, value: i}", f"a: 1, list: [x, b, i], {MAPS}"),
    gives("- {op: remove, path: /spec/a}", REST),
    gives("- {op: remove, path: /spec/list/0}", f"a: 1, list: [b, z], {MAPS}"),
    gives("- {op: remove, path: /spec/list/-1}", f"a: 1, list: [x, b], {MAPS}"),
    gives("- {op: remove, path: /spec/none}", SPEC),
    gives("- {op: move, from: /spec/a, path: /spec/b}", f"{REST}, b: 1"),
    gives("- {op: move, from: /spec/list/0, path: /spec/list/2}", f"a: 1, list: [b, z, x], {MAPS}"),
    gives("- {op: copy, from: /spec/deep, path: /spec/b}", f"{SPEC}, b: {{b: {{c: d}}}}"),
    gives("- {op: copy, from: /spec/list/0, path: /spec/list/-}", f"a: 1, list: [x, b, z, x], {MAPS}"),
    gives("- {op: copy, from: /spec/no, path: /spec/b}", SPEC),
    gives("- {op: test, path: /spec/a, value: 1}", SPEC),
    gives("- {op: test, path: /spec/a, value: 1.0}", SPEC),
    gives("- {op: test, path: /spec/none, value: null}", SPEC),
    gives("- {op: test, path: /spec/no, value: null}", SPEC),
    gives("- {op: test, path: /spec/deep, value: {b: {c: d}}}", SPEC),
    gives("- {op: replace, path: /kind, value: Other}", SPEC, HEAD.replace("Widget", "Other")),
    gives("- {op: replace, path: /metadata/name, value: other}", SPEC, HEAD.replace("name: w", "name: other")),
    *(
        Case(
            f"annotations {before}: {operation}",
            noted(before, operation),
            f"{{{HEAD[:-1]}{after}}}, spec: {{{SPEC}}}}}",
        )
        for before in ("", ", annotations: null", ", annotations: {}")
        for operation, after in (
            ("- {op: add, path: /metadata/annotations/x, value: b}", ", annotations: {x: b}"),
            ("- {op: replace, path: /metadata/annotations/x, value: b}", ", annotations: {x: b}"),
            ("- {op: add, path: /metadata/annotations, value: {x: b}}", ", annotations: {x: b}"),
            ("- {op: remove, path: /metadata/annotations}", ""),
        )
    ),
    Case(
        "Kustomize's own annotations are copied",
        noted("", "- {op: copy, from: /metadata/annotations, path: /spec/b}"),
        f"{{{HEAD}, spec: {{{SPEC}, b: {{{', '.join(f'{OWN}{key}: {value}' for key, value in FORMER.items())}}}}}}}",
    ),
    wrong("- {op: remove, path: /metadata/annotations/x}", "there is no `x` to remove"),
    wrong("- {op: test, path: /metadata/annotations, value: null}", "the test of /metadata/annotations fails"),
    wrong("- {op: add, path: /metadata/labels/x, value: b}", "there is no `labels` on the way"),
    wrong("- {op: add, path: /spec/list/4, value: i}", "the list has no item 4"),
    wrong("- {op: add, path: /spec/list/x, value: i}", "`x` is not a list index"),
    wrong("- {op: add, path: /spec/list/1_0, value: i}", "`1_0` is not a list index"),
    wrong("- {op: add, path: /spec/list/ 1, value: i}", "` 1` is not a list index"),
    wrong("- {op: add, path: /spec/no/new, value: i}", "there is no `no` on the way"),
    wrong("- {op: add, path: /spec/none/new, value: i}", "there is nothing that could hold `new`"),
    wrong("- {op: add, path: /spec/deep/b/c/d, value: 1}", "there is nothing that could hold `d`"),
    wrong('- {op: add, path: "", value: {a: b}}', "an operation has no path"),
    wrong("- {op: add, value: 1}", "an operation has no path"),
    wrong("- {op: add, path: 1, value: 1}", "an operation has no path"),
    wrong("- {op: replace, path: /spec/list/9, value: 2}", "the list has no item 9"),
    wrong("- {op: replace, path: /spec/list/-, value: 2}", "`-` is not a list index"),
    wrong("- {op: replace, path: /spec/no/new, value: 2}", "there is no `no` on the way"),
    wrong("- {op: remove, path: /spec/no}", "there is no `no` to remove"),
    wrong("- {op: remove, path: /spec/list/5}", "the list has no item 5"),
    wrong("- {op: remove, path: /spec/a/b}", "there is nothing that could hold `b`"),
    wrong("- {op: remove, path: /metadata/name}", "what is left has no name"),
    wrong("- {op: remove, path: /metadata}", "what is left has no name"),
    wrong("- {op: remove, path: /kind}", "what is left has no kind"),
    wrong("- {op: replace, path: /metadata, value: x}", "what is left has no name"),
    wrong("- {op: move, from: /spec/no, path: /spec/b}", "there is no /spec/no"),
    wrong("- {op: move, from: /spec/deep, path: /spec/deep/b/x}", "there is no `deep` on the way"),
    wrong("- {op: copy, from: /spec/a, path: /spec/no/b}", "there is no `no` on the way"),
    wrong("- {op: copy, path: /spec/b}", "an operation has no from"),
    wrong("- {op: test, path: /spec/a, value: 2}", "the test of /spec/a fails"),
    wrong('- {op: test, path: /spec/a, value: "1"}', "the test of /spec/a fails"),
    wrong("- {op: test, path: /spec/a, value: true}", "the test of /spec/a fails"),
    wrong("- {op: test, path: /spec/no, value: 1}", "the test of /spec/no fails"),
    wrong("- {op: ADD, path: /spec/a, value: 1}", "`ADD` is not an operation"),
    wrong("- {path: /spec/a, value: 1}", "`` is not an operation"),
    wrong("- add", "`` is not an operation"),
]


@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_json_patches_are_applied_as_kustomize_does(case: Case, tmp_path: Path) -> None:
    assert rendered(tmp_path, case) == expected(case)
