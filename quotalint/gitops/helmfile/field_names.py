"""The fields that helmfile knows; it refuses all others (pkg/state/state.go; pkg/state/create.go, Strict)."""

from __future__ import annotations

from quotalint.kube.fields import Body, mapping, sequence

_OF_A_STATE = """
    apiVersions bases chart charts commonLabels context defaultInherit environments helmBinary helmDefaults
    helmfiles hooks kubeContext kubeVersion kustomizeBinary llm lockFilePath missingFileHandler
    missingFileHandlerConfig namespace releases repositories templates values
"""
_OF_A_RELEASE = """
    adopt apiVersions atomic cascade chart chartPath cleanupOnFail condition conditionTemplate createNamespace
    deleteTimeout deleteWait dependencies description devel directory disableAutoDetectedKubeVersionForDiff
    disableOpenAPIValidation disableValidation disableValidationOnInstall enableDNS env force forceConflicts
    forceGoGetter forceNamespace helmStuckGrace historyMax hooks inherit insecureSkipTLSVerify installed
    installedTemplate jsonPatches keyring kubeContext kubeVersion kubedogBurst kubedogQPS labels
    missingFileHandler missingFileHandlerConfig name namespace needs plainHttp postRenderer postRendererArgs
    recreatePods reuseValues rollbackOnFailure secrets serverSide set setString setTemplate skipDeps skipKinds
    skipRefresh skipSchemaValidation strategicMergePatches suppressDiff suppressOutputLineRegex
    syncReleaseLabels takeOwnership tillerNamespace tillerless timeout tls tlsCACert tlsCert tlsKey
    trackFailOnError trackFailedLogs trackKinds trackLogs trackMode trackResources trackTimeout transformers
    unitTests updateStrategy values valuesPathPrefix valuesTemplate verify verifyTemplate version wait
    waitForJobs waitRetries waitTemplate
"""
"""Includes fields of helmfile 1.x, and of 0.x for Helm 2."""
_STATE_FIELDS = frozenset(_OF_A_STATE.split())
_RELEASE_FIELDS = frozenset(_OF_A_RELEASE.split())


def has_only_known_fields(body: Body) -> bool:
    """Whether helmfile knows every field of a document and its releases."""
    releases = (mapping(release) for release in sequence(body.get("releases")))
    return body.keys() <= _STATE_FIELDS and all(release.keys() <= _RELEASE_FIELDS for release in releases)
