"""What objects deploy, worked out once for everything that decides it.

Not by the place of an object: substitution changes what an object says and not where it stands, and two clusters that
apply one path may each have a ConfigMap of their own for it.
"""

from __future__ import annotations

from quotalint.faults import attempt
from quotalint.gitops.context import Context, not_in_view
from quotalint.gitops.deployers import deployed_renderings
from quotalint.gitops.kustomize.problems import EXPENSIVE, MISSING, Problem
from quotalint.gitops.rendering import Rendering
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple

_Question = tuple[str, ...]
_Answer = tuple[Object, ...]


class _Entry(NamedTuple):
    """What an object deployed once."""

    body: object
    asked: tuple[tuple[_Question, _Answer], ...]
    """Everything that it looked up, and what it was told."""
    found: tuple[Rendering, ...]


class DeployerMemory:
    """Remembers what objects deploy by what they say, by where they are deployed from, and by each answer that they
    were given about other objects."""

    def __init__(self) -> None:
        self._entries: dict[object, list[_Entry]] = {}

    def deployed_renderings(self, obj: Object, context: Context) -> tuple[Rendering, ...]:
        """What an object deploys in these surroundings."""
        # A value of a namespace or a name is in the body as well.
        key = (obj.place, context.above, tuple(cluster.name for cluster in context.clusters))
        entries = self._entries.setdefault(key, [])
        for entry in entries:
            if entry.body == obj.body and all(
                _answer_of(context, obj, *question) == answer for question, answer in entry.asked
            ):
                return entry.found
        asked: dict[_Question, _Answer] = {}

        def instead(reason: str, is_expensive: bool) -> tuple[Rendering, ...]:
            unfollowed = not_in_view(obj, reason, "")
            problem = Problem(obj.place, f"{reason} ({obj.kind} {obj.name})", MISSING, cause=EXPENSIVE)
            return (unfollowed._replace(problems=(problem,)) if is_expensive else unfollowed,)

        listening = _listening_context(context, asked)
        renderings = attempt(
            "following", obj.place.real.source, lambda: tuple(deployed_renderings(obj, listening)), instead
        )
        entries.append(_Entry(obj.body, tuple(asked.items()), renderings))
        return renderings


def _answer_of(context: Context, obj: Object, *question: str) -> _Answer:
    if len(question) == 1:
        return tuple(context.nearest(obj, *question))
    kind, namespace, name = question
    target = context.find(obj, kind, namespace, name)
    return () if target is None else (target,)


def _listening_context(context: Context, asked: dict[_Question, _Answer]) -> Context:
    def find(obj: Object, kind: str, namespace: str, name: str) -> Object | None:
        target = context.find(obj, kind, namespace, name)
        asked[kind, namespace, name] = () if target is None else (target,)
        return target

    def nearest(obj: Object, kind: str) -> list[Object]:
        nearest_objects = context.nearest(obj, kind)
        asked[(kind,)] = tuple(nearest_objects)
        return nearest_objects

    return context._replace(find=find, nearest=nearest)
