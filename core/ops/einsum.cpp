#include "core/ops/einsum.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>

#include "core/ops/common/extents.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/einsum_equation.hpp"
#include "rondo/error.hpp"

namespace rondo::ops {
namespace {

// An axis of some tensor, for its extent.
struct AxisOf {
    Output tensor;
    std::size_t axis = 0;
};

// Axes whose extents are multiplied; none give 1.
using AxisGroup = std::vector<AxisOf>;

// The extent of an axis; open if the rank isn't known.
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
        product = saturating_multiply(product, extent.length());
    }
    if (product == Dimension::kInfinity) return std::nullopt;
    return product;
}

// 0 copies an extent, -1 is what is left; empty if more than one group would need -1.
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
Output computed_extent(Builder& by, const AxisGroup& group) {
    if (const auto known = known_extent(group)) return by.ints({*known});
    Output product;
    for (const AxisOf& axis : group) {
        const Output extent = by.run_extent(axis.tensor, static_cast<std::int64_t>(axis.axis));
        product = product ? by.multiply(product, extent) : extent;
    }
    return product;
}

// i64 [number of groups], computed when the model runs if an extent is open.
Output make_extents(Builder& by, const std::vector<AxisGroup>& groups) {
    std::vector<Output> extents;
    for (const AxisGroup& group : groups) extents.push_back(computed_extent(by, group));
    return by.concat(extents, 0);
}

// `data` with one axis for each group; refused, at the latest when it runs, if the groups are
// not all of the data.
Output reshape_exactly(Builder& by, const Output& data, const std::vector<AxisGroup>& groups) {
    return by.reshape_to(data, make_extents(by, groups));
}

// The same; one axis may get what the others leave.
Output reshape_to_groups(Builder& by, const Output& data, const std::vector<AxisGroup>& groups) {
    const auto pattern = known_pattern(data, groups);
    return pattern ? by.reshape(data, *pattern) : reshape_exactly(by, data, groups);
}

using Labels = EinsumLabels;

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
        if (!has_label(b.labels, label)) {
            meeting.left.push_back(label);
        } else {
            (has_label(needed, label) ? meeting.batch : meeting.summed).push_back(label);
        }
    }
    for (const EinsumLabel label : b.labels) {
        if (!has_label(a.labels, label)) meeting.right.push_back(label);
    }
    return meeting;
}

class EinsumMaker {
public:
    explicit EinsumMaker(Builder& by) : by_(by) {}

    Output make(const EinsumEquation& equation, const std::vector<Output>& inputs) {
        std::vector<Operand> operands;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            operands.push_back(diagonal({inputs[i], equation.inputs[i]}));
        }
        Operand all = operands.front();
        for (std::size_t i = 1; i < operands.size(); ++i) {
            Labels needed = equation.output;
            for (std::size_t k = i + 1; k < operands.size(); ++k) {
                needed = joined_labels(needed, operands[k].labels);
            }
            all = joined_pair(all, operands[i], needed);
        }
        all = summed(all, equation.output);
        return ordered(all, equation.output);
    }

