"""Charts, packed as Helm packs them."""

from __future__ import annotations

import io
import tarfile
import zlib
from collections.abc import Mapping

HELM_HEADER = b"\x1f\x8b\x08\x14" + bytes(4) + b"\x00\xff\x04\x00+aHRHelm\x00"
"""What a chart that Helm packed begins with: a gzip header with an extra field and a comment."""


def packed_chart(files: Mapping[str, str | bytes], header: bytes = HELM_HEADER) -> bytes:
    """A packed chart with these files, whose names are written as they are."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as archive:
        for name, text in files.items():
            data = text.encode() if isinstance(text, str) else text
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    squeezer = zlib.compressobj(wbits=-15)
    squeezed = squeezer.compress(plain.getvalue()) + squeezer.flush()
    ending = zlib.crc32(plain.getvalue()).to_bytes(4, "little") + len(plain.getvalue()).to_bytes(4, "little")
    return header + squeezed + ending
