"""`usage` in a repository of many quotas: a line for each, those that were asked for in full, reasons once."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from manifests import quota
from workspace import Workspace

from quotalint.cli import run
from quotalint.reports.terminal import Terminal, column_width

QUOTA = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: compute, namespace: {0}}}\nspec: {{hard: {{{1}}}}}\n"
WEB = (
    "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {{name: web, namespace: {0}}}\nspec:\n  replicas: {1}\n"
    "  template: {{spec: {{containers: [{{name: c, image: i, resources: {{requests: {{cpu: 1}}}}}}]}}}}\n"
)
FILES = {
    "quotas.yaml": "---\n".join(
        (
            QUOTA.format("shop", "requests.cpu: 4, pods: 10"),
            QUOTA.format("pay", "requests.cpu: 4"),
            QUOTA.format("bank", "requests.cpu: 2"),
            QUOTA.format("idle", "pods: 5, configmaps: 5, count/widgets.example.com: 1"),
            QUOTA.format("empty", "pods: 5, count/widgets.example.com: 1"),
            QUOTA.format("wrong", "pods: -1"),
        )
    ),
    "workloads.yaml": "---\n".join((WEB.format("shop", 2), WEB.format("pay", 4), WEB.format("bank", 3))),
}
OVERVIEW = """\
6 quotas: 1 exceeded, 1 above 90 %, 1 fits, 2 not known, 1 refused.

  bank  compute  requests.cpu  3 of 2  ██████████  150 % ✗
  pay   compute  requests.cpu  4 of 4  ██████████  100 % !
  shop  compute  requests.cpu  2 of 4  █████        50 %

Not known (2): without a workload here
Refused by the API server (1): wrong/compute. `quotalint check` says why.
"""


@pytest.fixture
def many(workspace: Workspace) -> Workspace:
    workspace.put(FILES)
    return workspace


def test_a_line_for_each_quota_the_fullest_first(many: Workspace) -> None:
    more = "\n`quotalint usage NAMESPACE` shows one in full; --exceeded, --top N and --all show several.\n"
    assert many.text("usage") == (0, OVERVIEW + more, "")


def test_a_namespace_that_is_asked_for_is_shown_in_full(many: Workspace) -> None:
    assert many.text("usage", "shop") == (
        0,
        "shop   compute  (quotas.yaml:1)\n"
        "  RESOURCE      STEADY  HARD          SURGE  PEAK\n"
        "  pods               2    10    20 %      2     2\n"
        "  requests.cpu       2     4    50 %      2     2\n"
        "  used by  StatefulSet web  2 pods  requests.cpu 2; room for 2 more  workloads.yaml:1\n",
        "",
    )


@pytest.mark.parametrize(
    ("arguments", "titles"),
    [
        (("shop/compute", "bank"), ["shop", "bank"]),
        (("b*",), ["bank"]),
        (("--exceeded",), ["bank"]),
        (("--top", "2"), ["bank", "pay"]),
        (("--top", "2", "--sort", "namespace"), ["bank", "pay"]),
        (("--all", "--sort", "namespace"), ["bank", "empty", "idle", "pay", "shop", "wrong"]),
    ],
)
def test_what_is_asked_for_is_shown_and_nothing_else(
    many: Workspace, arguments: tuple[str, ...], titles: list[str]
) -> None:
    printed = many.text("usage", *arguments)[1]
    assert sorted(line.split()[0] for line in printed.splitlines() if "(quotas.yaml:" in line) == sorted(titles)
    assert {quota["namespace"] for quota in many.report("usage", *arguments)["quotas"]} == set(titles)


def test_a_reason_that_several_have_stands_once(many: Workspace) -> None:
    printed = many.text("usage", "--all")[1]
    assert (printed.count("no workload of the namespace is in view"), printed.count("  not seen  [1] [2]\n")) == (1, 2)


RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {{name: {0}, namespace: shop}}
spec: {{chart: {{spec: {{chart: {0}, sourceRef: {{kind: HelmRepository, name: charts}}}}}}}}
"""


def test_many_reasons_are_counted_unless_the_quota_is_asked_for(workspace: Workspace) -> None:
    releases = {f"{name}.yaml": RELEASE.format(name) for name in "abcdefg"}
    workspace.put({"q.yaml": QUOTA.format("shop", "pods: 4"), "web.yaml": WEB.format("shop", 1), **releases})
    printed = workspace.text("usage")[1]
    assert printed.count("  not seen  ") == 4
    assert printed.endswith("  not seen  and 4 more: `quotalint usage shop` lists them\n")
    assert workspace.text("usage", "shop")[1].count("  not seen  ") == 7
    assert len(workspace.report("usage")["quotas"][0]["unknowns"]) == 7


