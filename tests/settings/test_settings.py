import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from quotalint.data import load_schema
from quotalint.kubernetes_releases import DEFAULT
from quotalint.settings import (
    KUBE_VERSIONS,
    ChartRelease,
    ConfigError,
    ConfiguredCluster,
    IgnoreRule,
    Nodes,
    Options,
    Renderers,
    Settings,
    describe_error,
)
from quotalint.settings.file import of_value
from quotalint.settings.loading import load_settings
from quotalint.text.place import Place

PROPERTIES: Any = load_schema("config")["properties"]
KNOWN = frozenset({"QL001", "QL201", "QL202", "QL301", "QL305", "QL501"})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


NO_OPTIONS = Options()


def ignore_at(key: str | int) -> Place:
    """Where the configuration ignores something."""
    return Place(".quotalint.yaml", 0, ("ignore", key))


BY_RULE = IgnoreRule(("QL201",), ("legacy/",), (), ignore_at("QL201"))


def errors(text: str, options: Options = NO_OPTIONS, known: frozenset[str] | None = KNOWN) -> list[str]:
    Path(".quotalint.yaml").write_text(text)
    loaded = load_settings(["."], options, known)
    return [] if isinstance(loaded, Settings) else [describe_error(error) for error in loaded]


def test_everything(folder: Path) -> None:
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
def test_reads(folder: Path, text: str, expected: dict[str, Any]) -> None:
    (folder / ".quotalint.yaml").write_text(text)
    default = Settings(str(folder), ".quotalint.yaml", repository=str(folder))
    assert load_settings(["."], Options(), KNOWN) == default._replace(**expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "\n\nexcludes: []",
            ["3: `excludes` is not a known key; did you mean `exclude`?"],
            id="a near key",
        ),
        pytest.param(
            "failon: error",
            ["1: `failon` is not a known key; did you mean `failOn`?"],
            id="a key in lower case",
        ),
        pytest.param("whatever: 1", ["1: `whatever` is not a known key"], id="a far key"),
        pytest.param("baseline: [a]", ["1: `baseline` must be the path of a file, not a list"], id="no baseline"),
        pytest.param(
            "policies: {}",
            ["1: `policies` must be a list of rule files and policies, not a map"],
            id="no list of policies",
        ),
        pytest.param(
            "capacity: {cpu: much, reserve: {memory: 1GB}}",
            [
                '1: `capacity.cpu` must be an amount such as 26, 500m or 41Gi, not "much"',
                '1: `capacity.reserve.memory` must be an amount such as 26, 500m or 41Gi, not "1GB"',
            ],
            id="no amounts",
        ),
        pytest.param(
            "enforcement: later\ntemplates: 1\nrequiredLimits: cpu\n",
            [
                '1: `enforcement` must be admission or deferred, not "later"',
                "2: `templates` must be true or false, not 1",
                '3: `requiredLimits` must be a list, not "cpu"',
            ],
            id="what is demanded",
        ),
        pytest.param(
            "workloads: {widget: {podTemplate: spec.template}, Widget: {replicas: $.x, size: a}}",
            [
                "1: `widget` is not a kind with its group, such as Rollout.argoproj.io",
                "1: `workloads.Widget.replicas` must be the way to a field, such as spec.template or "
                'spec.roles.*.replicas, not "$.x"',
                "1: `size` is not a known key in `workloads.Widget`",
                "1: `workloads.Widget` names no pod template, such as `podTemplate: spec.template`",
            ],
            id="workloads",
        ),
        pytest.param(
            "policies: 1\nfoo: 1\nnodes: -1\n",
            [
                "1: `policies` must be a list of rule files and policies, not 1",
                "2: `foo` is not a known key",
                "3: `nodes` must be a whole number, or a map from labels of nodes to whole numbers, not -1",
            ],
            id="all of them",
        ),
        pytest.param("- a", ["1: `the configuration` must be a map, not a list"], id="a list"),
        pytest.param(
            "kubeVersion: 1.30",
            ['1: `kubeVersion` is read as the number 1.3; quote it: kubeVersion: "1.30"'],
            id="a version without quotes",
        ),
        pytest.param(
            "kubeVersion: 1.31",
            ['1: `kubeVersion` is read as the number 1.31; quote it: kubeVersion: "1.31"'],
            id="another version without quotes",
        ),
        pytest.param(
            "kubeVersion: 'latest'",
            [f'1: `kubeVersion` must be a version such as "{DEFAULT}", not "latest"'],
            id="an old version",
        ),
        pytest.param(
            "kubeVersion: [1]",
            [f'1: `kubeVersion` must be a version such as "{DEFAULT}", not a list'],
            id="no version",
        ),
        pytest.param("exclude: testdata/", ['1: `exclude` must be a list, not "testdata/"'], id="not a list"),
        pytest.param(
            "exclude:\n- a\n- !b\n- 3",
            [
                '3: `exclude[1]` must be a pattern (quoted if it begins with `!`, `*` or `#`), not ""',
                "4: `exclude[2]` must be a pattern (quoted if it begins with `!`, `*` or `#`), not 3",
            ],
            id="what YAML makes of patterns",
        ),
        pytest.param(
            "select: [QL302]",
            ["1: no rule begins with `QL302`; did you mean `QL301`?"],
            id="an unknown rule",
        ),
        pytest.param(
            "select: [ql301, quota-exceeded, '']",
            [
                "1: `ql301` is not the id of a rule, such as QL301, nor what one begins with; did you mean `QL301`?",
                "1: `quota-exceeded` is not the id of a rule, such as QL301, nor what one begins with",
                '1: `select[2]` must be the id of a rule, or what it begins with, not ""',
            ],
            id="what is no id",
        ),
        pytest.param(
            "ignore: QL1",
            ['1: `ignore` must be a list of rules, or a map from rules to paths, not "QL1"'],
            id="ignore is not a list",
        ),
        pytest.param(
            "ignore:\n- {path: [a], resources: [], rules: QL2}\n- paths: [a]\n- 3\n- QL9",
            [
                "2: `path` is not a known key in `ignore[0]`; did you mean `paths`?",
                "2: `ignore[0].resources` is empty",
                '2: `ignore[0].rules` must be a list, not "QL2"',
                "3: `ignore[1]` names no rules, such as `rules: [QL201]`",
                "4: `ignore[2]` must be a map, not 3",
                "5: no rule begins with `QL9`",
            ],
            id="ignore by parts",
        ),
        pytest.param("ignore: {QL201: []}", ["1: `ignore.QL201` is empty"], id="ignored in no path"),
        pytest.param(
            "severity:\n  QL3: high\n  QL9: error\n  QL201: on",
            [
                '2: `severity.QL3` must be error, warning, info or off, not "high"',
                "3: no rule begins with `QL9`",
                "4: `severity.QL201` must be error, warning, info or off, not true",
            ],
            id="severities",
        ),
        pytest.param("failOn: off", ["1: `failOn` must be error, warning, info or never, not false"], id="failOn"),
        pytest.param(
            "nodes:\n  disk: 3\n  a=1,b=2: 1\n  b=2, a=1: 1\n  c=3: many",
            [
                "2: `disk` must be labels such as `disk=ssd,zone=a`, or `*` for the rest",
                "4: `a=1,b=2` is given twice",
                '5: `nodes.c=3` must be a whole number, 0 or more, not "many"',
            ],
            id="nodes",
        ),
        pytest.param(
            "nodes: {*: 3}",
            [
                "1: did not find expected alphabetic or numeric character, while scanning an "
                "alias; a pattern that begins with `*` has to be quoted"
            ],
            id="a star without quotes",
        ),
        pytest.param(
            "namespaces: {team-a/: Team}",
            ['1: `namespaces.team-a/` must be the name of a namespace, not "Team"'],
            id="no namespace",
        ),
        pytest.param(
            "thresholds: {nearlyFull: 0.9, full: 1}",
            [
                "1: `thresholds.nearlyFull` must be a percentage from 1 to 100, such as 90 or 90%, not 0.9",
                "1: `full` is not a known key in `thresholds`",
            ],
            id="a share as a fraction",
        ),
        pytest.param(
            "nodes: 1\nexclude: []\nnodes: 2",
            ["3: `nodes` appears twice, first on line 1"],
            id="a key twice",
        ),
        pytest.param(
            "environments: {prod: 3, dev: [4]}",
            [
                "1: `environments.prod` must be a list, not 3",
                "1: `environments.dev[0]` must be a pattern (quoted if it begins with `!`, `*` or `#`), not 4",
            ],
            id="environments without patterns",
        ),
        pytest.param(
            "clusters: {prod: {server: 1, labels: [a], url: x}}",
            [
                "1: `clusters.prod.server` must be the address of the cluster, not 1",
                "1: `clusters.prod.labels` must be a map, not a list",
                "1: `url` is not a known key in `clusters.prod`",
            ],
            id="a cluster that is none",
        ),
        pytest.param(
            "sources: {'https://a': 3, 'https://b': ../c, 'https://c': ''}",
            [
                "1: `sources.https://a` must be the folder of this repository that stands for the URL, not 3",
                "1: `sources.https://b` leads out of the repository: ../c",
                '1: `sources.https://c` must be the folder of this repository that stands for the URL, not ""',
            ],
            id="sources that are no folders",
        ),
        pytest.param(
            "renderers: {kustomize: docker, helm: [a], jsonnet: on}",
            [
                '1: `renderers.kustomize` must be auto, builtin, binary or off, not "docker"',
                "1: `renderers.helm` must be auto, sdk, program or off, "
                "or a map from folders of charts to their releases, not a list",
                "1: `jsonnet` is not a known key in `renderers`",
            ],
            id="renderers that there are not",
        ),
        pytest.param(
            "renderers: {helm: {charts/web: {values: [3], environment: ''}}}",
            [
                "1: `renderers.helm.charts/web.values[0]` must be the path of a values file, not 3",
                '1: `renderers.helm.charts/web.environment` must be the name of an environment, not ""',
                "1: the release of charts/web names no `namespace`",
            ],
            id="a release without a namespace",
        ),
        pytest.param("nodes: 1\n---\nnodes: 2", ["3: only one document is read"], id="two documents"),
    ],
)
def test_refuses(folder: Path, text: str, expected: list[str]) -> None:
    assert errors(text) == [f".quotalint.yaml:{error}" for error in expected]


