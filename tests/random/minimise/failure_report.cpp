#include "tests/random/minimise/failure_report.hpp"

#include <gtest/gtest.h>

#include <exception>
#include <filesystem>

#include "core/support/process.hpp"
#include "tests/random/minimise/fixture.hpp"

namespace rondo::test {
namespace {

constexpr int kMostModels = 2;

std::filesystem::path failures_folder() {
    if (const auto folder = env("RONDO_TEST_FAILURES")) return *folder;
    return std::filesystem::path(::testing::TempDir()) / "rondo_failures";
}

std::string described(const Minimised& minimal, const std::filesystem::path& folder) {
    return "\n  minimal model: " + folder.string() + ", " + std::to_string(minimal.nodes) +
           " nodes after " + std::to_string(minimal.trials) +
           " trials\n  its failure: " + minimal.failure +
           "\n  keep it: copy the folder to tests/random/regressions/NAME";
}

}  // namespace

std::string FailureReport::minimised(const RandomModel& model, const std::string& name) {
    if (++count_ > kMostModels) return "\n  not minimised: earlier models of this test are";
    try {
        const auto folder = failures_folder() / name;
        const Minimised minimal = minimise(model, failure_);
        write_fixture(folder, minimal.model);
        return described(minimal, folder);
    } catch (const std::exception& error) {
        return "\n  not minimised: " + std::string(error.what());
    }
}

}  // namespace rondo::test
