"""What a developer probably meant to write, and of that what leaves no choice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from quotalint.kube import kinds
from quotalint.kube.discovery import KNOWN, MISSING, Discovery, resolve
from quotalint.kube.resources import STANDARD_QUOTA, is_device, is_extended_quota, quota_name_errors

_SIDES = {"limit": "limits", "limits": "limits", "request": "requests", "requests": "requests"}
_COMPUTE = ("cpu", "memory", "storage", "ephemeral-storage")


def nearest(word: str, candidates: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The candidate that is spelled most like the word."""
    import difflib

    candidates = sorted(candidates)
    folded = {candidate.lower(): candidate for candidate in candidates}
    if word.lower() in folded:
        return folded[word.lower()]
    close = difflib.get_close_matches(word.lower(), folded, 1, cutoff)
    return folded[close[0]] if close else None


def is_slip(written: str, meant: str) -> bool:
    """Whether one name may be the other after a slip of the pen: a letter too many, too few, another, or two that have
    changed places. Numbers, and the short words that tell stages apart, are not mistyped for each other."""
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
    """The name of `hard` that was meant by one that the API server refuses."""
    suggestion = _meant_resource(name.strip())
    return suggestion if suggestion and suggestion != name and not quota_name_errors(suggestion) else None


def flat_entries(name: str, inner: Mapping[str, object]) -> list[str]:
    """The entries of `hard` that were meant by a mapping in it: `limits: {cpu: 2}` → `limits.cpu: 2`. None of them
    where one stays a riddle."""
    entries = []
    for word, written in inner.items():
        # Devices are counted under one name, whatever a container calls its request and its limit.
        nested = f"requests.{word}" if name in _SIDES and is_device(word) else f"{name}.{word}"
        meant = resource(nested) if quota_name_errors(nested) else nested
        if meant is None or isinstance(written, bool) or not isinstance(written, (str, int, float)):
            return []
        entries.append(f"`{meant}: {written}`")
    return entries


_IN_A_CLASS = r"[^.]+\.[a-z]+classes\..+"
"""`gold.volumesnapshotclasses.snapshot.storage.k8s.io`: Kubernetes counts by class only what has a storage class."""


def tracked_resource(name: str, discovery: Discovery) -> str | None:
    """The name that is enforced, for a qualified one that is accepted and never counted."""
    prefix, _, last = name.partition("/")
    if prefix.endswith("alpha.kubernetes.io"):
        return "requests.nvidia.com/gpu" if "gpu" in last else None
    if ".storageclass.storage.k8s.io" in prefix:
        return f"{prefix}/{nearest(last, ('requests.storage', 'persistentvolumeclaims')) or 'requests.storage'}"
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
    """The entry that was meant, a `count/…` or one that counts by itself (`services.nodeports`), for the part after
    `count/` of one that names no resource."""
    suggestion = kinds.suggest_count(name)
    if suggestion:
        # Nothing is gained by another name that this release does not count either.
        return suggestion if resolve(discovery, suggestion.removeprefix("count/")) != MISSING else None
    if name.lower() in STANDARD_QUOTA:
        return name.lower()
    plural, _, group = name.partition(".")
    custom = [kind for kind in discovery.by_plural.values() if kind.namespaced]
    near = nearest(plural, (kind.plural for kind in custom if kind.group == group), 0.85)
    for kind in custom:
        is_named = group in ("", kind.group) and plural.lower() in kind.other_names.split()
        is_alike = plural.lower() in (kind.plural, kind.kind.lower()) or (kind.plural, kind.group) == (near, group)
        if is_named or is_alike:
            return f"count/{kind.plural}.{kind.group}"
    return None


def amount(written: str) -> str | None:
    """The quantity that was meant by one that cannot be parsed: `4Gb` → `4G`, `500 m` → `500m`, `4GI` → `4Gi`."""
    match = re.fullmatch(_AMOUNT, written)
    if match is None:
        return None
    sign, whole, fraction, unit = match.groups()
    number = sign + re.sub("[_,]", "", whole) + (f".{fraction}" if fraction else "")
    cores = "" if re.fullmatch("v?cpus?|cores?", unit.lower()) else None
    suffix = "m" if unit == "m" else _UNITS.get(unit.lower(), cores)
    return None if suffix is None or number + suffix == written else number + suffix


# Groups of three digits first; so three digits behind the only comma are thousands. `\d` would take any script's.
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
            meant = nearest(other, _COMPUTE, 0.75)
            if meant == "storage":
                return "requests.storage"
            if meant:
                return f"{_SIDES[part]}.{meant}"
            if other in ("gpu", "gpus"):
                return "requests.nvidia.com/gpu"
    if name.lower() in _SIDES:
        return None  # half a name; that `limits` is short for LimitRanges is not what anybody had in mind
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
        return counted.removeprefix("count/")  # a slip is no reason to change the form as well
    return counted or _standard_name(name)


def _meant_by_slashed(counted: str) -> str | None:
    """What follows `count/` and has a slash itself: a version is too many, a group stands before the plural."""
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
    """The standard name that is near; requests stay requests, limits stay limits."""
    side, _, resource_name = name.partition(".")
    if side.lower() not in _SIDES:
        return nearest(name, STANDARD_QUOTA, 0.7)
    form = f"{_SIDES[side.lower()]}."
    sided = {standard.removeprefix(form) for standard in STANDARD_QUOTA if standard.startswith(form)}
    if near := nearest(resource_name, sided):
        return form + near
    return nearest(resource_name, (standard for standard in STANDARD_QUOTA if "." not in standard), 0.7)


def certain_name(name: str, discovery: Discovery) -> str | None:
    """The name of `hard` that one which is refused, or never enforced, can only have meant."""
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
    """The scope that was meant, written with other capitals or with signs between its words."""
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
    """Of a name without a slash, or with too many."""
    lower = name.lower()
    words = lower.replace("_", ".").split(".")
    for side, other in (words, words[::-1]) if len(words) == 2 else ():
        if side in _SIDES and (other in _RESOURCES or (other, _SIDES[side]) == ("storage", "requests")):
            return f"{_SIDES[side]}.{other}"
    if name.startswith("limits.hugepages-"):
        return "requests." + name[len("limits.") :]  # huge pages are never overcommitted: both are one number
    for spelled in (lower, lower + "s"):
        if spelled in STANDARD_QUOTA:
            return spelled
    if name.startswith(("count.", "counts/")):
        counted_word = name[6:].lstrip("/")
        return f"count/{counted_word}" if _is_namespaced(counted_word) else _meant_by_word(counted_word)
    return f"count/{name}" if _is_namespaced(name) else _meant_by_word(name)


def _meant_by_count(name: str, discovery: Discovery) -> str | None:
    """Of what follows `count/`."""
    plural, _, group = name.partition(".")
    custom = {
        f"count/{kind.plural}.{kind.group}"
        for kind in discovery.by_plural.values()
        if plural.lower() in (kind.plural, kind.kind.lower()) and group in ("", kind.group)
    }
    own_kind = custom.pop() if len(custom) == 1 else None
    return _meant_by_word(name) or own_kind or (name.lower() if name.lower() in STANDARD_QUOTA else None)


def _meant_by_qualified(name: str, discovery: Discovery) -> str | None:
    """Of a name with a slash."""
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
    """The object count of a plural, a singular or a short name, not of one that merely resembles them."""
    return kinds.suggest_count(name) if kinds.is_countable(name.partition(".")[0].lower()) else None


def _is_namespaced(name: str) -> bool:
    plural, _, group = name.partition(".")
    kind = kinds.by_plural(group, plural)
    return kind is not None and kind.namespaced
