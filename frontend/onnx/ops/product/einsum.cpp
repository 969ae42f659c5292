// Converts Einsum: tensors are joined from left to right, each time as one product of matrices.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "core/ops/common/extents.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/broadcast.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "core/ops/product/einsum_equation.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/reduction/reduce.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/product/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// An axis of some tensor, for its extent.
struct AxisOf {
    Output tensor;
    std::size_t axis = 0;
};

// Axes whose extents are multiplied; none give 1.
using AxisGroup = std::vector<AxisOf>;

// The extent of an axis; open where the rank isn't known.
Dimension extent_of(const AxisOf& axis) {
    const PartialShape& shape = axis.tensor.shape();
    return shape.has_rank() ? shape[axis.axis] : Dimension();
}

// The product, or nothing while an extent is open.
std::optional<std::int64_t> known_extent(const AxisGroup& group) {
    std::int64_t product = 1;
    for (const AxisOf& axis : group) {
        const Dimension extent = extent_of(axis);
        if (!extent.is_static()) return std::nullopt;
        product = ops::saturating_multiply(product, extent.length());
    }
    if (product == Dimension::kInfinity) return std::nullopt;
    return product;
}

// 0 copies an extent, -1 is what is left; nothing where more than one group would need -1.
std::optional<std::vector<std::int64_t>> known_pattern(const Output& data,
                                                       const std::vector<AxisGroup>& groups) {
    std::vector<std::int64_t> pattern;
    bool has_rest = false;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const AxisGroup& group = groups[i];
        const bool is_copied = group.size() == 1 && group[0].tensor == data && group[0].axis == i;
        const std::int64_t extent = known_extent(group).value_or(0);
        if (is_copied || extent != 0) {
            pattern.push_back(is_copied ? 0 : extent);
        } else if (has_rest) {
            return std::nullopt;
        } else {
            pattern.push_back(-1);
            has_rest = true;
        }
    }
    return pattern;
}

// i64 [1], computed when the model runs.
Output computed_extent(NodeContext& context, const std::string& role, const AxisGroup& group) {
    if (const auto known = known_extent(group)) return make_ints(context, role, {*known});
    Output product;
    for (const AxisOf& axis : group) {
        const Output extent = make_element(context, role + "/extent",
                                           make_shape_of(context, role + "/shape", axis.tensor),
                                           static_cast<std::int64_t>(axis.axis));
        product = product ? Output(context.make<ops::Binary>(
                                role + "/product", ops::BinaryFunction::multiply, product, extent))
                          : extent;
    }
    return product;
}

// i64 [number of groups], computed when the model runs where an extent is open. `role` names the
// ops.
Output make_extents(NodeContext& context, const std::string& role,
                    const std::vector<AxisGroup>& groups) {
    std::vector<Output> extents;
    for (const AxisGroup& group : groups) extents.push_back(computed_extent(context, role, group));
    return make_concat(context, role, extents, 0);
}

// `data` with one axis for each group; refused, at the latest when it runs, where the groups are
// not all of the data. `role` names the op.
Output reshape_exactly(NodeContext& context, const std::string& role, const Output& data,
                       const std::vector<AxisGroup>& groups) {
    return context.make<ops::Reshape>(role, data, make_extents(context, role + "/pattern", groups),
                                      false);
}

// The same; one axis may get what the others leave.
Output reshape_to_groups(NodeContext& context, const std::string& role, const Output& data,
                         const std::vector<AxisGroup>& groups) {
    if (const auto pattern = known_pattern(data, groups)) {
        return make_reshape(context, role, data, *pattern);
    }
    return reshape_exactly(context, role, data, groups);
}

using ops::EinsumEquation;
using ops::EinsumLabel;
using Labels = ops::EinsumLabels;

// A tensor whose labels all differ, once its diagonals are taken.
struct Operand {
    Output value;
    Labels labels;

