#include "core/ops/indexing/indexing_ops.hpp"

#include <gtest/gtest.h>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::non_max_suppression_test {
namespace {

using namespace test;  // NOLINT: tests only
using ops::BoxEncoding;

// Three pairs of boxes that overlap: the first two by 0.8, the next by 0.9, the last alone.
Tensor boxes() {
    return floats({1, 5, 4},
                  {0, 0, 1, 1, 0, 0.1F, 1, 0.9F, 0, 10, 1, 11, 0, 10.1F, 1, 11.1F, 5, 100, 1, 101});
}

std::vector<Tensor> inputs_of(const std::vector<float>& scores, std::int64_t most, float overlap,
                              float score) {
    return {boxes(), floats({1, scores.size() / 5, 5}, scores), int_scalar(most),
            scalar_of(overlap), scalar_of(score)};
}

std::vector<Tensor> selected(const std::vector<Tensor>& inputs, bool sorts_all = false,
                             BoxEncoding encoding = BoxEncoding::corner) {
    return reference::evaluate(ops::NonMaxSuppression({}, encoding, sorts_all), inputs);
}

Tensor rows(const Ints& values) { return tensor_of<std::int64_t>({values.size() / 3, 3}, values); }

TEST(NonMaxSuppression, InfersItsShapes) {
    const auto shapes = [](std::string_view boxes, std::string_view scores) {
        const auto node = named<ops::NonMaxSuppression>(
            std::vector<Output>{parameter(boxes), parameter(scores), scalar_int(3)},
            BoxEncoding::corner, true);
        EXPECT_EQ(inferred(*node, 1), "f32" + to_string(node->output_shape(0)));
        EXPECT_EQ(inferred(*node, 2), "i64[1]");
        return inferred(*node);
    };
    EXPECT_EQ(shapes("2,5,4", "2,3,5"), "i64[..30,3]");
    EXPECT_EQ(shapes("?,5,4", "2,3,?"), "i64[..30,3]");
    EXPECT_EQ(shapes("...", "..."), "i64[?,3]");
    expect_error<ModelError>([&] { shapes("2,5,3", "2,3,5"); }, "four numbers each");
    expect_error<ModelError>([&] { shapes("2,5,4", "1,3,5"); }, "the batch is 2");
    expect_error<ModelError>([&] { shapes("2,5,4", "2,3,6"); }, "the number of boxes is 5");
}

TEST(NonMaxSuppression, LeavesOutWhatOverlaps) {
    const std::vector<float> scores{0.9F, 0.75F, 0.6F, 0.95F, 0.5F};
    expect_same(selected(inputs_of(scores, 3, 0.5F, 0))[0], rows({0, 0, 3, 0, 0, 0, 0, 0, 4}));
    expect_same(selected(inputs_of(scores, 2, 0.5F, 0))[0], rows({0, 0, 3, 0, 0, 0}));
    expect_same(selected(inputs_of(scores, 5, 0.5F, 0.55F))[0], rows({0, 0, 3, 0, 0, 0}));
    EXPECT_EQ(selected(inputs_of(scores, 0, 0.5F, 0))[0].shape(), (Shape{0, 3}));
    EXPECT_EQ(selected(inputs_of(scores, 9, 1, 0))[0].shape(), (Shape{5, 3}));
    const auto all = selected(inputs_of(scores, 3, 0.5F, 0));
    expect_near(all[1], floats({3, 3}, {0, 0, 0.95F, 0, 0, 0.9F, 0, 0, 0.5F}), 0);
    expect_same(all[2], int_vector({3}));
}

TEST(NonMaxSuppression, SortsClassesOrAll) {
    const std::vector<float> scores{0.5F, 0.1F, 0.4F, 0.1F, 0.1F, 0.1F, 0.1F, 0.9F, 0.1F, 0.1F};
    expect_same(selected(inputs_of(scores, 5, 0.5F, 0.2F))[0], rows({0, 0, 0, 0, 0, 2, 0, 1, 2}));
    expect_same(selected(inputs_of(scores, 5, 0.5F, 0.2F), true)[0],
                rows({0, 1, 2, 0, 0, 0, 0, 0, 2}));
    // Equal scores: the first box is better.
    expect_same(selected(inputs_of({1, 1, 1, 1, 1}, 5, 0.5F, 0))[0],
                rows({0, 0, 0, 0, 0, 2, 0, 0, 4}));
}

TEST(NonMaxSuppression, ReadsCornersInAnyOrderAndCentres) {
    auto inputs = inputs_of({0.9F, 0.8F, 0, 0, 0}, 5, 0.5F, 0.1F);
    inputs[0] =
        floats({1, 5, 4}, {1, 1, 0, 0, 0, 0.9F, 1, 0.1F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    expect_same(selected(inputs)[0], rows({0, 0, 0}));
    inputs[0] =
        floats({1, 5, 4}, {0.5F, 0.5F, 1, 1, 0.5F, 1.5F, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    expect_same(selected(inputs, false, BoxEncoding::center)[0], rows({0, 0, 0, 0, 0, 1}));
    expect_error<ModelError>(
        [&] {
            selected(inputs_of({0, 0, 0, 0, 0}, 1, 1.5F, 0));
        },
        "the overlap is 1.5");
}

}  // namespace
}  // namespace rondo::non_max_suppression_test
