#include "core/runtime/device_adapter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <new>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "rondo/stream_pool.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/unit/core/runtime/fake_device.hpp"
#include "tests/unit/core/runtime/fake_plugin.hpp"

namespace rondo::test::device_adapter_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Key;
using testing::Not;
using testing::Pair;

Model identity() { return Model(identity_graph()); }

// x -> y = sum, the sum of all x so far; `init`: it starts from the first x instead of zeros.
Model sum_model(const char* shape = "[1,2]", bool init = false) {
    GraphBuilder b;
    const Output x = b.input("x", shape);
    const Output before =
        b.read("sum", shape, init ? std::vector<Output>{x} : std::vector<Output>{});
    const Output sum = b.make<ops::Binary>("add", ops::BinaryFunction::add, before, x);
    b.assign("sum", sum);
    b.output("y", sum);
    return Model(b.graph());
}

Tensor sum_of(const Tensor& a, const Tensor& b) {
    Tensor sum(ElementType::f32, b.shape());
    for (std::size_t i = 0; i < sum.size(); ++i) {
        sum.data<float>()[i] = a.data<float>()[i] + b.data<float>()[i];
    }
    return sum;
}

// What a device of sum_model() does.
void run_sum(DeviceInference& inference) {
    const Tensor& before = inference.variables[0].value;
    const Tensor& x = inference.inputs[0];
    inference.outputs[0] = sum_of(before ? before : x, x);
    inference.variables[0].next = inference.outputs[0];
}

void run_identity(DeviceInference& inference) { inference.outputs = inference.inputs; }

InferRequest request_of(CompiledModel compiled) {
    InferRequest request = compiled.create_infer_request();
    request.set_input_tensor(tensor_of<float>({1, 2}, {3, 4}));
    return request;
}

InferRequest request_of(const std::function<void(DeviceInference&)>& run) {
    return request_of(compiled_by_fake(identity(), {run}));
}

// Expects an inference to throw exactly a Kind.
template <typename Kind = Error>
void expect_run_error(const std::function<void(DeviceInference&)>& run, std::string_view text) {
    InferRequest request = request_of(run);
    expect_error<Kind>([&] { request.infer(); }, text);
}

TEST(DeviceAdapter, RunsAModel) {
    InferRequest request = request_of(run_identity);
    request.infer();
    expect_same(request.get_output_tensor(), tensor_of<float>({1, 2}, {3, 4}));
}

TEST(DeviceAdapter, CopiesAnOutputThatIsAnInput) {
    InferRequest request = request_of(run_identity);
    request.infer();
    request.get_input_tensor().data<float>()[0] = 7;
    EXPECT_EQ(request.get_output_tensor().data<float>()[0], 3);
}

TEST(DeviceAdapter, KeepsAnOutputOfTheDevice) {
    const Tensor own = tensor_of<float>({1, 2}, {5, 6});
    InferRequest request = request_of([&](DeviceInference& one) { one.outputs[0] = own; });
    request.infer();
    EXPECT_EQ(std::as_const(own).data(), request.get_output_tensor().data());
}

TEST(DeviceAdapter, FillsABoundOutput) {
    InferRequest request = request_of(run_identity);
    Tensor bound(ElementType::f32, {1, 2});
    request.set_output_tensor(0, bound);
    request.infer();
    expect_same(bound, tensor_of<float>({1, 2}, {3, 4}));
    EXPECT_EQ(request.get_output_tensor().data(), bound.data());

    InferRequest other = request_of(run_identity);
    other.set_output_tensor(0, Tensor(ElementType::f32, {3, 2}));
    expect_error<ModelError>(
        [&] { other.infer(); },
        "output 'y' f32[?,2]: the output tensor is f32[3,2]; expected f32[1,2]");
}

TEST(DeviceAdapter, LeavesWhatTheDeviceWroteToABoundOutput) {
    InferRequest request =
        request_of([](DeviceInference& one) { one.outputs[0].data<float>()[1] = 9; });
    const Tensor bound(ElementType::f32, {1, 2});
    request.set_output_tensor(0, bound);
    request.infer();
    expect_same(bound, tensor_of<float>({1, 2}, {0, 9}));
}

