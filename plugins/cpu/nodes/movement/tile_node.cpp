// Tile: a copy in which each axis that repeats is two axes, the repetitions and the data's own.
#include "core/ops/movement/tile.hpp"

#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/movement/makers.hpp"

namespace rondo::cpu {
namespace {

// The extents of both sides, neither empty, say how often each axis repeats.
CopyLayout layout_of(const TensorInfo& data, const Shape& result) {
    const std::int64_t element = element_bytes(data.type);
    const Strides from = dense_strides(data.shape, element);
    const Strides to = dense_strides(result, element);
    const std::size_t added = result.size() - data.shape.size();
    CopyLayout layout{element, {}, {}, {}};
    const auto add = [&](std::size_t extent, std::int64_t from_step, std::int64_t to_step) {
        layout.extents.push_back(static_cast<std::int64_t>(extent));
        layout.from.push_back(from_step);
        layout.to.push_back(to_step);
    };
    for (std::size_t i = 0; i < result.size(); ++i) {
        const std::size_t extent = i < added ? 1 : data.shape[i - added];
        add(result[i] / extent, 0, static_cast<std::int64_t>(extent) * to[i]);
        if (i >= added) add(extent, from[i - added], to[i]);
    }
    return layout;
}

class TileNode final : public CopyNode {
public:
    explicit TileNode(const Node& node)
        : CopyNode(node, "repeating copy", "where nothing repeats") {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const Shape& result = site.outputs[0].shape;
        if (element_count(result) == 0) return make_zero_call(site.outputs[0]);
        CopyPart part;
        part.layout = layout_of(site.inputs[0], result);
        return make_view_or_copy(part);
    }
};

}  // namespace

std::unique_ptr<CpuNode> make_tile_node(const Node& node, const CompileContext&) {
    return std::make_unique<TileNode>(node);
}

}  // namespace rondo::cpu
