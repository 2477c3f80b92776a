"""What is wrong with a configuration or an option: each error at its line."""

from pathlib import Path

import pytest
from settings_errors import KNOWN, errors

from quotalint.kube.kubernetes_releases import DEFAULT
from quotalint.settings import ConfigError, Options
from quotalint.settings.loading import load_settings


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
            "enforcement: later\ntemplates: 1\nrequiredLimits: cpu\nplatform: [istio, aks]\n",
            [
                '1: `enforcement` must be admission or deferred, not "later"',
                "2: `templates` must be true or false, not 1",
                '3: `requiredLimits` must be a list, not "cpu"',
                '4: `platform[1]` must be gke, istio or openshift, not "aks"',
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
                "1: `workloads.Widget` names no pod template, such as `podTemplate: spec.template`, and no footprint, "
                "such as `footprint: []`",
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
            "clusters: [prod, dev]",
            [
                "1: `clusters` must be a map such as "
                "`{prod: {server: https://prod.example.org, labels: {stage: prod}}}`, not a list"
            ],
            id="clusters by their names alone",
        ),
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
                "1: `ql301` is neither the id of a rule, such as QL301, nor a prefix of one; did you mean `QL301`?",
                "1: `quota-exceeded` is neither the id of a rule, such as QL301, nor a prefix of one",
                '1: `select[2]` must be the id of a rule, or a prefix, not ""',
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
def test_a_setting_that_is_wrong_is_refused_at_its_key(folder: Path, text: str, expected: list[str]) -> None:
    assert errors(text) == [f".quotalint.yaml:{error}" for error in expected]


def test_an_error_says_where(folder: Path) -> None:
    (folder / ".quotalint.yaml").write_text("ignore:\n- rules: [QL1, ql2]")
    message = "`ql2` is neither the id of a rule, such as QL301, nor a prefix of one; did you mean `QL2`?"
    assert load_settings(["."], Options()) == (ConfigError(message, ".quotalint.yaml", 2, "ignore[0].rules[1]"),)


@pytest.mark.parametrize(
    ("known_rules", "expected"),
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
def test_rules_of_the_user(folder: Path, known_rules: frozenset[str] | None, expected: list[str]) -> None:
    assert errors("select: [QLC-b]", known_rules=known_rules) == expected


def test_options_may_be_wrong_too(folder: Path) -> None:
    wrong = errors("nodes: x", Options(None, ("QL9",), ("x",), "sometimes", -1, "newest"))
    assert wrong == [
        "--select: no rule begins with `QL9`",
        "--ignore: `x` is neither the id of a rule, such as QL301, nor a prefix of one",
        '`--fail-on` must be error, warning, info or never, not "sometimes"',
        "`--nodes` must be a whole number, 0 or more, not -1",
        f'`--kube-version` must be a version such as "{DEFAULT}", not "newest"',
        '.quotalint.yaml:1: `nodes` must be a whole number, or a map from labels of nodes to whole numbers, not "x"',
    ]
