#include "transformations/simplify/passes.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rng.hpp"

namespace rondo::passes::batch_equal_ops_test {
namespace {

using namespace test;  // NOLINT: tests only
using Outputs = std::vector<Output>;

constexpr std::int64_t kParts = 4;

Output element(GraphBuilder& b, const Output& x, std::int64_t index, std::int64_t axis) {
    return b.make<ops::Gather>("", x, b.constant(tensor_of<std::int64_t>({}, {index})),
                               b.ints({axis}));
}

Output matrix(GraphBuilder& b, std::size_t rows, std::size_t columns) {
    Rng rng(5);
    return b.constant(random_tensor(ElementType::f32, {rows, columns}, rng, -1, 1));
}

Output relu(GraphBuilder& b, const Output& x) {
    return b.make<ops::Unary>("", ops::UnaryFunction::relu, x);
}

Output sum(GraphBuilder& b, const Output& x, const Output& y) {
    return b.make<ops::Binary>("", ops::BinaryFunction::add, x, y);
}

// Without broadcasting, an op over all parts would need an axis more of its other input.
TEST(JoinOpsOnParts, LeavesOpsThatDemandEqualShapes) {
    for (const auto rule : {ops::AutoBroadcast::none, ops::AutoBroadcast::numpy}) {
        GraphBuilder b;
        const Output x = b.input("x", "[4,2,3]");
        const Output other = matrix(b, 2, 3);
        for (std::int64_t i = 0; i < kParts; ++i) {
            const auto op =
                b.make<ops::Binary>("", ops::BinaryFunction::add, element(b, x, i, 0), other);
            op->set_auto_broadcast(rule);
            b.output("y" + std::to_string(i), op);
        }
        const auto graph = b.graph();
        if (rule == ops::AutoBroadcast::none) {
            expect_unchanged(*graph, batch_equal_ops);
        } else {
            EXPECT_TRUE(batch_equal_ops(*graph));
        }
    }
}

//  x [N,4,3] -> Gather(t) -> MatMul -> Add -> Relu, four times
TEST(JoinOpsOnParts, ALinearLayerTakesTheWholeTensor) {
    for (const std::int64_t axis : {0, 1}) {
        GraphBuilder b;
        const Output x = b.input("x", axis == 0 ? "[4,?,3]" : "[?,4,3]");
        const Output w = matrix(b, 3, 5),
                     bias = b.constant(tensor_of<float>({5}, {1, -1, 2, 0, 3}));
        for (std::int64_t i = 0; i < kParts; ++i) {
            const Output product = b.make<ops::MatMul>("", element(b, x, i, axis), w);
            b.output("y" + std::to_string(i), relu(b, sum(b, product, bias)));
        }
        const auto graph = b.graph();
        const auto all_levels = [](Graph& all) {
            bool changed = false;
            while (batch_equal_ops(all)) changed = true;
            return changed;
        };
        expect_rewritten(*graph, all_levels);
        for (const char* type : {"MatMul", "Add", "ReLU"}) {
            EXPECT_EQ(count_nodes(*graph, type), 1u) << type;
        }
    }
}

// A list of all elements would take terabytes.
TEST(JoinOpsOnParts, OneElementOfAnEndlessAxisTakesNoMemory) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,100000000000,3]");
    b.output("y", relu(b, element(b, x, 99'999'999'999, 1)));
    expect_unchanged(*b.graph(), batch_equal_ops);
}

TEST(JoinOpsOnParts, PartsMayKeepTheirAxis) {
    GraphBuilder b;
    const Output axis = b.constant(test::scalar_of<std::int64_t>(1));
    const auto split = b.make<ops::Split>("", b.input("x", "[?,4,3]"), axis, kParts);
    const Output w = matrix(b, 3, 2);
    Outputs made;
    for (std::size_t i = 0; i < kParts; ++i) {
        made.push_back(b.make<ops::MatMul>("", split->output(i), w));
    }
    b.output("y", b.make<ops::Concat>("", made, 2));
    const auto graph = b.graph();
    expect_rewritten(*graph, batch_equal_ops);
    EXPECT_EQ(count_nodes(*graph, "MatMul"), 1u);
}

TEST(JoinOpsOnParts, RowsOfATableAreReadAtOnce) {
    GraphBuilder b;
    const Output ids = b.input("ids", "[?,4]", ElementType::i64);
    const Output table = matrix(b, 7, 3);
    for (std::int64_t i = 0; i < kParts; ++i) {
        b.output("y" + std::to_string(i),
                 b.make<ops::Gather>("", table, element(b, ids, i, 1), b.ints({0})));
    }
    const auto graph = b.graph();
    expect_rewritten(*graph, batch_equal_ops,
                     {tensor_of<std::int64_t>({2, 4}, {0, 6, 3, 2, 5, 1, 1, 4})});
    EXPECT_EQ(count_nodes(*graph, "Gather"), 5u);
}

// Along the features, whose axis is another one in a part that lost its own.
TEST(JoinOpsOnParts, NormalisationsAndSumsTakeTheWholeTensor) {
    for (const std::int64_t axis : {0, 1}) {
        for (const std::int64_t features : {-1, 1}) {
            GraphBuilder b;
            const Output x = b.input("x", axis == 0 ? "[4,?,3]" : "[?,4,3]");
            const Output axes = b.ints({features});
            for (std::int64_t i = 0; i < kParts; ++i) {
                const Output part = element(b, x, i, axis);
                const std::string name = std::to_string(i);
                b.output("mvn" + name,
                         b.make<ops::Mvn>("", part, axes, ops::MvnAttributes{1e-3F, true, {}}));
                b.output("max" + name,
                         b.make<ops::Reduce>("", ops::ReduceFunction::max, part, axes, false));
                b.output("softmax" + name, b.make<ops::Softmax>("", part, features));
            }
            const auto graph = b.graph();
            expect_rewritten(*graph, batch_equal_ops);
            for (const char* type : {"MVN", "ReduceMax", "SoftMax"}) {
                EXPECT_EQ(count_nodes(*graph, type), 1u) << type;
            }
        }
    }
}

// x - mean(x), and the element of another tensor.
TEST(JoinOpsOnParts, SeveralInputsMayBeElementsOfTensors) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,4,3]"), z = b.input("z", "[?,4,3]");
    const Output axes = b.ints({-1});
    for (std::int64_t i = 0; i < kParts; ++i) {
        const Output part = element(b, x, i, 1);
        const Output mean = b.make<ops::Reduce>("", ops::ReduceFunction::mean, part, axes, true);
        const Output rest = b.make<ops::Binary>("", ops::BinaryFunction::subtract, part, mean);
        const Output square = b.make<ops::Binary>("", ops::BinaryFunction::multiply, rest, rest);
        b.output("y" + std::to_string(i), sum(b, square, element(b, z, i, 1)));
    }
    const auto graph = b.graph();
    expect_rewritten(*graph, [](Graph& all) {
        bool changed = false;
        while (batch_equal_ops(all)) changed = true;
        return changed;
    });
    for (const char* type : {"ReduceMean", "Subtract", "Multiply", "Add"}) {
        EXPECT_EQ(count_nodes(*graph, type), 1u) << type;
    }
}

//  x [4,N,3], y [N,4,3] -> x[t] + y[:, t], four times
TEST(JoinOpsOnParts, TensorsMayHaveTheAxisInOtherPlaces) {
    for (const std::int64_t axis : {0, 1}) {
        GraphBuilder b;
        const Output x = b.input("x", axis == 0 ? "[4,?,3]" : "[?,4,3]");
        const Output y = b.input("y", axis == 0 ? "[?,4,3]" : "[4,?,3]");
        for (std::int64_t i = 0; i < kParts; ++i) {
            b.output("y" + std::to_string(i),
                     sum(b, element(b, x, i, axis), element(b, y, i, 1 - axis)));
        }
        const auto graph = b.graph();
        expect_rewritten(*graph, batch_equal_ops);
        EXPECT_EQ(count_nodes(*graph, "Add"), 1u);
        EXPECT_EQ(count_nodes(*graph, "Transpose"), 1u);
    }
}

TEST(JoinOpsOnParts, ElementsOfOtherPlacesStay) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,4,3]"), z = b.input("z", "[?,4,3]");
    for (std::int64_t i = 0; i < kParts; ++i) {
        b.output("y" + std::to_string(i),
                 sum(b, element(b, x, i, 1), element(b, z, kParts - 1 - i, 1)));
    }
    expect_unchanged(*b.graph(), batch_equal_ops);
}

