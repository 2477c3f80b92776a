"""The view of a repository in an editor, with unsaved buffers: findings, quotas, fixes."""
