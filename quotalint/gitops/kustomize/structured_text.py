"""JSON and YAML that stands as text in a field, edited by a replacement (api/filters/replacement,
setValueInStructuredData).

JSON comes out as Kustomize writes it. YAML keeps its comments and its style there; here it is written anew from its
values, so that it says the same and may look otherwise.
"""

from __future__ import annotations

from quotalint.gitops.go.encodings import to_json, to_yaml
from quotalint.gitops.go.values import GoError
from quotalint.gitops.kustomize.field_paths import FieldEdit, FieldPath, FieldPathError, edited_at
from quotalint.gitops.kustomize.traced import Traced
from quotalint.named_tuples import NamedTuple
from quotalint.text.loader import Loaded, load


class EditedText(NamedTuple):
    """A text in which a field was edited."""

    text: Traced
    is_rewritten: bool = False
    """It says what Kustomize makes of it, and may look otherwise."""


def edited_text(field: Traced, path: FieldPath, edit: FieldEdit, *, exact: bool) -> EditedText:
    """A text with the fields at a path in it edited. Raises FieldPathError and SelectorError.

    Where Kustomize finds the fields and cannot write the text, it leaves it as it is, without a word: where several
    ways lead to the text (`exact` is false), and where a number would become a word.
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
    if not exact or any(_is_odd(old, new) for old, new in pairs):
        return EditedText(field)
    is_json = written.lstrip()[:1] in ("{", "[")
    try:
        new_text = _json_like(edited.value, written) if is_json else to_yaml(edited.value).strip()
    except GoError:
        return EditedText(field)
    return EditedText(Traced(new_text, field.origin), not is_json)


def _is_odd(old: object, new: object) -> bool:
    """Whether a number, a boolean or null is given a text, which its tag in YAML then denies."""
    plain = not isinstance(old, (str, dict, list))
    return plain and old is not None and isinstance(new, str)


def _json_like(value: object, written: str) -> str:
    return to_json(value, indent="  " if "\n" in written and "  " in written else "")
