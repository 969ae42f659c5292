// MVN, alone and with an elementwise program behind: rows in one pass, other axes moved to the end
// and back.
#include "core/ops/reduction/normalization.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/ops/reduction/reduce.hpp"
#include "plugins/cpu/kernels/choice/shared_kernels.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/movement/strided_copy.hpp"
#include "plugins/cpu/kernels/product/row_converter.hpp"
#include "plugins/cpu/kernels/reduction/normalize.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/epilogue.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/shown_parts.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"
#include "plugins/cpu/nodes/reduction/makers.hpp"
#include "plugins/cpu/ops/fused_op.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kMvnGrain = 1 << 13;  // elements that are worth a thread
constexpr std::int64_t kMvnBlock = 1
                                   << 12;  // elements that are normalised before a program goes on

// The data as rows, and the copies there and back where its axes stand in another order.
struct MvnRows {
    std::int64_t count = 1;
    std::int64_t n = 1;
    std::optional<StridedCopy> to_rows;
    std::optional<StridedCopy> from_rows;
};

// True where an axis that is kept stands behind one that is reduced; extents of 1 don't matter.
bool is_moved(const Shape& shape, const std::vector<bool>& reduced) {
    bool behind = false;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == 1) continue;
        if (behind && !reduced[i]) return true;
        behind = behind || reduced[i];
    }
    return false;
}

MvnRows rows_of(const Shape& shape, const std::vector<bool>& reduced, std::int64_t element) {
    MvnRows rows;
    const Strides strides = dense_strides(shape, element);
    Shape moved;  // kept axes, then reduced ones
    CopyLayout layout;
    layout.element_size = element;
    for (const bool wanted : {false, true}) {
        for (std::size_t i = 0; i < shape.size(); ++i) {
            if (reduced[i] != wanted) continue;
            (wanted ? rows.n : rows.count) *= static_cast<std::int64_t>(shape[i]);
            moved.push_back(shape[i]);
            layout.from.push_back(strides[i]);
        }
    }
    if (!is_moved(shape, reduced)) return rows;
    layout.extents = extents_of(moved);
    layout.to = dense_strides(moved, element);
    rows.to_rows.emplace(layout);
    std::swap(layout.from, layout.to);
    rows.from_rows.emplace(layout);
    return rows;
}

template <typename T>
class MvnCall final : public Call {
public:
    MvnCall(const NormalizeKernel& kernel, MvnRows rows, std::optional<Epilogue> epilogue)
        : kernel_(kernel), rows_(std::move(rows)), epilogue_(std::move(epilogue)) {}

    std::size_t scratch_bytes() const override {
        const std::size_t moved = rows_.to_rows ? bytes() : 0;
        return moved + (epilogue_ ? epilogue_->scratch_bytes() : 0);
    }
    std::string detail() const override { return rows_.to_rows ? "axes moved" : ""; }

    void run(const RunArgs& args) const override {
        const EpilogueRun epilogue(epilogue_ ? &*epilogue_ : nullptr, args);
        auto* to = static_cast<T*>(epilogue.result());
        rows_.to_rows ? run_moved(args, epilogue, to) : run_rows(args, epilogue, to);
        epilogue.finish();
    }

private:
    std::int64_t size() const { return rows_.count * rows_.n; }
    std::size_t bytes() const { return whole_lines(static_cast<std::size_t>(size()) * sizeof(T)); }
    std::int64_t grain() const { return kMvnGrain / rows_.n + 1; }

    void run_rows(const RunArgs& args, const EpilogueRun& epilogue, T* to) const {
        const auto* from = static_cast<const T*>(args.inputs[0]);
        const std::int64_t in_block = epilogue.by_blocks() ? kMvnBlock / rows_.n + 1 : rows_.count;
        share(args.team, rows_.count, grain(), [&](std::int64_t begin, std::int64_t end) {
            while (begin < end) {
                const std::int64_t some = std::min(in_block, end - begin);
                kernel_.run(from + begin * rows_.n, to + begin * rows_.n, some, rows_.n);
                if (epilogue.by_blocks()) {
                    epilogue.block(begin * rows_.n, (begin + some) * rows_.n);
                }
                begin += some;
            }
        });
    }

