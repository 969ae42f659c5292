#include "plugins/cpu/nodes/control/joined_parts.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "plugins/cpu/kernels/threads/team.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::cpu::joined_parts_test {
namespace {

using test::expect_same;
using test::tensor_of;

// [2,1,2] with 10 * number + 0, 1, 2, 3.
Tensor part(int number) {
    std::vector<float> values(4);
    std::iota(values.begin(), values.end(), 10.0F * static_cast<float>(number));
    return tensor_of<float>({2, 1, 2}, values);
}

constexpr auto kAnySize = [](std::size_t, std::size_t) {};

class JoinedPartsTest : public ::testing::Test {
protected:
    Tensor join(JoinedParts& joined, int count, std::size_t most) {
        joined.start(most);
        for (int i = 0; i < count; ++i) joined.add(part(i), kAnySize);
        return joined.join(team_);
    }

    SerialTeam team_;
};

TEST_F(JoinedPartsTest, AlongTheFirstAxis) {
    JoinedParts joined(0, false);
    expect_same(join(joined, 2, 2), tensor_of<float>({4, 1, 2}, {0, 1, 2, 3, 10, 11, 12, 13}));
}

TEST_F(JoinedPartsTest, AlongAnotherAxis) {
    JoinedParts joined(1, false);
    expect_same(join(joined, 2, 2), tensor_of<float>({2, 2, 2}, {0, 1, 10, 11, 2, 3, 12, 13}));
}

TEST_F(JoinedPartsTest, FromTheEnd) {
    JoinedParts joined(0, true);
    expect_same(join(joined, 2, 9), tensor_of<float>({4, 1, 2}, {10, 11, 12, 13, 0, 1, 2, 3}));
}

// The number of parts changes from run to run, and nothing says how many there may be.
TEST_F(JoinedPartsTest, AgainWithMoreAndFewer) {
    JoinedParts joined(1, true);
    for (const int count : {1, 5, 2, 200}) {
        const Tensor whole = join(joined, count, static_cast<std::size_t>(-1));
        ASSERT_EQ(whole.shape(), (Shape{2, static_cast<std::size_t>(count), 2}));
        for (int i = 0; i < count; ++i) {
            const float* row = whole.data<float>() + 2 * (count - 1 - i);
            EXPECT_EQ(row[0], 10.0F * static_cast<float>(i));
            EXPECT_EQ(row[2 * count + 1], 10.0F * static_cast<float>(i) + 3);
        }
    }
}

TEST_F(JoinedPartsTest, EmptyParts) {
    for (const bool reversed : {false, true}) {
        JoinedParts joined(0, reversed);
        joined.start(3);
        for (int i = 0; i < 3; ++i) joined.add(Tensor(ElementType::f32, {1, 0}), kAnySize);
        EXPECT_EQ(joined.join(team_).shape(), (Shape{3, 0}));
    }
}

}  // namespace
}  // namespace rondo::cpu::joined_parts_test
