#include "plugins/cpu/kernels/movement/strided_copy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "plugins/cpu/plugin/threads/tbb_team.hpp"
#include "tests/support/rng.hpp"

namespace rondo::cpu::strided_copy_test {
namespace {

using test::uniform_int;

// Element by element, in the plainest way.
void naive(const CopyLayout& layout, const char* from, char* to, std::size_t axis = 0) {
    if (axis == layout.extents.size()) {
        std::memcpy(to, from, static_cast<std::size_t>(layout.element_size));
        return;
    }
    for (std::int64_t i = 0; i < layout.extents[axis]; ++i) {
        naive(layout, from + i * layout.from[axis], to + i * layout.to[axis], axis + 1);
    }
}

void expect_copies(const CopyLayout& layout, std::size_t from_offset, Team& team) {
    std::vector<char> from(1 << 20);
    std::iota(from.begin(), from.end(), char{0});
    std::vector<char> expected(1 << 20, 'x');
    std::vector<char> actual = expected;
    naive(layout, from.data() + from_offset, expected.data());
    StridedCopy(layout).run(from.data() + from_offset, actual.data(), team);
    EXPECT_TRUE(actual == expected);

    std::vector<CopyAxis> axes;
    for (std::size_t i = 0; i < layout.extents.size(); ++i) {
        axes.push_back({layout.extents[i], {layout.from[i], layout.to[i]}});
    }
    std::fill(actual.begin(), actual.end(), 'x');
    copy_once(axes, layout.element_size, from.data() + from_offset, actual.data());
    EXPECT_TRUE(actual == expected);
}

// Row-major strides in bytes.
std::vector<std::int64_t> dense_strides(const std::vector<std::int64_t>& extents,
                                        std::int64_t stride) {
    std::vector<std::int64_t> strides(extents.size());
    for (std::size_t i = extents.size(); i-- > 0; stride *= extents[i]) strides[i] = stride;
    return strides;
}

TEST(StridedCopy, AnyOrderOfAxes) {
    auto rng = test::test_rng();
    SerialTeam team;
    for (int round = 0; round < 200; ++round) {
        const std::int64_t element = std::int64_t{1} << uniform_int(rng, 0, 4);
        const auto rank = static_cast<std::size_t>(uniform_int(rng, 0, 5));
        CopyLayout layout;
        layout.element_size = element;
        std::vector<std::int64_t> source;
        for (std::size_t i = 0; i < rank; ++i) source.push_back(uniform_int(rng, 1, 6));
        const auto dense = dense_strides(source, element);
        std::vector<std::size_t> order(rank);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::shuffle(order.begin(), order.end(), rng);
        for (const std::size_t axis : order) {
            layout.extents.push_back(source[axis]);
            layout.from.push_back(dense[axis]);
        }
        layout.to = dense_strides(layout.extents, element);
        expect_copies(layout, 0, team);
    }
}

TEST(StridedCopy, RepeatsWhereTheStrideIsZero) {
    SerialTeam team;
    expect_copies({4, {3, 5, 2}, {0, 8, 4}, {40, 8, 4}}, 0, team);
    expect_copies({4, {3, 5, 2}, {4, 0, 0}, {40, 8, 4}}, 0, team);
}

TEST(StridedCopy, WalksBackwards) {
    SerialTeam team;
    expect_copies({4, {3, 5}, {-20, 4}, {20, 4}}, 40, team);
    expect_copies({8, {3, 5}, {40, -8}, {40, 8}}, 32, team);
}

TEST(StridedCopy, SharesLargeBlocksAmongThreads) {
    const auto team = make_team(4);
    expect_copies({4, {5, 128, 256}, {4, 20, 20 * 128}, {128 * 1024, 1024, 4}}, 0, *team);
}

TEST(StridedCopy, SharesALargeTransposeOfTwoAxes) {
    const auto team = make_team(4);
    expect_copies({4, {300, 500}, {4, 1200}, {2000, 4}}, 0, *team);
    expect_copies({16, {300, 100}, {1600, 16}, {3200, 16}}, 0, *team);
}

TEST(StridedCopy, CopiesNothingWhereAnExtentIsZero) {
    SerialTeam team;
    const StridedCopy copy({4, {3, 0, 2}, {0, 0, 4}, {0, 8, 4}});
    copy.run(nullptr, nullptr, team);
    EXPECT_FALSE(copy.is_plain());
}

TEST(StridedCopy, KnowsAPlainRun) {
    EXPECT_TRUE(StridedCopy({4, {2, 3}, {12, 4}, {12, 4}}).is_plain());
    EXPECT_TRUE(StridedCopy({4, {1, 3}, {999, 4}, {12, 4}}).is_plain());
    EXPECT_FALSE(StridedCopy({4, {2, 3}, {4, 8}, {12, 4}}).is_plain());
    EXPECT_FALSE(StridedCopy({4, {2, 3}, {16, 4}, {12, 4}}).is_plain());
}

}  // namespace
}  // namespace rondo::cpu::strided_copy_test
