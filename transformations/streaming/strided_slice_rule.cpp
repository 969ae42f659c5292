// Makes a StridedSlice that leaves time whole, or is a Slice, work on chunks.
#include <algorithm>
#include <limits>

#include "core/graph/constants.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "transformations/streaming/time_rules.hpp"

namespace rondo::passes {
namespace {

using SliceParts = std::vector<ops::StridedSlicePart>;
using PartKind = ops::StridedSlicePart::Kind;

// The part of an axis of data, and its place in the output.
struct Found {
    std::size_t part = 0;
    std::size_t place = 0;
};

Found find_axis(const SliceParts& parts, std::size_t axis) {
    Found found;
    std::size_t passed = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        found.part = i;
        if (parts[i].kind != PartKind::new_axis && passed++ == axis) break;
        if (parts[i].kind != PartKind::shrink) ++found.place;
    }
    return found;
}

bool is_whole(const ops::StridedSlicePart& part) {
    return part.kind == PartKind::cut && ops::takes_all(part.request);
}

// The equal Slice. Returns nothing if axes are inserted or removed, or if a number isn't known.
std::optional<NodePtr> as_slice(TimeWalk& walk, const Node& node, const SliceParts& parts) {
    std::vector<std::int64_t> start;
    std::vector<std::int64_t> stop;
    std::vector<std::int64_t> step;
    std::vector<std::int64_t> axes;
    for (const auto& [kind, request] : parts) {
        if (kind != PartKind::cut) return {};
        if (!request.start || !request.stop || !request.step) return {};
        start.push_back(*request.start);
        stop.push_back(*request.stop);
        step.push_back(*request.step);
        axes.push_back(static_cast<std::int64_t>(axes.size()));
    }
    Rewriter& rewriter = walk.rewriter();
    const std::string name = node.name() + "/slice";
    return rewriter.make<ops::Slice>(name, node.input(0), rewriter.make_ints(name, start),
                                     rewriter.make_ints(name, stop), rewriter.make_ints(name, step),
                                     rewriter.make_ints(name, axes));
}

}  // namespace

void strided_slice_rule(TimeWalk& walk, const NodePtr& node) {
    const auto& op = static_cast<const ops::StridedSlice&>(*node);
    TimeFact fact = walk.fact(node->input(0));
    if (!fact.is_frames() || fact.reshaped || !node->input(0).shape().has_rank()) {
        return rows_rule(walk, node);
    }
    const auto parts = ops::strided_slice_parts(context_of(*node), op.masks());
    if (!parts) walk.refuse(*node, "cuts axes that aren't known");
    const Found time = find_axis(*parts, fact.axis);
    if (is_whole((*parts)[time.part])) {
        node->validate();
        fact.axis = time.place;
        return walk.set_all(node, fact);
    }
    const auto slice = as_slice(walk, *node, *parts);
    if (!slice) walk.refuse(*node, "cuts time where axes come or go");
    // The name first: errors are to name the node that there was.
    walk.rewriter().replace(node->output(0), *slice);
    slice_rule(walk, *slice);
}

}  // namespace rondo::passes
