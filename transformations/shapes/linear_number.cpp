#include "transformations/shapes/linear_number.hpp"

#include <cmath>

#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "transformations/pass/constants.hpp"

namespace rondo::passes {
namespace {

using ops::BinaryFunction;
using ops::UnaryFunction;
using Found = std::optional<LinearNumber>;

constexpr int kMostDepth = 32;
constexpr double kMost = 1 << 30;  // constants, far from any overflow

LinearNumber scaled(const LinearNumber& x, std::int64_t by) {
    return {x.extent * by, x.counter * by, x.constant * by};
}

LinearNumber sum(const LinearNumber& a, const LinearNumber& b) {
    return {a.extent + b.extent, a.counter + b.counter, a.constant + b.constant};
}

class Reader {
public:
    explicit Reader(const LinearLeaves& leaves) : leaves_(leaves) {}

    Found read(Output value, int depth = 0) const {
        if (depth > kMostDepth) return {};
        while (value.node().traits().view || keeps_extents(value.node())) {
            value = value.node().input(0);
        }
        if (const Output around = leaves_.outside(value)) return read(around, depth + 1);
        if (const auto more = leaves_.counter(value)) return LinearNumber{0, 1, *more};
        if (const auto number = constant_scalar(value)) return whole(*number);
        if (leaves_.is_extent(value)) return LinearNumber{1, 0, 0};
        return computed(value.node(), depth + 1);
    }

private:
    static Found whole(double number) {
        if (std::trunc(number) != number || std::abs(number) > kMost) return {};
        return LinearNumber{0, 0, static_cast<std::int64_t>(number)};
    }

    Found computed(const Node& node, int depth) const {
        if (ops::is(node, UnaryFunction::ceiling) || ops::is(node, UnaryFunction::floor)) {
            return read(node.input(0), depth);
        }
        if (ops::is(node, UnaryFunction::negative)) return times(node.input(0), -1, depth);
        if (ops::is(node, BinaryFunction::add)) return added(node, 1, depth);
        if (ops::is(node, BinaryFunction::subtract)) return added(node, -1, depth);
        if (ops::is(node, BinaryFunction::maximum)) return bounded(node, depth);
        if (ops::is(node, BinaryFunction::divide))
            return by_one(node.input(0), node.input(1), depth);
        if (!ops::is(node, BinaryFunction::multiply)) return {};
        const Found product = by_one(node.input(0), node.input(1), depth);
        return product ? product : by_one(node.input(1), node.input(0), depth);
    }

    Found times(const Output& value, std::int64_t factor, int depth) const {
        const Found number = read(value, depth);
        return number ? Found(scaled(*number, factor)) : Found();
    }

    // Products and quotients with 1 and -1 are the same.
    Found by_one(const Output& value, const Output& factor, int depth) const {
        const auto by = constant_scalar(factor);
        if (by != 1.0 && by != -1.0) return {};
        return times(value, static_cast<std::int64_t>(*by), depth);
    }

    Found added(const Node& node, std::int64_t sign, int depth) const {
        const Found a = read(node.input(0), depth);
        if (!a) return {};
        const Found b = times(node.input(1), sign, depth);
        return b ? Found(sum(*a, *b)) : Found();
    }

    // An extent isn't below 0.
    Found bounded(const Node& node, int depth) const {
        for (const std::size_t bound : {0U, 1U}) {
            if (constant_scalar(node.input(bound)) != 0.0) continue;
            const Found number = read(node.input(1 - bound), depth);
            const bool is_extent =
                number && number->extent >= 0 && number->counter == 0 && number->constant >= 0;
            return is_extent ? number : Found();
        }
        return {};
    }

    const LinearLeaves& leaves_;
};

}  // namespace

bool keeps_extents(const Node& node) {
    if (as_op<ops::Convert>(node) == nullptr) return false;
    const ElementType type = node.output_type(0);
    return type == ElementType::i64 || type == ElementType::i32 || type == ElementType::f32 ||
           type == ElementType::f64;
}

std::optional<LinearNumber> linear_number(const Output& value, const LinearLeaves& leaves) {
    return Reader(leaves).read(value);
}

bool are_equal(const LinearNumber& a, const LinearNumber& b, const Dimension& extent) {
    const LinearNumber rest = sum(a, scaled(b, -1));
    if (rest.counter != 0) return false;
    if (!extent.is_static()) return rest.extent == 0 && rest.constant == 0;
    return rest.extent * extent.length() + rest.constant == 0;
}

}  // namespace rondo::passes
