// Inputs whose element type is open until they come.
#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::open_types_test {
namespace {

TEST(OpenTypes, FollowTheInputsOfEachRun) {
    for (const auto& shape : {PartialShape{Shape{2, 3}}, PartialShape::of_rank(2)}) {
        const auto x = parameter("x", shape, ElementType::dynamic);
        const auto relu = make_node<ops::Unary>(ops::UnaryFunction::relu, x);
        relu->set_name("r");
        auto device = on_cpu(*graph_of({x}, {relu}));
        auto rng = test_rng();
        for (int round = 0; round < 2; ++round) {
            for (const auto type : {ElementType::f32, ElementType::i64, ElementType::f16}) {
                const Tensor value = random_tensor(type, {2, 3}, rng, -3, 3);
                const auto y = parameter("y", PartialShape(value.shape()), type);
                const auto same = make_node<ops::Unary>(ops::UnaryFunction::relu, y);
                same->set_name("r");
                const auto expected = on_reference(*graph_of({y}, {same})).run({value});
                expect_same(device.run({value}).at(0), expected.at(0));
            }
        }
    }
}

}  // namespace
}  // namespace rondo::test::open_types_test
