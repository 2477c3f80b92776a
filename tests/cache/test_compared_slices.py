"""A change that reaches no further than some namespaces is compared by these alone, if the first state was compared
before; and what is said is what would be found out anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from git_repositories import Repository, deployment, quota
from kept_answers import anew, asked

from quotalint.cli import comparing, states
from quotalint.gitops.kustomize.build import Builder
from quotalint.pipeline import gathered

Files = Mapping[str, str | None]

RELEASE = """apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: shop, namespace: team-a}
spec:
  interval: 1m
  chart: {spec: {chart: shop, version: "1.0.0", sourceRef: {kind: HelmRepository, name: charts}}}
  values: {image: "shop:1"}
"""
BASE: Files = {
    "README.md": "What this is.\n",
    "a/quota.yaml": quota("pods: 9, requests.cpu: 9"),
    "a/web.yaml": deployment(2),
    "b/quota.yaml": quota("pods: 3", namespace="team-b"),
    "b/web.yaml": deployment(2, "web", "team-b"),
    "c/base/kustomization.yaml": "resources: [web.yaml]\n",
    "c/base/web.yaml": deployment(2, "web", ""),
    "c/one/kustomization.yaml": "namespace: one\nresources: [../base, quota.yaml]\nreplicas: [{name: web, count: 3}]\n",
    "c/one/quota.yaml": quota("pods: 9, requests.cpu: 9", namespace="one"),
    "c/two/kustomization.yaml": "namespace: two\nresources: [../base]\n",
    "d/quota.yaml": quota("pods: 2", namespace="team-d"),
    "d/web.yaml": deployment(5, "web", "team-d"),
}
UNENFORCED: Files = {
    **BASE,
    "e/quota.yaml": quota("pods: 9, nvidia.com/gpu: 1", namespace="team-f"),
    "e/web.yaml": deployment(2, "web", "team-f"),
}
"""With a quota that has room, and an entry that nothing enforces."""
OTHERS = "---\n".join(RELEASE.replace("name: shop,", f"name: shop-{number},") for number in range(12))
"""As many as a finding names."""
FLUX: Files = {**BASE, "a/others.yaml": OTHERS, "a/release.yaml": RELEASE}


def ready_after(seconds: int) -> str:
    """A Deployment that does not fit."""
    return deployment(5, "web", "team-d").replace("spec:\n", f"spec:\n  minReadySeconds: {seconds}\n", 1)


WRONG = """apiVersion: v1
kind: LimitRange
metadata: {name: limits, namespace: team-a}
spec: {limits: [{type: Container, max: {cpu: 1}, default: {cpu: %s}}]}
"""
SETTINGS = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: team-e}\ndata: {a: b}\n"
CHART = """apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop, namespace: argocd}
spec:
  project: default
  source:
    repoURL: https://charts.example.com
    chart: shop
    targetRevision: 1.0.0
    helm:
      releaseName: shop
      valuesObject:
        image: shop:1
  destination: {server: "https://kubernetes.default.svc", namespace: team-e}
"""
ALL_QUOTAS = "---\n".join(
    quota("pods: 12", "all", f"team-{team}").replace("{pods: 12}", "pods: 12") for team in ("a", "b", "d", "e")
)
WATCHED = """apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: web, namespace: team-a}
spec: {endpoints: [{interval: 30s}]}
"""
MEMBERS = "apiVersion: user.openshift.io/v1\nkind: Group\nmetadata: {name: admins}\nusers: [ann]\n"
SETTLED = "".join(
    f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: it{place}}}\nspec: {{text: one}}\n---\n"
    for version, kind, place in (
        ("nmstate.io/v1", "NodeNetworkConfigurationPolicy", ""),
        ("config.openshift.io/v1", "ClusterVersion", ""),
        ("machineconfiguration.openshift.io/v1", "MachineConfig", ""),
        ("security.openshift.io/v1", "SecurityContextConstraints", ""),
        ("objectbucket.io/v1alpha1", "ObjectBucketClaim", ", namespace: team-a"),
        ("image.openshift.io/v1", "ImageStream", ", namespace: team-b"),
        ("build.openshift.io/v1", "BuildConfig", ", namespace: team-a"),
        ("kafka.strimzi.io/v1beta2", "KafkaTopic", ", namespace: team-b"),
    )
)
"""Kinds of which nothing outside of their namespace knows, if they are of any."""
WORKFLOW = "on: push\njobs: {build: {runs-on: ubuntu-latest, steps: [{uses: actions/checkout@v1}]}}\n"
MONITORED: Files = {
    **BASE,
    ".github/workflows/build.yaml": WORKFLOW,
    "a/watched.yaml": WATCHED,
    "users.yaml": MEMBERS,
}
CLAIM = """apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: team-a}
spec: {storageClassName: gold, resources: {requests: {storage: 2Gi}}}
"""
CLASS = "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: gold}\nprovisioner: example.com/a\n"
CLAIMED: Files = {**BASE, "a/claim.yaml": CLAIM, "class.yaml": CLASS}
UNNAMED: Files = {
    "a/quota.yaml": BASE["a/quota.yaml"],
    "a/web.yaml": BASE["a/web.yaml"],
    "tools/one/limits.yaml": "apiVersion: v1\nkind: LimitRange\nmetadata: {name: limits}\n"
    "spec: {limits: [{type: Container, defaultRequest: {cpu: 1}}]}\n",
    "tools/two/web.yaml": deployment(1, "web", ""),
}
"""Several environments, one of which has no name."""
TOLD: Files = {**BASE, "d/web.yaml": ready_after(1)}
ARGO: Files = {
    **BASE,
    "apps/e.yaml": """apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: e, namespace: argocd}
