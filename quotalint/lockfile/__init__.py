"""`quotalint.lock`: which versions and contents of remote sources count, and the names of their folders."""
