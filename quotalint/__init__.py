"""quotalint: an offline linter that knows Kubernetes quotas as well as the API server does."""
