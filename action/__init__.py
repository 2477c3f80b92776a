"""What the steps of action.yml do, with the standard library alone: the first of them runs before anything is there."""
