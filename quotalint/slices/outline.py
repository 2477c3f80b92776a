"""What of a file or an object decides more than its own namespace: all of it, but for the bodies of kinds that reach no
further."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Any

from quotalint.deployed import KUSTOMIZATION_NAMES
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.kube.kinds import DEPLOYING
from quotalint.kube.objects import Object
from quotalint.slices.api_groups import is_unnamed_group, is_unread_annotation
from quotalint.slices.kept import Deploying
from quotalint.text.reading import File
from quotalint.transcript import UNKNOWN, digest

_LOCAL_KINDS = frozenset(
    (
        *(("v1", kind) for kind in ("LimitRange", "PersistentVolumeClaim", "Pod", "ReplicationController")),
        *(("v1", kind) for kind in ("ResourceQuota", "Service")),
        *(("apps/v1", kind) for kind in ("DaemonSet", "Deployment", "ReplicaSet", "StatefulSet")),
        *(("batch/v1", kind) for kind in ("CronJob", "Job")),
        *((f"autoscaling/v{version}", "HorizontalPodAutoscaler") for version in (1, 2)),
        *(("networking.k8s.io/v1", kind) for kind in ("Ingress", "NetworkPolicy")),
        *(("apps.openshift.io/v1", "DeploymentConfig"), ("argoproj.io/v1alpha1", "Rollout")),
        *(("policy/v1", "PodDisruptionBudget"), ("v1", "ServiceAccount")),
    )
)
"""Kinds that deploy nothing, declare nothing, and that nothing outside of their namespace looks up, but for those that
are `compared` with each other."""
_GROUPS_OF_NO_NAMESPACE = frozenset(
    ("config.openshift.io", "machineconfiguration.openshift.io", "nmstate.io", "security.openshift.io")
)
"""Groups of kinds that live in no namespace, and decide nothing in any."""
_LOCAL_GROUPS = frozenset(
    (
        *("acid.zalan.do", "cilium.io", "gateway.networking.k8s.io", "grafana.integreatly.org", "integreatly.org"),
        *("keda.sh", "monitoring.coreos.com", "networking.istio.io", "operators.coreos.com", "postgresql.cnpg.io"),
        *("crd.projectcalico.org", "projectcalico.org"),
        *("route.openshift.io", "security.istio.io", "serving.knative.dev", "traefik.containo.us", "traefik.io"),
        *("build.openshift.io", "image.openshift.io", "k8s.cni.cncf.io", "kafka.strimzi.io", "logging.openshift.io"),
        *("longhorn.io", "metallb.io", "objectbucket.io", "snapshot.storage.k8s.io", "velero.io", "volsync.backube"),
        *("backstage.io", "user.openshift.io"),
        *_GROUPS_OF_NO_NAMESPACE,
    )
)
"""Groups of which that is true of all kinds."""
_OF_NO_NAMESPACE = frozenset(
    (
        *(("cilium.io", "CiliumClusterwideNetworkPolicy"), ("gateway.networking.k8s.io", "GatewayClass")),
        ("user.openshift.io", "Group"),
    )
)
"""Those of the other groups' kinds of which that is true."""
_LOOKED_UP = frozenset(
    (
        *(("", "ConfigMap"), ("bitnami.com", "SealedSecret")),
        *(("cert-manager.io", "Certificate"), ("external-secrets.io", "ExternalSecret")),
        *(("external-secrets.io", "PushSecret"), ("external-secrets.io", "SecretStore")),
    )
)
"""Those of these kinds are such as well, unless there is something that deploys: it may take values from them, or from
the Secrets that come of them."""
_OF_CHARTS = {"HelmRelease": "helm.toolkit.fluxcd.io/", "Application": "argoproj.io/"}
"""Those of these kinds are such as well, but for all that is not the version of a chart or its values, unless there is
a chart in view."""
_OTHER_TOOLS = frozenset(
    (
        *(".circleci", ".drone.yml", ".github", ".gitlab", ".gitlab-ci.yml", ".markdownlint.yaml", ".mergify.yml"),
        *(".pre-commit-config.yaml", ".prow.yaml", ".travis.yml", ".yamllint.yaml", ".yamllint.yml"),
    )
)
"""Folders and files of theirs: the only hidden ones that are known to decide nothing."""
DECIDING_NAMES = ("chart.", "fleet.", "helmfile", "quotalint.")
"""How files are called that decide more than what is written in them, in small letters."""
_DECIDING = frozenset(("apiVersion", "defaultNamespace", "helm", "helmfiles", "kind", "releases"))
"""Fields of objects, and of what deploys some without being one: a helmfile, a `fleet.yaml`."""
_Unread = Mapping[Any, "Mapping[Any, Any] | None"]
"""By field: None where nothing rests on what it says, else the same for what is in it."""
_OF_RELEASE: _Unread = {"values": None, "chart": {"spec": {"version": None}}}
_OF_SOURCE: _Unread = {"targetRevision": None, "helm": dict.fromkeys(("parameters", "values", "valuesObject"))}
_OF_SYNC: _Unread = dict.fromkeys(("automated", "retry"))
_LEFT_TO_ARGO = frozenset(("ignoreDifferences", "info", "revisionHistoryLimit"))
"""What an Application says of how Argo CD goes about it, of which nothing is deployed."""
_ABOUT = ("apiVersion", "kind")
_TUNED = frozenset(("images", "replicas"))
"""Fields of a kustomization of which only what it makes of objects depends."""
_LISTS = frozenset(
    (
        *("bases", "components", "patches", "patchesJson6902", "patchesStrategicMerge", "resources"),
        *("configMapGenerator", "generatorOptions", "secretGenerator"),
    )
)
"""Those by which others are read, or objects are made."""


