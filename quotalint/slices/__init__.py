"""What of a repository stands by itself: the objects of one namespace in one environment, written in files or built.

A run notes its slices with its answer. Where later only a few files differ, in ways that reach no further than the
namespaces of the objects that are made of them, those objects are made again and those slices alone are judged, as they
were and as they are. Where the same is said of both, the answer stands. Whatever is not surely so is for a whole run to
say.
"""
