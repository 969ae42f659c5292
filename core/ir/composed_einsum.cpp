#include "core/ir/composed_ops.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>

#include "core/ops/elementwise/convert.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "core/ops/movement/transpose.hpp"
#include "core/ops/product/einsum_equation.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/reduction/reduce.hpp"
#include "core/support/limits.hpp"

namespace rondo::ir {
namespace {

using ops::EinsumLabel;
using Labels = ops::EinsumLabels;

// Stands for an axis of extent 1.
constexpr EinsumLabel kOne = -1;

struct Operand {
    Output value;
    Labels labels;
};

class EinsumMaker {
public:
    explicit EinsumMaker(Composition& by) : by_(by) {}

    Output make(const ops::EinsumEquation& equation) {
        Operand all = operand(0, equation);
        for (std::size_t i = 1; i < equation.inputs.size(); ++i) {
            Labels needed = equation.output;
            for (std::size_t k = i + 1; k < equation.inputs.size(); ++k) {
                needed = ops::joined_labels(needed, equation.inputs[k]);
            }
            all = joined_pair(all, operand(i, equation), needed);
        }
        const Output result = ordered(summed(all, equation.output), equation.output);
        // The layer needs a node of its own.
        return result == by_.input(0) ? by_.make<ops::Convert>(result, by_.type()) : result;
    }

private:
    // An input with each letter once: axes of the same one become their diagonal.
    Operand operand(std::size_t input, const ops::EinsumEquation& equation) {
        Operand result{by_.input(input), equation.inputs[input]};
        while (const auto next = ops::next_diagonal(result.labels)) {
            result = {diagonal(result.value, next->order), next->labels};
        }
        return result;
    }

    // The last two axes of that order, of n elements each, as one: every (n + 1)-th of n n
    // elements.
    Output diagonal(const Output& value, const std::vector<std::int64_t>& order) {
        const std::size_t last = order.size() - 2;
        const std::int64_t length =
            length_of_square(value.shape(), static_cast<std::size_t>(order[last]),
                             static_cast<std::size_t>(order[last + 1]));
        std::vector<std::int64_t> pattern(last, 0);  // kept as they are
        pattern.push_back(length * length);
        const Output square = by_.transpose(value, order);
        const Output flat = by_.make<ops::Reshape>(square, by_.ints(pattern), true);
        const Output end = by_.ints({std::numeric_limits<std::int64_t>::max()});
        return by_.make<ops::Slice>(flat, by_.ints({0}), end, by_.ints({length + 1}),
                                    by_.ints({static_cast<std::int64_t>(last)}));
    }

    static std::int64_t length_of_square(const PartialShape& shape, std::size_t a, std::size_t b) {
        const std::string twice = "attribute 'equation' has a letter twice in an input of shape " +
                                  to_string(shape) + "; expected ";
        if (!shape.has_rank() || !shape[a].is_static() || !shape[b].is_static()) {
            throw UnsupportedError(twice + "known extents there");
        }
        const std::int64_t length = shape[a].length();
        if (shape[b] != shape[a]) throw ModelError(twice + "equal extents there");
        if (length != 0 && length > static_cast<std::int64_t>(kMaxElements) / length) {
            throw UnsupportedError(twice + "fewer elements");
        }
        return length;
    }

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
        const Output sum =
            by_.make<ops::Reduce>(ops::ReduceFunction::sum, operand.value, by_.ints(axes), false);
        return {sum, left};
    }

    // The axes in that order; labels that the operand hasn't become axes of extent 1.
    Output ordered(const Operand& operand, const Labels& order) {
        std::vector<std::int64_t> axes, ones;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const auto at = std::find(operand.labels.begin(), operand.labels.end(), order[i]);
            if (at == operand.labels.end()) {
                ones.push_back(static_cast<std::int64_t>(i));
            } else {
                axes.push_back(std::distance(operand.labels.begin(), at));
            }
        }
        Output value = operand.value;
        if (!std::is_sorted(axes.begin(), axes.end())) {
            value = by_.transpose(value, axes);
        }
        return ones.empty() ? value : by_.make<ops::Unsqueeze>(value, by_.ints(ones));
    }

    Operand joined_pair(Operand a, Operand b, const Labels& needed) {
        a = summed(a, ops::joined_labels(needed, b.labels));
        b = summed(b, ops::joined_labels(needed, a.labels));
        Labels batch, left, right, inner;
        for (const EinsumLabel label : a.labels) {
            if (!ops::has_label(b.labels, label)) {
                left.push_back(label);
            } else {
                (ops::has_label(needed, label) ? batch : inner).push_back(label);
            }
        }
        for (const EinsumLabel label : b.labels) {
            if (!ops::has_label(a.labels, label)) right.push_back(label);
        }
        if (inner.size() == 1) return contracted(a, b, batch, left, right, inner[0]);
        const Labels all =
            ops::joined_labels(ops::joined_labels(ops::joined_labels(batch, left), right), inner);
        const Operand product{
            by_.apply(ops::BinaryFunction::multiply, ordered(a, all), ordered(b, all)), all};
        return summed(product, needed);
    }

    // One MatMul: all labels of one operand but the last lie in the batch, and broadcast.
    Operand contracted(const Operand& a, const Operand& b, Labels batch, Labels left, Labels right,
                       EinsumLabel inner) {
        const EinsumLabel row = take_last(left), column = take_last(right);
        batch = ops::joined_labels(ops::joined_labels(std::move(batch), left), right);
        const Output product =
            by_.make<ops::MatMul>(ordered(a, ops::joined_labels(batch, {row, inner})),
                                  ordered(b, ops::joined_labels(batch, {inner, column})));
        Labels labels = batch;
        std::vector<std::int64_t> ones;
        const auto rank = static_cast<std::int64_t>(batch.size());
        if (row == kOne) ones.push_back(rank);
        if (column == kOne) ones.push_back(rank + 1);
        if (row != kOne) labels.push_back(row);
        if (column != kOne) labels.push_back(column);
        if (ones.empty()) return {product, labels};
        return {by_.make<ops::Squeeze>(product, by_.ints(ones)), labels};
    }

    static EinsumLabel take_last(Labels& labels) {
        if (labels.empty()) return kOne;
        const EinsumLabel last = labels.back();
        labels.pop_back();
        return last;
    }

    Composition& by_;
};

}  // namespace

Output einsum(Composition& by) {
    by.check_input_count(1, kMaxListed);
    const auto text = by.attribute("equation", std::string());
    std::vector<std::optional<std::size_t>> ranks;
    for (std::size_t i = 0; i < by.input_count(); ++i) {
        const PartialShape& shape = by.input(i).shape();
        ranks.push_back(shape.has_rank() ? std::optional(shape.rank()) : std::nullopt);
    }
    return EinsumMaker(by).make(ops::parse_einsum(text, ranks));
}

}  // namespace rondo::ir