def test_an_error_says_where(folder: Path) -> None:
    (folder / ".quotalint.yaml").write_text("ignore:\n- rules: [QL1, ql2]")
    message = "`ql2` is not the id of a rule, such as QL301, nor what one begins with; did you mean `QL2`?"
    assert load_settings(["."], Options()) == (ConfigError(message, ".quotalint.yaml", 2, "ignore[0].rules[1]"),)


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        pytest.param(KNOWN, [], id="none is known"),
        pytest.param(
            KNOWN | {"QLC-a"},
            [".quotalint.yaml:1: no rule begins with `QLC-b`; did you mean `QLC-a`?"],
            id="one is",
        ),
        pytest.param(None, [], id="nothing is known"),
    ],
)
def test_rules_of_the_user(folder: Path, known: frozenset[str] | None, expected: list[str]) -> None:
    assert errors("select: [QLC-b]", known=known) == expected


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


def test_options_may_be_wrong_too(folder: Path) -> None:
    wrong = errors("nodes: x", Options(None, ("QL9",), ("x",), "sometimes", -1, "newest"))
    assert wrong == [
        "--select: no rule begins with `QL9`",
        "--ignore: `x` is not the id of a rule, such as QL301, nor what one begins with",
        '`--fail-on` must be error, warning, info or never, not "sometimes"',
        "`--nodes` must be a whole number, 0 or more, not -1",
        f'`--kube-version` must be a version such as "{DEFAULT}", not "newest"',
        '.quotalint.yaml:1: `nodes` must be a whole number, or a map from labels of nodes to whole numbers, not "x"',
    ]


