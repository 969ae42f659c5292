// What a tensor's handle points to: for code that an inference runs often, which reads it inline.
#pragma once

#include <atomic>
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

    /// True if another handle, or a view made from one, shares its memory.
    static bool is_shared(const Tensor& tensor) {
        return tensor.impl_.use_count() > 1 || tensor.impl_->owner.use_count() > 1;
    }
    /// True if no other handle points to what this one points to. Views made from it may share
    /// its memory.
    static bool has_one_handle(const Tensor& tensor) {
        const bool alone = tensor.impl_.use_count() == 1;
        // What another thread did with its handle lies before it dropped it.
        if (alone) std::atomic_thread_fence(std::memory_order_acquire);
        return alone;
    }
    /// Gives a row-major tensor and all copies of its handle another shape and place in memory that
    /// its owner keeps. Allocates only if the shape has more axes than before.
    static void rebind(Tensor& tensor, const Shape& shape, void* data);
    /// `tensor` must not be empty.
    static const Impl& of(const Tensor& tensor) { return *tensor.impl_; }
};

}  // namespace rondo
