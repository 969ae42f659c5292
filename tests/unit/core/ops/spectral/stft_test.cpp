#include "core/ops/spectral/spectral_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::stft_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

std::string shape_after(std::string_view signal, std::string_view window, std::int64_t size,
                        std::int64_t step, bool transpose_frames = true) {
    std::vector<Output> inputs{parameter(signal), parameter(window), scalar_int(size),
                               scalar_int(step)};
    return inferred(*named<ops::Stft>(std::move(inputs), transpose_frames));
}

TEST(Stft, ReadsAndWritesItsAttributes) {
    ops::Stft op;
    EXPECT_EQ(attributes_of(op), (Texts{{"transpose_frames", "false"}}));
    read_attributes(op, {{"transpose_frames", "true"}});
    EXPECT_FALSE(op.frames_first());
}

TEST(Stft, CountsWholeFrames) {
    EXPECT_EQ(shape_after("2,20", "8", 8, 5), "f32[2,5,3,2]");
    EXPECT_EQ(shape_after("2,20", "8", 8, 5, false), "f32[2,3,5,2]");
    EXPECT_EQ(shape_after("20", "3", 7, 13), "f32[4,2,2]");
    EXPECT_EQ(shape_after("?,4..20", "8", 8, 4), "f32[?,5,..4,2]");
    EXPECT_EQ(shape_after("1,?", "?", 8, 4), "f32[1,5,?,2]");
    EXPECT_EQ(shape_after("...", "8", 8, 4), "f32[...]");
    EXPECT_EQ(shape_after("2,7", "8", 8, 4), "f32[2,5,0,2]");
    const auto open = named<ops::Stft>(
        std::vector<Output>{parameter("1,20"), parameter("8"), unknown_ints(""), unknown_ints("")},
        true);
    EXPECT_EQ(inferred(*open), "f32[1,?,?,2]");
}

TEST(Stft, RefusesFramesThatDontFit) {
    expect_error<ModelError>([] { shape_after("2,20", "8", 0, 5); },
                             "node 'n' (STFT): frame_size is 0; expected 1 or more");
    expect_error<ModelError>([] { shape_after("2,20", "8", 8, -1); }, "frame_step is -1");
    expect_error<ModelError>([] { shape_after("2,20", "8", 7, 1); },
                             "frame_size is 7, but the window has shape [8]");
    expect_error<ModelError>([] { shape_after("2,20,1", "8", 8, 1); }, "expected [T] or [batch,T]");
}

TEST(Stft, TransformsWindowedFrames) {
    const auto run = [](bool transpose_frames, const Tensor& window) {
        ops::Stft op({}, transpose_frames);
        return evaluate_one(op,
                            {floats({1, 4}, {1, 2, 3, 4}), window, int_scalar(2), int_scalar(1)});
    };
    const auto frames = floats({1, 3, 2, 2}, {5, 0, -3, 0, 8, 0, -4, 0, 11, 0, -5, 0});
    expect_near(run(false, floats({2}, {1, 2})), frames, 1e-6);
    const auto bins = floats({1, 2, 3, 2}, {5, 0, 8, 0, 11, 0, -3, 0, -4, 0, -5, 0});
    expect_near(run(true, floats({2}, {1, 2})), bins, 1e-6);
    const auto one = floats({1, 3, 2, 2}, {1, 0, 1, 0, 2, 0, 2, 0, 3, 0, 3, 0});
    expect_near(run(false, floats({1}, {1})), one, 1e-6);
}

}  // namespace
}  // namespace rondo::stft_test
