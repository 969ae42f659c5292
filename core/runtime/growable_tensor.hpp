// A tensor whose shape changes, in memory that stays.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "core/graph/tensor_impl.hpp"
#include "rondo/tensor.hpp"

namespace rondo {

/// Keeps memory for the largest shape so far, so that smaller shapes allocate nothing. Memory grows
/// by half or more, so that a tensor that gets a row longer each time rarely gets other memory; it
/// is freed only if it is large and far more than is needed. A handle that the caller keeps has
/// its shape until it is dropped.
class GrowableTensor {
public:
    /// Shapes allocate nothing while fewer handles are kept.
    static constexpr std::size_t kHandles = 64;

    /// The tensor of the latest shape, or an empty handle.
    const Tensor& get() const { return tensor_; }

    /// A tensor of this shape; its elements are undefined, and those of an earlier one are lost.
    /// Throws ModelError for a hostile size.
    Tensor& reshape(ElementType type, const Shape& shape) {
        if (tensor_ && tensor_.element_type() == type && tensor_.shape() == shape) return tensor_;
        const std::size_t bytes = element_count(shape) * size_of(type);
        tensor_ = {};
        reserve(bytes);
        tensor_ = handle(type, shape);
        return tensor_;
    }

    /// Back to an empty handle; the memory stays.
    void clear() { tensor_ = {}; }

private:
    static constexpr std::size_t kWorthKeeping = std::size_t{64} << 20;

    // One that the caller has dropped gets another shape.
    Tensor handle(ElementType type, const Shape& shape) {
        for (Tensor& free : handles_) {
            if (free.element_type() != type || !Tensor::Impl::has_one_handle(free)) continue;
            Tensor::Impl::rebind(free, shape, memory_->data());
            return free;
        }
        Tensor made(type, shape, memory_->data(), Strides{}, memory_);
        if (handles_.size() < kHandles) return handles_.emplace_back(std::move(made));
        oldest_ = (oldest_ + 1) % kHandles;
        return handles_[oldest_] = std::move(made);
    }

    void reserve(std::size_t bytes) {
        const std::size_t room = memory_ ? memory_->byte_size() : 0;
        const bool is_waste = room > kWorthKeeping && room / 8 > bytes;
        if (memory_ && bytes <= room && !is_waste) return;
        const std::size_t grown = is_waste ? bytes : std::max(bytes, room + room / 2);
        handles_.clear();
        memory_.reset();
        memory_ = std::make_shared<Tensor>(ElementType::u8, Shape{std::max<std::size_t>(grown, 1)});
    }

    std::shared_ptr<Tensor> memory_;  // bytes
    std::vector<Tensor> handles_;     // of `memory_`
    std::size_t oldest_ = 0;          // of kHandles
    Tensor tensor_;
};

}  // namespace rondo
