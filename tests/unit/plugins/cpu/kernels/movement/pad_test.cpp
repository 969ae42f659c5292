#include "plugins/cpu/kernels/movement/pad.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/rng.hpp"

namespace rondo::cpu::pad_test {
namespace {

using test::uniform_int;

struct Case {
    ops::PadMode mode;
    std::vector<PadAxis> axes;
    std::int64_t element;

    std::int64_t bytes_of_data() const {
        std::int64_t bytes = element;
        for (const PadAxis& axis : axes) bytes *= axis.extent;
        return bytes;
    }
    std::int64_t bytes_of_result() const {
        std::int64_t bytes = element;
        for (const PadAxis& axis : axes) bytes *= axis.range.length;
        return bytes;
    }
};

// One element after another, in the plainest way.
std::vector<char> expected(const Case& test, const std::vector<char>& data,
                           const std::vector<char>& value) {
    std::vector<char> out;
    for (std::int64_t i = 0; i < test.bytes_of_result() / test.element; ++i) {
        std::int64_t rest = i;
        std::int64_t stride = 1;
        std::int64_t from = 0;
        for (auto axis = test.axes.rbegin(); axis != test.axes.rend(); ++axis) {
            const std::int64_t place = rest % axis->range.length;
            rest /= axis->range.length;
            const std::int64_t source = ops::padded_source(test.mode, axis->range, place);
            from = source < 0 || from < 0 ? -1 : from + source * stride;
            stride *= axis->extent;
        }
        const auto begin = from < 0 ? value.begin() : data.begin() + from * test.element;
        out.insert(out.end(), begin, begin + test.element);
    }
    return out;
}

std::vector<char> random_bytes(std::int64_t count, test::Rng& rng) {
    std::vector<char> bytes(static_cast<std::size_t>(count));
    for (auto& byte : bytes) byte = static_cast<char>(uniform_int(rng, -128, 127));
    return bytes;
}

Case random_case(ops::PadMode mode, test::Rng& rng) {
    Case test{mode, {}, std::int64_t{1} << uniform_int(rng, 0, 3)};
    const auto rank = uniform_int(rng, 1, 4);
    for (std::int64_t i = 0; i < rank; ++i) {
        const std::int64_t extent = uniform_int(rng, mode == ops::PadMode::constant ? 0 : 1, 5);
        const bool stays = uniform_int(rng, 0, 2) == 0;
        const std::int64_t begin = stays ? 0 : uniform_int(rng, -extent / 2, 6);
        const std::int64_t end = stays ? 0 : uniform_int(rng, -(extent - 1) / 2, 6);
        test.axes.push_back({extent, ops::PadRange(mode, extent, begin, end)});
    }
    return test;
}

TEST(Pad, PadsRandomBlocks) {
    using enum ops::PadMode;
    auto rng = test::test_rng();
    for (const ops::PadMode mode : {constant, edge, reflect, symmetric, wrap}) {
        for (int round = 0; round < 200; ++round) {
            const Case test = random_case(mode, rng);
            if (test.bytes_of_result() == 0) continue;
            const auto data = random_bytes(test.bytes_of_data(), rng);
            const auto value = random_bytes(test.element, rng);
            std::vector<char> out(static_cast<std::size_t>(test.bytes_of_result()) + 1, 'x');
            const Pad pad(test.mode, test.axes, test.element);
            const std::int64_t middle = pad.places() / 3;
            pad.run({data.data(), value.data(), out.data()}, 0, middle);
            pad.run({data.data(), value.data(), out.data()}, middle, pad.places());
            EXPECT_EQ(out.back(), 'x');
            out.pop_back();
            EXPECT_EQ(out, expected(test, data, value)) << "mode " << static_cast<int>(mode);
        }
    }
}

}  // namespace
}  // namespace rondo::cpu::pad_test
