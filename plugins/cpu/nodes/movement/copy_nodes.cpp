// Nodes that copy elements to other places, or find that nothing has to be copied: Concat,
// DepthToSpace, SpaceToDepth, Split, VariadicSplit, Tile and Transpose; and views.
#include <array>

#include "core/ops/common/extents.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"

namespace rondo::cpu {
namespace {

Strides bytes_of(const std::vector<std::int64_t>& strides, std::int64_t element) {
    Strides bytes;
    for (const std::int64_t stride : strides) bytes.push_back(stride * element);
    return bytes;
}

// A copy with the strides of the other side.
std::unique_ptr<Call> prepare_block_move(const ops::BlockMove& op, const CallSite& site) {
    const bool to_space = as_op<ops::DepthToSpace>(op) != nullptr;
    const TensorInfo& space = to_space ? site.outputs[0] : site.inputs[0];
    if (element_count(space.shape) == 0) return make_zero_call(site.outputs[0]);
    const auto axes = ops::block_axes(space.shape, op.block_size(), op.mode());
    const std::int64_t element = element_bytes(space.type);
    CopyPart part;
    part.layout = {element, axes.extents, bytes_of(to_space ? axes.depth : axes.space, element),
                   bytes_of(to_space ? axes.space : axes.depth, element)};
    return make_view_or_copy(part);
}

std::unique_ptr<Call> prepare_concat(const ops::Concat& op, const CallSite& site) {
    const TensorInfo& result = site.outputs[0];
    const std::size_t axis = normalize_axis(context_of(op, site), op.axis(), result.shape.size());
    const std::int64_t element = element_bytes(result.type);
    const Strides to = dense_strides(result.shape, element);
    std::vector<CopyPart> parts;
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < site.inputs.size(); ++i) {
        const Shape& shape = site.inputs[i].shape;
        const CopyLayout layout{element, extents_of(shape), dense_strides(shape, element), to};
        if (element_count(shape) > 0) parts.push_back({i, 0, 0, offset, layout});
        offset += layout.extents[axis] * to[axis];
    }
    return parts.size() == 1 ? make_view_call({parts[0].input, 0}) : make_copy_call(parts);
}

// The outputs' shapes determine the parts.
std::unique_ptr<Call> prepare_split(const Node& node, const CallSite& site) {
    const InferContext context = context_of(node, site);
    const Shape& shape = site.inputs[0].shape;
    // An axis that isn't known leaves the shapes open, except those of scalars: these have no
    // axis, so that any is refused.
    const auto named = ops::single_int(context, 1, "axis");
    const std::size_t axis = normalize_axis(context, named.value_or(0), shape.size());
    const std::int64_t element = element_bytes(site.inputs[0].type);
    const Strides from = dense_strides(shape, element);
    std::vector<CopyPart> parts;
    std::vector<View> views;
    std::int64_t offset = 0;
    bool all_plain = true;
    for (std::size_t i = 0; i < site.outputs.size(); ++i) {
        const Shape& part = site.outputs[i].shape;
        const CopyLayout layout{element, extents_of(part), from, dense_strides(part, element)};
        const bool empty = element_count(part) == 0;
        views.push_back({0, empty ? 0 : static_cast<std::size_t>(offset)});
        all_plain = all_plain && (empty || StridedCopy(layout).is_plain());
        if (site.outputs[i].wanted && !empty) parts.push_back({0, i, offset, 0, layout});
        offset += layout.extents[axis] * from[axis];
    }
    if (all_plain) return std::make_unique<ViewCall>(std::move(views));
    return make_copy_call(parts);
}

// Each axis that repeats is two axes, the repetitions and the data's own. The extents of both
// sides, neither empty, say how often it repeats.
std::unique_ptr<Call> prepare_tile(const CallSite& site) {
    const Shape &data = site.inputs[0].shape, &result = site.outputs[0].shape;
    if (element_count(result) == 0) return make_zero_call(site.outputs[0]);
    const std::int64_t element = element_bytes(site.inputs[0].type);
    const Strides from = dense_strides(data, element);
    const Strides to = dense_strides(result, element);
    const std::size_t added = result.size() - data.size();
    CopyPart part;
    part.layout.element_size = element;
    const auto add = [&](std::size_t extent, std::int64_t from_step, std::int64_t to_step) {
        part.layout.extents.push_back(static_cast<std::int64_t>(extent));
        part.layout.from.push_back(from_step);
        part.layout.to.push_back(to_step);
    };
    for (std::size_t i = 0; i < result.size(); ++i) {
        const std::size_t extent = i < added ? 1 : data[i - added];
        add(result[i] / extent, 0, static_cast<std::int64_t>(extent) * to[i]);
        if (i >= added) add(extent, from[i - added], to[i]);
    }
    return make_view_or_copy(part);
}

std::unique_ptr<Call> prepare_transpose(const Node& node, const CallSite& site) {
    const InferContext context = context_of(node, site);
    const TensorInfo& data = site.inputs[0];
    const std::vector<std::int64_t> unknown(element_count(site.inputs[1].shape));
    // An order that isn't known leaves the shape open, except that of a scalar: it has none.
    const auto order =
        ops::transpose_order(context, context.ints(1).value_or(unknown), data.shape.size());
    const std::int64_t element = element_bytes(data.type);
    const Shape& result = site.outputs[0].shape;
    const Strides strides = dense_strides(data.shape, element);
    CopyPart part;
    part.layout = {element, extents_of(result), {}, dense_strides(result, element)};
    for (const std::size_t axis : order) part.layout.from.push_back(strides[axis]);
    return make_view_or_copy(part);
}

}  // namespace

std::unique_ptr<CpuNode> make_block_move_node(const Node& node, const CompileContext&) {
    return make_function_node(node, {"copy", "strided copy"}, prepare_block_move);
}

std::unique_ptr<CpuNode> make_concat_node(const Node& node, const CompileContext&) {
    return make_function_node(node, {"copy", "a copy for each input"}, prepare_concat);
}

std::unique_ptr<CpuNode> make_split_node(const Node& node, const CompileContext&) {
    const char* const outlook = "a view along an outermost axis";
    return make_function_node(node, {"copy", "a copy for each part", outlook, true}, prepare_split);
}

std::unique_ptr<CpuNode> make_tile_node(const Node& node, const CompileContext&) {
    const char* const outlook = "a view where nothing repeats";
    return make_function_node(node, {"copy", "repeating copy", outlook}, prepare_tile);
}

std::unique_ptr<CpuNode> make_transpose_node(const Node& node, const CompileContext&) {
    const char* const outlook = "a view where only axes of extent 1 move";
    return make_function_node(node, {"copy", "tiled copy", outlook}, prepare_transpose);
}

std::unique_ptr<CpuNode> make_view_node(const Node& node, const CompileContext&) {
    return make_function_node(node, {"view", "the same elements under another shape"},
                              [](const CallSite&) { return make_view_call(); });
}

// The plan reads a variable in place; a call is made only if it starts from its init input.
std::unique_ptr<CpuNode> make_read_value_node(const Node& node, const CompileContext&) {
    return make_function_node(
        node, {"variable", "read in place: the request keeps it between inferences"},
        [](const CallSite&) { return make_view_call(); });
}

}  // namespace rondo::cpu
