"""Folders with a base, a component and a patch each, of which overlays list all, and what kustomizations can say."""

from __future__ import annotations

from git_repositories import deployment, quota
from written_files import Link

from known_edits.rows import PATCH, Files, Rows, Swap, namespace

TEAMS = ("team-1", "team-2", "team-3")
COMPONENT = """apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
namePrefix: our-
configMapGenerator: [{name: settings, literals: [a=b]}]
"""
UNPLACED = quota("pods: 3", namespace="x").replace(", namespace: x", "")
OF_TEAM = {
    "quota.yaml": UNPLACED,
    "patch.yaml": PATCH % ("web", 2),
    "run.sh": "true\n",
    "kustomization.yaml": "resources: [../../base, quota.yaml]\ncomponents: [../../settings]\n"
    "patches: [{path: patch.yaml}]\nconfigMapGenerator: [{name: run, files: [run.sh]}]\nnamespace: ",
}


def all_teams(more: str) -> str:
    """A kustomization that lists all teams."""
    return "resources:\n" + "".join(f"- ../teams/{team}\n" for team in TEAMS) + more


LAYOUT: Files = {
    **{f"teams/{team}/{name}": text for team in TEAMS for name, text in OF_TEAM.items()},
    **{f"teams/{team}/kustomization.yaml": f"{OF_TEAM['kustomization.yaml']}{team}\n" for team in TEAMS},
    "base/kustomization.yaml": "resources: [web.yaml]\n",
    "base/web.yaml": deployment(1, "web", ""),
    "settings/kustomization.yaml": COMPONENT,
    "all/kustomization.yaml": all_teams("commonLabels: {a: b}\n"),
    "staging/kustomization.yaml": all_teams("namespace: staging\n"),
    "outer/kustomization.yaml": "resources: [../inner]\n",
    "inner/kustomization.yaml": all_teams("namePrefix: inner-\n"),
}
TEAM = "teams/team-2"
IN_TEAM = f"{TEAM}/kustomization.yaml"
TEXT = LAYOUT[IN_TEAM]
SCHEMA = '{"definitions": {}}\n'
VARIABLE = "vars: [{name: WEB, objref: {apiVersion: apps/v1, kind: Deployment, name: web}}]\n"
LISTER = Swap("quota.yaml]", "quota.yaml, ../../all/kustomization.yaml]")
SETTLED = {IN_TEAM: f"{TEXT}commonAnnotations: {{x: y}}\n"}
ROWS: Rows = {
    "one folder after the other": (
        SETTLED,
        {"teams/team-1/kustomization.yaml": Swap("[../../base, ", "[")},
        {"teams/team-3/quota.yaml": Swap("pods: 3", "pods: 1")},
    ),
    "what all build on": (
        {"base/web.yaml": Swap("image: web", "image: other")},
        {"settings/kustomization.yaml": Swap("our-", "your-")},
        {"all/kustomization.yaml": all_teams("namespace: all\n")},
        {"inner/kustomization.yaml": all_teams("namePrefix: other-\n")},
    ),
    "a text that a ConfigMap is made of": ({f"{TEAM}/run.sh": "false\n"}, {f"{TEAM}/run.sh": None}),
    "what a folder is": (
        {IN_TEAM: COMPONENT},
        {IN_TEAM: "{}\n"},
        {IN_TEAM: "resources: [\n"},
        {IN_TEAM: "resources: [../../all]\n"},
        {IN_TEAM: TEXT, f"{TEAM}/kustomization.yml": "resources: [quota.yaml]\n"},
    ),
    "schemas": (
        {IN_TEAM: f"{TEXT}openapi: {{path: schema.json}}\n", f"{TEAM}/schema.json": SCHEMA},
        {"all/kustomization.yaml": all_teams("openapi: {path: schema.json}\n"), "all/schema.json": SCHEMA},
    ),
    "what transformers learn": (
        {IN_TEAM: f"{TEXT}configurations: [more.yaml]\n", f"{TEAM}/more.yaml": "commonLabels: []\n"},
        {f"{TEAM}/more.yaml": "commonLabels: [{path: spec/labels, create: true}]\n"},
    ),
    "variables and anchors": (
        {IN_TEAM: TEXT + VARIABLE},
        {f"{TEAM}/patch.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: &a {name: web}\nspec: {x: *a}\n"},
    ),
    "what is missing, and comes": (
        {IN_TEAM: "resources: [quota.yaml, missing.yaml, ../missing]\n"},
        {f"{TEAM}/missing.yaml": deployment(5, "more", "")},
        {"teams/missing/kustomization.yaml": COMPONENT},
        {"teams/missing/kustomization.yaml": "resources: [../team-1/quota.yaml]\n"},
    ),
    "what is remote": ({IN_TEAM: "resources: [quota.yaml, https://example.com/all.yaml]\n"},),
    "a folder that names the kustomization of who lists it": (
        {IN_TEAM: LISTER},
        {"above/kustomization.yaml": f"resources: [../{TEAM}]\nnamePrefix: other-\n"},
    ),
    "an order": ({IN_TEAM: f"{TEXT}sortOptions: {{order: none}}\n"}, {"all/kustomization.yaml": None}),
    "links to files": (
        {f"{TEAM}/quota.yaml": Link("../team-1/quota.yaml")},
        {"teams/team-1/quota.yaml": Swap("pods: 3", "pods: 9")},
        {f"{TEAM}/quota.yaml": Link("../team-3/quota.yaml")},
    ),
    "links to folders": (
        {"one/kustomization.yaml": "resources: [../base]\n", "two/kustomization.yaml": "resources: [../base]\n"},
        {"linked": Link("one"), IN_TEAM: "resources: [../../linked]\nnamespace: team-2\n"},
        {"linked": Link("two")},
        {"linked": Link("three")},
    ),
    "links that lead out": (
        {"../outside.yaml": namespace("x"), IN_TEAM: "resources: [../it.yaml]\n"},
        {"teams/it.yaml": Link("../../outside.yaml")},
        {IN_TEAM: "components: [../it.yaml]\n"},
        {"../outside.yaml": None},
    ),
    "which files are looked at": (
        {IN_TEAM: "resources: [more/it.yaml]\n", f"{TEAM}/more/it.yaml": "#@ load('@ytt:data', 'data')\n" + UNPLACED},
        {".quotalint.yaml": f"exclude: [{TEAM}/more]\n"},
        {f"{TEAM}/more/it.yaml": UNPLACED + "{% if more %}\n"},
    ),
    "what stands for a URL": (
        {IN_TEAM: "resources: [https://example.com/other.yaml]\nnamespace: x\n", "copy.yaml": UNPLACED},
        {".quotalint.yaml": "sources: {'https://example.com/other.yaml': copy.yaml}\n"},
        {"copy.yaml": deployment(9, "web", "")},
    ),
}
