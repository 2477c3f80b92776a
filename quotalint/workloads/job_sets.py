"""JobSet: groups of Jobs that run together.

Source: JobSet 0.10.1, api/jobset/v1alpha2/jobset_types.go and pkg/webhooks/jobset_webhook.go (Default).
"""

from __future__ import annotations

from collections.abc import Iterator

from quotalint.kube.fields import Body, dig, mapping, sequence, text
from quotalint.kube.objects import Object
from quotalint.kube.queue_names import suspended_for
from quotalint.workloads.demand import (
    Demand,
    Number,
    Numbers,
    Size,
    Surroundings,
    count,
    finished_pods,
    implied_objects,
    pods,
    unknown_because,
)
from quotalint.workloads.jobs import no_pods_if_managed_elsewhere, pods_at_once, pods_left_behind


def expand(obj: Object, surroundings: Surroundings) -> Iterator[Demand]:
    """The Jobs of a JobSet with their pods, and the headless Service for their names."""
    no_pods = no_pods_if_managed_elsewhere(obj, obj.spec.get("managedBy"), "jobset.sigs.k8s.io/jobset-controller")
    network = mapping(obj.spec.get("network"))
    if no_pods is None and network.get("enableDNSHostnames") is not False:
        yield implied_objects(obj, "", "Service", name=text(network.get("subdomain")) or obj.name)
    for index, entry in enumerate(sequence(obj.spec.get("replicatedJobs"))):
        yield from _replicated_jobs(obj, index, mapping(entry), no_pods, surroundings)


def _replicated_jobs(
    obj: Object, index: int, entry: Body, no_pods: Number | None, surroundings: Surroundings
) -> Iterator[Demand]:
    job = mapping(dig(entry, "template", "spec"))
    jobs = no_pods or count(obj, entry.get("replicas"), f"replicatedJobs[{index}].replicas", 1)
    # A suspended JobSet creates its Jobs suspended; Kueue resumes one that has a queue.
    is_suspended = obj.spec.get("suspend") is True and not suspended_for(obj, surroundings.objects)
    suspended = {**job, "suspend": True} if is_suspended else job
    pods_of_job = pods_at_once(obj, suspended, surroundings)
    total = jobs.value * pods_of_job.value
    numbers, because = Numbers(total, total, total, total), f"{pods_of_job.because} of {jobs.value} Jobs"
    unknowns = (*jobs.unknowns, *pods_of_job.unknowns)
    awaited = _awaited_jobs(entry)
    job_numbers = Numbers(*(jobs.value,) * 4)
    if awaited:
        numbers, because = Numbers(0, 0, 0, total), f"after {awaited} has completed"
        job_numbers = Numbers(0, 0, 0, jobs.value)
        unknowns = (
            *unknowns,
            unknown_because(obj, f"what runs once {awaited} has completed is counted in the peak alone"),
        )
    yield implied_objects(obj, "batch", "Job", job_numbers)
    place = obj.at("spec", "replicatedJobs", index, "template", "spec", "template")
    yield from pods(obj, job.get("template"), place, Size(numbers, because, unknowns), surroundings)
    yield from finished_pods(
        obj, job.get("template"), place, jobs.value * (pods_left_behind(pods_of_job, job) - pods_of_job.value)
    )


def _awaited_jobs(entry: Body) -> str:
    """The names of the jobs that must complete before these start."""
    dependencies = (mapping(dependency) for dependency in sequence(entry.get("dependsOn")))
    return ", ".join(
        text(dependency.get("name")) for dependency in dependencies if dependency.get("status") == "Complete"
    )
