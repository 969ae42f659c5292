// Collects the parts of an output, one an iteration, while their number isn't known.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "core/support/function_ref.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/movement/strided_copy.hpp"
#include "rondo/tensor.hpp"

namespace rondo::cpu {

// The last few things that were made, so that coming back to one costs nothing.

/// Keeps 8, as many as an inference keeps plans.
template <typename T>
class Recent {
public:
    Recent() { items_.reserve(kMost); }

    /// The first that `fits`, or null. Stays where it is until add() or clear().
    template <typename Fits>
    T* find(const Fits& fits) {
        for (T& item : items_) {
            if (fits(item)) return &item;
        }
        return nullptr;
    }
    /// Takes the place of the one that was added first, where there are too many.
    T& add(T item) {
        if (items_.size() < kMost) return items_.emplace_back(std::move(item));
        oldest_ = (oldest_ + 1) % kMost;
        return items_[oldest_] = std::move(item);
    }
    void clear() { items_.clear(); }

private:
    static constexpr std::size_t kMost = 8;
    std::vector<T> items_;
    std::size_t oldest_ = kMost - 1;
};

/// Keeps its memory, which grows geometrically: as many parts as before cost no allocation.
class JoinedParts {
public:
    JoinedParts(std::size_t axis, bool reversed) : axis_(axis), reversed_(reversed) {}

    /// Forgets all parts. There will be `most` at the most.
    void start(std::size_t most);
    /// Called before a part is copied, with the bytes that all parts will have and those of all
    /// memory for them; throws where that is too much.
    using Check = FunctionRef<void(std::size_t parts, std::size_t memory)>;
    /// Copies a part. Its type and shape must be those of the first one.
    void add(const Tensor& part, Check check);
    /// Bytes of the memory for the parts.
    std::size_t memory() const { return memory_.size() + ordered_.size(); }
    /// The type and shape of the first part; an empty handle before it.
    const Tensor& first() const { return first_; }
    /// The parts one after the other along the axis, the last one first where it is reversed. There
    /// must be one. The tensor stays as it is until start().
    const Tensor& join(Team& team);

private:
    // What the parts become: their memory itself, or a copy in order.
    struct Form {
        Shape part;
        std::size_t count = 0;
        Tensor whole;
        StridedCopy copy;  // of a part to its place
    };

    void reserve(std::size_t bytes, Check check);
    Form make_form(bool in_order);
    void place(Form& form, Team& team) const;

    std::size_t axis_;
    bool reversed_;
    AlignedBytes memory_;
    AlignedBytes ordered_;  // the parts at their places, unless memory_ has them so
    std::size_t most_ = 0;
    std::size_t count_ = 0;
    std::size_t part_bytes_ = 0;
    Tensor first_;
    Recent<Form> forms_;  // borrow memory_ or ordered_
};

}  // namespace rondo::cpu
