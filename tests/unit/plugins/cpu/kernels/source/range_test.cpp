#include "plugins/cpu/kernels/source/range.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace rondo::cpu::range_test {
namespace {

ops::RangeNumber whole(std::int64_t value) { return {true, value, static_cast<double>(value)}; }

TEST(WriteRange, WritesAnyPartOfIt) {
    std::vector<std::int16_t> out(6, -1);
    write_range(ElementType::i16, whole(32766), whole(1), out.data(), 1, 4);
    EXPECT_EQ(out, (std::vector<std::int16_t>{-1, 32767, -32768, -32767, -1, -1}));
}

TEST(WriteRange, RoundsOnce) {
    std::vector<float> out(3);
    write_range(ElementType::f32, {false, 0, 0.5}, {false, 0, 0.1}, out.data(), 0, 3);
    EXPECT_EQ(out, (std::vector<float>{0.5F, 0.6F, 0.7F}));
}

}  // namespace
}  // namespace rondo::cpu::range_test
