#include "plugins/cpu/kernels/product/word_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "tests/unit/plugins/cpu/kernels/test_values.hpp"

namespace rondo::cpu::test {
namespace {

constexpr float kMost = 32767;

struct Rounded {
    float scale;
    std::vector<std::int16_t> words;
};

// With and without vectors alike, and nothing behind the row is written.
Rounded rounded(const std::vector<float>& row) {
    const auto k = static_cast<std::int64_t>(row.size());
    std::vector<Rounded> all;
    for (const bool vectors : {false, cpu_features().avx2}) {
        std::vector<std::int16_t> words(row.size() + 1, 77);
        const float scale = round_to_words(vectors, row.data(), k, words.data());
        EXPECT_EQ(words.back(), 77);
        words.pop_back();
        all.push_back({scale, words});
    }
    EXPECT_TRUE(same_bits(all[0].scale, all[1].scale));
    EXPECT_EQ(all[0].words, all[1].words);
    return all[0];
}

TEST(WordRows, RoundToTheNearestPartOfTheGreatest) {
    Random random;
    for (const std::int64_t k : {1, 7, 8, 64, 101}) {
        for (const double size : {1.0, 1e-20, 3e30}) {
            const auto values = random.doubles(k, size);
            const std::vector<float> row(values.begin(), values.end());
            const Rounded got = rounded(row);
            for (std::size_t i = 0; i < row.size(); ++i) {
                EXPECT_NEAR(got.words[i] * static_cast<double>(got.scale), row[i],
                            0.501 * static_cast<double>(got.scale));
            }
        }
    }
    EXPECT_EQ(rounded({-kMost, 1.5F, 2.5F, -0.5F, 0.75F}).words,
              (std::vector<std::int16_t>{-32767, 2, 2, 0, 1}));
    EXPECT_EQ(rounded({kMost}).scale, 1);
}

TEST(WordRows, CountTheLeastNumbersAsZeros) {
    for (const float least : {0.0F, 1e-31F, 1e-44F}) {
        const Rounded got = rounded({least, -least, 0});
        EXPECT_EQ(got.scale, 0);
        EXPECT_EQ(got.words, (std::vector<std::int16_t>{0, 0, 0}));
    }
    EXPECT_EQ(rounded({1e-29F}).words, (std::vector<std::int16_t>{32767}));
    EXPECT_TRUE(rounded({}).words.empty());
}

TEST(WordRows, GiveNanForWhatIsNotFinite) {
    const float infinity = std::numeric_limits<float>::infinity();
    for (const float wrong : {infinity, -infinity, std::nanf("")}) {
        EXPECT_TRUE(std::isnan(rounded({1, wrong, 2}).scale));
    }
    EXPECT_TRUE(std::isfinite(rounded({std::numeric_limits<float>::max()}).scale));
}

TEST(WordRows, HoldAtLeastOneRow) {
    EXPECT_EQ(WordRows(false, kMaxWords).capacity(), 1);
    EXPECT_EQ(WordRows(false, 0).capacity(), WordRows::kMaxRows);
    WordRows rows(false, 2);
    const float numbers[] = {1, 2, -4, 0};
    rows.load(0, numbers);
    rows.load(1, numbers + 2);
    EXPECT_EQ(rows.row(0)[1], 32767);
    EXPECT_EQ(rows.row(1)[0], -32767);
    EXPECT_EQ(rows.scales()[1], 4 / kMost);
}

}  // namespace
}  // namespace rondo::cpu::test
