"""A field of what a template comes to stands where its value is written, if that can be told; else in the template."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from line_counts import lines_of

from quotalint.gitops.helm import ValuesLayer
from quotalint.gitops.helm.chart_provenance import (
    WrittenTemplate,
    WrittenValues,
    document_of,
    lines_that_name_values,
)
from quotalint.text.place import Derivation, Origin, Path, Place, Whole, place_of, step

CHART, FILE, TEMPLATE = Place("values.yaml"), Place("prod.yaml"), Place("templates/web.yaml")


def place_of_field(
    body: dict[str, object], field: Path, layers: list[ValuesLayer], template: str = "", scope: Path = ()
) -> tuple[str, Path]:
    """The file and the path in it that a field of a rendered object is reported at."""
    origin = WrittenValues(layers).origin_of(
        body, WrittenTemplate(TEMPLATE, scope, lines_that_name_values(template.splitlines()))
    )
    real = Place("x", 0, field, Derivation(origin)).real
    return real.source, real.path


WEB: dict[str, object] = {"kind": "Deployment", "spec": {"replicas": 3, "memory": "1Gi"}}
REPLICAS: Path = ("spec", "replicas")
IN_TEMPLATE = ("templates/web.yaml", ())


@pytest.mark.parametrize(
    ("layers", "template", "expected"),
    [
        pytest.param([ValuesLayer({"replicas": 3}, CHART)], "", ("values.yaml", ("replicas",)), id="the same key"),
        pytest.param(
            [ValuesLayer({"replicas": 1}, CHART), ValuesLayer({"replicas": 3}, FILE)],
            "",
            ("prod.yaml", ("replicas",)),
            id="the layer that wins",
        ),
        pytest.param(
            [ValuesLayer({"web": {"count": 3}, "port": 3}, CHART)],
            "  replicas: {{ .Values.web.count }}",
            ("values.yaml", ("web", "count")),
            id="the value that the template names at the key",
        ),
        pytest.param(
            [ValuesLayer({"port": 3}, CHART)], "  port: {{ .Values.port }}", IN_TEMPLATE,
            id="equal, and elsewhere",
        ),
        pytest.param([ValuesLayer({"replicas": 4}, CHART)], "", IN_TEMPLATE, id="another value"),
        pytest.param(
            [ValuesLayer({"a": {"replicas": 3}, "b": {"replicas": 3}}, CHART)], "", IN_TEMPLATE,
            id="two that may be meant",
        ),
        pytest.param(
            [ValuesLayer({"a": {"replicas": 3}, "b": {"replicas": 3}}, CHART)],
            "{{ with .Values.b }}",
            ("values.yaml", ("b", "replicas")),
            id="of two the one that the template speaks of",
        ),
        pytest.param(
            [ValuesLayer({"replicas": "3"}, CHART)], "", ("values.yaml", ("replicas",)),
            id="a number as a text",
        ),
        pytest.param(
            [ValuesLayer({"replicas": 3.0}, CHART)], "", ("values.yaml", ("replicas",)),
            id="a number with a point",
        ),
        pytest.param(
            [ValuesLayer({"replicas": 3}, CHART.at("data"), True)], "", ("values.yaml", ("data",)),
            id="a text",
        ),
    ],
)  # fmt: skip
def test_a_field_stands_where_its_value_is_written(
    layers: list[ValuesLayer], template: str, expected: tuple[str, Path]
) -> None:
    assert place_of_field(WEB, REPLICAS, layers, template) == expected


def test_a_field_of_a_subchart_stands_below_its_name() -> None:
    layers = [ValuesLayer({"replicas": 3}, CHART), ValuesLayer({"cache": {"replicas": 3}}, FILE)]
    assert place_of_field(WEB, REPLICAS, layers, "", ("cache",)) == ("prod.yaml", ("cache", "replicas"))


def test_the_own_values_of_a_subchart_count_below_its_name() -> None:
    layers = [
        ValuesLayer({"replicas": 3}, Place("charts/cache/values.yaml"), scope=("cache",)),
        ValuesLayer({"replicas": 3}, CHART),
    ]
    assert place_of_field(WEB, REPLICAS, layers, "", ("cache",)) == ("charts/cache/values.yaml", ("replicas",))


def test_a_manifest_among_values_stands_there_as_a_whole() -> None:
    quota = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "a"}, "spec": {"hard": {"pods": "1"}}}
    layers = [ValuesLayer({"resources": [{"kind": "X"}, quota]}, FILE)]
    made = WrittenValues(layers).origin_of(quota, WrittenTemplate(TEMPLATE, (), ()))
    here = Place("x", 0, (), Derivation(made))
    assert (here.real, here.at("spec", "hard", "pods").real, here.at("spec", "absent").real) == (
        FILE.at("resources", 1),
        FILE.at("resources", 1, "spec", "hard", "pods"),
        TEMPLATE,
    )


def test_values_are_searched_once_for_all_objects() -> None:
    """A chart of three lines makes thousands of objects; none of them is in its values."""
    values = {f"key-{number}": {"text": "kind: ConfigMap", "number": number} for number in range(500)}

    def origins(objects: int) -> None:
        written = WrittenValues([ValuesLayer(values, CHART)])
        for number in range(objects):
            body = {"kind": "Deployment", "metadata": {"name": f"web-{number}", "namespace": "a"}}
            written.origin_of(body, WrittenTemplate(TEMPLATE, (), ()))

    assert lines_of(lambda: origins(20)) < 2 * lines_of(lambda: origins(1))


def test_blank_lines_in_a_text_among_values_are_no_beginning_of_a_field() -> None:
    """Each of them would be tried with all that follow: half an hour for a megabyte."""
    manifest = "kind: ConfigMap\nmetadata:\n" + "\n" * 100_000 + "  name: other\n"
    values = [ValuesLayer({"a": manifest, "b": manifest}, CHART)]
    body: dict[str, object] = {"kind": "ConfigMap", "metadata": {"name": "web"}}
    assert place_of_field(body, ("data",), values) == ("templates/web.yaml", ())


class _Unread(tuple[str, ...]):
    """Lines of a template that nobody is to look at."""

    __slots__ = ()

    def __iter__(self) -> Iterator[str]:
        pytest.fail("the template is read for a field that no value is equal to")


def test_a_template_is_not_read_for_a_field_that_no_value_is_equal_to() -> None:
    """A definition has thousands of fields, its template as many lines."""
    layers = [ValuesLayer({"memory": "2Gi", "cache": {"memory": "1Gi"}}, CHART)]
    origin = WrittenValues(layers).origin_of(WEB, WrittenTemplate(TEMPLATE, ("web",), _Unread()))
    assert Place("x", 0, ("spec", "memory"), Derivation(origin)).real == TEMPLATE
    assert Place("x", 0, REPLICAS, Derivation(origin)).real == TEMPLATE


def test_of_a_template_only_the_lines_count_that_name_values() -> None:
    lines = [
        "kind: Deployment",
        "  replicas: {{ .Values.web.count }}",
        "  name: {{ .Release.Name }}",
        "{{ with .Values.b }}",
    ]
    assert lines_that_name_values(lines) == (lines[1], lines[3])


def test_a_field_that_the_template_writes_stands_there_at_the_same_path() -> None:
    body = {"kind": "Pod", "spec": {"containers": [{"name": "web"}]}}
    template = WrittenTemplate(TEMPLATE._replace(document=1), (), (), is_parallel=True)
    origin: Origin = WrittenValues(()).origin_of(body, template)
    path = ("spec", "containers", 0, "resources")
    for key in path:
        origin = step(origin, key)
    assert (place_of(origin), isinstance(origin, Whole)) == (Place("templates/web.yaml", 1, path), True)


def test_the_document_of_an_object_is_the_only_one_of_its_kind() -> None:
    documents = ["kind: Service\n", "{{- if .a }}\nkind: Deployment\n{{- end }}\n", "kind: Job\n", "kind: Job\n"]
    assert [document_of(kind, documents) for kind in ("Deployment", "Job", "Pod")] == [1, None, None]
