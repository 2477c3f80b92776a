"""Several repositories as one: quotas here, workloads there."""
