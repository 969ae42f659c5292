#include "core/ops/recurrent/gru_sequence.hpp"

namespace rondo::ops {

NodePtr GRUSequence::clone_with(std::vector<Output> inputs) const {
    auto copy = std::make_shared<GRUSequence>(*this);
    copy->set_inputs(std::move(inputs));
    copy->validate();
    return copy;
}

}  // namespace rondo::ops
