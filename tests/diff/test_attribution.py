"""What of a change brought a finding about: the field, and the line that it stands on."""

from __future__ import annotations

from typing import Any

import pytest
from attributed_causes import cause_of
from git_repositories import Repository, autoscaler, deployment, difference, quota

from quotalint.cli import run

SELECTING = "  scopeSelector: {{matchExpressions: [{{scopeName: PriorityClass, operator: {}}}]}}\n"
LISTING = "  scopes: [{}]\n"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param(LISTING.format("Terminating"), "", "q.yaml:5 %s: scopes Terminating → unset", id="no scopes"),
        pytest.param(
            LISTING.format("Terminating"),
            LISTING.format("NotTerminating"),
            "q.yaml:5 %s: scopes Terminating → NotTerminating",
            id="another scope",
        ),
        pytest.param(
            SELECTING.format("Exists"),
            SELECTING.format("DoesNotExist"),
            "q.yaml:5 %s: operator Exists → DoesNotExist",
            id="another operator",
        ),
        pytest.param(
            SELECTING.format("Exists"),
            "",
            "q.yaml:5 %s: scopeName PriorityClass → unset, operator Exists → unset",
            id="no selector",
        ),
    ],
)
def test_a_quota_that_counts_others_now(
    repository: Repository, capsys: Any, before: str, after: str, expected: str
) -> None:
    start = {"q.yaml": quota("pods: 2", more=before), "web.yaml": deployment(3)}
    cause = cause_of(repository, capsys, start, {"q.yaml": quota("pods: 2", more=after)})
    assert cause == [expected % "ResourceQuota base"]


def test_what_cannot_be_read_is_due_to_the_line_above_that_the_change_wrote(
    repository: Repository, capsys: Any
) -> None:
    web = deployment(3)
    repository.commit({"q.yaml": quota("pods: 2"), "web.yaml": web})
    repository.commit({"web.yaml": web.replace("  replicas: 3\n", "  replicas: 3\n- stray\n")})
    run(["diff", "HEAD~1", "HEAD"])
    text = str(capsys.readouterr().out)
    assert "web.yaml:6:1  error  QL001" in text and "no single line" not in text
    broken = web.replace("  replicas: 3\n", "  replicas: [3\n")
    repository.commit({"web.yaml": broken})
    run(["diff", "HEAD~2", "HEAD"])
    assert "cause       the change wrote line 5, above it\n" in capsys.readouterr().out


def test_what_has_no_name_is_new_without_one(repository: Repository, capsys: Any) -> None:
    repository.commit({"web.yaml": deployment(3)})
    repository.commit({"q.yaml": quota("pods: 2").replace("name: base, ", "")})
    assert run(["diff", "HEAD~1", "HEAD"]) == 1
    assert "because     ResourceQuota: is new\n" in capsys.readouterr().out


def test_who_takes_as_much_as_before_is_no_cause(repository: Repository, capsys: Any) -> None:
    start = {"q.yaml": quota("requests.cpu: 4"), "a.yaml": deployment(2, "a"), "b.yaml": deployment(1, "b")}
    change = {"a.yaml": deployment(4, "a", cpu="500m"), "b.yaml": deployment(3, "b")}
    assert cause_of(repository, capsys, start, change) == ["b.yaml:5 Deployment b: replicas 1 → 3"]


def test_what_grows_by_more_than_the_quota_shrinks_is_the_cause(repository: Repository, capsys: Any) -> None:
    start = {"q.yaml": quota("pods: 6"), "web.yaml": deployment(2)}
    assert cause_of(repository, capsys, start, {"q.yaml": quota("pods: 4"), "web.yaml": deployment(5)}) == [
        "web.yaml:5 Deployment web: replicas 2 → 5",
    ]


def test_what_goes_is_told_by_the_nearest_line(repository: Repository, capsys: Any) -> None:
    """Of a file in which several things go, the line where that went which matters."""
    bound = "{type: Container, default: {cpu: 1}, defaultRequest: {cpu: 500m}}"
    limits = (
        "apiVersion: v1\nkind: LimitRange\nmetadata:\n  name: a\n  namespace: team-a\n  labels:\n    tier: web\n"
        f"spec:\n  limits:\n  - type: Pod\n    max:\n      cpu: 9\n  - {bound}\n"
    )
    bare = deployment(2).replace(", resources: {requests: {cpu: '1'}}", "")
    start = {"q.yaml": quota("requests.cpu: 1"), "web.yaml": bare, "limits.yaml": limits}
    gone = limits.replace("  labels:\n    tier: web\n", "").replace(", defaultRequest: {cpu: 500m}", "")
    assert cause_of(repository, capsys, start, {"limits.yaml": gone})[0].startswith("limits.yaml:11 LimitRange a: ")


