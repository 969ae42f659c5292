#include "core/graph/port_forms.hpp"

#include <algorithm>
#include <string>

#include "core/graph/infer_context.hpp"

namespace rondo {
namespace {

using enum PortRank;

constexpr auto kIndex = PortType::index;
constexpr auto kStrictIndex = PortType::strict_index;
constexpr auto kInteger = PortType::integer;
constexpr auto kFlag = PortType::flag;
constexpr auto kAnyType = PortType::any;
constexpr auto kConstant = PortTime::compilation;

constexpr PortForm kForms[] = {
    {"Broadcast", 1, "target", vector, kIndex},
    {"Broadcast", 2, "axes_mapping", vector, kIndex},
    {"Col2Im", 1, "output_size", vector, kIndex},
    {"Col2Im", 2, "kernel_size", vector, kIndex},
    {"ConvolutionBackpropData", 2, "output_shape", vector, kInteger, kConstant},
    {"CumProd", 1, "axis", scalar, kIndex},
    {"CumSum", 1, "axis", scalar, kIndex},
    {"DFT", 1, "axes", vector, kIndex},
    {"DFT", 2, "signal_size", vector, kIndex},
    {"GRUSequence", 2, "sequence_lengths", vector, kStrictIndex},
    {"Gather", 1, "indices", any, kInteger},
    {"Gather", 2, "axis", single, kInteger, kConstant},
    {"GatherElements", 1, "indices", any, kIndex},
    {"GatherND", 1, "indices", any, kInteger},
    {"GroupConvolutionBackpropData", 2, "output_shape", vector, kInteger, kConstant},
    {"IDFT", 1, "axes", vector, kIndex},
    {"IDFT", 2, "signal_size", vector, kIndex},
    {"IRDFT", 1, "axes", vector, kIndex, kConstant},
    {"IRDFT", 2, "signal_size", vector, kIndex, kConstant},
    {"If", 0, "cond", single, kFlag},
    {"Interpolate", 1, "scales_or_sizes", vector, kAnyType},
    {"Interpolate", 2, "axes", vector, kIndex},
    {"LSTMSequence", 3, "sequence_lengths", vector, kStrictIndex},
    {"Loop", 0, "trip_count", single, kIndex},
    {"Loop", 1, "execution_condition", single, kFlag},
    {"MVN", 1, "axes", vector, kInteger},
    {"NonMaxSuppression", 2, "max_output_boxes_per_class", single, kInteger},
    {"Pad", 1, "pads_begin", vector, kInteger},
    {"Pad", 2, "pads_end", vector, kInteger},
    {"Pad", 3, "pad_value", scalar, kAnyType},
    {"RDFT", 1, "axes", vector, kIndex, kConstant},
    {"RDFT", 2, "signal_size", vector, kIndex, kConstant},
    {"RNNSequence", 2, "sequence_lengths", vector, kStrictIndex},
    {"ROIAlign", 2, "batch_indices", vector, kInteger},
    {"RandomUniform", 0, "shape", vector, kIndex},
    {"RandomUniform", 1, "min_val", single, kAnyType},
    {"RandomUniform", 2, "max_val", single, kAnyType},
    {"Range", 0, "start", scalar, kAnyType},
    {"Range", 1, "stop", scalar, kAnyType},
    {"Range", 2, "step", scalar, kAnyType},
    {"ReduceL1", 1, "axes", scalar_or_vector, kInteger},
    {"ReduceL2", 1, "axes", scalar_or_vector, kInteger},
    {"ReduceLogicalAnd", 1, "axes", scalar_or_vector, kInteger, kConstant},
    {"ReduceLogicalOr", 1, "axes", scalar_or_vector, kInteger, kConstant},
    {"ReduceMax", 1, "axes", scalar_or_vector, kInteger},
    {"ReduceMean", 1, "axes", scalar_or_vector, kInteger},
    {"ReduceMin", 1, "axes", scalar_or_vector, kInteger},
    {"ReduceProd", 1, "axes", scalar_or_vector, kInteger},
    {"ReduceSum", 1, "axes", scalar_or_vector, kInteger},
    {"Reshape", 1, "pattern", vector, kInteger},
    {"ReverseSequence", 1, "seq_lengths", vector, kInteger},
    {"Roll", 1, "shift", vector, kIndex},
    {"Roll", 2, "axes", vector, kIndex},
    {"STFT", 2, "frame_size", scalar, kIndex},
    {"STFT", 3, "frame_step", scalar, kIndex},
    {"ScatterElementsUpdate", 1, "indices", any, kInteger},
    {"ScatterElementsUpdate", 3, "axis", single, kInteger},
    {"ScatterNDUpdate", 1, "indices", any, kIndex},
    {"Slice", 1, "start", vector, kInteger},
    {"Slice", 2, "stop", vector, kInteger},
    {"Slice", 3, "step", vector, kInteger},
    {"Slice", 4, "axes", vector, kInteger, kConstant},
    {"Split", 1, "axis", scalar, kInteger},
    {"Squeeze", 1, "axes", scalar_or_vector, kInteger},
    {"StridedSlice", 1, "begin", vector, kInteger},
    {"StridedSlice", 2, "end", vector, kInteger},
    {"StridedSlice", 3, "strides", vector, kInteger},
    {"Tile", 1, "repeats", vector, kInteger},
    {"TopK", 1, "k", scalar, kInteger},
    {"Transpose", 1, "order", vector, kIndex},
    {"Unique", 1, "axis", single, kIndex, kConstant},
    {"Unsqueeze", 1, "axes", scalar_or_vector, kInteger, kConstant},
    {"VariadicSplit", 1, "axis", single, kInteger},
    {"VariadicSplit", 2, "lengths", vector, kInteger},
};

std::string_view text_of(PortRank rank) {
    switch (rank) {
        case scalar: return "a scalar";
        case vector: return "a vector";
        case single: return "a scalar or a vector of one element";
        case scalar_or_vector: return "a scalar or a vector";
        case any: break;
    }
    return "any shape";
}

std::string_view text_of(PortType type) {
    switch (type) {
        case PortType::index:
        case PortType::strict_index: return "i32 or i64";
        case PortType::integer: return "integers";
        case PortType::flag: return "boolean";
        case PortType::any: break;
    }
    return "any type";
}

}  // namespace

std::span<const PortForm> port_forms() { return kForms; }

std::span<const PortForm> port_forms_of(std::string_view op) {
    // Not equal_range(), which clang 14 refuses with libstdc++ 12.
    return {std::ranges::lower_bound(kForms, op, {}, &PortForm::op),
            std::ranges::upper_bound(kForms, op, {}, &PortForm::op)};
}

bool takes(PortRank rank, const PartialShape& shape) {
    if (!shape.has_rank()) return true;
    switch (rank) {
        case scalar: return shape.rank() == 0;
        case vector: return shape.rank() == 1;
        case single: return shape.rank() == 0 || (shape.rank() == 1 && shape[0].contains(1));
        case scalar_or_vector: return shape.rank() <= 1;
        case any: break;
    }
    return true;
}

bool takes(PortType type, ElementType element_type) {
    if (element_type == ElementType::dynamic) return true;
    switch (type) {
        case PortType::index:
        case PortType::strict_index:
            return element_type == ElementType::i32 || element_type == ElementType::i64;
        case PortType::integer: return is_integral(element_type);
        case PortType::flag: return element_type == ElementType::boolean;
        case PortType::any: break;
    }
    return true;
}

void check_port_forms(const InferContext& context, std::string_view op) {
    for (const PortForm& form : port_forms_of(op)) {
        if (form.input >= context.input_count()) continue;
        const PartialShape& shape = context.shape(form.input);
        const ElementType type = context.type(form.input);
        const std::string name(form.name);
        context.check(takes(form.rank, shape), name + " has shape " + to_string(shape) +
                                                   "; expected " + std::string(text_of(form.rank)));
        context.check(takes(form.type, type), name + " has type " + std::string(to_string(type)) +
                                                  "; expected " + std::string(text_of(form.type)));
    }
}

}  // namespace rondo
