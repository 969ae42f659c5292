#include "frontend/onnx/writer/ops/op_list.hpp"

#include <array>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/reduction/reduce.hpp"
#include "core/support/tables.hpp"
#include "frontend/onnx/writer/ops/control/writers.hpp"
#include "frontend/onnx/writer/ops/elementwise/writers.hpp"
#include "frontend/onnx/writer/ops/indexing/writers.hpp"
#include "frontend/onnx/writer/ops/movement/writers.hpp"
#include "frontend/onnx/writer/ops/product/writers.hpp"
#include "frontend/onnx/writer/ops/quantization/writers.hpp"
#include "frontend/onnx/writer/ops/recurrent/writers.hpp"
#include "frontend/onnx/writer/ops/reduction/writers.hpp"
#include "frontend/onnx/writer/ops/source/writers.hpp"
#include "frontend/onnx/writer/ops/spectral/writers.hpp"
#include "frontend/onnx/writer/ops/window/writers.hpp"

namespace rondo::onnx {
namespace {

// The entries of a family: one writer serves all ops of its table.
template <const auto& rows>
constexpr auto family(Names (*write)(WriteContext&)) {
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
    OpWriter{"DFT", write_fourier},
    OpWriter{"DeformableConvolution", write_deformable},
    OpWriter{"DepthToSpace", write_depth_to_space},
    OpWriter{"Det", write_det},
    OpWriter{"DynamicQuantizeLinear", write_dynamic_quantize_linear},
    OpWriter{"Equal", write_compare},
    OpWriter{"GRUCell", write_recurrent},
    OpWriter{"GRUSequence", write_recurrent},
    OpWriter{"Gather", write_gather},
    OpWriter{"GatherElements", write_gather_elements},
    OpWriter{"GatherND", write_gather_nd},
    OpWriter{"Greater", write_compare},
    OpWriter{"GreaterEqual", write_compare},
    OpWriter{"GridSample", write_grid_sample},
    OpWriter{"GroupConvolution", write_convolution},
    OpWriter{"GroupConvolutionBackpropData", write_transposed},
    OpWriter{"IDFT", write_fourier},
    OpWriter{"IRDFT", write_fourier},
    OpWriter{"If", write_if},
    OpWriter{"Interpolate", write_interpolate},
    OpWriter{"LSTMCell", write_recurrent},
    OpWriter{"LSTMSequence", write_recurrent},
    OpWriter{"Less", write_compare},
    OpWriter{"LessEqual", write_compare},
    OpWriter{"LogSoftmax", write_softmax},
    OpWriter{"LogicalAnd", write_logical},
    OpWriter{"LogicalOr", write_logical},
    OpWriter{"LogicalXor", write_logical},
    OpWriter{"Loop", write_loop},
    OpWriter{"MVN", write_mvn},
    OpWriter{"MatMul", write_matmul},
    OpWriter{"MatMulInteger", write_matmul_integer},
    OpWriter{"MaxPool", write_max_pool},
    OpWriter{"NonMaxSuppression", write_non_max_suppression},
    OpWriter{"NonZero", write_non_zero},
    OpWriter{"NotEqual", write_compare},
    OpWriter{"Pad", write_pad},
    OpWriter{"RDFT", write_fourier},
    OpWriter{"RNNCell", write_recurrent},
    OpWriter{"RNNSequence", write_recurrent},
    OpWriter{"ROIAlign", write_roi_align},
    OpWriter{"RandomUniform", write_random_uniform},
    OpWriter{"Range", write_range},
    OpWriter{"Reshape", write_reshape},
    OpWriter{"ReverseSequence", write_reverse_sequence},
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
    OpWriter{"TensorIterator", write_tensor_iterator},
    OpWriter{"Tile", write_tile},
    OpWriter{"TopK", write_top_k},
    OpWriter{"Transpose", write_transpose},
    OpWriter{"Unique", write_unique},
    OpWriter{"Unsqueeze", write_unsqueeze},
    OpWriter{"VariadicSplit", write_variadic_split},
};

constexpr auto kWriters = joined(kSingleOps,                             //
                                 family<ops::kBinaryOps>(write_binary),  //
                                 family<ops::kReduceOps>(write_reduce),  //
                                 family<ops::kUnaryOps>(write_unary));

}  // namespace

const OpWriter* find_op_writer(std::string_view type) {
    for (const OpWriter& writer : kWriters) {
        if (writer.type == type) return &writer;
    }
    return nullptr;
}

}  // namespace rondo::onnx
