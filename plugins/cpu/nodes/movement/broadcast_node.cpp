// Broadcast: a copy that repeats elements.
#include "core/ops/movement/movement_ops.hpp"

#include <utility>

#include "core/support/visit_type.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

[[noreturn]] void fail(const Node& node, const std::string& message) {
    throw ModelError(describe(node) + ": " + message);
}

// An explicit axes_mapping whose elements are only known when the call runs.
struct MappedCopy {
    const Node& node;
    std::int64_t element;  // bytes
    Extents data;
    Strides from;
    Extents result;
    Strides to;

    template <typename Index>
    void map(const Index* mapping, std::span<CopyAxis> axes) const {
        std::int64_t last = -1;
        for (std::size_t i = 0; i < data.size(); ++i) {
            if (std::cmp_less(mapping[i], 0) || std::cmp_greater_equal(mapping[i], axes.size())) {
                fail(node, "axes_mapping names axis " + std::to_string(mapping[i]) +
                               ", but the target has rank " + std::to_string(axes.size()));
            }
            const auto axis = static_cast<std::int64_t>(mapping[i]);
            if (axis <= last) fail(node, "axes_mapping must grow from element to element");
            last = axis;
            CopyAxis& target = axes[static_cast<std::size_t>(axis)];
            if (data[i] != 1 && data[i] != target.count) {
                fail(node, "data has an extent " + std::to_string(data[i]) +
                               " where the target shape has " + std::to_string(target.count) +
                               "; expected the same or 1");
            }
            if (data[i] != 1) target.steps[0] = from[i];
        }
    }
};

std::unique_ptr<Call> make_mapped_call(const Node& node, const CallSite& site) {
    const Shape &data = site.inputs[0].shape, &result = site.outputs[0].shape;
    if (element_count(site.inputs[2].shape) != data.size()) {
        fail(node, "axes_mapping has shape " + to_string(site.inputs[2].shape) +
                       ", but data has shape " + to_string(data));
    }
    const std::int64_t element = element_bytes(site.inputs[0].type);
    const MappedCopy copy{node,
                          element,
                          extents_of(data),
                          dense_strides(data, element),
                          extents_of(result),
                          dense_strides(result, element)};
    const auto run = [copy, type = site.inputs[2].type,
                      is_empty = element_count(result) == 0](const RunArgs& args) {
        const std::span<CopyAxis> axes(static_cast<CopyAxis*>(args.scratch), copy.result.size());
        for (std::size_t i = 0; i < axes.size(); ++i) axes[i] = {copy.result[i], {0, copy.to[i]}};
        visit_integer(type, [&](auto tag) {
            copy.map(static_cast<const tag_type<decltype(tag)>*>(args.inputs[2]), axes);
        });
        if (!is_empty) copy_once(axes, copy.element, args.inputs[0], args.outputs[0]);
    };
    return make_call(run, {result.size() * sizeof(CopyAxis)});
}

// A target that decides no extent, and whose elements are only known when the call runs.
template <typename Extent>
void check_target(const ops::Broadcast& op, const Shape& data, const Shape& result,
                  std::span<const Extent> target) {
    const bool takes_one = op.mode() == ops::BroadcastMode::bidirectional;
    for (std::size_t i = 0; i < target.size(); ++i) {
        const std::size_t extent = result[result.size() - target.size() + i];
        if (std::cmp_equal(target[i], extent) || (takes_one && target[i] == 1)) continue;
        fail(op, "data of shape " + to_string(data) +
                     " doesn't fit the target shape, which holds " + std::to_string(target[i]) +
                     "; expected " + std::to_string(extent));
    }
}

std::unique_ptr<Call> make_checked_call(const ops::Broadcast& op, const CallSite& site,
                                        const CopyPart& part) {
    return make_call([&op, type = site.inputs[1].type, data = site.inputs[0].shape,
                      result = site.outputs[0].shape, count = element_count(site.inputs[1].shape),
                      copy = StridedCopy(part.layout)](const RunArgs& args) {
        visit_integer(type, [&](auto tag) {
            using Extent = tag_type<decltype(tag)>;
            check_target(op, data, result,
                         std::span(static_cast<const Extent*>(args.inputs[1]), count));
        });
        copy.run(args.inputs[0], args.outputs[0], args.team);
    });
}

std::unique_ptr<Call> prepare_broadcast(const ops::Broadcast& op, const CallSite& site) {
    const TensorInfo& data = site.inputs[0];
    const Shape& result = site.outputs[0].shape;
    const auto axes = ops::broadcast_axes(context_of(op, site), op.mode(), result.size());
    if (!axes) return make_mapped_call(op, site);
    const std::int64_t element = element_bytes(data.type);
    const Strides strides = dense_strides(data.shape, element);
    CopyPart part;
    part.layout = {element, extents_of(result), Strides(result.size()),
                   dense_strides(result, element)};
    for (std::size_t i = 0; i < data.shape.size(); ++i) {
        if (data.shape[i] != 1) part.layout.from[(*axes)[i]] = strides[i];
    }
    return site.inputs[1].value ? make_view_or_copy(part) : make_checked_call(op, site, part);
}

}  // namespace

std::unique_ptr<CpuNode> make_broadcast_node(const Node& node, const CompileContext&) {
    const char* const outlook = "a view where nothing repeats";
    return make_function_node(node, {"copy", "repeating copy", outlook}, prepare_broadcast);
}

}  // namespace rondo::cpu
