#include "core/ops/reduction/reduce.hpp"

#include <gtest/gtest.h>

#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test {
namespace {

TEST(ReduceMeanNode, AnyAxes) {
    auto rng = test_rng();
    const std::vector<std::vector<std::int64_t>> lists = {{},     {0},    {1},       {2},   {-1},
                                                          {0, 1}, {1, 2}, {0, 1, 2}, {0, 2}};
    for (const auto& axes : lists) {
        for (const bool keep : {false, true}) {
            const auto x = parameter("x", PartialShape::of_rank(3));
            const auto node = make_node<ops::Reduce>(ops::ReduceFunction::mean, x,
                                                     ops::make_i64(axes, "axes"), keep);
            const auto graph = graph_of({x}, {named(node, "mean")});
            for (const Shape& shape : {Shape{3, 4, 5}, Shape{1, 4, 1}, Shape{2, 700, 33}}) {
                expect_like_reference(*graph, {random_tensor(ElementType::f32, shape, rng)}, 1e-7);
            }
        }
    }
}

}  // namespace
}  // namespace rondo::test
