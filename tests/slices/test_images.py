"""Which changes of a workload are of its images alone."""

from __future__ import annotations

from typing import Any

import pytest

from quotalint.kube.objects import Object, objects
from quotalint.slices.images import runs_other_images_alone
from quotalint.text.place import Place


def _pod(spec: Any) -> Object:
    body = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": spec}
    (obj,) = objects(body, Place("web.yaml"))
    return obj


def _running(image: Any, **more: Any) -> Any:
    return {"containers": [{"name": "web", "image": image, **more}], "nodeName": "one"}


@pytest.mark.parametrize(
    ("before", "now", "alike"),
    [
        (_running("web:1"), _running("web:2"), True),
        (_running("web:1"), _running("web:1"), True),
        ({"initContainers": _running("a")["containers"]}, {"initContainers": _running("b")["containers"]}, True),
        (_running("web:1"), _running("web:2", tty=True), False),
        (_running("web:1", tty=1), _running("web:2", tty=True), False),
        (_running("web:1"), _running(""), False),
        (_running("web:1"), _running(None), False),
        (_running("web:1"), _running("pause:3"), False),
        (_running("web:1"), {**_running("web:2"), "nodeName": "two"}, False),
        (_running("web:1"), None, False),
        ({"volumes": [{"name": "a", "image": "a"}]}, {"volumes": [{"name": "a", "image": "b"}]}, False),
    ],
)
def test_only_the_names_of_images_are_passed_over(before: Any, now: Any, alike: bool) -> None:
    assert runs_other_images_alone(_pod(before), _pod(now).body) is alike


def test_what_is_null_is_not_what_is_missing() -> None:
    body = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": {}}
    (obj,) = objects(body, Place("web.yaml"))
    assert not runs_other_images_alone(obj, {**body, "spec": {"template": None}})


def test_of_other_kinds_nobody_knows_where_their_containers_are() -> None:
    body = {"apiVersion": "example.com/v1", "kind": "Engine", "metadata": {"name": "web"}, "spec": _running("web:1")}
    (obj,) = objects(body, Place("web.yaml"))
    assert not runs_other_images_alone(obj, {**body, "spec": _running("web:2")})
