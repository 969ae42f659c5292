#include "core/ops/indexing/indexing_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "tests/support/bodies.hpp"
#include "tests/unit/transformations/batching/vmap/expect_lifted.hpp"

namespace rondo::test::indexing_rule_test {
namespace {

using Rows = std::vector<std::vector<Tensor>>;

Tensor places(const std::vector<std::int64_t>& values) {
    return tensor_of<std::int64_t>({values.size()}, values);
}

Tensor numbers(float first) {
    return tensor_of<float>({3, 2}, {first, first + 1, first + 2, first + 3, first + 4, first + 5});
}

TEST(LiftIndexing, GathersByConstantPlaces) {
    for (const std::int64_t axis : {0, 1, -1}) {
        GraphBuilder b;
        const Output x = b.input("x", "[2,3,2]");
        b.output("y", b.make<ops::Gather>("y", x, b.ints({1, 0}), i64(b, axis)));
        b.output("z", b.make<ops::Gather>("z", x, i64(b, 1), i64(b, axis)));
        expect_lifted(b.graph());
    }
}

TEST(LiftIndexing, GathersByPlacesOfEachRow) {
    const Rows rows{
        {places({0, 1}), numbers(0)}, {places({2, 2}), numbers(7)}, {places({1, 0}), numbers(3)}};
    GraphBuilder b;
    const Output at = b.input("at", "[2]", ElementType::i64);
    const Output x = b.input("x", "[3,2]");
    const Output table = b.constant(numbers(20));
    b.output("table", b.make<ops::Gather>("t", table, at, i64(b, 0)));
    b.output("turned", b.make<ops::Gather>("u", b.transpose(table, {1, 0}), at, i64(b, 1)));
    b.output("own", b.make<ops::Gather>("o", x, at, i64(b, 0)));
    b.output("nd", b.make<ops::GatherND>("n", x, b.unsqueeze(at, {1})));
    b.output("table_nd", b.make<ops::GatherND>("m", table, b.unsqueeze(at, {1})));
    expect_lifted(b.graph(), {}, rows);
}

TEST(LiftIndexing, GathersInBatches) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,3]");
    const Output at = b.constant(tensor_of<std::int64_t>({2, 1}, {2, 0}));
    b.output("y", b.make<ops::Gather>("y", x, at, i64(b, 1), 1));
    b.output("z", b.make<ops::GatherND>("z", x, at, 1));
    expect_lifted(b.graph());
}

TEST(LiftIndexing, ScattersElements) {
    GraphBuilder b;
    const Output x = b.input("x", "[3,2]");
    const Output at = b.constant(tensor_of<std::int64_t>({1, 2}, {2, 0}));
    const std::vector<Output> inputs{x, at, b.input("u", "[1,2]"), i64(b, 0)};
    b.output("y", b.make<ops::ScatterElementsUpdate>("y", inputs, ops::ScatterReduction::none));
    expect_lifted(b.graph());
}

TEST(LiftIndexing, ScattersSlices) {
    GraphBuilder b;
    const Output x = b.input("x", "[3,2,4]");
    const Output at = b.constant(tensor_of<std::int64_t>({2, 1}, {2, 0}));
    const std::vector<Output> inputs{x, at, b.input("u", "[2,2,4]")};
    b.output("y", b.make<ops::ScatterNDUpdate>("y", inputs, ops::ScatterReduction::none));
    expect_lifted(b.graph());
}

TEST(LiftIndexing, ScattersARangeWithoutMovingRows) {
    GraphBuilder b;
    const Output x = b.input("x", "[3,2]");
    const Output at = b.constant(tensor_of<std::int64_t>({2, 1}, {0, 1}));
    const std::vector<Output> inputs{x, at, b.input("u", "[2,2]")};
    b.output("y", b.make<ops::ScatterNDUpdate>("y", inputs, ops::ScatterReduction::none));
    const auto graph = expect_lifted(b.graph());
    EXPECT_EQ(count_nodes(*graph, "Transpose"), 0U);
    EXPECT_EQ(count_nodes(*graph, "ScatterNDUpdate"), 0U);
}

TEST(LiftIndexing, RefusesPlacesOfEachRowForSlices) {
    GraphBuilder b;
    const std::vector<Output> inputs{
        b.input("x", "[3,2]"), b.input("at", "[2,1]", ElementType::i64), b.input("u", "[2,2]")};
    b.output("y", b.make<ops::ScatterNDUpdate>("y", inputs, ops::ScatterReduction::none));
    expect_not_lifted(b.graph(), "node 'y' (ScatterNDUpdate): its input 1 differs");
}

}  // namespace
}  // namespace rondo::test::indexing_rule_test