@pytest.mark.parametrize(
    ("planted", "paths", "config", "expected"),
    [
        pytest.param(["r/.quotalint.yaml", "r/a/b/c.yaml"], ["r/a/b"], None, ("r", "r/.quotalint.yaml"), id="upwards"),
        pytest.param(
            ["r/.quotalint.yaml", "r/a/c.yaml"], ["r/a/c.yaml"], None, ("r", "r/.quotalint.yaml"), id="of a file"
        ),
        pytest.param(
            ["r/.quotalint.yaml", "r/a/.quotalint.yaml"], ["r/a"], None, ("r/a", "r/a/.quotalint.yaml"), id="nearest"
        ),
        pytest.param(["r/.quotalint.yml", "r/a.yaml"], ["r"], None, ("r", "r/.quotalint.yml"), id="yml"),
        pytest.param(["r/quotalint.yaml", "r/a.yaml"], ["r"], None, ("r", "r/quotalint.yaml"), id="not hidden"),
        pytest.param(["r/.quotalint.yaml"], ["r/no/such"], None, ("r", "r/.quotalint.yaml"), id="of a missing path"),
        pytest.param(["r/.quotalint.yaml/", "r/x"], ["r"], None, ("r", None), id="a folder of that name"),
        pytest.param(["x.yml", "r/.quotalint.yaml"], ["r"], "x.yml", (".", "x.yml"), id="named"),
        pytest.param(["r/.git/HEAD", "r/a/b.yaml"], ["r/a"], None, ("r", None), id="a repository"),
        pytest.param(["r/.git", "r/a/b.yaml"], ["r/a"], None, ("r", None), id="a further work tree"),
        pytest.param(["r/a/b.yaml"], ["r/a/b.yaml", "r"], None, ("r/a", None), id="no repository"),
        pytest.param([".quotalint.yaml"], ["-"], None, (".", ".quotalint.yaml"), id="standard input"),
        pytest.param([], [], None, (".", None), id="no path"),
    ],
)
def test_root(
    folder: Path, planted: list[str], paths: list[str], config: str | None, expected: tuple[str, str | None]
) -> None:
    for name in planted:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).mkdir() if name.endswith("/") else (folder / name).touch()
    root, file = expected
    found = load_settings(paths, Options(config=config))
    assert isinstance(found, Settings)
    assert found._replace(repository="") == Settings(os.path.normpath(folder / root), file)


