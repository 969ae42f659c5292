#include "core/ir/composition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/ops/elementwise/convert.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "core/ops/op_list.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/reduction/reduce.hpp"
#include "core/ops/source/constant.hpp"
#include "core/ops/source/range.hpp"
#include "core/support/strings.hpp"
#include "core/support/visit_type.hpp"

namespace rondo::ir {
namespace {

// 2^63 and the like aren't representable in the integer type: compare as doubles.
template <typename T>
T cut(double value) {
    if constexpr (std::is_integral_v<T>) {
        using Limits = std::numeric_limits<T>;
        if (value <= static_cast<double>(Limits::lowest())) return Limits::lowest();
        if (value >= static_cast<double>(Limits::max())) return Limits::max();
        return static_cast<T>(value);
    } else if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(value);
    } else {
        return T(static_cast<float>(value));
    }
}

}  // namespace

void Composition::check_input_count(std::size_t min, std::size_t max) const {
    if (input_count() >= min && input_count() <= max) return;
    const std::string least = std::to_string(min);
    throw ModelError("it has " + counted(input_count(), "input") + "; expected " +
                     (min == max ? least : least + " to " + std::to_string(max)));
}

ElementType Composition::type() const {
    const ElementType type = input(0).element_type();
    if (type != ElementType::dynamic) return type;
    throw UnsupportedError("the type of input 0 isn't known");
}

ElementType Composition::floating_type() const {
    if (is_floating(type())) return type();
    throw UnsupportedError("input 0 is " + std::string(to_string(type())) +
                           "; expected a floating type");
}

std::size_t Composition::rank_of(std::size_t input) const {
    const PartialShape& shape = this->input(input).shape();
    if (shape.has_rank()) return shape.rank();
    throw UnsupportedError("the rank of input " + std::to_string(input) + " isn't known");
}

Output Composition::number(double value, ElementType type) {
    Tensor tensor(type, {});
    visit_type(type, [&](auto tag) {
        using T = tag_type<decltype(tag)>;
        *tensor.data<T>() = cut<T>(value);
    });
    return make<ops::Constant>(tensor);
}

Output Composition::ints(const std::vector<std::int64_t>& values) {
    Tensor tensor(ElementType::i64, {values.size()});
    std::copy(values.begin(), values.end(), tensor.data<std::int64_t>());
    return make<ops::Constant>(tensor);
}

Output Composition::converted(const Output& value, ElementType type) {
    return value.element_type() == type ? value : make<ops::Convert>(value, type);
}

Output Composition::unary(ops::UnaryFunction function, const Output& x) {
    return make<ops::Unary>(function, x);
}

Output Composition::binary(ops::BinaryFunction function, const Output& a, const Output& b) {
    return make<ops::Binary>(function, a, b);
}

Output Composition::compare(ops::CompareFunction function, const Output& a, const Output& b) {
    return make<ops::Compare>(function, a, b);
}

Output Composition::reshape(const Output& value, const std::vector<std::int64_t>& pattern) {
    return make<ops::Reshape>(value, ints(pattern), false);
}

Output Composition::unsqueeze(const Output& value, std::int64_t axis) {
    return make<ops::Unsqueeze>(value, ints({axis}));
}

Output Composition::product(const Output& a, const Output& b, bool turned) {
    const auto node = std::make_shared<ops::MatMul>(a, b);
    node->set_transpose_b(turned);
    return added(node);
}

Output Composition::added(const NodePtr& node) {
    const auto name = [&] { return layer_.names.take_numbered(layer_.name + "/part"); };
    node->set_name(name());
    ops::adopt_ports(*node, [&](std::string_view) { return name(); });
    node->validate();
    return node;
}

Output Composition::single(const Output& value) {
    const PartialShape& shape = value.shape();
    const bool is_single = shape.has_rank() && shape.rank() == 1 && shape[0] == Dimension(1);
    return is_single ? reshape(value, {}) : value;
}

Output Composition::int_scalar(const Output& value) {
    return reshape(converted(value, ElementType::i64), {});
}

Output Composition::count_to(const Output& stop) {
    const Output zero = number(0, ElementType::i64), one = number(1, ElementType::i64);
    return make<ops::Range>(zero, stop, one, ElementType::i64);
}

Output Composition::sum_along(const Output& value, const Output& axes) {
    return make<ops::Reduce>(ops::ReduceFunction::sum, value, axes, true);
}

FloatingFormula::FloatingFormula(Composition& by)
    : by_(by),
      type_(by.floating_type()),
      wide_(type_ == ElementType::f64 ? type_ : ElementType::f32),
      x_(by.converted(by.input(0), wide_)) {}

Output FloatingFormula::expm1_below() {
    const Output y = min(x_, number(0));
    const Output half = apply(ops::UnaryFunction::tanh, multiply(y, number(0.5)));
    return multiply(half, add(apply(ops::UnaryFunction::exp, y), number(1)));
}

}  // namespace rondo::ir
