#include "core/ops/indexing/indexing_ops.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::non_max_suppression_node_test {
namespace {

TEST(NonMaxSuppressionNode, FindsTheCountInEachRun) {
    auto rng = test_rng();
    for (const bool sorts_all : {false, true}) {
        for (const auto& [name, encoding] : ops::kBoxEncodings) {
            const auto boxes = parameter("boxes", {-1, -1, 4});
            const auto scores = parameter("scores", PartialShape::of_rank(3));
            const auto most = parameter("most", PartialShape(Shape{}), ElementType::i64);
            const auto overlap = parameter("overlap", PartialShape(Shape{}));
            const auto node =
                named(make_node<ops::NonMaxSuppression>(
                          std::vector<Output>{boxes, scores, most, overlap}, encoding, sorts_all),
                      "n");
            const auto graph = graph_of({boxes, scores, most, overlap},
                                        {node->output(0), node->output(1), node->output(2)});
            auto device = on_cpu(*graph);
            for (const std::size_t count : {0U, 1U, 40U}) {
                const Tensor own = random_tensor(ElementType::f32, {2, count, 4}, rng);
                const Tensor values = random_tensor(ElementType::f32, {2, 3, count}, rng);
                for (const std::int64_t limit : {0, 3, 100}) {
                    const std::vector<Tensor> inputs{own, values, scalar_of(limit),
                                                     scalar_of(0.3F)};
                    const auto actual = device.run(inputs);
                    const auto expected = on_reference(*graph).run(inputs);
                    for (std::size_t i = 0; i < 3; ++i) expect_same(actual[i], expected[i]);
                }
            }
            expect_error<ModelError>(
                [&] {
                    device.run({Tensor(ElementType::f32, {1, 1, 4}),
                                Tensor(ElementType::f32, {1, 1, 1}), scalar_of<std::int64_t>(1),
                                scalar_of(-1.0F)});
                },
                "node 'n' (NonMaxSuppression): the overlap is -1");
        }
    }
}

// Boxes apart from each other, which are found by their scores and sorted over both classes.
TEST(NonMaxSuppressionNode, EqualScoresStayInTheOrderOfClassesAndBoxes) {
    const auto boxes = parameter("boxes", {1, 3, 4});
    const auto scores = parameter("scores", {1, 2, 3});
    const auto most = parameter("most", PartialShape(Shape{}), ElementType::i64);
    const auto node = make_node<ops::NonMaxSuppression>(std::vector<Output>{boxes, scores, most},
                                                        ops::BoxEncoding::corner, true);
    const auto graph = graph_of({boxes, scores, most}, {node->output(0)});
    const auto found =
        on_cpu(*graph).run({tensor_of<float>({1, 3, 4}, {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}),
                            tensor_of<float>({1, 2, 3}, {.5F, .75F, .5F, .5F, .5F, .75F}),
                            scalar_of<std::int64_t>(3)});
    expect_same(found[0], tensor_of<std::int64_t>(
                              {6, 3}, {0, 0, 1, 0, 1, 2, 0, 0, 0, 0, 0, 2, 0, 1, 0, 0, 1, 1}));
}

}  // namespace
}  // namespace rondo::test::non_max_suppression_node_test