@pytest.mark.parametrize(
    ("target", "repository", "expected"),
    [
        pytest.param(
            "../outside.yaml", "r/.git/HEAD", "it is a symbolic link that leads out", id="out of a repository"
        ),
        pytest.param("inside.yaml", "r/.git/HEAD", "", id="within it"),
        pytest.param("../outside.yaml", "r/x", "", id="where there is no repository"),
    ],
)
def test_a_configuration_that_is_a_link(folder: Path, target: str, repository: str, expected: str) -> None:
    """What nobody named must not show what somebody else's file says."""
    for name in (repository, "outside.yaml", "r/inside.yaml"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("failOn: warning\n")
    (folder / "r/.quotalint.yaml").symlink_to(target)
    found = load_settings(["r"], Options())
    given = load_settings(["r"], Options(config="r/.quotalint.yaml"))
    assert isinstance(given, Settings)
    assert given.fail_on == "warning"
    assert ("" if isinstance(found, Settings) else found[0].message)[: len(expected) or None] == expected


@pytest.mark.parametrize(
    ("planted", "path", "repository"),
    [
        pytest.param(["r/.git/HEAD", "r/a/b.yaml"], "r/a", "r", id="what git says"),
        pytest.param(["r/a/b.yaml"], "r/a", ".", id="where one stands"),
        pytest.param(["r/a/b.yaml"], "/r/a", "r/a", id="not the whole disk, where a path says nothing of it"),
        pytest.param(["r/.quotalint.yaml", "r/a/b.yaml"], "/r/a", "r", id="what the configuration is for"),
    ],
)
def test_the_repository(folder: Path, planted: list[str], path: str, repository: str) -> None:
    for name in planted:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    found = load_settings([f"{folder}{path}" if path.startswith("/") else path], Options())
    assert isinstance(found, Settings)
    assert found.repository == os.path.normpath(folder / repository)


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        pytest.param("none.yaml", "none.yaml: cannot be read: No such file or directory", id="missing"),
        pytest.param(".", ".: cannot be read: it is not a regular file", id="a folder"),
        pytest.param("pipe", "pipe: cannot be read: it is not a regular file", id="a pipe"),
        pytest.param("nul\0", "nul\0: cannot be read: no file can have this name", id="no path at all"),
    ],
)
def test_unreadable(folder: Path, config: str, expected: str) -> None:
    os.mkfifo("pipe")
    loaded = load_settings(["."], Options(config=config))
    assert not isinstance(loaded, Settings)
    assert [describe_error(error) for error in loaded] == [expected]


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
def test_is_ignored(folder: Path, rule: str, source: str, resource: str, expected: bool) -> None:
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


