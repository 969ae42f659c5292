#include "plugins/cpu/kernels/indexing/element_places.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/rng.hpp"

namespace rondo::cpu::element_places_test {
namespace {

using test::uniform_int;

std::vector<std::int64_t> places_of(const ElementSizes& sizes,
                                    const std::vector<std::int32_t>& indices) {
    const ElementPlaces places(sizes, ElementType::i32);
    EXPECT_FALSE(places.find_bad(indices.data()));
    std::vector<std::int64_t> found(indices.size(), -1);
    places.for_each_chunk(indices.data(), 0, places.loop().runs(),
                          [&](const std::int64_t* some, std::int64_t first, std::int64_t count) {
                              std::copy_n(some, count, found.begin() + first);
                          });
    return found;
}

std::vector<std::int64_t> expected(const ElementSizes& sizes,
                                   const std::vector<std::int32_t>& indices) {
    std::vector<std::int64_t> result;
    for (std::size_t i = 0; i < indices.size(); ++i) {
        auto rest = static_cast<std::int64_t>(i);
        std::int64_t element = 0;
        std::int64_t stride = 1;
        for (std::size_t axis = sizes.data.size(); axis-- > 0;) {
            std::int64_t place = rest % sizes.indices[axis];
            rest /= sizes.indices[axis];
            if (axis == sizes.axis) place = indices[i];
            if (place < 0) place += sizes.data[axis];
            element += place * stride;
            stride *= sizes.data[axis];
        }
        result.push_back(element);
    }
    return result;
}

TEST(ElementPlaces, FindsTheElementsOfAnyShape) {
    auto rng = test::test_rng();
    for (int round = 0; round < 300; ++round) {
        ElementSizes sizes;
        const auto rank = uniform_int(rng, 1, 4);
        sizes.axis = static_cast<std::size_t>(uniform_int(rng, 0, rank - 1));
        std::int64_t count = 1;
        for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i) {
            sizes.data.push_back(uniform_int(rng, 1, 5));
            const bool same = uniform_int(rng, 0, 1) == 0;
            const std::int64_t most = i == sizes.axis ? 300 : sizes.data[i];
            sizes.indices.push_back(same ? sizes.data[i] : uniform_int(rng, 1, most));
            count *= sizes.indices.back();
        }
        const std::int64_t extent = sizes.data[sizes.axis];
        std::vector<std::int32_t> indices(static_cast<std::size_t>(count));
        for (auto& index : indices) {
            index = static_cast<std::int32_t>(uniform_int(rng, -extent, extent - 1));
        }
        EXPECT_EQ(places_of(sizes, indices), expected(sizes, indices));
    }
}

TEST(ElementPlaces, FindsABadIndexAndWhereWorkMayBeSplit) {
    const ElementPlaces rows({{3, 4}, {3, 2}, 1}, ElementType::i8);
    const std::vector<std::int8_t> indices{0, -4, 3, 4, 0, 9};
    EXPECT_EQ(rows.find_bad(indices.data()), 3);
    EXPECT_TRUE(rows.is_split_by_outermost());
    EXPECT_FALSE(ElementPlaces({{3, 4}, {2, 4}, 0}, ElementType::i8).is_split_by_outermost());
    EXPECT_FALSE(ElementPlaces({{4}, {2}, 0}, ElementType::i8).is_split_by_outermost());
}

}  // namespace
}  // namespace rondo::cpu::element_places_test
