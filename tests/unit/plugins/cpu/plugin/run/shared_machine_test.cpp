// Teams on a machine that others use: idle ones leave the cores alone, busy ones get done.
#include <gtest/gtest.h>

#include <cstring>

#include "core/ops/recurrent/recurrent_op.hpp"
#include "plugins/cpu/plugin/threads/tbb_team.hpp"
#include "rondo/core.hpp"
#include "tests/support/busy_process.hpp"
#include "tests/support/idle_cpu.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/unit/plugins/cpu/recurrent_graph.hpp"

namespace rondo::test::shared_machine_test {
namespace {

struct TeamCase {
    const char* strategy;  // where an LSTM of these sizes runs on two threads
    std::int64_t hidden;
    std::size_t batch, time;
    ops::Direction direction = ops::Direction::forward;
};

constexpr TeamCase kCases[] = {
    {"hidden_split", 256, 1, 20},
    {"batch_split", 64, 16, 30},
    {"direction_split", 96, 1, 40, ops::Direction::bidirectional},
};

RecurrentGraph layer_of(const TeamCase& test) {
    RecurrentCase layer;
    layer.attributes.hidden_size = test.hidden;
    layer.attributes.direction = test.direction;
    layer.batch = test.batch;
    layer.time = test.time;
    layer.open_shapes = false;
    return make_recurrent<ops::LSTMSequence>(layer);
}

InferRequest request_of(const RecurrentGraph& layer, int threads) {
    const Properties properties = {{property::kInferenceNumThreads, std::to_string(threads)},
                                   {property::kPerfCount, "YES"}};
    auto request =
        Core().compile_model(Model(layer.graph), "CPU", properties).create_infer_request();
    for (std::size_t i = 0; i < layer.inputs.size(); ++i) {
        request.set_input_tensor(i, layer.inputs[i]);
    }
    request.infer();
    return request;
}

void expect_strategy(InferRequest& request, const std::string& strategy) {
    for (const ProfilingInfo& row : request.get_profiling_info()) {
        if (row.node_name != "layer") continue;
        EXPECT_NE(row.exec_type.find(strategy), std::string::npos) << row.exec_type;
    }
}

// A worker that spins until there is work would use all of a core.
TEST(SharedMachine, IdleTeamsUseNoProcessorTime) {
    constexpr std::chrono::milliseconds kIdle{200};
    constexpr double kMicroseconds = 5e3;
    if (kIsThreadSanitized) GTEST_SKIP() << "the sanitizer looks up names for reports meanwhile";
    for (const TeamCase& test : kCases) {
        InferRequest request = request_of(layer_of(test), 2);
        expect_strategy(request, test.strategy);
        for (int i = 0; i < 50; ++i) request.infer();
        EXPECT_LT(idle_cpu_microseconds(kIdle), kMicroseconds) << test.strategy;
    }
}

// Threads lose their cores in the middle of a step, again and again: a test that hangs has failed.
TEST(SharedMachine, InferencesEndBesideBusyProcesses) {
    std::vector<std::unique_ptr<BusyProcess>> busy;
    for (int i = 0; i < cpu::available_cores() && i < 4; ++i) {
        busy.push_back(std::make_unique<BusyProcess>());
    }
    for (const TeamCase& test : kCases) {
        const RecurrentGraph layer = layer_of(test);
        InferRequest alone = request_of(layer, 1);
        InferRequest request = request_of(layer, 2);
        expect_strategy(request, test.strategy);
        for (int i = 0; i < 20; ++i) request.infer();
        const Tensor expected = alone.get_output_tensor(), got = request.get_output_tensor();
        ASSERT_EQ(got.byte_size(), expected.byte_size());
        EXPECT_EQ(std::memcmp(got.data(), expected.data(), got.byte_size()), 0) << test.strategy;
    }
}

}  // namespace
}  // namespace rondo::test::shared_machine_test
