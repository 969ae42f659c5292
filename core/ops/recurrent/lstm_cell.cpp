#include "core/ops/recurrent/lstm_cell.hpp"

namespace rondo::ops {

NodePtr LSTMCell::clone_with(std::vector<Output> inputs) const {
    auto copy = std::make_shared<LSTMCell>(*this);
    copy->set_inputs(std::move(inputs));
    copy->validate();
    return copy;
}

}  // namespace rondo::ops
