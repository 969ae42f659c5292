// Slice and StridedSlice whose numbers all come with each inference: windows that move.
#include "plugins/cpu/nodes/movement/slice_axes.hpp"

#include <gtest/gtest.h>

#include "core/ops/movement/movement_ops.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::slice_axes_test {
namespace {

using Numbers = std::vector<std::int64_t>;

Tensor numbers(ElementType type, const Numbers& values) {
    if (type == ElementType::i64) return tensor_of<std::int64_t>({values.size()}, values);
    Tensor result(type, {values.size()});
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (type == ElementType::i32) {
            result.data<std::int32_t>()[i] = static_cast<std::int32_t>(values[i]);
        } else {
            result.data<std::uint64_t>()[i] = static_cast<std::uint64_t>(values[i]);
        }
    }
    return result;
}

NodePtr ints(const Numbers& values) { return ops::make_i64(values, "ints"); }

// x[start:stop:step] along the axes; start and stop are inputs.
std::shared_ptr<Graph> window(const PartialShape& shape, const Numbers& step, const Numbers& axes,
                              ElementType type = ElementType::i64) {
    const auto count = static_cast<std::int64_t>(step.size());
    const auto x = parameter("x", shape);
    const auto start = parameter("start", {count}, type);
    const auto stop = parameter("stop", {count}, type);
    return graph_of({x, start, stop},
                    {named(make_node<ops::Slice>(x, start, stop, ints(step), ints(axes)), "s")});
}

TEST(SliceAxes, AWindowGivesWhatTheReferenceGives) {
    auto rng = test_rng();
    for (const ElementType type : {ElementType::i64, ElementType::i32, ElementType::u64}) {
        for (const Numbers& step : {Numbers{1, 1}, {-1, 2}, {3, -2}, {1LL << 62, 1}}) {
            const auto graph = window({7, 3, -1}, step, {2, 0}, type);
            auto cpu = on_cpu(*graph);
            auto reference = on_reference(*graph);
            const Tensor x = random_tensor(ElementType::f32, {7, 3, 6}, rng);
            for (int i = 0; i < 40; ++i) {
                const std::int64_t least = type == ElementType::u64 ? 0 : -9;
                const auto any = [&] { return uniform_int(rng, least, 9); };
                const std::vector<Tensor> inputs{x, numbers(type, {any(), any()}),
                                                 numbers(type, {any(), any()})};
                expect_same(cpu.run(inputs)[0], reference.run(inputs)[0]);
            }
        }
    }
}

TEST(SliceAxes, NumbersOfAnySizeAreClamped) {
    const auto graph = window({5}, {1}, {0});
    auto device = on_cpu(*graph);
    const Tensor x = tensor_of<float>({5}, {0, 1, 2, 3, 4});
    const auto run = [&](std::int64_t start, std::int64_t stop) {
        return device.run(
            {x, numbers(ElementType::i64, {start}), numbers(ElementType::i64, {stop})})[0];
    };
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
    expect_same(run(kMin, kMax), x);
    expect_same(run(kMax, kMin), Tensor(ElementType::f32, {0}));
    expect_same(run(-2, kMax), tensor_of<float>({2}, {3, 4}));
    expect_same(run(kMin, 2), tensor_of<float>({2}, {0, 1}));
}

// An ellipsis, an inserted axis, a removed one and a masked end beside the window.
TEST(SliceAxes, AStridedWindowGivesWhatTheReferenceGives) {
    auto rng = test_rng();
    ops::StridedSliceMasks masks;
    masks.ellipsis = {0, 1};
    masks.new_axis = {0, 0, 1};
    masks.shrink_axis = {0, 0, 0, 1};
    masks.end = {0, 0, 0, 0, 1};
    const auto x = parameter("x", {6, 2, 4, 5});
    const auto begin = parameter("begin", {5}, ElementType::i64);
    const auto end = parameter("end", {5}, ElementType::i32);
    const auto graph = graph_of(
        {x, begin, end},
        {named(make_node<ops::StridedSlice>(x, begin, end, ints({-2, 1, 1, 1, 1}), masks), "s")});
    auto cpu = on_cpu(*graph);
    auto reference = on_reference(*graph);
    const Tensor data = random_tensor(ElementType::f32, {6, 2, 4, 5}, rng);
    for (int i = 0; i < 60; ++i) {
        Numbers from, to;
        for (int k = 0; k < 5; ++k) from.push_back(uniform_int(rng, -4, 3));
        for (int k = 0; k < 5; ++k) to.push_back(uniform_int(rng, -7, 7));
        const std::vector<Tensor> inputs{data, numbers(ElementType::i64, from),
                                         numbers(ElementType::i32, to)};
        expect_same(cpu.run(inputs)[0], reference.run(inputs)[0]);
    }
    const Tensor far = numbers(ElementType::i64, {0, 0, 0, 4, 0});
    const Tensor to = numbers(ElementType::i32, {-9, 0, 0, 0, 0});
    expect_error<ModelError>(
        [&] {
            cpu.run({data, far, to});
        },
        "node 's' (StridedSlice): index 4 is out of range for axis 2");
}

// What the inputs are where nothing is known but their types.
cpu::ExtentFinder finder_of(const Graph& graph, const Tensor& stop = {}) {
    const Node& node = graph.results()[0]->input(0).node();
    std::vector<cpu::TensorInfo> infos;
    for (const auto& input : node.inputs()) {
        infos.push_back({input.element_type(), input.shape().to_shape(),
                         input.node().known_value(input.index()), true});
    }
    if (stop) infos[2].value = stop;
    std::vector<const cpu::TensorInfo*> inputs;
    for (const auto& info : infos) inputs.push_back(&info);
    return cpu::make_slice_extents(node, inputs);
}

TEST(SliceAxes, OnlyWindowsHaveTheirExtentsFound) {
    EXPECT_NE(finder_of(*window({5}, {1}, {0})), nullptr);
    EXPECT_EQ(finder_of(*window({5}, {1}, {0}, ElementType::u64)), nullptr);
    // A stop that is known: as many extents as elements.
    EXPECT_EQ(finder_of(*window({5}, {1}, {0}), numbers(ElementType::i64, {4})), nullptr);
}

// The caller's memory may change while an inference runs; nothing is read out of range.
TEST(SliceAxes, NumbersThatChangeDuringARunAreRefused) {
    const auto graph = window({5}, {1}, {0});
    const Node& node = graph->results()[0]->input(0).node();
    const cpu::LateAxis axis{false, 0, 5, 4, 2, {std::nullopt, std::nullopt, 1, 0}};
    const cpu::SliceNumbers reader(ElementType::i64, ElementType::i64);
    const std::int64_t start = 1, stop = 3, further = 4;
    const void* const inputs[] = {nullptr, &start, &stop};
    EXPECT_EQ(reader.offset(node, {&axis, 1}, inputs), 4);
    const void* const changed[] = {nullptr, &start, &further};
    expect_error<ModelError>(
        [&] {
            reader.offset(node, {&axis, 1}, changed);
        },
        "node 's' (Slice): start or stop changed during the inference");
}

}  // namespace
}  // namespace rondo::test::slice_axes_test
