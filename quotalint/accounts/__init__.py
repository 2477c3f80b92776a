"""The facts of one environment, its sums, and its quotas as tables."""
