// Children that are forked from a process with threads: each works as a new process does, or is
// refused by name, and none hangs (succeeds_in_a_child() ends those that do).
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "core/ops/recurrent/recurrent_op.hpp"
#include "rondo/error.hpp"
#include "rondo/rondo.hpp"
#include "rondo/stream_pool.hpp"
#include "tests/faults/fault_models.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/forked_child.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/unit/core/ir/ir_files.hpp"
#include "tests/unit/plugins/cpu/recurrent_graph.hpp"

namespace rondo::test::fork_test {
namespace {

// A layer that is split over two threads.
class ForkedChild : public ::testing::Test {
protected:
    void SetUp() override {
        if (kIsThreadSanitized) GTEST_SKIP() << "the thread sanitizer knows no threads of children";
        RecurrentCase layer;
        layer.attributes.hidden_size = 64;
        layer.batch = 16;
        layer.time = 30;
        made = make_recurrent<ops::LSTMSequence>(layer);
        compiled = compile();
        request = compiled.create_infer_request();
        expected = infer(request);
    }

    CompiledModel compile() const {
        return core.compile_model(
            Model(made.graph), "CPU",
            {{property::kInferenceNumThreads, "4"}, {property::kNumStreams, "2"}});
    }

    void set_inputs(InferRequest& one) const {
        for (std::size_t i = 0; i < made.inputs.size(); ++i) {
            one.set_input_tensor(i, made.inputs[i]);
        }
    }

    std::vector<Tensor> infer(InferRequest& one) const {
        return infer_once(one, made.inputs, made.graph->results().size());
    }

    void expect_inference(CompiledModel model) const {
        InferRequest one = model.create_infer_request();
        expect_same(infer(one), expected);
    }

    void expect_async_inference(InferRequest one) const {
        set_inputs(one);
        one.start_async();
        one.wait();
        expect_same(one.get_output_tensor(0), expected[0]);
    }

    // All that a process does with a model.
    void expect_all_works(CompiledModel model) const {
        expect_inference(model);
        expect_async_inference(model.create_infer_request());
        expect_inference(compile());
        expect_async_inference(compile().create_infer_request());
    }