def is_plain(file: File) -> bool:
    """Whether a file is nothing but mappings that ask for nothing to be left out."""
    reading = file.reading
    if reading.failures or reading.dropped or file.marked or file.source.explicit:
        return False
    return all(
        isinstance(document.value, dict) and not document.duplicates and "items" not in document.value
        for document in reading.documents
    )


def file_outline(file: File, *, deploys: Deploying, is_built: bool = False) -> bytes:
    """What stands for that of a file, in a repository that holds something that `deploys` others or not; UNKNOWN where
    any other file may rest on any change of this one. Of a file of which folders are built, and that nobody applies as
    it is, its objects of local kinds decide no more than what these come to (`file_listing`)."""
    if not is_plain(file):
        return UNKNOWN
    outline: list[Any] = [file.limiting]
    if holds_no_object(file):
        return _digest_of([*outline, *(document.index for document in file.reading.documents)])
    if is_built and _is_of_builds(file):
        bodies = (mapping(document.value) for document in file.reading.documents)
        others = (body for body in bodies if not is_local_kind(body, deploys=deploys))
        return _digest_of(["built", *outline, *(_plain_outline(body, deploys=deploys) for body in others)])
    for document in file.reading.documents:
        body = document.value
        assert isinstance(body, dict)
        if _is_kustomization(file):
            outline.append([(key, None if key in _TUNED or key in _LISTS else value) for key, value in body.items()])
        else:
            outline.append((document.index, _plain_outline(body, deploys=deploys)))
    return _digest_of(outline)


def file_listing(file: File, *, deploys: Deploying, is_built: bool = False) -> bytes:
    """What stands for which others a file names to be read, if it is a kustomization, and for which objects of local
    kinds are in it, if folders are built of it; UNKNOWN of others."""
    bodies = (mapping(document.value) for document in file.reading.documents)
    if _is_kustomization(file):
        return _digest_of([[(key, value) for key, value in body.items() if key in _LISTS] for body in bodies])
    if not (is_built and _is_of_builds(file)):
        return UNKNOWN
    local = (body for body in bodies if is_local_kind(body, deploys=deploys))
    return _digest_of([_plain_outline(body, deploys=deploys) for body in local])


def _is_of_builds(file: File) -> bool:
    """Whether only what is built of a file depends on which objects of local kinds are in it: where quotas are written,
    folders say something of namespaces."""
    return not (file.limiting or _is_kustomization(file))


def holds_no_object(file: File) -> bool:
    """Whether a file holds no object and nothing that makes any, and no quota inside something else: it is for another
    tool, or values of a chart."""
    *_, name = names = file.source.name.split("/")
    is_hidden = any(part.startswith(".") and part not in _OTHER_TOOLS for part in names)
    if is_hidden or file.limiting or _is_kustomization(file) or name.lower().startswith(DECIDING_NAMES):
        return False
    bodies = [mapping(document.value) for document in file.reading.documents]
    lists_files = any(isinstance(body.get(field), list) for body in bodies for field in _LISTS)
    return not lists_files and all(map(_DECIDING.isdisjoint, bodies))


def is_tuned(file: File, *, deploys: Deploying) -> bool:
    """Whether there is anything in a file that its outline leaves out."""
    bodies = (document.value for document in file.reading.documents)
    return _is_kustomization(file) or any(_leaves_out(mapping(body), deploys=deploys) for body in bodies)


def _is_kustomization(file: File) -> bool:
    return file.source.name.rpartition("/")[2] in KUSTOMIZATION_NAMES


class ObjectDigests:
    """What stands for objects. A class because it remembers the values that several of them share: as long as all of
    these objects are here, nothing else has their identities."""

    def __init__(self, *, deploys: Deploying) -> None:
        self._deploys = deploys
        self._known: dict[int, bytes] = {}

    def outlines(self, objects: Sequence[Object]) -> bytes:
        """A digest for each of these: of which object it is, and of what decides more than its namespace."""
        outline_of = partial(_outline_of, pairs=self._with_digests, deploys=self._deploys)
        return b"".join(_digest_of([*obj[:5], outline_of(obj.body)]) for obj in objects)

    def contents(self, objects: Sequence[Object]) -> bytes:
        """A digest for each of these: of all that it says, where the outline has not all of it."""
        return b"".join(
            _digest_of([*obj[:5], self._with_digests(obj.body)])
            if _leaves_out(obj.body, deploys=self._deploys)
            else UNKNOWN
            for obj in objects
        )

    def _with_digests(self, body: Body) -> list[tuple[str, object]]:
        return [(key, self._digest(value) if isinstance(value, (dict, list)) else value) for key, value in body.items()]

    def _digest(self, value: Any) -> bytes:
        known_digest = self._known.get(id(value))
        if known_digest is None:
            known_digest = self._known[id(value)] = digest(marshal.dumps(value, 2))
        return known_digest


