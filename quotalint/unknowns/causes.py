"""Causes why something is not in view. Equal causes are reported once, with one remedy."""

from __future__ import annotations

from quotalint.named_tuples import NamedTuple

REMOTE_CHART, REMOTE_REPOSITORY, REMOTE_BASE = "remote-chart", "remote-repository", "remote-base"
HELMFILE_CHART, UNVENDORED, BROKEN_LOCK = "helmfile-chart", "unvendored", "broken-lock"
OTHER_REVISION, ABSENT_FOLDER, TEMPLATED_PATH = "other-revision", "absent-folder", "templated-path"
RENAMED_REPOSITORY, ARTIFACT = "renamed-repository", "artifact"
CLUSTERS, CODE_HOST, PLUGIN, CUSTOMISED = "clusters", "code-host", "plugin", "customised"
CLUSTER_DECISION, GENERATOR_PROGRAM = "cluster-decision", "generator-program"
OUTSIDE_VALUES, OUTSIDE_VARIABLES = "outside-values", "outside-variables"
UNFOLLOWED_OBJECTS, OTHER_CLUSTERS = "unfollowed", "other-clusters"
TERRAFORM_PARSER, TERRAFORM_VALUES = "terraform-parser", "terraform-values"
"""Families of causes; a family has one remedy."""

UNDEPLOYED_CHART = "a Helm chart that nothing in view deploys, so what it would deploy is not counted"
"""The reason reported for a chart's file."""
UNRENDERED_CHART = "a Helm chart that nothing in view deploys, and that is not rendered by itself: "
"""The same, with the reason why it is not rendered with its own values, which follows."""

LISTED_ELSEWHERE = (CODE_HOST, CLUSTER_DECISION, GENERATOR_PROGRAM)
"""Families in which an external system decides what an ApplicationSet generates."""

_VENDOR = "not vendored: quotalint vendor"
_SNAPSHOT = "pass a snapshot of the cluster with `--with`"


class Words(NamedTuple):
    """The wording of a family."""

    plural: str
    """The text after a number of cases."""
    cure: str
    """The remedy."""
    awaited: str
    """What a sum depends on."""


FAMILIES = {
    REMOTE_CHART: Words(
        "sources are remote charts",
        f"{_VENDOR}; or {_SNAPSHOT}, or put the charts into the repository and name their folder under `sources`",
        "remote charts",
    ),
    HELMFILE_CHART: Words(
        "sources are remote charts",
        f"{_VENDOR}; or {_SNAPSHOT}, or keep the charts in the repository, under their names",
        "remote charts",
    ),
    UNVENDORED: Words(
        "charts lack dependencies that are not vendored",
        f"{_VENDOR}; or run `helm dependency build` before, or keep charts/ in the repository, or {_SNAPSHOT}",
        "dependencies of charts that are not vendored",
    ),
    BROKEN_LOCK: Words(
        "vendored sources are not what `quotalint.lock` says",
        "run `quotalint vendor`, which fetches what is missing or wrong",
        "vendored sources that are not what `quotalint.lock` says",
    ),
    REMOTE_REPOSITORY: Words(
        "sources are other repositories",
        f"{_VENDOR}; or {_SNAPSHOT}, or name a folder that holds a copy under `sources`",
        "other repositories",
    ),
    RENAMED_REPOSITORY: Words(
        "sources are repositories of another name, though their folders are here",
        "if this is that repository, renamed or copied, write `sources: {<its URL>: .}` into .quotalint.yaml; "
        f"else {_SNAPSHOT}",
        "other repositories",
    ),
    ARTIFACT: Words(
        "sources are artifacts, and nothing says what they are made of",
        "if they are made of this repository, write `sources: {<their URL>: .}` into .quotalint.yaml; "
        f"else {_SNAPSHOT}",
        "artifacts",
    ),
    REMOTE_BASE: Words(
        "entries of kustomizations are remote",
        f"{_VENDOR}; or {_SNAPSHOT}, or name a folder that holds a copy under `sources`",
        "remote bases",
    ),
    OTHER_REVISION: Words(
        "sources are other revisions of this repository",
        f"check that revision by itself, or {_SNAPSHOT}",
        "other revisions",
    ),
    ABSENT_FOLDER: Words(
        "sources name a folder that does not exist",
        f"correct the path if it is wrong; if something creates the folder later, {_SNAPSHOT}",
        "folders that do not exist",
    ),
    TEMPLATED_PATH: Words(
        "sources have a path that is still a template",
        f"render it first, or {_SNAPSHOT}",
        "paths that are still templates",
    ),
    CLUSTERS: Words(
        "ApplicationSets need the list of clusters",
        "write the clusters that Argo CD knows under `clusters` in .quotalint.yaml",
        "the list of clusters",
    ),
    CODE_HOST: Words(
        "ApplicationSets ask a code host", f"{_SNAPSHOT}: only the code host knows what there is", "a code host"
    ),
    CLUSTER_DECISION: Words(
        "ApplicationSets go where an object of the cluster decides",
        f"{_SNAPSHOT}: only the cluster knows what it decided",
        "what the cluster decides",
    ),
    GENERATOR_PROGRAM: Words(
        "ApplicationSets ask a program of your own",
        f"{_SNAPSHOT}: only that program knows what there is",
        "a program of your own",
    ),
    PLUGIN: Words("sources are rendered by plugins, which are not run", f"render it in CI, or {_SNAPSHOT}", "plugins"),
    CUSTOMISED: Words(
        "bundles of Fleet are different in each cluster",
        f"{_SNAPSHOT}, or check what `fleet apply` and `fleet target` write in CI",
        "what bundles are in each cluster",
    ),
    OUTSIDE_VALUES: Words(
        "releases need values that lie outside the repository",
        "keep stand-ins for the files in the repository and name their folder under `sources`",
        "values that lie outside the repository",
    ),
    OUTSIDE_VARIABLES: Words(
        "Kustomizations take variables from what is not in view",
        f"{_SNAPSHOT}, or keep what is no secret in a ConfigMap of the repository",
        "variables that are not in view",
    ),
    UNFOLLOWED_OBJECTS: Words(
        "objects deploy what is not followed",
        f"{_SNAPSHOT}: it shows what comes of them",
        "what objects deploy that are not followed",
    ),
    TERRAFORM_PARSER: Words(
        "folders of Terraform need a parser",
        "install it with `pip install 'quotalint[terraform]'`",
        "files of Terraform",
    ),
    TERRAFORM_VALUES: Words(
        "values of Terraform are not in view",
        "pass the plan, which has all values: `terraform show -json PLAN | quotalint -`",
        "values of Terraform that are not in view",
    ),
    OTHER_CLUSTERS: Words(
        "objects deploy to clusters that they choose, which is not followed",
        "check what is put there by itself",
        "what comes from other clusters",
    ),
}


class SharedCause(NamedTuple):
    """A cause, shared by problems with the same family and name."""

    family: str
    name: str
    """What is not in view: a chart, a URL, a path."""


class Reason(str):
    """A clause that says why something is not in view, with its cause."""

    __slots__ = ("cause",)

    cause: SharedCause

    def __new__(cls, words: str, family: str, name: str) -> Reason:
        reason = super().__new__(cls, words)
        reason.cause = SharedCause(family, name)
        return reason


def with_place(where: str, why: str, cause: SharedCause | None) -> str:
    """A reason prefixed with its file; it keeps its cause."""
    words = f"{where}: {why}"
    return Reason(words, cause.family, cause.name) if cause else words


def cause_of(why: str) -> SharedCause | None:
    """The cause of a reason; None for a plain string."""
    return why.cause if isinstance(why, Reason) else None
