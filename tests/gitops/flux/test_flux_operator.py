"""ResourceSets and FluxInstances of the Flux Operator, from files to findings."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest
from gitops_outcome import Case, applied, checked, expected, outcome, params, unknowns
from manifests import quota, web

from quotalint.gitops.flux.resource_sets import filled_text, filled_value
from quotalint.gitops.go.values import GoError, as_decoded

HOME = {"quota.yaml": quota("edge"), "proxy.yaml": web(1, "edge", "proxy")}


def resource_set(inputs: str, resources: str = "", more: str = "") -> str:
    """A ResourceSet; `resources` are the items of a list."""
    head = (
        "apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: {name: tenants, namespace: flux-system}\n"
        "spec:\n"
    )
    given = f"  inputs: {inputs}\n" if inputs else ""
    items = "".join(f"    -\n{indent(part, '      ')}" for part in resources.split("---\n") if part)
    return head + given + more + (f"  resources:\n{items}" if items else "")


def provider(name: str, kind: str, values: str, labels: str = "") -> str:
    return (
        "---\napiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSetInputProvider\n"
        f"metadata: {{name: {name}, namespace: flux-system, labels: {{{labels}}}}}\n"
        f"spec: {{type: {kind}, defaultValues: {{{values}}}}}\n"
    )


GATE = web("<< inputs.size | int >>", "edge", "gate-<< inputs.name >>")
TWO_SIZES = "[{name: a, size: '2'}, {name: b, size: 3}]"

CASES = [
    Case(
        "an object for each input",
        {**HOME, "set.yaml": resource_set(TWO_SIZES, GATE)},
        ("edge/base pods 6/8 exact",),
    ),
    Case(
        "what does not depend on the input is one object",
        {**HOME, "set.yaml": resource_set(TWO_SIZES, web(4, "edge", "shared"))},
        ("edge/base pods 5/8 exact",),
    ),
    Case(
        "without inputs the resources are taken once",
        {**HOME, "set.yaml": resource_set("", web(4, "edge", "alone"))},
        ("edge/base pods 5/8 exact",),
    ),
    Case(
        "what an annotation disables is left out",
        {
            **HOME,
            "set.yaml": resource_set(
                TWO_SIZES,
                GATE.replace(
                    ", namespace: edge}",
                    ", namespace: edge, annotations: {fluxcd.controlplane.io/reconcile: "
                    "'<< if eq inputs.name \"a\" >>enabled<< else >>disabled<< end >>'}}",
                ),
            ),
        },
        ("edge/base pods 3/8 exact",),
    ),
    Case(
        "a template of several documents",
        {
            **HOME,
            "set.yaml": resource_set(
                "[{names: [a, b, c]}]",
                more="  resourcesTemplate: |\n    << range $name := inputs.names >>\n"
                + indent("---\n" + web(2, "edge", "gate-<< $name >>"), "    ")
                + "    << end >>\n",
            ),
        },
        ("edge/base pods 7/8 exact",),
    ),
    Case(
        "steps one after the other",
        {
            **HOME,
            "set.yaml": resource_set(
                TWO_SIZES, more="  steps:\n  - name: one\n    resources:\n    -\n" + indent(GATE, "      ")
            ),
        },
        ("edge/base pods 6/8 exact",),
    ),
    Case(
        "a static provider beside the inputs",
        {
            **HOME,
            "set.yaml": resource_set("[{name: a, size: 2}]", GATE, "  inputsFrom: [{name: more}]\n")
            + provider("more", "Static", "name: c, size: 4"),
        },
        ("edge/base pods 7/8 exact",),
    ),
    Case(
        "static providers by their labels",
        {
            **HOME,
            "set.yaml": resource_set("", GATE, "  inputsFrom: [{selector: {matchLabels: {team: edge}}}]\n")
            + provider("one", "Static", "name: c, size: 4", "team: edge")
            + provider("two", "Static", "name: d, size: 1", "team: edge")
            + provider("three", "Static", "name: e, size: 9", "team: other"),
        },
        ("edge/base pods 6/8 exact",),
    ),
    Case(
        "a provider that asks a server",
        {
            **HOME,
            "set.yaml": resource_set("[{name: a, size: 2}]", GATE, "  inputsFrom: [{name: more}]\n")
            + provider("more", "GitHubPullRequest", "name: c, size: 4"),
        },
        ("edge/base pods 3/8 at-least",),
        ("set.yaml:1:1 QL003 warning",),
    ),
    Case(
        "an input that is not given",
        {**HOME, "set.yaml": resource_set("[{name: a}]", GATE)},
        ("edge/base pods 1/8 at-least",),
        ("set.yaml:1:1 QL003 warning",),
    ),
    Case(
        "a Kustomization for each input, with its variables",
        {
            "clusters/one/set.yaml": resource_set(
                TWO_SIZES,
                "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
                "metadata: {name: '<< inputs.name >>', namespace: flux-system}\n"
                "spec:\n  path: ./team\n  targetNamespace: team-<< inputs.name >>\n"
                "  postBuild: {substitute: {SIZE: '<< inputs.size >>'}}\n",
            ),
            "team/quota.yaml": quota(),
            "team/web.yaml": web("${SIZE}"),
        },
        ("team-a/base pods 2/8 exact", "team-b/base pods 3/8 exact"),
    ),
    Case(
        "an instance is where a cluster begins",
        {
            "clusters/one/flux.yaml": (
                "apiVersion: fluxcd.controlplane.io/v1\nkind: FluxInstance\n"
                "metadata: {name: flux, namespace: flux-system}\n"
                "spec:\n  distribution: {version: 2.x}\n"
                "  sync: {kind: GitRepository, url: 'https://example.com/fleet', ref: refs/heads/main,\n"
                "    path: clusters/one}\n"
                "  kustomize:\n    patches:\n"
                "    - target: {kind: Kustomization, name: flux-system}\n"
                "      patch: '- {op: add, path: /spec/postBuild, value: {substitute: {SIZE: \"5\"}}}'\n"
                "    - target: {kind: Deployment}\n"
                "      patch: '- {op: add, path: /spec/replicas, value: 3}'\n"
            ),
            "clusters/one/edge.yaml": "---\n".join((quota("edge"), web("${SIZE}", "edge"))),
        },
        ("edge/base pods 5/8 exact",),
    ),
]


@pytest.mark.parametrize("case", params(CASES))
def test_what_a_user_of_the_operator_is_told(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(tmp_path, case.files, monkeypatch) == expected(case)


def test_what_an_instance_installs_is_not_in_view(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "flux.yaml": "apiVersion: fluxcd.controlplane.io/v1\nkind: FluxInstance\n"
        "metadata: {name: flux, namespace: flux-system}\nspec: {distribution: {version: 2.x}}\n",
        "quota.yaml": quota("flux-system"),
        "web.yaml": web(1, "flux-system"),
    }
    (reason,) = unknowns(checked(tmp_path, files, monkeypatch))["flux-system/base pods"]
    assert reason == "flux.yaml: FluxInstance flux installs the controllers of Flux, which are not in view"


def test_common_labels_are_added_to_every_object(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    space = "apiVersion: v1\nkind: Namespace\nmetadata: {name: '<< inputs.name >>', labels: {a: b}}\n"
    files = {"set.yaml": resource_set(TWO_SIZES, space, "  commonMetadata: {labels: {team: edge}}\n")}
    result = checked(tmp_path, files, monkeypatch)
    assert applied(result) == {"": ["Namespace /a", "Namespace /b", "ResourceSet flux-system/tenants"]}
    labels = [obj.metadata["labels"] for obj in result.environments[0].cluster.objects if obj.kind == "Namespace"]
    assert labels == [{"a": "b", "team": "edge"}] * 2


@pytest.mark.parametrize(
    ("written", "becomes"),
    [
        ("<< inputs.size >>", 2),
        ("<< inputs.size | quote >>", "2"),
        ("<< inputs.on >>", True),
        ("x-<< inputs.name >>", "x-a"),
        ("<< inputs.layer | toYaml | nindent 4 >>", {"kind": "copy"}),
        ("{{ .Values.x }} << inputs.name >>", "{{ .Values.x }} a"),
        ('<< if eq inputs.name "inputs" >>1<< else >>2<< end >>', 2),
        ("line\n<< inputs.size >>", "line\n2"),
        ("<< inputs.provider.name >>", "tenants"),
        ("no template", "no template"),
    ],
)
def test_a_value_with_its_inputs(written: str, becomes: object) -> None:
    inputs = {"size": 2, "name": "a", "on": True, "layer": {"kind": "copy"}, "provider": {"name": "tenants"}}
    assert filled_value({"x": [written]}, as_decoded(inputs)) == {"x": [becomes]}


@pytest.mark.parametrize("written", ["<< inputs.other >>", "<< inputs.name", "<< nobody >>", "<< inputs.name | int"])
def test_a_template_that_fails(written: str) -> None:
    if ">>" not in written:
        assert filled_text(written, {}) == written
        return
    with pytest.raises(GoError):
        filled_text(written, {"name": "a"})
