"""Files that come or go with nothing but objects of some namespaces: these are compared by themselves, and what is said
is what would be found out anew. Where more depends on which files there are, everything is looked at."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest
from git_repositories import Repository, deployment, quota
from kept_answers import anew, asked
from test_compared_slices import BASE, MEMBERS, SETTINGS, Files, compare, work_done

SERVICE = """apiVersion: v1
kind: Service
metadata: {name: %s, namespace: %s}
spec: {ports: [{port: 80}]}
"""
APPLICATION = """apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: %s, namespace: argocd}
spec:
  project: default
  source: {repoURL: "https://example.com/here.git", path: %s, directory: {%s}}
  destination: {server: "https://kubernetes.default.svc", namespace: %s}
"""
LISTING = "namespace: one\nresources:\n- ../base\n- quota.yaml\n%s\npatches: %s\n"
STARTED: Files = {
    **BASE,
    "c/one/kustomization.yaml": LISTING % ("- service.yaml\n- api.yaml", "[]"),
    "c/one/service.yaml": SERVICE % ("web", "one"),
    "c/one/api.yaml": deployment(1, "api", ""),
    "a/service.yaml": SERVICE % ("web", "team-a"),
    "c/base/kustomization.yaml": "resources:\n- web.yaml\n",
    "docs/how.md": "How.\n",
}
"""Plain folders and overlays."""
DEPLOYED: Files = {
    "apps/e.yaml": APPLICATION % ("e", "e", "recurse: true", "team-e"),
    "apps/f.yaml": APPLICATION % ("f", "f", "recurse: false", "team-f"),
    "e/quota.yaml": quota("pods: 4, services: 2", namespace="team-e"),
    "e/service.yaml": SERVICE % ("web", "team-e"),
    "e/web.yaml": deployment(2, "web", "team-e"),
    "f/scripts/run.sh": "true\n",
    "f/service.yaml": SERVICE % ("web", "team-f"),
    "f/web.yaml": deployment(1, "web", "team-f"),
}
"""Folders of which Argo CD applies all manifests."""
LISTED_SERVICE = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "listed", "namespace": "team-a"}}
GENERATED = "generatorOptions: {disableNameSuffixHash: true}\nconfigMapGenerator: [{name: run, files: [run.sh]}]\n"
SCRIPTED: Files = {
    **STARTED,
    "g/kustomization.yaml": f"namespace: g\nresources: [web.yaml, quota.yaml]\n{GENERATED}",
    "g/quota.yaml": quota("pods: 9, configmaps: 2", namespace="g"),
    "g/run.sh": "true\n",
    "g/web.yaml": deployment(2, "web", ""),
}
SET = """apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: all, namespace: argocd}
spec:
  generators: [{git: {repoURL: "https://example.com/here.git", revision: HEAD, %s}}]
  template:
    metadata: {name: "{{path.basename}}"}
    spec:
      project: default
      source: {repoURL: "https://example.com/here.git", path: "{{path}}"}
      destination: {server: "https://kubernetes.default.svc", namespace: team-e}
