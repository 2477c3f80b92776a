"""Files of Terraform and OpenTofu: their expressions, modules and plans, and the Kubernetes objects that they declare.

Nothing runs, and no provider is called. A value that is not written in the repository is an `Unknown`.
"""
