// Windows, samples and spectra: written as ONNX and read again.
#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/window/convolutions.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/unit/frontend/onnx/writer/round_trip.hpp"

namespace rondo::test::window_test {
namespace {

using Attributes = std::map<std::string, std::string>;

Attributes window(const std::string& strides, const std::string& dilations,
                  const std::string& begin, const std::string& end,
                  const std::string& pad = "explicit") {
    return {{"strides", strides},
            {"dilations", dilations},
            {"pads_begin", begin},
            {"pads_end", end},
            {"auto_pad", pad}};
}

TEST(OnnxWriterWindow, WritesConvolutions) {
    for (const char* pad : {"explicit", "same_upper", "same_lower", "valid"}) {
        const Attributes two = window("2,1", "1,2", "1,0", "0,3", pad);
        expect_written(
            {"Convolution", {given({2, 3, 7, 8}), fixed(given({4, 3, 3, 2}).value)}, two});
        expect_written({"Convolution",
                        {given({2, 3, 7, 8}), given({4, 3, 3, 2})},
                        two,
                        "opset99",
                        std::string(pad).rfind("same", 0) != 0});
        expect_written(
            {"GroupConvolution", {given({2, 6, 7, 8}), fixed(given({3, 4, 2, 3, 2}).value)}, two});
    }
    expect_written(
        {"Convolution", {given({2, 3, 9}), given({4, 3, 3})}, window("2", "1", "2", "0")});
    expect_written({"Convolution",
                    {given({1, 1, 4, 4, 4}), given({2, 1, 2, 2, 2})},
                    window("1,1,1", "1,1,1", "0,0,0", "0,0,0")});
    expect_not_written({"Convolution",
                        {given({1, 1, 4}, ElementType::i32), given({1, 1, 2}, ElementType::i32)},
                        window("1", "1", "0", "0")},
                       "its data is i32; ONNX's operator computes on floating types");
}

// Data of u8 or i8 less a zero point, filters that are constants of i32.
TEST(OnnxWriterWindow, WritesConvolutionsOfBytes) {
    for (const ElementType type : {ElementType::u8, ElementType::i8}) {
        const double low = type == ElementType::u8 ? 0 : -128;
        for (const bool runs : {false, true}) {
            GraphBuilder builder;
            std::vector<Tensor> inputs{given({2, 2, 5}, type, low, low + 255).value};
            const Output x = builder.input("x", "2,2,5", type);
            const auto wide = [&](const Output& value) -> Output {
                return builder.make<ops::Convert>("", value, ElementType::i32);
            };
            Output point = builder.constant(scalar_of<std::int32_t>(17));
            if (runs) {
                inputs.push_back(given({1}, type, low, low + 255).value);
                point = wide(builder.input("point", "1", type));
            }
            const Output data =
                builder.make<ops::Binary>("", ops::BinaryFunction::subtract, wide(x), point);
            const Tensor filters = given({3, 2, 3}, ElementType::i32, -100, 155).value;
            const ops::ConvolutionAttributes attributes{.pads_begin = {1}, .pads_end = {2}};
            builder.output("y", builder.make<ops::Convolution>("", data, builder.constant(filters),
                                                               attributes));
            EXPECT_NE(operators_of(*builder.graph()).find("ConvInteger"), std::string::npos);
            expect_round_trip(*builder.graph(), inputs);
        }
    }
}

TEST(OnnxWriterWindow, WritesTransposedConvolutions) {
    Attributes attributes = window("2,3", "1,2", "1,0", "0,1");
    attributes["output_padding"] = "1,2";
    expect_written({"ConvolutionBackpropData",
                    {given({2, 3, 4, 5}), fixed(given({3, 4, 3, 2}).value)},
                    attributes});
    expect_written({"GroupConvolutionBackpropData",
                    {given({2, 6, 4, 5}), fixed(given({2, 3, 4, 3, 2}).value)},
                    attributes});
    for (const char* pad : {"explicit", "same_upper", "same_lower"}) {
        WriteCase one{"ConvolutionBackpropData",
                      {given({1, 2, 4}), fixed(given({2, 3, 3}).value), ints({8})},
                      window("2", "1", "0", "0", pad)};
        one.takes_open_shapes = false;
        expect_written(one);
    }
}

// The groups are known, the filters' extent isn't.
TEST(OnnxWriterWindow, WritesTransposedConvolutionsByOpenFilters) {
    GraphBuilder builder;
    const std::vector<Output> inputs{builder.input("x", "1,4,5"), builder.input("w", "2,2,3,?")};
    builder.output("y", builder.make<ops::GroupConvolutionBackpropData>("", inputs,
                                                                        ops::BackpropAttributes()));
    EXPECT_EQ(operators_of(*builder.graph()), "Shape Gather Concat Reshape ConvTranspose");
    expect_round_trip(*builder.graph(), {given({1, 4, 5}).value, given({2, 2, 3, 2}).value});
}

TEST(OnnxWriterWindow, WritesPools) {
    for (const char* pad : {"explicit", "same_upper", "same_lower", "valid"}) {
        for (const char* rounding : {"floor", "ceil_torch"}) {
            Attributes attributes = window("2,2", "1,2", "1,0", "0,1", pad);
            attributes["kernel"] = "3,2";
            attributes["rounding_type"] = rounding;
            for (const ElementType type :
                 {ElementType::f32, ElementType::f16, ElementType::u8, ElementType::i32}) {
                for (const char* axis : {"0", "2"}) {
                    attributes["axis"] = axis;
                    expect_written({"MaxPool", {given({2, 3, 7, 8}, type, 0, 99)}, attributes});
                }
            }
            for (const char* exclude : {"true", "false"}) {
                attributes["exclude-pad"] = exclude;
                expect_written({"AvgPool", {given({2, 3, 7, 8})}, attributes});
            }
        }
    }
}

TEST(OnnxWriterWindow, RefusesWindowsBehindTheData) {
    Attributes attributes = window("4", "1", "0", "2");
    attributes["kernel"] = "2";
    attributes["rounding_type"] = "ceil";
    expect_not_written({"MaxPool", {given({1, 1, 7})}, attributes},
                       "its last window may start behind the data; ONNX leaves it out");
    attributes["pads_end"] = "0";
    expect_written({"MaxPool", {given({1, 1, 6})}, attributes, "opset99", false});
    expect_not_written({"MaxPool", {given({1, 1, 6}, ElementType::i64)}, attributes},
                       "ONNX pools no integers of 64 bits");
}

TEST(OnnxWriterWindow, Resizes) {
    for (const char* mode : {"nearest", "linear", "linear_onnx", "cubic"}) {
        for (const char* coordinates :
             {"half_pixel", "pytorch_half_pixel", "asymmetric", "align_corners"}) {
            for (const char* nearest : {"round_prefer_floor", "floor", "ceil"}) {
                Attributes attributes{{"mode", mode},
                                      {"coordinate_transformation_mode", coordinates},
                                      {"nearest_mode", nearest},
                                      {"shape_calculation_mode", "sizes"}};
                expect_written(
                    {"Interpolate", {given({1, 2, 3, 4}), ints({5, 3}), ints({2, 3})}, attributes});
                attributes["shape_calculation_mode"] = "scales";
                expect_written(
                    {"Interpolate",
                     {given({1, 2, 3, 4}), fixed(tensor_of<float>({2}, {2, 1.5F})), ints({2, -1})},
                     attributes,
                     "opset99",
                     false});
            }
        }
    }
    expect_not_written(
        {"Interpolate",
         {given({1, 2, 3, 5}), fixed(tensor_of<float>({2}, {0.5F, 0.5F})), ints({2, 3})},
         {{"mode", "linear_onnx"},
          {"coordinate_transformation_mode", "align_corners"},
          {"shape_calculation_mode", "scales"},
          {"antialias", "true"}},
         "opset99",
         false},
        "it aligns corners by scales that give no whole extents, and filters");
    const auto refused = [](const Attributes& attributes, const std::string& text) {
        expect_not_written({"Interpolate", {given({1, 2, 3}), ints({5}), ints({2})}, attributes},
                           text);
    };
    Attributes attributes{{"mode", "nearest"},
                          {"shape_calculation_mode", "sizes"},
                          {"coordinate_transformation_mode", "asymmetric"}};
    attributes["nearest_mode"] = "simple";
    for (const auto& sizes : {ints({5, 7}), ints({2, 4}), ints({3, 1})}) {
        expect_written({"Interpolate",
                        {given({1, 2, 3, 4}), sizes, ints({2, 3})},
                        attributes,
                        "opset99",
                        false});
    }
    expect_not_written(
        {"Interpolate", {given({1, 2, 3, 4}), ints({5, 2}), ints({2, 3})}, attributes},
        "its nearest_mode is simple, and it isn't known that all axes grow or all shrink");
    attributes["nearest_mode"] = "floor";
    attributes["pads_begin"] = "0,0,1";
    refused(attributes, "it pads the data, which ONNX's Resize doesn't have");
}

TEST(OnnxWriterWindow, SamplesGridsAndRegions) {
    for (const char* mode : {"bilinear", "nearest", "bicubic"}) {
        for (const char* padding : {"zeros", "border", "reflection"}) {
            expect_written(
                {"GridSample",
                 {given({2, 3, 4, 5}), given({2, 3, 2, 2})},
                 {{"mode", mode}, {"padding_mode", padding}, {"align_corners", "true"}}});
        }
    }
    const std::vector<CaseInput> regions{given({2, 3, 8, 8}), given({2, 4}, ElementType::f32, 0, 8),
                                         fixed(tensor_of<std::int32_t>({2}, {1, 0}))};
    Attributes attributes{{"pooled_h", "2"},
                          {"pooled_w", "3"},
                          {"sampling_ratio", "2"},
                          {"spatial_scale", "0.5"},
                          {"mode", "avg"}};
    for (const char* alignment : {"asymmetric", "half_pixel_for_nn"}) {
        attributes["aligned_mode"] = alignment;
        expect_written({"ROIAlign", regions, attributes});
    }
    attributes["mode"] = "max";
    expect_not_written({"ROIAlign", regions, attributes}, "it takes the greatest sample");
}

TEST(OnnxWriterWindow, WritesCol2ImWithAndWithoutABatch) {
    for (const Shape& shape : {Shape{2, 8, 9}, Shape{8, 9}}) {
        expect_written({"Col2Im",
                        {given(shape), ints({4, 4}), ints({2, 2})},
                        window("1,1", "1,1", "0,0", "0,0")});
    }
}

TEST(OnnxWriterWindow, WritesDeformableConvolutions) {
    Attributes attributes = window("1,1", "1,1", "0,0", "0,0");
    attributes["bilinear_interpolation_pad"] = "true";
    const std::vector<CaseInput> inputs{given({1, 2, 5, 5}), given({1, 8, 4, 4}),
                                        given({3, 2, 2, 2}), given({1, 4, 4, 4})};
    expect_written({"DeformableConvolution", inputs, attributes});
    attributes["bilinear_interpolation_pad"] = "false";
    expect_not_written({"DeformableConvolution", inputs, attributes},
                       "elements at the data's end stand for those behind it");
}

TEST(OnnxWriterSpectral, WritesTransforms) {
    for (const char* type : {"DFT", "IDFT"}) {
        for (const auto& axes : {ints({1}), ints({-1, 0})}) {
            WriteCase one{type, {given({3, 4, 2}), axes}};
            one.tolerance = 1e-5;
            expect_written(one);
        }
        WriteCase sized{type, {given({3, 4, 2}), ints({0, 1}), ints({-1, 6})}};
        sized.tolerance = 1e-5;
        expect_written(sized);
    }
    for (const auto& axes : {ints({1}), ints({0, -1})}) {
        WriteCase forward{"RDFT", {given({3, 4}), axes}};
        WriteCase back{"IRDFT", {given({3, 4, 2}), axes}};
        forward.tolerance = back.tolerance = 1e-5;
        expect_written(forward);
        expect_written(back);
    }
    for (const std::int64_t length : {-1, 5, 6}) {
        for (const auto& size : {ints({4, length}), run_ints({-1, length})}) {
            WriteCase back{"IRDFT", {given({3, 4, 2}), ints({0, 1}), size}};
            back.tolerance = 1e-5;
            expect_written(back);
        }
    }
}

TEST(OnnxWriterSpectral, WritesFrames) {
    for (const char* transposed : {"true", "false"}) {
        for (const std::size_t length : {std::size_t{8}, std::size_t{5}}) {
            WriteCase one{"STFT",
                          {given({2, 20}), given({length}), int_scalar(8), int_scalar(3)},
                          {{"transpose_frames", transposed}}};
            one.tolerance = 1e-5;
            expect_written(one);
        }
    }
}

}  // namespace
}  // namespace rondo::test::window_test
