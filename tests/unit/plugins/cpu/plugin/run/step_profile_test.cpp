#include "plugins/cpu/plugin/run/step_profile.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "plugins/cpu/plugin/plan/planned_program.hpp"
#include "tests/unit/plugins/cpu/plugin/plan/open_program.hpp"

namespace rondo::cpu::step_profile_test {
namespace {

using Status = ProfilingInfo::ExecutionStatus;

class StepProfileTest : public ::testing::Test {
protected:
    StepProfile::Entry& entry(std::string_view name) {
        return profile_[test::step_of(program_->program(), name)];
    }
    ProfilingInfo row(std::string_view name) {
        return profile_.rows().at(test::step_of(program_->program(), name));
    }

    std::shared_ptr<const PlannedProgram> program_ =
        std::make_shared<PlannedProgram>(test::open_program(), 1);
    StepProfile profile_{program_->program()};
};

TEST_F(StepProfileTest, HasARowForEachStep) {
    const auto rows = profile_.rows();
    ASSERT_EQ(rows.size(), program_->program().steps.size());
    for (const auto& row : rows) {
        EXPECT_EQ(row.status, Status::not_run);
        EXPECT_EQ(row.real_time_ns.count(), 0);
    }
    EXPECT_EQ(row("twice").node_name, "twice");
    EXPECT_EQ(row("twice").node_type, "Add");
}

TEST_F(StepProfileTest, SaysWhatBecameOfAStep) {
    entry("shape").state = StepState::known;
    entry("head").state = StepState::view;
    entry("y").state = StepState::open;
    entry("twice").state = StepState::runs;
    entry("twice").detail = "split 2";
    EXPECT_EQ(row("shape").exec_type, "known from the shapes");
    EXPECT_EQ(row("shape").status, Status::optimized_out);
    EXPECT_EQ(row("head").exec_type, "view");
    EXPECT_EQ(row("y").exec_type, "sizes not known yet");
    EXPECT_EQ(row("y").status, Status::not_run);
    const std::size_t twice = test::step_of(program_->program(), "twice");
    const std::string& kernel = program_->program().steps[twice].kernel->kernel_name();
    EXPECT_EQ(row("twice").exec_type, kernel + " split 2");
    EXPECT_EQ(row("twice").status, Status::not_run);  // an error or a cancel came before
    entry("twice").detail = kernel;
    EXPECT_EQ(row("twice").exec_type, kernel);
}

TEST_F(StepProfileTest, ATimerMarksItsStepUntilItIsCleared) {
    entry("twice").state = StepState::runs;
    {
        const StepTimer timer(&entry("twice"));
        const StepTimer none(nullptr);
        std::this_thread::sleep_for(std::chrono::microseconds(10));
    }
    EXPECT_EQ(row("twice").status, Status::executed);
    EXPECT_GE(row("twice").real_time_ns, std::chrono::microseconds(10));
    EXPECT_EQ(row("twice").real_time,
              std::chrono::duration_cast<std::chrono::microseconds>(row("twice").real_time_ns));
    profile_.clear();
    EXPECT_EQ(row("twice").status, Status::not_run);
    EXPECT_EQ(row("twice").real_time_ns.count(), 0);
}

}  // namespace
}  // namespace rondo::cpu::step_profile_test
