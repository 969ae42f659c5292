#include "plugins/cpu/kernels/movement/copy_bytes.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

namespace rondo::cpu::copy_bytes_test {
namespace {

TEST(CopyBytes, WritesSoManyAndNoMore) {
    std::string from(300, ' ');
    std::iota(from.begin(), from.end(), char{1});
    for (std::int64_t bytes = 0; bytes <= 260; ++bytes) {
        const auto count = static_cast<std::size_t>(bytes);
        std::string to(300, 'x');
        copy_bytes(to.data() + 3, from.data() + 1, bytes);
        EXPECT_EQ(to, "xxx" + from.substr(1, count) + std::string(297 - count, 'x')) << bytes;
    }
}

}  // namespace
}  // namespace rondo::cpu::copy_bytes_test
