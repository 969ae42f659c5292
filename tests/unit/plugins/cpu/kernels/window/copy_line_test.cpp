#include "plugins/cpu/kernels/window/copy_line.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace rondo::cpu::copy_line_test {
namespace {

template <typename T>
void check() {
    std::vector<T> data(700);
    std::iota(data.begin(), data.end(), T{1});
    for (std::size_t count = 0; count < 600; count += count < 40 ? 1 : 29) {
        std::vector<T> copied(count + 2, T{0}), filled = copied, expected = copied;
        std::copy_n(data.begin() + 3, count, expected.begin() + 1);
        copy_line(data.data() + 3, static_cast<std::int64_t>(count), copied.data() + 1);
        EXPECT_EQ(copied, expected);
        std::fill_n(expected.begin() + 1, count, T{7});
        fill_line(T{7}, static_cast<std::int64_t>(count), filled.data() + 1);
        EXPECT_EQ(filled, expected);
    }
}

TEST(CopyLine, WritesSoManyElements) {
    check<double>();
    check<float>();
    check<std::int16_t>();
    check<std::int8_t>();
}

}  // namespace
}  // namespace rondo::cpu::copy_line_test