private:
    // Without the labels that aren't among `kept`, which are summed over.
    Operand summed(const Operand& operand, const Labels& kept) {
        Labels left;
        std::vector<std::int64_t> axes;
        for (std::size_t i = 0; i < operand.labels.size(); ++i) {
            if (has_label(kept, operand.labels[i])) {
                left.push_back(operand.labels[i]);
            } else {
                axes.push_back(static_cast<std::int64_t>(i));
            }
        }
        if (axes.empty()) return operand;
        return {by_.reduce(ReduceFunction::sum, operand.value, axes, false), left};
    }

    Output ordered(const Operand& operand, const Labels& order) {
        if (operand.labels == order) return operand.value;
        std::vector<std::int64_t> axes;
        for (const EinsumLabel label : order) {
            axes.push_back(static_cast<std::int64_t>(operand.axis(label)));
        }
        return by_.transpose(operand.value, axes);
    }

    // Takes a diagonal for each label that occurs again.
    Operand diagonal(Operand operand) {
        while (const auto next = next_diagonal(operand.labels)) {
            const Output square = by_.transpose(operand.value, next->order);
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
            step = by_.ints({extent->length() + 1});
        } else {
            step = by_.add(by_.run_extent(square, axis + 1), by_.ints({1}));
        }
        const Output flat = flattened(square, at);
        return by_.make<Slice>(flat, by_.ints({0}),
                               by_.ints({std::numeric_limits<std::int64_t>::max()}), step,
                               by_.ints({axis}));
    }

    // [..., n * n] of [..., n, n] with `front` axes in front. Refused if it is no square.
    Output flattened(const Output& square, std::size_t front) {
        std::vector<AxisGroup> groups;
        for (std::size_t i = 0; i < front; ++i) groups.push_back({{square, i}});
        groups.push_back({{square, front + 1}, {square, front + 1}});
        const bool is_square =
            extent_of({square, front}).is_static() && extent_of({square, front + 1}).is_static();
        return is_square ? reshape_to_groups(by_, square, groups)
                         : reshape_exactly(by_, square, groups);
    }

    // Both operands as one, with the labels that are in one alone or needed.
    Operand joined_pair(Operand a, Operand b, const Labels& needed) {
        a = summed(a, joined_labels(needed, b.labels));
        b = summed(b, joined_labels(needed, a.labels));
        const Operand whole_a = a;
        a = without_ones(a, b, needed);
        b = without_ones(b, whole_a, needed);
        a = summed(a, joined_labels(needed, b.labels));
        b = summed(b, joined_labels(needed, a.labels));
        const Meeting meeting = meeting_of(a, b, needed);
        return meeting.summed.empty() ? multiplied(a, b, meeting) : contracted(a, b, meeting);
    }

    // Drops axes of extent 1 that would be summed over with longer ones.
    Operand without_ones(const Operand& operand, const Operand& other, const Labels& needed) {
        Labels left;
        std::vector<std::int64_t> axes;
        for (std::size_t i = 0; i < operand.labels.size(); ++i) {
            const EinsumLabel label = operand.labels[i];
            const bool drops = !has_label(needed, label) && has_label(other.labels, label) &&
                               operand.extent(label) == Dimension(1) &&
                               other.extent(label) != Dimension(1);
            if (drops) {
                axes.push_back(static_cast<std::int64_t>(i));
            } else {
                left.push_back(label);
            }
        }
        if (axes.empty()) return operand;
        return {by_.squeeze(operand.value, axes), left};
    }

    // Nothing is summed over: elements are multiplied, and broadcast.
    Operand multiplied(const Operand& a, const Operand& b, const Meeting& meeting) {
        const Labels front = joined_labels(meeting.batch, meeting.left);
        Output left = ordered(a, front);
        Output right = ordered(b, joined_labels(meeting.batch, meeting.right));
        left = with_axes(left, front.size(), meeting.right.size());
        right = with_axes(right, meeting.batch.size(), meeting.left.size());
        return {by_.multiply(left, right), joined_labels(front, meeting.right)};
    }

    // New axes of extent 1 from `first` on.
    Output with_axes(const Output& value, std::size_t first, std::size_t count) {
        if (count == 0) return value;
        std::vector<std::int64_t> axes(count);
        std::iota(axes.begin(), axes.end(), static_cast<std::int64_t>(first));
        return by_.unsqueeze(value, axes);
    }

    // With the open extents of summed axes as long as the other operand's; refused at run time
    // if neither is 1.
    Operand repeated(const Operand& operand, const Operand& other, const Labels& summed) {
        std::vector<AxisGroup> target;
        bool is_open = false;
        for (const EinsumLabel label : operand.labels) {
            const bool is_summed = has_label(summed, label);
            const bool is_repeated = is_summed && !operand.extent(label).is_static();
            target.push_back(is_repeated ? other.group({label}) : AxisGroup());
            is_open = is_open || is_repeated;
        }
        if (!is_open) return operand;
        return {by_.make<Broadcast>(operand.value, make_extents(by_, target),
                                    BroadcastMode::bidirectional),
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
        const Output matrix =
            is_transposed ? by_.product_transposed(left, right) : by_.product(left, right);
        std::vector<AxisGroup> groups;
        for (std::size_t i = 0; i < meeting.batch.size(); ++i) groups.push_back({{matrix, i}});
        for (const EinsumLabel label : meeting.left) groups.push_back(a.group({label}));
        for (const EinsumLabel label : meeting.right) groups.push_back(b.group({label}));
        const bool is_whole = meeting.left.size() == 1 && meeting.right.size() == 1;
        return {is_whole ? matrix : reshape_to_groups(by_, matrix, groups),
                joined_labels(joined_labels(meeting.batch, meeting.left), meeting.right)};
    }

    // [batch..., rows, columns].
    Output matrices(const Operand& operand, const Labels& batch, const Labels& rows,
                    const Labels& columns) {
        const Operand moved{ordered(operand, joined_labels(joined_labels(batch, rows), columns)),
                            joined_labels(joined_labels(batch, rows), columns)};
        if (rows.size() == 1 && columns.size() == 1) return moved.value;
        std::vector<AxisGroup> groups;
        for (const EinsumLabel label : batch) groups.push_back(moved.group({label}));
        groups.push_back(moved.group(rows));
        groups.push_back(moved.group(columns));
        return reshape_to_groups(by_, moved.value, groups);
    }

    Builder& by_;
};

}  // namespace

Output einsum(Builder& by, const std::string& equation, const std::vector<Output>& inputs) {
    std::vector<std::optional<std::size_t>> ranks;
    for (const Output& input : inputs) {
        const PartialShape& shape = input.shape();
        ranks.push_back(shape.has_rank() ? std::optional(shape.rank()) : std::nullopt);
    }
    return EinsumMaker(by).make(parse_einsum(equation, ranks), inputs);
}

}  // namespace rondo::ops