RULE = st.sampled_from(["QL", "QL3", "QL301", "QLC", "QLC-a b", "QLX", "ql3", "3", "", "xQL1"])
SCALAR = (
    st.none() | st.booleans() | st.integers(-1, 101) | st.sampled_from([0.5, 1.3, "", "a", "90%", "0%", "101%", "90"])
)
AMOUNT = SCALAR | st.sampled_from(["1", "41Gi", "500m", "1e3", "-1", "1GB", 0.5, 1e300])
PATTERNS = st.lists(st.sampled_from(["a/", "*.yaml", ""]) | SCALAR, max_size=2)
VALUES = {
    "exclude": PATTERNS,
    "select": st.lists(RULE | SCALAR, max_size=3),
    "ignore": st.dictionaries(RULE, PATTERNS | SCALAR, max_size=2)
    | st.lists(
        RULE
        | SCALAR
        | st.fixed_dictionaries(
            {},
            optional={
                "rules": st.lists(RULE, max_size=2) | SCALAR,
                "paths": PATTERNS,
                "resources": PATTERNS,
                "x": SCALAR,
            },
        ),
        max_size=2,
    ),
    "severity": st.dictionaries(
        RULE, st.sampled_from(["error", "warning", "info", "off", "never"]) | SCALAR, max_size=2
    ),
    "failOn": st.sampled_from(["error", "warning", "info", "off", "never"]),
    "nodes": st.dictionaries(st.sampled_from(["*", "a=1", "b/c=d, a=1", "a", "=a", "a=", ""]), SCALAR, max_size=2),
    "namespaces": st.dictionaries(
        st.sampled_from(["a/", "*"]), st.sampled_from(["a", "a-b", "A", "-a", "a" * 64]) | SCALAR
    ),
    "kubeVersion": st.sampled_from(["1.34", "v1.28.0", "1.27", "1.36", "1.3", "1.34.", "2.30", "v1"]),
    "thresholds": st.fixed_dictionaries({}, optional={"nearlyFull": SCALAR, "x": SCALAR}),
    "capacity": st.dictionaries(
        st.sampled_from(["cpu", "memory", "reserve"]), AMOUNT | st.dictionaries(st.just("cpu"), AMOUNT), max_size=3
    ),
    "sizes": st.dictionaries(
        st.sampled_from(["small", "x-large"]),
        st.dictionaries(st.sampled_from(["cpu", "pods"]), AMOUNT, max_size=2) | SCALAR,
        max_size=2,
    ),
    "requiredLimits": PATTERNS,
    "limitedPriorityClasses": PATTERNS,
    "enforcement": st.sampled_from(["admission", "deferred", "never"]),
    "scenario": st.sampled_from(["steady", "surge", "peak", "never"]),
    "workloads": st.dictionaries(
        st.sampled_from(["Widget", "Widget.example.com", "widget", "Widget."]),
        st.dictionaries(
            st.sampled_from(["podTemplate", "replicas", "minReplicas", "maxReplicas", "autoscaler", "selector", "x"]),
            st.sampled_from(["spec", "spec.a.*.b", "$.a", "a..b", ".a", "*.b"]) | SCALAR,
        )
        | SCALAR,
        max_size=2,
    ),
    "templates": SCALAR,
    "configMaps": st.lists(SCALAR, max_size=2) | SCALAR,
    "baseline": SCALAR,
    "policies": st.lists(
        SCALAR
        | st.fixed_dictionaries(
            {"id": RULE | st.just("QLC1"), "message": st.sampled_from(["a", "", 1])},
            optional={
                "expression": st.sampled_from(["true", "quota.pods", "", 1]),
                "name": st.sampled_from(["a-b", "A", ""]),
                "severity": st.sampled_from(["error", "off", "never", False]),
                "for": st.sampled_from(["entry", "quota", "namespace", "workload", "pod"]),
                "label": st.sampled_from(["a", ""]),
                "bad": st.lists(
                    st.fixed_dictionaries(
                        {},
                        optional={
                            "files": st.dictionaries(st.sampled_from(["a.yaml", "../a", "a/../b", "/a"]), SCALAR),
                            "title": SCALAR,
                            "settings": SCALAR | st.just({}),
                            "expect": PATTERNS,
                            "x": SCALAR,
                        },
                    ),
                    max_size=1,
                )
                | SCALAR,
                "x": SCALAR,
            },
        ),
        max_size=2,
    ),
    "other": SCALAR,
}
ANY = st.recursive(
    SCALAR, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(RULE, inner, max_size=2), max_leaves=4
)
CONFIGURATION = st.fixed_dictionaries({}, optional={key: value | SCALAR | ANY for key, value in VALUES.items()}) | ANY


