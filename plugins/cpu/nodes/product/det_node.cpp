// Det: a matrix after another.
#include "core/ops/product/matmul.hpp"

#include <algorithm>

#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/product/determinant.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/product/makers.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kDeterminantGrain = 1 << 14;  // multiplications that are worth a thread

class DetCall final : public Call {
public:
    explicit DetCall(const CallSite& site)
        : type_(site.inputs[0].type),
          n_(static_cast<std::int64_t>(site.inputs[0].shape.back())),
          count_(count_of(site.outputs[0].shape)),
          slices_(static_cast<std::size_t>(std::max(1, site.threads))),
          slice_bytes_(whole_lines(static_cast<std::size_t>(n_ * n_) * sizeof(double))) {}

    std::size_t scratch_bytes() const override { return slice_bytes_ * slices_; }

    void run(const RunArgs& args) const override {
        share_slices(args.team, count_, kDeterminantGrain / (n_ * n_ * n_ + 1) + 1,
                     [&](std::int64_t begin, std::int64_t end, int slice) {
                         void* matrix = static_cast<std::byte*>(args.scratch) +
                                        slice_bytes_ * static_cast<std::size_t>(slice);
                         write_determinants({type_, args.inputs[0], args.outputs[0], n_, begin, end,
                                             static_cast<double*>(matrix)});
                     });
    }

private:
    ElementType type_;
    std::int64_t n_;
    std::int64_t count_;
    std::size_t slices_;
    std::size_t slice_bytes_;
};

class DetNode final : public CpuNode {
public:
    explicit DetNode(const Node& node)
        : CpuNode(node, "determinant", "elimination in double, a matrix a thread") {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        return std::make_unique<DetCall>(site);
    }
};

}  // namespace

std::unique_ptr<CpuNode> make_det_node(const Node& node, const CompileContext&) {
    return std::make_unique<DetNode>(node);
}

}  // namespace rondo::cpu
