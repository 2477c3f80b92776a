"""The chart `raw` of the old incubator repository, which everybody has copied: it prints `resources` of its values."""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.gitops.helm import Layer, Release
from quotalint.gitops.helm.provenance import Template, WrittenValues
from quotalint.gitops.helm.value_layers import merged
from quotalint.gitops.rendering import Rendering
from quotalint.kube.fields import mapping, sequence
from quotalint.kube.objects import Object, objects
from quotalint.text.place import Derivation, Place


def raw_objects(layers: tuple[Layer, ...], release: Release, asked: Place) -> Rendering | None:
    """What a release of such a chart installs; None where its values are not of that form."""
    values = merged(tuple(layer.values for layer in layers))
    if set(values) - {"resources"} or not values:
        return None
    chart_objects = tuple(_objects(values["resources"], WrittenValues(layers, release.filled_in), asked))
    return Rendering(chart_objects, namespace=release.namespace, folder=release.chart)


def _objects(resources: object, written: WrittenValues, asked: Place) -> Iterator[Object]:
    template = Template(asked, (), ())
    listed = sequence(resources) if isinstance(resources, list) else list(mapping(resources).values())
    for document in listed:
        for obj in objects(document, asked._replace(path=())):
            body = mapping(obj.body)
            derivation = Derivation(written.origin(body, template), len(obj.place.path), (asked,))
            yield obj._replace(place=obj.place._replace(made=derivation), body=body)
