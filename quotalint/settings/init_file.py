"""The first `.quotalint.yaml` of a repository."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from quotalint.kube.kubernetes_releases import DEFAULT, VERSIONS
from quotalint.named_tuples import NamedTuple
from quotalint.text.files import LED_OUT, content, leads_out, write_whole
from quotalint.text.sources import find
from quotalint.text.words import list_some
from quotalint.version import __version__


class Starter(NamedTuple):
    """A first configuration."""

    text: str
    found: tuple[str, ...]
    """What it proposes, a line each."""


def starter_configuration(
    root: str,
    clusters: Sequence[str] = (),
    environments: Sequence[tuple[str, Sequence[str]]] = (),
    deployed: Collection[str] = (),
) -> Starter:
    """A configuration for this folder: every key with an explanation, and an `exclude` for folders found there that are
    not `deployed`. `clusters` and `environments` (with their folders) come from the repository."""
    files = _files_below(root)
    proposed = _proposed_patterns(root, files, deployed)
    patterns = [f"- {_quoted_pattern(pattern)}" for pattern in proposed]
    releases = _release_examples(files)
    renderers = [
        "# Releases of charts here that no object declares, one for each values file. Set their namespaces:",
        f"#renderers: {{helm: {{{', '.join(f'{chart}: {values}' for chart, values in releases.items())}}}}}",
    ]
    address = f"https://raw.githubusercontent.com/quotalint/quotalint/v{__version__}/schemas/config.schema.json"
    text = _TEXT.replace("@schema@", address)
    text = text.replace("@renderers@", "\n".join(renderers) if releases else _RENDERERS)
    text = text.replace("@versions@", f"{VERSIONS[0]} to {VERSIONS[-1]}").replace("@version@", DEFAULT)
    if patterns:
        comment = "# Found here: folders whose YAML is probably not applied. Remove those that are:"
        text = text.replace(_NO_EXCLUDE, "\n".join([comment, "exclude:", *patterns]))
    if environments:
        comment = "# Found in this repository, partly guessed. Correct it and remove the #:"
        lines = (
            f"#  {_quoted_pattern(name)}: [{', '.join(_folder_patterns(folders))}]" for name, folders in environments
        )
        text = text.replace(_NO_ENVIRONMENTS, "\n".join([comment, "#environments:", *lines]))
    if clusters:
        comment = "# Names in paths of ApplicationSets. Correct them and remove the #:"
        text = text.replace(
            _NO_CLUSTERS,
            f"{comment}\n#clusters: {{{', '.join(f'{_quoted_pattern(cluster)}: {{}}' for cluster in clusters)}}}",
        )
    found = (
        ("excluded, because probably not applied", proposed),
        ("proposed environments", [name for name, _ in environments]),
        ("proposed clusters", clusters),
        ("charts without a namespace", [*releases]),
    )
    return Starter(text, tuple(f"{what}: {list_some(names, _NAMED)}" for what, names in found if names))


def _folder_patterns(folders: Iterable[str]) -> Iterator[str]:
    for folder in folders:
        yield _quoted_pattern("/*" if folder == "." else f"/{_escape_pattern(folder)}/")


def write_configuration(path: str, text: str, *, force: bool) -> str | None:
    """Write the file, whole or not at all. The failure, or None; without `force`, an existing file is a failure."""
    if os.path.lexists(path) and not force:
        return f"{path} exists already; --force replaces it"
    if leads_out(path):
        return f"{path} cannot be written: {LED_OUT}"
    failure = write_whole(path, text.encode(), new=not force)
    return f"{path} cannot be written: {failure}" if failure else None


_NEVER_APPLIED = frozenset({"testdata", "fixtures", "chainsaw", "scaffolding"})
_SELDOM_APPLIED = frozenset({"test", "tests", "e2e", "examples"})  # or a stage, or all there is
IDLE_FOLDERS = _NEVER_APPLIED | _SELDOM_APPLIED
"""Names of folders whose manifests are seldom meant for a cluster."""
_STAGES = frozenset({"overlays", "environments", "envs", "clusters", "stages"})
_TEMPLATES = "templates"
_KUSTOMIZATIONS = frozenset({"kustomization.yaml", "kustomization.yml", "Kustomization"})
_EACH = 3  # as many folders of one name are named one by one
_MOST = 10  # patterns
_NAMED = 5  # in a line of what was found
_LOOK = 1 << 16  # bytes of a file in which to look for `{{`


def _files_below(root: str) -> list[str]:
    """The files of a folder, relative to it."""
    real = os.path.realpath(root)
    return [os.path.relpath(source.path, real).replace(os.sep, "/") for source in find([root], root, ()).sources]


def _release_examples(files: list[str]) -> dict[str, str]:
    """For each chart with values files an example release of each; the file's name gives the suffix."""
    folders = {name.removesuffix("Chart.yaml") for name in files if name.rpartition("/")[2] == "Chart.yaml"}
    charts: dict[str, str] = {}
    # But for those in the `charts/` of another one: of `charts/web` there is none above.
    for folder in sorted(folder for folder in folders if "/charts/" not in folder.partition("charts/")[2]):
        chart = folder.rstrip("/").rpartition("/")[2]
        values = sorted(name for name in files if re.fullmatch(re.escape(folder) + _VALUES, name))[:_MOST]
        if chart and values and all(re.fullmatch(r"[A-Za-z0-9/._-]+", name) for name in (folder, *values)):
            charts[folder.rstrip("/")] = f"[{', '.join(_release_example(chart, name) for name in values)}]"
    return dict(list(charts.items())[:_MOST])


