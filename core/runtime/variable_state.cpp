#include "rondo/variable_state.hpp"

#include "core/runtime/variable_state_impl.hpp"
#include "rondo/error.hpp"

namespace rondo {
namespace {

VariableValue& filled(const std::shared_ptr<VariableState::Impl>& impl) {
    if (impl == nullptr) {
        throw ModelError("the variable state is empty; get one with InferRequest::query_state()");
    }
    return impl->value();
}

}  // namespace

std::vector<VariableState> variable_states(const std::shared_ptr<InferRequest::Impl>& request,
                                           std::size_t count) {
    std::vector<VariableState> states;
    for (std::size_t i = 0; i < count; ++i) {
        states.emplace_back(std::make_shared<VariableState::Impl>(request, i));
    }
    return states;
}

std::string VariableState::get_name() const { return filled(impl_).name(); }
Tensor VariableState::get_state() const { return filled(impl_).copy(); }
void VariableState::set_state(const Tensor& tensor) { filled(impl_).set(tensor); }
void VariableState::reset() { filled(impl_).reset(); }

}  // namespace rondo
