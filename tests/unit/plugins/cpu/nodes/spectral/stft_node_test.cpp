#include "core/ops/spectral/spectral_ops.hpp"

#include <gtest/gtest.h>

#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::stft_node_test {
namespace {

struct Frames {
    std::int64_t size;
    std::int64_t step;
};

void expect_stft(const Shape& signal, std::size_t window, Frames frames, bool frames_first,
                 ElementType type = ElementType::f32, double tolerance = 1e-5) {
    auto rng = test_rng();
    const auto x = parameter("x", PartialShape::of_rank(signal.size()), type);
    const auto w = parameter("w", {-1}, type);
    const auto size = parameter("size", {}, ElementType::i64);
    const std::vector<Output> inputs{x, w, size, constant(scalar_of(frames.step))};
    const auto graph = graph_of({x, w, size}, {make_node<ops::Stft>(inputs, frames_first)});
    expect_like_reference(*graph,
                          {random_tensor(type, signal, rng), random_tensor(type, {window}, rng),
                           scalar_of(frames.size)},
                          tolerance, tolerance);
}

TEST(StftNode, AnyFrames) {
    for (const bool frames_first : {false, true}) {
        expect_stft({2, 50}, 8, {8, 3}, frames_first);
        expect_stft({50}, 8, {8, 20}, frames_first);
        expect_stft({2, 50}, 5, {9, 4}, frames_first);
        expect_stft({2, 50}, 4, {9, 50}, frames_first);
        expect_stft({3, 1}, 1, {1, 1}, frames_first);
        expect_stft({0, 50}, 8, {8, 3}, frames_first);
        expect_stft({4, 2000}, 64, {64, 16}, frames_first);
    }
}

TEST(StftNode, EveryType) {
    expect_stft({2, 50}, 8, {8, 3}, true, ElementType::f64, 1e-14);
    expect_stft({2, 50}, 8, {8, 3}, true, ElementType::f16, 1e-2);
    expect_stft({2, 50}, 8, {8, 3}, true, ElementType::bf16, 6e-2);
}

}  // namespace
}  // namespace rondo::test::stft_node_test
