#include "rondo/infer_request.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "rondo/core.hpp"
#include "tests/support/emulated.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/forked_child.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/core/runtime/fake_device.hpp"

namespace rondo::test::infer_request_test {
namespace {

InferRequest request_of(const std::shared_ptr<CompiledModel::Impl>& model) {
    return CompiledModel(model).create_infer_request();
}

Tensor input() { return tensor_of<float>({2, 2}, {1, 2, 3, 4}); }

TEST(InferRequest, ComputesIntoItsOwnTensor) {
    auto request = request_of(fake_model());
    request.set_tensor("x", input());
    request.infer();
    expect_near(request.get_tensor("y"), tensor_of<float>({2, 2}, {2, 3, 4, 5}), 0);
    expect_near(request.get_output_tensor(), tensor_of<float>({2, 2}, {2, 3, 4, 5}), 0);
}

TEST(InferRequest, ComputesIntoTheUsersTensor) {
    auto request = request_of(fake_model());
    std::vector<float> memory(4);
    request.set_input_tensor(input());
    request.set_output_tensor(Tensor(ElementType::f32, {2, 2}, memory.data()));
    request.infer();
    EXPECT_EQ(memory, (std::vector<float>{2, 3, 4, 5}));
}

TEST(InferRequest, HonoursAStridedInput) {
    auto request = request_of(fake_model());
    std::vector<float> memory{1, 2, 99, 3, 4, 99};
    request.set_input_tensor(Tensor(ElementType::f32, {2, 2}, memory.data(), {12, 4}));
    request.infer();
    expect_near(request.get_tensor("y"), tensor_of<float>({2, 2}, {2, 3, 4, 5}), 0);
    memory[3] = 7;  // read again each time
    request.infer();
    EXPECT_EQ(request.get_tensor("y").data<float>()[2], 8);
}

TEST(InferRequest, InputsMayGainAndLoseStrides) {
    auto request = request_of(fake_model());
    std::vector<float> memory{10, 20, 99, 30, 40, 99};
    const Tensor strided(ElementType::f32, {2, 2}, memory.data(), {12, 4});
    for (int i = 0; i < 3; ++i) {
        request.set_input_tensor(strided);
        request.infer();
        expect_near(request.get_tensor("y"), tensor_of<float>({2, 2}, {11, 21, 31, 41}), 0);
        request.set_input_tensor(input());
        request.infer();
        request.infer();
        expect_near(request.get_tensor("y"), tensor_of<float>({2, 2}, {2, 3, 4, 5}), 0);
    }
    request.set_input_tensor(strided);
    request.set_input_tensor(input());
    request.infer();
    expect_near(request.get_tensor("y"), tensor_of<float>({2, 2}, {2, 3, 4, 5}), 0);
}

TEST(InferRequest, LetsGoOfInputsThatWereReplaced) {
    auto request = request_of(fake_model());
    for (const Strides& strides : {Strides{12, 4}, Strides{8, 4}}) {
        auto memory = std::make_shared<std::vector<float>>(6);
        const std::weak_ptr<std::vector<float>> watched = memory;
        request.set_input_tensor(Tensor(ElementType::f32, {2, 2}, memory->data(), strides,
                                        std::shared_ptr<const void>(memory)));
        memory.reset();
        request.infer();
        EXPECT_FALSE(watched.expired());
        request.set_input_tensor(input());
        EXPECT_TRUE(watched.expired());
        request.infer();
    }
}

TEST(InferRequest, RefusesAStridedOutput) {
    auto request = request_of(fake_model());
    std::vector<float> memory(6);
    const Tensor strided(ElementType::f32, {2, 2}, memory.data(), {12, 4});
    expect_error<UnsupportedError>([&] { request.set_tensor("y", strided); }, "strides");
}

TEST(InferRequest, NamesWhatIsWrong) {
    auto request = request_of(fake_model());
    expect_error<ModelError>([&] { request.infer(); }, "input 'x' f32[?,2] was not set");
    expect_error<ModelError>([&] { request.set_tensor("z", input()); },
                             "no input or output 'z'; there are: 'x', 'y'");
    expect_error<ModelError>([&] { request.get_tensor("z"); },
                             "no input or output 'z'; there are: 'x', 'y'");
    expect_error<ModelError>([&] { request.get_tensor("y"); }, "call infer() first");
    expect_error<ModelError>([&] { request.get_tensor("x"); }, "its shape is open");
    expect_error<ModelError>([&] { request.set_input_tensor(1, input()); }, "no input 1");
    expect_error<ModelError>([&] { request.set_output_tensor(3, input()); }, "no output 3");
    expect_error<ModelError>(
        [&] {
            request.set_tensor("x", Tensor(ElementType::f32, {2, 3}));
        },
        "input 'x': got f32[2,3]; expected f32[?,2]");
    expect_error<ModelError>(
        [&] {
            request.set_tensor("x", Tensor(ElementType::i64, {2, 2}));
        },
        "input 'x': got i64[2,2]; expected f32[?,2]");
    expect_error<ModelError>([&] { request.set_tensor("x", Tensor()); }, "tensor is empty");
    expect_error<ModelError>([] { InferRequest().infer(); }, "request is empty");
}

TEST(InferRequest, RunsInTheBackground) {
    auto request = request_of(fake_model());
    request.set_tensor("x", input());
    for (int i = 0; i < 100; ++i) {
        request.start_async();
        request.wait();
        EXPECT_EQ(request.get_tensor("y").data<float>()[3], 5);
    }
}

TEST(InferRequest, WaitReturnsAtOnceWhenNothingRuns) {
    auto request = request_of(fake_model());
    request.wait();
    EXPECT_TRUE(request.wait_for(std::chrono::milliseconds(0)));
}

TEST(InferRequest, WaitsAsLongAsIsAsked) {
    using std::chrono::milliseconds;
    auto request = request_of(fake_model(wait_for_cancel));
    request.set_tensor("x", input());
    request.start_async();
    EXPECT_FALSE(request.wait_for(milliseconds::min()));
    std::thread canceller([&] {
        std::this_thread::sleep_for(milliseconds(20));
        request.cancel();
    });
    expect_error<CancelledError>([&] { request.wait_for(milliseconds::max()); }, "cancelled");
    canceller.join();
}

TEST(InferRequest, RefusesASecondUserWhileItRuns) {
    auto request = request_of(fake_model(wait_for_cancel));
    request.set_tensor("x", input());
    request.start_async();
    expect_error<ModelError>([&] { request.infer(); }, "the request is busy");
    expect_error<ModelError>([&] { request.start_async(); }, "the request is busy");
    expect_error<ModelError>([&] { request.set_tensor("x", input()); }, "the request is busy");
    expect_error<ModelError>([&] { request.get_tensor("y"); }, "the request is busy");
    EXPECT_FALSE(request.wait_for(std::chrono::milliseconds(1)));
    request.cancel();
    expect_error<CancelledError>([&] { request.wait(); }, "cancelled");
}

TEST(InferRequest, RefusesTheSecondOfTwoThreads) {
    std::atomic<bool> entered{false};
    std::atomic<bool> leave{false};
    auto request = request_of(fake_model([&](const auto&) {
        entered = true;
        while (!leave) std::this_thread::yield();
    }));
    request.set_tensor("x", input());
    std::thread first([&] { request.infer(); });
    while (!entered) std::this_thread::yield();
    const char* message =
        "the request is busy: wait() for the inference that runs, or use a "
        "request for each thread";
    expect_error<ModelError>([&] { request.infer(); }, message);
    expect_error<ModelError>([&] { request.start_async(); }, message);
    expect_error<ModelError>([&] { request.set_input_tensor(input()); }, message);
    expect_error<ModelError>([&] { request.get_output_tensor(); }, message);
    expect_error<ModelError>([&] { request.set_callback({}); }, message);
    expect_error<ModelError>([&] { request.get_profiling_info(); }, message);
    leave = true;
    first.join();
    EXPECT_EQ(request.get_tensor("y").data<float>()[0], 2);
}

TEST(InferRequest, RunsAgainAfterACancel) {
    std::atomic<bool> wait{true};
    auto request = request_of(fake_model([&](const std::atomic<bool>& cancelled) {
        if (wait) wait_for_cancel(cancelled);
    }));
    request.set_tensor("x", input());
    request.start_async();
    request.cancel();
    expect_error<CancelledError>([&] { request.wait(); }, "cancelled");
    wait = false;
    request.start_async();
    request.wait();
    EXPECT_EQ(request.get_tensor("y").data<float>()[0], 2);
}

TEST(InferRequest, HandsErrorsToWaitAndCallback) {
    auto request = request_of(fake_model([](const auto&) { throw ModelError("broken"); }));
    request.set_tensor("x", input());
    bool seen = false;
    request.set_callback([&](std::exception_ptr error) { seen = error != nullptr; });
    request.start_async();
    expect_error<ModelError>([&] { request.wait(); }, "broken");
    EXPECT_TRUE(seen);
}

TEST(InferRequest, ACallbackMayReadOutputsAndStartAgain) {
    auto request = request_of(fake_model());
    request.set_tensor("x", input());
    std::atomic<int> rounds{0};
    std::atomic<float> last{0};
    request.set_callback([&](std::exception_ptr) {
        last = request.get_tensor("y").data<float>()[0];
        if (++rounds < 10) request.start_async();
    });
    request.start_async();
    while (rounds < 10) std::this_thread::yield();
    request.wait();
    EXPECT_EQ(rounds, 10);
    EXPECT_EQ(last, 2);
}

TEST(InferRequest, ThrowingCallbackReachesWait) {
    auto request = request_of(fake_model());
    request.set_tensor("x", input());
    request.set_callback([](std::exception_ptr) { throw ModelError("from the callback"); });
    request.start_async();
    expect_error<ModelError>([&] { request.wait(); }, "from the callback");
}

TEST(InferRequest, ManyRequestsShareAModel) {
    auto model = CompiledModel(fake_model());
    std::vector<std::thread> threads;
    std::atomic<int> right{0};
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&model, &right] {
            auto request = model.create_infer_request();
            request.set_tensor("x", input());
            for (int i = 0; i < 200; ++i) {
                if (i % 2 == 0) {
                    request.infer();
                } else {
                    request.start_async();
                    request.wait();
                }
                if (request.get_tensor("y").data<float>()[0] == 2) ++right;
            }
        });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(right, 800);
}

