#include "core/graph/constant_memory.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::constant_memory_test {
namespace {

using test::expect_error;

constexpr std::size_t kMegabyte = std::size_t{1} << 20;

TEST(ConstantMemory, GrowsWithTheFiles) {
    ConstantMemory memory;
    memory.take(64 * kMegabyte);
    expect_error<ModelError>([&] { memory.take(1); },
                             "the constant has 1 bytes, those before it have 67108864; together "
                             "the limit is 67108864 (property 'MAX_CONSTANT_BYTES')");
    memory.add_file(kMegabyte);
    memory.add_file(kMegabyte);
    memory.take(32 * kMegabyte);
    EXPECT_THROW(memory.check(1), ModelError);
    memory.take(0);
}

TEST(ConstantMemory, CheckingCountsNothing) {
    ConstantMemory memory;
    for (int i = 0; i < 3; ++i) memory.check(64 * kMegabyte);
    EXPECT_NO_THROW(memory.take(64 * kMegabyte));
}

TEST(ConstantMemory, UsersSetTheLimits) {
    ModelLimits limits;
    limits.constant_bytes = 100;
    limits.tensor_bytes = 60;
    ConstantMemory memory(limits);
    memory.add_file(kMegabyte);
    expect_error<ModelError>([&] { memory.take(61); },
                             "the constant has 61 bytes; the limit is 60 (property "
                             "'MAX_TENSOR_BYTES')");
    memory.take(60);
    EXPECT_THROW(memory.take(41), ModelError);
    memory.take(40);
}

TEST(ConstantMemory, NoSizeOverflows) {
    constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
    ConstantMemory memory;
    memory.take(1);
    EXPECT_THROW(memory.take(kMost), ModelError);
    memory.add_file(kMost - 1);
    memory.add_file(kMost - 1);
    memory.take(kMost - 1);
    EXPECT_THROW(memory.take(1), ModelError);
}

}  // namespace
}  // namespace rondo::constant_memory_test
