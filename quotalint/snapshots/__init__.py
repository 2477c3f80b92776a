"""Snapshots of clusters for `--with`, small enough to be committed."""
