"""Replacements: copies values from one object into others (api/filters/replacement)."""

from __future__ import annotations

from collections.abc import Sequence

from quotalint.gitops.go.encodings import to_json, to_yaml
from quotalint.gitops.go.values import GoError
from quotalint.gitops.kustomize.field_paths import (
    FieldEdit,
    FieldPath,
    FieldPathError,
    edited_at,
    fields_at,
    split_path,
)
from quotalint.gitops.kustomize.kustomize_resource import Id, Resource, decides_amounts
from quotalint.gitops.kustomize.selector_text import SelectorError, labels_match, matches_whole
from quotalint.gitops.kustomize.traced import Traced, child
from quotalint.kube.fields import Body, mapping, sequence, text
from quotalint.named_tuples import NamedTuple
from quotalint.runtime import budget
from quotalint.text.aliases import expanded_size
from quotalint.text.loader import Loaded, load
from quotalint.text.scalars import UnreadableError, plain


class ReplacementError(Exception):
    """Kustomize refuses a replacement."""


class ReplacedResources(NamedTuple):
    """The resources after a replacement."""

    resources: list[Resource]
    is_rewritten: bool = False
    """Whether YAML inside a string was written anew, so that it may look different."""


def replace_values(resources: Sequence[Resource], replacement: Traced) -> ReplacedResources:
    """The resources after one entry of `replacements`. Raises ReplacementError and SelectorError."""
    try:
        return _replace_in_targets(resources, replacement)
    except FieldPathError as error:
        raise ReplacementError(str(error)) from None


def concerns_amounts(resources: Sequence[Resource], replacement: Traced) -> bool:
    """Whether a skipped entry of `replacements` targets a field that decides quota usage."""
    targets = [mapping(target) for target in sequence(mapping(replacement.value).get("targets"))]
    try:
        return any(
            decides_amounts(resource.id)
            for target in targets
            if any(map(_may_lead_to_amount, sequence(target.get("fieldPaths"))))
            for resource in resources
            if _is_chosen(resource, mapping(target.get("select")), list(map(mapping, sequence(target.get("reject")))))
        )
    except SelectorError:
        return True


def _may_lead_to_amount(path: object) -> bool:
    parts = split_path(text(path))
    return "scaleTargetRef" in parts or _WITHOUT_AMOUNTS.isdisjoint(parts)


_WITHOUT_AMOUNTS = frozenset(
    ("annotations", "args", "command", "data", "env", "envFrom", "image", "labels", "name", "stringData")
)
"""Fields below which no quota-relevant value is stored."""


def _replace_in_targets(resources: Sequence[Resource], replacement: Traced) -> ReplacedResources:
    body = mapping(replacement.value)
    targets = sequence(body.get("targets"))
    if not targets:
        raise ReplacementError("the replacement has no targets")
    value = _replacement_value(resources, replacement)
    result = list(resources)
    is_rewritten = False
    for target in map(mapping, targets):
        select = mapping(target.get("select"))
        if "select" not in target:
            raise ReplacementError("a target has no select")
        rejects = [mapping(reject) for reject in sequence(target.get("reject"))]
        for number, resource in enumerate(result):
            if _is_chosen(resource, select, rejects):
                result[number], anew = _write_target(resource, target, value)
                is_rewritten = is_rewritten or anew
    return ReplacedResources(result, is_rewritten)


def _replacement_value(resources: Sequence[Resource], replacement: Traced) -> Traced:
    written = child(replacement, "sourceValue")
    if written is not None:
        return Traced(text(written.value), written.origin)
    source = mapping(mapping(replacement.value).get("source"))
    if not source:
        raise ReplacementError("the replacement has no source")
    candidates = [resource for resource in resources if any(_is_source(other, source) for other in resource.all_ids)]
    name = f"{text(source.get('kind')) or 'object'} {text(source.get('name'))}".strip()
    if len(candidates) != 1:
        raise ReplacementError(
            f"its source, {name}, {'is not there' if not candidates else 'could be several objects'}"
        )
    path = text(source.get("fieldPath")) or "metadata.name"
    values = fields_at(candidates[0].traced, split_path(path))
    if not values or values[0].value in (None, {}, []):
        raise ReplacementError(f"its source, {name}, has no {path}")
    options = mapping(source.get("options"))
    delimiter = text(options.get("delimiter"))
    if not delimiter:
        return values[0]
    parts = text(values[0].value).split(delimiter)
    number = _index_option(options)
    if not 0 <= number < len(parts):
        raise ReplacementError(f"its source has no part {number}")
    return Traced(parts[number], values[0].origin)


def _is_source(identity: Id, source: Body) -> bool:
    wanted = (text(source.get(field)) for field in ("group", "version", "kind"))
    namespace = text(source.get("namespace"))
    return (
        all(not value or value == have for value, have in zip(wanted, identity.kind, strict=True))
        and text(source.get("name")) in ("", identity.name)
        and (not namespace or namespace == identity.effective_namespace)
    )


def _is_chosen(resource: Resource, select: Body, rejects: Sequence[Body]) -> bool:
    if not _is_labelled(resource, select):
        return False
    for reject in rejects:
        if (reject.get("labelSelector") or reject.get("annotationSelector")) and _is_labelled(resource, reject):
            return False
        if any(reject.get(field) for field in _ID) and any(
            _matches_identity(other, reject) for other in resource.all_ids
        ):
            return False
    return any(_matches_identity(other, select) for other in resource.all_ids)


_ID = ("group", "version", "kind", "name", "namespace")


def _is_labelled(resource: Resource, select: Body) -> bool:
    return labels_match(text(select.get("labelSelector")), mapping(resource.metadata.get("labels"))) and labels_match(
        text(select.get("annotationSelector")), mapping(resource.metadata.get("annotations"))
    )


