"""What a cluster holds, written small enough to be committed: what `--with` reads, and nothing else."""
