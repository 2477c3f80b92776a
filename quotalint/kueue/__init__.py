"""Kueue's queues as values: what they allow, what they can admit, and why Kueue refuses their manifests."""
