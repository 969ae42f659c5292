#include "transformations/analysis/make_shape.hpp"

#include <algorithm>
#include <optional>

#include "core/extents/extent_origin.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"

namespace rondo::passes {
namespace {

bool is_read_from_shape(const Output& vector) {
    const auto* gather = as_op<ops::Gather>(vector.node());
    return gather != nullptr && vector.element_type() == ElementType::i64 &&
           as_op<ops::ShapeOf>(gather->input(0).node()) != nullptr;
}

// Neighbours that one node makes: numbers, or extents of one tensor.
struct Run {
    Output tensor = {};  // empty: numbers
    std::vector<std::int64_t> ints = {};
};

std::vector<Run> runs_of(const std::vector<ShapeElement>& elements) {
    std::vector<Run> runs;
    for (const ShapeElement& element : elements) {
        ExtentOrigin origin;
        if (!element.number) origin = origin_of_extent(element.tensor, element.axis);
        if (runs.empty() || runs.back().tensor != origin.source) runs.push_back({origin.source});
        runs.back().ints.push_back(element.number ? *element.number
                                                  : static_cast<std::int64_t>(origin.axis));
    }
    return runs;
}

}  // namespace

Output make_shape(Rewriter& rewriter, const std::vector<ShapeElement>& elements,
                  const std::string& name) {
    std::vector<Output> parts;
    for (const Run& run : runs_of(elements)) {
        if (!run.tensor) {
            parts.push_back(rewriter.make_ints(name + "/numbers", run.ints));
            continue;
        }
        const Output shape = rewriter.make<ops::ShapeOf>(name + "/shape", run.tensor);
        parts.push_back(rewriter.make<ops::Gather>(
            name + "/extents", shape, rewriter.make_ints(name + "/axes", run.ints),
            rewriter.make_scalar(name + "/axis", std::int64_t{0})));
    }
    if (parts.empty()) return rewriter.make_ints(name + "/numbers", {});
    if (parts.size() == 1) return parts.front();
    return rewriter.make<ops::Concat>(name, std::move(parts), 0);
}

bool is_made_shape(const Output& vector) {
    if (known_value(vector) || is_read_from_shape(vector)) return true;
    const auto* concat = as_op<ops::Concat>(vector.node());
    return concat != nullptr &&
           std::all_of(concat->inputs().begin(), concat->inputs().end(), [](const Output& part) {
               return known_value(part) || is_read_from_shape(part);
           });
}

}  // namespace rondo::passes
