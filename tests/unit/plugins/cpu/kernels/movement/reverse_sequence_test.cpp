#include "plugins/cpu/kernels/movement/reverse_sequence.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/rng.hpp"

namespace rondo::cpu::reverse_sequence_test {
namespace {

using test::uniform_int;

// Byte by byte, by the four indices of each block.
std::vector<char> expected(const ReverseSequenceSizes& sizes, const std::vector<char>& data,
                           const std::vector<std::int64_t>& lengths) {
    std::vector<char> out(data.size());
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(data.size()); ++i) {
        const std::int64_t byte = i % sizes.block;
        std::int64_t second = i / sizes.block % sizes.second;
        const std::int64_t middle = i / (sizes.block * sizes.second) % sizes.middle;
        const std::int64_t rest = i / (sizes.block * sizes.second * sizes.middle);
        std::int64_t first = rest % sizes.first;
        std::int64_t& step = sizes.is_batch_first ? second : first;
        const std::int64_t row = sizes.is_batch_first ? first : second;
        const std::int64_t length = lengths[static_cast<std::size_t>(row)];
        if (step < length) step = length - 1 - step;
        const std::int64_t block =
            ((rest / sizes.first * sizes.first + first) * sizes.middle + middle) * sizes.second +
            second;
        out[static_cast<std::size_t>(i)] =
            data[static_cast<std::size_t>(block * sizes.block + byte)];
    }
    return out;
}

TEST(ReverseSequence, TurnsRowsOfAnySizeRound) {
    auto rng = test::test_rng();
    for (int round = 0; round < 300; ++round) {
        ReverseSequenceSizes sizes;
        sizes.outer = uniform_int(rng, 1, 3);
        sizes.first = uniform_int(rng, 1, 6);
        sizes.middle = uniform_int(rng, 1, 3);
        sizes.second = uniform_int(rng, 1, 6);
        sizes.block = uniform_int(rng, 1, 9);
        sizes.is_batch_first = uniform_int(rng, 0, 1) == 1;
        std::vector<char> data(static_cast<std::size_t>(sizes.rows() * sizes.second * sizes.block));
        for (auto& byte : data) byte = static_cast<char>(uniform_int(rng, 0, 127));
        std::vector<std::int64_t> lengths(static_cast<std::size_t>(sizes.batch()));
        for (auto& length : lengths) length = uniform_int(rng, 0, sizes.steps());
        std::vector<char> out(data.size());
        const std::int64_t middle = sizes.rows() / 3;
        reverse_sequence(sizes, data.data(), lengths.data(), out.data(), 0, middle);
        reverse_sequence(sizes, data.data(), lengths.data(), out.data(), middle, sizes.rows());
        EXPECT_EQ(out, expected(sizes, data, lengths));
    }
}

}  // namespace
}  // namespace rondo::cpu::reverse_sequence_test
