#include "core/ops/op_list.hpp"

#include <array>

// keep-sorted
#include "core/graph/clonable.hpp"
#include "core/ops/control/control_ops.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/indexing/indexing_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/quantization/dynamic_quantize_linear.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/spectral/spectral_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "core/ops/window/convolutions.hpp"
#include "core/ops/window/pool.hpp"
#include "core/ops/window/samplers.hpp"
#include "core/support/strings.hpp"
#include "core/support/tables.hpp"

namespace rondo {

// What core/graph/clonable.hpp gives each op class.
// keep-sorted
template class Clonable<ops::Assign, ops::AssignBase>;
template class Clonable<ops::Assign3, ops::AssignBase>;
template class Clonable<ops::AvgPool, ops::PoolBase>;
template class Clonable<ops::Binary, ops::Broadcasting>;
template class Clonable<ops::BitCast>;
template class Clonable<ops::Broadcast>;
template class Clonable<ops::Col2Im>;
template class Clonable<ops::Compare, ops::Broadcasting>;
template class Clonable<ops::Concat>;
template class Clonable<ops::Constant>;
template class Clonable<ops::Convert>;
template class Clonable<ops::Convolution, ops::ConvolutionBase>;
template class Clonable<ops::ConvolutionBackpropData, ops::BackpropBase>;
template class Clonable<ops::CumProd, ops::Cumulation>;
template class Clonable<ops::CumSum, ops::Cumulation>;
template class Clonable<ops::DeformableConvolution>;
template class Clonable<ops::DepthToSpace, ops::BlockMove>;
template class Clonable<ops::Det>;
template class Clonable<ops::DynamicQuantizeLinear>;
template class Clonable<ops::Fourier>;
template class Clonable<ops::GRUCell, ops::RecurrentOp>;
template class Clonable<ops::GRUSequence, ops::RecurrentOp>;
template class Clonable<ops::Gather>;
template class Clonable<ops::GatherElements>;
template class Clonable<ops::GatherND>;
template class Clonable<ops::GridSample>;
template class Clonable<ops::GroupConvolution, ops::ConvolutionBase>;
template class Clonable<ops::GroupConvolutionBackpropData, ops::BackpropBase>;
template class Clonable<ops::If, ops::BodyOp>;
template class Clonable<ops::Interpolate>;
template class Clonable<ops::LSTMCell, ops::RecurrentOp>;
template class Clonable<ops::LSTMSequence, ops::RecurrentOp>;
template class Clonable<ops::LogSoftmax, ops::SoftmaxBase>;
template class Clonable<ops::Logical, ops::Broadcasting>;
template class Clonable<ops::Loop, ops::IteratedOp>;
template class Clonable<ops::MatMul>;
template class Clonable<ops::MatMulInteger>;
template class Clonable<ops::MaxPool, ops::PoolBase>;
template class Clonable<ops::Mvn>;
template class Clonable<ops::NonMaxSuppression>;
template class Clonable<ops::NonZero>;
template class Clonable<ops::Pad>;
template class Clonable<ops::Parameter>;
template class Clonable<ops::RNNCell, ops::RecurrentOp>;
template class Clonable<ops::RNNSequence, ops::RecurrentOp>;
template class Clonable<ops::RandomUniform>;
template class Clonable<ops::Range>;
template class Clonable<ops::ReadValue, ops::ReadValueBase>;
template class Clonable<ops::ReadValue3, ops::ReadValueBase>;
template class Clonable<ops::Reduce>;
template class Clonable<ops::Reshape>;
template class Clonable<ops::Result>;
template class Clonable<ops::ReverseSequence>;
template class Clonable<ops::RoiAlign>;
template class Clonable<ops::Roll>;
template class Clonable<ops::ScatterElementsUpdate>;
template class Clonable<ops::ScatterNDUpdate>;
template class Clonable<ops::Select, ops::Broadcasting>;
template class Clonable<ops::ShapeOf>;
template class Clonable<ops::Slice>;
template class Clonable<ops::Softmax, ops::SoftmaxBase>;
template class Clonable<ops::Softmax1, ops::SoftmaxBase>;
template class Clonable<ops::SpaceToDepth, ops::BlockMove>;
template class Clonable<ops::Split>;
template class Clonable<ops::Squeeze>;
template class Clonable<ops::Stft>;
template class Clonable<ops::StridedSlice>;
template class Clonable<ops::TensorIterator, ops::IteratedOp>;
template class Clonable<ops::Tile>;
template class Clonable<ops::TopK>;
template class Clonable<ops::Transpose>;
template class Clonable<ops::Unary>;
template class Clonable<ops::Unique>;
template class Clonable<ops::Unsqueeze>;
template class Clonable<ops::VariadicSplit>;

}  // namespace rondo

