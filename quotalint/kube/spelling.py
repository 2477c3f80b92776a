"""What was probably meant by a misspelt name or amount, and which corrections are certain."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from quotalint.kube import kinds
from quotalint.kube.discovery import KNOWN, MISSING, Discovery, resolve
from quotalint.kube.resources import STANDARD_QUOTA, is_device, is_extended_quota, quota_name_errors

_SIDES = {"limit": "limits", "limits": "limits", "request": "requests", "requests": "requests"}
_COMPUTE = ("cpu", "memory", "storage", "ephemeral-storage")


def most_similar(word: str, candidates: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The candidate with the most similar spelling; None if none is similar enough (`cutoff`, 0 to 1)."""
    import difflib

    candidates = sorted(candidates)
    folded = {candidate.lower(): candidate for candidate in candidates}
    if word.lower() in folded:
        return folded[word.lower()]
    close = difflib.get_close_matches(word.lower(), folded, 1, cutoff)
    return folded[close[0]] if close else None


def is_typing_error(written: str, meant: str) -> bool:
    """Whether one name may be a typing error for the other: one letter added, missing or replaced, or two letters
    swapped. Different digits, and short names such as those of stages, are no typing errors."""
    if written == meant or min(len(written), len(meant)) < 4 or abs(len(written) - len(meant)) > 1:
        return False
    start = next(
        (
            at
            for at, (written_letter, meant_letter) in enumerate(zip(written, meant, strict=False))
            if written_letter != meant_letter
        ),
        None,
    )
    if start is None:
        changed = (written + meant)[-1]
    else:
        written_rest, meant_rest = written[start:], meant[start:]
        swapped = written_rest[:2] == meant_rest[1::-1] and written_rest[2:] == meant_rest[2:] and len(meant_rest) > 1
        if not (
            swapped
            or written_rest[1:] == meant_rest
            or written_rest == meant_rest[1:]
            or written_rest[1:] == meant_rest[1:]
        ):
            return False
        changed = written_rest[:1] + meant_rest[:1]
    return not any(letter.isdigit() for letter in changed)


def resource(name: str) -> str | None:
    """The name of `hard` that was probably meant by a name that the API server refuses."""
    suggestion = _meant_resource(name.strip())
    return suggestion if suggestion and suggestion != name and not quota_name_errors(suggestion) else None


def flat_entries(name: str, inner: Mapping[str, object]) -> list[str]:
    """The entries of `hard` that were meant by a nested mapping: `limits: {cpu: 2}` → `limits.cpu: 2`. Empty if one of
    them is unclear."""
    entries = []
    for word, written in inner.items():
        # Devices are counted under one name for requests and limits.
        nested = f"requests.{word}" if name in _SIDES and is_device(word) else f"{name}.{word}"
        meant = resource(nested) if quota_name_errors(nested) else nested
        if meant is None or isinstance(written, bool) or not isinstance(written, (str, int, float)):
            return []
        entries.append(f"`{meant}: {written}`")
    return entries


_IN_A_CLASS = r"[^.]+\.[a-z]+classes\..+"
"""`gold.volumesnapshotclasses.snapshot.storage.k8s.io`: Kubernetes counts by class only for storage classes."""


def tracked_resource(name: str, discovery: Discovery) -> str | None:
    """The enforced name for a qualified name that is accepted but never counted."""
    prefix, _, last = name.partition("/")
    if prefix.endswith("alpha.kubernetes.io"):
        return "requests.nvidia.com/gpu" if "gpu" in last else None
    if ".storageclass.storage.k8s.io" in prefix:
        return f"{prefix}/{most_similar(last, ('requests.storage', 'persistentvolumeclaims')) or 'requests.storage'}"
    storage_class, is_storage, _ = prefix.partition(".storage.k8s.io")
    if is_storage and last in ("requests.storage", "persistentvolumeclaims"):
        return f"{storage_class}.storageclass.storage.k8s.io/{last}" if storage_class != "storageclass" else None
    if "deviceclass" in prefix and last != "devices":
        return f"{prefix}/devices" if prefix.endswith(".deviceclass.resource.k8s.io") else None
    side, dot, bare = prefix.partition(".")
    if dot and side in _SIDES:
        return f"count/{last}" if bare == "count" else f"requests.{bare}/{last}"
    if prefix in ("limits.count", "requests.count"):
        return f"count/{last}"
    if last in STANDARD_QUOTA or re.fullmatch(_IN_A_CLASS, prefix):
        return None
    if (prefix, last) in discovery.by_plural or kinds.by_plural(prefix, last) or re.fullmatch("[a-z]{5,}s", last):
        return f"count/{last}.{prefix}"
    return f"requests.{name}" if "kubernetes.io" not in prefix else None


