// Tests a part of plugins/cpu/nodes/source/source_nodes.cpp.
#include "core/ops/source/source_ops.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::range_node_test {
namespace {

std::shared_ptr<Graph> ranged(ElementType type) {
    std::vector<NodePtr> numbers;
    for (const char* name : {"start", "stop", "step"}) {
        numbers.push_back(parameter(name, PartialShape(Shape{}), type));
    }
    const auto range = make_node<ops::Range>(numbers[0], numbers[1], numbers[2], type);
    return graph_of(numbers, {named(range, "r")});
}

TEST(RangeNode, NumbersThatComeWithEachRun) {
    for (const ElementType type : {ElementType::f32, ElementType::f16, ElementType::i64,
                                   ElementType::i8, ElementType::u16}) {
        const auto graph = ranged(type);
        auto device = on_cpu(*graph);
        for (const auto& [start, stop, step] : std::vector<std::array<float, 3>>{
                 {0, 5, 1}, {2, 7, 1}, {1, 9, 3}, {4, 4, 1}, {9, 2, 2}, {0, 5, 1}}) {
            const auto number = [&](float value) { return converted(scalar_of(value), type); };
            const std::vector<Tensor> inputs{number(start), number(stop), number(step)};
            expect_same(device.run(inputs)[0], on_reference(*graph).run(inputs)[0]);
        }
    }
}

TEST(RangeNode, SharesLongRanges) {
    expect_like_reference(
        *ranged(ElementType::i32),
        {scalar_of<std::int32_t>(5), scalar_of<std::int32_t>(400000), scalar_of<std::int32_t>(1)});
}

TEST(RangeNode, RefusesNumbersWithoutALength) {
    const auto graph = ranged(ElementType::i64);
    auto device = on_cpu(*graph);
    const auto refused = [&](std::int64_t stop, std::int64_t step, const char* text) {
        expect_error<ModelError>(
            [&] {
                device.run({scalar_of<std::int64_t>(0), scalar_of(stop), scalar_of(step)});
            },
            std::string("node 'r' (Range): ") + text);
    };
    refused(5, 0, "step is 0");
    refused(INT64_MAX, 1, "the range has too many elements");
}

}  // namespace
}  // namespace rondo::test::range_node_test