namespace rondo::ops {
namespace {

template <typename T, const OpType& type = T::kType>
constexpr OpEntry entry() {
    return {&type, [](const OpType&) -> NodePtr { return std::make_shared<T>(); }};
}

// The entries of a family: one class makes all ops of its table.
template <typename T, const auto& rows>
constexpr auto family() {
    return entries_of(rows, [](const auto& row) {
        return OpEntry{&row.type, [](const OpType& type) -> NodePtr {
                           return std::make_shared<T>(row_of(rows, type).function);
                       }};
    });
}

// Ops with a class of their own.
// keep-sorted
constexpr std::array kSingleOps = {
    entry<Assign3>(),
    entry<Assign>(),
    entry<AvgPool, AvgPool::kOpset14>(),
    entry<AvgPool, AvgPool::kOpset1>(),
    entry<AvgPool>(),
    entry<BitCast>(),
    entry<Broadcast, Broadcast::kOpset1>(),
    entry<Broadcast>(),
    entry<Col2Im, Col2Im::kRondoType>(),
    entry<Col2Im>(),
    entry<Concat>(),
    entry<Constant>(),
    entry<Convert>(),
    entry<Convolution>(),
    entry<ConvolutionBackpropData>(),
    entry<CumProd>(),
    entry<CumSum>(),
    entry<DeformableConvolution>(),
    entry<DepthToSpace>(),
    entry<Det>(),
    entry<DynamicQuantizeLinear>(),
    entry<GRUCell, GRUCell::kRondoType>(),
    entry<GRUCell>(),
    entry<GRUSequence, GRUSequence::kRondoType>(),
    entry<GRUSequence>(),
    entry<Gather, Gather::kOpset1>(),
    entry<Gather, Gather::kOpset7>(),
    entry<Gather>(),
    entry<GatherElements>(),
    entry<GatherND>(),
    entry<GridSample, GridSample::kRondoType>(),
    entry<GridSample>(),
    entry<GroupConvolution>(),
    entry<GroupConvolutionBackpropData>(),
    entry<If>(),
    entry<Interpolate, Interpolate::kRondoType>(),
    entry<Interpolate>(),
    entry<LSTMCell, LSTMCell::kOpset1>(),
    entry<LSTMCell, LSTMCell::kRondoType>(),
    entry<LSTMCell>(),
    entry<LSTMSequence, LSTMSequence::kRondoType>(),
    entry<LSTMSequence>(),
    entry<LogSoftmax>(),
    entry<Loop>(),
    entry<MatMul>(),
    entry<MatMulInteger>(),
    entry<MaxPool, MaxPool::kOpset8>(),
    entry<MaxPool>(),
    entry<Mvn>(),
    entry<NonMaxSuppression>(),
    entry<NonZero>(),
    entry<Pad, Pad::kOpset1>(),
    entry<Pad, Pad::kRondoType>(),
    entry<Pad>(),
    entry<Parameter>(),
    entry<RNNCell, RNNCell::kRondoType>(),
    entry<RNNCell>(),
    entry<RNNSequence, RNNSequence::kRondoType>(),
    entry<RNNSequence>(),
    entry<RandomUniform>(),
    entry<Range>(),
    entry<ReadValue3>(),
    entry<ReadValue>(),
    entry<Reshape>(),
    entry<Result>(),
    entry<ReverseSequence>(),
    entry<RoiAlign, RoiAlign::kOpset3>(),
    entry<RoiAlign, RoiAlign::kRondoType>(),
    entry<RoiAlign>(),
    entry<Roll>(),
    entry<ScatterElementsUpdate, ScatterElementsUpdate::kOpset3>(),
    entry<ScatterElementsUpdate>(),
    entry<ScatterNDUpdate, ScatterNDUpdate::kOpset3>(),
    entry<ScatterNDUpdate>(),
    entry<Select>(),
    entry<ShapeOf, ShapeOf::kOpset1>(),
    entry<ShapeOf>(),
    entry<Slice>(),
    entry<Softmax1>(),
    entry<Softmax>(),
    entry<SpaceToDepth>(),
    entry<Split>(),
    entry<Squeeze>(),
    entry<Stft>(),
    entry<StridedSlice>(),
    entry<TensorIterator>(),
    entry<Tile>(),
    entry<TopK, TopK::kOpset1>(),
    entry<TopK, TopK::kOpset3>(),
    entry<TopK>(),
    entry<Transpose>(),
    entry<Unique>(),
    entry<Unsqueeze>(),
    entry<VariadicSplit>(),
};

constexpr bool comes_before(const OpEntry& a, const OpEntry& b) {
    return a.type->name != b.type->name ? a.type->name < b.type->name
                                        : a.type->opset < b.type->opset;
}

constexpr auto kOps = sorted(joined(kSingleOps,                      //
                                    family<Binary, kBinaryOps>(),    //
                                    family<Compare, kCompareOps>(),  //
                                    family<Fourier, kFourierOps>(),  //
                                    family<Logical, kLogicalOps>(),  //
                                    family<Reduce, kReduceOps>(),    //
                                    family<Unary, kUnaryOps>()),
                             comes_before);

// "opset5" -> 5, "rondo1" -> 0, anything else -> -1.
int opset_number(std::string_view opset) {
    if (opset == kRondoOpset) return 0;
    constexpr std::string_view kPrefix = "opset";
    long long number = 0;
    if (!opset.starts_with(kPrefix) || !parse_int(opset.substr(kPrefix.size()), number)) return -1;
    return number >= 1 && number <= 1000 ? static_cast<int>(number) : -1;
}

}  // namespace

std::span<const OpEntry> op_list() { return kOps; }

const OpEntry* find_op(std::string_view type, std::string_view opset) {
    const int wanted = opset_number(opset);
    const OpEntry* best = nullptr;
    for (const auto& op : kOps) {
        if (!equals_ignoring_case(op.type->name, type)) continue;
        const bool fits =
            wanted == 0 ? op.type->opset == 0 : op.type->opset > 0 && op.type->opset <= wanted;
        if (fits && (best == nullptr || op.type->opset > best->type->opset)) best = &op;
    }
    return best;
}

}  // namespace rondo::ops
