#include "transformations/simplify/merge_converts.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::passes::merge_converts_test {
namespace {

using test::count_nodes;
using test::expect_rewritten;
using test::expect_unchanged;
using test::GraphBuilder;

Output to(GraphBuilder& b, const Output& x, ElementType type) {
    return b.make<ops::Convert>("", x, type);
}

Output tanh_of(GraphBuilder& b, const Output& x) {
    return b.make<ops::Unary>("", ops::UnaryFunction::tanh, x);
}

Output rows(GraphBuilder& b, const Output& x) {
    return b.make<ops::Slice>("", x, b.ints({1}), b.ints({2}), b.ints({1}), b.ints({0}));
}

TEST(MergeConverts, WideningAndNarrowingBackIsNothing) {
    // x f16 -> f32 -> f16 -> Tanh   =>   x -> Tanh
    for (const auto& [narrow, wide] : {std::pair{ElementType::f16, ElementType::f32},
                                       std::pair{ElementType::bf16, ElementType::f64},
                                       std::pair{ElementType::i32, ElementType::i64},
                                       std::pair{ElementType::i32, ElementType::f64},
                                       std::pair{ElementType::u32, ElementType::i64},
                                       std::pair{ElementType::u8, ElementType::f16},
                                       std::pair{ElementType::i8, ElementType::bf16},
                                       std::pair{ElementType::boolean, ElementType::i32},
                                       std::pair{ElementType::boolean, ElementType::f32}}) {
        GraphBuilder b;
        const Output x = b.input("x", "[?,3]", narrow);
        const Output back = to(b, to(b, x, wide), narrow);
        b.output("y", b.unsqueeze(back, {0}));
        const auto graph = b.graph();
        expect_rewritten(*graph, merge_converts);
        EXPECT_EQ(count_nodes(*graph, "Convert"), 0U);
    }
}

TEST(MergeConverts, TwoThatWidenAreOne) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,3]", ElementType::f16);
    b.output("y", to(b, to(b, x, ElementType::f32), ElementType::f64));
    const auto graph = b.graph();
    expect_rewritten(*graph, merge_converts);
    EXPECT_EQ(count_nodes(*graph, "Convert"), 1U);
}

TEST(MergeConverts, TheSecondOneReadsTheWholeNumbersOfTheFirst) {
    using Type = ElementType;
    const std::vector<std::vector<Type>> chains{{Type::i32, Type::i64, Type::f32},
                                                {Type::i8, Type::i32, Type::u16},
                                                {Type::u8, Type::f32, Type::i64},
                                                {Type::boolean, Type::f32, Type::i32},
                                                {Type::i16, Type::f32, Type::boolean}};
    for (const auto& types : chains) {
        GraphBuilder b;
        const Output x = b.input("x", "[?,3]", types[0]);
        b.output("y", to(b, to(b, x, types[1]), types[2]));
        const auto graph = b.graph();
        expect_rewritten(*graph, merge_converts);
        EXPECT_EQ(count_nodes(*graph, "Convert"), 1U);
    }
}

TEST(MergeConverts, LeavesTypesThatDontHoldAllNumbers) {
    using Type = ElementType;
    const std::vector<std::vector<Type>> chains{
        {Type::i32, Type::f32, Type::i32},     {Type::i64, Type::i32, Type::i64},
        {Type::i8, Type::u32, Type::i8},       {Type::i16, Type::bf16, Type::i16},
        {Type::i32, Type::boolean, Type::i32}, {Type::f32, Type::f16, Type::f32},
        {Type::f16, Type::f32, Type::f8e4m3},  {Type::u8, Type::f32, Type::i4},
        {Type::i8, Type::f32, Type::u8}};  // -1 is cut to 0, and would wrap to 255
    for (const auto& types : chains) {
        GraphBuilder b;
        const Output x = b.input("x", "[?,3]", types[0]);
        b.output("y", to(b, to(b, x, types[1]), types[2]));
        expect_unchanged(*b.graph(), merge_converts);
    }
}

TEST(MergeConverts, ASliceBetweenThemTakesTheNarrowType) {
    // x f16 -> f32 -> Slice -> f16   =>   x -> Slice
    GraphBuilder b;
    const Output x = b.input("x", "[?,3]", ElementType::f16);
    b.output("y", to(b, rows(b, to(b, x, ElementType::f32)), ElementType::f16));
    const auto graph = b.graph();
    expect_rewritten(*graph, merge_converts);
    EXPECT_EQ(count_nodes(*graph, "Convert"), 0U);
    EXPECT_EQ(graph->results()[0]->input(0).element_type(), ElementType::f16);
}

TEST(MergeConverts, ConvertsGoInFrontOfViews) {
    // Tanh f16 -> Unsqueeze -> f32 -> y, and Tanh -> f32 -> z   =>   one more view, equal Converts
    GraphBuilder b;
    const Output x = tanh_of(b, b.input("x", "[?,3]", ElementType::f16));
    b.output("y", to(b, b.unsqueeze(x, {0}), ElementType::f32));
    b.output("z", to(b, x, ElementType::f32));
    const auto graph = b.graph();
    expect_rewritten(*graph, merge_converts);
    EXPECT_EQ(graph->results()[0]->input(0).node().type_name(), "Unsqueeze");
    EXPECT_EQ(count_nodes(*graph, "Convert"), 2U) << "share_equal_nodes joins them";
}

TEST(MergeConverts, LeavesOthersAlone) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,3]");
    b.output("rounded", to(b, to(b, x, ElementType::f16), ElementType::f32));
    b.output("integer", to(b, to(b, x, ElementType::i32), ElementType::f32));
    const Output view = b.unsqueeze(tanh_of(b, x), {0});
    b.output("shared", to(b, view, ElementType::f16));
    b.output("other", tanh_of(b, view));
    const Output half = b.input("h", "[2,3]", ElementType::f16);
    const Output wide = to(b, half, ElementType::f32);
    const Output cut = rows(b, wide);
    b.output("cut", cut);
    b.output("narrow", to(b, cut, ElementType::f16));
    expect_unchanged(*b.graph(), merge_converts);
}

}  // namespace
}  // namespace rondo::passes::merge_converts_test
