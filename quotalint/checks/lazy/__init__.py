"""Checks that few repositories need: `on_demand.py` imports them if they apply."""