def object_count(name: str, discovery: Discovery) -> str | None:
    """The entry that was meant for a `count/` name without a resource: `count/…`, or a standard entry such as
    `services.nodeports`. `name` is the part after `count/`."""
    suggestion = kinds.suggest_count(name)
    if suggestion:
        # A name that this release does not count either is no help.
        return suggestion if resolve(discovery, suggestion.removeprefix("count/")) != MISSING else None
    if name.lower() in STANDARD_QUOTA:
        return name.lower()
    plural, _, group = name.partition(".")
    custom = [kind for kind in discovery.by_plural.values() if kind.namespaced]
    near = most_similar(plural, (kind.plural for kind in custom if kind.group == group), 0.85)
    for kind in custom:
        is_named = group in ("", kind.group) and plural.lower() in kind.other_names.split()
        is_alike = plural.lower() in (kind.plural, kind.kind.lower()) or (kind.plural, kind.group) == (near, group)
        if is_named or is_alike:
            return f"count/{kind.plural}.{kind.group}"
    from quotalint.kube.custom_resources import meant_plural

    well_known = meant_plural(group, plural.lower())
    if well_known:
        return f"count/{well_known}"
    lower = name.lower()
    return f"count/{lower}" if lower != name and resolve(discovery, lower) != MISSING else None


def amount(written: str) -> str | None:
    """The quantity that was meant by an invalid one: `4Gb` → `4G`, `500 m` → `500m`, `4GI` → `4Gi`."""
    match = re.fullmatch(_AMOUNT, written)
    if match is None:
        return None
    sign, whole, fraction, unit = match.groups()
    number = sign + re.sub("[_,]", "", whole) + (f".{fraction}" if fraction else "")
    cores = "" if re.fullmatch("v?cpus?|cores?", unit.lower()) else None
    suffix = "m" if unit == "m" else _UNITS.get(unit.lower(), cores)
    return None if suffix is None or number + suffix == written else number + suffix


# Groups of three digits first, so three digits after the only comma are thousands. `\d` would match digits of any
# script.
_AMOUNT = r"\s*([+-]?)([0-9]{1,3}(?:[_,][0-9]{3})+|[0-9]+)(?:[.,]([0-9]{1,2}|[0-9]{4,}))?\s*([A-Za-z]*)\s*"

_UNITS = {
    "": "",
    "b": "",
    "millicores": "m",
    "mcpu": "m",
    **{unit: letter for letter in "kMGTPE" for unit in (letter.lower(), letter.lower() + "b")},
    **{unit: letter + "i" for letter in "KMGTPE" for unit in (letter.lower() + "i", letter.lower() + "ib")},
}


def _meant_resource(name: str) -> str | None:
    if name.startswith(("count.", "counts/")):
        counted_word = name[6:].lstrip("/")
        return kinds.suggest_count(counted_word) or f"count/{counted_word}"
    parts = name.lower().replace("_", ".").split(".")
    if claimed := re.fullmatch(r"(?:requests?\.)?storageclass\.(.+)", name):
        return f"{claimed[1]}.storageclass.storage.k8s.io/requests.storage"
    for part in parts:
        if part in _SIDES and len(parts) == 2:
            other = parts[1 - parts.index(part)]
            meant = most_similar(other, _COMPUTE, 0.75)
            if meant == "storage":
                return "requests.storage"
            if meant:
                return f"{_SIDES[part]}.{meant}"
            if other in ("gpu", "gpus"):
                return "requests.nvidia.com/gpu"
    if name.lower() in _SIDES:
        return None  # half a name; `limits` as the short name of LimitRanges is not meant
    if name.lower() in ("storage", "disk"):
        return "requests.storage"
    if name.lower() in ("gpu", "gpus"):
        return "requests.nvidia.com/gpu"
    if name.startswith("limits.hugepages-"):
        return "requests." + name[len("limits.") :]
    for spelled in (name.lower(), name.lower() + "s"):
        if spelled in STANDARD_QUOTA:
            return spelled
    if "/" in name:
        return _meant_by_slashed(name[len("count/") :]) if name.startswith("count/") else None
    plural, _, group = name.partition(".")
    if _is_counted(group, plural):
        return f"count/{name}"
    counted = kinds.suggest_count(name)
    if counted and not kinds.is_countable(plural.lower()) and counted.removeprefix("count/") in STANDARD_QUOTA:
        return counted.removeprefix("count/")  # a misspelling is no reason to change the form too
    return counted or _standard_name(name)


def _meant_by_slashed(counted: str) -> str | None:
    """The name meant by a `count/` name with a second slash: a version is dropped, a group moves behind the plural."""
    words = [word for word in counted.split("/") if not re.fullmatch(r"v[0-9]+((alpha|beta)[0-9]+)?", word)]
    if len(words) == 1:
        return kinds.suggest_count(words[0]) or f"count/{words[0]}"
    if len(words) != 2:
        return None
    for group, plural in (words, words[::-1]):
        if _is_counted(group, plural):
            return f"count/{plural}.{group}"
    return f"requests.{counted}" if "." in words[0] else None