TEST(DeviceAdapter, MakesStridedOutputsDense) {
    Tensor memory = tensor_of<float>({4}, {1, 2, 3, 4});
    const Tensor strided(ElementType::f32, {2, 2}, memory.data(), Strides{4, 8});
    InferRequest request = request_of([&](DeviceInference& one) { one.outputs[0] = strided; });
    request.infer();
    expect_same(request.get_output_tensor(), tensor_of<float>({2, 2}, {1, 3, 2, 4}));
}

TEST(DeviceAdapter, RefusesWrongOutputs) {
    expect_run_error([](DeviceInference&) {}, "device FAKE: left output 'y' f32[?,2] empty");
    expect_run_error(
        [](DeviceInference& one) {
            one.outputs[0] = Tensor(ElementType::f64, {1, 2});
        },
        "device FAKE: gave f64[1,2] for output 'y' f32[?,2]");
    expect_run_error(
        [](DeviceInference& one) {
            one.outputs[0] = Tensor(ElementType::f32, {2, 3});
        },
        "device FAKE: gave f32[2,3] for output 'y' f32[?,2]");
    expect_run_error([](DeviceInference& one) { one.outputs.clear(); },
                     "device FAKE: gave 0 outputs; expected 1");
}

TEST(DeviceAdapter, RefusesMissingObjects) {
    FakeBehaviour does{run_identity};
    does.create_request = [] { return nullptr; };
    CompiledModel compiled = compiled_by_fake(identity(), does);
    expect_error<Error>([&] { compiled.create_infer_request(); }, "device FAKE: made no request");
    does.compile = [](const Model&, const Properties&) { return nullptr; };
    expect_error<Error>([&] { compiled_by_fake(identity(), does); },
                        "device FAKE: compiled no model");
}

TEST(DeviceAdapter, NamesTheDeviceInErrorsOfRuns) {
    expect_run_error<ModelError>([](auto&) { throw ModelError("bad"); }, "device FAKE: bad");
    expect_run_error<CancelledError>([](auto&) { throw CancelledError("over"); },
                                     "device FAKE: over");
    expect_run_error<OutOfMemoryError>([](auto&) { throw std::bad_alloc(); },
                                       "device FAKE: out of memory");
    expect_run_error([](auto&) { throw std::runtime_error("two\nlines"); },
                     "device FAKE: two?lines");
    expect_run_error([](auto&) { throw 42; },
                     "device FAKE: threw what is neither an Error nor a std::exception");
}

// Each function throws in turn.
TEST(DeviceAdapter, NamesTheDeviceInAllErrors) {
    const FakeBehaviour good{run_identity};
    FakeBehaviour bad = good;
    bad.version = []() -> Version { throw 1; };
    expect_error<Error>([&] { fake_plugin(bad).plugin()->version(); }, "device FAKE: threw");
    bad = good;
    bad.properties = []() -> Properties { throw 1; };
    expect_error<Error>([&] { fake_plugin(bad).property("X"); }, "device FAKE: threw");
    bad = good;
    bad.properties = [] { return Properties{{"X", "1"}}; };
    bad.check_property = [](const std::string& name) { throw ModelError(name + " is odd"); };
    expect_error<ModelError>(
        [&] {
            fake_plugin(bad).set_properties({{"X", "2"}});
        },
        "device FAKE: X is odd");
    bad = good;
    bad.compile = [](const Model&, const Properties&) -> std::unique_ptr<DeviceModel> {
        throw UnsupportedError("node 'a' can't run");
    };
    expect_error<UnsupportedError>([&] { compiled_by_fake(identity(), bad); },
                                   "device FAKE: node 'a' can't run");
    bad = good;
    bad.create_request = []() -> std::unique_ptr<DeviceRequest> { throw 1; };
    bad.kernels = []() -> std::vector<KernelInfo> { throw 1; };
    bad.runtime_model = []() -> Model { throw 1; };
    CompiledModel compiled = compiled_by_fake(identity(), bad);
    expect_error<Error>([&] { compiled.create_infer_request(); }, "device FAKE: threw");
    expect_error<Error>([&] { compiled.kernels(); }, "device FAKE: threw");
    expect_error<Error>([&] { compiled.runtime_model(); }, "device FAKE: threw");
    bad = good;
    bad.model_properties = []() -> Properties { throw 1; };
    expect_error<Error>([&] { compiled_by_fake(identity(), bad); }, "device FAKE: threw");
    bad = good;
    bad.profiling = []() -> std::vector<ProfilingInfo> { throw 1; };
    expect_error<Error>([&] { request_of(compiled_by_fake(identity(), bad)).get_profiling_info(); },
                        "device FAKE: threw");
}