def test_nothing_exceeded_is_said(many: Workspace) -> None:
    assert many.text("usage", "--exceeded", "workloads.yaml")[1] == "No quota is in force in 1 file.\n"
    assert many.text("usage", "--exceeded", "--namespace", "shop")[1] == "No quota is exceeded (6 quotas in 2 files).\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("shoop",),
            "quotalint: shoop: no such file or folder, and no quota of a namespace of this name; did you mean shop?\n",
        ),
        (("shop/memory",), "quotalint: shop/memory: no quota of this name; its quotas are compute\n"),
        (("No_Name",), "quotalint: no such file or folder: No_Name\n"),
        (
            ("--environment", "prod"),
            "quotalint: --environment prod: no quota is in an environment of this name; there is only one here, "
            "without a name\n",
        ),
    ],
)
def test_who_mistypes_is_told(many: Workspace, arguments: tuple[str, ...], message: str) -> None:
    assert many.text("usage", *arguments) == (2, "", message)


def test_a_folder_of_the_name_is_a_path_and_the_way_to_the_namespace_is_said(many: Workspace) -> None:
    many.put({"shop/notes.yaml": "a: 1\n"})
    message = "quotalint: shop is a folder or file here; for a namespace: quotalint usage -n shop\n"
    assert many.text("usage", "shop") == (0, "No quota is in force in 1 file.\n", message)


def test_the_environment_that_is_asked_for(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[1] / "golden" / "overlays" / "repo")
    assert run(["usage", "--environment", "prod", "--format", "csv"]) == 0
    printed = workspace.capsys.readouterr().out
    assert [line.split(",")[0] for line in printed.splitlines()[1:]] == ["prod", "prod"]


LONG = "a-namespace-with-a-very-long-name-of-one-team"