// In a forked child, the threads that ran inferences aren't there.
TEST(InferRequest, InferencesThatRunDuringAForkAreRefusedInTheChild) {
    if (test::is_emulated()) GTEST_SKIP() << "an emulator has no threads in forked children";
    for (const bool async : {true, false}) {
        std::atomic<bool> runs{false}, may_end{false};
        auto model = fake_model([&](const auto&) {
            runs = true;
            while (!may_end) std::this_thread::yield();
        });
        auto request = request_of(model);
        request.set_tensor("x", input());
        std::thread caller;
        if (async) {
            request.start_async();
        } else {
            caller = std::thread([&] { request.infer(); });
        }
        while (!runs) std::this_thread::yield();
        EXPECT_TRUE(succeeds_in_a_child([&] {
            may_end = true;
            expect_error<ModelError>([&] { request.infer(); }, "make a new request");
            if (async) {
                const std::string message = "started before this process was forked";
                expect_error<ModelError>([&] { request.wait(); }, message);
                expect_error<ModelError>([&] { request.wait_for(std::chrono::seconds(1)); },
                                         message);
            }
            auto fresh = request_of(model);
            fresh.set_tensor("x", input());
            fresh.infer();
            fresh.start_async();
            fresh.wait();
            expect_near(fresh.get_tensor("y"), tensor_of<float>({2, 2}, {2, 3, 4, 5}), 0);
            return true;
        })) << "async: "
            << async;
        may_end = true;
        async ? request.wait() : caller.join();
        expect_near(request.get_tensor("y"), tensor_of<float>({2, 2}, {2, 3, 4, 5}), 0);
    }
}

