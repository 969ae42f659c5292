// Reduces all elements along some axes to one value, for every function and element type.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ops/reduction/functions.hpp"
#include "core/support/nd_loop.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "rondo/element_type.hpp"

namespace rondo::cpu {

/// Row-major data of these extents, and whether each axis is reduced.
struct ReduceSizes {
    std::vector<std::int64_t> extents;
    std::vector<bool> reduced;
};

/// Elements are combined in one fixed order, floating ones in double, so that the bits depend on no
/// split and on no instruction set; the result is rounded once. Integers are combined modulo 2^64.
/// Immutable.
class Reduce {
public:
    /// `type`: boolean for the logical functions, a number for the others.
    Reduce(ops::ReduceFunction function, ElementType type, const ReduceSizes& sizes, Isa isa);

    /// Results.
    std::int64_t size() const { return layout_.kept.size(); }
    /// Elements of each result.
    std::int64_t group() const { return layout_.reduced.size(); }

    /// Writes the results [begin, end); false where they have no value: the mean of no integers.
    bool run(const void* from, void* to, std::int64_t begin, std::int64_t end) const {
        return run_(layout_, {from, to, begin, end});
    }

private:
    struct Layout {
        NdLoop<2> kept;     // places of the first element and of the result
        NdLoop<1> reduced;  // offsets of a group's elements from the first
        // The same in lines, which the reduced axes after the last kept one make: what a line is
        // must not depend on the extents of kept axes, as merged axes do.
        std::int64_t line = 1;
        NdLoop<1> lines;
        bool has_vectors = false;  // elements of each result that AVX-512 reads many at a time
    };
    struct Range {
        const void* from;
        void* to;
        std::int64_t begin;
        std::int64_t end;
    };
    using Run = bool (*)(const Layout& layout, const Range& range);
    template <ops::ReduceFunction function, typename T>
    static bool run_as(const Layout& layout, const Range& range);
    template <ops::ReduceFunction function, typename T>
    static bool run_one(const Layout& layout, const T* from, T* to);
    template <ops::ReduceFunction function, typename T>
    static bool run_block(const Layout& layout, const T* from, T* to, std::int64_t count);
    template <ops::ReduceFunction function, typename T>
    static bool run_rows(const Layout& layout, const T* from, std::int64_t stride, T* to);
    template <ops::ReduceFunction function, typename T>
    static bool run_vectors(const Layout& layout, const T* from, std::int64_t stride, T* to);
    template <ops::ReduceFunction function, typename T>
    static bool run_some(const Layout& layout, const T* from, T* to, std::int64_t count);
    template <ops::ReduceFunction function, typename T>
    static std::int64_t block_of(const Layout& layout, std::int64_t rest);
    template <ops::ReduceFunction function, typename T>
    static bool has_long_sums(const Layout& layout);
    static Run choose(ops::ReduceFunction function, ElementType type);

    Layout layout_;
    Run run_;
};

// With AVX-512, defined where the option RONDO_JIT is on: no other instruction set asks for it.
namespace avx {

/// Rows that are added up together.
inline constexpr std::int64_t kSumRows = 16;

/// Adds the numbers x[j * stride], x[j * stride + 1], ... to sums[j], `count` of them, one after
/// another, for each of kSumRows rows. The CPU must have AVX-512.
void add_rows(const float* x, std::int64_t stride, std::int64_t count, double* sums);

}  // namespace avx

}  // namespace rondo::cpu
