"""Repairs: what a check proposes, and how it becomes text in which nothing else has moved."""
