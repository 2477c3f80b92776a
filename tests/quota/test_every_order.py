"""A rollout that is said to end ends whatever happens first, and one that is said to hang never ends.

The Deployment here is rolled out by a small controller manager of its own: it knows the rules of rolling.go and nothing
of quotalint, and does one thing after the other in whatever order it is told. Deleted pods stay charged until they are
gone, and who was refused tries again at any time, which is what grace periods and back-off come to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hypothesis import event, given, settings
from hypothesis import strategies as st
from pipeline_runs import facts_of

from quotalint.quota.sequences import RolloutOutcome, RolloutVerdict


class Workload:
    """A Deployment: its replicas, the tenths of a CPU of each, `maxSurge` and `maxUnavailable`."""

    def __init__(self, replicas: int, cpu: int, surge: int, unavailable: int) -> None:
        self.replicas, self.cpu, self.surge, self.unavailable = replicas, cpu, surge, unavailable

    def manifest(self, name: str) -> str:
        limits = f"rollingUpdate: {{maxSurge: {self.surge}, maxUnavailable: {self.unavailable}}}"
        requests = f"resources: {{requests: {{cpu: {self.cpu}00m}}}}"
        return (
            f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}, namespace: team}}\nspec:\n"
            f"  replicas: {self.replicas}\n  strategy: {{{limits}}}\n"
            f"  template: {{spec: {{containers: [{{name: c, image: c, {requests}}}]}}}}"
        )

    def __repr__(self) -> str:
        return f"Workload({self.replicas}, {self.cpu}, {self.surge}, {self.unavailable})"


class Cluster:
    """One Deployment under way, beside others that stay as they are or wait for room."""

    def __init__(self, mine: Workload, running: int, room: tuple[int, int], waiting: list[tuple[int, int]]) -> None:
        self.mine = mine
        self.pods, self.cpu = room
        """What is left beside the old pods."""
        self.waiting = waiting
        """Of others: how many pods, and the CPU of each."""
        self.old_wanted, self.old = mine.replicas, running
        self.new_wanted, self.new, self.ready, self.leaving = 0, 0, 0, 0

    @property
    def finished(self) -> bool:
        return (self.old, self.old_wanted, self.new, self.ready) == (0, 0, self.mine.replicas, self.mine.replicas)

    def events(self) -> Sequence[str]:
        return ("deployment", "new", "old", "ready", "gone", *(f"wait{number}" for number in range(len(self.waiting))))

    def happen(self, name: str) -> bool:
        """Whether it changed anything."""
        before = repr(vars(self))
        if name.startswith("wait"):
            number, cpu = self.waiting[int(name[4:])]
            if number and self._take(cpu):
                self.waiting[int(name[4:])] = number - 1, cpu
        else:
            getattr(self, f"_{name}")()
        return repr(vars(self)) != before

    def _take(self, cpu: int) -> bool:
        if self.pods < 1 or self.cpu < cpu:
            return False
        self.pods, self.cpu = self.pods - 1, self.cpu - cpu
        return True

    def _deployment(self) -> None:
        wanted = self.mine.replicas
        more = min(wanted + self.mine.surge - self.old_wanted - self.new_wanted, wanted - self.new_wanted)
        if more > 0:
            self.new_wanted += more
            return
        least = wanted - self.mine.unavailable
        most = self.old_wanted + self.new_wanted - least - (self.new_wanted - self.ready)
        if self.old_wanted and most > 0:
            # Every old pod that is there is ready; what is missing of them is cleaned up first.
            available_old = min(self.old, self.old_wanted)
            self.old_wanted -= min(most, self.old_wanted - available_old)
            self.old_wanted -= min(self.old_wanted, max(0, available_old + self.ready - least))

    def _new(self) -> None:
        if self.new < self.new_wanted and self._take(self.mine.cpu):
            self.new += 1

    def _old(self) -> None:
        if self.old > self.old_wanted:
            self.old, self.leaving = self.old - 1, self.leaving + 1
        elif self.old < self.old_wanted and self._take(self.mine.cpu):
            self.old += 1

    def _ready(self) -> None:
        self.ready += self.ready < self.new

    def _gone(self) -> None:
        if self.leaving:
            self.leaving, self.pods, self.cpu = self.leaving - 1, self.pods + 1, self.cpu + self.mine.cpu


WORKLOADS = st.lists(
    st.builds(Workload, st.integers(1, 4), st.integers(1, 4), st.integers(0, 3), st.integers(0, 2)).filter(
        lambda workload: workload.surge + workload.unavailable > 0
    ),
    min_size=1,
    max_size=3,
)


def rollouts(
    workloads: list[Workload], more_pods: int, more_cpu: int
) -> Iterator[tuple[Cluster, RolloutOutcome | None, Workload]]:
    """Each Deployment with what quotalint says of it, as a cluster in which nothing has moved yet. The quota has so
    much more than all of them ask for once they have settled."""
    pods = max(0, sum(workload.replicas for workload in workloads) + more_pods)
    cpu = max(0, sum(workload.replicas * workload.cpu for workload in workloads) + more_cpu)
    hard = f"hard: {{pods: {pods}, requests.cpu: {cpu}00m}}"
    quota = f"apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: q, namespace: team}}\nspec: {{{hard}}}"
    facts = facts_of(quota, *(workload.manifest(f"w{number}") for number, workload in enumerate(workloads)))
    fates = [facts.admissions.fate_of(charge) for charge in facts.charges["team"] if charge.kind == "Pod"]
    left_pods = pods - sum(fate.admitted for fate in fates)
    left_cpu = cpu - sum(fate.admitted * workload.cpu for fate, workload in zip(fates, workloads, strict=True))
    for fate, mine in zip(fates, workloads, strict=True):
        waiting = [
            (first.refused, other.cpu) for first, other in zip(fates, workloads, strict=True) if first is not fate
        ]
        owner = fate.charge.owner
        assert owner is not None
        cluster = Cluster(mine, fate.admitted, (left_pods, left_cpu), [item for item in waiting if item[0]])
        yield cluster, facts.rollouts.get(owner.identity), mine


def play(cluster: Cluster, order: Sequence[int]) -> bool:
    """Whether it ends: first in this order, then with everybody in turn until nothing moves any more."""
    names = cluster.events()
    for number in order:
        cluster.happen(names[number % len(names)])
    while not cluster.finished and sum(cluster.happen(name) for name in names):
        pass
    return cluster.finished


ORDERS = st.lists(st.integers(0, 6), max_size=60)


@settings(max_examples=120, deadline=None)
@given(WORKLOADS, st.integers(-1, 3), st.integers(-2, 6), ORDERS)
def test_a_rollout_ends_if_and_only_if_it_is_said_to(
    workloads: list[Workload], pods: int, cpu: int, order: list[int]
) -> None:
    for cluster, outcome, mine in rollouts(workloads, pods, cpu):
        verdict = outcome.verdict if outcome else RolloutVerdict.WELL
        event(verdict.name)
        if verdict is RolloutVerdict.PERHAPS:
            continue  # it depends on the order
        assert play(cluster, order) == (verdict in (RolloutVerdict.WELL, RolloutVerdict.SLOWLY)), (verdict, mine)


@settings(max_examples=120, deadline=None)
@given(WORKLOADS, st.integers(-2, 1), st.integers(-4, 2))
def test_what_may_hang_hangs_if_others_are_faster(workloads: list[Workload], pods: int, cpu: int) -> None:
    for cluster, outcome, _ in rollouts(workloads, pods, cpu):
        if outcome is not None and outcome.verdict is RolloutVerdict.PERHAPS:
            others = [name for name in cluster.events() if name.startswith("wait")]
            while any(cluster.happen(other) for other in (*others, "gone", "old", "deployment", "ready", "new")):
                pass
            assert not cluster.finished