TEST(DeviceAdapter, KeepsTheVariables) {
    InferRequest request = request_of(compiled_by_fake(sum_model(), {run_sum}));
    request.infer();
    request.infer();
    expect_same(request.get_output_tensor(), tensor_of<float>({1, 2}, {6, 8}));
    auto state = request.query_state().at(0);
    EXPECT_EQ(state.get_name(), "sum");
    expect_same(state.get_state(), tensor_of<float>({1, 2}, {6, 8}));
    state.set_state(tensor_of<float>({1, 2}, {10, 20}));
    request.infer();
    expect_same(request.get_output_tensor(), tensor_of<float>({1, 2}, {13, 24}));
    request.reset_state();
    expect_same(state.get_state(), tensor_of<float>({1, 2}, {0, 0}));
}

TEST(DeviceAdapter, AVariableMayStartFromItsInitInput) {
    InferRequest request = request_of(compiled_by_fake(sum_model("[1,2]", true), {run_sum}));
    request.infer();
    expect_same(request.get_output_tensor(), tensor_of<float>({1, 2}, {6, 8}));
    request.infer();
    expect_same(request.get_output_tensor(), tensor_of<float>({1, 2}, {9, 12}));
}

TEST(DeviceAdapter, ARunThatFailsChangesNoVariable) {
    int turn = 0;
    InferRequest request = request_of(compiled_by_fake(sum_model(), {[&](DeviceInference& one) {
                                                           run_sum(one);
                                                           if (++turn == 2) throw ModelError("bad");
                                                           if (turn == 3) one.outputs[0] = {};
                                                       }}));
    request.infer();
    expect_error<ModelError>([&] { request.infer(); }, "device FAKE: bad");
    expect_error<Error>([&] { request.infer(); }, "device FAKE: left output 'y'");
    expect_same(request.query_state()[0].get_state(), tensor_of<float>({1, 2}, {3, 4}));
    request.infer();
    expect_same(request.get_output_tensor(), tensor_of<float>({1, 2}, {6, 8}));
}

TEST(DeviceAdapter, RefusesWrongVariables) {
    const auto expect_refusal = [](const std::function<void(DeviceInference&)>& change,
                                   std::string_view text) {
        InferRequest request = request_of(compiled_by_fake(sum_model(), {[&](DeviceInference& one) {
                                                               run_sum(one);
                                                               change(one);
                                                           }}));
        expect_error<Error>([&] { request.infer(); }, text);
        expect_same(request.query_state()[0].get_state(), tensor_of<float>({1, 2}, {0, 0}));
    };
    expect_refusal([](DeviceInference& one) { one.variables[0].next = {}; },
                   "device FAKE: gave no next value for variable 'sum'");
    expect_refusal([](DeviceInference& one) { one.variables.clear(); },
                   "device FAKE: gave no next value for variable 'sum'");
    expect_refusal(
        [](DeviceInference& one) {
            one.variables[0].next = Tensor(ElementType::f16, {1, 2});
        },
        "device FAKE: gave f16[1,2] for variable 'sum' f32[1,2]");
    expect_refusal(
        [](DeviceInference& one) {
            one.variables[0].next = Tensor(ElementType::f32, {2, 2});
        },
        "device FAKE: gave f32[2,2] for variable 'sum' f32[1,2]");
}

TEST(DeviceAdapter, CopiesAnOutputThatIsAVariable) {
    InferRequest request = request_of(compiled_by_fake(sum_model(), {[](DeviceInference& one) {
                                                           run_sum(one);
                                                           one.outputs[0] = one.variables[0].value;
                                                       }}));
    request.infer();
    request.infer();
    const Tensor before = request.get_output_tensor();
    request.reset_state();
    expect_same(before, tensor_of<float>({1, 2}, {3, 4}));
}

