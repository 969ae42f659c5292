#include "core/ops/recurrent/gru_cell.hpp"

namespace rondo::ops {

NodePtr GRUCell::clone_with(std::vector<Output> inputs) const {
    auto copy = std::make_shared<GRUCell>(*this);
    copy->set_inputs(std::move(inputs));
    copy->validate();
    return copy;
}

}  // namespace rondo::ops
