"""Renders what a `helm_release` installs, if its chart is in the repository (hashicorp/terraform-provider-helm)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from quotalint.gitops.charts import Charts
from quotalint.gitops.helm import Parameter, Release, ValuesLayer
from quotalint.gitops.rendering import Rendering
from quotalint.kube.fields import mapping, sequence, text
from quotalint.kube.guess import CONTENT, Guess
from quotalint.terraform.modules import Declared
from quotalint.terraform.values import Unknown, causes_in, plain_value
from quotalint.text.documents import read
from quotalint.text.place import Place, inner_document, place_of, step
from quotalint.text.tree import join_path
from quotalint.text.words import list_some
from quotalint.unknowns.causes import REMOTE_CHART, TERRAFORM_VALUES, SharedCause
from quotalint.unknowns.problems import MISSING, Problem

_DECISIVE = ("chart", "name", "namespace", "repository")
_SETS = ("set", "set_list", "set_sensitive")


def rendered_release(declared: Declared, root: str, charts: Charts) -> Rendering:
    """The rendering of a release; `root` is the folder of the root module, from which its paths are read."""
    values = declared.values
    named = {key: values.get(key) or "" for key in _DECISIVE}
    name, namespace = (text(plain_value(named[key])) for key in ("name", "namespace"))
    if isinstance(named["namespace"], Unknown):
        return _missing(declared, "its namespace is unknown", causes_in(named["namespace"]), "")
    chart = text(plain_value(named["chart"]))
    folder = join_path(root, join_path(text(plain_value(named["repository"])), chart) if named["repository"] else chart)
    if not charts.is_chart(folder):
        hidden = causes_in(list(named.values()))
        why = "its chart is unknown" if hidden else f"the chart {chart} is remote"
        return _missing(declared, why, hidden, namespace or "default", chart)
    causes = causes_in([values.get(key) for key in ("values", *_SETS)])
    layers = tuple(_layers(declared))
    parameters = tuple(_parameters(values, declared.place))
    release = Release(folder, name, namespace or "default", layers=layers, parameters=parameters)
    release = release._replace(lacks_values=bool(causes), skip_crds=values.get("skip_crds") is True)
    rendering = charts.render_chart(release, declared.place)
    if not causes:
        return rendering
    reason = f"{declared.address} has values that are not in view ({list_some(causes, 3)})"
    return rendering.with_guess(Guess(CONTENT, reason, "pass the plan with `--with plan.json`"))


def _layers(declared: Declared) -> Iterator[ValuesLayer]:
    """The texts of YAML in `values`; a later one wins."""
    origin = step(declared.origin, "values")
    for number, written in enumerate(sequence(declared.values.get("values"))):
        of_item = step(origin, number)
        reading = read(text(plain_value(written)).encode("utf-8", "surrogatepass"))
        for document in reading.documents[:1]:
            place = place_of(of_item)
            is_flat = not isinstance(of_item, Place)
            yield ValuesLayer(mapping(document.value), place if is_flat else place.at(inner_document(0)), is_flat)


def _parameters(values: Mapping[str, object], place: Place) -> Iterator[Parameter]:
    for kind in _SETS:
        for item in map(mapping, sequence(plain_value(values.get(kind)))):
            value = item.get("value")
            written = f"{{{','.join(map(text, value))}}}" if isinstance(value, list) else text(value)
            yield Parameter(text(item.get("name")), written, item.get("type") == "string", place)


def _missing(declared: Declared, why: str, causes: tuple[str, ...], namespace: str, chart: str = "") -> Rendering:
    names = ", ".join(causes)
    reason = f"{declared.address} is not rendered: {why}{f': {names}' if names else ''}"
    shared = SharedCause(TERRAFORM_VALUES, names) if names else SharedCause(REMOTE_CHART, chart)
    problem = Problem(declared.place, reason, MISSING, namespace=namespace, shared=shared, subject=declared.address)
    return Rendering().lacking(problem)
