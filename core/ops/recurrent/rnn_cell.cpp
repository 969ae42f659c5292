#include "core/ops/recurrent/rnn_cell.hpp"

namespace rondo::ops {

NodePtr RNNCell::clone_with(std::vector<Output> inputs) const {
    auto copy = std::make_shared<RNNCell>(*this);
    copy->set_inputs(std::move(inputs));
    copy->validate();
    return copy;
}

}  // namespace rondo::ops
