#include "transformations/batching/vmap/add_batch_axis.hpp"

#include "core/graph/rt_info_keys.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/quantization/dynamic_quantize_linear.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "rondo/core.hpp"
#include "tests/support/bodies.hpp"
#include "tests/unit/transformations/batching/vmap/expect_lifted.hpp"

namespace rondo::test::add_batch_axis_test {
namespace {

std::vector<Tensor> outputs_of(InferRequest& request, const Tensor& x) {
    request.set_input_tensor(0, x);
    request.infer();
    const Tensor y = request.get_output_tensor(0);
    Tensor copy(y.element_type(), y.shape());
    y.copy_to(copy);
    return {copy};
}

// A running sum that starts from zeros, from `init`, or from x itself.
std::shared_ptr<Graph> running(const char* start) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,3]");
    std::vector<Output> init;
    if (std::string(start) == "constant") init = {b.constant(scalar_of<float>(4))};
    if (std::string(start) == "constant")
        init = {b.make<ops::Broadcast>("i", init[0], b.ints({2, 3}))};
    if (std::string(start) == "input") init = {x};
    const Output sum = add(b, b.read("s", "[2,3]", init), x);
    b.assign("s", sum);
    b.output("y", sum);
    return b.graph();
}

TEST(AddBatchAxis, KeepsAVariableForEachRow) {
    for (const char* start : {"zeros", "constant", "input"}) {
        for (const Dimension& batch : {Dimension(), Dimension(2)}) {
            SCOPED_TRACE(start);
            const auto graph = running(start);
            const auto before = graph->clone();
            passes::add_batch_axis(*graph, batch);
            EXPECT_EQ(ops::variables_of(*graph)[0].shape().rank(), 3U);
            Core core;
            auto together = core.compile_model(Model(graph), "REFERENCE").create_infer_request();
            std::vector<InferRequest> alone;
            for (int n = 0; n < 2; ++n) {
                alone.push_back(
                    core.compile_model(Model(before), "REFERENCE").create_infer_request());
            }
            Rng rng(1);
            for (int step = 0; step < 3; ++step) {
                const Tensor x = random_tensor(ElementType::f32, {2, 2, 3}, rng);
                const Tensor y = outputs_of(together, x)[0];
                for (std::size_t n = 0; n < 2; ++n) {
                    expect_same(row_of(y, n), outputs_of(alone[n], row_of(x, n))[0]);
                }
            }
        }
    }
}

TEST(AddBatchAxis, MovesTheAxisOfChunks) {
    GraphBuilder b;
    b.output("y", add(b, b.input("x", "[?,3]"), b.input("z", "[?,3]")));
    const auto graph = b.graph();
    graph->parameters()[0]->rt_info()[kTimeAxis] = "0";
    graph->results()[0]->rt_info()[kTimeAxis] = "0";
    passes::add_batch_axis(*graph, {});
    EXPECT_EQ(graph->parameters()[0]->rt_info().at(kTimeAxis), "1");
    EXPECT_EQ(graph->results()[0]->rt_info().at(kTimeAxis), "1");
    EXPECT_FALSE(graph->parameters()[1]->rt_info().contains(kTimeAxis));
}

TEST(AddBatchAxis, LiftsScalarsWhereNothingElseIsThere) {
    GraphBuilder b;
    b.output("y", b.make<ops::Unary>("t", ops::UnaryFunction::tanh, b.input("x", "")));
    const auto graph = expect_lifted(b.graph());
    EXPECT_EQ(graph->parameters()[0]->output_shape(0), PartialShape::parse("?"));
}

TEST(AddBatchAxis, SharesASingleElementWhereItHasToBe) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,3]");
    const Output counts = b.input("count", "[1]", ElementType::i64);
    b.output("y", b.make<ops::Tile>("tile", x, counts));
    const auto graph = b.graph();
    passes::add_batch_axis(*graph, Dimension());
    EXPECT_EQ(graph->parameters()[0]->output_shape(0), PartialShape::parse("?,2,3"));
    EXPECT_EQ(graph->parameters()[1]->output_shape(0), PartialShape::parse("1"));
}

