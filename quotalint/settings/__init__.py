"""The settings of a run: the values from `.quotalint.yaml` and the command line."""

from __future__ import annotations

import os
from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from quotalint.kube import kubernetes_releases
from quotalint.named_tuples import NamedTuple
from quotalint.text.files import lies_in
from quotalint.text.patterns import Patterns, compile_patterns, covers
from quotalint.text.place import Place

if TYPE_CHECKING:
    from quotalint.settings.policy_files import Policy

SEVERITIES = ("error", "warning", "info", "off")
FAIL_ON = ("error", "warning", "info", "never")
KUSTOMIZE_RENDERERS = ("auto", "builtin", "binary", "off")
LOCK = "quotalint.lock"
"""The name of the lock of vendored sources, which is in the root."""
HELM_RENDERERS = ("auto", "sdk", "program", "off")
ENFORCEMENTS = ("admission", "deferred")
DEFAULT_KUBE_VERSION = kubernetes_releases.DEFAULT
KUBE_VERSIONS = kubernetes_releases.VERSIONS


class Scenario(str, Enum):
    """The moment at which the objects of workloads are counted, from the fewest to the most."""

    STEADY = "steady"
    """The steady state."""
    SURGE = "surge"
    """During the largest step of a workload: its rolling update, or one run of its schedule."""
    SCALED = "scaled"
    """The steady state with its autoscaler at the maximum."""
    PEAK = "peak"
    """At the maximum, during a step."""

    __str__ = str.__str__


SCENARIOS = (Scenario.STEADY, Scenario.SURGE, Scenario.PEAK)
"""The scenarios for which a quota may be checked."""


class IgnoreRule(NamedTuple):
    """Findings that are not reported."""

    rules: tuple[str, ...]
    """Ids of rules, or their prefixes."""
    paths: tuple[str, ...] = ()
    """.gitignore patterns relative to the root; empty means everywhere."""
    resources: tuple[str, ...] = ()
    """Names of resources, such as `limits.nvidia.com/gpu`, which HAMi reads; empty: any resource, or none."""
    place: Place | None = None
    """The place in the configuration; None for an option."""


class Nodes(NamedTuple):
    """The number of nodes for DaemonSets."""

    default: int | None = None
    by_selector: Mapping[str, int] = MappingProxyType({})
    """`disk=ssd,zone=a` (sorted by name) → the number of nodes with these labels."""


class ConfiguredCluster(NamedTuple):
    """A cluster that Argo CD deploys to."""

    name: str
    server: str = ""
    labels: Mapping[str, str] = MappingProxyType({})
    annotations: Mapping[str, str] = MappingProxyType({})
    instance: str = ""
    """The folder of the entry point of its Argo CD, relative to the root; empty: any Argo CD."""


class ChartRelease(NamedTuple):
    """A release of a chart in the repository that no object declares."""

    chart: str
    """The chart's folder, relative to the root; values files are relative too."""
    release: str
    namespace: str = ""
    values: tuple[str, ...] = ()
    environment: str = ""
    """Empty: every environment."""


class Renderers(NamedTuple):
    """The renderers of kustomizations and charts."""

    kustomize: str = "auto"
    """auto, builtin, binary or off."""
    helm: str = "auto"
    """auto (Helm's library if it is installed), sdk, program or off."""
    releases: tuple[ChartRelease, ...] = ()


class Capacity(NamedTuple):
    """The total capacity of a cluster's nodes. Amounts are as written: `26`, `41Gi`."""

    amounts: Mapping[str, str] = MappingProxyType({})
    """Resource (cpu, memory, pods, nvidia.com/gpu, …) → amount."""
    reserve: Mapping[str, str] = MappingProxyType({})
    """The part that quotas must not allow."""


class Particular(NamedTuple):
    """The settings that differ in one environment; None: not different."""

    nodes: Nodes | None = None
    capacity: Capacity | None = None
    kube_version: str | None = None
    scenario: Scenario | None = None
    fail_on: str | None = None


PLATFORMS = GKE, ISTIO, OPENSHIFT = "gke", "istio", "openshift"


class FootprintPods(NamedTuple):
    """Equal pods that every object of a kind makes."""

    number: int
    requests: Mapping[str, str]
    limits: Mapping[str, str]


