"""Caches what objects deploy, keyed by everything that decides it.

An object's place is not enough: substitution changes content, not place, and two clusters may apply one path with
different ConfigMaps.

The result depends on the object, on lookups of other objects, and on queries about folders and files. All these are
recorded with their answers. In a later look of an editor, or for the other revision of a diff, the queries are
repeated. If all answers are equal, the cached result holds. Repeated queries are recorded again, for results that use
this one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

from quotalint.gitops.deployer import Context, not_in_view
from quotalint.gitops.deployers import render_deployed
from quotalint.gitops.object_index import Predicate
from quotalint.gitops.rendering import Rendering
from quotalint.gitops.same_objects import with_objects_of
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.runtime.faults import attempt
from quotalint.runtime.recall import are_same_items, memory_in_use
from quotalint.text.tree import Listing
from quotalint.unknowns.problems import EXPENSIVE, MISSING, Problem

if TYPE_CHECKING:
    from quotalint.gitops.charts import Charts
    from quotalint.gitops.folders import Folders
    from quotalint.text.tree import Tree

_Question = tuple[Any, ...]
"""(kind, predicate) of `nearest`, or (kind, namespace, name) of `find`."""
_Answer = tuple[Object, ...]

# The queries whose answers may change when files are added, removed or edited.
_FOLDERS_QUERIES = frozenset(
    (
        *("any_folder", "folders_below", "is_kustomization", "kustomization", "not_excluded", "overlay"),
        *("plain_files", "plain_folder"),
    )
)
_TREE_QUERIES = frozenset(
    (
        *("canonical_name", "contains", "data", "files", "folders", "is_file", "is_folder", "kustomizations"),
        *("listing", "mentions", "other_spelling", "reading", "size"),
    )
)
_CHARTS_QUERIES = frozenset(("is_chart", "render_chart"))


class _FileQuery(NamedTuple):
    """A query about folders and files, with its answer."""

    of: str
    """The queried part of the context: `tree`, `folders` or `charts`."""
    name: str
    arguments: tuple[Any, ...]
    answer: object


class _Entry:
    """A cached result of one object. It is a mutable class because it may stay valid in later looks."""

    __slots__ = ("asked", "body", "lasts", "look", "looked", "renderings")

    def __init__(
        self,
        body: object,
        asked: tuple[tuple[_Question, _Answer], ...],
        looked: Sequence[_FileQuery],
        renderings: tuple[Rendering, ...],
        look: int,
        *,
        lasts: bool,
    ) -> None:
        self.body = body
        self.asked = asked
        """All lookups of other objects, with their answers."""
        self.looked = looked
        self.renderings = renderings
        self.look = look
        """The last look in which it was valid."""
        self.lasts = lasts
        """Whether it depends only on what is recorded here."""


class DeployerMemory:
    """Caches what objects deploy by their content, source, and lookups of other objects."""

    def __init__(self, *, records_reads: bool = False) -> None:
        """`records_reads`: queries about folders and files are recorded too, to be repeated in later looks."""
        self._entries: dict[object, list[_Entry]] = {}
        self._records_reads = records_reads
        self._look = 0

    def begin_look(self) -> None:
        """Start a new look after files may have changed. Entries not used in the last look are dropped."""
        self._entries = {
            key: left
            for key, entries in self._entries.items()
            if (left := [entry for entry in entries if entry.look == self._look and entry.lasts])
        }
        self._look += 1

    def deployed_renderings(self, obj: Object, context: Context) -> tuple[Rendering, ...]:
        """The renderings that an object deploys in a context."""
        # The body also contains name and namespace.
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
        looked: list[_FileQuery] = []
        is_judged = True

        def instead(reason: str, is_expensive: bool) -> tuple[Rendering, ...]:
            nonlocal is_judged
            is_judged = False
            unfollowed = not_in_view(obj, reason, "")
            problem = Problem(obj.place, f"{reason} ({obj.kind} {obj.name})", MISSING, cause=EXPENSIVE)
            return (unfollowed._replace(problems=(problem,)) if is_expensive else unfollowed,)

        recorder = _recording_context(context, asked)
        if self._records_reads:
            recorder = _recording_files(recorder, looked)
        renderings = attempt("following", obj.place.file, lambda: tuple(render_deployed(obj, recorder)), instead)
        # An ApplicationSet's renderings already name their Applications.
        deployer = f"{obj.kind} {obj.name}"
        renderings = tuple(
            rendering if rendering.deployer else rendering._replace(deployer=deployer) for rendering in renderings
        )
        earlier = next((entry for entry in entries if entry.look != self._look), None)
        if earlier is not None and len(earlier.renderings) == len(renderings):
            # Reuse unchanged objects, so that later lookups return identical objects.
            renderings = tuple(map(with_objects_of, earlier.renderings, renderings))
        # Charts are rendered again in each look.
        lasts = self._records_reads and is_judged and not any(question.name == "render_chart" for question in looked)
        entries.append(_Entry(obj.body, tuple(asked.items()), looked, renderings, self._look, lasts=lasts))
        return renderings


class _LastingMemory:
    """The DeployerMemory of the last look, and the tree to which it belongs."""

    def __init__(self) -> None:
        self.tree: Tree | None = None
        self.deployers = DeployerMemory()


def memory_of_deployers(tree: Tree) -> DeployerMemory:
    """The cache of earlier looks at the same repository, with a new look begun; an empty one if there is none."""
    memory = memory_in_use()
    if memory is None:
        return DeployerMemory()
    lasting = memory.lasting("deployers", _LastingMemory)
    if lasting.tree is None or lasting.tree not in (tree, tree.earlier):
        lasting.deployers = DeployerMemory(records_reads=True)
    lasting.tree = tree
    lasting.deployers.begin_look()
    return lasting.deployers


def _still_holds(entry: _Entry, obj: Object, context: Context) -> bool:
    """Whether an entry of an earlier look is still valid. Queries are repeated in their recorded order and stop at the
    first different answer, so no query is recorded that would not be made."""
    return (
        entry.body is obj.body
        and all(are_same_items(_answer_of(context, obj, *question), answer) for question, answer in entry.asked)
        and all(_is_answered_alike(question, context) for question in entry.looked)
    )


def _is_answered_alike(question: _FileQuery, context: Context) -> bool:
    asked: object = context.folders.tree if question.of == "tree" else getattr(context, question.of)
    answer = getattr(asked, question.name)(*question.arguments)
    # Python compares YAML values loosely: 1 == True.
    is_plain = isinstance(answer, (bytes, int, list, str, Listing)) or type(answer) is tuple
    return answer is question.answer or (is_plain and answer == question.answer)


def _answer_of(context: Context, obj: Object, *question: Any) -> _Answer:
    if len(question) == 2:
        return tuple(context.nearest(obj, *question))
    kind, namespace, name = question
    target = context.find(obj, kind, namespace, name)
    return () if target is None else (target,)


def _recording_context(context: Context, asked: dict[_Question, _Answer]) -> Context:
    def find(obj: Object, kind: str, namespace: str, name: str) -> Object | None:
        target = context.find(obj, kind, namespace, name)
        asked[kind, namespace, name] = () if target is None else (target,)
        return target

    def nearest(obj: Object, kind: str, predicate: Predicate) -> Sequence[Object]:
        nearest_objects = context.nearest(obj, kind, predicate)
        asked[kind, predicate] = tuple(nearest_objects)
        return nearest_objects

    return context._replace(find=find, nearest=nearest)


def _recording_files(context: Context, looked: list[_FileQuery]) -> Context:
    tree = _RecordingProxy("tree", context.folders.tree, _TREE_QUERIES, looked)
    folders = _RecordingProxy("folders", context.folders, _FOLDERS_QUERIES, looked, tree=tree)
    charts = _RecordingProxy("charts", context.charts, _CHARTS_QUERIES, looked)
    return context._replace(folders=cast("Folders", folders), charts=cast("Charts", charts))


class _RecordingProxy:
    """Wraps an object and records the queries made to it."""

    def __init__(
        self, of: str, other: object, names: frozenset[str], looked: list[_FileQuery], **instead: object
    ) -> None:
        """`names` are the recorded queries; `instead` replaces attributes of the wrapped object."""
        self._other = other
        self._names = names
        self._looked = looked
        self._of = of
        self.__dict__.update(instead)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._other, name)
        return self._recorded(name, value) if name in self._names else value

    def _recorded(self, name: str, ask: Callable[..., object]) -> Callable[..., object]:
        def noted(*arguments: object) -> object:
            given = tuple(tuple(argument) if isinstance(argument, Iterator) else argument for argument in arguments)
            answer = ask(*given)
            self._looked.append(_FileQuery(self._of, name, given, answer))
            return answer

        return noted
