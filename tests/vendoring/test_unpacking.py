"""Archives that are not trusted."""

from __future__ import annotations

import gzip
import io
import tarfile

import pytest
from chart_servers import CHART, packed

from quotalint.vendoring import FetchError, Limits
from quotalint.vendoring.unpacking import unpacked_chart

SMALL = Limits(unpacked=100_000, files=50)


def member(name: str, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def why(data: bytes, limits: Limits = SMALL) -> str:
    with pytest.raises(FetchError) as caught:
        unpacked_chart(data, limits)
    return str(caught.value)


def test_the_files_of_a_chart() -> None:
    expected = {name: text.encode() for name, text in CHART.items()}
    assert unpacked_chart(packed(CHART), SMALL) == expected
    folders = iter([member("web/templates", tarfile.DIRTYPE)])
    assert unpacked_chart(packed(CHART, more=folders), SMALL) == expected


@pytest.mark.parametrize(
    "name",
    [
        "web/../../etc/passwd",
        "/etc/passwd",
        "web//etc/passwd",
        "web/./a",
        "web/a\\b",
        "web/.git/config",
        "web/.GIT/a",
        "web/a:b",
    ],
)
def test_a_path_that_leads_out_is_refused(name: str) -> None:
    assert "a path that is not allowed" in why(packed(CHART, more=iter([member(name)])))


@pytest.mark.parametrize("name", ["web/Chart.yaml", "web/values.yaml/a"])
def test_a_path_that_is_taken_is_refused(name: str) -> None:
    assert "a path that is not allowed" in why(packed(CHART, more=iter([member(name)])))


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_what_is_no_file_is_refused(kind: bytes) -> None:
    data = packed(CHART, more=iter([member("web/templates/link", kind, "web/values.yaml")]))
    assert why(data) == "its archive has something that is no regular file: 'web/templates/link'"


def test_a_bomb_is_refused() -> None:
    assert "more than 50 files or 0 MiB" in why(packed({**CHART, "a": b"\0" * 200_000}))
    assert "more than 50 files or 0 MiB" in why(packed(CHART, more=(member(f"web/{i}") for i in range(60))))


def test_a_bomb_in_a_header_is_refused() -> None:
    """tarfile reads a long name into memory, whatever its length."""
    info = member("././@LongLink", tarfile.GNUTYPE_LONGNAME)
    info.size = 10_000_000
    data = gzip.compress(info.tobuf() + b"a" * info.size)
    assert "unpacks to more than quotalint takes" in why(data)


def test_what_is_broken_is_refused() -> None:
    whole = packed(CHART)
    assert why(whole[: len(whole) // 2]) == "its archive is broken"
    assert why(b"<html>") == "its archive is broken"
    assert why(packed({"values.yaml": "a: 1\n"})) == "its archive has no Chart.yaml"
    assert why(gzip.compress(io.BytesIO().getvalue())) in ("its archive is broken", "its archive has no Chart.yaml")
