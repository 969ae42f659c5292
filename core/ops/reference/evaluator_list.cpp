#include "core/ops/reference/evaluate.hpp"
#include "core/ops/reference/evaluators.hpp"
#include "core/support/strings.hpp"

// keep-sorted
#include "core/ops/elementwise/binary_elementwise.hpp"
#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/unary_elementwise.hpp"
#include "core/ops/movement/broadcast.hpp"
#include "core/ops/movement/concat.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/ops/movement/split.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "core/ops/movement/strided_slice.hpp"
#include "core/ops/movement/transpose.hpp"
#include "core/ops/movement/unsqueeze.hpp"
#include "core/ops/movement/variadic_split.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/recurrent/gru_cell.hpp"
#include "core/ops/recurrent/gru_sequence.hpp"
#include "core/ops/recurrent/lstm_cell.hpp"
#include "core/ops/recurrent/lstm_sequence.hpp"
#include "core/ops/recurrent/rnn_cell.hpp"
#include "core/ops/recurrent/rnn_sequence.hpp"
#include "core/ops/reduction/reduce_mean.hpp"
#include "core/ops/reduction/softmax.hpp"
#include "core/ops/source/shape_of.hpp"
#include "core/ops/window/convolution.hpp"

namespace rondo::reference {
namespace {

struct Entry {
    const OpType* type;
    Evaluator evaluator;
};

// keep-sorted
constexpr Entry kEvaluators[] = {
    {&ops::Add::kType, add},
    {&ops::Broadcast::kType, broadcast},
    {&ops::Concat::kType, concat},
    {&ops::Convert::kType, convert},
    {&ops::Convolution::kType, convolution},
    {&ops::Divide::kType, divide},
    {&ops::GRUCell::kRondoType, recurrent},
    {&ops::GRUCell::kType, recurrent},
    {&ops::GRUSequence::kRondoType, recurrent},
    {&ops::GRUSequence::kType, recurrent},
    {&ops::Gather::kType, gather},
    {&ops::LSTMCell::kRondoType, recurrent},
    {&ops::LSTMCell::kType, recurrent},
    {&ops::LSTMSequence::kRondoType, recurrent},
    {&ops::LSTMSequence::kType, recurrent},
    {&ops::MatMul::kType, matmul},
    {&ops::Multiply::kType, multiply},
    {&ops::Power::kType, power},
    {&ops::RNNCell::kRondoType, recurrent},
    {&ops::RNNCell::kType, recurrent},
    {&ops::RNNSequence::kRondoType, recurrent},
    {&ops::RNNSequence::kType, recurrent},
    {&ops::ReduceMean::kType, reduce_mean},
    {&ops::Relu::kType, relu},
    {&ops::Reshape::kType, reshape},
    {&ops::ShapeOf::kType, shape_of},
    {&ops::Sigmoid::kType, sigmoid},
    {&ops::Slice::kType, slice},
    {&ops::Softmax1::kType, softmax},
    {&ops::Softmax::kType, softmax},
    {&ops::Split::kType, split},
    {&ops::Sqrt::kType, sqrt},
    {&ops::Squeeze::kType, squeeze},
    {&ops::StridedSlice::kType, strided_slice},
    {&ops::Subtract::kType, subtract},
    {&ops::Tanh::kType, tanh},
    {&ops::Transpose::kType, transpose},
    {&ops::Unsqueeze::kType, unsqueeze},
    {&ops::VariadicSplit::kType, variadic_split},
};

}  // namespace

Evaluator find_evaluator(const OpType& type) {
    for (const auto& entry : kEvaluators) {
        if (entry.type->name == type.name && entry.type->opset == type.opset) {
            return entry.evaluator;
        }
    }
    return nullptr;
}

}  // namespace rondo::reference