    void run_moved(const RunArgs& args, const EpilogueRun& epilogue, T* to) const {
        auto* moved = static_cast<T*>(epilogue.scratch());
        rows_.to_rows->run(args.inputs[0], moved, args.team);
        share(args.team, rows_.count, grain(), [&](std::int64_t begin, std::int64_t end) {
            T* first = moved + begin * rows_.n;
            kernel_.run(first, first, end - begin, rows_.n);
        });
        rows_.from_rows->run(moved, to, args.team);
        if (!epilogue.by_blocks()) return;
        share(args.team, size(), kMvnGrain,
              [&](std::int64_t begin, std::int64_t end) { epilogue.block(begin, end); });
    }

    const NormalizeKernel& kernel_;
    MvnRows rows_;
    std::optional<Epilogue> epilogue_;
};

NormalizeConfig config_of(const ops::Mvn& op) {
    const auto& attributes = op.attributes();
    return {attributes.eps, attributes.eps_mode == ops::EpsMode::inside_sqrt,
            attributes.normalize_variance};
}

NormalizeKernel kernel_of(const ops::Mvn& op, Isa isa, Precision precision) {
    return {shared_elementwise_kernel(isa, NormalizeKernel::scaled(precision)), config_of(op)};
}

class MvnNode : public CpuNode {
public:
    // `node` runs `op`, which may be a part of it.
    MvnNode(const Node& node, const ops::Mvn& op, const CompileContext& context)
        : CpuNode(node, "mvn_" + kernel_suffix(context.isa, op.output_type(0)),
                  "two sums and one pass over each row"),
          isa_(context.isa),
          floats_(kernel_of(op, context.isa, Precision::f32)),
          doubles_(kernel_of(op, context.isa, Precision::f64)) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        if (element_count(site.inputs[0].shape) == 0) return make_zero_call(site.outputs[0]);
        if (is_half(site.inputs[0].type)) {
            return make_widened_call(site, isa_,
                                     [&](const CallSite& wide) { return make(wide, {}); });
        }
        return make(site, {});
    }

protected:
    std::unique_ptr<Call> make(const CallSite& site, std::optional<Epilogue> epilogue) const {
        const InferContext context = context_of(node(), site);
        const Shape& shape = site.inputs[0].shape;
        // Axes that aren't known leave the shape open, except that of a scalar: it has none.
        const auto axes = context.ints(1).value_or(std::vector<std::int64_t>());
        const auto reduced = ops::reduced_axes(context, axes, shape.size());
        MvnRows rows = rows_of(shape, reduced, element_bytes(site.inputs[0].type));
        if (site.inputs[0].type == ElementType::f64) {
            return std::make_unique<MvnCall<double>>(doubles_, std::move(rows),
                                                     std::move(epilogue));
        }
        return std::make_unique<MvnCall<float>>(floats_, std::move(rows), std::move(epilogue));
    }

private:
    Isa isa_;
    NormalizeKernel floats_;
    NormalizeKernel doubles_;
};

const ops::Mvn& mvn_of(const FusedMvn& op) {
    return dynamic_cast<const ops::Mvn&>(*op.parts().front().op);
}

// Shown as the normalisation.
class FusedMvnNode final : public MvnNode {
public:
    FusedMvnNode(const FusedMvn& op, const CompileContext& context)
        : MvnNode(op, mvn_of(op), context),
          op_(op),
          epilogue_(make_epilogue_kernel(context.isa, op, FusedMvn::kNormalisingParts)),
          parts_(parts_behind_first(op, kernel_name())) {}

    ShownOp shown() const override { return shown_first(op_); }
    std::span<const NodePart> parts() const override { return parts_; }

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        if (element_count(site.outputs[0].shape) == 0) return make_zero_call(site.outputs[0]);
        const TensorInfo result = result_of(op_, FusedMvn::kNormalisingParts, site);
        return make({site.inputs, {&result, 1}, site.threads}, Epilogue(epilogue_, site, result));
    }

private:
    const FusedMvn& op_;
    EpilogueKernel epilogue_;
    std::vector<NodePart> parts_;
};

}  // namespace

std::unique_ptr<CpuNode> make_mvn_node(const Node& node, const CompileContext& context) {
    return std::make_unique<MvnNode>(node, dynamic_cast<const ops::Mvn&>(node), context);
}

std::unique_ptr<CpuNode> make_fused_mvn_node(const Node& node, const CompileContext& context) {
    return std::make_unique<FusedMvnNode>(dynamic_cast<const FusedMvn&>(node), context);
}

}  // namespace rondo::cpu