def test_what_every_namespace_has_is_no_cause(repository: Repository, capsys: Any) -> None:
    first, other = (
        f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, namespace: team-a}}\n" for name in ("a", "b")
    )
    start = {"q.yaml": quota("configmaps: 2"), "a.yaml": first, "web.yaml": deployment(1)}
    assert cause_of(repository, capsys, start, {"b.yaml": other}) == ["b.yaml:1 ConfigMap b: is new"]


def test_what_comes_below_something_else_is_told_by_its_first_line(repository: Repository, capsys: Any) -> None:
    first, other = (
        f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, namespace: team-a}}\n" for name in ("a", "b")
    )
    start = {"q.yaml": quota("configmaps: 1"), "all.yaml": first}
    cause = cause_of(repository, capsys, start, {"all.yaml": f"{first}---\n# Another one.\n{other}"})
    assert cause == ["all.yaml:6 ConfigMap b: is new"]


def test_limits_that_come_are_a_cause(repository: Repository, capsys: Any) -> None:
    limits = "{type: Container, defaultRequest: {cpu: 2}}"
    defaults = (
        f"apiVersion: v1\nkind: LimitRange\nmetadata: {{name: a, namespace: team-a}}\nspec: {{limits: [{limits}]}}\n"
    )
    bare = deployment(1).replace(", resources: {requests: {cpu: '1'}}", "")
    start = {"q.yaml": quota("requests.cpu: 1"), "web.yaml": bare}
    assert cause_of(repository, capsys, start, {"limits.yaml": defaults}) == ["limits.yaml:4 LimitRange a: is new"]


def test_what_lists_a_file_brings_what_is_in_it(repository: Repository, capsys: Any) -> None:
    start = {
        "apps/kustomization.yaml": "# the shop\nnamespace: team-a\nresources:\n  - quota.yaml\n",
        "apps/quota.yaml": quota("pods: 2"),
        "apps/web.yaml": deployment(9),
    }
    listing = start["apps/kustomization.yaml"].replace("the shop", "all of the shop") + "  - web.yaml\n"
    cause = cause_of(repository, capsys, start, {"apps/kustomization.yaml": listing})
    assert cause == ["apps/kustomization.yaml:5 Deployment web: is new"]


FLUX = """apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {{name: apps, namespace: flux-system}}
spec:
  path: ./apps
  sourceRef: {{kind: GitRepository, name: flux-system}}
  postBuild:
    substitute:
      MINUTES: "{}"
      REPLICAS: "{}"
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {{name: flux-system, namespace: flux-system}}
spec: {{url: "https://example.org/a.git"}}
"""


@pytest.mark.parametrize("kustomization", ["resources: [quota.yaml, web.yaml]\n", ""])
@pytest.mark.parametrize("minutes", [1, 9])
def test_the_line_of_a_variable_is_known_by_its_value_and_its_name(
    repository: Repository, capsys: Any, minutes: int, kustomization: str
) -> None:
    start = {
        **({"apps/kustomization.yaml": kustomization} if kustomization else {}),
        "apps/quota.yaml": quota("pods: 2"),
        "apps/web.yaml": deployment(1).replace("replicas: 1", "replicas: ${REPLICAS}"),
        "cluster/apps.yaml": FLUX.format(1, 1),
    }
    change = {"cluster/apps.yaml": FLUX.format(minutes, 9), "apps/web.yaml": start["apps/web.yaml"] + "# a word\n"}
    cause = cause_of(repository, capsys, start, change)
    assert cause == ["cluster/apps.yaml:10 Deployment web: replicas 1 → 9"]


PARAMETERS = """resources: [../../base]
configMapGenerator: [{name: parameters, envs: [parameters.env]}]
replacements:
  - source: {kind: ConfigMap, name: parameters, fieldPath: data.REPLICAS}
    targets: [{select: {kind: Deployment}, fieldPaths: [spec.replicas]}]
"""


