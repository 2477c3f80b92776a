"""Objects as one cluster: each once, found by namespace and kind."""

from __future__ import annotations

from quotalint.kube.cluster import Cluster, Overwritten, build_cluster
from quotalint.kube.discovery import discover_kinds
from quotalint.kube.objects import Object, objects
from quotalint.text.place import Derivation, Place


def obj(source: str, name: str = "o", kind: str = "ConfigMap", namespace: str = "shop", document: int = 0) -> Object:
    body = {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, "namespace": namespace}}
    (obj,) = objects(body, Place(source, document))
    return obj


def of(*given: Object) -> Cluster:
    return build_cluster(given, discover_kinds((), "1.34"))


def test_objects_are_found_by_namespace_and_kind() -> None:
    first, second, other = obj("a.yaml"), obj("a.yaml", kind="Secret"), obj("a.yaml", namespace="bank")
    node = obj("a.yaml", kind="Node", namespace="")
    cluster = of(first, second, other, node)
    assert (cluster.objects, cluster.by_namespace, cluster.of("", "ConfigMap"), cluster.of("apps", "ConfigMap")) == (
        (first, second, other, node),
        {"shop": (first, second), "bank": (other,)},
        (first, other),
        (),
    )


def test_the_last_of_equal_objects_is_what_the_cluster_ends_up_with() -> None:
    first, second, third = (obj("x/a.yaml", document=number) for number in range(3))
    cluster = of(first, second, third)
    assert (cluster.objects, cluster.overwritten) == ((third,), (Overwritten(third, (first, second)),))


def test_what_is_reached_on_two_ways_is_one_object() -> None:
    plain = obj("a.yaml")
    again = plain._replace(place=plain.place._replace(made=Derivation(plain.place)))
    cluster = of(plain, again)
    assert (cluster.objects, cluster.overwritten) == ((again,), ())


def test_what_comes_out_of_one_place_in_two_ways_is_overwritten() -> None:
    plain = obj("a.yaml")
    patched = plain._replace(
        body={**plain.body, "data": {"a": "b"}}, place=plain.place._replace(made=Derivation(plain.place))
    )
    cluster = of(plain, patched)
    assert (cluster.objects, cluster.overwritten) == ((patched,), (Overwritten(patched, (plain,)),))


def test_a_version_makes_no_other_object_and_a_group_does() -> None:
    def scaler(api_version: str, document: int) -> Object:
        body = {"apiVersion": api_version, "kind": "Scaler", "metadata": {"name": "s", "namespace": "shop"}}
        (obj,) = objects(body, Place("a.yaml", document))
        return obj

    old, new, foreign = scaler("autoscaling/v1", 0), scaler("autoscaling/v2", 1), scaler("example.com/v2", 2)
    assert of(old, new, foreign).objects == (new, foreign)


def test_objects_whose_name_is_generated_are_new_each_time() -> None:
    first, second = obj("a.yaml", ""), obj("a.yaml", "", document=1)
    cluster = of(first, second)
    assert (cluster.objects, cluster.overwritten) == ((first, second), ())


def test_a_cluster_of_no_objects_is_empty() -> None:
    assert of() == Cluster((), (), discover_kinds((), "1.34"), {}, {})
