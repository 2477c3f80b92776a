"""What objects deploy, worked out once for everything that decides it.

Not by the place of an object: substitution changes what an object says and not where it stands, and two clusters that
apply one path may each have a ConfigMap of their own for it.

What an object deploys follows from what it says, from what it asks about other objects, and from what it asks about
folders and files. All of that is noted with the answers. In a later look of an editor, or at the second state of a
difference, the same questions are asked again: as long as all answers are the same, what was deployed is what is
deployed now. Whoever listens to these questions hears them again, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

from quotalint.gitops.context import Context, Counts, not_in_view
from quotalint.gitops.deployers import deployed_renderings
from quotalint.gitops.kustomize.problems import EXPENSIVE, MISSING, Problem
from quotalint.gitops.rendering import Rendering
from quotalint.gitops.same_objects import with_objects_of
from quotalint.gitops.tree import Listing
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.faults import attempt
from quotalint.runtime.recall import are_same_items, memory_in_use

if TYPE_CHECKING:
    from quotalint.gitops.charts import Charts
    from quotalint.gitops.following import DeployedPart
    from quotalint.gitops.tree import Tree
    from quotalint.gitops.units import Units

_Question = tuple[Any, ...]
"""A kind and which of its objects count, or the kind, namespace and name of one."""
_Answer = tuple[Object, ...]

# All that is asked of these while objects are followed, and may be answered otherwise when files came, went, or hold
# something else.
_OF_UNITS = frozenset(
    (
        *("any_folder", "folders_below", "is_kustomization", "kustomization", "not_excluded", "overlay"),
        *("plain_files", "plain_folder"),
    )
)
_OF_TREE = frozenset(
    (
        *("canonical_name", "contains", "data", "files", "folders", "is_file", "is_folder", "kustomizations"),
        *("listing", "mentions", "other_spelling", "reading", "size"),
    )
)
_OF_CHARTS = frozenset(("is_chart", "render_chart"))


class _Looked(NamedTuple):
    """What was asked about folders and files, and what the answer was."""

    of: str
    """Who was asked: the `tree`, the `units` or the `charts`."""
    name: str
    arguments: tuple[Any, ...]
    answer: object


class _Entry:
    """What an object deployed once. A class because it may hold in further looks."""

    __slots__ = ("asked", "body", "lasts", "look", "looked", "renderings")

    def __init__(
        self,
        body: object,
        asked: tuple[tuple[_Question, _Answer], ...],
        looked: Sequence[_Looked],
        renderings: tuple[Rendering, ...],
        look: int,
        *,
        lasts: bool,
    ) -> None:
        self.body = body
        self.asked = asked
        """Everything that it looked up, and what it was told."""
        self.looked = looked
        self.renderings = renderings
        self.look = look
        """The last one in which it was found to hold."""
        self.lasts = lasts
        """Nothing decided it but what is noted here."""


class DeployerMemory:
    """Remembers what objects deploy by what they say, by where they are deployed from, and by each answer that they
    were given about other objects."""

    def __init__(self, *, listens: bool = False) -> None:
        """`listens`: what is asked about folders and files is noted as well, so that it can be asked in later looks."""
        self._entries: dict[object, list[_Entry]] = {}
        self._parts: dict[int, tuple[Rendering, tuple[DeployedPart, ...]]] = {}
        self._listens = listens
        self._look = 0

    def begin_look(self) -> None:
        """Files may hold something else now. What the last look did not ask for goes."""
        self._entries = {
            key: left
            for key, entries in self._entries.items()
            if (left := [entry for entry in entries if entry.look == self._look and entry.lasts])
        }
        self._look += 1

    def deployed_renderings(self, obj: Object, context: Context) -> tuple[Rendering, ...]:
        """What an object deploys in these surroundings."""
        # A value of a namespace or a name is in the body as well.
        key = (obj.place, context.above, tuple(cluster.name for cluster in context.clusters))
        entries = self._entries.setdefault(key, [])
        for entry in entries:
            if entry.look != self._look:
                if _still_holds(entry, obj, context):
                    entry.look = self._look
                    return entry.renderings
            elif entry.body == obj.body and all(
                _answer_of(context, obj, *question) == answer for question, answer in entry.asked
            ):
                return entry.renderings
        asked: dict[_Question, _Answer] = {}
        looked: list[_Looked] = []
        is_judged = True

        def instead(reason: str, is_expensive: bool) -> tuple[Rendering, ...]:
            nonlocal is_judged
            is_judged = False
            unfollowed = not_in_view(obj, reason, "")
            problem = Problem(obj.place, f"{reason} ({obj.kind} {obj.name})", MISSING, cause=EXPENSIVE)
            return (unfollowed._replace(problems=(problem,)) if is_expensive else unfollowed,)

        listening = _listening_context(context, asked)
        if self._listens:
            listening = _listening_to_files(listening, looked)
        renderings = attempt("following", obj.place.file, lambda: tuple(deployed_renderings(obj, listening)), instead)
        # Those of an ApplicationSet name their Applications.
        deployer = f"{obj.kind} {obj.name}"
        renderings = tuple(
            rendering if rendering.deployer else rendering._replace(deployer=deployer) for rendering in renderings
        )
        earlier = next((entry for entry in entries if entry.look != self._look), None)
        if earlier is not None and len(earlier.renderings) == len(renderings):
            # An object that is as it was answers the questions of others as before.
            renderings = tuple(map(with_objects_of, earlier.renderings, renderings))
        # Charts are rendered once more in each look.
        lasts = self._listens and is_judged and not any(question.name == "render_chart" for question in looked)
        entries.append(_Entry(obj.body, tuple(asked.items()), looked, renderings, self._look, lasts=lasts))
        return renderings

    def same_parts(self, own: Rendering, parts: tuple[DeployedPart, ...]) -> tuple[DeployedPart, ...]:
        """What is deployed from a rendering: the very same value as in the look before, where nothing has changed."""
        if not self._listens:
            return parts
        earlier = self._parts.get(id(own))
        if earlier is not None and earlier[0] is own and _are_same_parts(earlier[1], parts):
            return earlier[1]
        if len(self._parts) > _MOST_ROOTS:
            self._parts.clear()
        self._parts[id(own)] = own, parts
        return parts


_MOST_ROOTS = 1000


class _Kept:
    """The memory of the looks at one tree. A class because the next tree has another one."""

    def __init__(self) -> None:
        self.tree: Tree | None = None
        self.deployers = DeployerMemory()


def memory_of_deployers(tree: Tree) -> DeployerMemory:
    """What is remembered of earlier looks at the same repository, as a look at it begins; else an empty memory."""
    memory = memory_in_use()
    if memory is None:
        return DeployerMemory()
    lasting = memory.lasting("deployers", _Kept)
    if lasting.tree is None or lasting.tree not in (tree, tree.earlier):
        lasting.deployers = DeployerMemory(listens=True)
    lasting.tree = tree
    lasting.deployers.begin_look()
    return lasting.deployers


def _are_same_parts(before: Sequence[DeployedPart], now: Sequence[DeployedPart]) -> bool:
    return are_same_items([part.rendering for part in before], [part.rendering for part in now]) and all(
        old[1:] == new[1:] for old, new in zip(before, now, strict=True)
    )


def _still_holds(entry: _Entry, obj: Object, context: Context) -> bool:
    """Whether what an object deployed in an earlier look is what it deploys now. As each answer is what it was, up to
    the next question, that is asked once more as well: nobody hears of a question that is asked here alone."""
    return (
        entry.body is obj.body
        and all(are_same_items(_answer_of(context, obj, *question), answer) for question, answer in entry.asked)
        and all(_is_answered_alike(question, context) for question in entry.looked)
    )


def _is_answered_alike(question: _Looked, context: Context) -> bool:
    asked: object = context.units.tree if question.of == "tree" else getattr(context, question.of)
    answer = getattr(asked, question.name)(*question.arguments)
    # Not values of YAML: to Python 1 is True.
    is_plain = isinstance(answer, (bytes, int, list, str, Listing)) or type(answer) is tuple
    return answer is question.answer or (is_plain and answer == question.answer)


def _answer_of(context: Context, obj: Object, *question: Any) -> _Answer:
    if len(question) == 2:
        return tuple(context.nearest(obj, *question))
    kind, namespace, name = question
    target = context.find(obj, kind, namespace, name)
    return () if target is None else (target,)


def _listening_context(context: Context, asked: dict[_Question, _Answer]) -> Context:
    def find(obj: Object, kind: str, namespace: str, name: str) -> Object | None:
        target = context.find(obj, kind, namespace, name)
        asked[kind, namespace, name] = () if target is None else (target,)
        return target

    def nearest(obj: Object, kind: str, counts: Counts) -> Sequence[Object]:
        nearest_objects = context.nearest(obj, kind, counts)
        asked[kind, counts] = tuple(nearest_objects)
        return nearest_objects

    return context._replace(find=find, nearest=nearest)


def _listening_to_files(context: Context, looked: list[_Looked]) -> Context:
    tree = _Listened("tree", context.units.tree, _OF_TREE, looked)
    units = _Listened("units", context.units, _OF_UNITS, looked, tree=tree)
    charts = _Listened("charts", context.charts, _OF_CHARTS, looked)
    return context._replace(units=cast("Units", units), charts=cast("Charts", charts))


class _Listened:
    """Answers as another one does, and notes what it is asked. A class because it stands for any other."""

    def __init__(self, of: str, other: object, names: frozenset[str], looked: list[_Looked], **instead: object) -> None:
        """`names`: which questions are noted; `instead` is what it has in place of the other one's."""
        self._other = other
        self._names = names
        self._looked = looked
        self._of = of
        self.__dict__.update(instead)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._other, name)
        return self._noting(name, value) if name in self._names else value

    def _noting(self, name: str, ask: Callable[..., object]) -> Callable[..., object]:
        def noted(*arguments: object) -> object:
            given = tuple(tuple(argument) if isinstance(argument, Iterator) else argument for argument in arguments)
            answer = ask(*given)
            self._looked.append(_Looked(self._of, name, given, answer))
            return answer

        return noted
