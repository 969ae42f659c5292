#!/usr/bin/env bash
# From a fresh clone to a first result: installs what is missing, builds the rondo command, compiles
# the handwritten-digits sample to IR, classifies its held-out images and benchmarks it.
#
# Usage: tools/quickstart.sh [BUILD_FOLDER]   (default: build/quickstart)
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=tools/packages.sh
. tools/packages.sh
build=${1:-build/quickstart}

install_missing "${build_packages[@]}"

mkdir -p "$build"
log=$build/configure.log
echo "== Building"
"$cmake" -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DRONDO_TESTS=OFF \
    -DRONDO_SAMPLES=ON >"$log" 2>&1 || { cat "$log"; exit 1; }
"$cmake" --build "$build" --target rondo_command rondo_digits

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
