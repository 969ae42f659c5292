// SoftMax, both forms of the IR, and LogSoftmax: lines along any axis.
#include "core/ops/reduction/normalization.hpp"

#include <algorithm>

#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/product/row_converter.hpp"
#include "plugins/cpu/kernels/reduction/softmax.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"
#include "plugins/cpu/nodes/reduction/makers.hpp"
#include "plugins/cpu/nodes/reduction/softmax_kernel.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kSoftmaxGrain = 1 << 13;  // elements that are worth a thread

template <typename T>
class SoftmaxCall final : public Call {
public:
    // [lines / inner, n, inner].
    SoftmaxCall(const RowKernel& kernel, std::int64_t n, std::int64_t inner, const CallSite& site)
        : softmax_(kernel, n, inner),
          count_(count_of(site.inputs[0].shape) / n),
          grain_(kSoftmaxGrain / n + 1),
          slices_(std::max(1, site.threads)),
          slice_bytes_(
              whole_lines(static_cast<std::size_t>(softmax_.scratch_elements()) * sizeof(T))) {}

    std::size_t scratch_bytes() const override {
        return slice_bytes_ * static_cast<std::size_t>(slices_);
    }

    void run(const RunArgs& args) const override {
        const auto* from = static_cast<const T*>(args.inputs[0]);
        auto* to = static_cast<T*>(args.outputs[0]);
        share_slices(args.team, count_, grain_,
                     [&](std::int64_t begin, std::int64_t end, int slice) {
                         void* scratch = static_cast<char*>(args.scratch) +
                                         slice_bytes_ * static_cast<std::size_t>(slice);
                         softmax_.run(from, to, begin, end, static_cast<T*>(scratch));
                     });
    }

private:
    SoftmaxLines<T> softmax_;
    std::int64_t count_;  // lines
    std::int64_t grain_;
    int slices_;
    std::size_t slice_bytes_;
};

class SoftmaxNode final : public CpuNode {
public:
    SoftmaxNode(const Node& node, const CompileContext& context)
        : CpuNode(node, name_of(node) + kernel_suffix(context.isa, node.output_type(0)),
                  "lines in one pass each"),
          isa_(context.isa),
          floats_(make_softmax_kernel(node, context.isa, Precision::f32)),
          doubles_(make_softmax_kernel(node, context.isa, Precision::f64)) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        if (element_count(site.inputs[0].shape) == 0) return make_zero_call(site.outputs[0]);
        if (is_half(site.inputs[0].type)) {
            return make_widened_call(site, isa_, [&](const CallSite& wide) { return make(wide); });
        }
        return make(site);
    }

private:
    static std::string name_of(const Node& node) {
        return as_op<ops::LogSoftmax>(node) != nullptr ? "log_softmax_" : "softmax_";
    }

    std::unique_ptr<Call> make(const CallSite& site) const {
        const auto& op = dynamic_cast<const ops::SoftmaxBase&>(node());
        Shape shape = site.inputs[0].shape;
        if (shape.empty()) shape = {1};
        const std::size_t axis = normalize_axis(context_of(op, site), op.axis(), shape.size());
        const auto n = static_cast<std::int64_t>(shape[axis]);
        std::int64_t inner = 1;
        for (std::size_t i = axis + 1; i < shape.size(); ++i) {
            inner *= static_cast<std::int64_t>(shape[i]);
        }
        if (site.inputs[0].type == ElementType::f64) {
            return std::make_unique<SoftmaxCall<double>>(*doubles_, n, inner, site);
        }
        return std::make_unique<SoftmaxCall<float>>(*floats_, n, inner, site);
    }

    Isa isa_;
    std::unique_ptr<const RowKernel> floats_;
    std::unique_ptr<const RowKernel> doubles_;
};

}  // namespace

std::unique_ptr<CpuNode> make_softmax_node(const Node& node, const CompileContext& context) {
    return std::make_unique<SoftmaxNode>(node, context);
}

}  // namespace rondo::cpu
