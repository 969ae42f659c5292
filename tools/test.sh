#!/usr/bin/env bash
# Installs what is missing, builds everything and runs all tests; ends with ctest's summary.
#
# Usage: tools/test.sh [-R REGEX | other ctest options]
# Environment: RONDO_PRESET=release (or dev, asan, tsan), RONDO_CMAKE_OPTIONS (added to configuring),
# RONDO_MODELS (folder of real models).
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=tools/packages.sh
. tools/packages.sh
preset=${RONDO_PRESET:-release}

install_missing "${build_packages[@]}" "${test_packages[@]}"

echo "== Building the library and its tests"
# shellcheck disable=SC2086
"$cmake" --preset "$preset" ${RONDO_CMAKE_OPTIONS:-}
"$cmake" --build --preset "$preset"
echo "== Running the tests"
"$ctest" --preset "$preset" -j "$(nproc)" "$@"
