"""What is said of quotas that have no room for what is asked for. Imported where there is one."""
