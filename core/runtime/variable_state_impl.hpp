// What the handle VariableState points to: a request, and which of its variables.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/runtime/compiled_model_impl.hpp"
#include "rondo/variable_state.hpp"

namespace rondo {

class VariableState::Impl {
public:
    Impl(std::shared_ptr<InferRequest::Impl> request, std::size_t index)
        : request_(std::move(request)), index_(index) {}

    VariableValue& value() const { return request_->variables()[index_]; }

private:
    std::shared_ptr<InferRequest::Impl> request_;
    std::size_t index_;
};

/// A handle for each of the request's `count` variables.
std::vector<VariableState> variable_states(const std::shared_ptr<InferRequest::Impl>& request,
                                           std::size_t count);

}  // namespace rondo
