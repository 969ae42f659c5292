#include "transformations/simplify/passes.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::passes::sink_decompression_test {
namespace {

using test::count_nodes;
using test::expect_rewritten;
using test::expect_unchanged;
using test::GraphBuilder;
using test::tensor_of;

struct Weights : GraphBuilder {
    Output narrow(const Shape& shape, ElementType type = ElementType::f16) {
        return constant(test::random_tensor(type, shape, rng));
    }
    Output widen(const Output& data, const std::string& name = "") {
        const auto wide = make<ops::Convert>(name, data, ElementType::f32);
        wide->rt_info()["decompression"] = "";
        return wide;
    }
    Output wide(const Shape& shape, ElementType type = ElementType::f16) {
        return widen(narrow(shape, type));
    }
    Output axis(std::int64_t value) { return constant(tensor_of<std::int64_t>({}, {value})); }

    test::Rng rng{3};
};

bool sink_and_fold(Graph& graph) {
    const bool sunk = sink_decompression(graph);
    graph.validate();
    return fold_constants(graph) || sunk;
}

// The port of a marked Convert of a constant of that type.
void expect_narrow(const Output& wide, ElementType type) {
    const auto convert = as<ops::Convert>(wide);
    ASSERT_NE(convert, nullptr);
    EXPECT_TRUE(convert->rt_info().contains("decompression"));
    const auto constant = as<ops::Constant>(convert->input(0));
    ASSERT_NE(constant, nullptr);
    EXPECT_EQ(constant->value().element_type(), type);
}

TEST(SinkDecompression, GatesArePutInOrderIn16Bits) {
    // c -> Convert -> Split -> Concat -> Transpose -> y   =>   c' -> Convert -> y
    for (const ElementType type : {ElementType::f16, ElementType::bf16}) {
        Weights b;
        const auto parts = b.make<ops::Split>("parts", b.wide({1, 6, 2}, type), b.axis(1), 3);
        parts->rt_info()["origin"] = "w";
        const Output ordered = b.make<ops::Concat>(
            "ordered", std::vector<Output>{parts->output(2), parts->output(0), parts->output(1)},
            1);
        b.output("y", b.transpose(ordered, {0, 2, 1}, "turned"));
        const auto graph = b.graph();
        expect_rewritten(*graph, sink_and_fold);
        EXPECT_EQ(graph->ordered_nodes().size(), 3U);
        EXPECT_EQ(graph->results()[0]->input(0).node().name(), "turned");
        expect_narrow(graph->results()[0]->input(0), type);
    }
}

TEST(SinkDecompression, SplitGivesEachReadPartAConvert) {
    Weights b;
    const auto split = b.make<ops::Split>("split", b.wide({3, 2}), b.axis(0), 3);
    split->rt_info()["origin"] = "w";
    b.output("y", b.make<ops::Unary>("", ops::UnaryFunction::relu, split->output(0)));
    b.output("z", b.make<ops::Unary>("", ops::UnaryFunction::relu, split->output(2)));
    const auto graph = b.graph();
    expect_rewritten(*graph, sink_decompression);
    EXPECT_EQ(count_nodes(*graph, "Convert"), 2U);
    const Node& first = graph->results()[0]->input(0).node().input(0).node();
    EXPECT_EQ(first.name(), "split");
    EXPECT_EQ(first.rt_info().at("origin"), "w");
    EXPECT_EQ(first.input(0).node().type_name(), "Split");
    EXPECT_EQ(first.input(0).element_type(), ElementType::f16);
}

TEST(SinkDecompression, AnyOpThatOnlyMovesElements) {
    using Make = Output (*)(Weights&, const Output&);
    const Make makers[] = {
        [](Weights& b, const Output& data) {
            return b.reshape(data, {3, -1});
        },
        [](Weights& b, const Output& data) { return b.squeeze(data, {0}); },
        [](Weights& b, const Output& data) { return b.unsqueeze(data, {1}); },
        [](Weights& b, const Output& data) {
            return b.transpose(data, {2, 0, 1});
        },
        [](Weights& b, const Output& data) -> Output {
            return b.make<ops::Gather>("", data, b.ints({5, 0, -2}), b.axis(1));
        },
        [](Weights& b, const Output& data) -> Output {
            return b.make<ops::Slice>("", data, b.ints({4}), b.ints({0}), b.ints({-2}),
                                      b.ints({1}));
        },
        [](Weights& b, const Output& data) -> Output {
            return b.make<ops::StridedSlice>("", data, b.ints({0, 1}), b.ints({1, 6}),
                                             b.ints({1, 2}), ops::StridedSliceMasks{});
        },
        [](Weights& b, const Output& data) -> Output {
            return b.make<ops::VariadicSplit>("", data, b.axis(1), b.ints({2, -1}))->output(1);
        },
        [](Weights& b, const Output& data) -> Output {
            return b.make<ops::Concat>("", std::vector<Output>{data, b.wide({1, 1, 2})}, 1);
        },
    };
    for (const Make make : makers) {
        Weights b;
        const Output moved = make(b, b.wide({1, 6, 2}));
        SCOPED_TRACE(std::string(moved.node().type_name()));
        b.output("y", moved);
        const auto graph = b.graph();
        expect_rewritten(*graph, sink_and_fold);
        EXPECT_EQ(graph->ordered_nodes().size(), 3U);
        expect_narrow(graph->results()[0]->input(0), ElementType::f16);
    }
}

TEST(SinkDecompression, TheConvertStaysForOthers) {
    // c -> Convert -> y, and after it Transpose -> relu -> z
    Weights b;
    const Output wide = b.widen(b.narrow({2, 3}), "w");
    b.output("y", wide);
    b.output("z",
             b.make<ops::Unary>("", ops::UnaryFunction::relu, b.transpose(wide, {1, 0}, "turned")));
    const auto graph = b.graph();
    expect_rewritten(*graph, sink_and_fold);
    EXPECT_EQ(graph->results()[0]->input(0).node().name(), "w");
    const Output turned = graph->results()[1]->input(0).node().input(0);
    EXPECT_EQ(turned.node().name(), "turned");
    expect_narrow(turned, ElementType::f16);
}

TEST(SinkDecompression, LeavesOthersAlone) {
    // Two stored types; a part that isn't widened; an order that isn't known; an input of the
    // model; a Convert that isn't marked; arithmetic.
    Weights b;
    const Output half = b.wide({2, 3});
    const Output brain = b.wide({2, 3}, ElementType::bf16);
    b.output("a", b.make<ops::Concat>("", std::vector<Output>{half, brain}, 0));
    const Output full = b.narrow({2, 3}, ElementType::f32);
    b.output("b", b.make<ops::Concat>("", std::vector<Output>{half, full}, 0));
    const Output order = b.input("order", "[2]", ElementType::i64);
    b.output("c", b.make<ops::Transpose>("", half, order));
    b.output("d", b.transpose(b.widen(b.input("x", "[2,3]", ElementType::f16)), {1, 0}));
    const Output plain = b.make<ops::Convert>("", b.narrow({2, 3}), ElementType::f32);
    b.output("e", b.transpose(plain, {1, 0}));
    b.output("f", b.make<ops::Unary>("", ops::UnaryFunction::relu, half));
    expect_unchanged(*b.graph(), sink_decompression);
}

}  // namespace
}  // namespace rondo::passes::sink_decompression_test