def _is_counted(group: str, plural: str) -> bool:
    kind = kinds.by_plural(group, plural)
    return kind is not None and kind.namespaced


def _standard_name(name: str) -> str | None:
    """The standard name with a similar spelling; requests stay requests, limits stay limits."""
    side, _, resource_name = name.partition(".")
    if side.lower() not in _SIDES:
        return most_similar(name, STANDARD_QUOTA, 0.7)
    form = f"{_SIDES[side.lower()]}."
    sided = {standard.removeprefix(form) for standard in STANDARD_QUOTA if standard.startswith(form)}
    if near := most_similar(resource_name, sided):
        return form + near
    return most_similar(resource_name, (standard for standard in STANDARD_QUOTA if "." not in standard), 0.7)


def certain_name(name: str, discovery: Discovery) -> str | None:
    """The only name of `hard` that can be meant by a refused or never enforced name; None if it is not certain."""
    if quota_name_errors(name):
        suggested, meant = resource(name), _meant_by_refused(name.strip())
    elif name.startswith("count/"):
        suggested, meant = (
            object_count(name[len("count/") :], discovery),
            _meant_by_count(name[len("count/") :], discovery),
        )
    else:
        suggested, meant = tracked_resource(name, discovery), _meant_by_qualified(name, discovery)
    return meant if meant == suggested and meant is not None and _is_enforced(meant, discovery) else None


def certain_scope(written: str, scopes: frozenset[str]) -> str | None:
    """The scope that was meant, if only capitals or separators differ."""
    return next(
        (scope for scope in sorted(scopes) if scope != written and scope.lower() == _letters_only(written)), None
    )


def _letters_only(written: str) -> str:
    return re.sub(r"[-_\s]", "", written).lower()


def _is_enforced(name: str, discovery: Discovery) -> bool:
    if name.startswith("count/"):
        return resolve(discovery, name[len("count/") :]) == KNOWN
    return name in STANDARD_QUOTA or name.startswith("requests.hugepages-") or is_extended_quota(name)


_RESOURCES = ("cpu", "memory", "ephemeral-storage")


def _meant_by_refused(name: str) -> str | None:
    """The certain meaning of a refused name: without a slash, or with too many."""
    lower = name.lower()
    words = lower.replace("_", ".").split(".")
    for side, other in (words, words[::-1]) if len(words) == 2 else ():
        if side in _SIDES and (other in _RESOURCES or (other, _SIDES[side]) == ("storage", "requests")):
            return f"{_SIDES[side]}.{other}"
    if name.startswith("limits.hugepages-"):
        return "requests." + name[len("limits.") :]  # huge pages are never overcommitted: request and limit are equal
    for spelled in (lower, lower + "s"):
        if spelled in STANDARD_QUOTA:
            return spelled
    if name.startswith(("count.", "counts/")):
        counted_word = name[6:].lstrip("/")
        return f"count/{counted_word}" if _is_namespaced(counted_word) else _meant_by_word(counted_word)
    return f"count/{name}" if _is_namespaced(name) else _meant_by_word(name)


def _meant_by_count(name: str, discovery: Discovery) -> str | None:
    """The certain meaning of the part after `count/`."""
    plural, _, group = name.partition(".")
    custom = {
        f"count/{kind.plural}.{kind.group}"
        for kind in discovery.by_plural.values()
        if plural.lower() in (kind.plural, kind.kind.lower()) and group in ("", kind.group)
    }
    own_kind = custom.pop() if len(custom) == 1 else None
    return _meant_by_word(name) or own_kind or (name.lower() if name.lower() in STANDARD_QUOTA else None)


def _meant_by_qualified(name: str, discovery: Discovery) -> str | None:
    """The certain meaning of a name with a slash."""
    prefix, _, last = name.partition("/")
    if name in ("alpha.kubernetes.io/nvidia-gpu", "requests.alpha.kubernetes.io/nvidia-gpu"):
        return "requests.nvidia.com/gpu"
    side, dot, vendor = prefix.partition(".")
    if dot and side in _SIDES:
        return f"requests.{vendor}/{last}" if "." in vendor else f"count/{last}" if vendor == "count" else None
    if (prefix, last) in discovery.by_plural or kinds.by_plural(prefix, last):
        return f"count/{last}.{prefix}"
    return f"requests.{name}" if "." in prefix else None


def _meant_by_word(name: str) -> str | None:
    """The object count for a plural, singular or short name; similar words do not count."""
    return kinds.suggest_count(name) if kinds.is_countable(name.partition(".")[0].lower()) else None


def _is_namespaced(name: str) -> bool:
    plural, _, group = name.partition(".")
    kind = kinds.by_plural(group, plural)
    return kind is not None and kind.namespaced
