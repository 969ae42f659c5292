// The rule of transformations/streaming/strided_slice_rule.cpp.
#include "core/ops/movement/movement_ops.hpp"
#include "tests/unit/transformations/streaming/streams.hpp"

namespace rondo::strided_slice_rule_test {
namespace {

using namespace test;  // NOLINT: tests only

const StreamingOptions kTime{{{"x", 2}}};

Output cut(GraphBuilder& b, const Output& x, const std::vector<std::int64_t>& begin,
           const std::vector<std::int64_t>& end, ops::StridedSliceMasks masks) {
    return b.make<ops::StridedSlice>("cut", x, b.ints(begin), b.ints(end),
                                     b.ints(std::vector<std::int64_t>(begin.size(), 1)),
                                     std::move(masks));
}

// A new axis before time, and one that goes: time keeps all frames.
TEST(StridedSliceRule, FollowsTimeAmongAxesThatComeAndGo) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,3,?,4]");
    ops::StridedSliceMasks masks;
    masks.begin = {0, 0, 0, 1};
    masks.end = {0, 0, 0, 1};
    masks.shrink_axis = {1, 0, 0, 0};
    masks.new_axis = {0, 1, 0, 0};
    const Output part = cut(b, x, {1, 0, 1, 0}, {2, 1, 3, 0}, masks);  // [1,2,T,4]
    b.output("y", convolve(b, "conv", part, {3, 2, 2, 1}, window_of({1, 0}, {0, 0})));
    expect_same_in_chunks(*b.graph(), {noise({2, 3, 12, 4})}, kTime);
}

// Pads that are cut off again.
TEST(StridedSliceRule, CutsLikeASlice) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,3,?]");
    const Output conv = convolve(b, "conv", x, {3, 3, 3}, window_of({2}, {2}));
    ops::StridedSliceMasks masks;
    masks.begin = {1, 1, 1};
    masks.end = {1, 0, 0};
    b.output("y", cut(b, conv, {0, 0, 0}, {0, 2, -2}, masks));
    expect_same_in_chunks(*b.graph(), {noise({2, 3, 12})}, kTime);
}

TEST(StridedSliceRule, RefusesWhatASliceRefuses) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,3,2..]");
    ops::StridedSliceMasks masks;
    masks.begin = {1, 1, 0};
    masks.end = {1, 1, 1};
    b.output("y", cut(b, x, {0, 0, 1}, {0, 0, 0}, masks));
    expect_refused(b, "node 'cut' (StridedSlice, as Slice)", "towards the start", kTime);
}

TEST(StridedSliceRule, RefusesASingleFrame) {
    GraphBuilder b;
    const Output x = b.input("x", "[2,3,2..]");
    ops::StridedSliceMasks masks;
    masks.begin = masks.end = {1, 1, 0};
    masks.shrink_axis = {0, 0, 1};
    b.output("y", cut(b, x, {0, 0, 0}, {0, 0, 1}, masks));
    expect_refused(b, "node 'cut' (StridedSlice)", "where axes come or go", kTime);
}

}  // namespace
}  // namespace rondo::strided_slice_rule_test
