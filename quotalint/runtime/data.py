"""Where the rules and schemas that are shipped lie, and how the schemas are read."""

# os.path is loaded in any case, pathlib costs 2 ms

from __future__ import annotations

import os.path
from functools import cache


@cache
def load_schema(name: str) -> dict[str, object]:
    """The JSON Schema of this name, such as `resource-quota`. It is shared: do not change it."""
    import json

    with open(os.path.join(schemas_folder(), f"{name}.schema.json"), encoding="utf-8") as file:
        content: dict[str, object] = json.load(file)
    return content


@cache
def load_table(name: str) -> dict[str, object]:
    """Facts of Kubernetes or Kustomize that are shipped as data, such as `kustomize-fields`. It is shared: do not
    change it."""
    import json

    with open(os.path.join(schemas_folder(), f"{name}.json"), encoding="utf-8") as file:
        content: dict[str, object] = json.load(file)
    return content


def rules_folder() -> str:
    """The folder of the rule catalogue, one YAML file for each rule."""
    return os.path.join(_data_root(), "rules")


def schemas_folder() -> str:
    """The folder of the JSON Schemas, `<name>.schema.json`."""
    return os.path.join(_data_root(), "schemas")


@cache
def _data_root() -> str:
    """The wheel carries both folders inside the package; in a checkout they lie beside it."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    shipped = os.path.join(package, "_data")
    return shipped if os.path.isdir(shipped) else os.path.dirname(package)
