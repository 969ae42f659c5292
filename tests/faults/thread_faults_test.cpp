// The system refuses threads: inferences run on those that there are, or say that there are none.
#include "core/ops/recurrent/lstm_sequence.hpp"
#include "rondo/error.hpp"
#include "rondo/rondo.hpp"
#include "tests/faults/fault_models.hpp"
#include "tests/faults/thread_fault.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/forked_child.hpp"
#include "tests/unit/plugins/cpu/recurrent_graph.hpp"

namespace rondo::test {
namespace {

// Large enough for several threads. TBB keeps its threads for the whole process, so each test has
// a process of its own.
class ThreadFaults : public ::testing::Test {
protected:
    ThreadFaults() {
        RecurrentCase layer;
        layer.attributes.hidden_size = 256;
        layer.batch = 4;
        layer.time = 32;
        made_ = make_recurrent<ops::LSTMSequence>(layer);
        inputs_ = made_.inputs;
    }

    CompiledModel compile(const std::string& streams = "1") const {
        return Core().compile_model(
            Model(made_.graph->clone()), "CPU",
            {{property::kInferenceNumThreads, "8"}, {property::kNumStreams, streams}});
    }

    RecurrentGraph made_;
    std::vector<Tensor> inputs_;
};

TEST_F(ThreadFaults, InferencesRunAlone) {
    EXPECT_TRUE(succeeds_in_a_child([&] {
        const ThreadFault fault(0);
        CompiledModel compiled = compile();
        InferRequest request = compiled.create_infer_request();
        const auto expected = infer_once(request, inputs_, compiled.outputs().size());
        for (int i = 0; i < 50; ++i) {
            expect_same(infer_once(request, inputs_, compiled.outputs().size()), expected);
        }
        EXPECT_GE(fault.refused(), 1);
        return true;
    }));
}

TEST_F(ThreadFaults, AsynchronousOnesAreRefusedAndMayBeTriedAgain) {
    EXPECT_TRUE(succeeds_in_a_child([&] {
        CompiledModel compiled = compile();
        InferRequest request = compiled.create_infer_request();
        const auto expected = infer_once(request, inputs_, compiled.outputs().size());
        {
            const ThreadFault fault(0);
            expect_error<Error>([&] { request.start_async(); }, "the system refused a thread");
            EXPECT_GE(fault.refused(), 1);
            expect_same(infer_once(request, inputs_, compiled.outputs().size()), expected);
        }
        request.start_async();
        request.wait();
        const Tensor output = request.get_output_tensor(0);
        expect_same(output, expected[0]);
        return true;
    }));
}

TEST_F(ThreadFaults, StreamsShareTheThreadsThatThereAre) {
    EXPECT_TRUE(succeeds_in_a_child([&] {
        CompiledModel compiled = compile("4");
        std::vector<InferRequest> requests;
        for (int i = 0; i < 8; ++i) {
            requests.push_back(compiled.create_infer_request());
            for (std::size_t j = 0; j < inputs_.size(); ++j) {
                requests.back().set_input_tensor(j, inputs_[j]);
            }
        }
        const ThreadFault fault(1);
        for (int round = 0; round < 20; ++round) {
            for (InferRequest& request : requests) request.start_async();
            for (InferRequest& request : requests) request.wait();
        }
        EXPECT_GE(fault.refused(), 1);
        return true;
    }));
}

TEST_F(ThreadFaults, AnyNumberOfThreadsGivesTheSameBits) {
    constexpr int kEnough = 4;
    for (int allowed = 0; allowed <= kEnough; ++allowed) {
        EXPECT_TRUE(succeeds_in_a_child([&] {
            const ThreadFault fault(allowed);
            CompiledModel compiled = compile("2");
            InferRequest request = compiled.create_infer_request();
            const auto expected = infer_once(request, inputs_, compiled.outputs().size());
            try {
                request.start_async();
                request.wait();
            } catch (const Error&) {
                return allowed < kEnough;  // TBB has taken those that there were
            }
            expect_same(request.get_output_tensor(0), expected[0]);
            return true;
        })) << allowed;
    }
}

}  // namespace
}  // namespace rondo::test
