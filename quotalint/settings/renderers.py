"""Reads the settings of environments and rendering: `environments`, `clusters`, `sources` and `renderers`."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from quotalint.settings import HELM_RENDERERS, KUSTOMIZE_RENDERERS, ChartRelease, ConfiguredCluster, Renderers
from quotalint.settings.checking import Checks, known_entries, namespace_name, one_of, pattern_list, string_list, way_to
from quotalint.text.place import Path


def read_environments(value: object, path: Path, checks: Checks) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Reads the names of environments, and patterns for the folders that are applied to each."""
    named_folders = []
    for name, inner in known_entries(value, path, None, checks):
        paths = inner.get("paths") if isinstance(inner, dict) else inner
        if paths is not None or not isinstance(inner, dict):
            at = (*path, name, "paths") if isinstance(inner, dict) else (*path, name)
            named_folders.append((name, pattern_list([paths] if isinstance(paths, str) else paths, at, checks)))
    return tuple(named_folders)


def read_clusters(value: object, path: Path, checks: Checks) -> tuple[ConfiguredCluster, ...]:
    """Reads the clusters of Argo CD, by name."""
    return tuple(
        _read_cluster(name, inner, (*path, name), checks) for name, inner in known_entries(value, path, None, checks)
    )


def _read_cluster(name: str, value: object, path: Path, checks: Checks) -> ConfiguredCluster:
    cluster = ConfiguredCluster(name)
    fields = ("server", "labels", "annotations", "instance")
    for key, inner in known_entries({} if value is None else value, path, fields, checks):
        at = (*path, key)
        if key == "server":
            cluster = cluster._replace(server=_read_text(inner, at, checks, "the address of the cluster"))
        elif key == "labels":
            cluster = cluster._replace(labels=_read_texts(inner, at, checks))
        elif key == "instance":
            cluster = cluster._replace(
                instance=_read_folder(inner, at, checks, "the folder of the entry point of an Argo CD")
            )
        else:
            cluster = cluster._replace(annotations=_read_texts(inner, at, checks))
    return cluster


def read_sources(value: object, path: Path, checks: Checks) -> tuple[tuple[str, str], ...]:
    """Reads URLs of HelmRepositories, registries and git repositories, with the folders that replace them."""
    must = "the folder of this repository that stands for the URL"
    return tuple(
        (url, _read_folder(inner, (*path, url), checks, must))
        for url, inner in known_entries(value, path, None, checks)
    )


def read_vendor(value: object, path: Path, checks: Checks) -> str:
    """Reads the folder of vendored sources."""
    folder = posixpath.normpath(_read_folder(value, path, checks, "the folder of this repository for vendored sources"))
    if folder == "." or ".git" in folder.lower().split("/"):
        checks.refuse(path, "a folder of its own for vendored sources", value)
    return folder


def environment_aliases(value: object, path: Path, checks: Checks) -> Mapping[str, str]:
    """Reads the names of environments in other repositories, with their names here."""
    must = "what the environment is called here"
    return MappingProxyType(
        {
            name_elsewhere: _read_text(inner, (*path, name_elsewhere), checks, must)
            for name_elsewhere, inner in known_entries(value, path, None, checks)
        }
    )


def _read_folder(value: object, path: Path, checks: Checks, must: str) -> str:
    folder = _read_text(value, path, checks, must).strip("/")
    if ".." in folder.split("/"):
        checks.say(path, f"`{way_to(path)}` leads out of the repository: {value}")
    return folder


def _read_texts(value: object, path: Path, checks: Checks) -> Mapping[str, str]:
    return {
        key: _read_text(inner, (*path, key), checks, "a text")
        for key, inner in known_entries(value, path, None, checks)
    }


def _read_text(value: object, path: Path, checks: Checks, must: str) -> str:
    if not isinstance(value, str) or not value:
        checks.refuse(path, must, value)
    return str(value)


def read_renderers(value: object, path: Path, checks: Checks) -> Renderers:
    """Reads the renderers of kustomizations and charts, and the releases of charts."""
    renderers_read = Renderers()
    for key, inner in known_entries(value, path, ("kustomize", "helm"), checks):
        at = (*path, key)
        if key == "kustomize":
            # YAML 1.1 reads an unquoted `off` as false.
            which = one_of(KUSTOMIZE_RENDERERS, "off" if inner is False else inner, at, checks)
            renderers_read = renderers_read._replace(kustomize=which)
        elif isinstance(inner, dict):
            which = _helm_renderer(inner.get("renderer"), (*at, "renderer"), checks)
            releases = {chart: release for chart, release in inner.items() if not _is_renderer(chart, release)}
            renderers_read = renderers_read._replace(helm=which, releases=tuple(_read_releases(releases, at, checks)))
        else:
            renderers_read = renderers_read._replace(helm=_helm_renderer(inner, at, checks))
    return renderers_read


def _is_renderer(key: str, value: object) -> bool:
    """Whether an entry sets the renderer; a chart's folder may have the same name."""
    return key == "renderer" and not isinstance(value, (dict, list))


def _helm_renderer(value: object, path: Path, checks: Checks) -> str:
    if value is None or isinstance(value, dict):
        return "auto"
    if value is False:
        return "off"
    if value not in HELM_RENDERERS:
        words = f"{', '.join(HELM_RENDERERS[:-1])} or {HELM_RENDERERS[-1]}"
        must = f"{words}, or a map from folders of charts to their releases"
        checks.refuse(path, must, value)
    return str(value)


def _read_releases(value: object, path: Path, checks: Checks) -> Iterator[ChartRelease]:
    for chart, inner in known_entries(value, path, None, checks):
        is_list = isinstance(inner, list)
        for number, release in enumerate(inner if isinstance(inner, list) else [inner]):
            yield _read_release(chart, release, (*path, chart, number) if is_list else (*path, chart), checks)


def _read_release(chart: str, value: object, path: Path, checks: Checks) -> ChartRelease:
    release = ChartRelease(chart.strip("/"), chart.rstrip("/").rpartition("/")[2])
    for key, inner in known_entries(value, path, ("release", "namespace", "values", "environment"), checks):
        at = (*path, key)
        if key == "namespace":
            release = release._replace(namespace=namespace_name(inner, at, checks))
        elif key == "values":
            files = [inner] if isinstance(inner, str) else inner
            release = release._replace(values=string_list(files, at, checks, "the path of a values file"))
        elif key == "release":
            release = release._replace(release=_read_text(inner, at, checks, "the name of the release"))
        else:
            release = release._replace(environment=_read_text(inner, at, checks, "the name of an environment"))
    if isinstance(value, dict) and not release.namespace:
        checks.say(path, f"the release of {chart} names no `namespace`")
    return release