    std::size_t axis(EinsumLabel label) const {
        const auto at = std::find(labels.begin(), labels.end(), label);
        return static_cast<std::size_t>(at - labels.begin());
    }
    Dimension extent(EinsumLabel label) const { return extent_of({value, axis(label)}); }
    AxisGroup group(const Labels& some) const {
        AxisGroup axes;
        for (const EinsumLabel label : some) axes.push_back({value, axis(label)});
        return axes;
    }
};

// How the labels of two operands meet.
struct Meeting {
    Labels batch;   // in both, and needed later
    Labels summed;  // in both, and not needed later
    Labels left;    // in the first alone
    Labels right;   // in the second alone
};

Meeting meeting_of(const Operand& a, const Operand& b, const Labels& needed) {
    Meeting meeting;
    for (const EinsumLabel label : a.labels) {
        if (!ops::has_label(b.labels, label)) {
            meeting.left.push_back(label);
        } else {
            (ops::has_label(needed, label) ? meeting.batch : meeting.summed).push_back(label);
        }
    }
    for (const EinsumLabel label : b.labels) {
        if (!ops::has_label(a.labels, label)) meeting.right.push_back(label);
    }
    return meeting;
}

class EinsumMaker {
public:
    explicit EinsumMaker(NodeContext& context) : context_(context) {}

    Output make(const EinsumEquation& equation, const std::vector<Output>& inputs) {
        std::vector<Operand> operands;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            operands.push_back(diagonal({inputs[i], equation.inputs[i]}));
        }
        Operand all = operands.front();
        for (std::size_t i = 1; i < operands.size(); ++i) {
            Labels needed = equation.output;
            for (std::size_t k = i + 1; k < operands.size(); ++k) {
                needed = ops::joined_labels(needed, operands[k].labels);
            }
            all = joined_pair(all, operands[i], needed);
        }
        all = summed(all, equation.output);
        return ordered(all, equation.output);
    }

