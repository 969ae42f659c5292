// The nodes that move elements: transpose, broadcast, slice, strided slice, concat, split, gather.
#include <gtest/gtest.h>

#include "core/ops/movement/movement_ops.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::copy_nodes_test {
namespace {

NodePtr ints(const std::vector<std::int64_t>& values) { return ops::make_i64(values, "ints"); }
NodePtr scalar(std::int64_t value) { return ops::make_i64_scalar(value, "scalar"); }

// Every type of every size, since these nodes only look at sizes.
const ElementType kTypes[] = {ElementType::f32, ElementType::i64, ElementType::f16,
                              ElementType::u8};

void expect_for_all_types(const std::function<Output(const NodePtr&)>& op, const Shape& shape) {
    auto rng = test_rng();
    for (const ElementType type : kTypes) {
        const auto x = parameter("x", PartialShape::of_rank(shape.size()), type);
        expect_like_reference(*graph_of({x}, {op(x)}), {random_tensor(type, shape, rng, 0, 99)});
    }
}

std::string profile_of(const Graph& graph, const std::vector<Tensor>& inputs) {
    auto device = on_cpu(graph, {{property::kPerfCount, "YES"}});
    device.run(inputs);
    return device.executor->profiling().at(0).exec_type;
}

TEST(TransposeNode, AnyOrder) {
    const auto transpose = [](const std::vector<std::int64_t>& order) {
        return [order](const NodePtr& x) -> Output {
            return make_node<ops::Transpose>(x, ints(order));
        };
    };
    expect_for_all_types(transpose({1, 0}), {33, 47});
    expect_for_all_types(transpose({1, 0, 2}), {5, 7, 3});
    expect_for_all_types(transpose({2, 1, 0}), {5, 18, 19});
    expect_for_all_types(transpose({2, 0, 3, 1}), {3, 4, 5, 6});
    expect_for_all_types(transpose({}), {3, 4, 5});
    expect_for_all_types(transpose({1, 0}), {0, 4});
}

TEST(TransposeNode, OfAxesOfExtentOneIsAView) {
    const auto x = parameter("x", {-1, -1, 8});
    const auto graph = graph_of({x}, {make_node<ops::Transpose>(x, ints({1, 0, 2}))});
    auto rng = test_rng();
    EXPECT_EQ(profile_of(*graph, {random_tensor(ElementType::f32, {1, 5, 8}, rng)}), "view");
    EXPECT_EQ(profile_of(*graph, {random_tensor(ElementType::f32, {2, 5, 8}, rng)}), "copy");
    expect_like_reference(*graph, {random_tensor(ElementType::f32, {1, 5, 8}, rng)});
}

// What --explain says where the shape is open, and for two known ones.
TEST(TransposeNode, SaysWhetherItCopies) {
    const auto reason = [](const PartialShape& shape) {
        const auto x = parameter("x", shape);
        const auto turned = named(make_node<ops::Transpose>(x, ints({1, 0, 2})), "turned");
        return reason_of(*graph_of({x}, {turned}), "turned");
    };
    EXPECT_EQ(reason({-1, -1, 8}), "tiled copy; a view where only axes of extent 1 move");
    EXPECT_EQ(reason({1, 5, 8}), "a view: nothing is copied");
    EXPECT_EQ(reason({2, 5, 8}), "tiled copy");
}

TEST(BroadcastNode, AllModes) {
    const auto broadcast = [](const std::vector<std::int64_t>& target, ops::BroadcastMode mode) {
        return [=](const NodePtr& x) -> Output {
            return make_node<ops::Broadcast>(x, ints(target), mode);
        };
    };
    expect_for_all_types(broadcast({2, 3, 4}, ops::BroadcastMode::numpy), {3, 1});
    expect_for_all_types(broadcast({2, 3}, ops::BroadcastMode::numpy), {2, 3});
    expect_for_all_types(broadcast({1, 4}, ops::BroadcastMode::bidirectional), {2, 3, 1});
    expect_for_all_types(
        [](const NodePtr& x) -> Output {
            return make_node<ops::Broadcast>(x, ints({2, 3, 4}), ints({0, 2}));
        },
        {2, 4});
}

TEST(TileNode, AnyRepeats) {
    const auto tile = [](const std::vector<std::int64_t>& repeats) {
        return [=](const NodePtr& x) -> Output { return make_node<ops::Tile>(x, ints(repeats)); };
    };
    expect_for_all_types(tile({3, 1}), {4, 5});
    expect_for_all_types(tile({2, 3}), {4, 5});
    expect_for_all_types(tile({2, 1, 3}), {1, 5});
    expect_for_all_types(tile({7}), {3, 1});
    expect_for_all_types(tile({1, 1}), {3, 4});
    expect_for_all_types(tile({2, 0}), {3, 4});
    expect_for_all_types(tile({2, 3}), {3, 0});
}

TEST(TileNode, RepeatsThatComeWithEachRun) {
    const auto x = parameter("x", {-1, -1});
    const auto repeats = parameter("r", {2}, ElementType::i32);
    const auto graph = graph_of({x, repeats}, {make_node<ops::Tile>(x, repeats)});
    auto rng = test_rng();
    const Tensor data = random_tensor(ElementType::f32, {2, 3}, rng);
    auto device = on_cpu(*graph);
    for (const auto& r : std::vector<std::vector<std::int32_t>>{{1, 2}, {3, 1}, {0, 2}, {1, 2}}) {
        const std::vector<Tensor> inputs{data, tensor_of<std::int32_t>({2}, r)};
        expect_same(device.run(inputs)[0], on_reference(*graph).run(inputs)[0]);
    }
    const auto refused = [&](const std::vector<std::int32_t>& r, const char* text) {
        expect_error<ModelError>(
            [&] {
                device.run({data, tensor_of<std::int32_t>({2}, r)});
            },
            text);
    };
    refused({-1, 1}, "repeats hold -1; expected 0 or more");
    refused({INT32_MAX, INT32_MAX}, "");  // more elements than any tensor has
}

TEST(SliceNode, StartsStopsAndSteps) {
    const auto slice = [](std::vector<std::int64_t> start, std::vector<std::int64_t> stop,
                          std::vector<std::int64_t> step, std::vector<std::int64_t> axes) {
        return [=](const NodePtr& x) -> Output {
            return make_node<ops::Slice>(x, ints(start), ints(stop), ints(step), ints(axes));
        };
    };
    expect_for_all_types(slice({1}, {3}, {1}, {0}), {5, 7});
    expect_for_all_types(slice({1}, {6}, {2}, {1}), {5, 7});
    expect_for_all_types(slice({-1, 5}, {-9, 0}, {-1, -2}, {0, 1}), {5, 7});
    expect_for_all_types(slice({4}, {2}, {1}, {0}), {5, 7});
    expect_for_all_types(slice({0}, {1}, {1}, {2}), {3, 4, 5});
}

TEST(SliceNode, StridedSliceWithMasks) {
    expect_for_all_types(
        [](const NodePtr& x) -> Output {
            return make_node<ops::StridedSlice>(
                x, ints({-1, 0, 1}), ints({0, 0, 4}), ints({1, 1, 2}),
                ops::StridedSliceMasks{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {}});
        },
        {3, 6, 2});
    expect_for_all_types(
        [](const NodePtr& x) -> Output {
            return make_node<ops::StridedSlice>(x, ints({2}), ints({4}), ints({-1}),
                                                ops::StridedSliceMasks{{1}, {1}, {}, {1}, {}});
        },
        {3, 4});
}

TEST(SliceNode, LastStepOfOneSequenceIsAView) {
    const auto x = parameter("x", {-1, -1, 8});
    const auto last = make_node<ops::Slice>(x, ints({-1}), ints({INT64_MAX}), ints({1}), ints({1}));
    const auto graph = graph_of({x}, {last});
    auto rng = test_rng();
    EXPECT_EQ(profile_of(*graph, {random_tensor(ElementType::f32, {1, 5, 8}, rng)}), "view");
    expect_like_reference(*graph, {random_tensor(ElementType::f32, {1, 5, 8}, rng)});
    expect_like_reference(*graph, {random_tensor(ElementType::f32, {3, 5, 8}, rng)});
}

TEST(ConcatNode, AnyAxis) {
    auto rng = test_rng();
    for (const std::int64_t axis : {0, 1, -1}) {
        const auto a = parameter("a", PartialShape::of_rank(3));
        const auto b = parameter("b", PartialShape::of_rank(3));
        const auto graph =
            graph_of({a, b}, {make_node<ops::Concat>(std::vector<Output>{a, b, a}, axis)});
        for (const std::size_t extent : {0, 1, 5}) {
            Shape shape{2, 3, 4};
            shape[static_cast<std::size_t>(axis + 3) % 3] = extent;
            expect_like_reference(*graph, {random_tensor(ElementType::f32, {2, 3, 4}, rng),
                                           random_tensor(ElementType::f32, shape, rng)});
        }
    }
}

TEST(SplitNode, AnyAxisAndUnusedParts) {
    auto rng = test_rng();
    for (const std::int64_t axis : {0, 1, 2}) {
        const auto x = parameter("x", PartialShape::of_rank(3));
        const auto split = make_node<ops::Split>(x, scalar(axis), 3);
        const auto graph = graph_of({x}, {split->output(2), split->output(0)});
        expect_like_reference(*graph, {random_tensor(ElementType::f32, {3, 6, 9}, rng)});
    }
}

TEST(SplitNode, GivenLengths) {
    auto rng = test_rng();
    for (const std::int64_t axis : {0, 1}) {
        const auto x = parameter("x", {-1, -1}, ElementType::i32);
        const auto split = make_node<ops::VariadicSplit>(x, scalar(axis), ints({2, 0, -1}));
        const auto graph = graph_of({x}, {split->output(0), split->output(1), split->output(2)});
        expect_like_reference(*graph, {random_tensor(ElementType::i32, {5, 7}, rng, 0, 99)});
    }
}

TEST(GatherNode, AnyAxisAndNegativeIndices) {
    auto rng = test_rng();
    for (const std::int64_t axis : {0, 1, 2}) {
        const auto x = parameter("x", PartialShape::of_rank(3));
        const auto indices = parameter("i", PartialShape(), ElementType::i32);
        const auto graph =
            graph_of({x, indices}, {named(make_node<ops::Gather>(x, indices, scalar(axis)), "g")});
        for (const Shape& shape : {Shape{}, Shape{4}, Shape{2, 2}, Shape{0}}) {
            expect_like_reference(*graph, {random_tensor(ElementType::f32, {3, 3, 5}, rng),
                                           random_tensor(ElementType::i32, shape, rng, -3, 2)});
        }
        const auto run = [&] {
            on_cpu(*graph).run({random_tensor(ElementType::f32, {3, 3, 5}, rng),
                                tensor_of<std::int32_t>({1}, {7})});
        };
        expect_error<ModelError>(run, "node 'g' (Gather): index 7 is out of range");
    }
}

TEST(GatherNode, OneKnownRowIsAView) {
    auto rng = test_rng();
    const auto x = parameter("x", {-1, 4});
    const auto graph = graph_of({x}, {make_node<ops::Gather>(x, scalar(-1), scalar(0))});
    const Tensor input = random_tensor(ElementType::f32, {3, 4}, rng);
    EXPECT_EQ(profile_of(*graph, {input}), "view");
    expect_like_reference(*graph, {input});
}

TEST(GatherNode, SaysWhetherItCopies) {
    const auto reason = [](const PartialShape& shape, std::int64_t axis) {
        const auto x = parameter("x", shape);
        const auto row = named(make_node<ops::Gather>(x, scalar(-1), scalar(axis)), "row");
        return reason_of(*graph_of({x}, {row}), "row");
    };
    EXPECT_EQ(reason({-1, 4}, 0), "copies rows; a view where one row's index is known");
    EXPECT_EQ(reason({3, 4}, 0), "a view: nothing is copied");
    EXPECT_EQ(reason({3, 4}, 1), "copies rows");
}

TEST(GatherNode, BatchDims) {
    auto rng = test_rng();
    const auto x = parameter("x", {-1, -1});
    const auto indices = parameter("i", {-1, -1}, ElementType::i64);
    const auto graph = graph_of({x, indices}, {make_node<ops::Gather>(x, indices, scalar(1), 1)});
    expect_like_reference(*graph, {random_tensor(ElementType::f32, {3, 5}, rng),
                                   random_tensor(ElementType::i64, {3, 2}, rng, 0, 4)});
}

}  // namespace
}  // namespace rondo::test::copy_nodes_test