@given(CONFIGURATION)
def test_checks_agree_with_the_schema(value: object) -> None:
    _, wrong = of_value(value, None)
    assert (not wrong) == Draft202012Validator(load_schema("config")).is_valid(value)


@given(st.sampled_from(sorted(VALUES)).flatmap(lambda key: st.fixed_dictionaries({key: VALUES[key]})))
def test_checks_agree_with_the_schema_key_by_key(value: object) -> None:
    _, wrong = of_value(value, None)
    assert (not wrong) == Draft202012Validator(load_schema("config")).is_valid(value)


def test_the_schema_is_one_and_describes_every_key() -> None:
    whole = load_schema("config")
    Draft202012Validator.check_schema(whole)
    bare = [path for path, key in _keys(whole, ()) if not key.get("description")]
    assert bare == []


def _keys(part: object, path: tuple[str | int, ...]) -> list[tuple[tuple[str | int, ...], dict[str, Any]]]:
    found = []
    if isinstance(part, dict):
        if isinstance(part.get("properties"), dict):
            found += [((*path, name), key) for name, key in part["properties"].items()]
        for name, inner in part.items():
            found += _keys(inner, (*path, name))
    elif isinstance(part, list):
        for index, inner in enumerate(part):
            found += _keys(inner, (*path, index))
    return found


def test_examples_and_defaults_of_the_schema_hold() -> None:
    told = {
        key: [*one.get("examples", []), *([one["default"]] if "default" in one else [])]
        for key, one in PROPERTIES.items()
    }
    wrong = [
        (key, value)
        for key, values in told.items()
        for value in values
        if of_value({key: value}, KNOWN | {"QL1", "QL503", "QL206", "QL4"})[1]
    ]
    assert wrong == []


def test_the_schema_knows_the_versions() -> None:
    validator = Draft202012Validator(load_schema("config"))
    # Of others the nearest is taken.
    assert all(validator.is_valid({"kubeVersion": f"1.{minor}"}) for minor in range(60))
    assert f"from {KUBE_VERSIONS[0]} to {KUBE_VERSIONS[-1]};" in json.dumps(load_schema("config"))
