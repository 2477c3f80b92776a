"""Small repositories, and edits of them of each kind that once needed a rule of its own to tell what they reach."""
