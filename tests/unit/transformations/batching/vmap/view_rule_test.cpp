#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "tests/support/bodies.hpp"
#include "tests/unit/transformations/batching/vmap/expect_lifted.hpp"
#include "tests/unit/transformations/onnx_layers.hpp"

namespace rondo::test::view_rule_test {
namespace {

TEST(LiftView, KeepsPatternsOfReshape) {
    for (const auto& pattern : {std::vector<std::int64_t>{0, -1}, {4, 6}, {-1}, {1, 2, 3, 4}}) {
        GraphBuilder b;
        b.output("y", b.reshape(b.input("x", "[2,3,4]"), pattern));
        expect_lifted(b.graph());
    }
    for (const auto& pattern : {std::vector<std::int64_t>{1, -1}, {-1, 4}, {0, 3, 2, 2}, {12}}) {
        GraphBuilder b;
        b.output("y", b.reshape(b.input("x", "[1,3,4]"), pattern));
        expect_lifted(b.graph());
    }
}

TEST(LiftView, KeepsOpenExtents) {
    GraphBuilder b;
    const Output x = b.input("x", "[?,3,4]");
    b.output("y", b.reshape(x, {0, -1}));
    b.output("z", b.reshape(x, {-1, 2, 2}));
    expect_lifted(b.graph());
}

TEST(LiftView, FollowsComputedPatterns) {
    for (const bool special_zero : {false, true}) {
        GraphBuilder b;
        const Output x = b.input("x", "[?,3,4]");
        const Output pattern = b.make<ops::Concat>(
            "pattern", std::vector<Output>{extent_of(b, x, 1), b.ints({-1})}, 0);
        b.output("y", b.make<ops::Reshape>("r", x, pattern, special_zero));
        expect_lifted(b.graph());
    }
}

TEST(LiftView, SqueezesAndUnsqueezesAnyAxis) {
    for (const auto& axes : {std::vector<std::int64_t>{0}, {1}, {-1}, {0, 3}, {1, -1}, {}}) {
        GraphBuilder b;
        const Output x = b.input("x", "[1,1,3,1]");
        b.output("y", b.squeeze(x, axes));
        if (!axes.empty()) b.output("z", b.unsqueeze(x, axes));
        expect_lifted(b.graph());
    }
    GraphBuilder b;
    const Output x = b.input("x", "[2,1,3]");
    b.output("y", b.squeeze(x, {1}));
    b.output("z", b.unsqueeze(x, {0, 2}));
    expect_lifted(b.graph());
}

TEST(LiftView, GivesOutputsPortsOfTheirOwn) {
    GraphBuilder b;
    const Output x = b.input("x", "[1,3]");
    const Output y = b.squeeze(x, {0});
    b.output("y", y);
    b.output("z", b.unsqueeze(y, {0}));
    expect_lifted(b.graph());
}

TEST(LiftShapeOf, SaysTheShapeOfARow) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,3]");
    const Output y = b.input("y", "[?,3]");
    b.output("known", b.make<ops::ShapeOf>("known", x));
    b.output("open", b.make<ops::ShapeOf>("open", y, ElementType::i32));
    expect_lifted(b.graph());
}

TEST(LiftView, RefusesAnExtentThatDecidesARank) {
    GraphBuilder b;
    b.output("y", b.squeeze(b.input("x", "[?,3]"), {}));
    expect_not_lifted(b.graph(), "the number of its axes isn't known");
}

}  // namespace
}  // namespace rondo::test::view_rule_test
