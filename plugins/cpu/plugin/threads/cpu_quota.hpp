// Reads the limit on CPU time that a container's cgroup sets.
#pragma once

#include <optional>
#include <string>

namespace rondo::cpu {

/// How many cores' time the process's cgroups allow, rounded up; at least 1. Returns nothing if
/// there is no limit. Reads cpu.max (version 2) or cpu.cfs_quota_us and cpu.cfs_period_us
/// (version 1) of the cgroup and of those above it; the smallest limit counts. `root` is put in
/// front of all paths.
std::optional<int> cpu_quota(const std::string& root = "");

/// The default number of threads: the cores on which the calling thread may run, the quota, or the
/// number in OMP_NUM_THREADS, whichever is smallest. In a list of numbers ("4,2") the first one
/// counts; other texts say nothing.
int usual_threads();

}  // namespace rondo::cpu
