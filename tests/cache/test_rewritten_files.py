"""Objects that come and go within a file, and files in languages that make manifests: `diff` compares the namespaces
that are concerned, and says what would be found out anew."""

from __future__ import annotations

import os
import random

import pytest
from git_repositories import Repository, deployment, quota
from kept_answers import anew, asked, note_small_states
from test_compared_slices import Files, compare, work_done
from test_new_files import DEPLOYED, SERVICE, STARTED

NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {name: team-a}\n"
PLAIN_TERRAFORM = 'resource "aws_s3_bucket" "a" {\n  bucket = "a"\n}\n'
DEPLOYING_TERRAFORM = 'resource "kubernetes_manifest" "a" {\n  manifest = { kind = "Deployment" }\n}\n'
TWO = f"{deployment(2)}---\n{SERVICE % ('two', 'team-a')}"
UNNAMED = (SERVICE % ("two", "x")).replace(", namespace: x", "")
OF_NAMESPACES: dict[str, tuple[Files, Files]] = {
    "an object more": (STARTED, {"a/web.yaml": TWO}),
    "an object less": ({**STARTED, "a/web.yaml": TWO}, {"a/web.yaml": deployment(2)}),
    "another name": (STARTED, {"a/web.yaml": deployment(2, "other")}),
    "another kind": (STARTED, {"a/service.yaml": deployment(2, "other")}),
    "an object more that does not fit": (
        STARTED,
        {"a/service.yaml": f"{deployment(9, 'more')}---\n{SERVICE}" % ("web", "team-a")},
    ),
    "an object more, and a file": (
        STARTED,
        {"a/web.yaml": TWO, "a/more.yaml": SERVICE % ("more", "team-a")},
    ),
    "an object more, and a file before that, of which neither fits": (
        {**STARTED, "a/x.yaml": SERVICE % ("x", "team-a"), "a/z.yaml": deployment(9, "z")},
        {"a/y.yaml": deployment(9, "y"), "a/z.yaml": f"{deployment(9, 'z')}---\n{deployment(9, 'other')}"},
    ),
    "an object that goes to another file": (
        {**STARTED, "a/web.yaml": TWO},
        {"a/web.yaml": deployment(2), "a/more.yaml": SERVICE % ("two", "team-a")},
    ),
    "an object more of what Argo CD applies": (
        DEPLOYED,
        {"e/web.yaml": f"{deployment(2, 'web', 'team-e')}---\n{deployment(1, 'more', 'team-e')}"},
    ),
    "an object less in what an overlay reads": (
        {**STARTED, "c/one/api.yaml": f"{deployment(1, 'api', '')}---\n{SERVICE % ('two', 'one')}"},
        {"c/one/api.yaml": deployment(1, "api", "")},
    ),
    "an object more in what two overlays read": (
        STARTED,
        {"c/base/web.yaml": f"{STARTED['c/base/web.yaml']}---\n{UNNAMED}"},
    ),
    "another name in what an overlay reads": (STARTED, {"c/one/api.yaml": deployment(1, "server", "")}),
    "what does not fit in what an overlay reads": (
        STARTED,
        {"c/one/api.yaml": f"{deployment(1, 'api', '')}---\n{deployment(20, 'more', '')}"},
    ),
    "Terraform": (
        {**STARTED, "a/resources/main.tf": PLAIN_TERRAFORM},
        {"a/resources/main.tf": PLAIN_TERRAFORM * 2, "a/web.yaml": deployment(3)},
    ),
    "Terraform alone": (
        {**STARTED, "a/resources/main.tf": PLAIN_TERRAFORM},
        {"a/resources/main.tf": PLAIN_TERRAFORM * 2},
    ),
    "Terraform that comes": (STARTED, {"a/resources/main.tf": PLAIN_TERRAFORM, "a/web.yaml": deployment(3)}),
    "Terraform that goes": ({**STARTED, "a/resources/main.tf": PLAIN_TERRAFORM}, {"a/resources/main.tf": None}),
}
OF_MORE: dict[str, tuple[Files, Files]] = {
    "a quota more": (STARTED, {"a/web.yaml": f"{deployment(2)}---\n{quota('pods: 1', 'more', 'team-a')}"}),
    "a namespace more": (STARTED, {"a/web.yaml": f"{deployment(2)}---\n{NAMESPACE}"}),
    "an object of another namespace": (STARTED, {"a/web.yaml": f"{deployment(2)}---\n{SERVICE % ('two', 'team-b')}"}),
    "an object that is there already": (STARTED, {"a/service.yaml": deployment(5)}),
    "a quota more in what an overlay reads": (
        STARTED,
        {"c/one/api.yaml": f"{deployment(1, 'api', '')}---\n{quota('pods: 1', 'more', '')}"},
    ),
    "a namespace more in what an overlay reads": (
        STARTED,
        {"c/one/api.yaml": f"{deployment(1, 'api', '')}---\n{NAMESPACE}"},
    ),
    "the same object twice in what an overlay reads": (
        STARTED,
        {"c/one/api.yaml": f"{deployment(1, 'api', '')}---\n{deployment(1, 'api', '')}"},
    ),
    "nothing left in what an overlay reads": (STARTED, {"c/one/api.yaml": "# nothing\n"}),
    "an object that cannot be read": (STARTED, {"a/web.yaml": f"{deployment(2)}---\na: [\n"}),
    "Terraform that has a Deployment now": (
        {**STARTED, "a/main.tf": PLAIN_TERRAFORM},
        {"a/main.tf": DEPLOYING_TERRAFORM},
    ),
    "Terraform that had a Deployment": (
        {**STARTED, "a/main.tf": DEPLOYING_TERRAFORM},
        {"a/main.tf": PLAIN_TERRAFORM},
    ),
    "Terraform that comes with a Deployment": (STARTED, {"a/main.tf": DEPLOYING_TERRAFORM}),
    "KCL that a kustomization reads as manifests": (
        {
            **STARTED,
            "g/kustomization.yaml": "namespace: g\nresources: [quota.yaml, web.k]\n",
            "g/quota.yaml": quota("services: 2", namespace="g"),
            "g/web.k": SERVICE % ("web", "g"),
        },
        {"g/web.k": "---\n".join(SERVICE % (name, "g") for name in ("web", "two", "three"))},
    ),
    "Terraform that a ConfigMap is made of": (
        {
            **STARTED,
            "g/kustomization.yaml": "namespace: g\nconfigMapGenerator: [{name: run, files: [main.tf]}]\n",
            "g/main.tf": PLAIN_TERRAFORM,
        },
        {"g/main.tf": None},
    ),
}


