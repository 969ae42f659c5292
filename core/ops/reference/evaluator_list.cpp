// Which evaluator computes which op.
#include <array>

#include "core/ops/reference/evaluate.hpp"
#include "core/support/tables.hpp"

// keep-sorted
#include "core/ops/elementwise/binary.hpp"
#include "core/ops/elementwise/compare.hpp"
#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/logical.hpp"
#include "core/ops/elementwise/select.hpp"
#include "core/ops/elementwise/unary.hpp"
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
#include "core/ops/reduction/reduce.hpp"
#include "core/ops/reduction/softmax.hpp"
#include "core/ops/reference/elementwise/evaluators.hpp"
#include "core/ops/reference/movement/evaluators.hpp"
#include "core/ops/reference/product/evaluators.hpp"
#include "core/ops/reference/recurrent/evaluators.hpp"
#include "core/ops/reference/reduction/evaluators.hpp"
#include "core/ops/reference/source/evaluators.hpp"
#include "core/ops/reference/window/evaluators.hpp"
#include "core/ops/source/shape_of.hpp"
#include "core/ops/window/convolution.hpp"

namespace rondo::reference {
namespace {

struct Entry {
    const OpType* type;
    Evaluator evaluator;
};

// The entries of a family: one evaluator computes all ops of its table.
template <const auto& rows>
constexpr auto family(Evaluator evaluator) {
    return entries_of(rows, [&](const auto& row) { return Entry{&row.type, evaluator}; });
}

// Ops with a class of their own.
// keep-sorted
constexpr std::array kSingleOps = {
    Entry{&ops::Broadcast::kType, broadcast},
    Entry{&ops::Concat::kType, concat},
    Entry{&ops::Convert::kType, convert},
    Entry{&ops::Convolution::kType, convolution},
    Entry{&ops::GRUCell::kRondoType, recurrent},
    Entry{&ops::GRUCell::kType, recurrent},
    Entry{&ops::GRUSequence::kRondoType, recurrent},
    Entry{&ops::GRUSequence::kType, recurrent},
    Entry{&ops::Gather::kType, gather},
    Entry{&ops::LSTMCell::kRondoType, recurrent},
    Entry{&ops::LSTMCell::kType, recurrent},
    Entry{&ops::LSTMSequence::kRondoType, recurrent},
    Entry{&ops::LSTMSequence::kType, recurrent},
    Entry{&ops::MatMul::kType, matmul},
    Entry{&ops::RNNCell::kRondoType, recurrent},
    Entry{&ops::RNNCell::kType, recurrent},
    Entry{&ops::RNNSequence::kRondoType, recurrent},
    Entry{&ops::RNNSequence::kType, recurrent},
    Entry{&ops::Reshape::kType, reshape},
    Entry{&ops::Select::kType, select},
    Entry{&ops::ShapeOf::kType, shape_of},
    Entry{&ops::Slice::kType, slice},
    Entry{&ops::Softmax1::kType, softmax},
    Entry{&ops::Softmax::kType, softmax},
    Entry{&ops::Split::kType, split},
    Entry{&ops::Squeeze::kType, squeeze},
    Entry{&ops::StridedSlice::kType, strided_slice},
    Entry{&ops::Transpose::kType, transpose},
    Entry{&ops::Unsqueeze::kType, unsqueeze},
    Entry{&ops::VariadicSplit::kType, variadic_split},
};

constexpr auto kEvaluators = joined(kSingleOps,                         //
                                    family<ops::kBinaryOps>(binary),    //
                                    family<ops::kCompareOps>(compare),  //
                                    family<ops::kLogicalOps>(logical),  //
                                    family<ops::kReduceOps>(reduce),    //
                                    family<ops::kUnaryOps>(unary));

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
