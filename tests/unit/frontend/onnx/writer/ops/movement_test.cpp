// Ops that move elements: written as ONNX and read again.
#include <gtest/gtest.h>

#include "tests/unit/frontend/onnx/writer/round_trip.hpp"

namespace rondo::test::movement_test {
namespace {

TEST(OnnxWriterMovement, WritesReshape) {
    expect_written({"Reshape", {given({2, 3, 4}), ints({0, -1})}, {{"special_zero", "true"}}});
    expect_written({"Reshape", {given({2, 3, 4}), ints({4, -1})}, {{"special_zero", "false"}}});
    expect_written({"Reshape", {given({2, 0, 4}), ints({0, 7})}, {{"special_zero", "false"}}});
    expect_written({"Reshape", {given({2, 3, 4}), run_ints({0, 12})}, {{"special_zero", "true"}}});
    expect_written({"Reshape", {given({2, 3, 4}), run_ints({6, 4})}, {{"special_zero", "false"}}});
    expect_written({"Reshape",
                    {given({6}), fixed(tensor_of<std::int32_t>({2}, {2, 3}))},
                    {{"special_zero", "true"}}});
}

TEST(OnnxWriterMovement, WritesSqueezeUnsqueezeAndTranspose) {
    expect_written({"Squeeze", {given({1, 3, 1})}, {}, "opset99", false});
    expect_written({"Squeeze", {given({1, 3, 1}), ints({-1, 0, 2})}});
    expect_written({"Squeeze", {given({1, 3, 1}), ints({})}, {}, "opset99", false});
    expect_written({"Unsqueeze", {given({2, 3}), ints({0, -1})}});
    expect_written({"Unsqueeze", {given({2, 3}), int_scalar(1)}});
    expect_written({"Transpose", {given({2, 3, 4}), ints({2, 0, 1})}});
    expect_written({"Transpose", {given({2, 3, 4}), ints({})}});
    expect_not_written({"Transpose", {given({2, 3}), run_ints({1, 0})}},
                       "node 'the_op' (Transpose): the axes' order (input 1) are known only when");
}

TEST(OnnxWriterMovement, WritesConcatAndSplits) {
    expect_written({"Concat", {given({2, 3}), given({2, 1}), given({2, 4})}, {{"axis", "-1"}}});
    expect_written({"Split", {given({2, 6}), int_scalar(-1)}, {{"num_splits", "3"}}});
    expect_written({"VariadicSplit", {given({2, 6}), int_scalar(1), ints({1, 2, 3})}});
    expect_written({"VariadicSplit", {given({2, 6}), int_scalar(-1), ints({1, -1, 3})}});
    expect_written({"VariadicSplit", {given({2, 6}), int_scalar(1), ints({-1, 0})}});
}

TEST(OnnxWriterMovement, WritesSlices) {
    expect_written({"Slice", {given({4, 5}), ints({1, -1}), ints({9, 0}), ints({2, -2})}});
    expect_written({"Slice", {given({4, 5}), ints({-9}), ints({9}), ints({-1}), ints({-1})}});
    expect_written({"Slice", {given({4, 5}), run_ints({1}), run_ints({3}), ints({1}), ints({1})}});
}

TEST(OnnxWriterMovement, WritesStridedSlicesWithEveryMask) {
    const auto slice = [](const std::vector<std::int64_t>& begin,
                          const std::vector<std::int64_t>& end,
                          const std::vector<std::int64_t>& strides,
                          const std::map<std::string, std::string>& masks) {
        for (const bool is_run : {false, true}) {
            const auto vector = [&](const std::vector<std::int64_t>& values) {
                return is_run ? run_ints(values) : ints(values);
            };
            WriteCase one{"StridedSlice",
                          {given({4, 5, 6}), vector(begin), vector(end), ints(strides)},
                          masks};
            one.takes_open_shapes = !is_run;
            expect_written(one);
        }
    };
    const std::string none = "0,0,0";
    const auto masks = [&](const std::string& begin, const std::string& end,
                           const std::string& added = "0,0,0", const std::string& shrunk = "0,0,0",
                           const std::string& ellipsis = "0,0,0") {
        return std::map<std::string, std::string>{{"begin_mask", begin},
                                                  {"end_mask", end},
                                                  {"new_axis_mask", added},
                                                  {"shrink_axis_mask", shrunk},
                                                  {"ellipsis_mask", ellipsis}};
    };
    slice({1, -3, 0}, {3, -1, 6}, {1, 1, 2}, masks(none, none));
    slice({1, 4, 9}, {3, 0, 9}, {1, -1, -2}, masks("1,0,1", "0,1,1"));
    slice({1, 0, -1}, {2, 9, 9}, {1, 1, 1}, masks(none, none, none, "1,0,1"));
    slice({7, 2, 7}, {7, 3, 7}, {1, 1, 1}, masks("0,0,1", "0,0,1", "1,0,0", "0,1,0"));
    slice({0, 7, -1}, {2, 7, 0}, {1, 1, 1}, masks(none, none, none, "0,0,1", "0,1,0"));
    slice({1, 7, 7}, {2, 7, 7}, {1, 1, 1}, masks("1,0,0", "1,0,0", "0,1,1", none, none));
    slice({7, 7, 2}, {7, 7, 4}, {1, 1, 1}, masks(none, none, "0,1,0", none, "1,0,0"));
    slice({7, 7, 7}, {7, 7, 7}, {1, 1, 1}, masks("1,1,1", "1,1,1"));
}

// ONNX takes vectors alone.
TEST(OnnxWriterMovement, WritesScalarsAsVectors) {
    const CaseInput run_scalar{scalar_of<std::int64_t>(-1), false};
    expect_written({"Reshape", {given({2, 3}), ints({-1})}, {{"special_zero", "true"}}});
    expect_written({"Reshape", {given({2, 3}), run_ints({-1})}, {{"special_zero", "true"}}});
    expect_written({"Squeeze", {given({2, 1}), run_scalar}});
}

TEST(OnnxWriterMovement, WritesBroadcastsAndTiles) {
    expect_written({"Broadcast", {given({3, 1}), ints({2, 3, 4})}, {{"mode", "numpy"}}});
    expect_written({"Broadcast", {given({3, 4}), ints({2, 1, 1})}, {{"mode", "bidirectional"}}});
    expect_written({"Broadcast", {given({3}), ints({2, 3, 4}), ints({1})}, {{"mode", "explicit"}}});
    expect_written({"Broadcast", {given({3, 1}), run_ints({2, 3, 4})}, {{"mode", "numpy"}}});
    expect_written({"Tile", {given({2, 3}), ints({2, 0})}});
    expect_written({"Tile", {given({2, 3}), ints({3})}});
    expect_written({"Tile", {given({2, 3}), ints({2, 1, 3})}});
}

TEST(OnnxWriterMovement, WritesGathers) {
    const auto indices = fixed(tensor_of<std::int32_t>({2, 2}, {0, -1, 2, 1}));
    expect_written({"Gather", {given({3, 4}), indices, int_scalar(0)}});
    expect_written({"Gather", {given({4, 3}), indices, int_scalar(-1)}});
    expect_written({"Gather", {given({3, 4}), int_scalar(2), int_scalar(0)}});
    expect_written({"Gather", {given({2, 3}), indices, int_scalar(1)}, {{"batch_dims", "1"}}});
    expect_written(
        {"Gather", {given({2, 4, 5, 3}), indices, int_scalar(3)}, {{"batch_dims", "1"}}});
    expect_written(
        {"Gather", {given({2, 2, 3, 5}), indices, int_scalar(2)}, {{"batch_dims", "2"}}});
    expect_written({"Gather",
                    {given({2, 4, 3}), fixed(tensor_of<std::int8_t>({2}, {-1, 1})), int_scalar(2)},
                    {{"batch_dims", "-1"}}});
}

TEST(OnnxWriterMovement, PadsInEveryMode) {
    for (const char* mode : {"constant", "edge", "reflect", "symmetric", "wrap"}) {
        const std::string opset = std::string(mode) == "wrap" ? "rondo1" : "opset99";
        const auto pad = [&](const CaseInput& begin, const CaseInput& end) {
            expect_written({"Pad", {given({3, 4}), begin, end}, {{"pad_mode", mode}}, opset});
        };
        pad(ints({1, 0}), ints({2, 3}));
        pad(ints({7, 0}), ints({0, 9}));
        pad(ints({-1, 2}), ints({2, -1}));
        pad(run_ints({1, -1}), run_ints({2, 3}));
    }
    expect_written({"Pad",
                    {given({3, 4}), ints({1, 0}), ints({0, -1}), fixed(scalar_of<float>(7))},
                    {{"pad_mode", "constant"}}});
}

TEST(OnnxWriterMovement, WritesReverseSequenceOfAnyAxes) {
    const auto lengths = fixed(tensor_of<std::int32_t>({2}, {3, 1}));
    for (const auto& [shape, batch, time] :
         std::vector<std::tuple<Shape, std::string, std::string>>{{{2, 3, 4}, "0", "1"},
                                                                  {{3, 2}, "1", "0"},
                                                                  {{3, 4, 2}, "-1", "0"},
                                                                  {{4, 2, 5, 3}, "1", "3"},
                                                                  {{5, 3, 2}, "2", "1"}}) {
        expect_written({"ReverseSequence",
                        {given(shape), lengths},
                        {{"batch_axis", batch}, {"seq_axis", time}}});
    }
}

TEST(OnnxWriterMovement, RollsByGathers) {
    expect_written({"Roll", {given({3, 4}), ints({1}), ints({-1})}});
    expect_written({"Roll", {given({3, 4}), ints({-5, 2}), ints({1, 0})}});
    expect_written({"Roll", {given({3, 4}), ints({2}), ints({0, 1, 1})}});
    expect_written({"Roll", {given({3, 4}), run_ints({-7}), ints({1})}});
}

TEST(OnnxWriterMovement, MovesBlocksOfAnyRank) {
    for (const char* mode : {"blocks_first", "depth_first"}) {
        const std::map<std::string, std::string> attributes{{"block_size", "2"}, {"mode", mode}};
        for (const Shape& depth : {Shape{2, 6, 3}, Shape{2, 12, 2, 3}, Shape{1, 16, 2, 1, 3}}) {
            expect_written({"DepthToSpace", {given(depth)}, attributes});
        }
        for (const Shape& space : {Shape{2, 3, 4}, Shape{2, 3, 4, 6}, Shape{1, 2, 2, 4, 2}}) {
            expect_written({"SpaceToDepth", {given(space)}, attributes});
        }
    }
    EXPECT_EQ(operators_of({"DepthToSpace",
                            {given({1, 4, 2, 2})},
                            {{"block_size", "2"}, {"mode", "depth_first"}}}),
              "DepthToSpace");
}

TEST(OnnxWriterMovement, WritesBitCastWithTheOpsetThatHasIt) {
    expect_written({"BitCast", {given({3}, ElementType::f32)}, {{"output_type", "i32"}}, "rondo1"});
}

TEST(OnnxWriterMovement, MovesElementsOfEveryType) {
    for (const ElementType type :
         {ElementType::boolean, ElementType::f64, ElementType::f16, ElementType::bf16,
          ElementType::i8, ElementType::u16, ElementType::u64}) {
        expect_written({"Transpose", {given({2, 3}, type, 0, 9), ints({1, 0})}});
        expect_written({"Concat",
                        {given({2}, type, 0, 9), fixed(given({3}, type, 0, 9).value)},
                        {{"axis", "0"}}});
    }
}

}  // namespace
}  // namespace rondo::test::movement_test
