#include "tests/unit/frontend/onnx/writer/round_trip.hpp"

#include <gtest/gtest.h>
#include <rondo_onnx.pb.h>

#include <filesystem>
#include <fstream>

#include "core/ops/op_list.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/runtime/ports.hpp"
#include "core/support/process.hpp"
#include "frontend/onnx/onnx.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/npy.hpp"
#include "tests/support/ops.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::test {
namespace {

void expect_same_ports(const std::vector<PortInfo>& actual, const std::vector<PortInfo>& expected) {
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
        EXPECT_EQ(actual[i].any_name(), expected[i].any_name());
        EXPECT_EQ(actual[i].element_type, expected[i].element_type);
        EXPECT_TRUE(actual[i].shape.intersect(expected[i].shape).has_value())
            << to_string(actual[i].shape) << " instead of " << to_string(expected[i].shape);
    }
}

// RONDO_TEST_WRITTEN names a folder to which each graph is written with its inputs and outputs, as
// tests/other_engines/random_models.py reads them.
void keep_for_peers(const Graph& graph, const std::vector<Tensor>& inputs,
                    const std::vector<Tensor>& outputs) {
    namespace fs = std::filesystem;
    static int count = 0;
    const auto root = env("RONDO_TEST_WRITTEN");
    if (!root) return;
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    const fs::path folder =
        fs::path(*root) / (std::string(test->name()) + "_" + std::to_string(count++));
    fs::create_directories(folder / "run_0");
    std::ofstream(folder / "model.onnx", std::ios::binary) << onnx::to_bytes(graph);
    std::string names[2];
    const auto write = [&](const PortInfo& port, const Tensor& value, std::string& list) {
        list += (list.empty() ? "\"" : ", \"") + port.any_name() + "\"";
        write_npy((folder / "run_0" / (port.any_name() + ".npy")).string(), value);
    };
    for (std::size_t i = 0; i < inputs.size(); ++i)
        write(input_ports(graph)[i], inputs[i], names[0]);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        write(output_ports(graph)[i], outputs[i], names[1]);
    }
    std::ofstream(folder / "model.json")
        << "{\"runs\": 1, \"inputs\": [" << names[0] << "], \"outputs\": [" << names[1] << "]}\n";
}

PartialShape opened(const Shape& shape, bool open) {
    return open ? PartialShape::of_rank(shape.size()) : PartialShape(shape);
}

}  // namespace

std::shared_ptr<Graph> written_and_read(const Graph& graph, ElementType weights) {
    return read_bytes(onnx::to_bytes(graph, weights));
}

void expect_round_trip(const Graph& graph, const std::vector<Tensor>& inputs, double tolerance,
                       SourceLocation where) {
    const auto again = written_and_read(graph);
    expect_same_ports(input_ports(*again), input_ports(graph));
    expect_same_ports(output_ports(*again), output_ports(graph));
    const auto expected = evaluate_graph(graph, inputs);
    const auto actual = evaluate_graph(*again, inputs);
    try {
        keep_for_peers(graph, inputs, expected);
    } catch (const UnsupportedError&) {
        // NumPy doesn't have the type.
    }
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
        if (tolerance == 0) {
            expect_same(actual[i], expected[i], where);
        } else {
            expect_near(actual[i], expected[i], tolerance, tolerance, where);
        }
    }
}

CaseInput given(const Shape& shape, ElementType type, double lo, double hi) {
    static Rng rng = test_rng();
    return {random_tensor(type, shape, rng, lo, hi)};
}

CaseInput run(Tensor value) { return {std::move(value)}; }
CaseInput run_ints(const std::vector<std::int64_t>& values) {
    return {tensor_of<std::int64_t>({values.size()}, values)};
}
CaseInput fixed(Tensor value) { return {std::move(value), true}; }
CaseInput ints(const std::vector<std::int64_t>& values) {
    return {tensor_of<std::int64_t>({values.size()}, values), true};
}
CaseInput int_scalar(std::int64_t value) { return {scalar_of(value), true}; }

std::shared_ptr<Graph> graph_of(const WriteCase& one, bool open) {
    std::vector<Output> inputs;
    std::vector<NodePtr> parameters;
    for (const CaseInput& input : one.inputs) {
        const std::string number = std::to_string(inputs.size());
        if (input.is_constant) {
            inputs.push_back(make_node<ops::Constant>(input.value));
            inputs.back().node().set_name("constant_" + number);
            continue;
        }
        parameters.push_back(make_node<ops::Parameter>(input.value.element_type(),
                                                       opened(input.value.shape(), open)));
        parameters.back()->set_name("input_" + number);
        inputs.push_back(parameters.back()->output(0));
    }
    const ops::OpEntry* entry = ops::find_op(one.type, one.opset);
    if (entry == nullptr) throw ModelError("there is no op " + one.type);
    const NodePtr node = entry->make();
    node->set_name("the_op");
    node->set_inputs(std::move(inputs));
    read_attributes(*node, one.attributes);
    node->validate();
    std::vector<NodePtr> results;
    for (std::size_t i = 0; i < node->output_count(); ++i) {
        node->output(i).set_names({"output_" + std::to_string(i)});
        results.push_back(make_node<ops::Result>(node->output(i)));
        results.back()->set_name("result_" + std::to_string(i));
    }
    return std::make_shared<Graph>("test", parameters, results);
}

std::vector<Tensor> inputs_of(const WriteCase& one) {
    std::vector<Tensor> tensors;
    for (const CaseInput& input : one.inputs) {
        if (!input.is_constant) tensors.push_back(input.value);
    }
    return tensors;
}

void expect_written(const WriteCase& one, SourceLocation where) {
    SCOPED_TRACE(one.type);
    for (const bool open : {false, true}) {
        if (open && !one.takes_open_shapes) continue;
        SCOPED_TRACE(open ? "open extents" : "known extents");
        expect_round_trip(*graph_of(one, open), inputs_of(one), one.tolerance, where);
    }
}

std::string operators_of(const Graph& graph) {
    rondo_onnx::ModelProto model;
    model.ParseFromString(onnx::to_bytes(graph));
    std::string names;
    for (const auto& node : model.graph().node()) {
        names += (names.empty() ? "" : " ") + node.op_type();
    }
    return names;
}

std::string operators_of(const WriteCase& one) { return operators_of(*graph_of(one)); }

void expect_not_written(const WriteCase& one, const std::string& text) {
    SCOPED_TRACE(one.type);
    const auto graph = graph_of(one);
    expect_error<UnsupportedError>([&] { onnx::to_bytes(*graph); }, text);
}

}  // namespace rondo::test