TEST(JoinOpsOnParts, SumsOverTheRowsStay) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,4,3]"), rows = b.ints({0});
    for (std::int64_t i = 0; i < kParts; ++i) {
        b.output("y" + std::to_string(i), b.make<ops::Reduce>("", ops::ReduceFunction::sum,
                                                              element(b, x, i, 1), rows, true));
    }
    expect_unchanged(*b.graph(), batch_equal_ops);
}

TEST(JoinOpsOnParts, EqualSmallConstantsAreOne) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,4,3]");
    for (std::int64_t i = 0; i < kParts; ++i) {
        b.output("y" + std::to_string(i),
                 sum(b, element(b, x, i, 1), b.constant(tensor_of<float>({3}, {1, 2, 3}))));
    }
    const auto graph = b.graph();
    expect_rewritten(*graph, batch_equal_ops);
    EXPECT_EQ(count_nodes(*graph, "Add"), 1u);
}

// One op each of parts, with what differs: nothing to join.
Outputs parts_with(GraphBuilder& b, const Output& x, std::int64_t axis, std::int64_t count,
                   const std::function<Output(const Output&, std::int64_t)>& op) {
    Outputs made;
    for (std::int64_t i = 0; i < count; ++i) {
        made.push_back(op(element(b, x, i, axis), i));
        b.output("y" + std::to_string(i), made.back());
    }
    return made;
}