TEST(InferRequest, MayBeDroppedWhileItRuns) {
    std::atomic<bool> ended{false};
    {
        auto request = request_of(fake_model([&](const auto&) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            ended = true;
        }));
        request.set_tensor("x", input());
        request.start_async();
    }
    for (int i = 0; i < 500 && !ended; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_TRUE(ended);
}

// s of each type -> y = s, as a scalar and as one element of other ranks.
TEST(InferRequest, AScalarTakesOneElementOfAnyRank) {
    for (const char* device : {"CPU", "REFERENCE"}) {
        for (const ElementType type : {ElementType::boolean, ElementType::f64, ElementType::f32,
                                       ElementType::f16, ElementType::bf16, ElementType::i64,
                                       ElementType::i32, ElementType::i8, ElementType::u8}) {
            GraphBuilder b;
            b.output("y", b.input("s", "[]", type));
            auto request = Core().compile_model(Model(b.graph()), device).create_infer_request();
            for (const Shape& shape : {Shape{1}, Shape{1, 1}, Shape{1, 1, 1}}) {
                Tensor one(type, shape);
                static_cast<unsigned char*>(one.data())[0] = 1;
                request.set_tensor("s", one);
                request.infer();
                expect_same(request.get_tensor("y"), one.reshaped({}));
            }
            expect_error<ModelError>([&] { request.set_tensor("s", Tensor(type, {2})); },
                                     "input 's': got " + std::string(to_string(type)) +
                                         "[2]; expected " + std::string(to_string(type)) + "[]");
        }
    }
}

TEST(InferRequest, AScalarsTensorSharesTheElement) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,1]");
    const Output s = b.input("s", "[]");
    b.output("y", b.make<ops::Binary>("y", ops::BinaryFunction::multiply, x, s));
    auto request = Core().compile_model(Model(b.graph())).create_infer_request();
    request.set_tensor("x", tensor_of<float>({2, 1}, {3, 5}));
    Tensor one = tensor_of<float>({1, 1, 1}, {2});
    request.set_input_tensor(1, one);
    EXPECT_EQ(request.get_tensor("s").shape(), Shape{});
    request.start_async();
    request.wait();
    expect_same(request.get_tensor("y"), tensor_of<float>({2, 1}, {6, 10}));
    one.data<float>()[0] = 4;
    request.infer();
    expect_same(request.get_tensor("y"), tensor_of<float>({2, 1}, {12, 20}));
    request.get_tensor("s").data<float>()[0] = 7;
    EXPECT_EQ(one.data<float>()[0], 7);
}

}  // namespace
}  // namespace rondo::test::infer_request_test
