#include "plugins/cpu/kernels/sequence/sequence_task.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/sequence/stacked_sequence.hpp"
#include "tests/support/forced_plan.hpp"
#include "tests/unit/plugins/cpu/kernels/sequence/sequence_runner.hpp"
#include "tests/unit/plugins/cpu/kernels/threads/thread_teams.hpp"

namespace rondo::cpu::tests::sequence_task_test {
namespace {

constexpr float kUntouched = 123.0f;

// A layer of so many steps that only a cancelled run ends soon. All steps read one row of X and
// write one row of Y, so that little memory is needed.
class LongRun {
public:
    static constexpr std::int64_t kSteps = 200'000'000;
    static constexpr std::int64_t kInput = 3, kHidden = 64;

    LongRun(std::int64_t batch, Direction direction)
        : config_(sequence_config(default_cell(CellKind::lstm, kInput, kHidden), direction)),
          batch_(batch) {
        Random random;
        const SequenceData data = random_data(config_, batch, 1, random);
        sequence_.emplace(make_sequence(config_, cpu_features().best(), data));
        const auto states = static_cast<std::size_t>(batch * 2 * kHidden);
        x_.resize(static_cast<std::size_t>(batch * kInput), 0.5f);
        y_.resize(states, kUntouched);
        ho_.resize(states, kUntouched);
        co_.resize(states, kUntouched);
    }

    const RecurrentSequence& sequence() const { return *sequence_; }

    // Cancels once the first step has been done.
    void run(const SequencePlan& plan, Team& team) {
        SequenceArgs args = dense_args(config_, batch_, kSteps);
        args.x = x_.data();
        args.x_batch_stride = kInput;
        args.x_time_stride = 0;
        args.y = y_.data();
        args.y_batch_stride = 2 * kHidden;
        args.y_direction_stride = kHidden;
        args.y_time_stride = 0;
        args.ho = ho_.data();
        args.co = co_.data();
        std::atomic<bool> cancelled{false};
        args.cancelled = &cancelled;
        AlignedBytes scratch(plan.scratch_bytes);
        std::thread canceller([&] {
            while (std::atomic_ref<float>(y_[0]).load() == kUntouched) std::this_thread::yield();
            cancelled.store(true);
        });
        sequence_->run(plan, args, team, scratch.data());
        canceller.join();
        EXPECT_EQ(ho_[0], kUntouched) << "the run went to its end";
        EXPECT_EQ(co_[0], kUntouched);
    }

private:
    SequenceConfig config_;
    std::int64_t batch_;
    std::optional<RecurrentSequence> sequence_;
    std::vector<float> x_, y_, ho_, co_;
};

// Tiles of several rows, a row that looks ahead, slices of rows, of units, of directions.
TEST(SequenceTask, LongRunsEndSoonAfterTheyAreCancelled) {
    SerialTeam serial;
    ThreadTeam pair(2);
    struct Case {
        Strategy strategy;
        std::int64_t batch;
        Direction direction = Direction::forward;
    };
    for (const Case& test :
         {Case{Strategy::serial, 1}, Case{Strategy::serial, 3}, Case{Strategy::hidden_split, 1},
          Case{Strategy::hidden_split, 3}, Case{Strategy::batch_split, 4},
          Case{Strategy::direction_split, 1, Direction::bidirectional}}) {
        SCOPED_TRACE(to_string(test.strategy));
        LongRun run(test.batch, test.direction);
        const auto plan = forced_plan(run.sequence(), test.strategy, test.batch, LongRun::kSteps,
                                      test.strategy == Strategy::serial ? 1 : 2);
        ASSERT_TRUE(plan);
        Team& team = plan->splits() ? static_cast<Team&>(pair) : serial;
        run.run(*plan, team);
    }
}

// Cancelled before it starts: nothing is written.
TEST(SequenceTask, CancelledStacksWriteNoStates) {
    Random random;
    const auto config = sequence_config(default_cell(CellKind::gru, 8, 8), Direction::forward);
    const SequenceData data = random_data(config, 2, 40, random);
    const auto w = floats(data.w), r = floats(data.r), b = floats(data.b), x = floats(data.x);
    const StackedLayer layer{config, {w.data(), r.data(), b.data(), nullptr}};
    const StackedLayer layers[] = {layer, layer};
    const StackedSequence stack(layers, cpu_features().best());
    ThreadTeam pair(2);
    for (const StackedStrategy strategy :
         {StackedStrategy::serial, StackedStrategy::one_by_one, StackedStrategy::batch_split,
          StackedStrategy::wavefront}) {
        const StackedPlan plan = forced_plan(stack, {strategy, 2, 4, 0, 0}, stack.shape(2, 40, 2));
        std::vector<float> ho(16, kUntouched);
        StackedLayerArgs tensors[2];
        tensors[1].ho = ho.data();
        const std::atomic<bool> cancelled{true};
        StackedArgs args{2, 40, x.data(), nullptr, tensors, &cancelled};
        AlignedBytes scratch(plan.scratch_bytes);
        stack.run(plan, args, pair, scratch.data());
        EXPECT_EQ(ho, std::vector<float>(16, kUntouched)) << to_string(strategy);
    }
}

// Steps of no rows do nothing.
TEST(JitCell, NoRows) {
    for (Isa isa : available_isas()) {
        const auto gemm = shared_gemm_kernel(isa);
        const SequenceLayer layer = make_sequence_layer(
            sequence_config(default_cell(CellKind::gru, 24, 40), Direction::forward), 0, isa,
            *gemm);
        CellStepArgs args;
        args.block_end = layer.cell->shape().blocks;
        const PackedCell weights;
        args.weights = &weights;
        layer.cell->run(0, args);
        layer.cell->run(1, args);
    }
}

}  // namespace
}  // namespace rondo::cpu::tests::sequence_task_test
