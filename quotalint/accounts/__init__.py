"""What is known of one environment: its facts, sums, and quotas as tables."""
