#include "transformations/batching/passes.hpp"

#include <gmock/gmock.h>

#include "core/graph/printer.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "rondo/core.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/evaluate_graph.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::passes::set_batch_test {
namespace {

using namespace test;  // NOLINT: tests only

// Elements [row, row + 1) along axis 0.
Tensor row_of(const Tensor& whole, std::size_t row) {
    Shape shape = whole.shape();
    shape[0] = 1;
    auto* first = static_cast<char*>(const_cast<void*>(whole.data())) +
                  static_cast<std::ptrdiff_t>(row) * whole.strides()[0];
    return Tensor(whole.element_type(), shape, first, whole.strides()).contiguous();
}

// The graph takes five rows, and gives each what the graph before gave it. Rows lie along axis 0.
void expect_opened(const std::shared_ptr<Graph>& graph) {
    const auto before = graph->clone();
    EXPECT_TRUE(set_batch(*graph, Dimension(), {}));
    graph->validate();
    EXPECT_FALSE(set_batch(*graph, Dimension(), {})) << "a second run changes something";
    const auto inputs = random_inputs(*graph, 5);
    const auto outputs = evaluate_graph(*graph, inputs);
    for (std::size_t row = 0; row < 5; ++row) {
        std::vector<Tensor> alone;
        for (const Tensor& input : inputs) alone.push_back(row_of(input, row));
        const auto expected = evaluate_graph(*before, alone);
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            expect_same(row_of(outputs[i], row), expected[i]);
        }
    }
}

TEST(SetBatch, OpensPatternsOfReshape) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,3,4]");
    b.output("y", b.reshape(b.reshape(x, {-1}, false), {1, 1, -1}, false));
    expect_opened(b.graph());
    GraphBuilder c;
    const Output merged = c.reshape(c.input("x", "[1,3,4]"), {3, 4}, false);
    c.output("y", c.reshape(merged, {1, 3, -1}, false));
    expect_opened(c.graph());
}

TEST(SetBatch, OpensSqueezedRows) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,3,4]");
    const Output rows = b.squeeze(x, {0});
    b.output("y", b.unsqueeze(b.make<ops::Unary>("t", ops::UnaryFunction::tanh, rows), {0}));
    expect_opened(b.graph());
}

TEST(SetBatch, OpensTargetsOfBroadcast) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,1,4]");
    b.output("y", b.make<ops::Broadcast>("wide", x, b.ints({1, 3, 4})));
    expect_opened(b.graph());
}

TEST(SetBatch, RepeatsConstantsOfOneRow) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,2]");
    const Output one = b.constant(tensor_of<float>({1, 3}, {1, 2, 3}));
    b.output("y", b.make<ops::Concat>("joined", std::vector<Output>{x, one}, 1));
    expect_opened(b.graph());
}

TEST(SetBatch, RepeatsTheStateThatALoopStartsFrom) {
    const auto graph = running_sum(false, "1,?,2", "1,2");
    const RowAxesHint hint{{"x", 0}, {"h0", std::nullopt}};
    EXPECT_TRUE(set_batch(*graph, Dimension(), hint));
    EXPECT_EQ(graph->results()[0]->output_shape(0), PartialShape::parse("?,2"));
    const Tensor x = tensor_of<float>({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
    const auto outputs = evaluate_graph(*graph, {x, tensor_of<float>({1, 2}, {10, 20})});
    expect_same(outputs[0], tensor_of<float>({2, 2}, {14, 26, 22, 34}));
}

TEST(SetBatch, FreesReductionsOfOneStream) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,3,4]");
    const Output mean =
        b.make<ops::Reduce>("mean", ops::ReduceFunction::mean, x, b.ints({0, 1, 2}), false);
    b.output("y", add(b, x, add(b, mean, b.constant(scalar_of<float>(2)))));
    expect_opened(b.graph());
}

TEST(SetBatch, GivesAnExtent) {
    GraphBuilder b;
    b.output("y", b.make<ops::Unary>("t", ops::UnaryFunction::tanh, b.input("x", "[1,4]")));
    const auto graph = b.graph();
    EXPECT_TRUE(set_batch(*graph, 5, {}));
    EXPECT_EQ(graph->parameters()[0]->output_shape(0), PartialShape::parse("5,4"));
    EXPECT_EQ(graph->results()[0]->output_shape(0), PartialShape::parse("5,4"));
}

TEST(SetBatch, RefusesExtentsThatAreTooLarge) {
    GraphBuilder b;
    b.output("y", b.make<ops::Unary>("t", ops::UnaryFunction::tanh, b.input("x", "[1,4]")));
    const auto graph = b.graph();
    test::expect_error<ModelError>([&] { set_batch(*graph, std::int64_t{1} << 62, {}); },
                                   "expected extents up to 140737488355328");
}

TEST(SetBatch, StartsVariablesWithARowForEachStream) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,2]");
    const Output ones = b.constant(tensor_of<float>({2, 1, 2}, {1, 2, 3, 4}));
    const Output from_ones = b.read("a", "[2,1,2]", {ones});
    const Output from_zeros = b.read("b", "[1,2]");
    b.assign("a", add(b, from_ones, x));
    b.assign("b", add(b, from_zeros, x));
    b.output("y", add(b, from_ones, from_zeros));
    const auto graph = b.graph();
    EXPECT_TRUE(set_batch(*graph, Dimension(), {}));
    for (const char* device : {"REFERENCE", "CPU"}) {
        auto request = Core().compile_model(Model(graph), device).create_infer_request();
        const Tensor rows = tensor_of<float>({3, 2}, {1, 2, 3, 4, 5, 6});
        request.set_input_tensor(rows);
        request.infer();
        EXPECT_EQ(request.get_output_tensor().shape(), (Shape{2, 3, 2}));
        request.infer();  // a is 1 + x and so on, b is x
        const auto result = request.get_output_tensor();
        EXPECT_EQ(result.data<float>()[0], 1 + 1 + 1);
        EXPECT_EQ(result.data<float>()[5], 2 + 6 + 6);
    }
}

TEST(SetBatch, RefusesByNameAndChangesNothing) {
    GraphBuilder b;
    b.output("y", b.make<ops::Softmax>("soft", b.input("x", "[1,4]"), 0));
    const auto graph = b.graph();
    const std::string before = to_text(*graph);
    expect_error<UnsupportedError>([&] { set_batch(*graph, Dimension(), {}); },
                                   "the batch can't be set: node 'soft' (SoftMax)");
    EXPECT_EQ(to_text(*graph), before);
}

TEST(SetBatch, NeedsARow) {
    GraphBuilder b;
    b.output("y", b.input("x", "[1,4]"));
    expect_error<ModelError>([&] { set_batch(*b.graph(), 0, {}); },
                             "the batch is 0; a model needs at least one row");
}

}  // namespace
}  // namespace rondo::passes::set_batch_test
