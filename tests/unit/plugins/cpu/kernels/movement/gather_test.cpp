#include "plugins/cpu/kernels/movement/gather.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/rng.hpp"

namespace rondo::cpu::gather_test {
namespace {

using test::uniform_int;

template <typename Index>
std::vector<char> gathered(const GatherSizes& sizes, const std::vector<char>& data,
                           const std::vector<Index>& indices) {
    const Gather gather(sizes, element_type_of<Index>());
    std::vector<char> out(static_cast<std::size_t>(sizes.blocks() * sizes.block), 'x');
    EXPECT_FALSE(gather.find_bad_index(indices.data()));
    const std::int64_t middle = sizes.blocks() / 3;
    gather.run({data.data(), indices.data(), out.data()}, 0, middle);
    gather.run({data.data(), indices.data(), out.data()}, middle, sizes.blocks());
    return out;
}

// One block after another, in the plainest way.
template <typename Index>
std::vector<char> expected(const GatherSizes& sizes, const std::vector<char>& data,
                           const std::vector<Index>& indices) {
    std::vector<char> out;
    for (std::int64_t b = 0; b < sizes.batches; ++b) {
        for (std::int64_t r = 0; r < sizes.rows; ++r) {
            for (std::int64_t i = 0; i < sizes.count; ++i) {
                auto index = static_cast<std::int64_t>(
                    indices[static_cast<std::size_t>(b * sizes.count + i)]);
                if (index < 0) index += sizes.extent;
                const std::int64_t block = (b * sizes.rows + r) * sizes.extent + index;
                const auto from = data.begin() + block * sizes.block;
                out.insert(out.end(), from, from + sizes.block);
            }
        }
    }
    return out;
}

template <typename Index>
void expect_gathers(test::Rng& rng, bool from_end) {
    for (int round = 0; round < 60; ++round) {
        GatherSizes sizes;
        sizes.batches = uniform_int(rng, 1, 3);
        sizes.rows = uniform_int(rng, 1, 4);
        sizes.extent = uniform_int(rng, 1, 9);
        sizes.count = uniform_int(rng, 0, 7);
        sizes.block = uniform_int(rng, 1, 17);
        std::vector<char> data(
            static_cast<std::size_t>(sizes.batches * sizes.rows * sizes.extent * sizes.block));
        for (auto& byte : data) byte = static_cast<char>(uniform_int(rng, 0, 127));
        std::vector<Index> indices(static_cast<std::size_t>(sizes.batches * sizes.count));
        for (auto& index : indices) {
            index = static_cast<Index>(
                uniform_int(rng, from_end ? -sizes.extent : 0, sizes.extent - 1));
        }
        EXPECT_EQ(gathered(sizes, data, indices), expected(sizes, data, indices));
    }
}

TEST(Gather, CopiesBlocksOfAnySizeForEveryTypeOfIndex) {
    auto rng = test::test_rng();
    expect_gathers<std::int64_t>(rng, true);
    expect_gathers<std::int32_t>(rng, true);
    expect_gathers<std::int16_t>(rng, true);
    expect_gathers<std::int8_t>(rng, true);
    expect_gathers<std::uint64_t>(rng, false);
    expect_gathers<std::uint32_t>(rng, false);
    expect_gathers<std::uint16_t>(rng, false);
    expect_gathers<std::uint8_t>(rng, false);
}

TEST(Gather, FindsTheFirstBadIndex) {
    GatherSizes sizes;
    sizes.extent = 3;
    sizes.count = 4;
    const auto bad = [&](const auto& indices) {
        using Index = typename std::decay_t<decltype(indices)>::value_type;
        return Gather(sizes, element_type_of<Index>()).find_bad_index(indices.data());
    };
    EXPECT_EQ(bad(std::vector<std::int64_t>{0, -3, 2, 1}), std::nullopt);
    EXPECT_EQ(bad(std::vector<std::int64_t>{0, 3, -4, 1}), 1);
    EXPECT_EQ(bad(std::vector<std::int32_t>{0, 1, -4, 1}), 2);
    // The number of i64 with these bits would count from the end.
    EXPECT_EQ(bad(std::vector<std::uint64_t>{0, 1, 2, ~std::uint64_t{0}}), 3);
    sizes.extent = 200;  // above what an i8 holds
    EXPECT_EQ(bad(std::vector<std::int8_t>{0, -128, 127, 1}), std::nullopt);
}

}  // namespace
}  // namespace rondo::cpu::gather_test
