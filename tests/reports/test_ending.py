"""The end of the report for people."""

from __future__ import annotations

import pytest
from deployer_objects import argo_application
from workspace import Workspace

QUOTA = (
    "apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: {name}, namespace: {namespace}}}\nspec: {{hard: {hard}}}\n"
)


def quota(name: str, hard: str, namespace: str = "team-a") -> str:
    return QUOTA.format(name=name, hard="{" + hard + "}", namespace=namespace)


def ending(workspace: Workspace, *arguments: str) -> list[str]:
    """Everything from the line with the counts on."""
    lines = workspace.text("check", *arguments)[1].splitlines()
    return lines[next(number for number, line in enumerate(lines) if " in " in line and "(" in line) :]


NEGATIVE = ", ".join(f"{name}: -1" for name in ("pods", "cpu", "memory", "services", "secrets", "configmaps"))
CONFIG_MAP = "metadata: {name: c, namespace: team-a}\n"
SCOPES = """\
apiVersion: v1
kind: ResourceQuota
metadata: {name: s, namespace: team-a}
spec: {hard: {pods: 1}, scopes: [A, B]}
"""


def test_a_few_findings_need_no_table(workspace: Workspace) -> None:
    workspace.put({"a.yaml": quota("a", NEGATIVE)})
    assert ending(workspace) == [
        "6 errors in 1 file (1 namespace, 1 quota).",
        "1 quota could not be judged, because the API server refuses it: a of team-a.",
    ]


def test_a_quota_without_a_name_is_spoken_of_without_one(workspace: Workspace) -> None:
    workspace.put({"a.yaml": quota("a", "pods: 1").replace("name: a, ", "")})
    words = "1 quota could not be judged, because the API server refuses it: a quota without a name of team-a."
    assert ending(workspace)[1] == words


def test_many_are_counted_by_rule_the_worst_and_commonest_first(workspace: Workspace) -> None:
    workspace.put(
        {"a.yaml": quota("a", NEGATIVE), "b.yaml": quota("b", NEGATIVE), "s.yaml": SCOPES, "e.yaml": quota("e", "")}
    )
    assert ending(workspace) == [
        "14 errors, 1 warning in 4 files (1 namespace, 4 quotas).",
        "  12  error    QL104 negative-quantity  in 2 files",
        "   2  error    QL106 unknown-scope      in 1 file",
        "   1  warning  QL208 empty-limit        in 1 file",
        "quotalint explain QL104 shows why this rule exists, and examples.",
        "3 quotas could not be judged, because the API server refuses them: a of team-a, b of team-a, s of",
        "  team-a.",
    ]


@pytest.mark.parametrize(
    ("hard", "line"),
    [
        ("pod: 1", "quotalint --fix can repair 1 finding; with --diff it only shows how."),
        ("pod: 1, count/secret: 1, foo: 1", "quotalint --fix can repair 2 findings; with --diff it only shows how."),
        ("configmaps: 0", ""),  # a larger quota takes a decision
        (
            "count/job.batch: 1, configmaps: 0",
            "quotalint --fix can repair 1 finding, 1 more with --unsafe-fixes; with --diff it only shows how.",
        ),
    ],
)
def test_what_can_be_repaired_is_said(hard: str, line: str, workspace: Workspace) -> None:
    workspace.put({"a.yaml": quota("a", hard), "c.yaml": "apiVersion: v1\nkind: ConfigMap\n" + CONFIG_MAP})
    assert [text for text in ending(workspace) if "--fix" in text] == ([line] if line else [])


def test_what_is_suppressed_is_not_in_the_table(workspace: Workspace) -> None:
    workspace.put({"a.yaml": quota("a", NEGATIVE), "b.yaml": "# quotalint: ignore[QL104]\n" + quota("b", NEGATIVE)})
    assert ending(workspace)[:2] == [
        "6 errors, 6 suppressed in 2 files (1 namespace, 2 quotas).",
        "2 quotas could not be judged, because the API server refuses them: a of team-a, b of team-a.",
    ]


def test_a_severity_of_its_own_has_a_row_of_its_own(workspace: Workspace) -> None:
    workspace.put(
        {
            "a.yaml": quota("a", NEGATIVE),
            "b.yaml": quota("b", NEGATIVE),
            ".quotalint.yaml": "severity: {QL104: info}\n",
        }
    )
    assert "  12  info  QL104 negative-quantity  in 2 files" in ending(workspace)


