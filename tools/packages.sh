#!/usr/bin/env bash
# Debian packages that building and testing Rondo needs. Sourced by quickstart.sh and test.sh.

build_packages=(
    build-essential cmake ninja-build pkg-config
    libpugixml-dev libtbb-dev libxbyak-dev
    libprotobuf-dev protobuf-compiler libonnx-dev
    libcli11-dev nlohmann-json3-dev
)
test_packages=(
    libgtest-dev libgmock-dev libonnx-testdata python3 graphviz
    pybind11-dev python3-dev python3-numpy python3-onnx mypy qemu-user valgrind locales ladspa-sdk
)
# For the benchmarks.
bench_packages=(libbenchmark-dev)
# For fuzz.sh: clang, and libFuzzer with the sanitizers.
fuzz_packages=(clang libclang-rt-14-dev)
# To build for 64-bit Arm and to run the tests there, besides those above, and what is linked, by the
# names that it has for arm64. Sourced by test_aarch64.sh.
aarch64_build_packages=(g++-aarch64-linux-gnu)
aarch64_packages=(
    libpugixml-dev libpugixml1v5
    libtbb-dev libtbb12 libtbbbind-2-5 libtbbmalloc2
    libprotobuf-dev libprotobuf32 libprotobuf-lite32 zlib1g zlib1g-dev
    libgtest-dev libgmock-dev
)

# Installs those of the named packages that are missing. Uses sudo where the caller isn't root.
install_missing() {
    local missing=()
    local package
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
            missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
    echo "Installing: ${missing[*]}"
    "${as_root[@]}" apt-get update -qq
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq "${missing[@]}" >/dev/null
}

# Debian's own cmake, in case another one that doesn't work comes first on the PATH.
cmake=/usr/bin/cmake
ctest=/usr/bin/ctest
