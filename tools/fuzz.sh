#!/usr/bin/env bash
# Builds the fuzz targets with libFuzzer and sanitizers, and runs each on one core for a while. A
# finding is kept in build/fuzz/found/TARGET, and the target goes on; what reaches new code is kept in
# build/fuzz/corpus/TARGET, from which the next run goes on.
#
# Usage: tools/fuzz.sh [SECONDS [TARGET...]]      60 seconds each of all targets: docs/testing.md
# Environment: RONDO_CMAKE_OPTIONS (added to configuring, such as -DCMAKE_CXX_COMPILER=clang++-19).
# Prints for each target its executions, its seconds of CPU, and how many findings are kept. Exit
# code: 0 if there is none.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=tools/packages.sh
. tools/packages.sh
seconds=${1:-60}
shift || true

# What the inputs are mutations of, of the kinds that write_fuzz_seeds writes.
declare -A kinds=(
    [fuzz_onnx]="onnx files" [fuzz_files]=files [fuzz_ir]=ir [fuzz_passes]="onnx ir"
    [fuzz_run]="onnx ir files"
    [fuzz_cache]=cache [fuzz_npy]=npy [fuzz_command]=command [fuzz_c_api]=c_api
)
targets=("$@")
[ ${#targets[@]} -gt 0 ] ||
    targets=(fuzz_onnx fuzz_files fuzz_ir fuzz_passes fuzz_run fuzz_cache fuzz_npy fuzz_command
             fuzz_c_api)
for target in "${targets[@]}"; do
    [ -n "${kinds[$target]:-}" ] || { echo "no target '$target'; there are: ${!kinds[*]}" >&2; exit 2; }
done
[[ $seconds =~ ^[1-9][0-9]*$ ]] || { echo "'$seconds' is no number of seconds" >&2; exit 2; }

install_missing "${build_packages[@]}" "${test_packages[@]}" "${fuzz_packages[@]}"
# shellcheck disable=SC2086
"$cmake" --preset fuzz ${RONDO_CMAKE_OPTIONS:-}
"$cmake" --build --preset fuzz --target write_fuzz_seeds "${targets[@]}"

regressions=$PWD/tests/fuzz/regressions
cd build/fuzz
programs=$PWD/tests/fuzz
"$programs/write_fuzz_seeds" seeds
export TMPDIR=$PWD/scratch
mkdir -p "$TMPDIR" logs

# Runs a target until its time is over, beginning again after each finding.
run_target() {
    local target=$1
    local log=logs/$target.log
    local end=$((SECONDS + seconds))
    local folders=(corpus/"$target")
    local options=(-timeout=60 -rss_limit_mb=4096 -print_final_stats=1
                   -artifact_prefix=found/"$target"/)
    local kind
    for kind in ${kinds[$target]}; do folders+=(seeds/"$kind"); done
    [ ! -d "$regressions/$target" ] || folders+=("$regressions/$target")
    [ "$target" != fuzz_command ] || options+=(-close_fd_mask=3)  # it prints what users see
    mkdir -p corpus/"$target" found/"$target"
    while [ $SECONDS -lt $end ]; do
        "$programs/$target" -max_total_time=$((end - SECONDS)) "${options[@]}" "${folders[@]}" \
            >>"$log" 2>&1 && break
    done
    return 0
}

found=0
for target in "${targets[@]}"; do
    : >logs/"$target".log
    TIMEFORMAT="%U %S"
    cpu=$({ time run_target "$target"; } 2>&1)
    kept=$(find found/"$target" -type f | wc -l)
    found=$((found + kept))
    awk -v target="$target" -v cpu="$cpu" -v kept="$kept" '
        /stat::number_of_executed_units/ { executions += $2 }
        END {
            split(cpu, part, " ")
            printf "%-13s %10d executions %7.0f s of CPU %4d findings\n", \
                   target, executions, part[1] + part[2], kept
        }' logs/"$target".log
done
[ $found -eq 0 ]
