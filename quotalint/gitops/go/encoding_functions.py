"""sprig's functions between values and texts that encode them, and those that Argo CD adds."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from quotalint.gitops.go.encodings import from_json, from_yaml, to_json, to_yaml
from quotalint.gitops.go.values import GoError, Implementation


def _base64_text(value: str, *, encode: bool) -> str:
    import base64
    import binascii

    if encode:
        return base64.b64encode(value.encode("utf-8", "surrogatepass")).decode()
    try:
        return base64.b64decode(value.replace("\n", "").replace("\r", ""), validate=True).decode()
    except (binascii.Error, ValueError):
        raise GoError("a string is not base64, or does not encode text") from None


def _hash_function(name: str) -> Callable[[str], str]:
    def hash_text(value: str) -> str:
        import hashlib

        return hashlib.new(name, value.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()

    return hash_text


def _without_errors(implementation: Callable[[str], object]) -> Implementation:
    """sprig's functions without `must` give nothing where they fail."""

    def quiet(value: str) -> object:
        try:
            return implementation(value)
        except GoError:
            return None

    return quiet


def _yaml_of(kind: type) -> Callable[[str], object]:
    def read_yaml(value: str) -> object:
        decoded = from_yaml(value)
        if decoded is not None and not isinstance(decoded, kind):
            raise GoError(f"a YAML string is not a {kind.__name__}")
        return kind() if decoded is None else decoded

    return read_yaml


FUNCTIONS: Mapping[str, tuple[str, Implementation]] = {
    "b64enc": ("s", lambda value: _base64_text(value, encode=True)),
    "b64dec": ("s", lambda value: _base64_text(value, encode=False)),
    "sha1sum": ("s", _hash_function("sha1")),
    "sha256sum": ("s", _hash_function("sha256")),
    "toJson": ("a", to_json),
    "mustToJson": ("a", to_json),
    "toRawJson": ("a", lambda value: to_json(value, html=False)),
    "mustToRawJson": ("a", lambda value: to_json(value, html=False)),
    "toPrettyJson": ("a", lambda value: to_json(value, indent="  ")),
    "mustToPrettyJson": ("a", lambda value: to_json(value, indent="  ")),
    "fromJson": ("s", _without_errors(from_json)),
    "mustFromJson": ("s", from_json),
    "toYaml": ("a", to_yaml),
    "fromYaml": ("s", _yaml_of(dict)),
    "fromYamlArray": ("s", _yaml_of(list)),
}
