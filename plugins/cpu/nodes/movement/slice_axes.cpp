#include "plugins/cpu/nodes/movement/slice_axes.hpp"

#include <algorithm>
#include <utility>

#include "core/ops/movement/movement_ops.hpp"
#include "core/support/visit_type.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

using Kind = ops::StridedSlicePart::Kind;

bool is_late(const ops::SliceRequest& request) { return !request.start || !request.stop; }

// The elements of an axis that is known, or that is empty whatever its numbers are.
ops::SliceRange known_range(const ops::SliceRequest& request, std::int64_t extent) {
    if (is_late(request) || !request.step) return {};
    return ops::resolve(request, extent);
}

// An i64 or i32 input's element; the others are known.
std::int64_t element_of(ElementType type, const void* elements, std::size_t index) {
    if (type == ElementType::i32) return static_cast<const std::int32_t*>(elements)[index];
    return static_cast<const std::int64_t*>(elements)[index];
}

std::int64_t index_of(const Node& node, const LateAxis& late, ElementType type,
                      const void* elements) {
    return visit_integer(type, [&](auto tag) {
        using Index = tag_type<decltype(tag)>;
        const Index given = static_cast<const Index*>(elements)[late.request.element];
        if (std::cmp_less(given, -late.extent) || std::cmp_greater_equal(given, late.extent)) {
            throw ModelError(describe(node) + ": index " + std::to_string(given) +
                             " is out of range for axis " + std::to_string(late.axis) +
                             " of extent " + std::to_string(late.extent));
        }
        const auto index = static_cast<std::int64_t>(given);
        return index < 0 ? index + late.extent : index;
    });
}

}  // namespace

std::optional<std::vector<ops::StridedSlicePart>> slice_parts(const Node& node,
                                                              const InferContext& context) {
    if (const auto* strided = dynamic_cast<const ops::StridedSlice*>(&node)) {
        return ops::strided_slice_parts(context, strided->masks());
    }
    const auto requests = ops::slice_requests(context);
    if (!requests) return std::nullopt;
    std::vector<ops::StridedSlicePart> parts;
    for (const auto& request : *requests) parts.push_back({Kind::cut, request});
    return parts;
}

SlicePlan plan_slice(const std::vector<ops::StridedSlicePart>& parts, const TensorInfo& data,
                     const Shape& result) {
    const std::int64_t element = element_bytes(data.type);
    const Strides strides = dense_strides(data.shape, element);
    SlicePlan plan;
    CopyLayout& layout = plan.copy.layout;
    layout = {element, extents_of(result), {}, dense_strides(result, element)};
    std::size_t axis = 0;
    for (const auto& part : parts) {
        if (part.kind == Kind::new_axis) {
            layout.from.push_back(0);
            continue;
        }
        const auto extent = static_cast<std::int64_t>(data.shape[axis]);
        const std::int64_t stride = strides[axis];
        const ops::SliceRequest& request = part.request;
        if (part.kind == Kind::shrink) {
            if (request.start) {
                plan.copy.from_offset +=
                    stride * (*request.start < 0 ? *request.start + extent : *request.start);
            } else {
                plan.late.push_back({true, axis, extent, stride, 1, request});
            }
        } else {
            const ops::SliceRange range = known_range(request, extent);
            const std::int64_t length = layout.extents[layout.from.size()];
            if (is_late(request) && length > 0) {
                plan.late.push_back({false, axis, extent, stride, length, request});
            }
            if (range.length > 0) plan.copy.from_offset += stride * range.start;
            // As resolve() has it: with fewer than two elements a step may be too large to
            // multiply.
            const std::int64_t dynamic_step = length > 1 ? request.step.value_or(1) : 1;
            layout.from.push_back(stride * (is_late(request) ? dynamic_step : range.step));
        }
        ++axis;
    }
    if (element_count(result) == 0) plan.copy.from_offset = 0;
    return plan;
}

ops::SliceRange SliceNumbers::range(const ops::SliceRequest& request, std::int64_t extent,
                                    std::span<const void* const> inputs) const {
    ops::SliceRequest known = request;
    if (!known.start) known.start = element_of(start_, inputs[1], request.element);
    if (!known.stop) known.stop = element_of(stop_, inputs[2], request.element);
    return ops::resolve(known, extent);
}

std::int64_t SliceNumbers::offset(const Node& node, std::span<const LateAxis> late,
                                  std::span<const void* const> inputs) const {
    std::int64_t offset = 0;
    for (const LateAxis& axis : late) {
        if (axis.is_removed) {
            offset += axis.stride * index_of(node, axis, start_, inputs[1]);
            continue;
        }
        const ops::SliceRange range = this->range(axis.request, axis.extent, inputs);
        if (range.length != axis.length) {
            throw ModelError(describe(node) + ": start or stop changed during the inference");
        }
        offset += axis.stride * range.start;
    }
    return offset;
}

ExtentFinder make_slice_extents(const Node& node, std::span<const TensorInfo* const> inputs) {
    const auto parts = slice_parts(node, context_of(node, inputs));
    if (!parts) return {};
    bool moves = false;
    for (const auto& part : *parts) {
        if (part.kind != Kind::cut) continue;
        if (!part.request.step) return {};
        moves = moves || (!part.request.start && !part.request.stop);
    }
    const auto is_readable = [&](std::size_t input) {
        const TensorInfo& info = *inputs[input];
        return info.value || info.type == ElementType::i64 || info.type == ElementType::i32;
    };
    if (!moves || !is_readable(1) || !is_readable(2)) return {};
    // The output's extents that depend on elements, each from one axis of the data.
    struct Cut {
        std::size_t result_axis;
        std::int64_t extent;
        ops::SliceRequest request;
    };
    Shape shape;  // 0 where it is found
    std::vector<Cut> late;
    std::size_t axis = 0;
    for (const auto& part : *parts) {
        if (part.kind == Kind::new_axis) {
            shape.push_back(1);
            continue;
        }
        const auto extent = static_cast<std::int64_t>(inputs[0]->shape[axis++]);
        if (part.kind == Kind::shrink) continue;
        if (is_late(part.request)) late.push_back({shape.size(), extent, part.request});
        shape.push_back(static_cast<std::size_t>(known_range(part.request, extent).length));
    }
    return [shape, late, numbers = SliceNumbers(inputs[1]->type, inputs[2]->type)](
               std::span<const void* const> elements, std::span<Shape> shapes) {
        shapes[0] = shape;
        for (const Cut& cut : late) {
            const auto range = numbers.range(cut.request, cut.extent, elements);
            shapes[0][cut.result_axis] = static_cast<std::size_t>(range.length);
        }
    };
}

}  // namespace rondo::cpu
