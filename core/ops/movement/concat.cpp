// Joins tensors along an axis.
#include "core/ops/movement/movement_ops.hpp"

#include "core/graph/infer_context.hpp"
#include "core/graph/inference.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/common/independent_axes.hpp"

namespace rondo::ops {
namespace {

// Numbers of a part that aren't known, of which only the count is.
constexpr std::size_t kMostOpen = 64;

ElementType common_type(const InferContext& context) {
    ElementType common = ElementType::dynamic;
    for (std::size_t i = 0; i < context.input_count(); ++i) {
        const ElementType type = context.type(i);
        if (common == ElementType::dynamic) common = type;
        if (type != common && type != ElementType::dynamic) {
            context.fail("input " + std::to_string(i) + " has type " +
                         std::string(to_string(type)) + "; expected " +
                         std::string(to_string(common)) + " as the inputs before it");
        }
    }
    return common;
}

// Takes one more input into the output's shape, which holds all before it.
void join(const InferContext& context, std::size_t input, std::size_t axis, PartialShape& joined) {
    const PartialShape& shape = context.shape(input);
    if (shape.rank() != joined.rank()) {
        context.fail("input " + std::to_string(input) + " has shape " + to_string(shape) +
                     "; expected rank " + std::to_string(joined.rank()));
    }
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        if (i == axis) {
            joined[i] = add_extents(context, joined[i], shape[i]);
        } else {
            joined[i] = context.merge(joined[i], shape[i],
                                      "the extent of axis " + std::to_string(i) + " of input " +
                                          std::to_string(input) + " and of those before it");
        }
    }
}

PartialShape joined_shape(const InferContext& context, std::int64_t signed_axis) {
    PartialShape joined;
    std::size_t axis = 0;
    bool all_known = true;
    for (std::size_t i = 0; i < context.input_count(); ++i) {
        const PartialShape& shape = context.shape(i);
        if (!shape.has_rank()) {
            all_known = false;
        } else if (!joined.has_rank()) {
            axis = normalize_axis(context, signed_axis, shape.rank());
            joined = shape;
        } else {
            join(context, i, axis, joined);
        }
    }
    if (joined.has_rank() && !all_known) {
        joined[axis] = Dimension(joined[axis].min(), Dimension::kInfinity);
    }
    return joined;
}

}  // namespace

std::vector<Dimension> Concat::known_extents(std::size_t, int steps) const {
    std::vector<Dimension> all;
    for (const Output& part : inputs()) {
        auto extents = rondo::known_extents(part, steps);
        if (extents.empty()) {
            if (!part.shape().is_static() || element_count(part.shape().to_shape()) > kMostOpen)
                return {};
            extents.resize(element_count(part.shape().to_shape()));
        }
        all.insert(all.end(), extents.begin(), extents.end());
    }
    return all;
}

void Concat::infer(InferContext& context) const {
    context.check(context.input_count() > 0, "got no inputs; expected 1 or more");
    context.set_output(0, common_type(context), joined_shape(context, axis_));
}

std::optional<IndependentAxis> Concat::independent_axis(std::size_t, std::size_t axis) const {
    const auto joined = named_among({axis_}, output_shape(0).rank());
    if (!joined || (*joined)[axis]) return std::nullopt;
    IndependentAxis rows(input_count(), 1, axis);
    rows.inputs.assign(input_count(), axis);
    return rows;
}

}  // namespace rondo::ops