    RecurrentGraph made;
    Core core;
    CompiledModel compiled;
    InferRequest request;
    std::vector<Tensor> expected;
};

TEST_F(ForkedChild, InfersWithWhatTheParentMade) {
    EXPECT_TRUE(succeeds_in_a_child([&] {
        expect_same(infer(request), expected);
        expect_all_works(compiled);
        return true;
    }));
    expect_all_works(compiled);
}

TEST_F(ForkedChild, InfersInTheBackgroundAsTheParentDid) {
    for (int i = 0; i < 4; ++i) expect_async_inference(compiled.create_infer_request());
    request.start_async();
    request.wait();
    EXPECT_TRUE(succeeds_in_a_child([&] {
        request.wait();  // there is nothing to wait for
        EXPECT_TRUE(request.wait_for(std::chrono::milliseconds(1)));
        expect_async_inference(request);
        expect_all_works(compiled);
        return true;
    }));
    expect_async_inference(request);
}

TEST_F(ForkedChild, DropsWhatTheParentMade) {
    EXPECT_TRUE(succeeds_in_a_child([&] {
        request = {};
        compiled = {};
        core = Core();
        expect_inference(compile());
        return true;
    }));
}

// A thread of the parent that was woken at its end may not run yet at the fork.
TEST_F(ForkedChild, DropsARequestThatAThreadOfTheParentWaitsFor) {
    std::atomic<bool> stops{false};
    std::thread waits([&] {
        while (!stops) {
            request.start_async();
            request.wait();
        }
    });
    for (int i = 0; i < 300; ++i) {
        EXPECT_TRUE(succeeds_in_a_child([&] {
            request = {};
            return true;
        })) << "child "
            << i;
    }
    stops = true;
    waits.join();
}

TEST_F(ForkedChild, HasChildrenItself) {
    EXPECT_TRUE(succeeds_in_a_child([&] {
        expect_all_works(compiled);
        return succeeds_in_a_child([&] {
            expect_all_works(compiled);
            return true;
        });
    }));
}

// By exit(), which runs the destructors of static objects.
TEST_F(ForkedChild, EndsAsAnyProcess) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(20);
        expect_all_works(compiled);
        std::exit(::testing::Test::HasFailure() ? 1 : 0);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST_F(ForkedChild, IsRefusedWhatRunsInTheParent) {
    std::atomic<bool> may_end{false};
    request.set_callback([&](std::exception_ptr) {
        while (!may_end) std::this_thread::yield();
    });
    request.start_async();
    EXPECT_TRUE(succeeds_in_a_child([&] {
        const char* const text = "was started before this process was forked";
        expect_error<ModelError>([&] { request.wait(); }, text);
        expect_error<ModelError>([&] { request.start_async(); }, "forked");
        request.cancel();
        expect_all_works(compiled);
        return true;
    }));
    may_end = true;
    request.wait();
}

// The parent's threads infer, plan new shapes, compile, and make and drop requests at every moment
// of a fork.
TEST_F(ForkedChild, WorksWhateverTheParentsThreadsDid) {
    std::atomic<bool> stops{false};
    std::vector<std::thread> threads;
    const auto repeat = [&](auto work) {
        threads.emplace_back([&stops, work] {
            while (!stops) work();
        });
    };
    repeat([&] {
        InferRequest one = compiled.create_infer_request();
        for (int i = 0; i < 20; ++i) infer(one);
    });
    repeat([&] { compile(); });
    repeat([&] {
        InferRequest one = compiled.create_infer_request();
        set_inputs(one);
        one.start_async();
        one.wait();
    });
    repeat([&] { core.get_property("CPU", property::kNumStreams); });
    repeat([&] { core.compile_model(path_of(kFaultModels[4])); });
    for (int i = 0; i < 30; ++i) {
        EXPECT_TRUE(succeeds_in_a_child([&] {
            expect_all_works(compiled);
            return true;
        })) << "child "
            << i;
        std::this_thread::sleep_for(std::chrono::milliseconds(i));
    }
    stops = true;
    for (auto& thread : threads) thread.join();
}

TEST_F(ForkedChild, RunsTheFaultModels) {
    for (const FaultModel& model : kFaultModels) {
        CompiledModel own = core.compile_model(path_of(model));
        const auto inputs = inputs_of(own.inputs(), 3);
        InferRequest before = own.create_infer_request();
        const auto outputs = infer_once(before, inputs, own.outputs().size());
        EXPECT_TRUE(succeeds_in_a_child([&] {
            InferRequest one = own.create_infer_request();
            expect_same(infer_once(one, inputs, own.outputs().size()), outputs);
            return true;
        })) << model.name;
    }
}

TEST_F(ForkedChild, MakesStreamPoolsOfItsOwn) {
    CompiledModel model = core.compile_model(path_of(kFaultModels[1]));
    const auto inputs = inputs_of(model.inputs(), 1);
    const auto step = [&](StreamPool& pool) {
        const StreamStep done = pool.open().infer(inputs);
        return std::vector<Tensor>{done.get_output_tensor(0)};
    };
    StreamPool pool = model.create_stream_pool();
    const auto first = step(pool);
    Stream open = pool.open();
    EXPECT_TRUE(succeeds_in_a_child([&] {
        expect_error<ModelError>([&] { open.push(inputs); }, "forked");
        expect_error<ModelError>([&] { pool.open(); }, "forked");
        StreamPool own = model.create_stream_pool();
        expect_same(step(own), first);
        own.close();
        open.close();
        pool.close();
        return true;
    }));
    expect_same(step(pool), first);
}

// While the parent's threads push and wait.
TEST_F(ForkedChild, DropsStreamsAndStepsOfTheParent) {
    CompiledModel model = core.compile_model(path_of(kFaultModels[1]));
    const auto inputs = inputs_of(model.inputs(), 1);
    StreamPool pool = model.create_stream_pool();
    Stream stream = pool.open();
    StreamStep step = stream.push(inputs);
    std::atomic<bool> stops{false};
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i) {
        threads.emplace_back([&] {
            Stream own = pool.open();
            while (!stops) own.push(inputs).wait_for(std::chrono::seconds(20));
        });
    }
    for (int i = 0; i < 100; ++i) {
        EXPECT_TRUE(succeeds_in_a_child([&] {
            step.cancel();
            step = {};
            expect_error<ModelError>([&] { pool.warm_up(inputs); }, "forked");
            stream = {};
            pool = {};
            EXPECT_EQ(model.metrics().running, 0U);
            return true;
        })) << "child "
            << i;
    }
    stops = true;
    for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace rondo::test::fork_test