def file_content(file: File) -> bytes:
    """What stands for all that a file says, however it is written; UNKNOWN where comments may count."""
    if not is_plain(file):
        return UNKNOWN
    return _digest_of([file.limiting, *((document.index, document.value) for document in file.reading.documents)])


def _digest_of(plain: list[Any]) -> bytes:
    # The second version of the format tells equal values from each other by nothing but what they are.
    return digest(marshal.dumps(plain, 2))


def _is_namespace(body: Body) -> bool:
    return body.get("apiVersion") == "v1" and body.get("kind") == "Namespace"


def _leaves_out(body: Body, *, deploys: Deploying) -> bool:
    """Whether an outline has not all that an object says."""
    return is_local_kind(body, deploys=deploys) or _is_namespace(body)


def _plain_outline(body: Body, *, deploys: Deploying) -> object:
    return _outline_of(body, lambda fields: [*fields.items()], deploys=deploys)


def _outline_of(body: Body, pairs: Callable[[Body], object], *, deploys: Deploying) -> object:
    """What decides more than the namespace of an object, as what `pairs` makes of its fields."""
    if is_local_kind(body, deploys=deploys):
        return [*body], pairs(_outline_fields(body))
    if _is_namespace(body):
        return pairs({**body, "metadata": None, **dict(_metadata_fields(body))})
    return pairs(body)


def _outline_fields(body: Body) -> dict[str, object]:
    """What of an object of a local kind decides more than its namespace."""
    fields: dict[str, object] = {key: body.get(key) for key in _ABOUT}
    fields.update(_metadata_fields(body))
    if body.get("kind") in _OF_CHARTS:
        spec = {key: value for key, value in mapping(body.get("spec")).items() if key not in _left_out(body)}
        fields.update(_fields_but(_unread_fields(body), spec, "spec"))
    return fields


def _metadata_fields(body: Body) -> Iterator[tuple[str, object]]:
    """The metadata without the annotations that nobody reads. What is yielded is a value of the object itself, or
    plain."""
    metadata = body.get("metadata")
    if not isinstance(metadata, dict):
        yield "metadata", metadata
        return
    for key, value in metadata.items():
        if key != "annotations" or not isinstance(value, dict):
            yield f"metadata.{key}", value
        elif read := tuple(item for item in value.items() if not is_unread_annotation(item[0])):
            yield "metadata.annotations", read


def _unread_fields(body: Body) -> _Unread:
    """What an object gives a chart, and of which version that is."""
    if body.get("kind") == "HelmRelease":
        return _OF_RELEASE
    spec = mapping(body.get("spec"))
    # An empty chart is none: then the revision is that of a folder.
    numbered = enumerate(sequence(spec.get("sources")))
    sources = {number: _OF_SOURCE for number, source in numbered if text(mapping(source).get("chart"))}
    source = _OF_SOURCE if text(mapping(spec.get("source")).get("chart")) else {}
    return {"source": source, "sources": sources, "syncPolicy": _OF_SYNC}


def _left_out(body: Body) -> AbstractSet[str]:
    return _LEFT_TO_ARGO if body.get("kind") == "Application" else frozenset()


def _fields_but(unread: _Unread, of: Mapping[Any, object], path: str) -> Iterator[tuple[str, object]]:
    """All fields, of the `unread` ones whether they say anything. What is yielded is a value of the object itself, or
    plain: an identity stands for the others."""
    for key, value in of.items():
        name, below = f"{path}.{key}", unread.get(key, {})
        if below is None:
            yield name, bool(value)
        elif below and isinstance(value, (dict, list)):
            yield name, len(value)
            yield from _fields_but(below, value if isinstance(value, dict) else dict(enumerate(value)), name)
        else:
            yield name, value


def is_local_kind(body: Body, *, deploys: Deploying) -> bool:
    """Whether what an object asks for decides nothing outside of its namespace, where something `deploys` or not."""
    kind = body.get("apiVersion"), body.get("kind")
    is_text = all(isinstance(part, str) for part in kind)
    if not is_text:
        return False
    group = _OF_CHARTS.get(str(kind[1]), "")
    if group and not deploys.charts:
        return str(kind[0]).startswith(group) and isinstance(body.get("spec"), dict)
    group = str(kind[0]).rpartition("/")[0]
    is_looked_up = (group, kind[1]) in _LOOKED_UP
    is_unknown = is_unnamed_group(group) and kind[1] not in DEPLOYING
    is_local = kind in _LOCAL_KINDS or group in _LOCAL_GROUPS or is_unknown
    return is_local or (is_looked_up and not deploys.others)


def decides_nothing(obj: Object) -> bool:
    """Whether an object is of no namespace, and what it asks for decides nothing in any."""
    return (obj.group, obj.kind) in _OF_NO_NAMESPACE or obj.group in _GROUPS_OF_NO_NAMESPACE