def _release_example(chart: str, values: str) -> str:
    environment = re.sub(r"^values[-_.]?|\.ya?ml$", "", values.rpartition("/")[2])
    return f"{{release: {chart}, namespace: {chart}, environment: {environment}, values: [{values}]}}"


_VALUES = r"(?:values/[^/]+|values[-_.][^/]+)\.ya?ml"


def _proposed_patterns(root: str, files: list[str], deployed: Collection[str]) -> list[str]:
    """Patterns of .gitignore for folders whose names say that nobody applies their manifests."""
    real = os.path.realpath(root)
    charts = tuple(name.removesuffix("Chart.yaml") for name in files if name.rpartition("/")[2] == "Chart.yaml")
    held: dict[str, list[str]] = {}
    for name in files:
        folder = _outermost_folder(name)
        if folder and not folder.startswith(charts):
            held.setdefault(folder, []).append(name)
    used = tuple(f"{folder}/" for folder in deployed)
    chosen = {
        folder
        for folder, names in held.items()
        if _is_idle(real, folder, names, len(files))
        and not any(deployed_folder.startswith(folder) for deployed_folder in used)
    }
    by_name: dict[str, list[str]] = {}
    for folder in sorted(held):
        by_name.setdefault(folder.split("/")[-2], []).append(folder)
    return [pattern for name in sorted(by_name) for pattern in _name_patterns(name, by_name[name], chosen)][:_MOST]


def _outermost_folder(name: str) -> str:
    """The outermost folder around a file that may be worth a pattern ("a/testdata/"), or nothing."""
    folders = name.split("/")[:-1]
    telling = {*_NEVER_APPLIED, *_SELDOM_APPLIED, _TEMPLATES}
    return next(("/".join(folders[: at + 1]) + "/" for at, folder in enumerate(folders) if folder in telling), "")


def _is_idle(root: str, folder: str, names: list[str], total: int) -> bool:
    *above, kind, _ = folder.split("/")
    if kind in _SELDOM_APPLIED:
        kustomized = any(name.rpartition("/")[2] in _KUSTOMIZATIONS for name in names)
        return not kustomized and _STAGES.isdisjoint(above[-1:]) and 2 * len(names) <= total
    return kind in _NEVER_APPLIED or any(_is_template(os.path.join(root, name)) for name in names)


def _is_template(path: str) -> bool:
    try:
        return b"{{" in (content(path, _LOOK) or b"")
    except OSError:
        return False


def _name_patterns(name: str, folders: list[str], chosen: Iterable[str]) -> Iterator[str]:
    """One pattern for all folders of a name, if there are many and all are meant."""
    idle = [folder for folder in folders if folder in chosen]
    if len(idle) > _EACH and idle == folders:
        yield name + "/"
        return
    for folder in idle:
        if folder.isprintable():
            yield "/" + _escape_pattern(folder)


def _escape_pattern(folder: str) -> str:
    return re.sub(r"([*?\[\\])", r"\\\1", folder)


def _quoted_pattern(pattern: str) -> str:
    if re.fullmatch(r"[A-Za-z0-9/][A-Za-z0-9/._-]*", pattern):
        return pattern
    escaped = pattern.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


_NO_EXCLUDE = "#exclude: [testdata/, /docs/examples/]"
_NO_ENVIRONMENTS = "#environments: {prod: [/clusters/prod/, /overlays/prod/], dev: /overlays/dev/}"
_NO_CLUSTERS = '#clusters: {prod: {server: "https://prod.example.org", labels: {stage: prod}}}'
_RENDERERS = (
    "#renderers: {kustomize: auto, helm: {charts/web: {release: web, namespace: team-a, values: [values/prod.yaml]}}}"
)

