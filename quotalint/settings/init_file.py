"""The first `.quotalint.yaml` of a repository."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from quotalint.kube.kubernetes_releases import DEFAULT, VERSIONS
from quotalint.text.files import LED_OUT, content, leads_out, write_whole
from quotalint.text.sources import find
from quotalint.version import __version__


def starter_configuration(
    root: str,
    clusters: Sequence[str] = (),
    environments: Sequence[tuple[str, Sequence[str]]] = (),
    deployed: Collection[str] = (),
) -> str:
    """The text of a configuration for this folder: every key explained, and an `exclude` of what was found there, but
    for folders that are `deployed`. `clusters` and `environments` (with their folders) are what was read off it."""
    files = _files_below(root)
    patterns = [f"- {_quoted_pattern(pattern)}" for pattern in _proposed_patterns(root, files, deployed)]
    address = f"https://raw.githubusercontent.com/quotalint/quotalint/v{__version__}/schemas/config.schema.json"
    text = _TEXT.replace("@schema@", address).replace(
        "@renderers@", "\n".join(_release_examples(files) or [_RENDERERS])
    )
    text = text.replace("@versions@", f"{VERSIONS[0]} to {VERSIONS[-1]}").replace("@version@", DEFAULT)
    if patterns:
        comment = "# Found here, with YAML that looks as if no cluster is meant to have it; remove what is applied:"
        text = text.replace(_NO_EXCLUDE, "\n".join([comment, "exclude:", *patterns]))
    if environments:
        comment = "# Read off this repository, some of it guessed; correct it, and take the # away:"
        lines = (
            f"#  {_quoted_pattern(name)}: [{', '.join(_folder_patterns(folders))}]" for name, folders in environments
        )
        text = text.replace(_NO_ENVIRONMENTS, "\n".join([comment, "#environments:", *lines]))
    if clusters:
        comment = "# These names stand in the paths of ApplicationSets; correct them, and take the # away:"
        text = text.replace(
            _NO_CLUSTERS,
            f"{comment}\n#clusters: {{{', '.join(f'{_quoted_pattern(cluster)}: {{}}' for cluster in clusters)}}}",
        )
    return text


def _folder_patterns(folders: Iterable[str]) -> Iterator[str]:
    for folder in folders:
        yield _quoted_pattern("/*" if folder == "." else f"/{_escape_pattern(folder)}/")


def write_configuration(path: str, text: str, *, force: bool) -> str | None:
    """Writes the file whole or not at all. What went wrong, if anything; without `force` also that it exists."""
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
_LOOK = 1 << 16  # bytes of a file in which to look for `{{`


def _files_below(root: str) -> list[str]:
    """The files of a folder, relative to it."""
    real = os.path.realpath(root)
    return [os.path.relpath(source.path, real).replace(os.sep, "/") for source in find([root], root, ()).sources]


def _release_examples(files: list[str]) -> list[str]:
    """A release as an example for each values file beside a chart, by what its name adds to `values`."""
    folders = {name.removesuffix("Chart.yaml") for name in files if name.rpartition("/")[2] == "Chart.yaml"}
    charts = []
    # But for those in the `charts/` of another one: of `charts/web` there is none above.
    for folder in sorted(folder for folder in folders if "/charts/" not in folder.partition("charts/")[2]):
        chart = folder.rstrip("/").rpartition("/")[2]
        values = sorted(name for name in files if re.fullmatch(re.escape(folder) + _VALUES, name))[:_MOST]
        if chart and values and all(re.fullmatch(r"[A-Za-z0-9/._-]+", name) for name in (folder, *values)):
            charts.append(f"{folder.rstrip('/')}: [{', '.join(_release_example(chart, name) for name in values)}]")
    head = (
        "# Releases of the charts here that no object declares, one for each values file; give them their namespaces:"
    )
    return [head, f"#renderers: {{helm: {{{', '.join(charts[:_MOST])}}}}}"] if charts else []


def _release_example(chart: str, values: str) -> str:
    environment = re.sub(r"^values[-_.]?|\.ya?ml$", "", values.rpartition("/")[2])
    return f"{{release: {chart}, namespace: {chart}, environment: {environment}, values: [{values}]}}"


_VALUES = r"(?:values/[^/]+|values[-_.][^/]+)\.ya?ml"


def _proposed_patterns(root: str, files: list[str], deployed: Collection[str]) -> list[str]:
    """Patterns of .gitignore for the folders whose names say that nobody applies what they hold."""
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
    """One for all folders of a name, if all are meant and there are many."""
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
# A line that begins with # and a space explains, one without the space is an example: take the # away to use it.
# Patterns are those of .gitignore and relative to this folder. Quote one that begins with * or ! or #.

# Configurations that this one builds on: files of this repository, or package:NAME/FILE of an installed package.
#extends: [quotalint-base.yaml]

# Files that are not read, beside those that .gitignore names and what package managers bring: node_modules/, vendor/,
# .terraform/, virtual environments ("!vendor/" reads one of them all the same).
#exclude: [testdata/, /docs/examples/]

# The rules to apply, by id or by what ids begin with. Without it: all but those that are off by default.
#select: [QL1, QL2, QL3, QL4, QL501]

# What not to report: rules everywhere, or only in some files, or only about some resources.
#ignore:
#- QL305
#- {rules: [QL4], paths: [legacy/]}
#- {rules: [QL201], resources: [limits.nvidia.com/gpu]}

# What was found before and is let be: `quotalint --write-baseline` writes this file, and only what is new is reported.
#baseline: .quotalint-baseline.yaml

# How severe the findings of a rule are: error, warning, info, or off.
#severity: {QL305: warning, QL206: off}

# From which severity on the exit code is 1: error, warning, info, or never.
#failOn: error

# How many nodes there are, which is how many pods a DaemonSet has: one number, or by what it selects nodes with.
#nodes: {"*": 12, "disk=ssd,zone=a": 3}

# The namespace of manifests that name none, by file; the first pattern that matches counts.
#namespaces: {team-a/: team-a, "/clusters/*/monitoring/": monitoring}

# Which folders are applied together, where neither Argo CD, Flux nor paths such as overlays/prod say it. A map in place
# of the folders says what is different there, too: {paths: [/clusters/prod/], nodes: 12, scenario: surge}; capacity,
# failOn and kubeVersion as well.
#environments: {prod: [/clusters/prod/, /overlays/prod/], dev: /overlays/dev/}

# The clusters that Argo CD deploys to, for the cluster generator of ApplicationSets.
#clusters: {prod: {server: "https://prod.example.org", labels: {stage: prod}}}

# What other repositories call an environment, for reports that are joined (--with report.json, quotalint fleet).
#environmentAliases: {production: prod}

# Folders of this repository that stand for remote charts and repositories, by what their URLs begin with.
#sources: {"https://charts.example.org": vendor/charts, "https://github.com/acme/base": vendor/base}

# What renders kustomizations: auto, builtin, binary or off; and charts: auto, sdk, program or off, or their releases.
@renderers@

# What the nodes have together, and what of it no quota may give away (QL502).
#capacity: {cpu: 26, memory: 41Gi, reserve: {cpu: 3, memory: 1Gi}}

# Sizes of quotas that `quotalint suggest` chooses from.
#sizes: {small: {requests.cpu: 2, requests.memory: 4Gi}, large: {requests.cpu: 16, requests.memory: 64Gi}}

# What the quotas of every namespace must limit (QL503, which has to be selected).
#requiredLimits: [requests.cpu, requests.memory]

# Priority classes whose pods need a quota that covers them, as some managed clusters have it (QL403).
#limitedPriorityClasses: [system-node-critical, system-cluster-critical]

# Whether compute quotas refuse pods at their admission, or leave them pending (deferred).
#enforcement: admission

# The demand that has to fit: steady, surge (with the largest rollout or scheduled run), or peak (all at once).
#scenario: steady

# Kinds that make pods and that quotalint does not know.
#workloads: {Widget.example.com: {podTemplate: spec.template, replicas: spec.replicas}}

# Rules of your own, in CEL: files, folders of them, or policies (docs/policies.md).
#policies: [{id: QLC101, message: "{resource} peaks at {peak} of {hard}", expression: entry.peak <= entry.hard * 0.8}]

# Whether what OpenShift Templates would make counts, with the defaults of their parameters.
#templates: false
# Files whose ConfigMaps hold manifests in their data: quotas and LimitRanges there are checked, and never counted.
#configMaps: [bootstrap/*.yaml]

# The release of Kubernetes to judge by, @versions@, in quotes: without them 1.30 is the number 1.3.
#kubeVersion: "@version@"

# From which share of a quota on it is reported as nearly full.
#thresholds: {nearlyFull: 90%}
"""