@pytest.mark.parametrize(
    ("namespaces", "line"),
    [
        ("a", "1 namespace could not be judged: a (no workload of the namespace is in view)."),
        ("a b", "2 namespaces could not be judged: a, b (no workload of the namespace is in view)."),
        (
            "a b c d e f g",
            "7 namespaces with quotas have no workloads in this repository, so only their definitions were "
            "checked (`--with` a snapshot adds their usage).",
        ),
    ],
)
def test_namespaces_that_could_not_be_judged_for_one_reason_share_it(
    namespaces: str, line: str, workspace: Workspace
) -> None:
    workspace.put({f"{name}.yaml": quota("q", "pods: 1", name) for name in namespaces.split()})
    assert " ".join(" ".join(ending(workspace)[1:]).split()) == line


def test_verbose_names_them_all(workspace: Workspace) -> None:
    workspace.put({f"{name}.yaml": quota("q", "pods: 1", name) for name in "abcdefg"})
    assert "a, b, c, d, e, f, g (no workload" in " ".join(" ".join(ending(workspace, "--verbose")).split())


def test_verbose_says_what_the_run_goes_by(workspace: Workspace) -> None:
    workspace.put({"a.yaml": quota("q", "pods: 1"), ".quotalint.yaml": 'kubeVersion: "1.33"\nscenario: peak\n'})
    assert workspace.text("check", "--verbose", "--jobs", "1")[2] == (
        "quotalint: configuration: .quotalint.yaml; Kubernetes 1.33, scenario peak, enforcement admission\n"
        "quotalint: kustomizations: built in, as Kustomize 5.8\n"
        "quotalint: baseline: none; up to 1 process read files\n"
    )


def test_what_quotalint_itself_reads_is_no_file_that_was_checked(workspace: Workspace) -> None:
    workspace.put({"a.yaml": quota("a", "pods: 1"), ".quotalint.yaml": "failOn: error\n"})
    workspace.text("check", "--write-baseline")
    assert ending(workspace)[0] == "No findings in 1 file (1 namespace, 1 quota)."


def test_what_cannot_be_read_was_checked(workspace: Workspace) -> None:
    workspace.put({"a.yaml": "x"})
    (workspace.folder / "a.yaml").unlink()
    (workspace.folder / "a.yaml").symlink_to("nowhere.yaml")
    assert ending(workspace)[0] == "1 error in 1 file (0 namespaces, 0 quotas)."


def test_many_environments_are_not_all_named(workspace: Workspace) -> None:
    workspace.put({"base/quota.yaml": quota("a", "foo: 1"), "base/kustomization.yaml": "resources: [quota.yaml]\n"})
    workspace.put({f"overlays/e{number}/kustomization.yaml": "resources: [../../base]\n" for number in range(10)})
    assert "   in          all 10 environments\n" in workspace.text("check")[1]
    workspace.put({"overlays/fine/kustomization.yaml": "resources: [quota.yaml]\n"})
    workspace.put({"overlays/fine/quota.yaml": quota("a", "pods: 1")})
    assert "   in          e0, e1, e2, e3, e4, e5, e6, e7 and 2 more\n" in workspace.text("check")[1]


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (0, "No ResourceQuota or LimitRange in 2 files (0 workloads)."),
        (
            1,
            "The only ResourceQuota or LimitRange in 3 files (0 workloads) is not applied: nothing deploys it "
            "(old/0.yaml).",
        ),
        (
            2,
            "2 ResourceQuotas and LimitRanges in 4 files (0 workloads) are not applied: nothing deploys them "
            "(old/0.yaml, old/1.yaml).",
        ),
    ],
)
def test_quotas_that_nothing_deploys_are_counted(number: int, message: str, workspace: Workspace) -> None:
    application = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\n"
    workspace.put(
        {
            "argocd/a.yaml": application + "spec: {source: {repoURL: x, path: apps}, destination: {namespace: a}}\n",
            "apps/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
            **{f"old/{item}.yaml": quota("b", "pods: 4", f"q{item}") for item in range(number)},
        }
    )
    assert message in " ".join(" ".join(ending(workspace)).split())