TEST(AddBatchAxis, RepeatsAnOutputThatAllRowsShare) {
    GraphBuilder b;
    const Output x = b.input("x", "[2]");
    b.output("y", b.make<ops::Unary>("t", ops::UnaryFunction::tanh, x));
    b.output("same", b.constant(tensor_of<float>({3}, {1, 2, 3})));
    const auto graph = expect_lifted(b.graph());
    EXPECT_EQ(graph->results()[1]->output_shape(0), PartialShape::parse("?,3"));
}

TEST(AddBatchAxis, AddsAnotherAxisEachTime) {
    GraphBuilder b;
    b.output("y", b.transpose(b.input("x", "[2,4]"), {1, 0}));
    const auto graph = expect_lifted(expect_lifted(b.graph(), 3), 3);
    EXPECT_EQ(graph->parameters()[0]->output_shape(0), PartialShape::parse("3,3,2,4"));
}

TEST(AddBatchAxis, IsProvenToKeepRowsApart) {
    GraphBuilder b;
    const Output x = b.input("x", "[4,3]");
    b.output("y", add(b, b.transpose(x, {1, 0}), b.input("z", "[4]")));
    const auto graph = expect_lifted(b.graph());
    const RowAxes axes = builtin_transforms().find_row_axes(*graph);
    EXPECT_EQ(axes.obstacle, "");
    for (const auto& axis : axes.inputs) EXPECT_EQ(axis, 0U);
    EXPECT_EQ(axes.outputs[0], 0U);
}

TEST(AddBatchAxis, RefusesWhatMixesRows) {
    GraphBuilder b;
    const auto quantized = b.make<ops::DynamicQuantizeLinear>("quantize", b.input("x", "[2,3]"));
    b.output("y", quantized->output(0));
    expect_not_lifted(b.graph(), "node 'quantize' (DynamicQuantizeLinear): there is no rule");
}

// The same op in a branch that is never taken.
TEST(AddBatchAxis, LeavesOutABranchThatIsNeverTaken) {
    GraphBuilder yes, no, b;
    const Output yes_x = yes.input("yes_x", "[2,3]");
    const auto quantized = yes.make<ops::DynamicQuantizeLinear>("quantize", yes_x);
    yes.output("bytes", yes.make<ops::Convert>("", quantized->output(0), ElementType::f32));
    const Output no_x = no.input("no_x", "[2,3]");
    no.output("sum", add(no, no_x, no_x));
    const ops::BodyPorts ports{{{1, 0, {}, {}}}, {{0, 0, {}}}};
    b.output("y",
             b.make<ops::If>("choice", std::vector<Output>{flag(b, false), b.input("x", "[2,3]")},
                             std::vector<GraphPtr>{yes.graph(), no.graph()},
                             std::vector<ops::BodyPorts>{ports, ports}));
    const auto graph = expect_lifted(b.graph());
    EXPECT_EQ(count_nodes(*graph, "If"), 0U);
}

TEST(AddBatchAxis, RefusesRandomNumbers) {
    GraphBuilder b;
    const Output zero = b.constant(scalar_of<float>(0));
    const Output one = b.constant(scalar_of<float>(1));
    const Output noise = b.make<ops::RandomUniform>("noise", b.ints({2, 3}), zero, one,
                                                    ElementType::f32, ops::RandomSeed{});
    b.output("y", add(b, b.input("x", "[2,3]"), noise));
    expect_not_lifted(b.graph(), "node 'noise' (RandomUniform): it draws other numbers");
}

TEST(AddBatchAxis, RefusesInputsOfUnknownRank) {
    GraphBuilder b;
    b.output("y", b.make<ops::Unary>("t", ops::UnaryFunction::tanh, b.input("x", "...")));
    expect_not_lifted(b.graph(), "node 'x' (Parameter): the number of its axes isn't known");
}

TEST(AddBatchAxis, RefusesABatchOfNoRows) {
    const auto graph = running("zeros");
    expect_error<ModelError>([&] { passes::add_batch_axis(*graph, 0); }, "at least one row");
}

}  // namespace
}  // namespace rondo::test::add_batch_axis_test
