// The value of one of the model's variables in a request: reading, setting and resetting it.
#pragma once

#include <memory>
#include <string>

#include "rondo/export.hpp"
#include "rondo/tensor.hpp"

namespace rondo {

/// Made by InferRequest::query_state(); keeps the request alive. Using it while the request's
/// inference runs throws ModelError, as it does for the request itself.
class RONDO_API VariableState {
public:
    class Impl;
    VariableState() = default;
    explicit VariableState(std::shared_ptr<Impl> impl) : impl_((std::move)(impl)) {}

    explicit operator bool() const { return impl_ != nullptr; }

    /// The variable's id in the model.
    std::string get_name() const;
    /// A copy of the value that the next inference reads. If that will come from the variable's
    /// init input: zeros, with open extents as small as allowed.
    Tensor get_state() const;
    /// Copies the tensor. Throws ModelError naming the variable unless its type is the variable's
    /// and its shape is compatible with the variable's.
    void set_state(const Tensor& tensor);
    /// Resets it: the next inference starts from the init input, or from zeros if there is
    /// none.
    void reset();

private:
    std::shared_ptr<Impl> impl_;
};

}  // namespace rondo
