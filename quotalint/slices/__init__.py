"""What of a repository stands by itself: the plain files of one namespace in one environment.

A run notes its slices with its answer. Where later only a few files of slices differ, in ways that reach no further
than their namespaces, those slices alone are judged again, and where nothing comes to light the answer stands. Whatever
is not surely so is for a whole run to say.
"""