def test_quotas_that_a_kustomization_leaves_out_are_said_to_be_so(workspace: Workspace) -> None:
    workspace.put({"kustomization.yaml": "resources: [x.yaml]\n", "q.yaml": quota("b", "pods: 4")})
    workspace.put({"x.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"})
    why = "is not applied: the kustomization of its folder does not list it (q.yaml)."
    assert why in " ".join(" ".join(ending(workspace)).split())


def test_what_is_guessed_of_many_alike_is_said_once(workspace: Workspace) -> None:
    for name in "abcd":
        pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: i}]}\n"
        workspace.put(
            {f"apps/team-{name}/quota.yaml": quota("q", "pods: 4", f"team-{name}"), f"apps/team-{name}/pod.yaml": pod}
        )
    parts = " ".join(" ".join(ending(workspace)).split()).split("Assumed for ")[1:]
    assert len(parts) == 1
    assert parts[0].startswith("team-a, team-b, team-c, team-d: some objects in apps/team-a/")
    assert "; similar for the others" in parts[0]


def put_shared_folders(workspace: Workspace) -> None:
    """Four folders that are for two environments, as neither names one."""
    pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: NAME, namespace: a}\nspec: {containers: [{name: c, image: i}]}\n"
    workspace.put({f"overlays/{name}/kustomization.yaml": "resources: [it.yaml]\n" for name in ("dev", "prod")})
    workspace.put({f"overlays/{name}/it.yaml": pod for name in ("dev", "prod")})
    workspace.put({f"{name}/pod.yaml": pod.replace("NAME", name) for name in ("cache", "jobs", "web")})
    workspace.put({"limits/quota.yaml": quota("q", "pods: 2", "a")})


def test_that_several_folders_are_guessed_to_be_for_each_environment_is_said_once(workspace: Workspace) -> None:
    put_shared_folders(workspace)
    text = " ".join(workspace.text("check")[1].split())
    assert (
        "Assumed for a in dev, a in prod: cache/ names no environment, so it is counted in each of 2 environments; "
        "also jobs/, limits/, web/. To settle it, write `environments: {dev: [/cache/]}` into"
    ) in text
    assert text.count("names no environment") == 2
    assert text.count("; the same goes for ") == 1
    verbose = " ".join(ending(workspace, "--verbose"))
    assert verbose.count("names no environment") == 4


def test_usage_names_all_folders_that_are_guessed_to_be_for_each_environment(workspace: Workspace) -> None:
    put_shared_folders(workspace)
    text = " ".join(workspace.text("usage")[1].split())
    assert text.count("if nobody applies it; the same goes for cache/, jobs/, web/") == 2


def test_reasons_are_given_for_the_most(workspace: Workspace) -> None:
    for name in "abcdef":
        reference = f"https://example.com/{name}"
        workspace.put(
            {
                f"{name}/kustomization.yaml": f"namespace: team-{name}\nresources: [{reference}, quota.yaml]\n",
                f"{name}/quota.yaml": quota("q", "pods: 4", f"team-{name}"),
            }
        )
    text = " ".join(" ".join(ending(workspace)).split())
    assert "team-d, team-e and 1 more (see QL003 above)." in text
    workspace.put({".quotalint.yaml": "ignore: [{rules: [QL003]}]\n"})
    text = " ".join(" ".join(ending(workspace)).split())
    assert "6 namespaces could not be judged: " in text
    assert "; 3 more for other reasons (see `quotalint usage`)." in text


APPLICATION = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\n"
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"


@pytest.mark.parametrize(
    ("number", "why"),
    [
        (1, "1 folder is not applied: nothing deploys this (old0/x.yaml)."),
        (4, "4 folders are not applied: nothing deploys them."),
    ],
)
def test_why_folders_are_passed_over_is_said_of_one_or_of_several(number: int, why: str, workspace: Workspace) -> None:
    source = "spec: {source: {repoURL: x, path: apps}, destination: {namespace: a}}\n"
    workspace.put({"argocd/a.yaml": APPLICATION + source, "apps/q.yaml": quota("q", "pods: 4", "a")})
    workspace.put({f"old{item}/x.yaml": CONFIG for item in range(number)})
    assert why in ending(workspace)


