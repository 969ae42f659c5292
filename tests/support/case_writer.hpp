// The command line of programs that write cases for other runtimes, a folder for each seed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace rondo::test {

using Arguments = std::vector<std::string>;

/// What "DIR FIRST_SEED COUNT" asks for.
struct CaseRange {
    std::filesystem::path folder;
    std::uint64_t first = 0;
    std::uint64_t count = 0;
};

/// Nothing for other arguments.
std::optional<CaseRange> seed_range(const Arguments& arguments);

/// Calls `write(DIR/seed_N, N)` for each seed.
void write_seeds(const CaseRange& range,
                 const std::function<void(const std::filesystem::path&, std::uint64_t)>& write);

/// Calls `run(arguments)`, which returns false if it can't use them: then `usage` is shown. What
/// it throws is shown after `program`. Returns the exit code of main().
int run_writer(const char* program, const char* usage, int argc, char** argv,
               const std::function<bool(const Arguments&)>& run);

}  // namespace rondo::test