@pytest.mark.parametrize("change", OF_NAMESPACES)
def test_what_comes_and_goes_in_a_file_is_compared_alone(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert "everything" not in compare(noting_repository, monkeypatch, *OF_NAMESPACES[change])


@pytest.mark.parametrize("change", OF_MORE)
def test_whatever_else_may_depend_on_a_file_is_looked_at(
    noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert compare(noting_repository, monkeypatch, *OF_MORE[change]).count("everything") == 2


THREE = "---\n".join(SERVICE % (name, "team-a") for name in ("web", "two", "three"))


@pytest.mark.skipif(os.name != "posix", reason="links")
@pytest.mark.parametrize("name", ["a/more.yaml", "g/run.sh"])
def test_what_a_link_leads_to_counts(repository: Repository, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A manifest, or what a ConfigMap is made of, may be a link to a file in a language that makes manifests."""
    generating = "namespace: g\nconfigMapGenerator: [{name: run, files: [run.sh]}]\n"
    repository.write({**STARTED, "g/kustomization.yaml": generating, "g/run.sh": "true\n", "more/service.k": "a: b\n"})
    repository.write({"a/quota.yaml": quota("services: 2"), "g/quota.yaml": quota("services: 2", namespace="g")})
    (repository.folder / name).unlink(missing_ok=True)
    (repository.folder / name).symlink_to("../more/service.k")
    assert compare(repository, monkeypatch, {}, {"more/service.k": THREE}).count("everything") == 2


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_what_a_link_leads_to_may_go(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it is called."""
    repository.write({**STARTED, "a/quota.yaml": quota("services: 2"), "more/services.txt": THREE})
    (repository.folder / "a/more.yaml").symlink_to("../more/services.txt")
    assert compare(repository, monkeypatch, {}, {"more/services.txt": None}).count("everything") == 2


@pytest.mark.parametrize("name", ["more.k", "more.txt"])
@pytest.mark.parametrize("sides", [(True, True), (False, True), (True, False)])
def test_a_file_that_somebody_asks_for_is_read(repository: Repository, name: str, sides: tuple[bool, bool]) -> None:
    """Whatever its name is: also where it comes, or goes."""
    was, comes = sides
    repository.commit(
        {**STARTED, "a/quota.yaml": quota("services: 1"), **({name: THREE.partition("---")[0]} if was else {})}
    )
    repository.commit({"moved.md": "Moved.\n"})
    asked("diff", "HEAD~1", "HEAD", "--", "a", *([name] if was else []))
    repository.git("reset", "-q", "--hard", "HEAD~1")
    repository.commit({name: THREE if comes else None})
    command = "diff", "HEAD~1", "HEAD", "--format", "json"
    assert asked(*command, "--", "a", name) == asked(*command, "--no-cache", "--", "a", name)


def test_a_template_that_a_kustomization_reads_may_write_a_quota(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That it does is said of the file, whatever is made of it."""
    note_small_states(monkeypatch)
    reading = "namespace: g\nresources: [web.yaml]\nconfigurations: [names.tpl, names.pp]\n"
    repository.write({**STARTED, "g/kustomization.yaml": reading, "g/web.yaml": SERVICE % ("web", "g")})
    repository.write({"g/names.tpl": "namePrefix: []\n", "g/names.pp": "namePrefix: []\n"})
    asked("check")
    for name in ("g/names.tpl", "g/names.pp"):
        for text in ("namePrefix: [{path: metadata/name, kind: ResourceQuota}]\n", "namePrefix: []\n"):
            repository.write({name: text})
            assert asked("check") == anew("check")


RANDOM: Files = {
    **STARTED,
    **DEPLOYED,
    "a/web.yaml": "---\n".join((TWO, SERVICE % ("three", "team-a"), deployment(1, "four"))),
    "b/web.yaml": f"{deployment(1, 'web', 'team-b')}---\n{SERVICE % ('web', 'team-b')}",
}


def rewritten(generator: random.Random, text: str) -> str:
    """A file in which an object comes, goes, moves, or has another name."""
    documents = text.split("---\n")
    at = generator.randrange(len(documents))
    what = generator.choice(("come", "go", "move", "rename"))
    if what == "go" and len(documents) > 1:
        del documents[at]
    elif what == "move":
        documents.insert(0, documents.pop(at))
    else:
        name = generator.choice(("new", "web", "z"))
        other = documents[at].replace("name: web", f"name: {name}", 1).replace("name: two", f"name: {name}", 1)
        documents[at : at + (what == "rename")] = [other]
    return "---\n".join(documents)


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_rewritten(noting_repository: Repository, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    generator = random.Random(seed)
    manifests = sorted(name for name in RANDOM if name.endswith(".yaml") and name[0] in "abef" and "/" in name)
    noting_repository.commit(RANDOM)
    noting_repository.commit({"a/moved.md": "Moved.\n"})
    asked("diff", "HEAD~1", "HEAD")
    noting_repository.git("reset", "-q", "--hard", "HEAD~1")
    judged_as_a_whole = 0
    for _ in range(12):
        names = generator.sample(manifests, generator.choice((1, 1, 2)))
        files = {name: rewritten(generator, str(RANDOM[name])) for name in names}
        noting_repository.commit({**files, "docs/how.md": "Otherwise.\n"})
        form = generator.choice(("text", "json", "sarif", "markdown", "github"))
        expected = anew("diff", "HEAD~1", "HEAD", "--format", form)
        with monkeypatch.context() as inner:
            work = work_done(inner)
            assert asked("diff", "HEAD~1", "HEAD", "--format", form) == expected, names
        judged_as_a_whole += "everything" in work
        noting_repository.git("reset", "-q", "--hard", "HEAD~1")
    assert judged_as_a_whole < 12
