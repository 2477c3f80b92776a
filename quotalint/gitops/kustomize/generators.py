"""Generates ConfigMaps and Secrets from files and literals, and the hash suffixes of their names."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from quotalint.gitops.kustomize.kustomize_resource import Resource, resource_of
from quotalint.gitops.kustomize.traced import Traced, child, mapping_of, set_at
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.named_tuples import NamedTuple


class GeneratorError(Exception):
    """Kustomize refuses a generator entry."""


class NothingToMergeError(GeneratorError):
    """An entry has behavior merge or replace, but there is no resource of its name."""


class GeneratedEntry(NamedTuple):
    """The generated resource, and the listed files that could not be read."""

    resource: Resource
    missing: tuple[str, ...]


def generate_entry(kind: str, entry: Traced, options: Body, content: Callable[[str], bytes | None]) -> GeneratedEntry:
    """The ConfigMap or Secret of one entry of `configMapGenerator` or `secretGenerator`.

    `options` are the kustomization's `generatorOptions`; `content` reads a file that the entry names. Raises
    GeneratorError.
    """
    body = mapping(entry.value)
    place = entry.place
    name = child(entry, "name")
    if name is None or not text(name.value):
        raise GeneratorError(f"the {kind} has no name")
    missing: list[str] = []
    data, binary = _data_of_entry(kind, body, content, missing)
    own = mapping(body.get("options"))
    metadata: list[tuple[str, Traced]] = [("name", name)]
    for field in ("labels", "annotations"):
        pairs = {**mapping(options.get(field)), **mapping(own.get(field))}
        if pairs:
            metadata.append((field, Traced({key: text(pairs[key]) for key in sorted(pairs)}, place)))
    namespace = child(entry, "namespace")
    if namespace is not None and text(namespace.value):
        metadata.append(("namespace", namespace))
    parts = [("apiVersion", Traced("v1", place)), ("kind", Traced(kind, place))]
    parts.append(("metadata", mapping_of(place, metadata)))
    if kind == "Secret":
        parts.append(("type", Traced(text(body.get("type")) or "Opaque", place)))
    parts += [("data", Traced(data, place))] if data or kind == "Secret" else []
    parts += [("binaryData", Traced(binary, place))] if binary else []
    if own.get("immutable") is True or options.get("immutable") is True:
        parts.append(("immutable", Traced(value=True, origin=place)))
    unhashed = own.get("disableNameSuffixHash") is True or options.get("disableNameSuffixHash") is True
    generated_resource = resource_of(mapping_of(place, parts))
    return GeneratedEntry(
        generated_resource._replace(hashed=not unhashed, behavior=text(body.get("behavior"))), tuple(missing)
    )


def _data_of_entry(
    kind: str, body: Body, content: Callable[[str], bytes | None], missing: list[str]
) -> tuple[dict[str, str], dict[str, str]]:
    data: dict[str, str] = {}
    binary: dict[str, str] = {}
    data_keys: set[str] = set()
    for key, value in _key_value_pairs(body, content, missing):
        if key in data_keys:
            raise GeneratorError(f"the key `{key}` is given twice")
        data_keys.add(key)
        if kind == "Secret":
            data[key] = _encode_base64(value)
            continue
        try:
            data[key] = value.decode("utf-8")
        except UnicodeDecodeError:
            binary[key] = _encode_base64(value)
    return {key: data[key] for key in sorted(data)}, binary


def _key_value_pairs(
    body: Body, content: Callable[[str], bytes | None], missing: list[str]
) -> Iterator[tuple[str, bytes]]:
    envs = [*sequence(body.get("envs")), *([body["env"]] if body.get("env") else [])]
    for path in map(text, envs):
        data = content(path)
        if data is None:
            missing.append(path)
            continue
        yield from _env_file_variables(data)
    for literal in map(text, sequence(body.get("literals"))):
        key, equals, value = literal.partition("=")
        if not key or not equals:
            raise GeneratorError(f"the literal `{literal}` is not key=value")
        if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
            value = value[1:-1]
        yield key, value.encode("utf-8", "surrogatepass")
    for source in map(text, sequence(body.get("files"))):
        key, equals, path = source.partition("=")
        path = path if equals else key
        data = content(path)
        if data is None:
            missing.append(path)
            continue
        yield (key if equals else path.rpartition("/")[2]), data


def _env_file_variables(content: bytes) -> Iterator[tuple[str, bytes]]:
    """The variables of an env file (api/kv)."""
    for line in content.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        line = line.removesuffix(b"\r").lstrip()
        if line and not line.startswith(b"#"):
            key, _, value = line.partition(b"=")
            yield key.decode("utf-8", "replace"), value


def _encode_base64(value: bytes) -> str:
    """Base64 in lines of 70 characters, as Kustomize writes it (kyaml/yaml/datamap.go); the name hash covers these
    bytes."""
    from base64 import b64encode

    encoded = b64encode(value).decode()
    if len(encoded) < 70:
        return encoded
    return "".join(encoded[start : start + 70] + "\n" for start in range(0, len(encoded), 70))


def absorb_resource(resources: list[Resource], new: Resource) -> list[Resource]:
    """Add a generated resource, or merge it into or replace the one of its name, as its behavior says
    (appendReplaceOrMerge). Raises GeneratorError."""
    old = [resource for resource in resources if any(new.id.is_same(other) for other in resource.all_ids)]
    merging = new.behavior in ("merge", "replace")
    if not old:
        if merging:
            raise NothingToMergeError(f"there is no {new.id.kind.kind} {new.id.name} to {new.behavior}")
        return [*resources, new]
    if len(old) > 1 or not merging:
        raise GeneratorError(
            f"there is already a {new.id.kind.kind} {new.id.name}; its behavior must be merge or replace"
        )
    result = _combine_metadata(old[0], new)
    return [result if resource is old[0] else resource for resource in resources]


def _combine_metadata(old: Resource, new: Resource) -> Resource:
    traced = new.traced
    for field in ("labels", "annotations"):
        pairs = {**mapping(old.metadata.get(field)), **mapping(new.metadata.get(field))}
        if pairs:
            traced = set_at(traced, ("metadata", field), Traced(pairs, new.traced.place))
    for field in ("name", "namespace"):
        old_field = child(child(old.traced, "metadata") or old.traced, field)
        if old_field is not None:
            traced = set_at(traced, ("metadata", field), old_field)
    if new.behavior == "merge":
        for field in ("data", "binaryData"):
            before, after = child(old.traced, field), child(new.traced, field)
            if before is None:
                continue
            both = {**_children_by_key(before), **(_children_by_key(after) if after else {})}
            traced = set_at(traced, (field,), mapping_of(before.place, sorted(both.items())))
    return old._replace(patches=(*old.patches, new.traced.place), hashed=old.hashed and new.hashed).with_body(traced)


def _children_by_key(parent: Traced) -> dict[str, Traced]:
    return {key: member for key in mapping(parent.value) if (member := child(parent, key)) is not None}


def with_hash(resource: Resource) -> Resource:
    """The resource with the hash of its content in its name, if it needs one (api/hasher)."""
    if not resource.hashed:
        return resource
    name = child(child(resource.traced, "metadata") or resource.traced, "name")
    origin = name.origin if name is not None else resource.traced.origin
    renamed = Traced(f"{resource.id.name}-{_content_hash(mapping(resource.traced.value))}", origin)
    return resource.with_id_remembered().with_body(set_at(resource.traced, ("metadata", "name"), renamed))


def _content_hash(body: Body) -> str:
    from hashlib import sha256
    from json import dumps

    kind = text(body.get("kind"))
    # Upstream looks up one field called `metadata/name`, which never exists (hasher.getNodeValues).
    content: dict[str, object] = {"kind": kind, "name": "", "data": body.get("data", "")}
    if kind == "Secret":
        content["type"] = body.get("type", "")
    more = "stringData" if kind == "Secret" else "binaryData"
    if isinstance(body.get(more), dict):
        content[more] = body[more]
    encoded = dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    for letter in "<>&\u2028\u2029":  # escaped as Go's JSON encoder does
        encoded = encoded.replace(letter, f"\\u{ord(letter):04x}")
    digest = sha256(encoded.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    return digest.translate(str.maketrans("013ae", "ghkmt"))
