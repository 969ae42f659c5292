#include "transformations/recurrent/passes.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/extents/full_lengths.hpp"
#include "core/graph/constants.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "transformations/analysis/slices.hpp"
#include "transformations/analysis/step_values.hpp"
#include "transformations/analysis/views.hpp"
#include "transformations/pass/formula.hpp"

namespace rondo::passes {
namespace {

using ops::RecurrentOp;

// The most ops that are followed from Y to the last step.
constexpr int kMaxSteps = 16;

enum class Axis { rows, directions, time, units };
using Group = std::vector<Axis>;

// What a value holds of Y.
struct Part {
    Output value;
    std::vector<Group> axes = {};               // those of Y that each axis consists of
    std::optional<std::size_t> direction = {};  // nothing: all
    bool is_first = false, is_last = false;     // the step; neither: all
    bool may_be_empty = false;                  // where T is 0

    bool is_step() const { return is_first || is_last; }
};

// Neighbours on an axis; a start below 0 counts from the end.
struct Range {
    std::int64_t start = 0;
    std::int64_t length = 1;
};

// Reads what one op makes of a part.
class PartReader {
public:
    explicit PartReader(std::int64_t units) : units_(units) {}

    std::optional<Part> behind(Part part, const Output& output) const {
        if (!output.shape().has_rank() || !change(part, output)) return {};
        part.value = output;
        return part;
    }

private:
    bool change(Part& part, const Output& output) const {
        const Node& node = output.node();
        if (const auto order = order_of(node)) return transpose(part, *order);
        if (const auto* op = as_op<ops::Reshape>(node)) return merge(part, *op);
        if (node.traits().view) return view(part, node);
        if (const auto axis = gathered_axis(node)) return gather(part, *axis, node.input(1));
        if (const auto* op = as_op<ops::Slice>(node)) return slice(part, *op);
        if (const auto* op = as_op<ops::StridedSlice>(node)) return cut(part, *op);
        return node.traits().cuts && split(part, output);
    }

    static bool transpose(Part& part, const AxisOrder& order) {
        std::vector<Group> moved;
        for (const std::size_t axis : order) moved.push_back(part.axes[axis]);
        part.axes = std::move(moved);
        return true;
    }

    static bool merge(Part& part, const ops::Reshape& node) {
        const auto counts = node.merged_axis_counts();
        if (!counts || part.may_be_empty) return false;
        std::vector<Group> merged;
        std::size_t next = 0;
        for (const std::size_t count : *counts) {
            merged.emplace_back();
            for (const std::size_t end = next + count; next < end; ++next) {
                merged.back().insert(merged.back().end(), part.axes[next].begin(),
                                     part.axes[next].end());
            }
        }
        part.axes = std::move(merged);
        return true;
    }

    // Squeeze, which refuses an axis without elements, or Unsqueeze.
    static bool view(Part& part, const Node& node) {
        const auto axes = view_axes(node);
        if (!axes) return false;
        const PartialShape& data = part.value.shape();
        if (node.output_shape(0).rank() > data.rank()) {
            for (const std::size_t axis : *axes) insert(part, axis);
            return true;
        }
        for (auto axis = axes->rbegin(); axis != axes->rend(); ++axis) {
            const bool is_one = data[*axis] == Dimension(1);
            if (!is_one && !part.axes[*axis].empty()) return false;
            if (!is_one) part.may_be_empty = false;
            remove(part, *axis);
        }
        return true;
    }

    static void insert(Part& part, std::size_t axis) {
        part.axes.insert(part.axes.begin() + static_cast<std::ptrdiff_t>(axis), Group());
    }

    static void remove(Part& part, std::size_t axis) {
        const Group& group = part.axes[axis];
        const bool is_time = std::find(group.begin(), group.end(), Axis::time) != group.end();
        if (is_time) part.is_first = part.is_last = true;  // the only one
        part.axes.erase(part.axes.begin() + static_cast<std::ptrdiff_t>(axis));
    }

    bool gather(Part& part, std::size_t axis, const Output& index) const {
        const auto place = constant_ints(index);
        if (!place || place->size() != 1 || index.shape().rank() > 1) return false;  // an axis more
        if (!take(part, axis, {place->front(), 1})) return false;
        part.may_be_empty = false;  // it refuses what has no such element
        if (index.shape().rank() == 0) remove(part, axis);
        return true;
    }

    bool slice(Part& part, const ops::Slice& node) const {
        const auto requests = ops::slice_requests(context_of(node));
        if (!requests) return false;
        for (std::size_t axis = 0; axis < requests->size(); ++axis) {
            if (!take_asked(part, axis, (*requests)[axis])) return false;
        }
        return true;
    }

    bool cut(Part& part, const ops::StridedSlice& node) const {
        using Kind = ops::StridedSlicePart::Kind;
        const auto parts = ops::strided_slice_parts(context_of(node), node.masks());
        if (!parts) return false;
        std::vector<std::size_t> removed;
        std::size_t axis = 0;
        for (const auto& one : *parts) {
            if (one.kind == Kind::new_axis || axis == part.axes.size()) return false;
            if (one.kind == Kind::cut && !take_asked(part, axis, one.request)) return false;
            if (one.kind == Kind::shrink) {
                if (!one.request.start || !take(part, axis, {*one.request.start, 1})) {
                    return false;
                }
                removed.push_back(axis);
            }
            ++axis;
        }
        for (auto one = removed.rbegin(); one != removed.rend(); ++one) remove(part, *one);
        return true;
    }

