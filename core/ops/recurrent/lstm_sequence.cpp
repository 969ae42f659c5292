#include "core/ops/recurrent/lstm_sequence.hpp"

namespace rondo::ops {

NodePtr LSTMSequence::clone_with(std::vector<Output> inputs) const {
    auto copy = std::make_shared<LSTMSequence>(*this);
    copy->set_inputs(std::move(inputs));
    copy->validate();
    return copy;
}

}  // namespace rondo::ops
