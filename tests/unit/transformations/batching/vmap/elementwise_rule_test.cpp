#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "tests/support/bodies.hpp"
#include "tests/unit/transformations/batching/vmap/expect_lifted.hpp"

namespace rondo::test::elementwise_rule_test {
namespace {

TEST(LiftElementwise, AlignsOperandsOfDifferentRanks) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,3,4]");
    const Output y = b.input("y", "[4]");
    b.output("sum", add(b, x, y));
    b.output("other", add(b, y, b.constant(tensor_of<float>({2, 1}, {1, 2}))));
    const auto graph = expect_lifted(b.graph());
    EXPECT_EQ(graph->results()[0]->output_shape(0), PartialShape::parse("?,2,3,4"));
    EXPECT_EQ(graph->results()[1]->output_shape(0), PartialShape::parse("?,2,4"));
}

TEST(LiftElementwise, RepeatsWhatMayNotBroadcast) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,3]");
    const auto sum = b.make<ops::Binary>("sum", ops::BinaryFunction::add, x,
                                         b.constant(tensor_of<float>({2, 3}, {1, 2, 3, 4, 5, 6})));
    sum->set_auto_broadcast(ops::AutoBroadcast::none);
    b.output("y", sum);
    expect_lifted(b.graph());
}

TEST(LiftElementwise, KeepsWhatAllRowsShare) {
    GraphBuilder b;
    const Output rate = b.input("rate", "");
    const Output twice = b.make<ops::Binary>("twice", ops::BinaryFunction::add, rate, rate);
    b.output("y", add(b, b.input("x", "[1,3]"), twice));
    const auto graph = expect_lifted(b.graph());
    EXPECT_EQ(find<ops::Binary>(*graph, "twice").output_shape(0), PartialShape::parse(""));
}

void expect_product(std::string_view a, std::string_view b, bool transposed = false) {
    SCOPED_TRACE(std::string(a) + " x " + std::string(b));
    const auto operand = [](GraphBuilder& builder, const std::string& name, std::string_view shape,
                            bool constant) {
        if (!constant) return builder.input(name, shape);
        Rng rng(3);
        return builder.constant(
            random_tensor(ElementType::f32, PartialShape::parse(shape).to_shape(), rng));
    };
    for (const int constant : {-1, 0, 1}) {
        GraphBuilder builder;
        const Output left = operand(builder, "a", a, constant == 0);
        const Output right = operand(builder, "b", b, constant == 1);
        const auto made = builder.make<ops::MatMul>("product", left, right);
        made->set_transpose_a(transposed && left.shape().rank() == 1);
        builder.output("y", made);
        expect_lifted(builder.graph());
    }
}

TEST(LiftMatMul, TakesOperandsOfAnyRank) {
    expect_product("2,3", "3,4");
    expect_product("5,2,3", "3,4");
    expect_product("2,3", "5,3,4");
    expect_product("1,2,3", "3,4");
    expect_product("2,5,2,3", "5,3,4");
    expect_product("3", "3,4");
    expect_product("3", "3,4", true);
    expect_product("3", "5,3,4");
    expect_product("2,3", "3");
    expect_product("5,2,3", "3");
    expect_product("3", "3");
}

}  // namespace
}  // namespace rondo::test::elementwise_rule_test
