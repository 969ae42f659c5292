#include "core/support/digest.hpp"

#include <gtest/gtest.h>

#include <string>

namespace rondo::digest_test {
namespace {

Digest of(const std::string& text) {
    Digester digester;
    digester.add(text.data(), text.size());
    return digester.digest();
}

// Made with xxhsum -H64 of Debian's package xxhash.
TEST(Digest, TheFirstHalfIsXxh64) {
    EXPECT_EQ(of("").first, 0xef46db3751d8e999u);
    EXPECT_EQ(of("a").first, 0xd24ec4f1a98c6e5bu);
    EXPECT_EQ(of("abc").first, 0x44bc2cf5ad770999u);
    EXPECT_EQ(of("The quick brown fox jumps over the lazy dog, twice over and over").first,
              0x58b9f2d228355df2u);
}

TEST(Digest, CutsDontMatter) {
    std::string text;
    for (int i = 0; i < 200; ++i) text += static_cast<char>(i * 7);
    const Digest whole = of(text);
    for (std::size_t step = 1; step < 80; ++step) {
        Digester digester;
        for (std::size_t at = 0; at < text.size(); at += step) {
            digester.add(text.data() + at, std::min(step, text.size() - at));
        }
        EXPECT_EQ(digester.digest(), whole) << "pieces of " << step;
    }
}

TEST(Digest, EveryBitMattersInBothHalves) {
    const std::string text(77, 'x');
    for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
        std::string other = text;
        other[bit / 8] = static_cast<char>(other[bit / 8] ^ (1 << bit % 8));
        EXPECT_NE(of(other).first, of(text).first);
        EXPECT_NE(of(other).second, of(text).second);
    }
    EXPECT_NE(of(text).first, of(text).second);
}

TEST(Digest, TextsInARowKeepTheirBorder) {
    Digester a;
    a.add_text("ab");
    a.add_text("c");
    Digester b;
    b.add_text("a");
    b.add_text("bc");
    EXPECT_FALSE(a.digest() == b.digest());
}

TEST(Digest, AsText) {
    EXPECT_EQ((Digest{0x0123456789abcdef, 15}).text(), "0123456789abcdef000000000000000f");
}

}  // namespace
}  // namespace rondo::digest_test
