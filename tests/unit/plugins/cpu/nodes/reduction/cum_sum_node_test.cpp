#include "core/ops/reduction/reduction_ops.hpp"

#include <gtest/gtest.h>

#include "core/ops/op_list.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::cum_sum_node_test {
namespace {

TEST(CumSumNode, AnyAxisShapeAndOption) {
    auto rng = test_rng();
    for (const Shape& shape :
         {Shape{7}, Shape{3, 4}, Shape{2, 5, 70}, Shape{300, 400}, Shape{2, 0, 3}}) {
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            for (int options = 0; options < 4; ++options) {
                for (const ElementType type : {ElementType::f32, ElementType::u8}) {
                    const auto x = parameter("x", PartialShape::of_rank(shape.size()), type);
                    const auto sum = make_node<ops::CumSum>(
                        x, ops::make_i64_scalar(static_cast<std::int64_t>(axis), "axis"),
                        ops::CumSum::Options{options % 2 == 1, options / 2 == 1});
                    expect_like_reference(*graph_of({x}, {sum}),
                                          {random_tensor(type, shape, rng, 0, 9)});
                }
            }
        }
    }
}

TEST(CumSumNode, AnAxisThatEachRunReads) {
    auto rng = test_rng();
    const auto x = parameter("x", {-1, -1, -1});
    const auto axis = parameter("axis", PartialShape(Shape{}), ElementType::i32);
    const auto graph =
        graph_of({x, axis}, {named(make_node<ops::CumSum>(x, axis, ops::CumSum::Options{}), "c")});
    auto device = on_cpu(*graph);
    const Tensor data = random_tensor(ElementType::f32, {3, 4, 5}, rng);
    for (const std::int32_t number : {0, 2, -2, 1, -3}) {
        const std::vector<Tensor> inputs{data, scalar_of(number)};
        expect_same(device.run(inputs)[0], on_reference(*graph).run(inputs)[0]);
    }
    expect_error<ModelError>(
        [&] {
            device.run({data, scalar_of<std::int32_t>(3)});
        },
        "node 'c' (CumSum): axis 3 is out of range for rank 3");
}

TEST(CumSumNode, AnAxisOfAnyLengthHasOneElement) {
    const auto x = parameter("x", {2, 3});
    const auto axis = parameter("axis", {-1}, ElementType::i32);
    const auto sum = std::make_shared<ops::CumSum>(x, axis, ops::CumSum::Options{});
    // As a reader does: the op wants a scalar.
    ops::adopt_ports(*sum, [](std::string_view port) { return "c/" + std::string(port); });
    sum->validate();
    const auto graph = graph_of({x, axis}, {named(sum, "c")});
    auto device = on_cpu(*graph);
    const Tensor data = tensor_of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
    for (const std::size_t count : {0U, 2U}) {
        expect_error<ModelError>(
            [&] {
                device.run({data, Tensor(ElementType::i32, {count})});
            },
            "node 'c/axis' (Reshape)");
    }
    EXPECT_EQ(device.run({data, tensor_of<std::int32_t>({1}, {1})})[0].data<float>()[5], 15);
}

}  // namespace
}  // namespace rondo::test::cum_sum_node_test
