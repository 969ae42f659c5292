// Every allocation of a stream pool's calls fails once: each call ends in a lack of memory, nothing
// leaks, no state changes, and the same pool works afterwards.
#include "rondo/rondo.hpp"
#include "tests/faults/fail_each.hpp"
#include "tests/faults/fault_models.hpp"
#include "tests/unit/core/streams/pool_models.hpp"

namespace rondo::test::stream_faults_test {
namespace {

// The pool keeps steps and plans, and its thread may do what the calling thread would.
const FaultChecks kShared{.leaves = Leaves::plans, .shares_work = true};

class StreamFaults : public ::testing::Test {
protected:
    static float sum_of(const StreamStep& step) {
        return step.get_output_tensor(0).data<float>()[0];
    }

    CompiledModel compiled_ =
        Core().compile_model(running_sum(), "CPU", {{property::kInferenceNumThreads, "1"}});
    StreamPool pool_ = compiled_.create_stream_pool();
    const Tensor one_ = row_of(1, 2);
};

TEST_F(StreamFaults, APoolsWholeLife) {
    fail_each(
        "a pool's life",
        [&] {
            StreamPool pool = compiled_.create_stream_pool({.max_batch = 2});
            Stream stream = pool.open();
            EXPECT_EQ(sum_of(stream.infer({one_})), 1);
            EXPECT_EQ(sum_of(stream.infer({one_})), 2);
            stream.close();
            pool.close();
        },
        kShared);
}

TEST_F(StreamFaults, Open) {
    fail_each(
        "open", [&] { pool_.open(); }, kShared);
    EXPECT_EQ(sum_of(pool_.open().infer({one_})), 1);
}

// What failed hasn't changed the state, and what succeeded has.
TEST_F(StreamFaults, Infer) {
    Stream stream = pool_.open();
    float expected = 0;
    fail_each(
        "infer",
        [&] {
            const StreamStep step = stream.infer({one_});
            expected += 1;
            EXPECT_EQ(sum_of(step), expected);
        },
        kShared);
    EXPECT_EQ(stream.state().at("sum").data<float>()[0], expected);
}

// A stream of its own each time, so that there is a state to allocate, on whatever thread.
TEST_F(StreamFaults, PushToNewStreams) {
    fail_each(
        "push",
        [&] {
            Stream stream = pool_.open();
            std::vector<StreamStep> steps;
            for (int i = 0; i < 3; ++i) steps.push_back(stream.push({one_}));
            for (std::size_t i = 0; i < steps.size(); ++i) {
                EXPECT_EQ(sum_of(steps[i]), static_cast<float>(i + 1));
            }
        },
        kShared);
}

TEST_F(StreamFaults, State) {
    Stream stream = pool_.open();
    const auto is_whole = [&] {
        const float now = stream.state().at("sum").data<float>()[0];
        return now == 0 || now == 5 || now == 6;
    };
    fail_each("set_state",
              [&] {
                  stream.reset();
                  stream.set_state({{"sum", row_of(5, 5)}});
                  EXPECT_EQ(sum_of(stream.infer({one_})), 6);
              },
              {.leaves = Leaves::plans, .shares_work = true, .is_as_before = is_whole});
    stream.set_state({{"sum", row_of(5, 5)}});
    fail_each(
        "fork",
        [&] {
            Stream other = stream.fork();
            EXPECT_EQ(sum_of(other.infer({one_})), 6);
        },
        kShared);
    fail_each(
        "state", [&] { EXPECT_EQ(stream.state().at("sum").data<float>()[0], 5); }, kShared);
}

TEST_F(StreamFaults, CancelAndStats) {
    Stream stream = pool_.open();
    fail_each(
        "cancel",
        [&] {
            const StreamStep step = stream.push({one_});
            stream.cancel();
            try {
                step.wait();
            } catch (const CancelledError&) {
            }
        },
        kShared);
    fail_each(
        "stats", [&] { pool_.stats(); }, kShared);
    fail_each(
        "warm_up", [&] { pool_.warm_up({one_}); }, kShared);
}

// A stream that there is no memory to close is closed with the next one that opens.
TEST_F(StreamFaults, Close) {
    std::vector<StreamStep> steps;  // kept, so that none can be used again
    for (int i = 0; i < 3; ++i) {
        std::vector<Stream> streams;
        for (int j = 0; j < 3; ++j) streams.push_back(pool_.open());
        for (Stream& stream : streams) steps.push_back(stream.infer({one_}));
        {
            const AllocationFault fault(1, Failing::all);
            streams.clear();
        }
        EXPECT_EQ(pool_.stats().streams, 3u);
        steps.push_back(pool_.open().infer({one_}));
    }
    Stream last = pool_.open();
    for (const StreamStep& step : steps) EXPECT_EQ(sum_of(step), 1);
    last.infer({one_});
    EXPECT_EQ(pool_.stats().streams, 1u);
}

// A pool whose streams have callbacks: each is called once, whatever fails.
TEST_F(StreamFaults, Callbacks) {
    Stream stream = pool_.open();
    std::atomic<int> pushed{0}, called{0};
    fail_each(
        "push with a callback",
        [&] {
            const StreamStep step =
                stream.push(std::vector<Tensor>{one_}, [&](const StreamStep&) { ++called; });
            ++pushed;
            step.wait();
        },
        kShared);
    pool_ = {};
    stream = {};  // waits for what was pushed
    EXPECT_EQ(called, pushed);
}

// The pool's threads lack memory, too.
TEST_F(StreamFaults, OfAllThreads) {
    fail_each("streams on the pool's threads",
              [&] {
                  StreamPool pool = compiled_.create_stream_pool({.max_batch = 4});
                  std::vector<Stream> streams;
                  std::vector<StreamStep> steps;
                  std::atomic<int> called{0};
                  for (int i = 0; i < 3; ++i) streams.push_back(pool.open());
                  for (int round = 0; round < 3; ++round) {
                      for (Stream& stream : streams) {
                          steps.push_back(stream.push(std::vector<Tensor>{one_},
                                                      [&](const StreamStep&) { ++called; }));
                      }
                  }
                  for (const StreamStep& step : steps) step.wait();
                  for (std::size_t i = 0; i < steps.size(); ++i) {
                      EXPECT_EQ(sum_of(steps[i]), static_cast<float>(i / streams.size() + 1));
                  }
              },
              {Leaves::plans, Reach::all_threads});
}

}  // namespace
}  // namespace rondo::test::stream_faults_test
