// Tests a part of plugins/cpu/kernels/elementwise/narrow_convert.hpp.
#include "plugins/cpu/kernels/elementwise/narrow_convert.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "plugins/cpu/kernels/elementwise/typed_loops.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::cpu::byte_convert_test {
namespace {

constexpr ElementType kTypes[] = {ElementType::boolean, ElementType::f64, ElementType::f32,
                                  ElementType::f16,     ElementType::i64, ElementType::i32,
                                  ElementType::i16,     ElementType::i8,  ElementType::u64,
                                  ElementType::u32,     ElementType::u16, ElementType::u8};

Tensor samples(ElementType type, std::size_t count) {
    auto rng = test::test_rng();
    Tensor x = test::random_tensor(type, {count}, rng, type == ElementType::f32 ? -300 : 0, 127);
    if (type != ElementType::f32 || count < 50) return x;
    const float special[] = {std::nanf(""),
                             std::numeric_limits<float>::infinity(),
                             -std::numeric_limits<float>::infinity(),
                             -0.0F,
                             127.9F,
                             255.9F,
                             -0.9F,
                             -128.9F,
                             32767.9F,
                             65535.9F,
                             -32768.9F,
                             1e30F,
                             -1e30F};
    std::copy(std::begin(special), std::end(special), x.data<float>() + 7);
    return x;
}

TEST(ByteConvert, GivesWhatThePlainLoopsGive) {
    int found = 0;
    for (const ElementType from : kTypes) {
        for (const ElementType to : kTypes) {
            const ElementLoop<1> loop = byte_convert_loop(from, to);
            if (loop == nullptr) continue;
            ++found;
            for (const std::size_t count : {0u, 1u, 15u, 64u, 99u}) {
                SCOPED_TRACE(std::string(to_string(from)) + " to " + std::string(to_string(to)));
                const Tensor x = samples(from, count);
                Tensor expected(to, {count}), actual(to, {count});
                const auto run = [&](ElementLoop<1> of, Tensor& result) {
                    EXPECT_TRUE(
                        of({{x.data()}, {1}, result.data(), static_cast<std::int64_t>(count)}));
                };
                run(convert_loop(from, to), expected);
                run(loop, actual);
                test::expect_same(actual, expected);
            }
        }
    }
    EXPECT_EQ(found, 11);
}

}  // namespace
}  // namespace rondo::cpu::byte_convert_test
