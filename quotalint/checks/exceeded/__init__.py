"""Findings about exceeded quotas. Imported only if a quota is exceeded."""
