// Movement nodes and Gather with axes and indices that come in with each inference.
#include <gtest/gtest.h>

#include "core/ops/movement/movement_ops.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::late_values_test {
namespace {

NodePtr ints(const std::vector<std::int64_t>& values) { return ops::make_i64(values, "ints"); }

std::shared_ptr<Graph> sliced(const PartialShape& shape, ops::StridedSliceMasks masks,
                              const std::vector<std::int64_t>& end, ElementType type) {
    const auto x = parameter("x", shape);
    const auto begin = parameter("begin", {static_cast<std::int64_t>(end.size())}, type);
    const auto slice = make_node<ops::StridedSlice>(
        x, begin, ints(end), ints(std::vector<std::int64_t>(end.size(), 1)), std::move(masks));
    return graph_of({x, begin}, {named(slice, "s")});
}

TEST(StridedSliceNode, AnIndexThatEachRunReads) {
    auto rng = test_rng();
    ops::StridedSliceMasks masks;
    masks.begin = {1, 0, 1};
    masks.end = {1, 0, 1};
    masks.shrink_axis = {0, 1};
    const auto graph = sliced({3, 7, 5}, masks, {0, 0, 0}, ElementType::i64);
    const Tensor x = random_tensor(ElementType::f32, {3, 7, 5}, rng);
    auto device = on_cpu(*graph);
    for (const std::int64_t i : {0, 3, 6, -1, -7}) {
        const auto begin = tensor_of<std::int64_t>({3}, {99, i, 99});
        expect_same(device.run({x, begin})[0], on_reference(*graph).run({x, begin})[0]);
    }
    for (const std::int64_t i : {7, -8}) {
        expect_error<ModelError>(
            [&] {
                device.run({x, tensor_of<std::int64_t>({3}, {0, i, 0})});
            },
            "node 's' (StridedSlice): index " + std::to_string(i) + " is out of range for axis 1");
    }
}

TEST(StridedSliceNode, SeveralIndicesOfAnyIntegerTypeBehindAnEllipsis) {
    auto rng = test_rng();
    ops::StridedSliceMasks masks;
    masks.ellipsis = {1};
    masks.new_axis = {0, 0, 1};
    masks.shrink_axis = {0, 1, 0, 1};
    const auto graph = sliced({2, 3, 4, 5}, masks, {0, 0, 0, 0}, ElementType::u8);
    const Tensor x = random_tensor(ElementType::f32, {2, 3, 4, 5}, rng);
    const auto begin = tensor_of<std::uint8_t>({4}, {9, 2, 9, 4});
    expect_same(on_cpu(*graph).run({x, begin})[0], on_reference(*graph).run({x, begin})[0]);
    expect_error<ModelError>(
        [&] {
            on_cpu(*graph).run({x, tensor_of<std::uint8_t>({4}, {0, 0, 0, 255})});
        },
        "index 255 is out of range for axis 3");
}

std::shared_ptr<Graph> mapped(const Shape& shape, const std::vector<std::int64_t>& target) {
    const auto x = parameter("x", PartialShape(shape));
    const auto mapping =
        parameter("m", {static_cast<std::int64_t>(shape.size())}, ElementType::i32);
    return graph_of({x, mapping},
                    {named(make_node<ops::Broadcast>(x, ints(target), mapping), "b")});
}

TEST(BroadcastNode, AMappingThatEachRunReads) {
    auto rng = test_rng();
    const auto graph = mapped({3, 1}, {3, 2, 3, 4});
    const Tensor x = random_tensor(ElementType::f32, {3, 1}, rng);
    auto device = on_cpu(*graph);
    for (const auto& mapping : {std::vector<std::int32_t>{0, 1}, {0, 3}, {2, 3}}) {
        const auto m = tensor_of<std::int32_t>({2}, mapping);
        expect_same(device.run({x, m})[0], on_reference(*graph).run({x, m})[0]);
    }
    const auto refused = [&](std::vector<std::int32_t> mapping, const std::string& text) {
        expect_error<ModelError>(
            [&] {
                device.run({x, tensor_of<std::int32_t>({2}, mapping)});
            },
            "node 'b' (Broadcast): " + text);
    };
    refused({0, 4}, "axes_mapping names axis 4, but the target has rank 4");
    refused({-1, 2}, "axes_mapping names axis -1");
    refused({2, 2}, "axes_mapping must grow");
    refused({1, 2}, "data has an extent 3 where the target shape has 2");
}

// Its extents are those of the data already, but the run's target may not fit them.
TEST(BroadcastNode, ATargetThatDecidesNoExtentIsStillChecked) {
    const auto x = parameter("x", {3, 4});
    const auto target = parameter("t", {2}, ElementType::i64);
    const auto graph = graph_of(
        {x, target},
        {named(make_node<ops::Broadcast>(x, target, ops::BroadcastMode::bidirectional), "b")});
    auto rng = test_rng();
    const Tensor data = random_tensor(ElementType::f32, {3, 4}, rng);
    auto device = on_cpu(*graph);
    const auto run = [&](std::int64_t rows, std::int64_t columns) {
        return device.run({data, tensor_of<std::int64_t>({2}, {rows, columns})})[0];
    };
    expect_same(run(3, 4), data);
    expect_same(run(1, 4), data);
    const auto refused = [&](std::int64_t rows, std::int64_t columns, const std::string& text) {
        expect_error<ModelError>([&] { run(rows, columns); },
                                 "node 'b' (Broadcast): data of shape [3,4] doesn't fit the "
                                 "target shape, which holds " +
                                     text);
    };
    refused(2, 4, "2; expected 3");
    refused(3, 0, "0; expected 4");
    refused(-1, 4, "-1; expected 3");
}

TEST(BroadcastNode, AMappingToAnEmptyShapeIsStillChecked) {
    const auto graph = mapped({1}, {0, 2});
    const Tensor x = tensor_of<float>({1}, {1});
    auto device = on_cpu(*graph);
    EXPECT_EQ(device.run({x, tensor_of<std::int32_t>({1}, {1})})[0].shape(), (Shape{0, 2}));
    expect_error<ModelError>(
        [&] {
            device.run({x, tensor_of<std::int32_t>({1}, {2})});
        },
        "axes_mapping names axis 2");
}

TEST(GatherNode, AnAxisThatEachRunReads) {
    const auto x = parameter("x", {4});
    const auto i = parameter("i", PartialShape(Shape{}), ElementType::i64);
    const auto axis = parameter("axis", PartialShape(Shape{}), ElementType::i64);
    const auto graph = graph_of({x, i, axis}, {named(make_node<ops::Gather>(x, i, axis), "g")});
    const Tensor data = tensor_of<float>({4}, {1, 2, 3, 4});
    auto device = on_cpu(*graph);
    const auto run = [&](std::int64_t index, std::int64_t on) {
        return device.run({data, scalar_of(index), scalar_of(on)})[0];
    };
    expect_same(run(2, 0), scalar_of(3.0f));
    expect_same(run(-1, -1), scalar_of(4.0f));
    expect_error<ModelError>([&] { run(0, 1); },
                             "node 'g' (Gather): axis 1 is out of range for rank 1");
    expect_error<ModelError>([&] { run(4, 0); }, "index 4 is out of range for an axis of extent 4");
}

TEST(ReverseSequenceNode, LengthsThatComeWithEachRun) {
    auto rng = test_rng();
    for (const auto& [batch, sequence] : {std::pair{0, 1}, std::pair{1, 0}, std::pair{2, 0}}) {
        const auto x = parameter("x", PartialShape::of_rank(3));
        const auto lengths = parameter("lengths", {-1}, ElementType::i32);
        const auto graph =
            graph_of({x, lengths},
                     {named(make_node<ops::ReverseSequence>(x, lengths, batch, sequence), "r")});
        auto device = on_cpu(*graph);
        const Tensor data = random_tensor(ElementType::f32, {3, 3, 3}, rng);
        for (const auto& l : {std::vector<std::int32_t>{3, 1, 0}, {2, 2, 3}}) {
            const std::vector<Tensor> inputs{data, tensor_of<std::int32_t>({3}, l)};
            expect_same(device.run(inputs)[0], on_reference(*graph).run(inputs)[0]);
        }
        for (const std::int32_t length : {-1, 4}) {
            expect_error<ModelError>(
                [&] {
                    device.run({data, tensor_of<std::int32_t>({3}, {0, length, 0})});
                },
                "node 'r' (ReverseSequence): the length of row 1 is " + std::to_string(length) +
                    "; expected 0 to 3");
        }
        expect_like_reference(*graph,
                              {Tensor(ElementType::f32, {0, 0, 0}), Tensor(ElementType::i32, {0})});
    }
}

TEST(RollNode, ShiftsAndAxesThatComeWithEachRun) {
    auto rng = test_rng();
    const auto x = parameter("x", PartialShape::of_rank(3));
    const auto shift = parameter("shift", {-1}, ElementType::i32);
    const auto axes = parameter("axes", {-1}, ElementType::i64);
    const auto graph =
        graph_of({x, shift, axes}, {named(make_node<ops::Roll>(x, shift, axes), "r")});
    auto device = on_cpu(*graph);
    for (int round = 0; round < 100; ++round) {
        const auto extent = [&](std::int64_t most) {
            return static_cast<std::size_t>(uniform_int(rng, 0, most));
        };
        const Tensor data = random_tensor(ElementType::f32, {extent(3), extent(4), extent(5)}, rng);
        Tensor shifts(ElementType::i32, {extent(3)});
        Tensor named_axes(ElementType::i64, shifts.shape());
        for (std::size_t i = 0; i < shifts.size(); ++i) {
            shifts.data<std::int32_t>()[i] = static_cast<std::int32_t>(uniform_int(rng, -9, 9));
            named_axes.data<std::int64_t>()[i] = uniform_int(rng, -3, 2);
        }
        const std::vector<Tensor> inputs{data, shifts, named_axes};
        expect_same(device.run(inputs)[0], on_reference(*graph).run(inputs)[0]);
    }
    const Tensor data = random_tensor(ElementType::f32, {2, 2, 2}, rng);
    const Tensor one = tensor_of<std::int32_t>({1}, {1});
    expect_error<ModelError>(
        [&] {
            device.run({data, one, tensor_of<std::int64_t>({1}, {3})});
        },
        "node 'r' (Roll): axis 3 is out of range for rank 3");
}

TEST(RollNode, LargeTensorsAreSharedByThreads) {
    auto rng = test_rng();
    const auto x = parameter("x", PartialShape::of_rank(2));
    const auto shift = ops::make_i64({3, -1}, "shift");
    const auto graph = graph_of(
        {x}, {named(make_node<ops::Roll>(Output(x), shift, ops::make_i64({0, 1}, "axes")), "r")});
    expect_like_reference(*graph, {random_tensor(ElementType::f32, {900, 301}, rng)});
}

TEST(TransposeNode, AScalarHasNoOrder) {
    const auto x = parameter("x", PartialShape(Shape{}));
    const auto order = parameter("order", {-1}, ElementType::i64);
    const auto graph = graph_of({x, order}, {named(make_node<ops::Transpose>(x, order), "t")});
    auto device = on_cpu(*graph);
    expect_same(device.run({scalar_of(5.0f), tensor_of<std::int64_t>({0}, {})})[0],
                scalar_of(5.0f));
    expect_error<ModelError>(
        [&] {
            device.run({scalar_of(5.0f), tensor_of<std::int64_t>({1}, {0})});
        },
        "order has 1 entries; expected 0");
}

TEST(SplitNode, AScalarHasNoAxis) {
    const auto x = parameter("x", PartialShape(Shape{}));
    const auto axis = parameter("axis", PartialShape(Shape{}), ElementType::i64);
    const auto graph = graph_of({x, axis}, {named(make_node<ops::Split>(x, axis, 1), "s")});
    expect_error<ModelError>(
        [&] {
            on_cpu(*graph).run({scalar_of(5.0f), scalar_of(std::int64_t{0})});
        },
        "out of range for rank 0");
}

}  // namespace
}  // namespace rondo::test::late_values_test
