#include "transformations/simplify/passes.hpp"

#include <gmock/gmock.h>

#include <limits>
#include <type_traits>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/check_pass.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/source_location.hpp"

namespace rondo::passes::eliminate_no_ops_test {
namespace {

using test::expect_rewritten;
using test::expect_unchanged;
using test::GraphBuilder;
using test::tensor_of;

constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();

// x -> what `make` adds -> relu -> y: the pass must leave x -> relu -> y.
template <typename Make>
void expect_removed(const char* shape, Make&& make,
                    test::SourceLocation where = test::SourceLocation::current()) {
    GraphBuilder b;
    const Output x = b.input("x", shape);
    b.output("y", b.make<ops::Unary>("relu", ops::UnaryFunction::relu, make(b, x)));
    const auto graph = b.graph();
    expect_rewritten(*graph, eliminate_no_ops, {}, where);
    const auto nodes = graph->ordered_nodes();
    const testing::ScopedTrace trace(where.file_name(), static_cast<int>(where.line()), "");
    EXPECT_EQ(nodes.size(), 3U) << nodes[1]->name();
}

template <typename Make>
void expect_kept(const char* shape, Make&& make,
                 test::SourceLocation where = test::SourceLocation::current()) {
    GraphBuilder b;
    const Output x = b.input("x", shape);
    b.output("y", b.make<ops::Unary>("relu", ops::UnaryFunction::relu, make(b, x)));
    expect_unchanged(*b.graph(), eliminate_no_ops, where);
}

TEST(EliminateNoOps, Transpose) {
    expect_removed("[?,?]", [](auto& b, auto& x) { return b.transpose(x, {0, 1}); });
    expect_kept("[2,2]", [](auto& b, auto& x) { return b.transpose(x, {1, 0}); });
}

TEST(EliminateNoOps, Views) {
    expect_removed("[2,3]", [](auto& b, auto& x) { return b.reshape(x, {2, -1}); });
    expect_removed("[?,3]", [](auto& b, auto& x) { return b.reshape(x, {-1, 3}); });
    expect_removed("[?,?,3]", [](auto& b, auto& x) { return b.reshape(x, {0, 0, 3}); });
    expect_kept("[2,3]", [](auto& b, auto& x) { return b.reshape(x, {3, 2}); });
    expect_kept("[?,?]", [](auto& b, auto& x) { return b.reshape(x, {0, 3}); });
    expect_kept("[?,?]", [](auto& b, auto& x) { return b.reshape(x, {-1, 3}); });
    expect_kept("[1,2]", [](auto& b, auto& x) { return b.squeeze(x, {0}); });
}

TEST(EliminateNoOps, Convert) {
    expect_removed("[2]", [](auto& b, auto& x) {
        return b.template make<ops::Convert>("", x, ElementType::f32);
    });
    expect_kept("[2]", [](auto& b, auto& x) {
        return b.template make<ops::Convert>("", x, ElementType::f64);
    });
}

TEST(EliminateNoOps, ConcatAndSplit) {
    const auto concat = [](auto& b, std::vector<Output> parts) {
        return b.template make<ops::Concat>("", parts, 0);
    };
    expect_removed("[2,?]", [&](auto& b, auto& x) { return concat(b, {x}); });
    expect_kept("[2,3]", [&](auto& b, auto& x) { return concat(b, {x, x}); });
    const auto split = [](auto& b, auto& x, std::int64_t parts) {
        const Output axis = b.constant(tensor_of<std::int64_t>({}, {0}));
        return b.template make<ops::Split>("", x, axis, parts);
    };
    expect_removed("[2,?]", [&](auto& b, auto& x) { return split(b, x, 1)->output(0); });
    expect_kept("[2,?]", [&](auto& b, auto& x) { return split(b, x, 2)->output(0); });
    const auto variadic = [](auto& b, auto& x) {
        const Output axis = b.constant(tensor_of<std::int64_t>({}, {0}));
        return b.template make<ops::VariadicSplit>("", x, axis, b.ints({2}));
    };
    expect_removed("[2,3]", variadic);
    expect_kept("[?,3]", variadic);
}

TEST(EliminateNoOps, Slice) {
    const auto slice = [](std::vector<std::int64_t> start, std::vector<std::int64_t> stop,
                          std::int64_t step) {
        return [=](auto& b, auto& x) {
            const Output steps = b.ints(std::vector<std::int64_t>(start.size(), step));
            return b.template make<ops::Slice>("", x, b.ints(start), b.ints(stop), steps);
        };
    };
    expect_removed("[2,3]", slice({0, 0}, {2, 3}, 1));
    expect_removed("[2,3]", slice({-5}, {kEnd}, 1));
    expect_removed("[?,3]", slice({0}, {kEnd}, 1));
    expect_removed("[..8,3]", slice({0}, {8}, 1));
    expect_kept("[2,3]", slice({0}, {1}, 1));
    expect_kept("[2,3]", slice({0}, {2}, 2));
    expect_kept("[2,3]", slice({-1}, {-kEnd}, -1));
    expect_kept("[?,3]", slice({-5}, {kEnd}, 1));
    expect_kept("[?,3]", slice({0}, {100}, 1));
}

TEST(EliminateNoOps, StridedSlice) {
    const auto slice = [](ops::StridedSliceMasks masks) {
        return [=](auto& b, auto& x) {
            return b.template make<ops::StridedSlice>("", x, b.ints({0}), b.ints({1}), b.ints({1}),
                                                      masks);
        };
    };
    expect_removed("[1,3]", slice({{0}, {0}, {}, {}, {}}));
    expect_removed("[?,3]", slice({{1}, {1}, {}, {}, {}}));
    expect_kept("[?,3]", slice({{1}, {0}, {}, {}, {}}));
    expect_kept("[1,3]", slice({{0}, {0}, {}, {1}, {}}));
    expect_kept("[1,3]", slice({{0}, {0}, {1}, {}, {}}));
}

TEST(EliminateNoOps, Broadcast) {
    const auto broadcast = [](std::vector<std::int64_t> target) {
        return [=](auto& b, auto& x) {
            return b.template make<ops::Broadcast>("", x, b.ints(target));
        };
    };
    expect_removed("[2,3]", broadcast({2, 3}));
    expect_kept("[1,3]", broadcast({2, 3}));
    expect_kept("[?,3]", broadcast({2, 3}));
}

// It may be [2,3], which is an error.

// To the extents that a value has anyway, or that its other mode leaves as they are.
TEST(EliminateNoOps, BroadcastToItsOwnExtents) {
    for (const bool own : {true, false}) {
        for (const auto mode : {ops::BroadcastMode::numpy, ops::BroadcastMode::bidirectional}) {
            GraphBuilder b;
            const Output x = b.input("x", "[?,3]"), other = b.input("other", "[?,3]");
            const Output shape = b.make<ops::ShapeOf>("", own ? x : other);
            const Output rows = b.make<ops::Gather>("", shape, b.ints({0}), b.ints({0}));
            const bool is_both = mode == ops::BroadcastMode::bidirectional;
            const Output target =
                b.make<ops::Concat>("", std::vector<Output>{rows, b.ints({is_both ? 1 : 3})}, 0);
            const Output value = b.make<ops::Unary>("", ops::UnaryFunction::tanh, x);
            b.output("y", b.make<ops::Unary>("", ops::UnaryFunction::tanh,
                                             b.make<ops::Broadcast>("", value, target, mode)));
            const auto graph = b.graph();
            EXPECT_EQ(eliminate_no_ops(*graph), own);
            EXPECT_EQ(test::count_nodes(*graph, "Broadcast"), own ? 0u : 1u);
        }
    }
}

TEST(EliminateNoOps, KeepsABroadcastWhoseTargetComesWithTheRun) {
    GraphBuilder b;
    const Output target = b.input("target", "[2]", ElementType::i64);
    b.output("y", b.make<ops::Broadcast>("", b.input("x", "[4,3]"), target,
                                         ops::BroadcastMode::bidirectional));
    const auto graph = b.graph();
    EXPECT_TRUE(graph->results()[0]->input(0).shape().is_static());
    EXPECT_FALSE(eliminate_no_ops(*graph));
}

TEST(EliminateNoOps, ArithmeticThatChangesNoBit) {
    using enum ops::BinaryFunction;
    const auto with = [](ops::BinaryFunction op, float number, bool on_the_left, Shape shape) {
        return [=](auto& b, auto& x) {
            const Output c = b.constant(test::tensor_of<float>(shape, {number}));
            return on_the_left ? b.template make<ops::Binary>("", op, c, x)
                               : b.template make<ops::Binary>("", op, x, c);
        };
    };
    expect_removed("[2,?]", with(multiply, 1, false, {}));
    expect_removed("[2,?]", with(multiply, 1, true, {1, 1}));
    expect_removed("[2,?]", with(divide, 1, false, {1}));
    expect_removed("[2,?]", with(subtract, 0, false, {}));
    expect_removed("[2,?]", with(add, -0.0F, true, {}));
    expect_removed("[2,?]", with(power, 1, false, {}));
    expect_kept("[2,?]", with(add, 0, false, {}));
    expect_kept("[2,?]", with(subtract, -0.0F, false, {}));
    expect_kept("[2,?]", with(subtract, 0, true, {}));
    expect_kept("[2,?]", with(divide, 1, true, {}));
    expect_kept("[2,?]", with(multiply, 2, false, {}));
    expect_kept("[2]", with(multiply, 1, false, {1, 1}));
}

TEST(EliminateNoOps, IntegersHaveOneZero) {
    GraphBuilder b;
    const Output x = b.input("x", "[2]", ElementType::i64);
    b.output("y",
             b.make<ops::Unary>("relu", ops::UnaryFunction::relu,
                                b.make<ops::Binary>("", ops::BinaryFunction::add, x, b.ints({0}))));
    const auto graph = b.graph();
    expect_rewritten(*graph, eliminate_no_ops);
    EXPECT_EQ(test::count_nodes(*graph, "Add"), 0U);
}

TEST(EliminateNoOps, KeepsWhatParksBetweenInputAndOutput) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,3]");
    b.output("y", b.transpose(x, {0, 1}));
    const Output relu = b.make<ops::Unary>("relu", ops::UnaryFunction::relu, x);
    b.output("a", relu);
    b.output("b", b.transpose(relu, {0, 1}));
    expect_unchanged(*b.graph(), eliminate_no_ops);
}

}  // namespace
}  // namespace rondo::passes::eliminate_no_ops_test
