"""Where shipped rules and schemas are found."""

import importlib.util
import shutil
from pathlib import Path
from types import ModuleType

from quotalint.runtime import data


def _copy_of_data(package: Path) -> ModuleType:
    """The module as it would be in a package that lies elsewhere."""
    folder = package / "runtime"
    folder.mkdir(parents=True)
    copy = shutil.copy(data.__file__, folder)
    spec = importlib.util.spec_from_file_location("copy_of_data", copy)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_installed_package_carries_them_inside(tmp_path: Path) -> None:
    schemas = tmp_path / "site" / "quotalint" / "_data" / "schemas"
    schemas.mkdir(parents=True)
    (schemas / "some.schema.json").write_text('{"title": "Some"}', encoding="utf-8")
    copy = _copy_of_data(tmp_path / "site" / "quotalint")
    assert (copy.rules_folder(), copy.schemas_folder(), copy.load_schema("some")) == (
        str(schemas.parent / "rules"),
        str(schemas),
        {"title": "Some"},
    )


def test_a_checkout_has_them_beside_the_package(tmp_path: Path) -> None:
    copy = _copy_of_data(tmp_path / "quotalint")
    assert (copy.rules_folder(), copy.schemas_folder()) == (str(tmp_path / "rules"), str(tmp_path / "schemas"))


def test_a_schema_is_read_once() -> None:
    assert data.load_schema("limit-range") is data.load_schema("limit-range")