def test_a_folder_that_nothing_deploys_is_named_by_the_quotas_in_it(workspace: Workspace) -> None:
    source = "spec: {source: {repoURL: x, path: apps}, destination: {namespace: a}}\n"
    workspace.put({"argocd/a.yaml": APPLICATION + source, "apps/q.yaml": quota("q", "pods: 4", "a")})
    workspace.put({"old/classes.yaml": CONFIG, "old/quotas.yaml": quota("q", "pods: 4", "b")})
    assert "1 folder is not applied: nothing deploys this (old/quotas.yaml)." in ending(workspace)


@pytest.mark.parametrize(
    ("number", "why"),
    [
        (1, "1 other file is skipped: the kustomization of its folder does not list it (x0.yaml)."),
        (4, "4 other files are skipped: the kustomizations of their folders do not list them."),
    ],
)
def test_why_files_are_passed_over_is_said_of_one_or_of_several(number: int, why: str, workspace: Workspace) -> None:
    workspace.put({"kustomization.yaml": "resources: [q.yaml]\n", "q.yaml": quota("q", "pods: 4")})
    workspace.put({f"x{item}.yaml": CONFIG for item in range(number)})
    assert why in ending(workspace)


@pytest.mark.parametrize("body", ["namespace: {{x}}\n", "namespace: [x\n"], ids=["a template", "broken"])
@pytest.mark.parametrize(
    ("number", "why"),
    [
        (1, "1 other file is skipped: the kustomization of its folder cannot be read (a/x0.yaml)."),
        (4, "4 other files are skipped: the kustomizations of their folders cannot be read."),
    ],
)
def test_nobody_knows_what_a_kustomization_lists_that_cannot_be_read(
    number: int, why: str, body: str, workspace: Workspace
) -> None:
    files = {f"a/x{item}.yaml": CONFIG for item in range(number)}
    listed = "".join(f"- {name.removeprefix('a/')}\n" for name in files)
    workspace.put({**files, "a/kustomization.yaml": f"resources:\n{listed}{body}", "b/q.yaml": quota("q", "pods: 4")})
    assert why in ending(workspace)


def test_charts_alone_are_called_so(workspace: Workspace) -> None:
    workspace.put({f"charts/{name}/Chart.yaml": f"apiVersion: v2\nname: {name}\nversion: 1.0.0\n" for name in "ab"})
    lines = workspace.text("check")[1].splitlines()
    assert lines[0].startswith(
        "Nothing was checked: charts/a/Chart.yaml: a Helm chart that nothing in view deploys, and"
    )
    assert lines[-1] == "2 Helm charts skipped: --verbose lists them."


def test_a_namespace_is_unjudged_for_the_reason_that_most_of_its_entries_have(workspace: Workspace) -> None:
    # Whether anything counts the first entry is not known either, which matters to nobody before there are workloads.
    hard = "count/as.example.com: 1, requests.cpu: 1, requests.memory: 1Gi"
    workspace.put({"q.yaml": quota("q", hard)})
    assert ending(workspace)[-1] == "1 namespace could not be judged: team-a (no workload of the namespace is in view)."


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({}, "no workload of the namespace is in view"),
        (
            {"chart.yaml": argo_application(source="repoURL: 'https://charts.example.com', chart: web")},
            "see QL003 above",
        ),
    ],
    ids=["nobody", "a chart"],
)
def test_the_objects_that_every_namespace_has_are_no_use_of_it(
    more: dict[str, str], why: str, workspace: Workspace
) -> None:
    """Kubernetes puts a ConfigMap into each namespace: that `configmaps` is known says nothing of who works there."""
    workspace.put({"quota.yaml": quota("q", "pods: 2, configmaps: 9"), **more})
    assert ending(workspace)[-1] == f"1 namespace could not be judged: team-a ({why})."


def test_where_a_guess_is_the_only_reason_it_is_given(workspace: Workspace) -> None:
    files = {
        "kustomization.yaml": "namespace: team-a\nresources: [quota.yaml, pod.yaml]\n"
        "patches: [{target: {kind: A}, patch: '[a'}]\n",
        "quota.yaml": "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {pods: 1}}\n",
        "pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: c}]}\n",
    }
    workspace.put(files)
    text = " ".join(workspace.text("check")[1].split())
    assert "1 namespace could not be judged: team-a (kustomization.yaml: the patch is not applied" in text
    assert text.endswith("To settle it, fix that entry, or check what CI renders.")
    assert "Assumed for" not in text
