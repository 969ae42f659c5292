// CumSum and CumProd: lines along any axis, which may come with the run.
#include "core/ops/reduction/cum_sum.hpp"

#include <optional>

#include "core/ops/common/extents.hpp"
#include "plugins/cpu/kernels/reduction/cum_sum.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/axis_values.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/reduction/makers.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kCumSumGrain = 1 << 15;  // elements that are worth a thread

CumSumSizes sizes_of(const Shape& shape, std::size_t axis) {
    return {extents_product(shape, 0, axis), static_cast<std::int64_t>(shape[axis]),
            extents_product(shape, axis + 1, shape.size())};
}

class CumSumCall final : public Call {
public:
    CumSumCall(const ops::Cumulation& op, const CallSite& site)
        : op_(op),
          sum_(site.inputs[0].type,
               {op.options().exclusive, op.options().reverse, as_op<ops::CumProd>(op) != nullptr}),
          axis_type_(site.inputs[1].type),
          axis_(site.inputs[1], site.inputs[0].shape.size()) {
        const Shape& shape = site.inputs[0].shape;
        const InferContext context = context_of(op, site);
        if (const auto axis = ops::single_int(context, 1, "axis")) {
            sizes_ = {sizes_of(shape, normalize_axis(context, *axis, shape.size()))};
        } else {
            for (std::size_t i = 0; i < shape.size(); ++i) sizes_.push_back(sizes_of(shape, i));
        }
    }

    void run(const RunArgs& args) const override {
        axis_.check(op_, args.inputs[1]);
        const CumSumSizes& sizes = sizes_[sizes_.size() == 1 ? 0 : axis_of(args.inputs[1])];
        share(args.team, sizes.lines(), kCumSumGrain / sizes.n + 1,
              [&](std::int64_t begin, std::int64_t end) {
                  sum_.run(sizes, args.inputs[0], args.outputs[0], begin, end);
              });
    }

private:
    std::size_t axis_of(const void* axis) const {
        const std::int64_t value = visit_integer(axis_type_, [&](auto tag) {
            return static_cast<std::int64_t>(*static_cast<const tag_type<decltype(tag)>*>(axis));
        });
        const auto rank = static_cast<std::int64_t>(sizes_.size());
        return static_cast<std::size_t>(value < 0 ? value + rank : value);
    }

    const ops::Cumulation& op_;
    CumSum sum_;
    ElementType axis_type_;
    AxisValues axis_;
    std::vector<CumSumSizes> sizes_;  // one, or one an axis where that comes with the run
};

class CumSumNode final : public CpuNode {
public:
    explicit CumSumNode(const ops::Cumulation& op)
        : CpuNode(op, "cumulation_plain", "lines side by side; floating types in double"),
          op_(op) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        if (element_count(site.outputs[0].shape) == 0) return make_zero_call(site.outputs[0]);
        return std::make_unique<CumSumCall>(op_, site);
    }

private:
    const ops::Cumulation& op_;
};

}  // namespace

std::unique_ptr<CpuNode> make_cum_sum_node(const Node& node, const CompileContext&) {
    return std::make_unique<CumSumNode>(dynamic_cast<const ops::Cumulation&>(node));
}

}  // namespace rondo::cpu
