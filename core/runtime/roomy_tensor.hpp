// A tensor whose shape changes, in memory that stays.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "rondo/tensor.hpp"

namespace rondo {

/// Keeps memory for the largest shape so far, and handles for the last few shapes, so that shapes
/// that come back allocate nothing. Memory grows by half or more, so that a tensor that gets a row
/// longer each time rarely gets other memory; it is freed only where it is large and far more than
/// is needed.
class RoomyTensor {
public:
    static constexpr std::size_t kViews = 8;

    explicit RoomyTensor(std::size_t views = kViews) : most_views_(views) {}

    /// Keeps handles for at least so many shapes.
    void keep_views(std::size_t views) { most_views_ = std::max(most_views_, views); }

    /// The tensor of the latest shape, or an empty handle.
    const Tensor& get() const { return tensor_; }

    /// A tensor of this shape; its elements are undefined, and those of an earlier one are lost.
    /// Throws ModelError for a hostile size.
    Tensor& reshape(ElementType type, const Shape& shape) {
        if (tensor_ && tensor_.element_type() == type && tensor_.shape() == shape) return tensor_;
        tensor_ = view(type, shape);
        return tensor_;
    }

    /// Back to an empty handle; the memory stays.
    void clear() { tensor_ = {}; }

private:
    static constexpr std::size_t kWorthKeeping = std::size_t{64} << 20;

    Tensor view(ElementType type, const Shape& shape) {
        reserve(element_count(shape) * size_of(type));
        // Mostly that of the last shape, or the one that came after it before.
        for (std::size_t i = 0; i < views_.size(); ++i) {
            const std::size_t at = (last_ + i) % views_.size();
            if (views_[at].element_type() != type || views_[at].shape() != shape) continue;
            last_ = at;
            return views_[at];
        }
        Tensor made(type, shape, memory_->data(), Strides{}, memory_);
        if (views_.size() < most_views_) {
            last_ = views_.size();
            return views_.emplace_back(std::move(made));
        }
        last_ = oldest_++ % views_.size();
        return views_[last_] = std::move(made);
    }

    void reserve(std::size_t bytes) {
        const std::size_t room = memory_ ? memory_->byte_size() : 0;
        const bool is_waste = room > kWorthKeeping && room / 8 > bytes;
        if (memory_ && bytes <= room && !is_waste) return;
        const std::size_t grown = is_waste ? bytes : std::max(bytes, room + room / 2);
        views_.clear();
        last_ = oldest_ = 0;
        tensor_ = {};
        memory_.reset();
        memory_ = std::make_shared<Tensor>(ElementType::u8, Shape{std::max<std::size_t>(grown, 1)});
    }

    std::size_t most_views_;
    std::shared_ptr<Tensor> memory_;  // bytes
    std::vector<Tensor> views_;       // of `memory_`
    std::size_t last_ = 0;            // view that was asked for
    std::size_t oldest_ = 0;          // view, where there are as many as are kept
    Tensor tensor_;
};

}  // namespace rondo
