#!/usr/bin/env bash
# Cross-compiles everything for 64-bit Arm and runs the tests under qemu-user, on Debian 12 for
# x86-64. Arm's packages are unpacked in the build folder: none of this system is replaced.
#
# Usage: tools/test_aarch64.sh [-R REGEX | other ctest options]
# Environment: as of tools/test.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=tools/packages.sh
. tools/packages.sh
packages=$PWD/build/aarch64_packages

install_missing "${build_packages[@]}" "${test_packages[@]}" "${aarch64_build_packages[@]}"

if [ ! -d "$packages" ]; then
    # apt gets a place of its own, which knows the packages of arm64 and nothing that is installed.
    apt=$PWD/build/aarch64_apt
    rm -rf "$apt"
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/unpacked"
    : >"$apt/status"
    options=(-qq -o APT::Architecture=arm64 -o APT::Architectures::=arm64
             -o Dir::State::Lists="$apt/lists" -o Dir::State::status="$apt/status"
             -o Dir::Cache="$apt/cache" -o APT::Sandbox::User="$(id -un)")
    apt-get "${options[@]}" update
    (cd "$apt" && apt-get "${options[@]}" download "${aarch64_packages[@]}")
    for package in "$apt"/*.deb; do dpkg -x "$package" "$apt/unpacked"; done
    mv "$apt/unpacked" "$packages"
    rm -rf "$apt"
fi

RONDO_PRESET=aarch64 tools/test.sh "$@"
