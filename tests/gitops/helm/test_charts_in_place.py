"""Which charts the library may read where they lie, and which it is given a copy of."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from quotalint.gitops.helm.chart_copy import size_in_place
from quotalint.text.files import pretend_contents

FILES = {
    "Chart.yaml": "{apiVersion: v2, name: shop, version: 1.0.0}",
    "templates/a.yaml": "a: 1",
    "charts/b/b.yaml": "",
}


def chart(folder: Path) -> Path:
    for name, text in FILES.items():
        path = folder / "shop" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / "shop"


def test_plain_files_are_read_where_they_lie(tmp_path: Path) -> None:
    assert size_in_place(str(chart(tmp_path))) == sum(map(len, FILES.values()))


@pytest.mark.parametrize(
    "add",
    [
        lambda shop: (shop / "templates/b.yaml").symlink_to("a.yaml"),
        lambda shop: (shop / "files").symlink_to("templates"),
        lambda shop: os.mkfifo(shop / "templates/b.yaml"),
        lambda shop: (shop / "charts/b-1.0.0.tgz").write_bytes(b""),
        lambda shop: (shop / "charts/b/values.schema.json").write_text('{"$ref": "../a.json"}'),
        lambda shop: (shop / "charts/b/.git").mkdir(),
        lambda shop: (shop / "Chart.yaml").write_text("dependencies: [{name: c, repository: 'file://../c'}]"),
    ],
    ids=["linked file", "linked folder", "pipe", "packed chart", "schema of others", "repository", "neighbour"],
)
def test_what_the_library_would_follow_wait_for_or_miss_is_copied(
    tmp_path: Path, add: Callable[[Path], object]
) -> None:
    shop = chart(tmp_path)
    add(shop)
    assert size_in_place(str(shop)) is None


def test_what_is_not_written_yet_is_copied(tmp_path: Path) -> None:
    shop = os.path.realpath(chart(tmp_path))
    with pretend_contents({os.path.join(shop, "templates", "a.yaml"): b"a: 2"}):
        assert size_in_place(shop) is None
    assert size_in_place(shop) is not None


def test_a_folder_whose_name_is_no_text_is_copied(tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))
    try:
        shop = chart(folder)
    except OSError:
        pytest.skip("the file system takes no such name")
    assert size_in_place(str(shop)) is None
