// The system refuses threads: inferences run on those that there are, or say that there are none.
#include "core/ops/recurrent/recurrent_op.hpp"
#include "rondo/error.hpp"
#include "rondo/rondo.hpp"
#include "tests/faults/fault_models.hpp"
#include "tests/faults/thread_fault.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/forked_child.hpp"
#include "tests/unit/core/streams/pool_models.hpp"
#include "tests/unit/plugins/cpu/recurrent_graph.hpp"

namespace rondo::test::thread_faults_test {
namespace {

// Copies, as a request's next inference writes to the same tensors.
std::vector<Tensor> outputs_of(InferRequest& request, const CompiledModel& compiled) {
    std::vector<Tensor> outputs;
    for (std::size_t i = 0; i < compiled.outputs().size(); ++i) {
        const Tensor output = request.get_output_tensor(i);
        outputs.emplace_back(output.element_type(), output.shape());
        output.copy_to(outputs.back());
    }
    return outputs;
}

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

    // What one thread gives.
    std::vector<Tensor> alone() const {
        CompiledModel compiled = Core().compile_model(Model(made_.graph->clone()), "CPU",
                                                      {{property::kInferenceNumThreads, "1"}});
        InferRequest request = compiled.create_infer_request();
        return infer_once(request, inputs_, compiled.outputs().size());
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
        std::vector<std::vector<Tensor>> results;
        for (int round = 0; round < 20; ++round) {
            for (InferRequest& request : requests) request.start_async();
            for (InferRequest& request : requests) {
                request.wait();
                results.push_back(outputs_of(request, compiled));
            }
        }
        const std::vector<Tensor> expected = alone();
        for (const auto& outputs : results) expect_same(outputs, expected);
        EXPECT_GE(fault.refused(), 1);
        return true;
    }));
}

// A pool needs its threads: without one it isn't made, and another attempt may have one.
TEST_F(ThreadFaults, StreamPoolsAreRefusedAndMayBeTriedAgain) {
    EXPECT_TRUE(succeeds_in_a_child([&] {
        CompiledModel compiled = Core().compile_model(running_sum(), "CPU");
        for (int allowed = 0; allowed < 3; ++allowed) {
            const ThreadFault fault(allowed);
            expect_error<Error>([&] { compiled.create_stream_pool({.threads = 3}); },
                                "the system refused a thread");
            EXPECT_EQ(fault.refused(), 1);
        }
        StreamPool pool = compiled.create_stream_pool({.threads = 3});
        const ThreadFault fault(0);  // a pool that there is starts no other threads
        for (int i = 0; i < 6; ++i) {
            Stream stream = pool.open();
            stream.push({row_of(1, 2)});
            const Tensor sum = stream.push({row_of(3, 4)}).get_output_tensor(0);
            expect_same(sum, row_of(4, 6));
        }
        EXPECT_EQ(fault.refused(), 0);
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
}  // namespace rondo::test::thread_faults_test
