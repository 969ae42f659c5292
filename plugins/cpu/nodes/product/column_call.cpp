#include "plugins/cpu/nodes/product/column_call.hpp"

#include <algorithm>
#include <utility>

#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kFewestRows = 8;
constexpr std::int64_t kPackedElements = 1 << 13;  // that stay in the first-level cache
constexpr std::int64_t kElementsWorthAThread = 1 << 15;

std::int64_t rows_of(const Shape& a) {
    std::int64_t rows = 1;
    for (std::size_t i = 0; i + 1 < a.size(); ++i) rows *= static_cast<std::int64_t>(a[i]);
    return rows;
}

class ColumnCall final : public Call {
public:
    ColumnCall(const GemmKernel& kernel, std::int64_t rows, std::int64_t k, int threads,
               std::optional<Epilogue> epilogue)
        : kernel_(kernel),
          rows_(rows),
          k_(k),
          in_block_(std::clamp<std::int64_t>(kPackedElements / std::max<std::int64_t>(k, 1),
                                             kernel.lanes(), 8 * kernel.lanes())),
          slices_(std::max(1, threads)),
          slice_bytes_(whole_lines(kernel.packed_bytes(k, in_block_))),
          epilogue_(std::move(epilogue)) {}

    std::size_t scratch_bytes() const override {
        return slice_bytes_ * static_cast<std::size_t>(slices_) +
               (epilogue_ ? epilogue_->scratch_bytes() : 0);
    }
    std::string detail() const override { return "one column"; }

    void run(const RunArgs& args) const override {
        const EpilogueRun epilogue(epilogue_ ? &*epilogue_ : nullptr, args);
        share_slices(args.team, rows_, kElementsWorthAThread / (k_ + 1) + 1,
                     [&](std::int64_t begin, std::int64_t end, int slice) {
                         void* memory = at(epilogue.scratch(),
                                           static_cast<std::int64_t>(slice_bytes_) * slice);
                         for (; begin < end; begin += in_block_) {
                             const std::int64_t stop = std::min(begin + in_block_, end);
                             block(args, epilogue.result(), begin, stop, memory);
                             if (epilogue.by_blocks()) epilogue.block(begin, stop);
                         }
                     });
        epilogue.finish();
    }

private:
    void block(const RunArgs& args, void* result, std::int64_t begin, std::int64_t end,
               void* memory) const {
        const std::int64_t bytes = kernel_.scalar_bytes();
        const void* rows = at(args.inputs[0], begin * k_ * bytes);
        GemmArgs gemm;
        gemm.m = 1;
        gemm.a = args.inputs[1];
        gemm.a_stride = k_;
        gemm.c = at(result, begin * bytes);
        gemm.c_stride = end - begin;
        kernel_.run(kernel_.pack_into(transposed(rows, k_, end - begin), nullptr, memory), gemm);
    }

    const GemmKernel& kernel_;
    std::int64_t rows_;
    std::int64_t k_;
    std::int64_t in_block_;  // rows
    int slices_;
    std::size_t slice_bytes_;
    std::optional<Epilogue> epilogue_;
};

}  // namespace

bool suits_column(const CallSite& site, const MatMulSizes& sizes) {
    if (site.inputs.size() < 2 || sizes.n != 1 || sizes.a_transposed) return false;
    return site.inputs[1].shape.size() <= 2 && rows_of(site.inputs[0].shape) >= kFewestRows;
}

std::unique_ptr<Call> make_column_call(const GemmKernel& kernel, const CallSite& site,
                                       const MatMulSizes& sizes, std::optional<Epilogue> epilogue) {
    return std::make_unique<ColumnCall>(kernel, rows_of(site.inputs[0].shape), sizes.k,
                                        site.threads, std::move(epilogue));
}

}  // namespace rondo::cpu
