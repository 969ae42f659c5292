// The greatest or least elements of lines, and their places.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rondo/element_type.hpp"

namespace rondo::cpu {

/// Data [outer, n, inner], results [outer, k, inner] with k > 0.
struct TopKSizes {
    std::int64_t n = 1;
    std::int64_t inner = 1;
    std::int64_t k = 1;
};

struct TopKConfig {
    bool least = false;     ///< else the greatest elements
    bool by_place = false;  ///< sorted by place, else by value
    ElementType places = ElementType::i32;
};

/// Lines [begin, end) of all outer * inner ones. Outputs that nothing reads are null.
struct TopKRun {
    const void* data = nullptr;
    void* values = nullptr;
    void* places = nullptr;
    std::int64_t* order = nullptr;  ///< scratch: n entries
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

/// Among equal elements the first ones count as better; NaN is greater than all numbers. Immutable.
class TopKLines {
public:
    /// `type`: any number.
    TopKLines(ElementType type, const TopKSizes& sizes, const TopKConfig& config);

    /// Entries of scratch that a thread needs.
    std::int64_t scratch_entries() const { return sizes_.k == 1 ? 0 : sizes_.n; }
    void run(const TopKRun& run) const { run_(sizes_, config_, run); }

private:
    using Run = void (*)(const TopKSizes&, const TopKConfig&, const TopKRun&);

    TopKSizes sizes_;
    TopKConfig config_;
    Run run_;
};

}  // namespace rondo::cpu
