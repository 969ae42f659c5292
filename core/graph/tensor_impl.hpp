// What a tensor's handle points to: for code that an inference runs often, which reads it inline.
#pragma once

#include <cstddef>
#include <memory>

#include "rondo/tensor.hpp"

namespace rondo {

struct Tensor::Impl {
    ElementType type = ElementType::dynamic;
    Shape shape;
    Strides strides;
    std::size_t count = 0;
    std::size_t bytes = 0;
    bool contiguous = true;
    void* data = nullptr;
    std::shared_ptr<const void> owner;

    Impl(ElementType element_type, const Shape& extents);

    /// `tensor` must not be empty.
    static const Impl& of(const Tensor& tensor) { return *tensor.impl_; }
};

}  // namespace rondo