def _matches_identity(identity: Id, select: Body) -> bool:
    have = (*identity.kind, identity.name, identity.namespace)
    wanted = (text(select.get(field)) for field in _ID)
    return all(not written or matches_whole(written, value) for written, value in zip(wanted, have, strict=True))


def _write_target(resource: Resource, target: Body, value: Traced) -> tuple[Resource, bool]:
    """The resource with the value in all fields of a target, and whether YAML inside a string was rewritten."""
    options = mapping(target.get("options"))
    created = value if options.get("create") is True else None
    traced = resource.traced
    is_rewritten = False
    for path in [text(item) for item in sequence(target.get("fieldPaths"))] or ["metadata.name"]:
        fields = 0

        def put_field(field: Traced) -> Traced:
            nonlocal fields
            fields += 1
            new = _put_value(field, value, options)
            if not _fits_tag(field.value, new.value):
                new_text = "nothing" if new.value is None else str(new.value)[:40]
                raise ReplacementError(f"{new_text} cannot stand where {field.value} does: it is of another type")
            return new

        def into_text(field: Traced, path_below: FieldPath, exact: bool) -> Traced:
            nonlocal fields, is_rewritten
            fields += 1
            # Delimiters are ignored inside a string (release 5.8).
            edited = edited_text(
                field, path_below, FieldEdit(lambda inner: _put_value(inner, value, {}), created), exact=exact
            )
            is_rewritten = is_rewritten or edited.is_rewritten
            return edited.text

        traced = edited_at(traced, split_path(path), FieldEdit(put_field, created, into_text))
        if not fields:
            raise ReplacementError(f"{resource.id.kind.kind} {resource.id.name} has no field {path}")
    return resource.with_body(traced)._replace(patches=(*resource.patches, value.place)), is_rewritten


def _put_value(field: Traced, value: Traced, options: Body) -> Traced:
    new = value.value
    delimiter = text(options.get("delimiter"))
    if delimiter:
        if isinstance(field.value, (dict, list)):
            raise ReplacementError("a delimiter is for plain values only")
        parts = text(field.value).split(delimiter)
        number = _index_option(options)
        if number < 0:
            parts.insert(0, text(new))
        elif number >= len(parts):
            parts.append(text(new))
        else:
            parts[number] = text(new)
        new = delimiter.join(parts)
        budget.spend(len(new) / budget.VALUES, "a replacement makes a string that is too long")
    elif isinstance(new, (dict, list)):
        budget.spend(expanded_size(new) / budget.VALUES, "a replacement copies too much")
    if isinstance(field.value, str) and not isinstance(new, (dict, list)):
        new = text(new)  # a string field stays a string
    elif not isinstance(field.value, (dict, list)) and isinstance(new, str):
        new = _resolve_scalar(new)
    return Traced(new, value.origin)


def _fits_tag(old: object, new: object) -> bool:
    """Whether a scalar may replace a number or boolean, whose YAML tag is kept (api/filters/replacement,
    setFieldValue). Decoding fails for another type, except an integer in place of a float."""
    if old is None or isinstance(old, (str, dict, list)) or isinstance(new, (dict, list)):
        return True
    return type(new) is type(old) or (type(old) is float and type(new) is int)


def _resolve_scalar(written: str) -> object:
    try:
        return plain[written]
    except UnreadableError:
        return written


def _index_option(options: Body) -> int:
    number = options.get("index", 0)
    return number if isinstance(number, int) else 0


# Replacements inside a string field that holds JSON or YAML (api/filters/replacement, setValueInStructuredData).
#
# JSON comes out as Kustomize writes it. For YAML Kustomize keeps comments and style; here it is written anew, with
# equal values.
class EditedText(NamedTuple):
    """A string after an edit of the JSON or YAML in it."""

    text: Traced
    is_rewritten: bool = False
    """Whether it was written anew: the values equal Kustomize's, the layout may differ."""


def edited_text(field: Traced, path: FieldPath, edit: FieldEdit, *, exact: bool) -> EditedText:
    """A string after editing the fields at a path inside it. Raises FieldPathError and SelectorError.

    Kustomize silently keeps the string if the path to it is not `exact`, or if a number would become a string.
    """
    written = str(field.value)
    loaded = load(written.encode("utf-8", "surrogatepass") + b"\n", merges_first=True)
    if not isinstance(loaded, Loaded):
        raise FieldPathError(f"the path continues at `{path[0]}`, below a string that is neither JSON nor YAML")
    pairs: list[tuple[object, object]] = []

    def put_inner(inner: Traced) -> Traced:
        new = edit.put(inner)
        pairs.append((inner.value, new.value))
        return new

    inside = Traced(loaded.value, field.place)
    if not isinstance(loaded.value, (dict, list)):
        raise FieldPathError(f"the path continues at `{path[0]}`, below a plain value")
    edited = edited_at(inside, path, FieldEdit(put_inner, edit.created), exact=exact)
    if not pairs:
        raise FieldPathError(f"there is no `{path[0]}` in the string")
    if not exact or any(_breaks_tag(old, new) for old, new in pairs):
        return EditedText(field)
    is_json = written.lstrip()[:1] in ("{", "[")
    try:
        new_text = _json_like(edited.value, written) if is_json else to_yaml(edited.value).strip()
    except GoError:
        return EditedText(field)
    return EditedText(Traced(new_text, field.origin), not is_json)


def _breaks_tag(old: object, new: object) -> bool:
    """Whether a string replaces a number or boolean, whose YAML tag would then be wrong."""
    plain = not isinstance(old, (str, dict, list))
    return plain and old is not None and isinstance(new, str)


def _json_like(value: object, written: str) -> str:
    return to_json(value, indent="  " if "\n" in written and "  " in written else "")