spec:
  project: default
  source: {repoURL: "https://example.com/here.git", path: e, directory: {recurse: true}}
  destination: {server: "https://kubernetes.default.svc", namespace: team-e}
""",
    "e/quota.yaml": quota("pods: 9", namespace="team-e"),
    "e/settings.yaml": SETTINGS,
    "e/web.yaml": deployment(1, "web", "team-e"),
    "apps/shop.yaml": CHART,
}
"""With a folder whose files Argo CD applies as they are, and a chart that is not in view."""

OF_A_NAMESPACE: Mapping[str, tuple[Files, Files]] = {
    "what nothing else knows of": ({**BASE, "settled.yaml": SETTLED}, {"settled.yaml": SETTLED.replace("one", "two")}),
    "an image": (BASE, {"a/web.yaml": deployment(2).replace("image: web", "image: other")}),
    "more replicas": (BASE, {"a/web.yaml": deployment(4)}),
    "fewer replicas": (BASE, {"b/web.yaml": deployment(1, "web", "team-b")}),
    "another request": (BASE, {"a/web.yaml": deployment(2, cpu="2")}),
    "no replicas": (BASE, {"a/web.yaml": deployment(0)}),
    "a base": (BASE, {"c/base/web.yaml": deployment(2, "web", "", "2")}),
    "the replicas of a kustomization": (
        BASE,
        {"c/one/kustomization.yaml": str(BASE["c/one/kustomization.yaml"]).replace("count: 3", "count: 5")},
    ),
    "what is used of a quota that has another fault": (UNENFORCED, {"e/web.yaml": deployment(4, "web", "team-f")}),
    "two namespaces": (BASE, {"a/web.yaml": deployment(3), "b/web.yaml": deployment(1, "web", "team-b")}),
    "a namespace, and what nobody reads": (BASE, {"a/web.yaml": deployment(3), "README.md": ""}),
    "other words": (BASE, {"a/web.yaml": "# as it was\n" + deployment(2)}),
    "beside a line that is told": (TOLD, {"d/web.yaml": ready_after(2)}),
    "a file that Argo CD applies as it is": (ARGO, {"e/web.yaml": deployment(2, "web", "team-e")}),
    "the values of a chart that is not in view": (FLUX, {"a/release.yaml": RELEASE.replace("shop:1", "shop:2")}),
    "its version": (FLUX, {"a/release.yaml": RELEASE.replace("1.0.0", "1.1.0")}),
    "what Argo CD gives such a chart": (
        ARGO,
        {"apps/shop.yaml": CHART.replace("1.0.0", "2.0.0").replace("shop:1", "shop:2")},
    ),
    "a custom resource": (MONITORED, {"a/watched.yaml": WATCHED.replace("30s", "60s")}),
    "an image beside a claim": (CLAIMED, {"a/web.yaml": deployment(2).replace("image: web", "image: other")}),
    "members of a group": (MONITORED, {"users.yaml": MEMBERS.replace("[ann]", "[ann, bob]")}),
    "members of a group, and what does not fit": (
        MONITORED,
        {"users.yaml": MEMBERS.replace("[ann]", "[ann, bob]"), "a/web.yaml": deployment(20)},
    ),
    "a workflow": (MONITORED, {".github/workflows/build.yaml": WORKFLOW.replace("@v1", "@v2")}),
    "a workflow, and more replicas": (
        MONITORED,
        {".github/workflows/build.yaml": WORKFLOW.replace("@v1", "@v2"), "a/web.yaml": deployment(4)},
    ),
    "a ConfigMap beside Applications": (ARGO, {"e/settings.yaml": SETTINGS.replace("{a: b}", "{a: c}")}),
}
SAID_OTHERWISE: Mapping[str, tuple[Files, Files]] = {
    "what does not fit": (BASE, {"a/web.yaml": deployment(20)}),
    "what does not fit in the environment that has no name": (UNNAMED, {"a/web.yaml": deployment(20)}),
    "what fits for none": (BASE, {"a/web.yaml": deployment(2, cpu="10")}),
    "what does not fit in two namespaces": (
        BASE,
        {"a/web.yaml": deployment(20), "b/web.yaml": deployment(9, "web", "team-b")},
    ),
    "what did not fit": (BASE, {"d/web.yaml": deployment(1, "web", "team-d")}),
    "what does not fit still less": (BASE, {"d/web.yaml": deployment(9, "web", "team-d")}),
    "what does not fit no worse": (BASE, {"d/web.yaml": deployment(4, "web", "team-d")}),
    "a quota": (BASE, {"a/quota.yaml": quota("pods: 8, requests.cpu: 9")}),
    "a quota that is too small now": (BASE, {"a/quota.yaml": quota("pods: 1, requests.cpu: 9")}),
    "a quota that is large enough now": (BASE, {"d/quota.yaml": quota("pods: 6", namespace="team-d")}),
    "an entry that comes": (BASE, {"a/quota.yaml": quota("pods: 9, requests.cpu: 9, limits.cpu: 1")}),
    "an entry that goes": (BASE, {"a/quota.yaml": quota("pods: 9")}),
    "an entry that is refused": (BASE, {"a/quota.yaml": quota("pods: 9, requests.cpus: 9")}),
    "an entry that nothing enforces": (BASE, {"b/quota.yaml": quota("pods: 3, gpu: 1", namespace="team-b")}),
    "a base that does not fit in one of its overlays": (BASE, {"c/base/web.yaml": deployment(2, "web", "", "4")}),
    "a kustomization whose replicas do not fit": (
        BASE,
        {"c/one/kustomization.yaml": str(BASE["c/one/kustomization.yaml"]).replace("count: 3", "count: 12")},
    ),
    "the quota of an overlay": (BASE, {"c/one/quota.yaml": quota("pods: 2, requests.cpu: 9", namespace="one")}),
    "one quota of a file that has those of all namespaces": (
        {**BASE, "all/quotas.yaml": ALL_QUOTAS, "a/more.yaml": deployment(7, "more")},
        {"all/quotas.yaml": ALL_QUOTAS.replace("pods: 12", "pods: 8", 1)},
    ),
    "the words of what stays wrong, before others": (
        {**BASE, "a/limits.yaml": WRONG % 2},
        {"a/limits.yaml": WRONG % 3},
    ),
    "a claim that cannot shrink": (CLAIMED, {"a/claim.yaml": CLAIM.replace("2Gi", "1Gi")}),
    "a claim that cannot grow": (CLAIMED, {"a/claim.yaml": CLAIM.replace("2Gi", "3Gi")}),
    "a line above one that is told": (TOLD, {"d/web.yaml": "# as it was\n" + ready_after(2)}),
}
"""Of a namespace, in which something else is said than before."""
OF_MORE: Mapping[str, tuple[Files, Files]] = {
    "a name": (BASE, {"a/web.yaml": deployment(2, "other")}),
    "a label": (BASE, {"a/web.yaml": deployment(2).replace("{name: web", "{labels: {a: b}, name: web", 1)}),
    "a namespace that was empty": (BASE, {"b/web.yaml": deployment(2, "web", "team-c")}),
    "the namespace of a kustomization": (
        BASE,
        {"c/two/kustomization.yaml": "namespace: three\nresources: [../base]\n"},
    ),
    "a line before one that is told": (TOLD, {"d/web.yaml": "# as it was\n" + ready_after(1)}),
    "such a line, beside what is said otherwise of another namespace": (
        TOLD,
        {"d/web.yaml": "# as it was\n" + ready_after(1), "a/web.yaml": deployment(20)},
    ),
    "a word that hides a file from Argo CD": (
        ARGO,
        {"e/web.yaml": deployment(1, "web", "team-e") + "# +argocd:skip-file-rendering\n"},
    ),
    "a directive": (BASE, {"a/web.yaml": "# quotalint: ignore[QL301]\n" + deployment(3)}),
    "a resource of no namespace that may decide something": (
        {**BASE, "policy.yaml": MEMBERS.replace("user.openshift.io", "kyverno.io")},
        {"policy.yaml": MEMBERS.replace("user.openshift.io", "kyverno.io").replace("[ann]", "[bob]")},
    ),
    "an object in a workflow": (MONITORED, {".github/workflows/build.yaml": deployment(1, "more")}),
    "a chart": (FLUX, {"a/release.yaml": RELEASE.replace("chart: shop", "chart: store")}),
    "where Argo CD installs a chart": (ARGO, {"apps/shop.yaml": CHART.replace("namespace: team-e", "namespace: b")}),
    "another chart of Argo CD": (ARGO, {"apps/shop.yaml": CHART.replace("chart: shop", "chart: store")}),
    "the revision of a folder": (
        ARGO,
        {"apps/e.yaml": str(ARGO["apps/e.yaml"]).replace("path: e,", "path: e, targetRevision: v1.0.0,")},
    ),
    "the revision of a folder beside an empty chart": (
        {
            **ARGO,
            "apps/e.yaml": str(ARGO["apps/e.yaml"]).replace("path: e,", "path: e, chart: '', targetRevision: HEAD,"),
        },
        {"apps/e.yaml": str(ARGO["apps/e.yaml"]).replace("path: e,", "path: e, chart: '', targetRevision: v1.0.0,")},
    ),
    "where a release goes": (
        FLUX,
        {"a/release.yaml": RELEASE.replace("  interval", "  targetNamespace: b\n  interval")},
    ),
    "a chart in view, of which the values change": (
        {
            **BASE,
            "a/release.yaml": RELEASE.replace("HelmRepository", "GitRepository").replace(
                "chart: shop", "chart: ./shop"
            ),
            "shop/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
            "shop/templates/web.yaml": deployment(0, "shop", "team-a").replace("0", "{{ .Values.n | default 1 }}", 1),
        },
        {
            "a/release.yaml": RELEASE.replace("HelmRepository", "GitRepository")
            .replace("chart: shop", "chart: ./shop")
            .replace("{image:", "{n: 3, image:")
        },
    ),
}


@pytest.fixture
def repository(remembered_repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Repository:
    monkeypatch.setattr(comparing, "NOTED_FROM", 0)
    return remembered_repository


def work_done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """From here on: each state that is judged as a whole, and each folder that is built."""
    work: list[str] = []
    build = Builder.build

    def building(self: Builder, folder: str) -> Any:
        work.append(folder)
        return build(self, folder)

    def gathering(*given: Any) -> Any:
        work.append("everything")
        return gathered(*given)

    monkeypatch.setattr(states, "gathered", gathering)
    monkeypatch.setattr(Builder, "build", building)
    return work


def compare(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, before: Files, after: Files, whole: Sequence[str] = ()
) -> list[str]:
    """What is done, at most, for a change of a state that was compared before, but for the `whole` reports; every
    report is as without memory."""
    repository.commit(before)
    repository.commit({"more.yaml": deployment(1, "more", "team-e")})
    asked("diff", "HEAD~1", "HEAD")
    repository.git("reset", "-q", "--hard", "HEAD~1")
    repository.commit(after)
    of_each: list[list[str]] = []
    for form in ("json", "sarif", "text", "markdown", "github", "gitlab", "rdjson"):
        expected = anew("diff", "HEAD~1", "HEAD", "--format", form)
        with monkeypatch.context() as inner:
            of_each.append(work_done(inner))
            assert asked("diff", "HEAD~1", "HEAD", "--format", form) == expected
        if form in whole:
            of_each.pop()
    return max(of_each, key=lambda work: work.count("everything"))


@pytest.mark.parametrize(
    "change", [*OF_A_NAMESPACE.values(), *SAID_OTHERWISE.values()], ids=[*OF_A_NAMESPACE, *SAID_OTHERWISE]
)
def test_what_reaches_no_further_is_compared_alone(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, change: tuple[Files, Files]
) -> None:
    """Also where something else is said of the namespace than before."""
    assert "everything" not in compare(repository, monkeypatch, *change)


@pytest.mark.parametrize("change", OF_MORE)
def test_whatever_else_may_differ_is_looked_at(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert compare(repository, monkeypatch, *OF_MORE[change]).count("everything") == 2


def test_only_what_reads_a_changed_file_is_built(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    replicas = str(BASE["c/one/kustomization.yaml"]).replace("count: 3", "count: 5")
    assert compare(repository, monkeypatch, BASE, {"c/one/kustomization.yaml": replicas}) == ["c/one"]


def test_says_what_changes(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    compare(repository, monkeypatch, *OF_A_NAMESPACE["more replicas"])
    message = asked("diff", "HEAD~1", "HEAD").out
    assert "2 → 4 pods" in message
    assert "a/web.yaml:1" in message
    assert "1 unchanged" in message
