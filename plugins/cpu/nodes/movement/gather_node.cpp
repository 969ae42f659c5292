#include "core/ops/movement/gather.hpp"

#include <cstring>

#include "core/ops/common/extents.hpp"
#include "plugins/cpu/nodes/common/reference_node.hpp"
#include "plugins/cpu/nodes/common/share.hpp"
#include "plugins/cpu/nodes/nodes.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

// data [outer, extent, block], indices [count] -> output [outer, count, block].
struct GatherSizes {
    std::size_t outer = 1;
    std::size_t extent = 1;
    std::size_t block = 1;  // bytes
    std::size_t count = 1;
};

template <typename Index>
class GatherCall final : public Call {
public:
    GatherCall(const Node& node, const GatherSizes& sizes) : node_(node), sizes_(sizes) {}

    void run(const RunArgs& args) const override {
        const auto* indices = static_cast<const Index*>(args.inputs[1]);
        const auto* data = static_cast<const char*>(args.inputs[0]);
        auto* out = static_cast<char*>(args.outputs[0]);
        if (sizes_.outer == 0 || sizes_.block == 0) return;
        for (std::size_t i = 0; i < sizes_.count; ++i) row(indices[i]);  // all, before any write
        const auto rows = static_cast<std::int64_t>(sizes_.outer * sizes_.count);
        const auto grain = static_cast<std::int64_t>(kGrainBytes / sizes_.block + 1);
        share(args.team, rows, grain, [&](std::int64_t begin, std::int64_t end) {
            for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
                const std::size_t from =
                    i / sizes_.count * sizes_.extent + row(indices[i % sizes_.count]);
                std::memcpy(out + i * sizes_.block, data + from * sizes_.block, sizes_.block);
            }
        });
    }

private:
    static constexpr std::size_t kGrainBytes = 1 << 18;

    std::size_t row(Index index) const {
        const auto extent = static_cast<std::int64_t>(sizes_.extent);
        const std::int64_t counted = index < 0 ? index + extent : index;
        if (counted < 0 || counted >= extent) {
            throw ModelError(describe(node_) + ": index " + std::to_string(index) +
                             " is out of range for an axis of extent " + std::to_string(extent));
        }
        return static_cast<std::size_t>(counted);
    }

    const Node& node_;
    GatherSizes sizes_;
};

GatherSizes sizes_of(const CallSite& site, std::size_t axis) {
    const Shape& shape = site.inputs[0].shape;
    GatherSizes sizes;
    for (std::size_t i = 0; i < axis; ++i) sizes.outer *= shape[i];
    sizes.extent = shape[axis];
    sizes.block = size_of(site.inputs[0].type);
    for (std::size_t i = axis + 1; i < shape.size(); ++i) sizes.block *= shape[i];
    sizes.count = element_count(site.inputs[1].shape);
    return sizes;
}

class GatherNode final : public CpuNode {
public:
    explicit GatherNode(const Node& node)
        : CpuNode(node, "gather", "copies rows, or a view of one row that is known") {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const auto& op = dynamic_cast<const ops::Gather&>(node());
        const InferContext context = context_of(op, site);
        const auto named = ops::single_int(context, 2, "axis");
        if (!named || op.batch_dims() != 0) return make_reference_call(node(), site);
        const GatherSizes sizes =
            sizes_of(site, normalize_axis(context, *named, site.inputs[0].shape.size()));
        if (auto view = view_of_row(sizes, site.inputs[1])) return view;
        switch (site.inputs[1].type) {
            case ElementType::i64: return std::make_unique<GatherCall<std::int64_t>>(node(), sizes);
            case ElementType::i32: return std::make_unique<GatherCall<std::int32_t>>(node(), sizes);
            default: return make_reference_call(node(), site);
        }
    }

private:
    static std::unique_ptr<Call> view_of_row(const GatherSizes& sizes, const TensorInfo& indices) {
        if (!indices.value || sizes.count != 1 || sizes.outer != 1 || sizes.block == 0) {
            return nullptr;
        }
        const auto extent = static_cast<std::int64_t>(sizes.extent);
        const std::int64_t index = to_int64_vector(indices.value).front();
        if (index < -extent || index >= extent) return nullptr;  // an error when it runs
        const auto row = static_cast<std::size_t>(index < 0 ? index + extent : index);
        return std::make_unique<ViewCall>(std::vector<View>{{0, row * sizes.block}});
    }
};

}  // namespace

std::unique_ptr<CpuNode> make_gather_node(const Node& node, const CompileContext&) {
    return std::make_unique<GatherNode>(node);
}

}  // namespace rondo::cpu
