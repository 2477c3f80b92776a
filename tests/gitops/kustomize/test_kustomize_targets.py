"""Which objects the target of a patch selects."""

from __future__ import annotations

from pathlib import Path

import pytest
from kustomize_trees import Case, expected, names, rendered, together

from quotalint.gitops.kustomize.selector_text import SelectorError, labels_match

ONE, MORE, SECRET, TWO, CUSTOM, NAMESPACE = range(6)
ALL = (ONE, MORE, SECRET, TWO, CUSTOM, NAMESPACE)
WRITTEN = [
    "{apiVersion: v1, kind: ConfigMap, metadata: {name: one, labels: {app: web, tier: front}}}",
    "{apiVersion: v1, kind: ConfigMap, metadata: {name: one-more, namespace: shop, labels: {app: db}}}",
    '{apiVersion: v1, kind: Secret, metadata: {name: one, annotations: {team: red, example.com/x: "1"}}}',
    "{apiVersion: apps/v1, kind: Deployment, metadata: {name: two, labels: {app: web}}}",
    "{apiVersion: example.com/v2, kind: Deployment, metadata: {name: one}}",
    "{apiVersion: v1, kind: Namespace, metadata: {name: one}}",
]


def tree(target: str) -> dict[str, str]:
    """A kustomization that marks the objects that a target selects."""
    kustomization = f"resources: [all.yaml]\npatches: [{{path: mark.yaml, target: {target}}}]"
    mark = "- {op: add, path: /marked, value: true}"
    return {"kustomization.yaml": kustomization, "all.yaml": together(*WRITTEN), "mark.yaml": mark}


def selects(target: str, *selected: int) -> Case:
    """A target and the numbers of the objects that it selects."""
    objects = [text[:-1] + ", marked: true}" if number in selected else text for number, text in enumerate(WRITTEN)]
    return Case(f"selects {target}", tree(target), together(*objects))


def wrong(target: str, reason: str) -> Case:
    """A target that Kustomize refuses."""
    problem = ("refused", f"the patch is not applied: {reason}")
    return Case(f"refuses {target}", tree(target), together(*WRITTEN), (problem,), "refuses")


CASES = [
    selects("{}", *ALL),
    selects("{group: apps}", TWO),
    selects('{group: ""}', *ALL),
    selects("{version: v1}", ONE, MORE, SECRET, TWO, NAMESPACE),
    selects("{version: v2, kind: Deployment}", CUSTOM),
    selects("{kind: Deployment}", TWO, CUSTOM),
    selects("{kind: Deploy}"),
    selects("{kind: Config.*}", ONE, MORE),
    selects("{kind: ConfigMap|Secret}", ONE, MORE, SECRET),
    selects("{name: one}", ONE, SECRET, CUSTOM, NAMESPACE),
    selects("{name: one.*}", ONE, MORE, SECRET, CUSTOM, NAMESPACE),
    selects("{name: o|two}", TWO),
    selects("{name: ^one$}", ONE, SECRET, CUSTOM, NAMESPACE),
    selects('{name: "on."}', ONE, SECRET, CUSTOM, NAMESPACE),
    selects("{name: one, kind: ConfigMap|Namespace}", ONE, NAMESPACE),
    selects("{namespace: shop}", MORE),
    selects("{namespace: default}", ONE, SECRET, TWO, CUSTOM),
    selects('{namespace: ".*"}', *ALL),
    selects('{namespace: "sh.*"}', MORE),
    selects("{labelSelector: app=web}", ONE, TWO),
    selects("{labelSelector: app==web}", ONE, TWO),
    selects('{labelSelector: "app!=web"}', MORE, SECRET, CUSTOM, NAMESPACE),
    selects('{labelSelector: "app in (web, db)"}', ONE, MORE, TWO),
    selects('{labelSelector: "app notin (web)"}', MORE, SECRET, CUSTOM, NAMESPACE),
    selects("{labelSelector: app}", ONE, MORE, TWO),
    selects('{labelSelector: "!app"}', SECRET, CUSTOM, NAMESPACE),
    selects('{labelSelector: "app=web,tier=front"}', ONE),
    selects('{labelSelector: "app in (web),tier"}', ONE),
    selects('{labelSelector: "  app = web , !tier"}', TWO),
    selects('{labelSelector: "app="}'),
    selects('{labelSelector: "app in (web,)"}', ONE, TWO),
    selects("{annotationSelector: team=red}", SECRET),
    selects('{annotationSelector: "example.com/x=1"}', SECRET),
    selects('{annotationSelector: "example.com/x>0"}', SECRET),
    selects('{annotationSelector: "example.com/x<1"}'),
    selects('{annotationSelector: "team>0"}'),
    wrong('{labelSelector: "app web"}', "`app web` is not a label selector"),
    wrong('{labelSelector: "=web"}', "`=web` is not a label selector"),
    wrong('{labelSelector: "app=web,"}', "`` is not a label selector"),
    wrong('{labelSelector: ",app=web"}', "`` is not a label selector"),
    wrong('{labelSelector: "app in (web"}', "`app in (web` is not a label selector"),
    wrong('{labelSelector: "app in web"}', "`app in web` is not a label selector"),
    wrong('{labelSelector: "app=a b"}', "`app=a b` is not a label selector"),
    wrong('{labelSelector: "-x=1"}', "`-x=1` is not a label selector"),
    wrong('{labelSelector: "app=_"}', "`app=_` is not a label selector"),
    wrong('{labelSelector: "app>x"}', "`app>x` is not a label selector"),
]


@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_a_target_selects_what_it_does_in_kustomize(case: Case, tmp_path: Path) -> None:
    assert rendered(tmp_path, case) == expected(case)


def test_a_selector_of_many_commas_is_refused_without_looking_at_each_rest() -> None:
    with pytest.raises(SelectorError):
        labels_match("," * 300_000, {"app": "web"})