def test_nothing_is_wider_than_the_terminal(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {f"clusters/{name}/{LONG}.yaml": "---\n".join((QUOTA.format(LONG, "requests.cpu: 4, "
        "count/objectbucketclaims.objectbucket.io: 1, fast.storageclass.storage.k8s.io/requests.storage: 1Gi"),
        WEB.format(LONG, 5))) for name in ("production", "staging")}  # fmt: skip
    workspace.put(files)
    monkeypatch.setenv("COLUMNS", "80")
    for command in ("usage", "check"):
        printed = workspace.text(command, "--color", "never")[1]
        paths = [line for line in printed.splitlines() if line.strip().startswith("clusters/")]
        assert [line for line in printed.splitlines() if column_width(line) > 80 and line not in paths] == []
        assert f"clusters/production/{LONG}.yaml:" in printed


def test_a_row_is_red_yellow_or_green(many: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    from quotalint.cli import actions

    monkeypatch.setattr(actions, "terminal_for", lambda color: Terminal(color=True, bars=True, width=80, wraps=True))
    lines = many.text("usage")[1].splitlines()
    assert [line.partition("\x1b[")[2][:3] for line in lines[2:5]] == ["31m", "33m", "32m"]


def test_a_table_for_spreadsheets(many: Workspace) -> None:
    many.put({"formula.yaml": QUOTA.format('"=1+1"', "pods: 1")})
    rows = list(csv.DictReader(io.StringIO(many.text("usage", "--format", "csv")[1])))
    rows_by_entry = {(row["namespace"], row["resource"]): row for row in rows}
    bank, idle = rows_by_entry["bank", "requests.cpu"], rows_by_entry["idle", "pods"]
    assert [bank[key] for key in ("hard", "steady", "percent", "exceeded", "certainty", "hard_number")] == [
        *("2", "3", "150", "yes", "exact", "2")
    ]
    assert [idle[key] for key in ("hard", "steady", "percent", "exceeded", "certainty")] == ["5", "", "", "", "unknown"]
    assert ("'=1+1", "pods") in rows_by_entry
    assert (rows_by_entry["shop", "pods"]["file"], rows_by_entry["shop", "pods"]["line"]) == ("quotas.yaml", "1")


DEPLOYED = (
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api, namespace: shop}\nspec:\n  replicas: 1\n"
    "  template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}}\n"
)
SCALED = (
    "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: api, namespace: shop}\n"
    "spec: {maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: api}}\n"
)


@pytest.mark.parametrize(
    ("hard", "workload", "mark"),
    [
        ("requests.cpu: 2, pods: 1", DEPLOYED, "pods  1 of 1  ██████████  100 % !"),
        (
            "count/deployments.apps: 1, pods: 1",
            DEPLOYED,
            "count/deployments.apps  1 of 1  ██████████  100 % ! pods during rollouts",
        ),
        ("count/deployments.apps: 1, pods: 2", DEPLOYED + SCALED, "1 of 1  ██████████  100 % ! pods at the peak"),
        ("count/deployments.apps: 4, pods: 9", DEPLOYED + SCALED, "count/deployments.apps  1 of 4  ██▌          25 %"),
    ],
    ids=["the entry that is shown", "another one", "another one at the peak", "none"],
)
def test_an_entry_that_is_short_later_is_named_where_another_is_shown(
    hard: str, workload: str, mark: str, workspace: Workspace
) -> None:
    workspace.put({"quota.yaml": QUOTA.format("shop", hard), "other.yaml": QUOTA.format("other", "pods: 3")})
    workspace.put({"api.yaml": workload})
    (line,) = [line for line in workspace.text("usage")[1].splitlines() if line.startswith("  shop")]
    assert line.rstrip().endswith(mark)


CLAIM = (
    "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data, namespace: shop}\n"
    "spec: {resources: {requests: {storage: 10737418240}}}\n"
)


def test_bytes_are_shown_as_what_is_allowed(workspace: Workspace) -> None:
    workspace.put({"q.yaml": QUOTA.format("shop", "requests.storage: 15Gi"), "claim.yaml": CLAIM})
    assert "  requests.storage    10Gi  15Gi    67 %   10Gi  10Gi\n" in workspace.text("usage")[1]
    workspace.put({"more.yaml": QUOTA.format("pay", "pods: 1")})
    assert "10Gi of 15Gi" in workspace.text("usage")[1]


def test_an_amount_of_round_decimals_is_shown_as_it_is(workspace: Workspace) -> None:
    claim = CLAIM.replace("10737418240", "800M")
    workspace.put({"q.yaml": QUOTA.format("shop", "requests.storage: 15Gi"), "claim.yaml": claim})
    assert "  requests.storage    800M  15Gi" in workspace.text("usage")[1]


REFUSED = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec: {replicas: 2, template: {spec: {%s containers: [{name: c, image: c, resources: {%s}}]}}}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: base, namespace: shop}
spec: {hard: {pods: 5, limits.cpu: 9}}
"""


@pytest.mark.parametrize(
    ("spec", "resources", "words"),
    [
        ("", "requests: {cpu: 1}", "its pods are refused, whatever room there is"),
        ("restartPolicy: Never,", "limits: {cpu: 1}", "it is refused, whatever room there is"),
        ("", "requests: {cpu: 2}, limits: {cpu: 1}", "it is refused, whatever room there is"),
    ],
)
def test_who_is_refused_whatever_room_there_is(spec: str, resources: str, words: str, workspace: Workspace) -> None:
    workspace.put({"all.yaml": REFUSED % (spec, resources)})
    assert words in " ".join(workspace.text("usage", "shop")[1].split())


def test_a_quota_is_not_empty_where_it_refuses_all_pods(workspace: Workspace) -> None:
    """They state nothing that could be counted."""
    unstated = (REFUSED % ("", "")).replace("pods: 5, limits.cpu: 9", "limits.cpu: 9, requests.memory: 9Gi")
    workspace.put({"all.yaml": unstated, "job.yaml": REFUSED.partition("---")[0].replace("web", "api") % ("", "")})
    printed = workspace.text("usage", "shop")[1]
    assert "  refused   2 workloads do not state what this quota demands of each container (QL401): " in printed
    workspace.put({"all.yaml": REFUSED % ("", "limits: {cpu: 1}"), "job.yaml": ""})
    assert "QL401" not in workspace.text("usage", "shop")[1]


def test_the_overview_marks_a_quota_that_is_empty_because_it_refuses_pods(workspace: Workspace) -> None:
    unstated = (REFUSED % ("", "")).replace("pods: 5, limits.cpu: 9", "limits.cpu: 9, requests.memory: 9Gi")
    workspace.put(
        {"all.yaml": unstated, "q.yaml": QUOTA.format("pay", "requests.cpu: 4"), "w.yaml": WEB.format("pay", 1)}
    )
    printed = workspace.text("usage")[1]
    assert "2 quotas: 1 refuses pods, 1 fits.\n" in printed
    assert "  0 % ✗ pods refused\n" in printed
    note = "_Refused_ by base of shop: 1 workload does not state what this quota demands of each container (QL401)"
    assert note in workspace.text("usage", "--format", "markdown")[1]


def test_what_is_more_than_nothing_is_no_share_of_it(workspace: Workspace) -> None:
    workspace.put({"q.yaml": QUOTA.format("shop", "pods: 0"), "w.yaml": WEB.format("shop", 2)})
    assert "  pods           2     0         exceeded    2 ✗   2 ✗\n" in workspace.text("usage")[1]
    assert "| `pods` | 2 | 2 ✗ | 2 ✗ | 0 | **over** |\n" in workspace.text("usage", "--format", "markdown")[1]


def test_charts_that_nothing_deploys_are_one_reason(workspace: Workspace) -> None:
    chart = "apiVersion: v2\nname: web\nversion: 0.1.0\n"
    workspace.put({"q.yaml": quota("shop"), **{f"charts/{name}/Chart.yaml": chart for name in "abcde"}})
    (table,) = workspace.report("usage")["quotas"]
    assert table["unknowns"] == [
        "charts/a/Chart.yaml, charts/b/Chart.yaml, charts/c/Chart.yaml and 2 more: each a Helm chart that nothing in "
        "view deploys, and that is not rendered by itself: its own values make no object"
    ]
