// What is written of a failing model is the model that fails.
#include "tests/random/minimise/fixture.hpp"
#include "tests/support/environment_variable.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "tests/random/minimise/candidate.hpp"
#include "tests/random/minimise/failure_report.hpp"
#include "tests/random/minimise/injected_fault.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test::fixture_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

TEST(Fixture, IsReadAsItWasWritten) {
    const TemporaryFolder temporary;
    const fs::path folder = temporary.path();
    const RandomModel model = random_model(5);
    write_fixture(folder, random_model(1));  // of which nothing may stay
    write_fixture(folder, model);
    const RandomModel read = read_fixture(folder);
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
    const TemporaryFolder temporary;
    const fs::path folder = temporary.path();
    expect_error<ModelError>([&] { read_fixture(folder); }, "model.onnx: can't be read");
    write_fixture(folder, random_model(0));
    for (const char* run : {"run_0", "run_1", "run_2"}) fs::remove_all(folder / run);
    expect_error<ModelError>([&] { read_fixture(folder); }, "has no folder run_0");
}

TEST(FailureReport, SaysWhereTheMinimalModelIs) {
    const TemporaryFolder temporary;
    const fs::path folder = temporary.path();
    const EnvironmentVariable failures("RONDO_TEST_FAILURES", folder);
    const auto failure =
        fault_in([](const auto& at) { return at.node.op_type() == "Tanh"; }, "Sin");
    FailureReport report(failure);
    const RandomModel model = failing_models(failure, 1).front();
    const std::string text = report.minimised(model, "some_seed");
    EXPECT_THAT(text, HasSubstr((folder / "some_seed").string() + ", 1 nodes after"));
    EXPECT_THAT(text, HasSubstr("copy the folder to tests/random/regressions/NAME"));
    EXPECT_NE(failure(read_fixture(folder / "some_seed")), "");
    report.minimised(model, "second");
    EXPECT_THAT(report.minimised(model, "third"), HasSubstr("not minimised"));
    EXPECT_FALSE(fs::exists(folder / "third"));
}

}  // namespace
}  // namespace rondo::test::fixture_test