class Workload(NamedTuple):
    """The paths of a kind's pod template and number of pods. `*` in a path is any key or list index."""

    pod_template: tuple[str, ...]
    replicas: tuple[str, ...] = ()
    """Each `*` takes the step that it has in `pod_template`, as in the other paths; without a path there is one pod."""
    minimum: tuple[str, ...] = ()
    maximum: tuple[str, ...] = ()
    """The bounds of the kind's own autoscaling."""
    autoscaler: tuple[str, ...] = ()
    """The path of the name of its HorizontalPodAutoscaler, if that does not name the workload."""
    selector: tuple[str, ...] = ()
    footprint: tuple[FootprintPods, ...] | None = None
    """The pods that every object makes, whatever it says; None if its fields say it."""


class Settings(NamedTuple):
    """The settings of one run."""

    root: str
    """The absolute folder for relative patterns: that of the configuration file, else the root of the git repository
    around the first path, else the folder of the first path."""
    file: str | None
    """The configuration file that is used, as reports name it."""
    exclude: tuple[str, ...] = ()
    """.gitignore patterns of files that are not read."""
    select: tuple[str, ...] = ()
    """Ids of rules, or their prefixes; empty: all that are not off."""
    ignore: tuple[IgnoreRule, ...] = ()
    severity: Mapping[str, str] = MappingProxyType({})
    """Id of a rule, or its prefix → error, warning, info or off; the longest prefix counts."""
    fail_on: str = "error"
    """error, warning, info or never."""
    nodes: Nodes = Nodes()
    namespaces: tuple[tuple[str, str], ...] = ()
    """(pattern, namespace) for manifests without a namespace; the first matching pattern counts."""
    kube_version: str = DEFAULT_KUBE_VERSION
    """May be unknown: kube/releases.py then uses the nearest known version."""
    nearly_full: int = 90
    """The share of a quota, in percent, from which it counts as nearly full."""
    environments: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """(name, .gitignore patterns of the folders that are applied to it)."""
    particulars: Mapping[str, Particular] = MappingProxyType({})
    """The different settings of environments, by name."""
    clusters: tuple[ConfiguredCluster, ...] = ()
    sources: tuple[tuple[str, str], ...] = ()
    """(URL, folder relative to the root that replaces it)."""
    vendor: str = ".quotalint/sources"
    """The folder of vendored sources, relative to the root."""
    environment_aliases: Mapping[str, str] = MappingProxyType({})
    """The name of an environment in other repositories → its name here."""
    renderers: Renderers = Renderers()
    capacity: Capacity = Capacity()
    required_limits: tuple[str, ...] = ()
    """Entries of `hard` that each namespace with workloads must have."""
    limited_priority_classes: tuple[str, ...] = ()
    """Priority classes whose pods need a quota that covers them, as in managed clusters."""
    enforcement: str = "admission"
    """When compute quotas refuse pods: at admission, or deferred to scheduling."""
    scenario: Scenario = Scenario.STEADY
    """The scenario whose demand must fit: one of SCENARIOS."""
    workloads: Mapping[str, Workload] = MappingProxyType({})
    """`Kind.group`, or `Kind` of any group → the paths of its pods."""
    platforms: tuple[str, ...] | None = None
    """What keeps objects or limits pods in every namespace, of PLATFORMS; None: objects in view show it."""
    templates: bool = False
    """Whether the objects in OpenShift Templates count."""
    config_maps: tuple[str, ...] = ()
    """Patterns of files with ConfigMaps that contain manifests."""
    baseline: str = ""
    """The file with earlier findings that are not reported, as reports name it; empty if none is named."""
    policies: tuple[Policy, ...] = ()
    """The user's own rules."""
    sizes: Mapping[str, Mapping[str, str]] = MappingProxyType({})
    """Name of a quota size → entry of `hard` → amount, as written."""
    repository: str = ""
    """The absolute folder that limits rendering: nothing outside it is rendered. It is the root of the git repository
    around the first path, else `root` if it contains the path, else the folder of the path."""

    @property
    def sources_root(self) -> str:
        """The folder of the lock, which is in the repository; the configuration may lie above it."""
        return self.root if lies_in(self.root, self.repository) else self.repository

    @property
    def lock_path(self) -> str:
        """The path of the lock."""
        return os.path.join(self.sources_root, LOCK)

    @property
    def store_path(self) -> str:
        """The path of the folder of vendored sources."""
        return os.path.join(self.sources_root, *self.vendor.split("/"))

    def ignored_by(self, rule: str, source: str, resource: str = "") -> tuple[IgnoreRule, ...]:
        """The entries of `ignore` that suppress a rule in a file (named as in a report) for a resource."""
        return tuple(
            ignore_rule
            for ignore_rule in self.ignore
            if rule.startswith(ignore_rule.rules)
            and (not ignore_rule.resources or resource in ignore_rule.resources)
            and (not ignore_rule.paths or self._matches(ignore_rule.paths, source))
        )

    def runs(self, rule: str) -> bool:
        """Whether a rule is applied, as far as general settings decide; a check may still change the severity."""
        if self.select and not rule.startswith(self.select):
            return False
        if any(ignore_rule.place is None and rule.startswith(ignore_rule.rules) for ignore_rule in self.ignore):
            return False  # an option excludes it
        return not self.severity or self.severity_of(rule) != "off"

    def is_reported_somewhere(self, rule: str) -> bool:
        """Whether findings of a rule are reported anywhere."""
        everywhere = (ignore_rule for ignore_rule in self.ignore if not ignore_rule.paths and not ignore_rule.resources)
        return self.runs(rule) and not any(rule.startswith(ignore_rule.rules) for ignore_rule in everywhere)

    def severity_of(self, rule: str) -> str:
        """The severity that is configured for a rule or its longest prefix; empty if none is."""
        matching = [prefix for prefix in self.severity if rule.startswith(prefix)]
        return self.severity[max(matching, key=len)] if matching else ""

    def within(self, environment: str) -> Settings:
        """The settings of one environment, except `fail_on` (see `fail_on_in`)."""
        own = self.particulars.get(environment)
        if own is None:
            return self
        particular_fields = {
            name: value for name, value in own._asdict().items() if value is not None and name != "fail_on"
        }
        return self._replace(**particular_fields)

    def fail_on_in(self, environment: str) -> str:
        """The severity from which a finding of this environment fails the run."""
        own = self.particulars.get(environment)
        return self.fail_on if own is None or own.fail_on is None else own.fail_on

    def way(self, source: str) -> str:
        """The path of a file (named as in a report) from the root."""
        return source if source == "<stdin>" else _path_from_root(source, self.root)

    def namespace_of(self, source: str) -> str | None:
        """The configured namespace of a file (named as in a report)."""
        configured = (namespace for pattern, namespace in self.namespaces if self._matches((pattern,), source))
        return next(configured, None)

    def holds_manifests(self, source: str) -> bool:
        """Whether ConfigMaps in a file (named as in a report) contain manifests."""
        return bool(self.config_maps) and self._matches(self.config_maps, source)

    def environments_of(self, folder: str) -> tuple[str, ...]:
        """The configured environments of a folder (named as in a report); empty if none is."""
        inside = f"{folder}/kustomization.yaml" if folder else "kustomization.yaml"
        return tuple(name for name, patterns in self.environments if self._matches(patterns, inside))

    def _matches(self, patterns: tuple[str, ...], source: str) -> bool:
        return source != "<stdin>" and covers(_compiled_patterns(patterns), _path_from_root(source, self.root))


class ConfigError(NamedTuple):
    """Why the settings are invalid."""

    message: str
    file: str | None
    """As reports name it; None for an option of the command line."""
    line: int | None
    key: str | None
    """The path of the invalid setting, such as `ignore[1].rules`, or the option."""


class Options(NamedTuple):
    """The values that a command line overrides; None: not overridden."""

    config: str | None = None
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None
    fail_on: str | None = None
    nodes: int | None = None
    kube_version: str | None = None
    enforcement: str | None = None
    scenario: str | None = None


def describe_error(error: ConfigError) -> str:
    """The error in one line, in the format of a compiler."""
    where = f"{error.file}:{error.line}: " if error.line else f"{error.file}: " if error.file else ""
    return where + error.message


@lru_cache
def _compiled_patterns(patterns: tuple[str, ...]) -> Patterns:
    return compile_patterns(patterns)


def _path_from_root(source: str, root: str) -> str:
    return with_slashes(os.path.relpath(source, root))


def with_slashes(path: str) -> str:
    return path.replace(os.sep, "/")
