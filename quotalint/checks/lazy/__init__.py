"""What few repositories need: `on_demand.py` imports it where a check applies."""
