// Which evaluator computes which op.
#include <array>

// keep-sorted
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/indexing/indexing_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/quantization/dynamic_quantize_linear.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "core/ops/reference/common/evaluators.hpp"
#include "core/ops/reference/evaluate.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/spectral/spectral_ops.hpp"
#include "core/ops/window/convolutions.hpp"
#include "core/ops/window/pool.hpp"
#include "core/ops/window/samplers.hpp"
#include "core/support/tables.hpp"

namespace rondo::reference {
namespace {

struct EvaluatorEntry {
    const OpType* type;
    Evaluator evaluator;
};

// The entries of a family: one evaluator computes all ops of its table.
template <const auto& rows>
constexpr auto family(Evaluator evaluator) {
    return entries_of(rows, [&](const auto& row) { return EvaluatorEntry{&row.type, evaluator}; });
}

// Ops with a class of their own, once for all opsets.
// keep-sorted
constexpr std::array kSingleOps = {
    EvaluatorEntry{&ops::AvgPool::kType, avg_pool},
    EvaluatorEntry{&ops::BitCast::kType, bit_cast},
    EvaluatorEntry{&ops::Broadcast::kType, broadcast},
    EvaluatorEntry{&ops::Col2Im::kType, col2im},
    EvaluatorEntry{&ops::Concat::kType, concat},
    EvaluatorEntry{&ops::Convert::kType, convert},
    EvaluatorEntry{&ops::Convolution::kType, convolution},
    EvaluatorEntry{&ops::ConvolutionBackpropData::kType, convolution_backprop_data},
    EvaluatorEntry{&ops::CumProd::kType, cum_sum},
    EvaluatorEntry{&ops::CumSum::kType, cum_sum},
    EvaluatorEntry{&ops::DeformableConvolution::kType, deformable_convolution},
    EvaluatorEntry{&ops::DepthToSpace::kType, depth_to_space},
    EvaluatorEntry{&ops::Det::kType, det},
    EvaluatorEntry{&ops::DynamicQuantizeLinear::kType, dynamic_quantize_linear},
    EvaluatorEntry{&ops::GRUCell::kType, recurrent},
    EvaluatorEntry{&ops::GRUSequence::kType, recurrent},
    EvaluatorEntry{&ops::Gather::kType, gather},
    EvaluatorEntry{&ops::GatherElements::kType, gather_elements},
    EvaluatorEntry{&ops::GatherND::kType, gather_nd},
    EvaluatorEntry{&ops::GridSample::kType, grid_sample},
    EvaluatorEntry{&ops::GroupConvolution::kType, convolution},
    EvaluatorEntry{&ops::GroupConvolutionBackpropData::kType, convolution_backprop_data},
    EvaluatorEntry{&ops::Interpolate::kType, interpolate},
    EvaluatorEntry{&ops::LSTMCell::kType, recurrent},
    EvaluatorEntry{&ops::LSTMSequence::kType, recurrent},
    EvaluatorEntry{&ops::LogSoftmax::kType, log_softmax},
    EvaluatorEntry{&ops::MatMul::kType, matmul},
    EvaluatorEntry{&ops::MatMulInteger::kType, matmul_integer},
    EvaluatorEntry{&ops::MaxPool::kType, max_pool},
    EvaluatorEntry{&ops::Mvn::kType, mvn},
    EvaluatorEntry{&ops::NonMaxSuppression::kType, non_max_suppression},
    EvaluatorEntry{&ops::NonZero::kType, non_zero},
    EvaluatorEntry{&ops::Pad::kType, pad},
    EvaluatorEntry{&ops::RNNCell::kType, recurrent},
    EvaluatorEntry{&ops::RNNSequence::kType, recurrent},
    EvaluatorEntry{&ops::RandomUniform::kType, random_uniform},
    EvaluatorEntry{&ops::Range::kType, range},
    EvaluatorEntry{&ops::Reshape::kType, reshape},
    EvaluatorEntry{&ops::ReverseSequence::kType, reverse_sequence},
    EvaluatorEntry{&ops::RoiAlign::kType, roi_align},
    EvaluatorEntry{&ops::Roll::kType, roll},
    EvaluatorEntry{&ops::ScatterElementsUpdate::kType, scatter_elements},
    EvaluatorEntry{&ops::ScatterNDUpdate::kType, scatter_nd},
    EvaluatorEntry{&ops::Select::kType, select},
    EvaluatorEntry{&ops::ShapeOf::kType, shape_of},
    EvaluatorEntry{&ops::Slice::kType, slice},
    EvaluatorEntry{&ops::Softmax1::kType, softmax},
    EvaluatorEntry{&ops::Softmax::kType, softmax},
    EvaluatorEntry{&ops::SpaceToDepth::kType, space_to_depth},
    EvaluatorEntry{&ops::Split::kType, split},
    EvaluatorEntry{&ops::Squeeze::kType, reshape},
    EvaluatorEntry{&ops::Stft::kType, stft},
    EvaluatorEntry{&ops::StridedSlice::kType, strided_slice},
    EvaluatorEntry{&ops::Tile::kType, tile},
    EvaluatorEntry{&ops::TopK::kType, top_k},
    EvaluatorEntry{&ops::Transpose::kType, transpose},
    EvaluatorEntry{&ops::Unique::kType, unique},
    EvaluatorEntry{&ops::Unsqueeze::kType, reshape},
    EvaluatorEntry{&ops::VariadicSplit::kType, split},
};

constexpr auto kEvaluators = joined(kSingleOps,                         //
                                    family<ops::kBinaryOps>(binary),    //
                                    family<ops::kCompareOps>(compare),  //
                                    family<ops::kFourierOps>(fourier),  //
                                    family<ops::kLogicalOps>(logical),  //
                                    family<ops::kReduceOps>(reduce),    //
                                    family<ops::kUnaryOps>(unary));

}  // namespace

Evaluator find_evaluator(const OpType& type) {
    for (const auto& entry : kEvaluators) {
        if (entry.type->name == type.name) return entry.evaluator;
    }
    return nullptr;
}

}  // namespace rondo::reference
