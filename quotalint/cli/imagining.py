"""`what-if`: compares the repository as it is with the repository after edits; nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeVar

from quotalint.accounts.facts import Facts
from quotalint.accounts.quota_table import quota_tables, without_lines
from quotalint.cli import printing
from quotalint.cli.actions import deliver_reports, exit_status, result_of
from quotalint.cli.comparing import Difference, difference_formats, explained_difference
from quotalint.cli.request import CannotRun, Request
from quotalint.cli.suggesting import run_remembering
from quotalint.diff.changes import find_changes
from quotalint.diff.edited_lines import Replaced
from quotalint.diff.state import State
from quotalint.diff.trees import Side
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.pipeline import Gathered, Result, judged
from quotalint.reports.headroom_text import render as render_headroom
from quotalint.reports.links import Links
from quotalint.reports.terminal import Terminal
from quotalint.settings import Settings
from quotalint.whatif.imagined import imagine_view
from quotalint.whatif.wished_edits import Edit, change_object, edits, objects_of, with_nodes
from quotalint.whatif.wishes import ADDED, CHART, NODE_LOSS, NODES, Unclear, Wish, wish

_Meant = TypeVar("_Meant")


class Change(NamedTuple):
    """All requested edits together."""

    edits: tuple[Edit, ...]
    added: tuple[Object, ...]
    settings: Settings


def what_if(request: Request, wish_texts: Sequence[str], names: Sequence[str]) -> int:
    """Print what edits would do; the exit status for new findings."""
    wishes = [_clear(wish(text)) for text in wish_texts]
    runs: list[Gathered] = []
    before = result_of(request, by=partial(run_remembering, runs))
    chosen = _choose_environments(names, before.environments)
    wanted = _change(wishes, chosen, runs[0].repository.settings)
    for note in dict.fromkeys(edit.note for edit in wanted.edits if edit.note):
        printing.tell(f"quotalint: {note}")
    after = judged(_imagine_change(runs[0], wanted, {facts.environment for facts in chosen}), None, before.environments)
    of = _difference(request, " ".join(wish_texts), before, after, wanted)
    deliver_reports(request, {name: partial(_show_difference, name) for name in difference_formats()}, of)
    return exit_status(of.now.result)


def _clear(meant: _Meant | Unclear) -> _Meant:
    if isinstance(meant, Unclear):
        raise CannotRun(meant.reason)
    return meant


def _choose_environments(names: Sequence[str], environments: Sequence[Facts]) -> list[Facts]:
    all_names = [facts.environment for facts in environments]
    strange = [name for name in names if name not in all_names]
    if strange:
        raise CannotRun(
            f"--environment {strange[0]}: there are {', '.join(filter(None, all_names)) or 'none with a name'}"
        )
    return [facts for facts in environments if not names or facts.environment in names]


def _change(wishes: Sequence[Wish], environments: Sequence[Facts], settings: Settings) -> Change:
    wanted: list[Edit] = []
    added: list[Object] = []
    for requested in wishes:
        if requested.kind in (NODES, NODE_LOSS):
            settings = _clear(with_nodes(settings, requested))
        elif requested.kind in (ADDED, CHART):
            if len(environments) > 1:
                names = ", ".join(facts.environment for facts in environments)
                raise CannotRun(f"{requested.text}: which environment? Name one with --environment: {names}")
            added += _clear(objects_of(requested, settings, environments))
        else:
            wanted += _clear(edits(requested, environments))
    return Change(tuple(wanted), tuple(added), settings)


def _imagine_change(of: Gathered, wanted: Change, chosen: set[str]) -> Gathered:
    def change(environment: str, obj: Object) -> Object:
        return change_object(obj, wanted.edits) if environment in chosen else obj

    try:
        view = imagine_view(of.seen, change, dict.fromkeys(chosen, wanted.added))
    except (LookupError, TypeError) as error:
        raise CannotRun(f"the edited object has an unexpected form: {error}") from None
    return of._replace(seen=view, repository=of.repository._replace(settings=wanted.settings))


class _ImaginedLines:
    """The lines that the edits would change. It stands in for the lines of a real change (`WrittenLines`)."""

    is_written = False

    def __init__(self, lines: Mapping[str, frozenset[int]]) -> None:
        self._lines = lines

    def lines(self, file: str) -> frozenset[int]:
        """The lines of one file."""
        return self._lines.get(file, frozenset())

    def is_removed(self, path: str) -> bool:
        """Always False: no file is removed."""
        del path
        return False

    def seams(self, file: str) -> tuple[int, ...]:
        """Empty: nothing is removed."""
        return ()

    def written_lines(self) -> Iterator[Replaced]:
        """Empty: nothing is written."""
        return iter(())


def _find_edited_lines(wanted: Change, before: Result) -> _ImaginedLines:
    places = {
        obj.at(*edit.path).real
        for facts in before.environments
        for obj in facts.cluster.objects
        for edit in wanted.edits
        if obj.ref == edit.ref
    }
    lines_by_file: dict[str, set[int]] = {}
    for place, span in before.locate(sorted(places, key=repr)).items():
        lines_by_file.setdefault(place.source, set()).add(span.line)
    return _ImaginedLines({name: frozenset(lines) for name, lines in lines_by_file.items()})


def _difference(request: Request, words: str, before: Result, after: Result, wanted: Change) -> Difference:
    old, new = (
        State(result.environments, quota_tables(result.environments, without_lines), result.findings)
        for result in (before, after)
    )
    differing = find_changes(old, new)._replace(reconfigured=False)
    now, wished = (Side(name, "", "", "", {}, ()) for name in ("now", words))
    return explained_difference(
        request, (now, wished), (before, after), differing, _find_edited_lines(wanted, before), Links()
    )


def _show_difference(name: str, of: Difference, to: Terminal) -> str:
    render: Callable[[Difference, Terminal], str] = difference_formats()[name]
    text = render(of, to)
    if name != "text" or of.now.quiet:
        return text
    rooms = render_headroom(of.now.result.environments, _touched_namespaces(of), to)
    return f"{text}\n{rooms}" if rooms else text


def _touched_namespaces(of: Difference) -> frozenset[tuple[str, str]]:
    """The namespaces, by environment, whose quotas change."""
    return frozenset(
        (change.environment, namespace) for change in of.changes.quotas for namespace in change.table.quota.namespaces
    )
