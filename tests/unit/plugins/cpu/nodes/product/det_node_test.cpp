#include "core/ops/product/matmul.hpp"

#include <gtest/gtest.h>

#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::det_node_test {
namespace {

void expect_det(const Shape& shape, ElementType type = ElementType::f32) {
    auto rng = test_rng();
    const auto x = parameter("x", PartialShape::of_rank(shape.size()), type);
    const auto graph = graph_of({x}, {make_node<ops::Det>(x)});
    expect_like_reference(*graph, {random_tensor(type, shape, rng)}, 1e-12, 1e-12);
}

TEST(DetNode, AnyMatrices) {
    for (const std::size_t n : {0, 1, 2, 3, 7, 20}) {
        expect_det({n, n});
        expect_det({2, 3, n, n});
    }
    expect_det({0, 4, 4});
    expect_det({5000, 4, 4});
    for (const ElementType type : {ElementType::f64, ElementType::f16, ElementType::bf16}) {
        expect_det({4, 3, 3}, type);
    }
}

}  // namespace
}  // namespace rondo::test::det_node_test
