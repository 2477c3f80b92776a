"""The run itself: limits of time and memory, child processes, scratch folders, faults, and what is remembered."""
