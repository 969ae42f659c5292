// Tests a part of plugins/cpu/kernels/movement/copy_bytes.hpp.
#include "plugins/cpu/kernels/movement/copy_bytes.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace rondo::cpu::fill_test {
namespace {

TEST(FillElements, RepeatsElementsOfEverySizeAnywhere) {
    for (const char first : {0, 5}) {
        for (const std::int64_t size : {1, 2, 4, 8}) {
            std::vector<char> element;
            for (std::int64_t i = 0; i < size; ++i) {
                element.push_back(static_cast<char>(first == 0 ? 0 : first + i));
            }
            for (const std::int64_t count : {0, 1, 7, 100}) {
                std::vector<char> out(static_cast<std::size_t>(count * size) + 2, 'x');
                fill_elements(out.data() + 1, element.data(), size, count);  // unaligned
                EXPECT_EQ(out.front(), 'x');
                EXPECT_EQ(out.back(), 'x');
                for (std::int64_t i = 0; i < count * size; ++i) {
                    ASSERT_EQ(out[static_cast<std::size_t>(i) + 1],
                              element[static_cast<std::size_t>(i % size)]);
                }
            }
        }
    }
}

}  // namespace
}  // namespace rondo::cpu::fill_test