TEST(DeviceAdapter, StreamsKeepTheirStates) {
    StreamPool pool =
        compiled_by_fake(sum_model("[?,2]"), {run_sum}).create_stream_pool(StreamPoolOptions());
    EXPECT_EQ(pool.stats().why_not_batched, "");
    Stream a = pool.open();
    Stream b = pool.open();
    for (int i = 0; i < 3; ++i) {
        const StreamStep one = a.push({tensor_of<float>({1, 2}, {1, 2})});
        const StreamStep other = b.push({tensor_of<float>({1, 2}, {10, 20})});
        const float n = static_cast<float>(i + 1);
        expect_same(one.get_output_tensor(), tensor_of<float>({1, 2}, {n, 2 * n}));
        expect_same(other.get_output_tensor(), tensor_of<float>({1, 2}, {10 * n, 20 * n}));
    }
}

TEST(DeviceAdapter, PassesTheDevicesOwnSettings) {
    Properties seen;
    FakeBehaviour does{run_identity};
    does.properties = [] {
        return Properties{{"SPEED", "1"}, {"MAX_NODES", "7"}, {"FULL_DEVICE_NAME", "x"}};
    };
    does.compile = [&](const Model&, const Properties& properties) {
        seen = properties;
        return std::make_unique<FakeDeviceModel>(FakeBehaviour{run_identity});
    };
    compiled_by_fake(identity(), does, {{"SPEED", "2"}});
    EXPECT_THAT(seen, ElementsAre(Pair("MAX_NODES", "7"), Pair("SPEED", "2")));
}

TEST(DeviceAdapter, AddsWhatEachDeviceHas) {
    FakeBehaviour does{run_identity};
    const Device device = fake_plugin(does);
    EXPECT_EQ(device.property(property::kFullDeviceName), "a fake");
    EXPECT_EQ(device.property(property::kExecutionDevices), "FAKE");
    EXPECT_EQ(device.plugin()->version().build_number, "1");
    CompiledModel compiled = compiled_by_fake(identity(), does);
    EXPECT_EQ(compiled.get_property(property::kOptimalNumberOfInferRequests), "1");
    does.model_properties = [] { return Properties{{"NUM_STREAMS", "3"}}; };
    compiled = compiled_by_fake(identity(), does);
    EXPECT_EQ(compiled.get_property(property::kNumStreams), "3");
    EXPECT_EQ(compiled.get_property(property::kOptimalNumberOfInferRequests), "3");
}

TEST(DeviceAdapter, ShowsTheModelThatRuns) {
    FakeBehaviour does{run_identity};
    EXPECT_EQ(compiled_by_fake(identity(), does).runtime_model().to_text(), identity().to_text());
    does.runtime_model = [] { return sum_model(); };
    EXPECT_EQ(compiled_by_fake(identity(), does).runtime_model().to_text(), sum_model().to_text());
    does.kernels = [] { return std::vector<KernelInfo>{{"y", "Fake", "fast", "test"}}; };
    EXPECT_EQ(compiled_by_fake(identity(), does).kernels().at(0).kernel, "fast");
    does.profiling = [] { return std::vector<ProfilingInfo>(2); };
    EXPECT_EQ(request_of(compiled_by_fake(identity(), does)).get_profiling_info().size(), 2u);
}

TEST(DeviceAdapter, TheModelIsThePluginsOwn) {
    FakeBehaviour does{run_identity};
    does.compile = [](Model model, const Properties&) {
        model.set_batch(Dimension(9));
        return std::make_unique<FakeDeviceModel>(FakeBehaviour{run_identity});
    };
    EXPECT_EQ(compiled_by_fake(identity(), does).input("x").shape, PartialShape::parse("[?,2]"));
}

TEST(DeviceAdapter, CancelReachesTheDevice) {
    std::promise<void> started;
    InferRequest request = request_of([&](DeviceInference& one) {
        started.set_value();
        wait_for_cancel(*one.cancelled);
    });
    request.start_async();
    started.get_future().wait();
    request.cancel();
    expect_error<CancelledError>([&] { request.wait(); }, "device FAKE: the inference was");
}

}  // namespace
}  // namespace rondo::test::device_adapter_test
