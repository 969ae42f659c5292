// Boxes of a tensor that are copied.
#include "core/streams/row_layout.hpp"

#include <gtest/gtest.h>

#include "tests/support/tensors.hpp"

namespace rondo::test::copy_box_test {
namespace {

TEST(CopyBox, CopiesABoxToItsPlace) {
    Tensor from(ElementType::i32, {3, 4, 2});
    for (int i = 0; i < 24; ++i) from.data<std::int32_t>()[i] = i;
    Tensor to(ElementType::i32, {2, 5});
    const Shape as_three_axes{1, 2, 5};
    BoxPlace begin{};
    begin[0] = 2;
    begin[1] = 1;
    BoxPlace end{};
    end[2] = 3;
    copy_box({static_cast<const char*>(from.data()), from.shape(), begin},
             {static_cast<char*>(to.data()), as_three_axes, end}, {1, 2, 2}, 4);
    expect_same(to, tensor_of<std::int32_t>({2, 5}, {0, 0, 0, 18, 19, 0, 0, 0, 20, 21}));
}

TEST(CopyBox, CopiesAScalar) {
    const float from = 3;
    float to = 0;
    const Shape none;
    const BoxPlace begin{};
    copy_box({reinterpret_cast<const char*>(&from), none, begin},
             {reinterpret_cast<char*>(&to), none, begin}, {}, 4);
    EXPECT_EQ(to, 3);
}

}  // namespace
}  // namespace rondo::test::copy_box_test
