// The limits as properties, from the text to the error that names it.
#include "core/runtime/properties/property_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/support/strings.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/support/source_dir.hpp"

namespace rondo::test::limit_properties_test {
namespace {

const std::string kLstm = RONDO_SOURCE_DIR "/tests/data/ir/lstm_model.xml";
constexpr const char* kDevices[] = {"CPU", "REFERENCE"};

TEST(LimitProperties, EachHasADefaultThatItAccepts) {
    const Properties all = limit_properties();
    EXPECT_EQ(all.size(), 9u);
    for (const auto& [name, value] : all) EXPECT_TRUE(check_limit(name, value)) << name;
    EXPECT_FALSE(check_limit(property::kNumStreams, "x"));
    const ModelLimits read = limits_of(all);
    EXPECT_EQ(read.nodes, ModelLimits{}.nodes);
    EXPECT_EQ(read.compile_time, ModelLimits{}.compile_time);
    for (const char* device : kDevices) {
        for (const auto& [name, value] : all) {
            EXPECT_EQ(Core().get_property(device, name), value) << device << " " << name;
        }
    }
}

TEST(LimitProperties, ValuesAreRead) {
    const ModelLimits limits = limits_of({{property::kMaxDepth, "1"},
                                          {property::kMaxLoopDepth, "2"},
                                          {property::kMaxNodes, "3"},
                                          {property::kMaxIterations, "4"},
                                          {property::kMaxConstantBytes, "10"},
                                          {property::kMaxFoldedBytes, "5"},
                                          {property::kMaxTensorBytes, "6"},
                                          {property::kMaxPlanBytes, "7"},
                                          {property::kMaxCompileTime, "8"},
                                          {property::kNumStreams, "9"}});
    EXPECT_EQ(limits.depth, 1u);
    EXPECT_EQ(limits.loop_depth, 2u);
    EXPECT_EQ(limits.nodes, 3u);
    EXPECT_EQ(limits.iterations, 4u);
    EXPECT_EQ(limits.constant_bytes, 10u);
    EXPECT_EQ(limits.folded_bytes, 5u);
    EXPECT_EQ(limits.tensor_bytes, 6u);
    EXPECT_EQ(limits.plan_bytes, 7u);
    EXPECT_EQ(limits.compile_time.count(), 8);
}

TEST(LimitProperties, BadValuesAreRefused) {
    Core core;
    const auto expect_bad = [&](const char* name, const char* value, const char* expected) {
        expect_error<ModelError>(
            [&] {
                core.set_property("CPU", {{name, value}});
            },
            "property '" + std::string(name) + "': got '" + value +
                "'; expected a number from 0 to " + expected);
    };
    expect_bad(property::kMaxNodes, "-1", "9223372036854775807");
    expect_bad(property::kMaxNodes, "many", "9223372036854775807");
    expect_bad(property::kMaxDepth, "101", "100");
    expect_bad(property::kMaxLoopDepth, "17", "16");
    expect_bad(property::kMaxCompileTime, "1000000001", "1000000000");
}

// What was set for the device CPU holds for read_model(), what compile_model() gets for its own
// reading.
TEST(LimitProperties, NodesAreCountedWhereAModelIsRead) {
    Core core;
    EXPECT_NO_THROW(core.compile_model(kLstm, "CPU", {{property::kMaxNodes, "100"}}));
    expect_error<UnsupportedError>(
        [&] {
            core.compile_model(kLstm, "CPU", {{property::kMaxNodes, "2"}});
        },
        "lstm_model.xml: the model '");
    core.set_property("CPU", {{property::kMaxNodes, "2"}});
    expect_error<UnsupportedError>([&] { core.read_model(kLstm); },
                                   "the limit is 2 (property 'MAX_NODES')");
    core.set_property("CPU", {{property::kMaxNodes, "100"}});
    EXPECT_NO_THROW(core.read_model(kLstm));
}

// Models of both formats have one body.
TEST(LimitProperties, BodiesAreCountedWhereAModelIsRead) {
    const Core core;
    const std::string data = RONDO_SOURCE_DIR "/tests/data/";
    const auto compile = [&](const std::string& path, const char* name, const char* limit) {
        core.compile_model(data + path, "CPU", {{name, limit}});
    };
    const std::string choice = "ir/openvino_if.xml", loop = "ir/openvino_loop.xml";
    const std::string onnx = "exporters/tf2onnx_15_gru_all/model.onnx";
    for (const std::string& path : {choice, loop, onnx}) {
        EXPECT_NO_THROW(compile(path, property::kMaxDepth, "1")) << path;
        expect_error<UnsupportedError>(
            [&] { compile(path, property::kMaxDepth, "0"); },
            "bodies are nested too deep; the limit is 0 (property 'MAX_DEPTH')");
    }
    EXPECT_NO_THROW(compile(choice, property::kMaxLoopDepth, "0"));
    for (const std::string& path : {loop, onnx}) {
        EXPECT_NO_THROW(compile(path, property::kMaxLoopDepth, "1")) << path;
        expect_error<UnsupportedError>(
            [&] { compile(path, property::kMaxLoopDepth, "0"); },
            "loops are nested too deep; the limit is 0 (property 'MAX_LOOP_DEPTH')");
    }
}

TEST(LimitProperties, WeightsAreTensors) {
    const Core core;
    EXPECT_NO_THROW(core.compile_model(kLstm, "CPU", {{property::kMaxTensorBytes, "1000000"}}));
    expect_error<ModelError>(
        [&] {
            core.compile_model(kLstm, "CPU", {{property::kMaxTensorBytes, "20"}});
        },
        "(Const): the constant has ");
}

// An input of any length, and one node that makes 5 times its bytes.
Model widening() {
    GraphBuilder b;
    const Output x = b.input("x", "[1,?]");
    const Output relu = b.make<ops::Unary>("relu", ops::UnaryFunction::relu, x);
    const Output many = b.constant(tensor_of<float>({5, 1}, {1, 2, 3, 4, 5}));
    const Output wide = b.make<ops::Binary>("wide", ops::BinaryFunction::add, relu, many);
    b.output("y", b.make<ops::Unary>("last", ops::UnaryFunction::exp, wide));
    return Model(b.graph());
}

void infer(CompiledModel compiled, const Shape& shape) {
    InferRequest request = compiled.create_infer_request();
    Tensor input(ElementType::f32, shape);
    std::fill_n(input.data<float>(), input.size(), 0.5F);
    request.set_input_tensor(0, input);
    request.infer();
}

TEST(LimitProperties, OutputsOfNodesAreTensors) {
    const Core core;
    for (const char* device : kDevices) {
        const Properties limit{{property::kMaxTensorBytes, "200"}};
        CompiledModel compiled = core.compile_model(widening(), device, limit);
        EXPECT_EQ(compiled.get_property(property::kMaxTensorBytes), "200");
        EXPECT_NO_THROW(infer(compiled, {1, 10}));  // 5 x 10 numbers
        expect_error<ModelError>(
            [&] {
                infer(compiled, {1, 11});
            },
            "the output of shape [5,11] is too large: it has 220 bytes; the "
            "limit is 200 (property 'MAX_TENSOR_BYTES')");
        EXPECT_NO_THROW(infer(compiled, {1, 10}));
    }
}

TEST(LimitProperties, APlanCountsAllTensorsTogether) {
    const Core core;
    // The output alone has 4000 bytes, and memory between nodes may take as much again.
    CompiledModel small =
        core.compile_model(widening(), "CPU", {{property::kMaxPlanBytes, "3999"}});
    expect_error<ModelError>([&] { infer(small, {1, 200}); }, "these input shapes need ");
    expect_error<ModelError>(
        [&] {
            infer(small, {1, 200});
        },
        "bytes of memory; the limit is 3999 (property 'MAX_PLAN_BYTES'); most "
        "of them node '");
    EXPECT_NO_THROW(infer(small, {1, 20}));
    CompiledModel large =
        core.compile_model(widening(), "CPU", {{property::kMaxPlanBytes, "20000"}});
    EXPECT_NO_THROW(infer(large, {1, 200}));
}

// Inputs are the number of iterations and how many are left.
void run_loop(CompiledModel compiled, std::int64_t trips, std::int64_t left) {
    InferRequest request = compiled.create_infer_request();
    request.set_input_tensor(0, scalar_of<std::int64_t>(trips));
    request.set_input_tensor(1, scalar_of<bool>(true));
    request.set_input_tensor(2, tensor_of<float>({3}, {1, 2, 3}));
    request.set_input_tensor(3, scalar_of<std::int64_t>(left));
    request.infer();
}

// Without rows that are joined, so that the loop is planned, not found in a run.
std::shared_ptr<Graph> carrying_loop() {
    GraphBuilder b;
    const std::vector<Output> inputs{b.input("n", "", ElementType::i64),
                                     b.input("c", "", ElementType::boolean), b.input("x", "3"),
                                     b.input("left", "", ElementType::i64)};
    ops::BodyPorts ports = count_ports();
    ports.outputs.pop_back();
    const auto loop = b.make<ops::Loop>("loop", inputs, count_body(), ports, ops::LoopPorts{0, 0});
    b.output("last", loop->output(0));
    return b.graph();
}

void expect_too_many(const CompiledModel& compiled, std::int64_t trips, std::int64_t left) {
    expect_error<UnsupportedError>([&] { run_loop(compiled, trips, left); },
                                   "node 'loop' (Loop): the body would run more than 7 times; the "
                                   "limit is 7 (property 'MAX_ITERATIONS')");
}

TEST(LimitProperties, LoopsEndInAnErrorBehindTheirLimit) {
    const Core core;
    for (const char* device : kDevices) {
        for (const auto& graph : {count_loop(), count_loop("?"), carrying_loop()}) {
            const CompiledModel compiled =
                core.compile_model(Model(graph), device, {{property::kMaxIterations, "7"}});
            EXPECT_NO_THROW(run_loop(compiled, 7, 100)) << device;
            EXPECT_NO_THROW(run_loop(compiled, -1, 7)) << device;
            expect_too_many(compiled, 8, 100);
            expect_too_many(compiled, -1, -1);
        }
    }
}

// The loop would go on for ever, and each iteration adds 12 bytes to `rows`.
TEST(LimitProperties, WhatALoopJoinsIsHeldToThemWhileItGrows) {
    const auto expect_refused = [](const char* property, const char* bytes, const char* text) {
        const CompiledModel compiled =
            Core().compile_model(Model(count_loop()), "CPU", {{property, bytes}});
        EXPECT_NO_THROW(run_loop(compiled, 100, 1000));
        expect_error<ModelError>(
            [&] { run_loop(compiled, -1, -1); },
            "node 'loop' (Loop): output 1, which each iteration lengthens: " + std::string(text));
        EXPECT_NO_THROW(run_loop(compiled, 100, 1000));
    };
    expect_refused(property::kMaxTensorBytes, "1200",
                   "it has 1212 bytes; the limit is 1200 (property 'MAX_TENSOR_BYTES')");
    expect_refused(property::kMaxPlanBytes, "10000", "these input shapes need 1");
}

// x += w for ever. As the loop carries w unchanged, a pass makes another loop of it.
std::shared_ptr<Graph> endless_loop() {
    GraphBuilder body, b;
    const Output w = body.input("bw", "2");
    const Output x = body.input("bx", "2");
    body.output("more", flag(body, true));
    body.output("next_w", w);
    body.output("next_x", add(body, x, w));
    const std::vector<Output> inputs{i64(b, -1), flag(b, true), b.input("w", "2"),
                                     b.input("x", "2")};
    const auto loop = b.make<ops::Loop>(
        "loop", inputs, body.graph(), ops::BodyPorts{{{2, 0, {}, 1}, {3, 1, {}, 2}}, {{0, 2, {}}}},
        ops::LoopPorts{{}, 0});
    b.output("y", loop->output(0));
    return b.graph();
}

TEST(LimitProperties, LoopsThatPassesRemakeKeepTheirLimit) {
    const Core core;
    for (const char* device : kDevices) {
        CompiledModel compiled =
            core.compile_model(Model(endless_loop()), device, {{property::kMaxIterations, "7"}});
        InferRequest request = compiled.create_infer_request();
        request.set_input_tensor(0, Tensor(ElementType::f32, {2}));
        request.set_input_tensor(1, Tensor(ElementType::f32, {2}));
        expect_error<UnsupportedError>([&] { request.infer(); }, "(property 'MAX_ITERATIONS')");
    }
}

TEST(LimitProperties, PartsAreIterations) {
    const Core core;
    for (const char* device : kDevices) {
        CompiledModel compiled =
            core.compile_model(Model(running_sum()), device, {{property::kMaxIterations, "4"}});
        const auto run = [&](std::size_t parts) {
            InferRequest request = compiled.create_infer_request();
            request.set_input_tensor(0, Tensor(ElementType::f32, {1, parts, 2}));
            request.set_input_tensor(1, Tensor(ElementType::f32, {1, 2}));
            request.infer();
        };
        EXPECT_NO_THROW(run(4));
        expect_error<UnsupportedError>([&] { run(5); }, "node 'walk' (TensorIterator): ");
    }
}

// A model that makes 10 KB of one number; what isn't folded is computed in each inference.
Model unfolded() {
    GraphBuilder b;
    const Output base = b.constant(tensor_of<float>({10}, std::vector<float>(10, 2)), "base");
    const Output wide = b.make<ops::Broadcast>("wide", base, b.ints({256, 10}));
    const Output more = b.make<ops::Unary>("more", ops::UnaryFunction::exp, wide);
    b.output("y", add(b, more, b.input("x", "[256,10]")));
    return Model(b.graph());
}

std::size_t constant_bytes(const CompiledModel& compiled) {
    std::size_t bytes = 0;
    for (const auto& node : compiled.runtime_model().graph()->ordered_nodes()) {
        if (const auto constant = as<ops::Constant>(node)) bytes += constant->value().byte_size();
    }
    return bytes;
}

TEST(LimitProperties, FoldingStopsAtItsLimit) {
    const Core core;
    const auto compiled = [&](const char* bytes) {
        return core.compile_model(unfolded(), "REFERENCE", {{property::kMaxFoldedBytes, bytes}});
    };
    EXPECT_GE(constant_bytes(compiled("0")), 10240u);
    EXPECT_GE(constant_bytes(compiled("30000")), 10240u);
    EXPECT_LT(constant_bytes(compiled("1000")), 1024u);
}

// A chain of this many nodes takes more than a millisecond.
TEST(LimitProperties, CompilingEndsInTime) {
    GraphBuilder b;
    Output x = b.input("x", "[?,4]");
    for (int i = 0; i < 2000; ++i) {
        x = b.make<ops::Unary>("tanh_" + std::to_string(i), ops::UnaryFunction::tanh, x);
    }
    b.output("y", x);
    const Model model(b.graph());
    const Core core;
    for (const char* device : kDevices) {
        expect_error<UnsupportedError>(
            [&] {
                core.compile_model(model, device, {{property::kMaxCompileTime, "1"}});
            },
            "compiling takes too long, in ms: the limit is 1 (property 'MAX_COMPILE_TIME')");
    }
    EXPECT_NO_THROW(core.compile_model(model, "CPU", {{property::kMaxCompileTime, "0"}}));
}

// A cached model is held to the limits too.
TEST(LimitProperties, TheCacheIsNoWayRoundThem) {
    const Core core;
    const TemporaryFolder folder;
    Properties properties{{property::kCacheDir, folder.path()}};
    core.compile_model(kLstm, "CPU", properties);
    EXPECT_EQ(core.compile_model(kLstm, "CPU", properties).get_property(property::kLoadedFromCache),
              "YES");
    properties[property::kMaxNodes] = "2";
    expect_error<UnsupportedError>([&] { core.compile_model(kLstm, "CPU", properties); },
                                   "property 'MAX_NODES'");
}

// A model with a loop in its only body.
const std::string kLoop = RONDO_SOURCE_DIR "/tests/data/ir/openvino_loop.xml";
constexpr std::pair<const char*, const char*> kDepthLimits[] = {{property::kMaxDepth, "bodies"},
                                                                {property::kMaxLoopDepth, "loops"}};

TEST(LimitProperties, TheCacheIsNoWayRoundTheDepths) {
    const Core core;
    const TemporaryFolder folder;
    const Properties properties{{property::kCacheDir, folder.path()}};
    const auto loaded = [&](Properties all) {
        all.insert(properties.begin(), properties.end());
        return core.compile_model(kLoop, "CPU", all).get_property(property::kLoadedFromCache);
    };
    loaded({});
    for (const auto& [name, bodies] : kDepthLimits) {
        EXPECT_EQ(loaded({{name, "1"}}), "YES") << name;
        expect_error<UnsupportedError>(
            [&, &limit = name] {
                loaded({{limit, "0"}});
            },
            std::string(bodies) + " are nested too deep; the limit is 0");
    }
}

TEST(LimitProperties, ImportedModelsAreHeldToThem) {
    Core core;
    std::stringstream stream;
    core.compile_model(kLoop).export_model(stream);
    const auto import = [&](const Properties& properties) {
        stream.clear();
        stream.seekg(0);
        core.import_model(stream, "CPU", properties);
    };
    for (const auto& [name, bodies] : kDepthLimits) {
        EXPECT_NO_THROW(import({{name, "1"}}));
        expect_error<UnsupportedError>(
            [&, &limit = name] {
                import({{ limit, "0" }});
            },
            std::string(bodies) + " are nested too deep; the limit is 0");
    }
    expect_error<UnsupportedError>([&] { import({{ property::kMaxNodes, "2" }}); }, "MAX_NODES");
    core.set_property("CPU", {{property::kMaxDepth, "0"}});
    expect_error<UnsupportedError>([&] { import({}); }, "MAX_DEPTH");
}

}  // namespace
}  // namespace rondo::test::limit_properties_test
