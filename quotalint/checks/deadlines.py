"""What repairs a Job whose deadline its pods do not have."""

from __future__ import annotations

from quotalint.fixes.fix import Add, Fix
from quotalint.kube.fields import dig, integer
from quotalint.kube.objects import Object
from quotalint.text.place import Path


def deadline_fix(obj: Object, path: Path) -> Fix | None:
    """The deadline of the Job at a path of an object, given to its pods too."""
    seconds = integer(dig(obj.body, *path, "activeDeadlineSeconds"))
    below = (*path, "template", "spec")
    if seconds is None or not isinstance(dig(obj.body, *below), dict):
        return None
    place = obj.at(*below)
    words = f"write `activeDeadlineSeconds: {seconds}` in {'.'.join(map(str, below))} too"
    # It changes a field that the API server never lets change, and makes pods count that did not.
    fix = Fix((Add(place, "activeDeadlineSeconds", seconds),), safe=False, words=words)
    written = obj.at(*path, "activeDeadlineSeconds").real
    if written[:2] != place.real[:2]:
        # In the base it would be true of whatever else is built on it.
        return fix._replace(obstacle=f"the deadline comes from {written.source}, and the pods from another document")
    return fix
