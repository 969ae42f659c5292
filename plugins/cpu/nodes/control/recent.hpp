// The last few things that were made, so that coming back to one costs nothing.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace rondo::cpu {

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

}  // namespace rondo::cpu
