// What is written of a failing model is the model that fails.
#include "tests/random/minimise/fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "tests/random/minimise/candidate.hpp"
#include "tests/random/minimise/failure_report.hpp"
#include "tests/random/minimise/injected_fault.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// A folder of this test, removed at its end.
class Folder {
public:
    explicit Folder(const std::string& name)
        : path_(fs::path(::testing::TempDir()) / ("rondo_fixture_" + name)) {
        fs::remove_all(path_);
    }
    ~Folder() { fs::remove_all(path_); }
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

TEST(Fixture, IsReadAsItWasWritten) {
    const Folder folder("round_trip");
    const RandomModel model = random_model(5);
    write_fixture(folder.path(), random_model(1));  // of which nothing may stay
    write_fixture(folder.path(), model);
    const RandomModel read = read_fixture(folder.path());
    EXPECT_EQ(read.bytes, Candidate(model).model().bytes);
    EXPECT_EQ(read.outputs, model.outputs);
    ASSERT_EQ(read.inputs.size(), model.inputs.size());
    for (std::size_t run = 0; run < model.inputs.size(); ++run) {
        ASSERT_EQ(read.inputs[run].size(), model.inputs[run].size());
        for (const NamedTensor& input : model.inputs[run]) {
            const auto found =
                std::find_if(read.inputs[run].begin(), read.inputs[run].end(),
                             [&](const NamedTensor& other) { return other.name == input.name; });
            ASSERT_NE(found, read.inputs[run].end()) << input.name;
            expect_same(found->value, input.value);
        }
    }
}

TEST(Fixture, AFolderWithoutAModelIsRefused) {
    const Folder folder("broken");
    expect_error<ModelError>([&] { read_fixture(folder.path()); }, "model.onnx: can't be read");
    write_fixture(folder.path(), random_model(0));
    for (const char* run : {"run_0", "run_1", "run_2"}) fs::remove_all(folder.path() / run);
    expect_error<ModelError>([&] { read_fixture(folder.path()); }, "has no folder run_0");
}

TEST(FailureReport, SaysWhereTheMinimalModelIs) {
    const Folder folder("report");
    ::setenv("RONDO_TEST_FAILURES", folder.path().c_str(), 1);
    const auto failure =
        fault_in([](const auto& at) { return at.node.op_type() == "Tanh"; }, "Sin");
    FailureReport report(failure);
    const RandomModel model = failing_models(failure, 1).front();
    const std::string text = report.minimised(model, "some_seed");
    EXPECT_THAT(text, HasSubstr((folder.path() / "some_seed").string() + ", 1 nodes after"));
    EXPECT_THAT(text, HasSubstr("copy the folder to tests/random/regressions/NAME"));
    EXPECT_NE(failure(read_fixture(folder.path() / "some_seed")), "");
    report.minimised(model, "second");
    EXPECT_THAT(report.minimised(model, "third"), HasSubstr("not minimised"));
    EXPECT_FALSE(fs::exists(folder.path() / "third"));
    ::unsetenv("RONDO_TEST_FAILURES");
}

}  // namespace
}  // namespace rondo::test
