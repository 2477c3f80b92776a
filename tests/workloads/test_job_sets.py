"""JobSet."""

from __future__ import annotations

from typing import Any

import pytest
from workload_demands import Four, Manifest, ended, made, manifest, pods, template, unknowns


def replicated(name: str = "j", replicas: object = None, depends: object = None, **job: Any) -> Manifest:
    entry: Manifest = {"name": name, "template": {"spec": {"template": template(name), **job}}}
    entry.update({"replicas": replicas} if replicas is not None else {})
    return {**entry, "dependsOn": depends} if depends else entry


def job_set(*jobs: Manifest, **spec: Any) -> Manifest:
    return manifest("JobSet", "jobset.x-k8s.io/v1alpha2", {"replicatedJobs": list(jobs), **spec})


AFTER = [{"name": "driver", "status": "Complete"}]


@pytest.mark.parametrize(
    ("body", "expected", "others"),
    [
        pytest.param(job_set(replicated()), (1, 1, 1, 1), {"Job": (1,) * 4, "Service": (1,) * 4}, id="one Job"),
        pytest.param(
            job_set(replicated("driver"), replicated("workers", 3, parallelism=4)),
            (13, 13, 13, 13),
            {"Job": (4,) * 4, "Service": (1,) * 4},
            id="Jobs that run together",
        ),
        pytest.param(
            job_set(replicated("driver"), replicated("workers", 3, depends=AFTER)),
            (1, 1, 1, 4),
            {"Job": (1, 1, 1, 4), "Service": (1,) * 4},
            id="Jobs that run after another",
        ),
        pytest.param(
            job_set(replicated(parallelism=4), suspend=True, network={"enableDNSHostnames": False}),
            (0, 0, 0, 0),
            {"Job": (1,) * 4},
            id="suspended, without names",
        ),
        pytest.param(
            job_set(replicated(parallelism=4), managedBy="kueue.x-k8s.io/multikueue"),
            (0, 0, 0, 0),
            {"Job": (0,) * 4},
            id="in another cluster",
        ),
        pytest.param(job_set(replicated(replicas="two")), (0,) * 4, {"Job": (0,) * 4, "Service": (1,) * 4}, id="wrong"),
        pytest.param(job_set(), (0,) * 4, {"Service": (1,) * 4}, id="no Job"),
        pytest.param(manifest("JobSet", "jobset.x-k8s.io/v1alpha2", []), (0,) * 4, {"Service": (1,) * 4}, id="no spec"),
    ],
)
def test_a_set_has_the_pods_of_all_its_jobs(body: Manifest, expected: Four, others: dict[str, Four]) -> None:
    assert (pods(body), made(body)) == (expected, others)


def test_pods_that_have_ended_stay() -> None:
    assert ended(job_set(replicated(replicas=2, parallelism=1, completions=5))) == 8


def test_what_is_not_known() -> None:
    actual_unknowns = unknowns(job_set(replicated(replicas="two"), replicated("late", depends=AFTER)))
    assert actual_unknowns == (
        "JobSet w: spec.replicatedJobs[0].replicas is not a number of pods: 'two'",
        "JobSet w: what runs once driver has completed is counted in the peak alone",
    )


@pytest.mark.parametrize(
    ("manager", "expected"),
    [
        ("jobset.sigs.k8s.io/jobset-controller", ()),
        ("kueue.x-k8s.io/multikueue", ()),
        ("example.com/batch", ("JobSet w: it is left to example.com/batch, which may run pods",)),
    ],
)
def test_only_multikueue_is_known_to_run_no_pods_here(manager: str, expected: tuple[str, ...]) -> None:
    assert unknowns(job_set(replicated(), managedBy=manager)) == expected
