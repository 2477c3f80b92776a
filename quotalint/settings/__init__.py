"""What a run goes by: the values that `.quotalint.yaml` and the command line come to."""

from __future__ import annotations

import os
from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from quotalint.kube import kubernetes_releases
from quotalint.named_tuples import NamedTuple
from quotalint.text.patterns import Patterns, compile_patterns, covers
from quotalint.text.place import Place

if TYPE_CHECKING:
    from quotalint.settings.policy_files import Policy

SEVERITIES = ("error", "warning", "info", "off")
FAIL_ON = ("error", "warning", "info", "never")
KUSTOMIZE_RENDERERS = ("auto", "builtin", "binary", "off")
HELM_RENDERERS = ("auto", "sdk", "program", "off")
ENFORCEMENTS = ("admission", "deferred")
DEFAULT_KUBE_VERSION = kubernetes_releases.DEFAULT
KUBE_VERSIONS = kubernetes_releases.VERSIONS


class Scenario(str, Enum):
    """At which moment the objects of workloads are counted, from the fewest to the most."""

    STEADY = "steady"
    """Once everything has settled."""
    SURGE = "surge"
    """During the most demanding step of a workload: its rolling update, or one run of its schedule."""
    SCALED = "scaled"
    """Settled, with its autoscaler at the maximum."""
    PEAK = "peak"
    """At the maximum and in the middle of a step."""

    __str__ = str.__str__


SCENARIOS = (Scenario.STEADY, Scenario.SURGE, Scenario.PEAK)
"""What a quota may be asked to have room for."""


class IgnoreRule(NamedTuple):
    """What not to report."""

    rules: tuple[str, ...]
    """Ids, or what they begin with."""
    paths: tuple[str, ...] = ()
    """.gitignore patterns relative to the root; empty means everywhere."""
    resources: tuple[str, ...] = ()
    """Names of resources, such as `limits.nvidia.com/gpu`, which HAMi reads; empty means any, or none."""
    place: Place | None = None
    """Where the configuration says so; None for an option."""


class Nodes(NamedTuple):
    """How many nodes there are for DaemonSets."""

    default: int | None = None
    by_selector: Mapping[str, int] = MappingProxyType({})
    """`disk=ssd,zone=a` (sorted by name) → how many nodes have these labels."""


class ConfiguredCluster(NamedTuple):
    """A cluster that Argo CD deploys to."""

    name: str
    server: str = ""
    labels: Mapping[str, str] = MappingProxyType({})
    annotations: Mapping[str, str] = MappingProxyType({})
    instance: str = ""
    """The folder of the entry point of the Argo CD that knows it, relative to the root; empty: each knows it."""


class ChartRelease(NamedTuple):
    """A release of a chart of the repository that no object of it declares."""

    chart: str
    """The folder, relative to the root, as the values files are."""
    release: str
    namespace: str = ""
    values: tuple[str, ...] = ()
    environment: str = ""
    """Empty: every one."""


class Renderers(NamedTuple):
    """What renders."""

    kustomize: str = "auto"
    """auto, builtin, binary or off."""
    helm: str = "auto"
    """auto (Helm's library where it is installed), sdk, program or off."""
    releases: tuple[ChartRelease, ...] = ()


class Capacity(NamedTuple):
    """What the nodes of a cluster have together. Amounts are as written: `26`, `41Gi`."""

    amounts: Mapping[str, str] = MappingProxyType({})
    """Resource (cpu, memory, pods, nvidia.com/gpu, …) → amount."""
    reserve: Mapping[str, str] = MappingProxyType({})
    """What of it no quota may give away."""


class Particular(NamedTuple):
    """What is different in one environment; None: nothing is."""

    nodes: Nodes | None = None
    capacity: Capacity | None = None
    kube_version: str | None = None
    scenario: Scenario | None = None
    fail_on: str | None = None


