#!/bin/sh
# In a pull request: what it does to quotas. Else: what is wrong. Variables: PATHS (folders, separated by spaces) and FAIL_ON.
set -euf
cd "$BITBUCKET_CLONE_DIR"
mkdir -p test-results
set -- --output junit=test-results/quotalint.xml --fail-on "${FAIL_ON:-error}"
# The paths are split at spaces on purpose; -f keeps the shell from expanding them.
# shellcheck disable=SC2086
if [ -n "${BITBUCKET_PR_DESTINATION_BRANCH:-}" ]; then
  exec python -I -m quotalint diff "$@" "origin/$BITBUCKET_PR_DESTINATION_BRANCH...HEAD" -- ${PATHS:-.}
fi
exec python -I -m quotalint check "$@" -- ${PATHS:-.}
