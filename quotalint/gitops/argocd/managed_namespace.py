"""The namespace that Argo CD makes for an Application, with the labels and annotations that are asked for.

argo-cd 3.x: controller/sync.go (WithNamespaceModifier, syncNamespace) and gitops-engine/pkg/sync/sync_context.go
(autoCreateNamespace): with `CreateNamespace=true`, and unless the Application brings the Namespace itself.
"""

from __future__ import annotations

from collections.abc import Iterable

from quotalint.gitops.kustomize.traced import Traced, mapping_of
from quotalint.gitops.origins import is_open
from quotalint.kube.fields import dig, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.text.place import Derivation, Place

_OPTION = "CreateNamespace=true"
_FIELDS = ("spec", "syncPolicy", "managedNamespaceMetadata")


def managed_namespaces(application: Object, brought: Iterable[Object]) -> tuple[Object, ...]:
    """The Namespace of the destination, where its metadata is the Application's to say; `brought` is what the
    Application applies. Without such metadata nothing is known but that somebody makes it."""
    metadata = mapping(dig(application.body, *_FIELDS))
    name = text(dig(application.spec, "destination", "namespace"))
    options = sequence(dig(application.spec, "syncPolicy", "syncOptions"))
    if not metadata or not name or is_open(name) or _OPTION not in options:
        return ()
    if any((obj.group, obj.kind, obj.name) == ("", "Namespace", name) for obj in brought):
        return ()
    place = application.at(*_FIELDS)
    named = Traced(name, application.at("spec", "destination", "namespace").origin)
    given = [
        (field, Traced(dict(mapping(metadata[field])), place.at(field).origin))
        for field in ("labels", "annotations")
        if mapping(metadata.get(field))
    ]
    header = [("apiVersion", Traced("v1", place)), ("kind", Traced("Namespace", place))]
    made = mapping_of(place, [*header, ("metadata", mapping_of(place, [("name", named), *given]))])
    where = Place(place.source, place.document, place.path, Derivation(made.origin, len(place.path)))
    return (Object("", "v1", "Namespace", "", name, mapping(made.value), where),)