class Workload(NamedTuple):
    """Where a kind says which pods it makes, and how many. `*` in a path is any key or any place in a list."""

    pod_template: tuple[str, ...]
    replicas: tuple[str, ...] = ()
    """Each `*` means what it means in `pod_template`, as in the other paths; without a path there is one pod."""
    minimum: tuple[str, ...] = ()
    maximum: tuple[str, ...] = ()
    """Bounds of its own autoscaling."""
    autoscaler: tuple[str, ...] = ()
    """Where it names the HorizontalPodAutoscaler that scales it, if that does not name the workload."""
    selector: tuple[str, ...] = ()


class Settings(NamedTuple):
    """What one run goes by."""

    root: str
    """The absolute folder that patterns are relative to: that of the configuration file, else the root of the git
    repository around the first path, else the folder of the first path."""
    file: str | None
    """The configuration file that was used, as a report would name it."""
    exclude: tuple[str, ...] = ()
    """.gitignore patterns of files that are not read."""
    select: tuple[str, ...] = ()
    """Ids of rules, or what they begin with; empty means all that are not off."""
    ignore: tuple[IgnoreRule, ...] = ()
    severity: Mapping[str, str] = MappingProxyType({})
    """Id of a rule, or what it begins with → error, warning, info or off; the longest counts."""
    fail_on: str = "error"
    """error, warning, info or never."""
    nodes: Nodes = Nodes()
    namespaces: tuple[tuple[str, str], ...] = ()
    """(pattern, namespace) for manifests that carry none; the first pattern that matches counts."""
    kube_version: str = DEFAULT_KUBE_VERSION
    """May be one that is not known yet, or no more: kube/releases.py takes the nearest."""
    nearly_full: int = 90
    """From which share of a quota on it counts as nearly full, in percent."""
    environments: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """(name, .gitignore patterns of the folders that are applied to it)."""
    particulars: Mapping[str, Particular] = MappingProxyType({})
    """Name of an environment → what is different there."""
    clusters: tuple[ConfiguredCluster, ...] = ()
    sources: tuple[tuple[str, str], ...] = ()
    """(URL, folder relative to the root that stands for it)."""
    environment_aliases: Mapping[str, str] = MappingProxyType({})
    """What other repositories call an environment → what it is called here."""
    renderers: Renderers = Renderers()
    capacity: Capacity = Capacity()
    required_limits: tuple[str, ...] = ()
    """Entries of `hard` that each namespace with workloads must have."""
    limited_priority_classes: tuple[str, ...] = ()
    """Priority classes whose pods need a quota that covers them, as managed clusters have it."""
    enforcement: str = "admission"
    """When compute quotas refuse: admission, or deferred to scheduling."""
    scenario: Scenario = Scenario.STEADY
    """The demand that has to fit: one of SCENARIOS."""
    workloads: Mapping[str, Workload] = MappingProxyType({})
    """`Kind.group`, or `Kind` of any group → where it says which pods it makes."""
    templates: bool = False
    """Whether what OpenShift Templates would make counts."""
    config_maps: tuple[str, ...] = ()
    """Patterns of the files whose ConfigMaps hold manifests in their data."""
    baseline: str = ""
    """The file of what was found before and is not to be reported, as a report would name it; empty where none is
    named."""
    policies: tuple[Policy, ...] = ()
    """Rules of the user's own."""
    sizes: Mapping[str, Mapping[str, str]] = MappingProxyType({})
    """Name of a size of quotas → entry of `hard` → amount, as it is written."""
    repository: str = ""
    """The absolute folder that nothing is rendered from outside of: the root of the git repository around the first
    path, else `root` where the path lies in it, else the folder of the path."""

    def ignored_by(self, rule: str, source: str, resource: str = "") -> tuple[IgnoreRule, ...]:
        """What of `ignore` silences a rule in a file (named as in a report) about a resource."""
        return tuple(
            ignore_rule
            for ignore_rule in self.ignore
            if rule.startswith(ignore_rule.rules)
            and (not ignore_rule.resources or resource in ignore_rule.resources)
            and (not ignore_rule.paths or self._matches(ignore_rule.paths, source))
        )

    def runs(self, rule: str) -> bool:
        """Whether a rule is applied, for all that is said of rules in general; a check may still make it more or less
        severe."""
        if self.select and not rule.startswith(self.select):
            return False
        if any(ignore_rule.place is None and rule.startswith(ignore_rule.rules) for ignore_rule in self.ignore):
            return False  # an option says to go without it
        return not self.severity or self.severity_of(rule) != "off"

    def is_heard(self, rule: str) -> bool:
        """Whether what a rule says is reported anywhere."""
        everywhere = (ignore_rule for ignore_rule in self.ignore if not ignore_rule.paths and not ignore_rule.resources)
        return self.runs(rule) and not any(rule.startswith(ignore_rule.rules) for ignore_rule in everywhere)

    def severity_of(self, rule: str) -> str:
        """What `severity` says of a rule, or else of the longest prefix of it; empty where it says nothing."""
        matching = [prefix for prefix in self.severity if rule.startswith(prefix)]
        return self.severity[max(matching, key=len)] if matching else ""

    def within(self, environment: str) -> Settings:
        """What counts in one environment, but for `fail_on`, which is asked for by its name."""
        own = self.particulars.get(environment)
        if own is None:
            return self
        particular_fields = {
            name: value for name, value in own._asdict().items() if value is not None and name != "fail_on"
        }
        return self._replace(**particular_fields)

    def fail_on_in(self, environment: str) -> str:
        """From which severity on a finding fails that is of this environment."""
        own = self.particulars.get(environment)
        return self.fail_on if own is None or own.fail_on is None else own.fail_on

    def way(self, source: str) -> str:
        """A file (named as in a report) from the root, wherever the run was started."""
        return source if source == "<stdin>" else _path_from_root(source, self.root)

    def namespace_of(self, source: str) -> str | None:
        """The configured namespace of a file (named as in a report)."""
        configured = (namespace for pattern, namespace in self.namespaces if self._matches((pattern,), source))
        return next(configured, None)

    def holds_manifests(self, source: str) -> bool:
        """Whether ConfigMaps in a file (named as in a report) hold manifests."""
        return bool(self.config_maps) and self._matches(self.config_maps, source)

    def environments_of(self, folder: str) -> tuple[str, ...]:
        """The configured environments of a folder (named as in a report), none where nothing is configured for it."""
        inside = f"{folder}/kustomization.yaml" if folder else "kustomization.yaml"
        return tuple(name for name, patterns in self.environments if self._matches(patterns, inside))

    def _matches(self, patterns: tuple[str, ...], source: str) -> bool:
        return source != "<stdin>" and covers(_compiled_patterns(patterns), _path_from_root(source, self.root))


class ConfigError(NamedTuple):
    """Why there are no settings."""

    message: str
    file: str | None
    """As a report would name it; None for an option of the command line."""
    line: int | None
    key: str | None
    """The way to what is wrong, such as `ignore[1].rules`, or the option."""


class Options(NamedTuple):
    """What a command line may override; None where it does not."""

    config: str | None = None
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None
    fail_on: str | None = None
    nodes: int | None = None
    kube_version: str | None = None
    enforcement: str | None = None
    scenario: str | None = None


def describe_error(error: ConfigError) -> str:
    """The error in one line, as a compiler would print it."""
    where = f"{error.file}:{error.line}: " if error.line else f"{error.file}: " if error.file else ""
    return where + error.message


@lru_cache
def _compiled_patterns(patterns: tuple[str, ...]) -> Patterns:
    return compile_patterns(patterns)


def _path_from_root(source: str, root: str) -> str:
    return with_slashes(os.path.relpath(source, root))


def with_slashes(path: str) -> str:
    return path.replace(os.sep, "/")