_TEXT = """\
# yaml-language-server: $schema=@schema@
# What quotalint checks here, and how.
# `# ` begins an explanation; `#` without a space begins an example: remove the # to use it.
# Patterns are those of .gitignore and relative to this folder. Quote one that begins with * or ! or #.

# Configurations to extend: files of this repository, or package:NAME/FILE of an installed package.
#extends: [quotalint-base.yaml]

# Files that are not read, in addition to those in .gitignore and the folders of package managers: node_modules/,
# vendor/, .terraform/, virtual environments ("!vendor/" reads one of them anyway).
#exclude: [testdata/, /docs/examples/]

# The rules to apply, by id or prefix. Default: all that are not off by default.
#select: [QL1, QL2, QL3, QL4, QL501]

# What not to report: rules everywhere, only in some files, or only for some resources.
#ignore:
#- QL305
#- {rules: [QL4], paths: [legacy/]}
#- {rules: [QL201], resources: [limits.nvidia.com/gpu]}

# Accepted findings, which are not reported: `quotalint --write-baseline` writes this file.
#baseline: .quotalint-baseline.yaml

# How severe the findings of a rule are: error, warning, info, or off.
#severity: {QL305: warning, QL206: off}

# The lowest severity that makes the exit status 1: error, warning, info, or never.
#failOn: error

# The number of nodes, and so of pods of a DaemonSet: one number, or one for each node selector.
#nodes: {"*": 12, "disk=ssd,zone=a": 3}

# The namespace of manifests that name none, by file; the first matching pattern counts.
#namespaces: {team-a/: team-a, "/clusters/*/monitoring/": monitoring}

# Folders that are applied together, if neither Argo CD, Flux nor paths such as overlays/prod say so. A map can also
# override nodes, scenario, capacity, failOn and kubeVersion: {paths: [/clusters/prod/], nodes: 12, scenario: surge}.
#environments: {prod: [/clusters/prod/, /overlays/prod/], dev: /overlays/dev/}

# The clusters that Argo CD deploys to, for the cluster generator of ApplicationSets.
#clusters: {prod: {server: "https://prod.example.org", labels: {stage: prod}}}

# Names of environments in other repositories, for joined reports (--with report.json, quotalint fleet).
#environmentAliases: {production: prod}

# Folders of this repository that replace remote charts and repositories, by URL or URL prefix.
#sources: {"https://charts.example.org": vendor/charts, "https://github.com/acme/base": vendor/base}

# The folder for what `quotalint vendor` fetches.
#vendor: .quotalint/sources

# What renders kustomizations: auto, builtin, binary or off; and charts: auto, sdk, program or off, or their releases.
@renderers@

# The capacity of all nodes together, and the reserve that quotas must leave (QL502).
#capacity: {cpu: 26, memory: 41Gi, reserve: {cpu: 3, memory: 1Gi}}

# Sizes of quotas that `quotalint suggest` chooses from.
#sizes: {small: {requests.cpu: 2, requests.memory: 4Gi}, large: {requests.cpu: 16, requests.memory: 64Gi}}

# What the quotas of every namespace must limit (QL503, which has to be selected).
#requiredLimits: [requests.cpu, requests.memory]

# Priority classes whose pods need a quota that covers them, as in some managed clusters (QL403).
#limitedPriorityClasses: [system-node-critical, system-cluster-critical]

# Whether compute quotas refuse pods at admission, or leave them Pending (deferred).
#enforcement: admission

# The demand that must fit: steady, surge (with the largest rollout or scheduled run), or peak (all at once).
#scenario: steady

# Kinds of workloads that quotalint does not know.
#workloads: {Widget.example.com: {podTemplate: spec.template, replicas: spec.replicas}}
# Platforms that keep objects in every namespace (istio, openshift); without it, what is in view shows them.
#platform: [istio]

# Rules of your own, in CEL: files, folders of them, or policies (docs/policies.md).
#policies: [{id: QLC101, message: "{resource} peaks at {peak} of {hard}", expression: entry.peak <= entry.hard * 0.8}]

# Whether the objects of OpenShift Templates count, with the defaults of their parameters.
#templates: false
# Files whose ConfigMaps contain manifests: quotas and LimitRanges there are checked, but never counted.
#configMaps: [bootstrap/*.yaml]

# The Kubernetes release of the cluster, @versions@, in quotes: without them 1.30 is the number 1.3.
#kubeVersion: "@version@"

# The share of a quota from which it is reported as nearly full.
#thresholds: {nearlyFull: 90%}
"""