def test_of_lines_that_say_as_much_the_one_beside_what_is_applied_is_the_cause(
    repository: Repository, capsys: Any
) -> None:
    start = {
        "base/kustomization.yaml": "resources: [quota.yaml, web.yaml]\n",
        "base/quota.yaml": quota("pods: 2"),
        "base/web.yaml": deployment(1),
        "overlays/prod/kustomization.yaml": PARAMETERS,
        **dict.fromkeys(("archive/parameters.env", "overlays/prod/parameters.env"), "REPLICAS=1\n"),
    }
    repository.commit(start)
    repository.commit(dict.fromkeys(("archive/parameters.env", "overlays/prod/parameters.env"), "REPLICAS=9\n"))
    _, report = difference(capsys, "HEAD~1", "HEAD")
    (finding,) = report["findings"]["new"]
    assert finding["cause"]["changes"] == ["replicas 1 → 9"]
    assert (finding["file"], finding["line"], finding["column"]) == ("overlays/prod/parameters.env", 1, 1)


def test_a_cause_that_is_gone_has_no_line(repository: Repository, capsys: Any) -> None:
    limits = "{type: Container, defaultRequest: {cpu: 100m}}"
    defaults = (
        f"apiVersion: v1\nkind: LimitRange\nmetadata: {{name: a, namespace: team-a}}\nspec: {{limits: [{limits}]}}\n"
    )
    bare = deployment(1).replace(", resources: {requests: {cpu: '1'}}", "")
    repository.commit({"q.yaml": quota("requests.cpu: 4"), "web.yaml": bare, "limits.yaml": defaults})
    repository.commit({"limits.yaml": None})
    _, report = difference(capsys, "HEAD~1", "HEAD")
    causes = [finding["cause"] for finding in report["findings"]["new"]]
    assert causes == [{"object": "LimitRange a", "changes": ["is gone"], "file": None, "line": None}]


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")])
def test_of_quotas_that_tell_the_same_the_tightest_one_speaks(
    repository: Repository, capsys: Any, names: tuple[str, str]
) -> None:
    wide, tight = names
    repository.commit({f"{wide}.yaml": quota("pods: 3", wide), f"{tight}.yaml": quota("pods: 2", tight)})
    repository.commit({"web.yaml": deployment(9)})
    run(["diff", "HEAD~1", "HEAD", "--format", "markdown"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("`team-a` will be 7 short of pods")
    assert f"The same goes for quota `{wide}`.\\" in lines


def test_more_pods_of_less_are_named_where_a_quota_shrinks(repository: Repository, capsys: Any) -> None:
    repository.commit({"q.yaml": quota("requests.cpu: 2"), "a.yaml": deployment(1, cpu="0"), "web.yaml": deployment(2)})
    repository.commit({"q.yaml": quota("requests.cpu: 1"), "web.yaml": deployment(4, cpu="500m")})
    run(["diff", "HEAD~1", "HEAD", "--format", "markdown"])
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "because quota" in line]
    assert line.rstrip("\\") == (
        "**requests.cpu 2 of 2 → 1**, because quota `base` allows requests.cpu 1 instead of 2 (`q.yaml:6`) and `web` "
        "goes from 2 to 4 replicas and its requests.cpu goes from 1 to 500m (`web.yaml:5`)."
    )


def test_replicas_that_an_autoscaler_overrules_are_not_named_where_a_quota_shrinks(
    repository: Repository, capsys: Any
) -> None:
    repository.commit({"q.yaml": quota("pods: 3"), "web.yaml": deployment(1), "autoscaler.yaml": autoscaler(3, 3)})
    repository.commit({"q.yaml": quota("pods: 1"), "web.yaml": deployment(2)})
    run(["diff", "HEAD~1", "HEAD", "--format", "markdown"])
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "because quota" in line]
    assert line.rstrip("\\") == ("**pods 3 of 3 → 1**, because quota `base` allows pods 1 instead of 3 (`q.yaml:6`).")


def test_quotas_that_are_repaired_are_told_one_by_one(repository: Repository, capsys: Any) -> None:
    wide, tight = quota("pods: 1", "wide"), quota("requests.cpu: 1", "tight")
    repository.commit({"wide.yaml": wide, "tight.yaml": tight, "web.yaml": deployment(2)})
    repository.commit({"wide.yaml": quota("pods: 5", "wide"), "tight.yaml": quota("requests.cpu: 5", "tight")})
    run(["diff", "HEAD~1", "HEAD", "--format", "markdown"])
    headline = capsys.readouterr().out.splitlines()[0]
    assert headline.endswith("`team-a` fits again: requests.cpu 2 of 1 → 5, and 1 more quota")


