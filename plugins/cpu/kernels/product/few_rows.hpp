// Matrix product of few rows with a right-hand side that changes from run to run.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/support/function_ref.hpp"
#include "plugins/cpu/kernels/elementwise/tap_kernel.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/kernels/threads/team.hpp"

namespace rondo::cpu {

/// [M,K] times [K,N].
struct ProductSizes {
    std::int64_t m = 1;
    std::int64_t k = 1;
    std::int64_t n = 1;
};

/// Dense rows. `done` may be null: it is called with ranges of elements that cover C, each right
/// after the calling thread has written it.
struct FewRowsArgs {
    const void* a = nullptr;
    const void* b = nullptr;
    void* c = nullptr;
    void* scratch = nullptr;  ///< FewRows::scratch_bytes() bytes on a cache line
    const FunctionRef<void(Range)>* done = nullptr;
};

/// Reads B as it lies: packing it would take longer than the product. The same bits as GemmKernel.
/// Immutable, usable from many threads.
class FewRows {
public:
    /// `weighted_sum`: of that precision; it must outlive this. Scratch for `threads`.
    FewRows(const TapKernel& weighted_sum, Precision precision, const ProductSizes& sizes,
            int threads);
    static bool suits(const ProductSizes& sizes);

    std::size_t scratch_bytes() const { return lines_.bytes(); }
    void run(const FewRowsArgs& args, Team& team) const;

private:
    void run_columns(const FewRowsArgs& args, Range columns, const void** lines) const;

    const TapKernel& kernel_;
    ProductSizes sizes_;
    std::int64_t element_;  // bytes
    SliceScratch lines_;
};

}  // namespace rondo::cpu
