"""Fixes: the repairs that checks propose, and how they are written into files without other changes."""
