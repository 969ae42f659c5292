#include "plugins/cpu/plugin/threads/cpu_quota.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include "core/support/process.hpp"
#include "core/support/strings.hpp"
#include "plugins/cpu/plugin/threads/tbb_team.hpp"

namespace rondo::cpu {
namespace {

// More cores than any machine has: such a quota limits nothing.
constexpr long long kMostCores = 1 << 20;

std::string first_line(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

// quota / period, rounded up. "max", -1 and what is no number mean that there is no limit.
std::optional<int> cores_of(std::string_view quota_text, std::string_view period_text) {
    long long quota = 0;
    long long period = 0;
    if (!parse_int(quota_text, quota) || !parse_int(period_text, period)) return std::nullopt;
    if (quota <= 0 || period <= 0 || quota / period >= kMostCores) return std::nullopt;
    return static_cast<int>(quota / period + (quota % period == 0 ? 0 : 1));
}

// "200000 100000", or "max 100000".
std::optional<int> limit_of_version_2(const std::string& folder) {
    const auto parts = split(first_line(folder + "/cpu.max"), ' ');
    return parts.size() == 2 ? cores_of(parts[0], parts[1]) : std::nullopt;
}

std::optional<int> limit_of_version_1(const std::string& folder) {
    return cores_of(first_line(folder + "/cpu.cfs_quota_us"),
                    first_line(folder + "/cpu.cfs_period_us"));
}

std::optional<int> smaller(std::optional<int> a, std::optional<int> b) {
    if (!a || !b) return a ? a : b;
    return std::min(*a, *b);
}

// The smallest limit from `path` up to the mount itself. A container may see its cgroup's path of
// the host, which isn't there; its limit is then that of the mount.
template <typename LimitOf>
std::optional<int> smallest_limit(const std::string& mount, const std::string& path,
                                  const LimitOf& limit_of) {
    std::optional<int> limit = limit_of(mount);
    std::string folder = mount;
    for (const auto& part : std::filesystem::path(path).relative_path()) {
        if (part == "..") break;  // it is outside of what the container sees
        folder += "/" + part.string();
        limit = smaller(limit, limit_of(folder));
    }
    return limit;
}

bool has_cpu_controller(std::string_view controllers) {
    const auto names = split(controllers, ',');
    return std::find(names.begin(), names.end(), "cpu") != names.end();
}

}  // namespace

// A line is "number:controllers:path"; those of version 2 have the number 0 and no controllers.
std::optional<int> cpu_quota(const std::string& root) {
    const std::string mounts = root + "/sys/fs/cgroup";
    std::optional<int> limit;
    std::ifstream file(root + "/proc/self/cgroup");
    for (std::string line; std::getline(file, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const std::string path = line.substr(second + 1);
        if (controllers.empty()) {
            for (const char* mount : {"", "/unified"}) {
                limit = smaller(limit, smallest_limit(mounts + mount, path, limit_of_version_2));
            }
        } else if (has_cpu_controller(controllers)) {
            for (const std::string& mount : {std::string("cpu"), controllers}) {
                limit =
                    smaller(limit, smallest_limit(mounts + "/" + mount, path, limit_of_version_1));
            }
        }
    }
    return limit;
}

namespace {

// What users and hosts that run several processes on a machine, such as Ray, set for all libraries.
std::optional<int> wanted_threads() {
    const auto text = env("OMP_NUM_THREADS");
    long long threads = 0;
    if (!text || !parse_int(text->substr(0, text->find(',')), threads)) return std::nullopt;
    if (threads < 1 || threads > kMostCores) return std::nullopt;
    return static_cast<int>(threads);
}

}  // namespace

int usual_threads() {
    const std::optional<int> limit = smaller(cpu_quota(), wanted_threads());
    const int cores = available_cores();
    return std::min(cores, limit.value_or(cores));
}

}  // namespace rondo::cpu
