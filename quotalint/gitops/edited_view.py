"""What a repository comes to after an edit that changes what some objects ask for or their labels, and nothing else.

Most of what is typed changes a number in a workload or a quota. What is applied where follows from names, kinds,
annotations and folders alone, so that the earlier view holds with the new bodies in it: those that are written, and
those that kustomizations come to which read a file that was edited. Whatever is not surely of this kind is for `view`
to say.

It goes in three steps: note which bodies of plain files changed, and that nothing else did; build what reads another
file that was edited, and note which objects came out with another body; put all these into the environments, if each of
them is there as it was written or built, and nothing was made of it on the way (by Flux, by a template).
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from quotalint.gitops.deployers import is_deployer
from quotalint.gitops.layout import KustomizationFile, Layout, is_kustomization
from quotalint.gitops.plugin_files import PLUGIN_FIELDS
from quotalint.gitops.remembered_builds import Builds
from quotalint.gitops.rendering import Environment, View
from quotalint.gitops.required_fields import missing_field
from quotalint.gitops.snapshot_header import is_snapshot
from quotalint.gitops.tree import join_path
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.recall import are_same_items
from quotalint.text.documents import Reading
from quotalint.text.reading import File

_WORKLOADS = frozenset(
    {
        ("v1", "Pod"),
        ("v1", "ReplicationController"),
        ("apps/v1", "DaemonSet"),
        ("apps/v1", "Deployment"),
        ("apps/v1", "ReplicaSet"),
        ("apps/v1", "StatefulSet"),
        ("batch/v1", "CronJob"),
        ("batch/v1", "Job"),
    }
)
_KINDS = _WORKLOADS | {
    ("v1", "LimitRange"),
    ("v1", "Namespace"),
    ("v1", "PersistentVolumeClaim"),
    ("v1", "ResourceQuota"),
    ("v1", "Service"),
    ("v1", "ServiceAccount"),
    ("autoscaling/v1", "HorizontalPodAutoscaler"),
    ("autoscaling/v2", "HorizontalPodAutoscaler"),
    ("networking.k8s.io/v1", "Ingress"),
    ("networking.k8s.io/v1", "NetworkPolicy"),
    ("policy/v1", "PodDisruptionBudget"),
    ("rbac.authorization.k8s.io/v1", "ClusterRole"),
    ("rbac.authorization.k8s.io/v1", "ClusterRoleBinding"),
    ("rbac.authorization.k8s.io/v1", "Role"),
    ("rbac.authorization.k8s.io/v1", "RoleBinding"),
    ("route.openshift.io/v1", "Route"),
}
"""Kinds that deploy nothing, define nothing, and that nothing looks up."""
_LOOKED_UP = frozenset(
    (
        *("AppProject", "ArtifactGenerator", "Bucket", "ConfigMap", "ExternalArtifact", "GitRepository", "HelmChart"),
        *("HelmRepository", "OCIRepository", "ResourceSetInputProvider", "Secret", "Template"),
    )
)
"""Kinds that those which deploy look up, by labels too, and of which several that differ in anything count as none."""
_DEPLOYERS_LABELS = ("argoproj.io/", "fluxcd.io/")
"""How the domains end of labels by which deployers are told what to do with an object."""
_KUSTOMIZE = "kustomize.config.k8s.io/"


class Edited(NamedTuple):
    """A view with other bodies in it."""

    seen: View
    is_of_workloads: bool
    """Nothing was edited but what workloads ask for."""


class _Changes:
    """What has another body now. A class because it is gathered from several sides."""

    def __init__(self) -> None:
        self.written: dict[int, Body] = {}
        """The new bodies of objects that are applied as they are written, by the identity of the old ones."""
        self.files: set[str] = set()
        """Where these are written."""
        self.documents: set[tuple[str, int]] = set()
        """Which documents of these have changed."""
        self.rendered: dict[int, tuple[Object, Object]] = {}
        """Objects as they were and as they are, by the identity of how they were made."""
        self.sources: set[str] = set()
        """Where these begin."""


def edited_view(before: View, were: Sequence[File], now: Sequence[File], builds: Builds) -> Edited | None:
    """The view of the files as they are now, where that differs from the one before in bodies alone; else None. Raises
    what it takes too much for."""
    if len(were) != len(now):
        return None
    pairs = [(old, new) for old, new in zip(were, now, strict=True) if old is not new]
    changes = _Changes()
    for old, new in pairs:
        if not _is_noted(before.layout, old, new, builds, changes):
            return None
    for rebuilt in builds.rebuilt():
        if rebuilt.before._replace(objects=()) != rebuilt.now._replace(objects=()):
            return None
        if len(rebuilt.before.objects) != len(rebuilt.now.objects):
            return None
        for was, is_now in zip(rebuilt.before.objects, rebuilt.now.objects, strict=True):
            if was is not is_now:
                if not _is_quiet(was, is_now):
                    return None
                changes.rendered[id(was.place.made)] = was, is_now
                changes.sources.add(was.place.source)
    everything = (*before.environments, *before.unapplied)
    if not _are_all_there(everything, changes, builds):
        return None
    known: dict[int, Object] = {}
    seen = before._replace(
        environments=tuple(_with_changes(environment, changes, known) for environment in before.environments),
        unapplied=tuple(_with_changes(environment, changes, known) for environment in before.unapplied),
    )
    return Edited(seen, all(old.reading is new.reading or _asks_alone(old.reading, new.reading) for old, new in pairs))


def _is_noted(layout: Layout, old: File, new: File, builds: Builds, changes: _Changes) -> bool:
    """Whether a file that was edited changes nothing but bodies, which are noted, or what is built."""
    name = old.source.name
    readings = old.reading, new.reading
    if name in layout.data or old._replace(reading=new.reading) != new or not builds.is_same_text(name):
        return False
    if old.reading is new.reading:
        return True
    if any(reading.failures or reading.dropped for reading in readings):
        return False
    if name not in layout.kustomized:
        bodies = _changed_bodies(*readings)
        if bodies is None:
            return False
        changes.written |= bodies
        changes.files.add(name)
        numbers = (document.index for document in old.reading.documents if id(document.value) in bodies)
        changes.documents.update((name, number) for number in numbers)
        return True
    if not builds.are_all_known:
        return False
    if any(is_kustomization(name, reading) for reading in readings):
        return _refer_alike(*readings, layout.kustomizations.get(posixpath.dirname(name)))
    if any(map(_declares, readings)):
        return False
    # What is not read by kustomizations alone may decide what is applied.
    return builds.reads_alone(name) and not any(map(is_snapshot, readings)) and name not in _configurations(layout)


def _changed_bodies(old: Reading, new: Reading) -> dict[int, Body] | None:
    """The new bodies by the identity of the old ones; None where more has changed."""
    if len(old.documents) != len(new.documents):
        return None
    new_bodies: dict[int, Body] = {}
    for before, after in zip(old.documents, new.documents, strict=True):
        if before.value is after.value and before.index == after.index:
            continue
        old_body, new_body = before.value, after.value
        if not isinstance(old_body, dict) or not isinstance(new_body, dict) or before.index != after.index:
            return None
        if (text(old_body.get("apiVersion")), text(old_body.get("kind"))) not in _KINDS:
            return None
        if not _is_same_object(old_body, new_body):
            return None
        new_bodies[id(old_body)] = new_body
    return new_bodies


def _is_same_object(old: Body, new: Body) -> bool:
    """Whether two bodies say the same of which object they are, and have the same fields; labels may differ."""
    # As text: to Python 1 is True.
    return (
        old.keys() == new.keys()
        and all(repr(old.get(key)) == repr(new.get(key)) for key in ("apiVersion", "kind"))
        and repr(_decisive_metadata(old)) == repr(_decisive_metadata(new))
    )


def _decisive_metadata(body: Body) -> object:
    """The metadata without labels that decide nothing of what is applied where."""
    metadata = body.get("metadata")
    if not isinstance(metadata, dict):
        return metadata
    labels = mapping(metadata.get("labels"))
    own = {key: labels[key] for key in labels if any(domain in str(key) for domain in _DEPLOYERS_LABELS)}
    return {key: value for key, value in metadata.items() if key != "labels"}, own


def _is_labelled_anew(was: Object, now: Object) -> bool:
    """Whether an object of any kind differs in labels by which nothing is looked up."""
    if was.kind in _LOOKED_UP or is_deployer(was):
        return False
    old, new = ({key: value for key, value in obj.body.items() if key != "metadata"} for obj in (was, now))
    return repr(old) == repr(new)


def _is_quiet(was: Object, now: Object) -> bool:
    """Whether nothing follows from how an object has changed but what it asks for itself."""
    return (
        ((was.api_version, was.kind) in _KINDS or _is_labelled_anew(was, now))
        and was._replace(body=now.body, place=now.place) == now
        and was.place._replace(made=None) == now.place._replace(made=None)
        and was.place.real == now.place.real
        and _is_same_object(was.body, now.body)
        and missing_field(was) == missing_field(now)
    )


def _asks_alone(old: Reading, new: Reading) -> bool:
    """Whether only what workloads ask for differs."""
    changed = [
        mapping(before.value)
        for before, after in zip(old.documents, new.documents, strict=False)
        if before.value is not after.value
    ]
    is_of_workloads = all((text(body.get("apiVersion")), text(body.get("kind"))) in _WORKLOADS for body in changed)
    return is_of_workloads and _changed_bodies(old, new) is not None and _metadata_of(old) == _metadata_of(new)


def _metadata_of(reading: Reading) -> str:
    return repr([mapping(document.value).get("metadata") for document in reading.documents])


def _declares(reading: Reading) -> bool:
    """Whether a file defines kinds, or is for Kustomize whatever it is called."""
    bodies = [mapping(document.value) for document in reading.documents]
    return any(
        body.get("kind") == "CustomResourceDefinition" or text(body.get("apiVersion")).startswith(_KUSTOMIZE)
        for body in bodies
    )


def _refer_alike(old: Reading, new: Reading, known: KustomizationFile | None) -> bool:
    """Whether two texts of a kustomization refer to the same files in the same way; `known` is what it was taken for.
    One that lists nothing but folders may be there for that alone, which other fields decide."""
    from quotalint.gitops.kustomize.kustomization_fields import named_paths

    before, after = ([mapping(document.value) for document in reading.documents] for reading in (old, new))
    if len(before) != 1 or len(after) != 1:
        return False
    if before[0].keys() != after[0].keys() and (known is None or not known.files):
        return False
    alike = ("apiVersion", "kind", *PLUGIN_FIELDS)
    if any(repr(before[0].get(key)) != repr(after[0].get(key)) for key in alike):
        return False
    return list(named_paths(before[0])) == list(named_paths(after[0]))


def _configurations(layout: Layout) -> AbstractSet[str]:
    """The files that configure plugins, which name others."""
    return {
        join_path(folder, text(entry))
        for folder, kustomization in layout.kustomizations.items()
        for field in PLUGIN_FIELDS
        if field in kustomization.body
        for entry in sequence(kustomization.body.get(field))
    }


def _are_all_there(environments: Iterable[Environment], changes: _Changes, builds: Builds) -> bool:
    """Whether all that has changed is applied as it is written or built, and nothing that is made of it."""
    made = builds.derivations(changes.sources) if changes.sources else frozenset()
    placed: set[int] = set()
    for environment in environments:
        for obj in environment.objects:
            how = obj.place.made
            if how is None:
                if (obj.place.source, obj.place.document) in changes.documents:
                    new_body = changes.written.get(id(obj.body))
                    # What is filled in, or was left out, is not the body that was written.
                    if new_body is None or missing_field(obj._replace(body=new_body)):
                        return False
                    placed.add(id(obj.body))
            elif obj.place.source in changes.files:
                return False
            elif id(how) in changes.rendered:
                was, _ = changes.rendered[id(how)]
                if obj.body is not was.body or obj.place != was.place:
                    return False
            elif obj.place.source in changes.sources and id(how) not in made:
                return False
    return placed == changes.written.keys()


def _with_changes(environment: Environment, changes: _Changes, known: dict[int, Object]) -> Environment:
    """`known` are objects as they are, by the identity of what they were."""
    renderings = []
    for rendering in environment.renderings:
        objects = tuple(_as_now(obj, changes, known) for obj in rendering.objects)
        same = are_same_items(objects, rendering.objects)
        renderings.append(rendering if same else rendering._replace(objects=objects))
    if are_same_items(renderings, environment.renderings):
        return environment
    return environment._replace(renderings=tuple(renderings))


def _as_now(obj: Object, changes: _Changes, known: dict[int, Object]) -> Object:
    how = obj.place.made
    if how is None:
        new_body = changes.written.get(id(obj.body))
        if new_body is None:
            return obj
        return known.setdefault(id(obj), obj._replace(body=new_body))
    if id(how) not in changes.rendered:
        return obj
    _, now = changes.rendered[id(how)]
    return known.setdefault(id(obj), obj._replace(body=now.body, place=now.place))
