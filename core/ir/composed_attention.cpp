#include "core/ir/composed_ops.hpp"

#include <limits>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/reduction/normalization.hpp"
#include "core/ops/source/shape_of.hpp"

namespace rondo::ir {

using ops::BinaryFunction;
using ops::CompareFunction;
using ops::UnaryFunction;

namespace {

enum Input : std::size_t { kQuery, kKey, kValue, kMask, kScale };

class AttentionMaker {
public:
    explicit AttentionMaker(Composition& by) : by_(by), f_(by) {}

    Output make(bool causal) {
        Output scores =
            by_.product_transposed(by_.multiply(f_.x(), scale()), f_.wide(by_.input(kKey)));
        if (causal) {
            scores = by_.select(is_before(), scores, least());
        } else if (by_.input_count() > kMask) {
            scores = by_.add(scores, bias());
        }
        const Output weights = by_.make<ops::Softmax>(scores, -1);
        return f_.result(by_.product(weights, f_.wide(by_.input(kValue))));
    }

private:
    Output least() { return f_.number(-std::numeric_limits<double>::infinity()); }

    Output extent(std::size_t input, std::int64_t axis) {
        const Output shape = by_.make<ops::ShapeOf>(by_.input(input));
        return by_.make<ops::Gather>(shape, by_.integer(axis), by_.ints({0}));
    }

    Output scale() {
        if (by_.input_count() > kScale) return by_.scalar(f_.wide(by_.input(kScale)));
        const Output size = f_.wide(extent(kQuery, -1));
        return by_.divide(f_.number(1), by_.apply(UnaryFunction::sqrt, size));
    }

    // The key's number isn't above that of the row.
    Output is_before() {
        const Output rows = by_.unsqueeze(by_.range(extent(kQuery, -2)), {1});
        return by_.compare(CompareFunction::less_equal, by_.range(extent(kKey, -2)), rows);
    }

    Output bias() {
        const Output& mask = by_.input(kMask);
        if (mask.element_type() != ElementType::boolean) return f_.wide(mask);
        return by_.select(mask, f_.number(0), least());
    }

    Composition& by_;
    FloatingFormula f_;
};

}  // namespace

Output scaled_dot_product_attention(Composition& by) {
    by.check_input_count(3, 5);
    const bool causal = by.attribute("causal", false);
    return AttentionMaker(by).make(causal);
}

}  // namespace rondo::ir
