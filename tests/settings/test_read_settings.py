"""Configuration and options → the settings that they come to, and what these say of a file."""

from pathlib import Path
from typing import Any

import pytest
from settings_errors import KNOWN

from quotalint.runtime.data import load_schema
from quotalint.settings import ChartRelease, ConfiguredCluster, IgnoreRule, Nodes, Options, Renderers, Settings
from quotalint.settings.loading import load_settings
from quotalint.text.place import Place

PROPERTIES: Any = load_schema("config")["properties"]


def ignore_at(key: str | int) -> Place:
    """Where the configuration ignores something."""
    return Place(".quotalint.yaml", 0, ("ignore", key))


BY_RULE = IgnoreRule(("QL201",), ("legacy/",), (), ignore_at("QL201"))


def test_every_setting_is_read(folder: Path) -> None:
    (folder / ".quotalint.yaml").write_text("""
exclude: [testdata/, "*.tmp.yaml"]
select: [QL, QLC-team]
ignore:
- QL305
- rules: [QL201, QL202]
  resources: [limits.nvidia.com/gpu]
- {rules: [QL3], paths: [legacy/**]}
severity: {QL3: warning, QL301: error, QL501: off, QL202: "off"}
failOn: never
nodes:
  "*": 12
  "zone=a, disk=ssd": 3
  node-role.kubernetes.io/worker=: 9
namespaces:
  /team-a/: team-a
  "*": rest
kubeVersion: v1.30.2
thresholds: {nearlyFull: 80%}
environments: {prod: [/clusters/prod/, overlays/prod], dev: overlays/dev}
clusters:
  prod: {server: "https://prod.example.org", labels: {stage: prod}, annotations: {team: a}, instance: /hub}
  dev:
sources: {"https://charts.example.org": vendor/charts/}
renderers:
  kustomize: off
  helm:
    charts/web: {release: shop, namespace: team-a, values: values/prod.yaml, environment: prod}
    charts/db:
    - {namespace: team-a}
    - {namespace: team-b, values: [a.yaml, b.yaml]}
""")
    assert load_settings(["."], Options(), KNOWN) == Settings(
        root=str(folder),
        repository=str(folder),
        file=".quotalint.yaml",
        exclude=("testdata/", "*.tmp.yaml"),
        select=("QL", "QLC-team"),
        ignore=(
            IgnoreRule(("QL305",), place=ignore_at(0)),
            IgnoreRule(("QL201", "QL202"), (), ("limits.nvidia.com/gpu",), ignore_at(1)),
            IgnoreRule(("QL3",), ("legacy/**",), (), ignore_at(2)),
        ),
        severity={"QL3": "warning", "QL301": "error", "QL501": "off", "QL202": "off"},
        fail_on="never",
        nodes=Nodes(12, {"disk=ssd,zone=a": 3, "node-role.kubernetes.io/worker=": 9}),
        namespaces=(("/team-a/", "team-a"), ("*", "rest")),
        kube_version="1.30",
        nearly_full=80,
        environments=(("prod", ("/clusters/prod/", "overlays/prod")), ("dev", ("overlays/dev",))),
        clusters=(
            ConfiguredCluster("prod", "https://prod.example.org", {"stage": "prod"}, {"team": "a"}, "hub"),
            ConfiguredCluster("dev"),
        ),
        sources=(("https://charts.example.org", "vendor/charts"),),
        renderers=Renderers(
            kustomize="off",
            releases=(
                ChartRelease("charts/web", "shop", "team-a", ("values/prod.yaml",), "prod"),
                ChartRelease("charts/db", "db", "team-a"),
                ChartRelease("charts/db", "db", "team-b", ("a.yaml", "b.yaml")),
            ),
        ),
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", {}, id="an empty file"),
        pytest.param("# exclude:\n---\n", {}, id="only comments"),
        pytest.param("".join(f"{key}:\n" for key in PROPERTIES), {}, id="keys without values"),
        pytest.param("ignore: {QL201: [legacy/]}", {"ignore": (BY_RULE,)}, id="by rule"),
        pytest.param("baseline: known/a.yaml", {"baseline": "known/a.yaml"}, id="a baseline"),
        pytest.param("nodes: 0", {"nodes": Nodes(0)}, id="one number of nodes"),
        pytest.param("thresholds: {nearlyFull: 100}", {"nearly_full": 100}, id="a share as a number"),
        pytest.param("renderers: {kustomize: binary, helm: off}", {"renderers": Renderers("binary", "off")}, id="off"),
        pytest.param('{"kubeVersion": "1.28"}', {"kube_version": "1.28"}, id="JSON"),
    ],
)
def test_a_setting_is_read_in_each_of_its_forms(folder: Path, text: str, expected: dict[str, Any]) -> None:
    (folder / ".quotalint.yaml").write_text(text)
    default = Settings(str(folder), ".quotalint.yaml", repository=str(folder))
    assert load_settings(["."], Options(), KNOWN) == default._replace(**expected)


def test_options_override(folder: Path) -> None:
    (folder / ".quotalint.yaml").write_text(
        "select: [QL3]\nignore: [QL305]\nfailOn: info\nnodes: {'*': 1, a=b: 2}\nkubeVersion: '1.30'"
    )
    options = Options(None, ("QL5",), ("QL501",), "never", 7, "1.33.1")
    assert load_settings(["."], options, KNOWN) == Settings(
        str(folder),
        ".quotalint.yaml",
        repository=str(folder),
        select=("QL5",),
        ignore=(IgnoreRule(("QL305",), place=ignore_at(0)), IgnoreRule(("QL501",))),
        fail_on="never",
        nodes=Nodes(7, {"a=b": 2}),
        kube_version="1.33",
    )


@pytest.mark.parametrize(
    ("rule", "source", "resource", "expected"),
    [
        pytest.param("QL305", "a.yaml", "", True, id="everywhere"),
        pytest.param("QL301", "a.yaml", "", False, id="another rule"),
        pytest.param("QL401", "legacy/a/b.yaml", "", True, id="in a path"),
        pytest.param("QL401", "a/legacy/b.yaml", "", False, id="not in the path"),
        pytest.param("QL401", "<stdin>", "", False, id="standard input has no path"),
        pytest.param("QL201", "a.yaml", "limits.nvidia.com/gpu", True, id="about a resource"),
        pytest.param("QL201", "a.yaml", "nvidia.com/gpu", False, id="about another resource"),
    ],
)
def test_a_finding_is_ignored_where_its_rule_and_place_fit(
    folder: Path, rule: str, source: str, resource: str, expected: bool
) -> None:
    settings = Settings(
        str(folder),
        None,
        ignore=(
            IgnoreRule(("QL305",)),
            IgnoreRule(("QL4",), ("/legacy/",)),
            IgnoreRule(("QL201",), (), ("limits.nvidia.com/gpu",)),
        ),
    )
    assert bool(settings.ignored_by(rule, source, resource)) is expected


def test_patterns_are_relative_to_the_root_from_everywhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(str(folder), None, namespaces=(("/team-a/", "a"), ("*.yaml", "rest")))
    (folder / "team-b").mkdir()
    monkeypatch.chdir("team-b")
    sources = ["../team-a/x/y.yaml", "team-a/x.yaml", "../x.json", "<stdin>"]
    assert [settings.namespace_of(source) for source in sources] == ["a", "rest", None, None]
