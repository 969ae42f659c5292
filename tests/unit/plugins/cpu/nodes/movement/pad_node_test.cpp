#include "core/ops/movement/movement_ops.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::pad_node_test {
namespace {

using Mode = ops::PadMode;
using Ints = std::vector<std::int64_t>;

constexpr Mode kModes[] = {Mode::constant, Mode::edge, Mode::reflect, Mode::symmetric, Mode::wrap};

NodePtr ints(const Ints& values) { return ops::make_i64(values, "ints"); }
Tensor vector_of(const Ints& values) { return tensor_of<std::int64_t>({values.size()}, values); }

std::shared_ptr<Graph> padded(const PartialShape& shape, const Ints& begin, const Ints& end,
                              Mode mode) {
    const auto x = parameter("x", shape);
    const auto pad = make_node<ops::Pad>(std::vector<Output>{x, ints(begin), ints(end)}, mode);
    return graph_of({x}, {named(pad, "p")});
}

TEST(PadNode, AnyAxesAndModes) {
    auto rng = test_rng();
    const Tensor x = random_tensor(ElementType::f32, {2, 3, 4, 5}, rng);
    for (const Mode mode : kModes) {
        for (const auto& [begin, end] : std::vector<std::pair<Ints, Ints>>{
                 {{0, 0, 1, 1}, {0, 0, 1, 2}},
                 {{0, 2, 0, 0}, {0, 1, 0, 0}},
                 {{1, 0, 0, -2}, {0, 0, 3, 0}},
                 {{0, -1, 0, 3}, {9, 0, 0, -1}},
                 {{0, -1, 0, 0}, {0, -1, 0, -2}},
                 {{0, 0, 0, 0}, {0, 0, 0, 0}},
             }) {
            expect_like_reference(*padded(PartialShape::of_rank(4), begin, end, mode), {x});
        }
    }
}

TEST(PadNode, SharesLargeBlocks) {
    auto rng = test_rng();
    const Tensor x = random_tensor(ElementType::f32, {3, 300, 500}, rng);
    for (const Mode mode : kModes) {
        expect_like_reference(*padded({-1, -1, -1}, {1, 20, 3}, {0, 1, 7}, mode), {x});
    }
}

TEST(PadNode, EmptyDataAndResults) {
    const auto empty = padded({-1, -1}, {1, 2}, {0, 1}, Mode::constant);
    expect_like_reference(*empty, {Tensor(ElementType::f32, {0, 3})});
    expect_like_reference(*empty, {Tensor(ElementType::f32, {2, 0})});
    const auto nothing = padded({-1, -1}, {-1, 2}, {-1, 1}, Mode::edge);
    expect_like_reference(*nothing, {Tensor(ElementType::f32, {2, 3})});
    expect_error<ModelError>(
        [&] {
            on_cpu(*nothing).run({Tensor(ElementType::f32, {3, 0})});
        },
        "node 'p' (Pad): axis 1 keeps no element that could be repeated");
}

TEST(PadNode, OnlyTakingTheEndsAwayIsAView) {
    const auto graph = padded({-1, 8}, {-1, 0}, {0, 0}, Mode::constant);
    auto device = on_cpu(*graph, {{property::kPerfCount, "YES"}});
    device.run({Tensor(ElementType::f32, {5, 8})});
    EXPECT_EQ(device.executor->profiling().at(0).exec_type, "view");
}

TEST(PadNode, PadsAndValueThatComeWithEachRun) {
    auto rng = test_rng();
    const auto x = parameter("x", {-1, -1});
    const auto begin = parameter("begin", {2}, ElementType::i64);
    const auto end = parameter("end", {2}, ElementType::i64);
    const auto value = parameter("value", PartialShape(Shape{}));
    const auto graph = graph_of(
        {x, begin, end, value},
        {named(make_node<ops::Pad>(std::vector<Output>{x, begin, end, value}, Mode::constant),
               "p")});
    auto device = on_cpu(*graph);
    const Tensor data = random_tensor(ElementType::f32, {3, 4}, rng);
    for (const auto& [b, e] : std::vector<std::pair<Ints, Ints>>{
             {{1, 2}, {0, 1}}, {{0, 0}, {0, 0}}, {{-1, -2}, {-2, 0}}, {{1, 2}, {0, 1}}}) {
        for (const float v : {0.0F, 3.5F}) {
            const std::vector<Tensor> inputs{data, vector_of(b), vector_of(e), scalar_of(v)};
            expect_same(device.run(inputs)[0], on_reference(*graph).run(inputs)[0]);
        }
    }
    const auto refused = [&](const Ints& b, const std::string& text) {
        expect_error<ModelError>(
            [&] {
                device.run({data, vector_of(b), vector_of({0, 0}), scalar_of(0.0F)});
            },
            "node 'p' (Pad): " + text);
    };
    refused({-4, 0}, "pads take 4 elements away from an axis of 3");
    refused({INT64_MAX, 0}, "pads_begin holds 9223372036854775807, which is too large");
    // Within the range of each pad, but more than any tensor has.
    expect_error<ModelError>(
        [&] {
            const std::int64_t many = std::int64_t{1} << 46;
            device.run({data, vector_of({many, many}), vector_of({0, 0}), scalar_of(0.0F)});
        },
        "");
}

}  // namespace
}  // namespace rondo::test::pad_node_test
