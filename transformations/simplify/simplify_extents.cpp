#include "transformations/simplify/passes.hpp"

#include <algorithm>

#include "core/extents/extent_origin.hpp"
#include "core/graph/constants.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

// The extents that a node reads: of `source`, those of `axes`.
struct Reading {
    Output source;
    std::vector<std::size_t> axes;
};

std::optional<Reading> reading_of(const ops::Gather& gather) {
    const auto shape_of = as<ops::ShapeOf>(gather.input(0));
    const auto indices = constant_ints(gather.input(1));
    if (!shape_of || !indices || indices->empty() || gather.batch_dims() != 0) return {};
    const Output& source = shape_of->input(0);
    if (!source.shape().has_rank()) return {};
    auto axes = normalized_axes(*indices, source.shape().rank());
    if (!axes) return {};
    return Reading{source, std::move(*axes)};
}

std::optional<Shape> known_extents(const Reading& reading) {
    Shape extents;
    for (const std::size_t axis : reading.axes) {
        const Dimension& extent = reading.source.shape()[axis];
        if (!extent.is_static()) return {};
        extents.push_back(static_cast<std::size_t>(extent.length()));
    }
    return extents;
}

// The one tensor further up that has all the extents.
std::optional<Reading> traced(const Reading& reading) {
    Reading result;
    for (const std::size_t axis : reading.axes) {
        const ExtentOrigin origin = origin_of_extent(reading.source, axis);
        if (result.source && result.source != origin.source) return {};
        result.source = origin.source;
        result.axes.push_back(origin.axis);
    }
    if (result.source == reading.source) return {};
    return result;
}

void simplify(ops::Gather& gather, Rewriter& rewriter) {
    const auto reading = reading_of(gather);
    if (!reading) return;
    const ElementType type = gather.output_type(0);
    const Shape shape = gather.input(1).shape().to_shape();  // of the indices: [] or [n]
    if (const auto extents = known_extents(*reading)) {
        const Tensor value = ops::shape_tensor(*extents, type).reshaped(shape);
        rewriter.replace(gather.output(0), rewriter.make_constant(gather.name(), value));
        return;
    }
    const auto better = traced(*reading);
    if (!better) return;
    Tensor indices(ElementType::i64, shape);
    std::copy(better->axes.begin(), better->axes.end(), indices.data<std::int64_t>());
    const std::string& name = gather.name();
    const Output shape_of = rewriter.make<ops::ShapeOf>(name + "/shape", better->source, type);
    rewriter.replace(
        gather.output(0),
        rewriter.make<ops::Gather>(name, shape_of, rewriter.make_constant(name + "/axes", indices),
                                   gather.input(2)));
}

}  // namespace

bool simplify_extents(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<ops::Gather>([&](const auto& node) { simplify(*node, rewriter); });
    return rewriter.changed();
}

}  // namespace rondo::passes
