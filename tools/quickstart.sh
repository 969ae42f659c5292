#!/usr/bin/env bash
# From a fresh clone to a first result: installs what is missing, builds the rondo command, compiles
# the handwritten-digits sample to IR, classifies its held-out images and benchmarks it.
#
# Usage: tools/quickstart.sh
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=tools/packages.sh
. tools/packages.sh
build=build/release

install_missing "${build_packages[@]}"

echo "== Building"
mkdir -p "$build"
log=$build/configure.log
# Without the tests and Python, unless the folder has them already; tools/test.sh builds them there.
if [ ! -f "$build/build.ninja" ]; then
    # shellcheck disable=SC2086
    "$cmake" --preset release -DRONDO_TESTS=OFF -DRONDO_PYTHON=OFF \
        ${RONDO_CMAKE_OPTIONS:-} >"$log" 2>&1 ||
        { cat "$log"; exit 1; }
fi
"$cmake" --build --preset release --target rondo_command rondo_digits

sample=docs/samples/digits
rondo=$build/bin/rondo
model=$build/digits_lstm.xml

echo
echo "== Compiling the sample to IR"
"$rondo" compile "$sample/digits_lstm.onnx" -o "$model"
"$rondo" info "$model" --explain

echo
echo "== Classifying images that it never saw"
"$build/bin/rondo_digits" "$model" "$sample"

echo
echo "== Benchmarking one image at a time"
"$rondo" benchmark -m "$model" -data_shape "pixels[1,8,8]" -hint latency -api sync -t 2