def test_a_bound_is_the_cause_of_what_it_refuses_and_another_image_is_not(repository: Repository, capsys: Any) -> None:
    limits = (
        "apiVersion: v1\nkind: LimitRange\nmetadata: {name: a, namespace: team-a}\nspec:\n  limits:\n"
        "  - type: Container\n    max:\n      memory: 1Gi\n      cpu: 8\n"
    )
    container = "        - name: web\n          image: web:1\n          resources: {limits: {cpu: 1}}\n"
    web = deployment(1).partition("        - {name: web")[0] + container
    repository.commit({"web.yaml": web, "limits.yaml": limits})
    change = {"web.yaml": web.replace("web:1", "web:2")}
    repository.commit({**change, "limits.yaml": limits.replace("1Gi", "2Gi").replace("cpu: 8", "cpu: 500m")})
    _, report = difference(capsys, "HEAD~1", "HEAD")
    (finding,) = report["findings"]["new"]
    assert (finding["rule"], finding["cause"]["object"]) == ("QL402", "LimitRange a")
    assert (finding["file"], finding["line"]) == ("limits.yaml", 9)


def markdown_of(repository: Repository, capsys: Any, start: dict[str, str], change: dict[str, str]) -> str:
    repository.commit(start)
    repository.commit(change)
    run(["diff", "HEAD~1", "HEAD", "--format", "markdown"])
    text: str = capsys.readouterr().out
    return text


def rolling(strategy: str) -> str:
    return deployment(3).replace("{type: Recreate}", strategy)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param(
            "{type: Recreate}",
            "{type: RollingUpdate}",
            "because strategy.type of `web` goes from Recreate to RollingUpdate (`web.yaml:6`)",
            id="new pods come before old ones go",
        ),
        pytest.param(
            "{rollingUpdate: {maxSurge: 1, maxUnavailable: 1}}",
            "{rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}",
            "because maxUnavailable of Deployment `web` goes from 1 to 0 (`web.yaml:6`)",
            id="as much is needed, and no old pod goes first",
        ),
    ],
)
def test_how_a_workload_is_updated_is_a_cause(
    repository: Repository, capsys: Any, before: str, after: str, expected: str
) -> None:
    start = {"q.yaml": quota("pods: 3"), "web.yaml": rolling(before)}
    assert expected in markdown_of(repository, capsys, start, {"web.yaml": rolling(after)})


def test_the_type_of_a_service_is_a_cause(repository: Repository, capsys: Any) -> None:
    service = "apiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: team-a}\nspec:\n  ports: [{port: 80}]\n"
    start = {"q.yaml": quota("services.loadbalancers: 0"), "s.yaml": service}
    text = markdown_of(repository, capsys, start, {"s.yaml": f"{service}  type: LoadBalancer\n"})
    assert "because type of `s` is set to LoadBalancer (`s.yaml:6`)" in text
    assert "| `services.loadbalancers` | 0 | **1** | 0 | ❌ |" in text


def test_an_init_container_that_comes_is_told_by_what_it_asks_for(repository: Repository, capsys: Any) -> None:
    init = "      initContainers:\n        - {name: i, image: i, resources: {requests: {cpu: 3}}}\n      containers:"
    start = {"q.yaml": quota("requests.cpu: 4"), "web.yaml": deployment(2)}
    change = {"web.yaml": deployment(2).replace("      containers:", init)}
    text = markdown_of(repository, capsys, start, change)
    assert "because requests.cpu of `web` is set to 3 and its init container `i` is new (`web.yaml:12`)" in text
    _, report = difference(capsys, "HEAD~1", "HEAD")
    (finding,) = report["findings"]["new"]
    assert finding["cause"]["changes"] == ["requests.cpu unset → 3", "init container i is new"]


@pytest.mark.parametrize(
    ("cpu", "expected"),
    [
        ("1", "2 of the 4 new pods of `a` and `b` will not start."),
        ("500m", "Some of the 4 new pods of `a` and `b` will not start."),
    ],
)
def test_of_workloads_that_grow_together_nobody_knows_whose_pods_come_last(
    repository: Repository, capsys: Any, cpu: str, expected: str
) -> None:
    start = {"q.yaml": quota("requests.cpu: 6"), "a.yaml": deployment(2, "a"), "b.yaml": deployment(2, "b", cpu=cpu)}
    change = {"a.yaml": deployment(4, "a"), "b.yaml": deployment(4, "b", cpu=cpu)}
    change["q.yaml"] = quota("requests.cpu: 6" if cpu == "1" else "requests.cpu: 5")
    text = markdown_of(repository, capsys, start, change)
    assert expected in text
    _, report = difference(capsys, "HEAD~1", "HEAD")
    (finding,) = [finding for finding in report["findings"]["new"] if finding["rule"] == "QL301"]
    so = next(note for note in finding["notes"] if note.startswith("so: "))
    assert "of these 4 new pods, whichever come last, will be refused: exceeded quota" in so