TEST(JoinOpsOnParts, LeaveOpsThatDiffer) {
    GraphBuilder constants;
    parts_with(constants, constants.input("x", "[?,4,3]"), 1, kParts,
               [&](const Output& part, std::int64_t i) {
                   const auto number = static_cast<float>(i);
                   return sum(constants, part, constants.constant(scalar_of(number)));
               });
    expect_unchanged(*constants.graph(), batch_equal_ops);
    GraphBuilder functions;
    parts_with(
        functions, functions.input("x", "[?,4,3]"), 1, kParts,
        [&](const Output& part, std::int64_t i) { return i == 2 ? part : relu(functions, part); });
    expect_unchanged(*functions.graph(), batch_equal_ops);
    GraphBuilder sides;
    const Output one = sides.constant(scalar_of(1.0F));
    parts_with(sides, sides.input("x", "[?,4,3]"), 1, kParts,
               [&](const Output& part, std::int64_t i) {
                   return sides.make<ops::Binary>("", ops::BinaryFunction::subtract,
                                                  i == 1 ? one : part, i == 1 ? part : one);
               });
    expect_unchanged(*sides.graph(), batch_equal_ops);
}

TEST(JoinOpsOnParts, LeaveWhatMixesTheParts) {
    GraphBuilder rows;  // the other input has rows of its own
    const Output other = rows.input("other", "[?,3]");
    parts_with(rows, rows.input("x", "[?,4,3]"), 1, kParts,
               [&](const Output& part, std::int64_t) { return sum(rows, part, other); });
    expect_unchanged(*rows.graph(), batch_equal_ops);
    GraphBuilder inner;  // the axis is the one that a product sums over
    const Output w = matrix(inner, 2, 3);
    parts_with(
        inner, inner.input("x", "[?,2,4]"), 2, kParts,
        [&](const Output& part, std::int64_t) { return inner.make<ops::MatMul>("", part, w); });
    expect_unchanged(*inner.graph(), batch_equal_ops);
    GraphBuilder square;  // each part times itself: a product of batches
    parts_with(
        square, square.input("x", "[3,4,3]"), 1, kParts,
        [&](const Output& part, std::int64_t) { return square.make<ops::MatMul>("", part, part); });
    expect_unchanged(*square.graph(), batch_equal_ops);
    GraphBuilder tables;  // each part is a table of its own
    const Output ids = tables.input("ids", "[4,?]", ElementType::i64);
    parts_with(
        tables, tables.input("x", "[4,7,3]"), 0, kParts, [&](const Output& part, std::int64_t i) {
            return tables.make<ops::Gather>("", part, element(tables, ids, i, 0), tables.ints({0}));
        });
    expect_unchanged(*tables.graph(), batch_equal_ops);
    GraphBuilder few;
    parts_with(few, few.input("x", "[?,2,3]"), 1, 2,
               [&](const Output& part, std::int64_t) { return relu(few, part); });
    expect_unchanged(*few.graph(), batch_equal_ops);
    GraphBuilder some;
    parts_with(some, some.input("x", "[?,5,3]"), 1, kParts,
               [&](const Output& part, std::int64_t) { return relu(some, part); });
    expect_unchanged(*some.graph(), batch_equal_ops);
}

}  // namespace
}  // namespace rondo::passes::batch_equal_ops_test
