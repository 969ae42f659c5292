// Sums and products of the elements so far, along the middle axis of [outer, n, inner].
#pragma once

#include <cstdint>

#include "rondo/element_type.hpp"

namespace rondo::cpu {

struct CumSumSizes {
    std::int64_t outer = 1;
    std::int64_t n = 1;
    std::int64_t inner = 1;

    std::int64_t lines() const { return outer * inner; }
};

struct CumSumOptions {
    bool exclusive = false;
    bool reverse = false;
    bool multiplies = false;
};

/// Floating types are summed or multiplied in double and rounded once; integers wrap. Immutable.
class CumSum {
public:
    /// `type`: not boolean.
    CumSum(ElementType type, CumSumOptions options);

    /// The lines [begin, end) of the outer * inner ones.
    void run(const CumSumSizes& sizes, const void* from, void* to, std::int64_t begin,
             std::int64_t end) const {
        run_({sizes, options_, from, to, begin, end});
    }

private:
    struct Run {
        CumSumSizes sizes;
        CumSumOptions options;
        const void* from;
        void* to;
        std::int64_t begin;
        std::int64_t end;
    };
    template <typename T>
    static void run_lines(const Run& run);

    CumSumOptions options_;
    void (*run_)(const Run& run) = nullptr;
};

}  // namespace rondo::cpu
