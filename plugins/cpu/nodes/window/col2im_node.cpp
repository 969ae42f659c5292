// Col2Im: planes are independent.
#include "core/ops/window/col2im.hpp"

#include <algorithm>

#include "plugins/cpu/kernels/product/row_converter.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/kernels/window/col2im.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"
#include "plugins/cpu/nodes/window/makers.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kColumnGrain = 1 << 15;  // elements that are worth a thread

class Col2ImCall final : public Call {
public:
    Col2ImCall(Col2ImLoop loop, const std::array<WindowAxis, 3>& axes, std::int64_t planes,
               std::int64_t cost)
        : loop_(loop), axes_(axes), planes_(planes), grain_(kColumnGrain / (cost + 1) + 1) {}

    void run(const RunArgs& args) const override {
        share(args.team, planes_, grain_, [&](std::int64_t begin, std::int64_t end) {
            loop_(axes_, {args.inputs[0], args.outputs[0], begin, end});
        });
    }

private:
    Col2ImLoop loop_;
    std::array<WindowAxis, 3> axes_;
    std::int64_t planes_;
    std::int64_t grain_;
};

class Col2ImNode final : public CpuNode {
public:
    Col2ImNode(const ops::Col2Im& op, const CompileContext& context)
        : CpuNode(op, "col2im", "each tap's blocks are added line by line"),
          op_(op),
          isa_(context.isa) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        if (element_count(site.outputs[0].shape) == 0 || element_count(site.inputs[0].shape) == 0) {
            return make_zero_call(site.outputs[0]);
        }
        const auto own = op_.axes(context_of(op_, site)).value();
        std::array<WindowAxis, 3> axes{{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}};
        std::size_t to = axes.size() - own.size();
        std::int64_t image = 1;
        for (const auto& axis : own) {
            axes[to++] = {axis.input,  axis.kernel,   axis.output,
                          axis.stride, axis.dilation, axis.pad_begin};
            image *= axis.input;
        }
        const std::int64_t planes = count_of(site.outputs[0].shape) / image;
        const std::int64_t cost = count_of(site.inputs[0].shape) / planes;
        const auto make = [&](const CallSite& from) {
            return std::make_unique<Col2ImCall>(col2im_loop(from.inputs[0].type), axes, planes,
                                                cost);
        };
        return is_half(site.inputs[0].type) ? make_widened_call(site, isa_, make) : make(site);
    }

private:
    const ops::Col2Im& op_;
    Isa isa_;
};

}  // namespace

std::unique_ptr<CpuNode> make_col2im_node(const Node& node, const CompileContext& context) {
    return std::make_unique<Col2ImNode>(dynamic_cast<const ops::Col2Im&>(node), context);
}

}  // namespace rondo::cpu
