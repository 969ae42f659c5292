// Tests a part of core/ops/movement/movement_ops.hpp.
#include "core/ops/movement/movement_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::depth_to_space_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

using Mode = ops::BlockMode;

template <typename T>
std::string shape_after(std::string_view data, std::int64_t block, Mode mode = {}) {
    return inferred(*named<T>(parameter(data), block, mode));
}

template <typename T>
std::shared_ptr<T> op_of(const std::string& block, const std::string& mode) {
    const auto node = unchecked<T>({});
    read_attributes(*node, {{"block_size", block}, {"mode", mode}});
    return node;
}

TEST(DepthToSpace, ReadsAndWritesItsAttributes) {
    EXPECT_EQ(attributes_of(ops::DepthToSpace()),
              (Texts{{"block_size", "1"}, {"mode", "blocks_first"}}));
    EXPECT_EQ(attributes_of(*op_of<ops::SpaceToDepth>("3", "depth_first")),
              (Texts{{"block_size", "3"}, {"mode", "depth_first"}}));
}

TEST(DepthToSpace, MovesExtents) {
    EXPECT_EQ(shape_after<ops::DepthToSpace>("2,8,3,?", 2), "f32[2,2,6,?]");
    EXPECT_EQ(shape_after<ops::DepthToSpace>("?,6..9,1..4", 3), "f32[?,2..3,3..12]");
    EXPECT_EQ(shape_after<ops::DepthToSpace>("1,16,1,1,2", 2), "f32[1,2,2,2,4]");
    EXPECT_EQ(shape_after<ops::DepthToSpace>("...", 2), "f32[...]");
    EXPECT_EQ(shape_after<ops::SpaceToDepth>("2,2,6,?", 2), "f32[2,8,3,?]");
    EXPECT_EQ(shape_after<ops::SpaceToDepth>("?,2..3,3..12", 3), "f32[?,6..9,1..4]");
}

// The strides of a tensor that isn't empty would overflow.
TEST(DepthToSpace, NothingMovesInAnEmptyTensor) {
    const auto axes =
        ops::block_axes({3, 0, 0, 0}, std::int64_t{1} << 40, ops::BlockMode::blocks_first);
    EXPECT_EQ(axes.extents.size(), 6U);
    EXPECT_EQ(axes.space, std::vector<std::int64_t>(6, 0));
    EXPECT_EQ(axes.depth, std::vector<std::int64_t>(6, 0));
}

TEST(DepthToSpace, RefusesWrongInputs) {
    expect_error<ModelError>([] { shape_after<ops::DepthToSpace>("2,6,3,3", 2); },
                             "node 'n' (DepthToSpace): data has shape [2,6,3,3]; expected a "
                             "multiple of 4 channels");
    expect_error<ModelError>([] { shape_after<ops::DepthToSpace>("2,6", 2); },
                             "expected a batch, channels and spatial axes");
    expect_error<ModelError>([] { shape_after<ops::DepthToSpace>("2,6,3", 0); },
                             "block_size is 0; expected 1 or more");
    expect_error<ModelError>([] { shape_after<ops::DepthToSpace>("1,1,1,1", kHighest); },
                             "expected a multiple of 9223372036854775807 channels");
    expect_error<ModelError>([] { shape_after<ops::SpaceToDepth>("2,6,3,4", 2); },
                             "expected spatial extents that are multiples of 2");
    expect_error<ModelError>([] { shape_after<ops::SpaceToDepth>("2,6,1", kHighest); },
                             "too many elements");
}

TEST(DepthToSpace, SpreadsChannelsOverBlocks) {
    const auto data = counting({1, 8, 1, 2});
    expect_same(evaluate_one(*op_of<ops::DepthToSpace>("2", "blocks_first"), {data}),
                floats({1, 2, 2, 4}, {0, 4, 1, 5, 8, 12, 9, 13, 2, 6, 3, 7, 10, 14, 11, 15}));
    expect_same(evaluate_one(*op_of<ops::DepthToSpace>("2", "depth_first"), {data}),
                floats({1, 2, 2, 4}, {0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15}));
    const auto line = counting({1, 4, 2});
    expect_same(evaluate_one(*op_of<ops::DepthToSpace>("2", "blocks_first"), {line}),
                floats({1, 2, 4}, {0, 4, 1, 5, 2, 6, 3, 7}));
    expect_same(evaluate_one(*op_of<ops::DepthToSpace>("2", "depth_first"), {line}),
                floats({1, 2, 4}, {0, 2, 1, 3, 4, 6, 5, 7}));
    expect_moves_every_type(*op_of<ops::DepthToSpace>("2", "depth_first"), data, {});
}

TEST(DepthToSpace, SpaceToDepthUndoesIt) {
    const auto data = counting({2, 24, 2, 3});
    for (const char* mode : {"blocks_first", "depth_first"}) {
        const auto space = evaluate_one(*op_of<ops::DepthToSpace>("2", mode), {data});
        expect_same(evaluate_one(*op_of<ops::SpaceToDepth>("2", mode), {space}), data);
    }
    EXPECT_EQ(
        evaluate_one(*op_of<ops::SpaceToDepth>("2", "depth_first"), {counting({0, 1, 2})}).shape(),
        (Shape{0, 2, 1}));
}

}  // namespace
}  // namespace rondo::depth_to_space_test