    bool split(Part& part, const Output& output) const {
        const auto found = axis_part(output);
        if (!found) return false;
        const std::int64_t extent = part.value.shape()[found->axis].length();
        const std::int64_t stop = found->stop == AxisPart::kEnd ? extent : found->stop;
        return take(part, found->axis, {found->start, stop - found->start});
    }

    bool take_asked(Part& part, std::size_t axis, const ops::SliceRequest& request) const {
        if (ops::takes_all(request)) return true;
        if (!request.start || !request.stop || !request.step) return false;
        const Dimension& extent = part.value.shape()[axis];
        if (extent.is_static()) {
            const ops::SliceRange range = ops::resolve(request, extent.length());
            if (range.step != 1) return false;
            if (range.start == 0 && range.length == extent.length()) return true;
            return take(part, axis, {range.start, range.length});
        }
        const bool is_last = request.start == -1 && *request.stop >= ops::kSliceEnd - 1;
        const bool is_first = request.start == 0 && request.stop == 1;
        if (request.step != 1 || (!is_last && !is_first)) return false;
        part.may_be_empty |= extent.min() < 1;
        return take(part, axis, {*request.start, 1});
    }

    bool take(Part& part, std::size_t axis, Range range) const {
        const Dimension& extent = part.value.shape()[axis];
        if (range.start < 0 && extent.is_static()) range.start += extent.length();
        if (extent.is_static() &&
            (range.start < 0 || range.length < 1 || range.start + range.length > extent.length())) {
            return false;
        }
        Group& group = part.axes[axis];
        if (group.empty()) return range.length == 1;
        if (group == Group{Axis::time}) return take_step(part, group, extent, range);
        if (group.front() != Axis::directions || part.direction) return false;
        const std::int64_t width = group.size() == 1 ? 1 : units_;
        if (group.size() > 2 || (group.size() == 2 && group[1] != Axis::units)) return false;
        if (range.length != width || range.start % width != 0) return false;
        part.direction = static_cast<std::size_t>(range.start / width);
        group.erase(group.begin());
        return true;
    }

    static bool take_step(Part& part, Group& group, const Dimension& extent, const Range& range) {
        if (range.length != 1) return false;
        part.is_first = range.start == 0;
        part.is_last =
            range.start == -1 || (extent.is_static() && range.start == extent.length() - 1);
        group.clear();
        return part.is_step();
    }

    std::int64_t units_;
};

class LastStates {
public:
    LastStates(Rewriter& rewriter, RecurrentOp& op) : rewriter_(rewriter), op_(op) {}

    void rewrite() {
        const PartialShape& y = op_.output_shape(0);
        if (!op_.is_sequence() || !y.has_rank() || !y[3].is_static() || y[3].length() == 0) return;
        if (!lengths_are_full(op_)) return;
        Part whole{op_.output(0), {{Axis::rows}, {Axis::directions}, {Axis::time}, {Axis::units}}};
        if (op_.num_directions() == 1) {
            whole.axes[1].clear();
            whole.direction = 0;
        }
        follow(whole, PartReader(y[3].length()), kMaxSteps);
        for (const Part& part : found_) replace(part);
    }

private:
    void follow(const Part& part, const PartReader& reader, int left) {
        if (left == 0) return;
        for (const Consumer& consumer : part.value.consumers()) {
            if (consumer.input != 0) continue;
            for (std::size_t i = 0; i < consumer.node->output_count(); ++i) {
                const auto next = reader.behind(part, consumer.node->output(i));
                if (!next) continue;
                if (is_last_state(*next)) {
                    found_.push_back(*next);
                } else {
                    follow(*next, reader, left - 1);
                }
            }
        }
    }

    bool is_last_state(const Part& part) const {
        if (!part.direction || !part.is_step() || part.may_be_empty) return false;
        const ops::Direction direction = op_.attributes().direction;
        const bool is_reverse = direction == ops::Direction::reverse || *part.direction == 1;
        return (is_reverse ? part.is_first : part.is_last) && pattern_for(part.value.shape()) &&
               !part.value.consumers().empty();
    }

    void replace(const Part& part) {
        Formula by(rewriter_, part.value.node().name());
        Output state = op_.output(1);
        if (op_.num_directions() > 1) {
            state = by.element(state, 1, static_cast<std::int64_t>(*part.direction));
        }
        if (part.axes == std::vector<Group>{{Axis::rows}, {Axis::units}}) {
            return rewriter_.replace(part.value, by.squeeze(state, {1}));
        }
        Group order;
        for (const Group& group : part.axes) order.insert(order.end(), group.begin(), group.end());
        if (order == Group{Axis::units, Axis::rows}) state = by.transpose(state, {2, 1, 0});
        rewriter_.replace(part.value, by.make<ops::Reshape>(
                                          state, by.ints(*pattern_for(part.value.shape())), false));
    }

    Rewriter& rewriter_;
    RecurrentOp& op_;
    std::vector<Part> found_;
};

}  // namespace

bool take_last_states(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<RecurrentOp>([&](const auto& op) { LastStates(rewriter, *op).rewrite(); });
    return rewriter.changed();
}

}  // namespace rondo::passes
