// Rows of a matrix, which formulas share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace rondo::passes {

/// Numbers that never change; copies and parts share their memory. Equal numbers are equal,
/// wherever they lie.
class GateWeights {
public:
    GateWeights() = default;
    explicit GateWeights(std::vector<float> numbers)
        : size_(numbers.size()),
          memory_(std::make_shared<const std::vector<float>>(std::move(numbers))) {}

    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }
    const float* begin() const { return memory_ ? memory_->data() + first_ : nullptr; }
    const float* end() const { return begin() + size_; }

    /// Numbers [first, first + count) of these.
    GateWeights part(std::size_t first, std::size_t count) const {
        GateWeights result = *this;
        result.first_ += first;
        result.size_ = count;
        return result;
    }

    friend bool operator==(const GateWeights& a, const GateWeights& b) {
        if (a.size_ != b.size_) return false;
        return a.begin() == b.begin() || std::equal(a.begin(), a.end(), b.begin());
    }

private:
    std::size_t first_ = 0;
    std::size_t size_ = 0;
    std::shared_ptr<const std::vector<float>> memory_;
};

}  // namespace rondo::passes
