"""How many pods of each template an Argo Workflow runs at once.

Source: Argo Workflows 3.7.0: pkg/apis/workflow/v1alpha1/workflow_types.go, workflow/controller/{steps,dag}.go,
workflow/common/ancestry.go (GetTaskDependencies).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from quotalint.kube.fields import Body, integer, mapping, sequence, strings, text
from quotalint.kube.objects import Object
from quotalint.named_tuples import NamedTuple
from quotalint.text.digits import whole_number
from quotalint.text.lazy_patterns import lazy_pattern
from quotalint.text.place import Place

_LARGEST = 2**31 - 1
_DEEPEST = 50
_POD_TYPES = ("container", "script", "containerSet", "resource", "data")
_AGENT_TYPES = ("http", "plugin")


class Pods(NamedTuple):
    """The pods of one template that run at once."""

    template: Body
    place: Place
    number: int
    most: int
    """The number including pods that run on a condition."""


class Running(NamedTuple):
    """The pods that run at once, by the place of the template."""

    pods: Mapping[Place, Pods] = MappingProxyType({})
    reasons: tuple[str, ...] = ()
    """Why there may be more pods."""


class TemplateSource(NamedTuple):
    """A list of templates in which names are resolved, and its place."""

    templates: Sequence[object]
    place: Place


Objects = Mapping[tuple[str, str, str], Object]


def running_at_once(name: str, source: TemplateSource, objects: Objects) -> Running:
    """The most pods that a workflow with this entrypoint runs at once; templates of other objects are resolved in
    `objects`."""
    return _Walk(objects, {}).walk_named(name, source, ())


class _Walk(NamedTuple):
    objects: Objects
    seen: dict[Place, Running]

    def walk_named(self, name: str, source: TemplateSource, above: tuple[Place, ...]) -> Running:
        for index, template in enumerate(source.templates):
            if isinstance(template, dict) and text(template.get("name")) == name:
                return self.walk_template(template, source.place.at(index), source, above)
        return Running(reasons=(f"template {name} is not in view" if name else "it names no template to start with",))

    def walk_template(self, template: Body, place: Place, source: TemplateSource, above: tuple[Place, ...]) -> Running:
        if place in above:
            return Running(reasons=(f"template {text(template.get('name'))} runs itself, who knows how often",))
        if len(above) > _DEEPEST:
            return Running(reasons=(f"its templates are nested more than {_DEEPEST} deep",))
        if place not in self.seen:
            run = self.walk_parts(template, place, source, (*above, place))
            if template.get("synchronization") is not None:
                reason = f"how many of template {text(template.get('name'))} run at once depends on its synchronization"
                run = Running(cap_run(run, 1).pods, (*run.reasons, reason))
            self.seen[place] = cap_run(run, template.get("parallelism"))
        return self.seen[place]

    def walk_parts(self, template: Body, place: Place, source: TemplateSource, above: tuple[Place, ...]) -> Running:
        if any(template.get(kind) is not None for kind in _POD_TYPES):
            return Running({place: Pods(template, place, 1, 1)})
        if template.get("steps") is not None:
            return self.walk_steps(template["steps"], place.at("steps"), source, above)
        if template.get("dag") is not None:
            return self.walk_dag(mapping(template["dag"]), place.at("dag", "tasks"), source, above)
        if template.get("suspend") is not None:
            return Running()
        kind = next((kind for kind in _AGENT_TYPES if template.get(kind) is not None), "")
        what = f"the agent pod of its {kind} templates is not counted" if kind else "it has a template of unknown type"
        return Running(reasons=(what,))

    def walk_steps(self, groups: object, place: Place, source: TemplateSource, above: tuple[Place, ...]) -> Running:
        if not isinstance(groups, list) or not all(isinstance(group, list) for group in groups):
            return Running(reasons=("its steps are not a list of lists",))
        return _widest_phase(
            [
                _run_together(
                    self.call_step(mapping(step), place.at(index, n), source, above) for n, step in enumerate(group)
                )
                for index, group in enumerate(groups)
            ]
        )

    def walk_dag(self, dag: Body, place: Place, source: TemplateSource, above: tuple[Place, ...]) -> Running:
        tasks = [mapping(task) for task in sequence(dag.get("tasks"))]
        levels = _levels_of_tasks(tasks, text(dag.get("target")))
        phases: dict[int, list[Running]] = {}
        for index, level in levels.items():
            phases.setdefault(level, []).append(self.call_step(tasks[index], place.at(index), source, above))
        if not levels:
            return Running(reasons=("its tasks cannot be put in an order",))
        return _widest_phase([_run_together(phases[level]) for level in sorted(phases)])

    def call_step(self, step: Body, place: Place, source: TemplateSource, above: tuple[Place, ...]) -> Running:
        """The pods that one step or task runs."""
        run = self.called_template(step, place, source, above)
        times, most, reasons = _times_of_step(step)
        if step.get("onExit") or step.get("hooks"):
            reasons = (*reasons, f"the hooks of {text(step.get('name'))} are not counted")
        pods = {
            at: template_pods._replace(
                number=min(template_pods.number * times, _LARGEST), most=min(template_pods.most * most, _LARGEST)
            )
            for at, template_pods in run.pods.items()
        }
        return Running(pods, (*run.reasons, *reasons))

    def called_template(self, step: Body, place: Place, source: TemplateSource, above: tuple[Place, ...]) -> Running:
        if isinstance(step.get("inline"), dict):
            return self.walk_template(mapping(step["inline"]), place.at("inline"), source, above)
        reference = step.get("templateRef")
        if not isinstance(reference, dict):
            return self.walk_named(text(step.get("template")), source, above)
        other = referred_template(reference, self.objects)
        if isinstance(other, str):
            return Running(reasons=(other,))
        return self.walk_named(text(reference.get("template")), templates_of(other), above)


def referred_template(reference: Body, objects: Objects) -> Object | str:
    """The WorkflowTemplate that a reference names, or why it is unknown."""
    kind = "ClusterWorkflowTemplate" if reference.get("clusterScope") is True else "WorkflowTemplate"
    name = text(reference.get("name"))
    return objects.get(("argoproj.io", kind, name)) or f"{kind} {name} is not in view"


def templates_of(obj: Object) -> TemplateSource:
    """The templates of a WorkflowTemplate."""
    return TemplateSource(sequence(obj.spec.get("templates")), obj.at("spec", "templates"))


def cap_run(run: Running, limit: object) -> Running:
    """The pods that run at once if `parallelism` limits their number."""
    most = integer(limit)
    if most is None or most <= 0:
        return run
    remaining, pods = most, {}
    for place, template_pods in run.pods.items():
        number = min(template_pods.number, remaining)
        remaining -= number
        pods[place] = template_pods._replace(number=number)
    for place, template_pods in pods.items():
        extra = min(max(0, template_pods.most - template_pods.number), remaining)
        remaining -= extra
        pods[place] = template_pods._replace(most=template_pods.number + extra)
    return Running(pods, run.reasons)


def _run_together(runs: Iterable[Running]) -> Running:
    pods: dict[Place, Pods] = {}
    reasons: tuple[str, ...] = ()
    for run in runs:
        reasons = (*reasons, *run.reasons)
        for place, pods_of_run in run.pods.items():
            so_far = pods.get(place)
            if so_far is not None:
                number, most = (
                    min(so_far.number + pods_of_run.number, _LARGEST),
                    min(so_far.most + pods_of_run.most, _LARGEST),
                )
                pods[place] = pods_of_run._replace(number=number, most=most)
            else:
                pods[place] = pods_of_run
    return Running(pods, tuple(dict.fromkeys(reasons)))


def _widest_phase(phases: Sequence[Running]) -> Running:
    """The phase with the most pods, of phases that run one after another."""
    filled = [phase for phase in phases if phase.pods or phase.reasons]
    if len(filled) < 2:
        return filled[0] if filled else Running()
    widest = max(filled, key=lambda phase: (_total_pods(phase), sum(pods.most for pods in phase.pods.values())))
    reasons = (
        *(reason for phase in filled for reason in phase.reasons),
        "of steps that may overlap only the widest count",
    )
    return Running(widest.pods, tuple(dict.fromkeys(reasons)))


def _total_pods(run: Running) -> int:
    return sum(pods.number for pods in run.pods.values())


def _times_of_step(step: Body) -> tuple[int, int, tuple[str, ...]]:
    """How often a step runs at once without and with its condition met, and why that is uncertain."""
    number, reasons = _items_of_step(step)
    if step.get("when") not in (None, ""):
        reason = f"{text(step.get('name'))} runs on a condition (when), so it is counted in the peak alone"
        return 0, number, (*reasons, reason)
    return number, number, reasons


def _items_of_step(step: Body) -> tuple[int, tuple[str, ...]]:
    for field in ("withItems", "withParam", "withSequence"):
        written = step.get(field)
        if written is None:
            continue
        if isinstance(written, list):
            return len(written), ()
        item_count = _sequence_length(mapping(written)) if field == "withSequence" else None
        if item_count is not None:
            return item_count, ()
        return 1, (f"how often {text(step.get('name'))} runs is known only then ({field}), so one is counted",)
    return 1, ()


def _sequence_length(written: Body) -> int | None:
    count, start, end = (_whole_number(written.get(field)) for field in ("count", "start", "end"))
    if "count" in written:
        return count
    if end is None or (start is None and "start" in written):
        return None
    return min(abs(end - (start or 0)) + 1, _LARGEST)


def _whole_number(written: object) -> int | None:
    number = whole_number(text(written))
    return None if number is None else min(number, _LARGEST)


def _levels_of_tasks(tasks: Sequence[Body], target: str) -> dict[int, int]:
    """How many levels of tasks precede each task that runs; cyclic tasks are skipped."""
    names = {text(task.get("name")): index for index, task in enumerate(tasks)}
    dependencies = {index: set(_dependencies_of(task, names)) for index, task in enumerate(tasks)}
    wanted = {names[name] for name in target.split() if name in names}
    while wanted:
        with_dependencies = wanted.union(*(dependencies[index] for index in wanted))
        if with_dependencies == wanted:
            dependencies = {index: dependencies[index] for index in sorted(wanted)}
            break
        wanted = with_dependencies
    levels: dict[int, int] = {}
    waiting = dict(dependencies)
    while waiting:
        ready = [index for index, needed in waiting.items() if needed <= levels.keys()]
        if not ready:
            break
        for index in ready:
            needed = waiting.pop(index)
            levels[index] = 1 + max((levels[earlier] for earlier in needed), default=-1)
    return levels


_NAME = lazy_pattern(r"[A-Za-z0-9_][A-Za-z0-9_-]*")


def _dependencies_of(task: Body, names: Mapping[str, int]) -> Iterator[int]:
    """The indexes of the tasks that a task waits for: `dependencies: [a, b]`, or `depends: (a.Succeeded || b) &&
    !c`."""
    for name in (*strings(task.get("dependencies")), *_NAME.findall(text(task.get("depends")))):
        if name in names:
            yield names[name]
