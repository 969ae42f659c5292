#include "tests/unit/plugins/cpu/nodes/op_samples.hpp"

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/reduction/reduction_ops.hpp"

namespace rondo::test {
namespace {

using Kind = SampleInput::Kind;

SampleInput data(const Shape& shape, double lo = -4, double hi = 4) {
    return {shape, Kind::data, {}, lo, hi, false};
}

// Weights, within 1 / sqrt(H), as a recurrence with larger ones is chaotic.
SampleInput weights(const Shape& shape) { return {shape, Kind::data, {}, -0.4, 0.4, false}; }

SampleInput booleans(const Shape& shape) { return {shape, Kind::booleans, {}, 0, 1, false}; }

// Constants of the graph: axes and the like.
SampleInput ints(const std::vector<std::int64_t>& values) {
    return {{values.size()}, Kind::integers, values, 0, 0, true};
}
SampleInput one_int(std::int64_t value) { return {{}, Kind::integers, {value}, 0, 0, true}; }

// Integers that come with the run.
SampleInput indices(const Shape& shape, const std::vector<std::int64_t>& values) {
    return {shape, Kind::integers, values, 0, 0, false};
}

void add_families(std::vector<OpSample>& samples) {
    for (const auto& row : ops::kUnaryOps) {
        samples.push_back({std::string(row.type.name), {data({3, 50})}, {}, 8});
    }
    for (const auto& row : ops::kBinaryOps) {
        const std::string name(row.type.name);
        samples.push_back({name, {data({2, 3, 4}), data({3, 1}, 1, 3)}});
        samples.push_back({name, {data({4, 1}, 1, 4), data({2, 1, 9}, 1, 3)}});
        samples.push_back({name, {data({40}), data({}, 2, 3)}});
        samples.push_back({name, {data({}, 3, 4), data({40}, 1, 3)}});
        samples.push_back({name, {data({40}), data({40}, 1, 3)}});
    }
    samples.push_back({"Divide", {data({60}, -99, 99), data({60}, 1, 9)}, {{"m_pythondiv", "0"}}});
    for (const auto& row : ops::kCompareOps) {
        const std::string name(row.type.name);
        samples.push_back({name, {data({3, 40}, 0, 3), data({40}, 0, 3)}});
    }
    for (const auto& row : ops::kLogicalOps) {
        const std::string name(row.type.name);
        samples.push_back({name, {booleans({3, 20}), booleans({3, 1})}});
    }
    for (const auto& row : ops::kReduceOps) {
        const std::string name(row.type.name);
        for (const auto& axes : std::vector<std::vector<std::int64_t>>{
                 {}, {0}, {1}, {-1}, {0, 2}, {0, 1, 2}, {1, 2}}) {
            samples.push_back({name, {data({3, 2, 70}, 0.5, 1.5), ints(axes)}});
        }
        samples.push_back({name, {data({3, 2, 5}), ints({1})}, {{"keep_dims", "1"}}});
    }
}

void add_movement(std::vector<OpSample>& samples) {
    samples.push_back({"Broadcast", {data({3, 1}), ints({2, 3, 4})}, {{"mode", "numpy"}}});
    samples.push_back(
        {"Broadcast", {data({3}), ints({3, 4}), indices({1}, {0})}, {{"mode", "explicit"}}});
    samples.push_back({"Concat", {data({2, 3}), data({2, 4})}, {{"axis", "1"}}});
    for (const char* type : {"i64", "i32", "i16", "i8"}) {
        samples.push_back({"BitCast", {data({3, 4})}, {{"output_type", type}}});
    }
    for (const char* mode : {"blocks_first", "depth_first"}) {
        samples.push_back(
            {"DepthToSpace", {data({2, 8, 3, 2})}, {{"block_size", "2"}, {"mode", mode}}});
        samples.push_back(
            {"SpaceToDepth", {data({2, 3, 4, 6})}, {{"block_size", "2"}, {"mode", mode}}});
    }
    samples.push_back({"Gather", {data({3, 4}), indices({2, 2}, {1, 3, 0, 1}), one_int(1)}});
    samples.push_back({"Gather", {data({6}), indices({}, {4}), one_int(0)}});
    samples.push_back({"Pad", {data({2, 3, 4}), ints({0, -1, 1}), ints({0, 2, 3})}});
    samples.push_back({"Pad", {data({3, 4}), ints({1, 2}), ints({0, 0}), data({})}});
    for (const char* mode : {"edge", "reflect", "symmetric", "wrap"}) {
        samples.push_back(
            {"Pad", {data({3, 4}), ints({1, 0}), ints({2, 5})}, {{"pad_mode", mode}}});
    }
    samples.push_back({"Reshape", {data({3, 4}), ints({2, 6})}, {{"special_zero", "0"}}});
    samples.push_back({"ReverseSequence",
                       {data({3, 4, 2}), indices({3}, {4, 0, 3})},
                       {{"batch_axis", "0"}, {"seq_axis", "1"}}});
    samples.push_back({"ReverseSequence",
                       {data({4, 2, 3}), indices({3}, {4, 1, 3})},
                       {{"batch_axis", "2"}, {"seq_axis", "0"}}});
    samples.push_back({"Roll", {data({3, 4, 2}), ints({-1, 3}), ints({0, 1})}});
    samples.push_back({"Roll", {data({5}), ints({-2}), ints({0})}});
    samples.push_back({"Slice", {data({5, 6}), ints({4}), ints({0}), ints({-2}), ints({1})}});
    samples.push_back({"Split", {data({4, 6}), one_int(1)}, {{"num_splits", "3"}}});
    samples.push_back({"Squeeze", {data({3, 1, 4}), ints({1})}});
    samples.push_back({"StridedSlice",
                       {data({5, 6}), indices({2}, {3, 0}), ints({0, 6}), ints({1, 2})},
                       {{"begin_mask", "0,1"}, {"end_mask", "0,0"}, {"shrink_axis_mask", "1,0"}}});
    samples.push_back(
        {"StridedSlice",
         {data({5, 6}), indices({3}, {0, 0, 1}), ints({0, 0, 9}), ints({1, 1, 2})},
         {{"begin_mask", "1,0,0"}, {"end_mask", "1,0,0"}, {"new_axis_mask", "0,1,0"}}});
    samples.push_back({"Tile", {data({2, 3}), ints({2, 1, 3})}});
    samples.push_back({"Tile", {data({2, 3, 2}), ints({2, 1})}});
    samples.push_back({"Transpose", {data({3, 4, 5}), ints({2, 0, 1})}});
    samples.push_back({"Unsqueeze", {data({3, 4}), ints({0})}});
    samples.push_back({"VariadicSplit", {data({4, 6}), one_int(1), ints({2, -1})}});
}

void add_indexing(std::vector<OpSample>& samples) {
    const auto places = indices({2, 3}, {1, 0, -1, 1, 1, 0});
    for (const char* axis : {"0", "1"}) {
        samples.push_back({"GatherElements", {data({2, 3}), places}, {{"axis", axis}}});
    }
    const auto tuples = indices({3, 2}, {0, 1, 1, -1, 0, 1});
    samples.push_back({"GatherND", {data({2, 3, 4}), tuples}, {{"batch_dims", "0"}}});
    samples.push_back(
        {"GatherND", {data({2, 3, 4}), indices({2, 1}, {2, 0})}, {{"batch_dims", "1"}}});
    for (const char* sorted : {"true", "false"}) {
        const std::map<std::string, std::string> order{{"sorted", sorted}};
        samples.push_back({"Unique", {data({2, 9, 2}, 0, 1)}, order});
        samples.push_back({"Unique", {data({2, 9}, 0, 1), one_int(1)}, order});
    }
    for (const char* type : {"i64", "i32"}) {
        samples.push_back({"NonZero", {data({2, 3, 4}, -2, 2)}, {{"output_type", type}}});
    }
    samples.push_back({"NonMaxSuppression",
                       {data({2, 30, 4}), data({2, 3, 30}), one_int(5)},
                       {{"sort_result_descending", "true"}}});
    for (const char* reduction : {"none", "sum", "prod", "min", "max", "mean"}) {
        for (const char* uses : {"true", "false"}) {
            samples.push_back({"ScatterElementsUpdate",
                               {data({2, 3}), places, data({2, 3}), one_int(1)},
                               {{"reduction", reduction}, {"use_init_val", uses}}});
        }
    }
    for (const char* reduction : {"none", "sum", "sub", "prod", "min", "max"}) {
        samples.push_back({"ScatterNDUpdate",
                           {data({2, 3, 4}), tuples, data({3, 4})},
                           {{"reduction", reduction}}});
    }
}

void add_recurrent(std::vector<OpSample>& samples) {
    const std::map<std::string, std::string> size{{"hidden_size", "5"}};
    const std::map<std::string, std::string> forward{{"hidden_size", "5"},
                                                     {"direction", "forward"}};
    const auto state = data({2, 5}, -1, 1), states = data({2, 1, 5}, -1, 1);
    const auto x = data({2, 4}, -1, 1), steps = data({2, 3, 4}, -1, 1);
    const auto lengths = indices({2}, {3, 2});
    const auto cell = [&](const char* name, std::size_t gates, bool has_c) {
        OpSample sample{name, {x, state}, size, 16};
        if (has_c) sample.inputs.push_back(state);
        for (const Shape& shape : {Shape{gates * 5, 4}, Shape{gates * 5, 5}, Shape{gates * 5}}) {
            sample.inputs.push_back(weights(shape));
        }
        samples.push_back(sample);
    };
    const auto sequence = [&](const char* name, std::size_t gates, bool has_c) {
        OpSample sample{name, {steps, states}, forward, 16};
        if (has_c) sample.inputs.push_back(states);
        sample.inputs.push_back(lengths);
        for (const Shape& shape :
             {Shape{1, gates * 5, 4}, Shape{1, gates * 5, 5}, Shape{1, gates * 5}}) {
            sample.inputs.push_back(weights(shape));
        }
        samples.push_back(sample);
    };
    cell("GRUCell", 3, false);
    cell("LSTMCell", 4, true);
    cell("RNNCell", 1, false);
    sequence("GRUSequence", 3, false);
    sequence("LSTMSequence", 4, true);
    sequence("RNNSequence", 1, false);
}

void add_windows(std::vector<OpSample>& samples) {
    const auto small = [](const Shape& shape) { return data(shape, -1, 1); };
    const std::map<std::string, std::string> strided{
        {"strides", "2"}, {"pads_begin", "1"}, {"pads_end", "0"}, {"dilations", "1"}};
    const std::map<std::string, std::string> pooled{
        {"strides", "2"}, {"pads_begin", "1"}, {"pads_end", "1"}, {"kernel", "3"}};
    for (const char* mode : {"nearest", "linear", "linear_onnx", "cubic", "bilinear_pillow"}) {
        samples.push_back({"Interpolate",
                           {data({2, 3, 4}), ints({6, 8}), ints({1, 2})},
                           {{"mode", mode}, {"shape_calculation_mode", "sizes"}},
                           8});
    }
    samples.push_back(
        {"Col2Im",
         {data({2, 6, 4}), ints({4}), ints({2})},
         {{"strides", "1"}, {"pads_begin", "1"}, {"pads_end", "0"}, {"dilations", "1"}},
         8});
    samples.push_back(
        {"DeformableConvolution",
         {small({2, 4, 5, 6}), small({2, 24, 4, 4}), small({3, 4, 2, 3}), small({2, 12, 4, 4})},
         {{"group", "1"}, {"deformable_group", "2"}},
         64});
    for (const char* mode : {"avg", "max"}) {
        samples.push_back({"ROIAlign",
                           {data({2, 3, 4, 5}), data({3, 4}, 0, 4), indices({3}, {0, 1, 0})},
                           {{"pooled_h", "2"},
                            {"pooled_w", "3"},
                            {"sampling_ratio", "2"},
                            {"spatial_scale", "1"},
                            {"mode", mode},
                            {"aligned_mode", "half_pixel"}},
                           32});
    }
    for (const char* mode : {"nearest", "bilinear", "bicubic"}) {
        samples.push_back({"GridSample",
                           {data({2, 3, 4, 5}), data({2, 3, 6, 2}, -1.5, 1.5)},
                           {{"mode", mode}, {"padding_mode", "reflection"}},
                           32});
    }
    samples.push_back({"AvgPool", {data({2, 3, 20})}, pooled, 8});
    samples.push_back({"MaxPool", {data({2, 3, 20})}, pooled});
    samples.push_back({"Convolution", {small({2, 3, 9}), small({4, 3, 2})}, strided, 8});
    samples.push_back({"GroupConvolution", {small({2, 6, 9}), small({2, 5, 3, 2})}, strided, 8});
    samples.push_back({"GroupConvolution", {small({2, 9, 40}), small({9, 1, 1, 3})}, strided, 8});
    samples.push_back({"GroupConvolution", {small({2, 9, 5}), small({9, 1, 1, 3})}, strided, 8});
    samples.push_back(
        {"ConvolutionBackpropData", {small({2, 3, 9}), small({3, 4, 3})}, strided, 8});
    samples.push_back({"ConvolutionBackpropData",
                       {small({1, 3, 9}), small({3, 4, 3}), ints({20})},
                       {{"strides", "2"}, {"auto_pad", "same_lower"}},
                       8});
    samples.push_back(
        {"GroupConvolutionBackpropData", {small({2, 6, 9}), small({2, 3, 4, 3})}, strided, 8});
}

void add_spectral(std::vector<OpSample>& samples) {
    for (const char* op : {"DFT", "IDFT"}) {
        samples.push_back({op, {data({3, 12, 2}, -1, 1), ints({1})}, {}, 16});
        samples.push_back({op, {data({3, 4, 2}, -1, 1), ints({0, 1}), ints({5, 3})}, {}, 16});
    }
    samples.push_back({"IRDFT", {data({3, 7, 2}, -1, 1), ints({-1})}, {}, 16});
    samples.push_back({"RDFT", {data({3, 12}, -1, 1), ints({1})}, {}, 16});
    for (const char* transpose_frames : {"true", "false"}) {
        samples.push_back({"STFT",
                           {data({2, 30}, -1, 1), data({6}, -1, 1), one_int(8), one_int(5)},
                           {{"transpose_frames", transpose_frames}},
                           16});
    }
}

}  // namespace

std::vector<OpSample> op_samples() {
    std::vector<OpSample> samples;
    add_families(samples);
    add_indexing(samples);
    add_movement(samples);
    add_recurrent(samples);
    add_spectral(samples);
    add_windows(samples);
    for (const char* type : {"boolean", "f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8",
                             "u64", "u32", "u16", "u8"}) {
        samples.push_back({"Convert", {data({70}, -300, 300)}, {{"destination_type", type}}, 1});
    }
    samples.push_back({"Select", {booleans({3, 1}), data({2, 3, 4}), data({4})}});
    for (const char* axis : {"0", "1", "2"}) {
        samples.push_back({"SoftMax", {data({2, 3, 20})}, {{"axis", axis}}, 8});
        samples.push_back({"LogSoftmax", {data({2, 3, 20})}, {{"axis", axis}}, 8});
    }
    for (const char* flag : {"true", "false"}) {
        samples.push_back(
            {"CumSum", {data({2, 7, 3}), one_int(1)}, {{"exclusive", flag}, {"reverse", flag}}});
        samples.push_back({"CumProd",
                           {data({2, 7, 3}, 1, 2), one_int(1)},
                           {{"exclusive", flag}, {"reverse", flag}}});
        samples.push_back({"CumSum",
                           {data({2, 7}), indices({}, {-1})},
                           {{"exclusive", "false"}, {"reverse", flag}}});
    }
    for (const char* axis : {"0", "1", "2"}) {
        samples.push_back({"TopK", {data({4, 3, 20}), one_int(3)}, {{"axis", axis}}});
    }
    samples.push_back({"TopK", {data({4, 20}), one_int(1)}, {{"mode", "min"}}});
    for (const std::int64_t axis : {0, 1, 2}) {
        samples.push_back({"MVN", {data({2, 3, 20}), ints({axis})}, {{"eps", "0.1"}}, 16});
    }
    samples.push_back({"MatMul", {data({2, 1, 3, 4}, -1, 1), data({5, 4, 6}, -1, 1)}, {}, 8});
    samples.push_back({"MatMul",
                       {data({4, 3}, -1, 1), data({6, 4}, -1, 1)},
                       {{"transpose_a", "1"}, {"transpose_b", "1"}},
                       8});
    samples.push_back({"MatMul", {data({4}, -1, 1), data({4, 3}, -1, 1)}, {}, 8});
    for (const Shape& zero : {Shape{}, Shape{3, 1}}) {
        samples.push_back({"MatMulInteger",
                           {data({2, 3, 5}, -128, 127), data({5, 18}, -128, 127), data(zero, -9, 9),
                            data({18}, -9, 9)}});
    }
    samples.push_back({"Det", {data({3, 4, 4}, -1, 1)}});
    samples.push_back({"DynamicQuantizeLinear", {data({3, 50})}});
    for (const char* type : {"f32", "f16", "i64"}) {
        samples.push_back(
            {"Range", {one_int(3), one_int(20), one_int(4)}, {{"output_type", type}}});
    }
    samples.push_back(
        {"Range", {data({}, 1, 3), data({}, 20, 30), data({}, 1, 2)}, {{"output_type", "f32"}}});
    for (const char* type : {"f64", "f32", "f16", "bf16"}) {
        samples.push_back({"RandomUniform",
                           {ints({3, 50}), data({}, -1, 0), data({}, 1, 2)},
                           {{"output_type", type}, {"op_seed", "3"}}});
    }
    samples.push_back({"ShapeOf", {data({2, 3})}, {{"output_type", "i32"}}});
    return samples;
}

std::vector<ElementType> all_element_types() {
    std::vector<ElementType> types;
    for (int i = 1; i <= static_cast<int>(ElementType::u2); ++i) {
        types.push_back(static_cast<ElementType>(i));
    }
    return types;
}

}  // namespace rondo::test
