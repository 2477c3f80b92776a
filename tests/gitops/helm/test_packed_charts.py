"""Packed charts are looked into as Helm looks into them, and one beside the same chart unpacked is no silent choice."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from packing import packed_chart
from written_files import write_as_is

from quotalint.gitops.helm import Release
from quotalint.gitops.helm.chart_copy import CopyError, copy_chart
from quotalint.gitops.helm.library import Library
from quotalint.gitops.helm.packed_charts import PackedChartError, packed_files

SCHEMA = '{"$ref": "http://127.0.0.1:1/schema.json"}'
DB = {"db/Chart.yaml": "apiVersion: v2\nname: db\nversion: 1.0.0\n", "db/templates/a.yaml": "a: packed\n"}
SHOP = {
    "shop/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\ndependencies: [{name: db, version: 1.0.0}]\n",
    "shop/charts/db/Chart.yaml": DB["db/Chart.yaml"],
    "shop/charts/db/templates/a.yaml": "a: unpacked\n",
}


def write_chart(root: Path, packed: bytes, files: dict[str, str]) -> None:
    write_as_is(root, files)
    (root / "shop/charts").mkdir(parents=True, exist_ok=True)
    (root / "shop/charts/db-1.0.0.tgz").write_bytes(packed)


@pytest.mark.parametrize(
    "packed",
    [
        packed_chart({**DB, "db/values.schema.json": SCHEMA}),
        packed_chart({**DB, "db\\values.schema.json": SCHEMA}),
        packed_chart({**DB, "db/x/../values.schema.json": SCHEMA}),
        packed_chart({**DB, "db/charts/inner-1.0.0.tgz": packed_chart({"inner/values.schema.json": SCHEMA})}),
        packed_chart({**DB, "db/values.schema.json": SCHEMA}) + b"what Helm never reads",
    ],
    ids=["as-packed", "from-windows", "by-a-detour", "packed-in-it", "with-more-behind-it"],
)
def test_a_schema_that_refers_elsewhere_is_found_however_it_is_packed(tmp_path: Path, packed: bytes) -> None:
    write_chart(tmp_path, packed, {"shop/Chart.yaml": SHOP["shop/Chart.yaml"]})
    with pytest.raises(CopyError, match="refers to http://127"):
        copy_chart(str(tmp_path / "shop"), str(tmp_path), str(tmp_path / "copy"))


@pytest.mark.parametrize(
    ("packed", "why"),
    [
        (packed_chart(DB)[:60], "db-1.0.0.tgz cannot be unpacked"),
        (packed_chart({"db/zeros": bytes(65 << 20)}), "db-1.0.0.tgz unpacks to more than 64 MiB"),
    ],
    ids=["cut-off", "too-large"],
)
def test_what_cannot_be_looked_into_goes_to_nobody(tmp_path: Path, packed: bytes, why: str) -> None:
    write_chart(tmp_path, packed, {"shop/Chart.yaml": SHOP["shop/Chart.yaml"]})
    with pytest.raises(CopyError, match=why):
        copy_chart(str(tmp_path / "shop"), str(tmp_path), str(tmp_path / "copy"))


def test_charts_packed_in_each_other_end(tmp_path: Path) -> None:
    packed = packed_chart(DB)
    for _ in range(7):
        packed = packed_chart({"db/charts/db-1.0.0.tgz": packed})
    with pytest.raises(PackedChartError, match="too many charts packed in each other"):
        list(packed_files(io.BytesIO(packed), 1 << 20))


def test_of_what_differs_the_folder_is_assumed(tmp_path: Path) -> None:
    pytest.importorskip("helm_python")
    write_chart(tmp_path, packed_chart(DB), SHOP)
    library = Library(str(tmp_path))
    release = Release(str(tmp_path / "shop"), "web", "team-a")
    rendered = library.render_release(release, {})
    assert [template.documents for template in rendered.templates] == [({"a": "unpacked"},)]
    (guess,) = rendered.guesses
    assert guess.reason == (
        "shop/charts/ has db/ and db-1.0.0.tgz, which differ: Helm takes either, here it is the folder"
    )
    assert guess.cure == "delete shop/charts/db-1.0.0.tgz"


def test_what_is_the_same_is_no_choice(tmp_path: Path) -> None:
    write_chart(tmp_path, packed_chart(DB), {**SHOP, "shop/charts/db/templates/a.yaml": DB["db/templates/a.yaml"]})
    assert copy_chart(str(tmp_path / "shop"), str(tmp_path), str(tmp_path / "copy")) == ()
    assert not (tmp_path / "copy/charts/db-1.0.0.tgz").exists()
