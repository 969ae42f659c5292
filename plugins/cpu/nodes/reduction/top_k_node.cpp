// TopK: lines along any axis.
#include "core/ops/reduction/top_k.hpp"

#include <algorithm>

#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/reduction/top_k.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/reduction/makers.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kTopKGrain = 1 << 13;  // elements that are worth a thread

class TopKCall final : public Call {
public:
    TopKCall(const TopKLines& lines, std::int64_t count, std::int64_t n, int threads)
        : lines_(lines),
          count_(count),
          grain_(kTopKGrain / n + 1),
          slices_(std::max(1, threads)),
          slice_bytes_(whole_lines(static_cast<std::size_t>(lines.scratch_entries()) *
                                   sizeof(std::int64_t))) {}

    std::size_t scratch_bytes() const override {
        return slice_bytes_ * static_cast<std::size_t>(slices_);
    }

    void run(const RunArgs& args) const override {
        share_slices(args.team, count_, grain_,
                     [&](std::int64_t begin, std::int64_t end, int slice) {
                         void* order = static_cast<std::byte*>(args.scratch) +
                                       slice_bytes_ * static_cast<std::size_t>(slice);
                         lines_.run({args.inputs[0], args.outputs[0], args.outputs[1],
                                     static_cast<std::int64_t*>(order), begin, end});
                     });
    }

private:
    TopKLines lines_;
    std::int64_t count_;  // lines
    std::int64_t grain_;
    int slices_;
    std::size_t slice_bytes_;
};

class TopKNode final : public CpuNode {
public:
    explicit TopKNode(const ops::TopK& op)
        : CpuNode(op, "top_k_" + std::string(to_string(op.output_type(0))),
                  "one scan of each line, or a partial sort where k is above 1"),
          op_(op) {}

    bool may_skip_output(std::size_t) const override { return true; }

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        if (element_count(site.outputs[0].shape) == 0) return make_zero_call(site.outputs[0]);
        const auto& attributes = op_.attributes();
        const Shape& shape = site.inputs[0].shape;
        const std::size_t axis =
            normalize_axis(context_of(op_, site), attributes.axis, shape.size());
        TopKSizes sizes;
        sizes.n = static_cast<std::int64_t>(shape[axis]);
        sizes.k = static_cast<std::int64_t>(site.outputs[0].shape[axis]);
        for (std::size_t i = axis + 1; i < shape.size(); ++i) {
            sizes.inner *= static_cast<std::int64_t>(shape[i]);
        }
        const TopKConfig config{attributes.mode == ops::TopKMode::min,
                                attributes.sort == ops::TopKSort::index, attributes.index_type};
        return std::make_unique<TopKCall>(TopKLines(site.inputs[0].type, sizes, config),
                                          count_of(shape) / sizes.n, sizes.n, site.threads);
    }

private:
    const ops::TopK& op_;
};

}  // namespace

std::unique_ptr<CpuNode> make_top_k_node(const Node& node, const CompileContext&) {
    return std::make_unique<TopKNode>(dynamic_cast<const ops::TopK&>(node));
}

}  // namespace rondo::cpu
