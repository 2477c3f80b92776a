"""Problems of a build in plain values that can be kept from run to run."""

from __future__ import annotations

from typing import Any

from quotalint.gitops.kustomize.problems import Problem
from quotalint.gitops.plain_places import plain_place
from quotalint.gitops.unseen_causes import SharedCause
from quotalint.text.place import Place


def plain_problem(problem: Problem) -> tuple[Any, ...]:
    """A problem in plain values. Raises ValueError for one in an object that was made itself."""
    plain = problem._asdict()
    plain["place"] = plain_place(problem.place)
    plain["via"] = tuple(map(plain_place, problem.via))
    plain["shared"] = problem.shared and tuple(problem.shared)
    return tuple(plain.values())


def problem_of(plain: tuple[Any, ...]) -> Problem:
    """The problem again."""
    problem = Problem(*plain)
    return problem._replace(
        place=Place(*problem.place),
        via=tuple(Place(*at) for at in problem.via),
        shared=problem.shared and SharedCause(*problem.shared),
    )