"""
OF_NAMESPACES: dict[str, tuple[Files, Files]] = {
    "a page of documentation": (STARTED, {"a/how.md": "How.\n", "docs/how.md": None}),
    "a folder of documentation": (STARTED, {"more/how.md": "How.\n"}),
    "a Service": (STARTED, {"a/more.yaml": SERVICE % ("more", "team-a")}),
    "a workload that fits": (STARTED, {"a/more.yaml": deployment(3, "more")}),
    "a workload that does not fit": (STARTED, {"a/more.yaml": deployment(8, "more")}),
    "a workload where nothing fits": (STARTED, {"d/more.yaml": deployment(1, "more", "team-d")}),
    "what does not fit goes": (
        {**STARTED, "d/less.yaml": deployment(1, "less", "team-d")},
        {"d/web.yaml": None},
    ),
    "a workload goes": ({**STARTED, "a/more.yaml": deployment(3, "more")}, {"a/more.yaml": None}),
    "another name": (STARTED, {"a/web.yaml": None, "a/other.yaml": deployment(2)}),
    "a file of an overlay": (
        STARTED,
        {
            "c/one/more.yaml": deployment(2, "more", ""),
            "c/one/kustomization.yaml": LISTING % ("- service.yaml\n- api.yaml\n- more.yaml", "[]"),
        },
    ),
    "a file of an overlay that does not fit": (
        STARTED,
        {
            "c/one/more.yaml": deployment(20, "more", ""),
            "c/one/kustomization.yaml": LISTING % ("- service.yaml\n- more.yaml\n- api.yaml", "[]"),
        },
    ),
    "a file of an overlay goes": (
        STARTED,
        {"c/one/api.yaml": None, "c/one/kustomization.yaml": LISTING % ("- service.yaml", "[]")},
    ),
    "a file of an overlay has another name": (
        STARTED,
        {
            "c/one/api.yaml": None,
            "c/one/server.yaml": deployment(1, "api", ""),
            "c/one/kustomization.yaml": LISTING % ("- service.yaml\n- server.yaml", "[]"),
        },
    ),
    "a folder that an overlay builds on": (
        STARTED,
        {
            "c/one/parts/kustomization.yaml": "resources: [more.yaml]\n",
            "c/one/parts/more.yaml": deployment(2, "more", ""),
            "c/one/kustomization.yaml": LISTING % ("- service.yaml\n- api.yaml\n- parts", "[]"),
        },
    ),
    "a patch": (
        STARTED,
        {
            "c/one/patch.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api}\nspec: {replicas: 4}\n",
            "c/one/kustomization.yaml": LISTING % ("- service.yaml\n- api.yaml", "[{path: patch.yaml}]"),
        },
    ),
    "a file that two overlays get": (
        STARTED,
        {
            "c/base/more.yaml": deployment(1, "more", ""),
            "c/base/kustomization.yaml": "resources:\n- web.yaml\n- more.yaml\n",
        },
    ),
    "a manifest that a kustomization does not list": (STARTED, {"c/one/more.yaml": deployment(2, "more", "")}),
    "a script that a ConfigMap is made of": (SCRIPTED, {"g/run.sh": "false\n"}),
    "a script that a ConfigMap is called by": (
        {**SCRIPTED, "g/kustomization.yaml": str(SCRIPTED["g/kustomization.yaml"]).replace("true}", "false}")},
        {"g/run.sh": "false\n"},
    ),
    "what Argo CD applies": (DEPLOYED, {"e/more.yaml": deployment(3, "more", "team-e")}),
    "what Argo CD applies goes": (DEPLOYED, {"f/service.yaml": None}),
    "what Argo CD applies has another name": (
        DEPLOYED,
        {"e/service.yaml": None, "e/a-service.yaml": SERVICE % ("web", "team-e")},
    ),
    "a file beside folders of which a set makes Applications": (
        {**DEPLOYED, "apps/set.yaml": SET % "directories: [{path: teams/*}]", "teams/a/web.yaml": deployment(1)},
        {"e/more.yaml": deployment(3, "more", "team-e"), "teams/how.md": "How.\n"},
    ),
}
SOURCE = (
    "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: a, namespace: b}\nspec: {url: a}\n"
)
LISTED = {"c/one/kustomization.yaml": LISTING % ("- service.yaml\n- api.yaml\n- more.yaml", "[]")}
OF_MORE: dict[str, tuple[Files, Files]] = {
    "what stands behind a file of which nothing is known": (
        {
            **STARTED,
            "a/quota.yaml": quota("services: 1"),
            "a/y.yaml": f"apiVersion: v1\nkind: List\nitems: [{json.dumps(LISTED_SERVICE)}]\n",
        },
        {"a/z.yaml": SERVICE % ("more", "team-a")},
    ),
    "a quota": (STARTED, {"a/more.yaml": quota("pods: 1", "more", "team-a")}),
    "a quota of an overlay": (STARTED, {"c/one/more.yaml": quota("pods: 1", "more", ""), **LISTED}),
    "a namespace": (STARTED, {"a/more.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: team-a}\n"}),
    "a custom kind of members": (STARTED, {"a/more.yaml": MEMBERS}),
    "an object that is there already": (STARTED, {"a/more.yaml": deployment(5)}),
    "an object that another folder has": (STARTED, {"c/one/more.yaml": deployment(2, "web", ""), **LISTED}),
    "an object without a namespace": (STARTED, {"a/more.yaml": deployment(2, "more", "")}),
    "an object of another namespace": (STARTED, {"a/more.yaml": deployment(2, "more", "team-b")}),
    "an object in another folder": (STARTED, {"x/more.yaml": deployment(2, "more", "team-a")}),
    "half an object": (
        STARTED,
        {"a/more.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: more, namespace: team-a}\n"},
    ),
    "a file that cannot be read": (STARTED, {"a/more.yaml": "apiVersion: v1\nkind: Service\na: [\n"}),
    "a kustomization of a plain folder": (STARTED, {"a/kustomization.yaml": "resources: [quota.yaml]\n"}),
    "a file that is listed and goes": (STARTED, {"c/one/api.yaml": None}),
    "a chart": (
        STARTED,
        {"a/Chart.yaml": "apiVersion: v2\nname: a\nversion: 1.0.0\n"},
    ),
    "a configuration": (STARTED, {".quotalint.yaml": "ignore: [QL301]\n"}),
    "an overlay that builds on one beside it": (
        {
            **STARTED,
            "s/overlays/prod/kustomization.yaml": "namespace: s\nresources:\n- web.yaml\n",
            "s/overlays/prod/web.yaml": deployment(1, "web", ""),
        },
        {
            "s/overlays/test/kustomization.yaml": "resources: [more.yaml]\n",
            "s/overlays/test/more.yaml": deployment(1, "more", "s"),
            "s/overlays/prod/kustomization.yaml": "namespace: s\nresources:\n- web.yaml\n- ../test\n",
        },
    ),
    "a kustomization of a folder that was plain": (
        STARTED,
        {
            "b/kustomization.yaml": "resources: [web.yaml]\n",
            "c/one/kustomization.yaml": LISTING % ("- service.yaml\n- api.yaml\n- ../../b", "[]"),
        },
    ),
    "a file that only a base names on which nothing builds": (
        {
            **STARTED,
            "c/base/unused/kustomization.yaml": "resources: [../../../a/more.yaml]\n",
            "c/base/parts/kustomization.yaml": "resources: [web.yaml]\n",
            "c/base/parts/web.yaml": deployment(1, "parts", ""),
            "c/two/kustomization.yaml": "namespace: two\nresources: [../base, ../base/parts]\n",
        },
        {"a/more.yaml": SERVICE % ("more", "team-a")},
    ),
    "a script that is read goes": (
        {**STARTED, "g/kustomization.yaml": f"namespace: g\n{GENERATED}", "g/run.sh": "true\n"},
        {"g/run.sh": None},
    ),
    "a script that holds a quota": (SCRIPTED, {"g/run.sh": f"kubectl apply -f - <<END\n{quota('pods: 1')}END\n"}),
    "a quota that a kustomization does not list": (STARTED, {"c/one/more.yaml": quota("pods: 1", "more", "one")}),
    "a file that no overlay reads any more": (
        {
            **STARTED,
            "c/base/kustomization.yaml": "resources:\n- web.yaml\n- x/less.yaml\n- x/more.yaml\n",
            "c/base/x/less.yaml": SERVICE % ("less", "team-a"),
            "c/base/x/more.yaml": SERVICE % ("more", "team-a"),
        },
        {"c/base/kustomization.yaml": "resources:\n- web.yaml\n- x/less.yaml\n"},
    ),
    "a script that is missed comes": (
        {**STARTED, "g/kustomization.yaml": f"namespace: g\n{GENERATED}"},
        {"g/run.sh": "true\n"},
    ),
    "a folder that is missed": (
        {**DEPLOYED, "apps/g.yaml": APPLICATION % ("g", "g", "recurse: true", "team-e")},
        {"g/how.md": "How.\n"},
    ),
    "a folder of which a set makes an Application": (
        {**DEPLOYED, "apps/set.yaml": SET % "directories: [{path: teams/*}]", "teams/a/web.yaml": deployment(1)},
        {"teams/b/how.md": "How.\n"},
    ),
    "a file of which a set makes an Application": (
        {**DEPLOYED, "apps/set.yaml": SET % 'files: [{path: "f/**/config.txt"}]'},
        {"f/scripts/config.txt": "a: b\n"},
    ),
    "a manifest that Argo CD does not take": (
        {**DEPLOYED, "apps/f.yaml": APPLICATION % ("f", "f", "include: '*b.yaml'", "team-f")},
        {"f/more.yaml": SERVICE % ("more", "team-f")},
    ),
    "Jsonnet, which Argo CD would take": (DEPLOYED, {"f/more.jsonnet": "{}\n"}),
    "a manifest that is not read": (
        DEPLOYED,
        {"f/more.yaml": f"# +argocd:skip-file-rendering argocd.argoproj.io/\n{SERVICE % ('more', 'team-f')}"},
    ),
    "what hooks run": (
        DEPLOYED,
        {
            "f/more.yaml": deployment(1, "more", "team-f").replace(
                "{name: more,", "{name: more, annotations: {argocd.argoproj.io/hook: Skip},"
            )
        },
    ),
    "settings where something may take values from them": (
        {
            **STARTED,
            "flux.yaml": SOURCE,
            "a/e.yaml": SETTINGS,
        },
        {"a/more.yaml": SETTINGS.replace("name: settings, namespace: team-e", "name: more, namespace: team-a")},
    ),
}


@pytest.mark.parametrize("change", OF_NAMESPACES)
def test_what_comes_and_goes_in_some_namespaces_is_compared_alone(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert "everything" not in compare(noting_repository, monkeypatch, *OF_NAMESPACES[change])


@pytest.mark.parametrize("change", OF_MORE)
def test_whatever_else_may_depend_on_files_is_looked_at(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert compare(noting_repository, monkeypatch, *OF_MORE[change]).count("everything") == 2


def random_changes(generator: random.Random, files: Files) -> Iterator[Files]:
    """Some files that come, go, or have another name, listed or not."""
    manifests = sorted(name for name in files if name.endswith(".yaml") and "kustomization" not in name)
    while True:
        name = generator.choice(manifests)
        text, folder = str(files[name]), name.rpartition("/")[0]
        new = f"{folder}/{generator.choice(('a-new', 'new', 'z-new'))}.yaml"
        change: dict[str, str | None] = {}
        what = generator.choice(("come", "come", "go", "rename"))
        if what != "come":
            change[name] = None
        if what != "go":
            change[new] = text.replace("name: ", "name: new-", 1) if generator.random() < 0.8 else text
        listing = f"{folder}/kustomization.yaml"
        if listing in files and generator.random() < 0.8:
            old = name.rpartition("/")[2]
            lines = [line for line in str(files[listing]).splitlines() if what == "come" or line != f"- {old}"]
            lines += [f"- {new.rpartition('/')[2]}"] if what != "go" else []
            change[listing] = "\n".join(sorted(lines, key=lambda line: line.startswith("- "))) + "\n"
        if generator.random() < 0.3:
            other = generator.choice(manifests)
            change.setdefault(other, str(files[other]).replace("replicas: 2", "replicas: 7"))
        yield change


RANDOM: Files = {
    **STARTED,
    **DEPLOYED,
    "c/one/kustomization.yaml": "namespace: one\nresources:\n- ../base\n- quota.yaml\n- api.yaml\n",
    "c/two/kustomization.yaml": "namespace: two\nresources:\n- ../base\n- quota.yaml\n",
    "c/two/quota.yaml": quota("pods: 3, requests.cpu: 4", namespace="two"),
}


@pytest.mark.parametrize("seed", range(4))
def test_files_that_come_and_go(noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    generator = random.Random(seed)
    noting_repository.commit(RANDOM)
    noting_repository.commit({"a/moved.md": "Moved.\n"})
    asked("diff", "HEAD~1", "HEAD")
    noting_repository.git("reset", "-q", "--hard", "HEAD~1")
    judged_as_a_whole = 0
    changes = random_changes(generator, RANDOM)
    for _ in range(10):
        noting_repository.commit(next(changes))
        for form in ("text", generator.choice(("json", "sarif", "markdown", "github"))):
            expected = anew("diff", "HEAD~1", "HEAD", "--format", form)
            with monkeypatch.context() as inner:
                work = work_done(inner)
                assert asked("diff", "HEAD~1", "HEAD", "--format", form) == expected
        judged_as_a_whole += "everything" in work
        noting_repository.git("reset", "-q", "--hard", "HEAD~1")
    assert judged_as_a_whole < 10
