// What a request remembers of one of the model's variables, to look at, set and forget.
#pragma once

#include <memory>
#include <string>

#include "rondo/export.hpp"
#include "rondo/tensor.hpp"

namespace rondo {

/// Made by InferRequest::query_state(); keeps the request alive. Not to be used while the request's
/// inference runs: that throws ModelError, as it does for the request itself.
class RONDO_API VariableState {
public:
    class Impl;
    VariableState() = default;
    explicit VariableState(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

    explicit operator bool() const { return impl_ != nullptr; }

    /// The variable's id in the model.
    std::string get_name() const;
    /// A copy of the value that the next inference reads. While that is still to come from the
    /// variable's init input: zeros, open extents as small as they may be.
    Tensor get_state() const;
    /// Copies the tensor. Throws ModelError naming the variable unless its type is the variable's
    /// and its shape lies within the variable's.
    void set_state(const Tensor& tensor);
    /// Back to what it was before the first inference: the next one starts from the init input, or
    /// from zeros where there is none.
    void reset();

private:
    std::shared_ptr<Impl> impl_;
};

}  // namespace rondo
