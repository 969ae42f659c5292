#include "frontend/onnx/writer/ops/op_list.hpp"

#include <array>
#include <utility>

#include "core/ops/elementwise/functions.hpp"
#include "core/ops/reduction/functions.hpp"
#include "core/ops/spectral/spectral_ops.hpp"
#include "core/support/tables.hpp"

namespace rondo::onnx {
namespace {

// Names that differ in ONNX.
constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
    {"Ceiling", "Ceil"},      {"GreaterEqual", "GreaterOrEqual"},
    {"HSwish", "HardSwish"},  {"LessEqual", "LessOrEqual"},
    {"LogicalAnd", "And"},    {"LogicalNot", "Not"},
    {"LogicalOr", "Or"},      {"LogicalXor", "Xor"},
    {"Maximum", "Max"},       {"Minimum", "Min"},
    {"Multiply", "Mul"},      {"Negative", "Neg"},
    {"ReLU", "Relu"},         {"ReduceLogicalAnd", "ReduceMin"},
    {"SoftMax", "Softmax"},   {"ReduceLogicalOr", "ReduceMax"},
    {"SoftPlus", "Softplus"}, {"SoftSign", "Softsign"},
    {"Subtract", "Sub"},
};

// ONNX's operator does the same with the same inputs.
Names write_same(WriteContext& context) { return context.emit_same(); }

// The entries of a family: one writer serves all ops of its table.
template <const auto& rows>
constexpr auto family(Writer* write) {
    return entries_of(rows, [&](const auto& row) { return OpWriter{row.type.name, write}; });
}

// keep-sorted
constexpr std::array kSingleOps = {
    OpWriter{"AvgPool", write_avg_pool},
    OpWriter{"BitCast", write_bit_cast},
    OpWriter{"Broadcast", write_broadcast},
    OpWriter{"Col2Im", write_col2im},
    OpWriter{"Concat", write_concat},
    OpWriter{"Convert", write_convert},
    OpWriter{"Convolution", write_convolution},
    OpWriter{"ConvolutionBackpropData", write_transposed},
    OpWriter{"CumProd", write_cumulation},
    OpWriter{"CumSum", write_cumulation},
    OpWriter{"DeformableConvolution", write_deformable},
    OpWriter{"DepthToSpace", write_depth_to_space},
    OpWriter{"Det", write_same},
    OpWriter{"DynamicQuantizeLinear", write_same},
    OpWriter{"GRUCell", write_recurrent},
    OpWriter{"GRUSequence", write_recurrent},
    OpWriter{"Gather", write_gather},
    OpWriter{"GatherElements", write_gather_elements},
    OpWriter{"GatherND", write_gather_nd},
    OpWriter{"GridSample", write_grid_sample},
    OpWriter{"GroupConvolution", write_convolution},
    OpWriter{"GroupConvolutionBackpropData", write_transposed},
    OpWriter{"If", write_if},
    OpWriter{"Interpolate", write_interpolate},
    OpWriter{"LSTMCell", write_recurrent},
    OpWriter{"LSTMSequence", write_recurrent},
    OpWriter{"LogSoftmax", write_softmax},
    OpWriter{"Loop", write_iterated},
    OpWriter{"MVN", write_mvn},
    OpWriter{"MatMul", write_matmul},
    OpWriter{"MatMulInteger", write_matmul_integer},
    OpWriter{"MaxPool", write_max_pool},
    OpWriter{"NonMaxSuppression", write_non_max_suppression},
    OpWriter{"NonZero", write_non_zero},
    OpWriter{"Pad", write_pad},
    OpWriter{"RNNCell", write_recurrent},
    OpWriter{"RNNSequence", write_recurrent},
    OpWriter{"ROIAlign", write_roi_align},
    OpWriter{"RandomUniform", write_random_uniform},
    OpWriter{"Range", write_range},
    OpWriter{"Reshape", write_reshape},
    OpWriter{"ReverseSequence", write_reverse_sequence},
    OpWriter{"Roll", write_roll},
    OpWriter{"STFT", write_stft},
    OpWriter{"ScatterElementsUpdate", write_scatter_elements},
    OpWriter{"ScatterNDUpdate", write_scatter_nd},
    OpWriter{"Select", write_select},
    OpWriter{"ShapeOf", write_shape_of},
    OpWriter{"Slice", write_slice},
    OpWriter{"SoftMax", write_softmax},
    OpWriter{"SpaceToDepth", write_space_to_depth},
    OpWriter{"Split", write_split},
    OpWriter{"Squeeze", write_squeeze},
    OpWriter{"StridedSlice", write_strided_slice},
    OpWriter{"TensorIterator", write_iterated},
    OpWriter{"Tile", write_tile},
    OpWriter{"TopK", write_top_k},
    OpWriter{"Transpose", write_transpose},
    OpWriter{"Unique", write_unique},
    OpWriter{"Unsqueeze", write_unsqueeze},
    OpWriter{"VariadicSplit", write_variadic_split},
};

constexpr auto kWriters = joined(kSingleOps,                               //
                                 family<ops::kBinaryOps>(write_binary),    //
                                 family<ops::kCompareOps>(write_compare),  //
                                 family<ops::kFourierOps>(write_fourier),  //
                                 family<ops::kLogicalOps>(write_same),     //
                                 family<ops::kReduceOps>(write_reduce),    //
                                 family<ops::kUnaryOps>(write_unary));

}  // namespace

const OpWriter* find_op_writer(std::string_view type) {
    for (const OpWriter& writer : kWriters) {
        if (writer.type == type) return &writer;
    }
    return nullptr;
}

std::string_view operator_name(std::string_view type) {
    for (const auto& [op, name] : kOtherNames) {
        if (op == type) return name;
    }
    return type;
}

}  // namespace rondo::onnx