private:
    std::string role() { return "part_" + std::to_string(parts_++); }
    Output ints(const std::vector<std::int64_t>& values) {
        return make_ints(context_, role(), values);
    }

    // Without the labels that aren't among `kept`, which are summed over.
    Operand summed(const Operand& operand, const Labels& kept) {
        Labels left;
        std::vector<std::int64_t> axes;
        for (std::size_t i = 0; i < operand.labels.size(); ++i) {
            if (ops::has_label(kept, operand.labels[i])) {
                left.push_back(operand.labels[i]);
            } else {
                axes.push_back(static_cast<std::int64_t>(i));
            }
        }
        if (axes.empty()) return operand;
        return {context_.make<ops::Reduce>(role(), ops::ReduceFunction::sum, operand.value,
                                           ints(axes), false),
                left};
    }

    Output ordered(const Operand& operand, const Labels& order) {
        if (operand.labels == order) return operand.value;
        std::vector<std::int64_t> axes;
        for (const EinsumLabel label : order) {
            axes.push_back(static_cast<std::int64_t>(operand.axis(label)));
        }
        return make_transpose(context_, role(), operand.value, axes);
    }

    // Takes a diagonal for each label that stands again.
    Operand diagonal(Operand operand) {
        while (const auto next = ops::next_diagonal(operand.labels)) {
            const Output square = make_transpose(context_, role(), operand.value, next->order);
            operand = {diagonal_at(square, next->order.size() - 2), next->labels};
        }
        return operand;
    }

    // [..., n, n] with `at` axes in front: each (n + 1)-th element of [..., n * n].
    Output diagonal_at(const Output& square, std::size_t at) {
        const AxisOf rows{square, at}, columns{square, at + 1};
        const auto extent = extent_of(rows).intersect(extent_of(columns));
        if (!extent) {
            throw ModelError("an input has the extents " + to_string(extent_of(rows)) + " and " +
                             to_string(extent_of(columns)) +
                             " on axes of the same letter; expected equal ones");
        }
        const auto axis = static_cast<std::int64_t>(at);
        Output step;
        if (extent->is_static()) {
            step = ints({extent->length() + 1});
        } else {
            const Output shape = make_shape_of(context_, role(), square);
            step = make_sum(context_, role(), make_element(context_, role(), shape, axis + 1),
                            ints({1}));
        }
        const Output flat = flattened(square, at);
        return context_.make<ops::Slice>(role(), flat, ints({0}),
                                         ints({std::numeric_limits<std::int64_t>::max()}), step,
                                         ints({axis}));
    }

    // [..., n * n] of [..., n, n] with `front` axes in front. Refused where it is no square.
    Output flattened(const Output& square, std::size_t front) {
        std::vector<AxisGroup> groups;
        for (std::size_t i = 0; i < front; ++i) groups.push_back({{square, i}});
        groups.push_back({{square, front + 1}, {square, front + 1}});
        const bool is_square =
            extent_of({square, front}).is_static() && extent_of({square, front + 1}).is_static();
        return is_square ? reshape_to_groups(context_, role(), square, groups)
                         : reshape_exactly(context_, role(), square, groups);
    }

    // Both operands as one, with the labels that are in one alone or needed.
    Operand joined_pair(Operand a, Operand b, const Labels& needed) {
        a = summed(a, ops::joined_labels(needed, b.labels));
        b = summed(b, ops::joined_labels(needed, a.labels));
        const Operand whole_a = a;
        a = without_ones(a, b, needed);
        b = without_ones(b, whole_a, needed);
        a = summed(a, ops::joined_labels(needed, b.labels));
        b = summed(b, ops::joined_labels(needed, a.labels));
        const Meeting meeting = meeting_of(a, b, needed);
        return meeting.summed.empty() ? multiplied(a, b, meeting) : contracted(a, b, meeting);
    }

    // Drops axes of extent 1 that would be summed over with longer ones.
    Operand without_ones(const Operand& operand, const Operand& other, const Labels& needed) {
        Labels left;
        std::vector<std::int64_t> axes;
        for (std::size_t i = 0; i < operand.labels.size(); ++i) {
            const EinsumLabel label = operand.labels[i];
            const bool drops =
                !ops::has_label(needed, label) && ops::has_label(other.labels, label) &&
                operand.extent(label) == Dimension(1) && other.extent(label) != Dimension(1);
            if (drops) {
                axes.push_back(static_cast<std::int64_t>(i));
            } else {
                left.push_back(label);
            }
        }
        if (axes.empty()) return operand;
        return {context_.make<ops::Squeeze>(role(), operand.value, ints(axes)), left};
    }

    // Nothing is summed over: elements are multiplied, and broadcast.
    Operand multiplied(const Operand& a, const Operand& b, const Meeting& meeting) {
        const Labels front = ops::joined_labels(meeting.batch, meeting.left);
        Output left = ordered(a, front);
        Output right = ordered(b, ops::joined_labels(meeting.batch, meeting.right));
        left = with_axes(left, front.size(), meeting.right.size());
        right = with_axes(right, meeting.batch.size(), meeting.left.size());
        return {context_.make<ops::Binary>("", ops::BinaryFunction::multiply, left, right),
                ops::joined_labels(front, meeting.right)};
    }

    // New axes of extent 1 from `first` on.
    Output with_axes(const Output& value, std::size_t first, std::size_t count) {
        if (count == 0) return value;
        std::vector<std::int64_t> axes(count);
        std::iota(axes.begin(), axes.end(), static_cast<std::int64_t>(first));
        return context_.make<ops::Unsqueeze>(role(), value, ints(axes));
    }

    // With the open extents of summed axes as long as the other operand's; refused at run time
    // where neither is 1.
    Operand repeated(const Operand& operand, const Operand& other, const Labels& summed) {
        std::vector<AxisGroup> target;
        bool is_open = false;
        for (const EinsumLabel label : operand.labels) {
            const bool is_summed = ops::has_label(summed, label);
            const bool is_repeated = is_summed && !operand.extent(label).is_static();
            target.push_back(is_repeated ? other.group({label}) : AxisGroup());
            is_open = is_open || is_repeated;
        }
        if (!is_open) return operand;
        const Output extents = make_extents(context_, role(), target);
        return {context_.make<ops::Broadcast>(role(), operand.value, extents,
                                              ops::BroadcastMode::bidirectional),
                operand.labels};
    }

    static void check_summed(const Operand& a, const Operand& b, const Labels& summed) {
        for (const EinsumLabel label : summed) {
            const Dimension one = a.extent(label);
            const Dimension other = b.extent(label);
            if (!one.is_static() || !other.is_static() || one == other) continue;
            throw ModelError("axes of the same letter have the extents " + to_string(one) +
                             " and " + to_string(other) + "; expected equal ones, or 1");
        }
    }

    // A product of matrices compares the lengths of summed axes. Several are one axis to it, so
    // that each has to be as long in both operands.
    Operand contracted(const Operand& a, const Operand& b, const Meeting& meeting) {
        check_summed(a, b, meeting.summed);
        if (meeting.summed.size() == 1) return product(a, b, meeting);
        return product(repeated(a, b, meeting.summed), repeated(b, a, meeting.summed), meeting);
    }

    // [batch..., left, summed] times [batch..., summed, right].
    Operand product(const Operand& a, const Operand& b, const Meeting& meeting) {
        const Output left = matrices(a, meeting.batch, meeting.left, meeting.summed);
        // As the operand has its axes: the product transposes without moving elements.
        const bool is_transposed =
            !meeting.right.empty() && b.axis(meeting.right[0]) < b.axis(meeting.summed[0]);
        const Output right = is_transposed
                                 ? matrices(b, meeting.batch, meeting.right, meeting.summed)
                                 : matrices(b, meeting.batch, meeting.summed, meeting.right);
        const auto node = std::make_shared<ops::MatMul>(left, right);
        node->set_transpose_b(is_transposed);
        const Output matrix = context_.finish(node, "");
        std::vector<AxisGroup> groups;
        for (std::size_t i = 0; i < meeting.batch.size(); ++i) groups.push_back({{matrix, i}});
        for (const EinsumLabel label : meeting.left) groups.push_back(a.group({label}));
        for (const EinsumLabel label : meeting.right) groups.push_back(b.group({label}));
        const bool is_whole = meeting.left.size() == 1 && meeting.right.size() == 1;
        return {is_whole ? matrix : reshape_to_groups(context_, role(), matrix, groups),
                ops::joined_labels(ops::joined_labels(meeting.batch, meeting.left), meeting.right)};
    }

    // [batch..., rows, columns].
    Output matrices(const Operand& operand, const Labels& batch, const Labels& rows,
                    const Labels& columns) {
        const Operand moved{
            ordered(operand, ops::joined_labels(ops::joined_labels(batch, rows), columns)),
            ops::joined_labels(ops::joined_labels(batch, rows), columns)};
        if (rows.size() == 1 && columns.size() == 1) return moved.value;
        std::vector<AxisGroup> groups;
        for (const EinsumLabel label : batch) groups.push_back(moved.group({label}));
        groups.push_back(moved.group(rows));
        groups.push_back(moved.group(columns));
        return reshape_to_groups(context_, role(), moved.value, groups);
    }

    NodeContext& context_;
    int parts_ = 0;
};

}  // namespace

std::vector<Output> convert_einsum(NodeContext& context) {
    const auto text = context.attributes().find_string("equation");
    if (!text) throw ModelError("attribute 'equation' is missing");
    const std::vector<Output> inputs = context.all_inputs(1);
    std::vector<std::optional<std::size_t>> ranks;
    for (const Output& input : inputs) {
        const PartialShape& shape = input.shape();
        ranks.push_back(shape.has_rank() ? std::optional(shape.rank()) : std::nullopt);
    }
    return {EinsumMaker(context).make(ops::parse_einsum(*text, ranks), inputs)};
}

}  // namespace rondo::onnx
