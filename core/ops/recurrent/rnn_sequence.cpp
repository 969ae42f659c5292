#include "core/ops/recurrent/rnn_sequence.hpp"

namespace rondo::ops {

NodePtr RNNSequence::clone_with(std::vector<Output> inputs) const {
    auto copy = std::make_shared<RNNSequence>(*this);
    copy->set_inputs(std::move(inputs));
    copy->validate();
    return copy;
}

}  // namespace rondo::ops
