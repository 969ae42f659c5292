#include "core/ops/builder.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/support/visit_type.hpp"
#include "rondo/error.hpp"

namespace rondo::ops {
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

Tensor filled_tensor(ElementType type, const Shape& shape, double value) {
    if (is_narrow(type)) {
        throw UnsupportedError("numbers of type " + std::string(to_string(type)) +
                               " are only stored and converted; nothing is computed with them");
    }
    Tensor tensor(type, shape);
    visit_type(type, [&](auto tag) {
        using T = tag_type<decltype(tag)>;
        std::fill_n(tensor.data<T>(), tensor.size(), cut<T>(value));
    });
    return tensor;
}

ElementType arithmetic_type(ElementType type) {
    return type == ElementType::f64 ? ElementType::f64 : ElementType::f32;
}

std::vector<Output> outputs_of(const NodePtr& node) {
    std::vector<Output> outputs;
    for (std::size_t i = 0; i < node->output_count(); ++i) outputs.emplace_back(node, i);
    return outputs;
}

Output Builder::constant(const Tensor& value) { return make<Constant>(value); }

Output Builder::number(ElementType type, double value) {
    return constant(filled_tensor(type, {}, value));
}

Output Builder::ints(const Ints& values) {
    Tensor tensor(ElementType::i64, {values.size()});
    std::copy(values.begin(), values.end(), tensor.data<std::int64_t>());
    return constant(tensor);
}

Output Builder::integer(std::int64_t value) {
    Tensor tensor(ElementType::i64, {});
    *tensor.data<std::int64_t>() = value;
    return constant(tensor);
}

Output Builder::apply(BinaryFunction function, const Output& a, const Output& b) {
    return make<Binary>(function, a, b);
}

Output Builder::apply(UnaryFunction function, const Output& x) { return make<Unary>(function, x); }

Output Builder::compare(CompareFunction function, const Output& a, const Output& b) {
    return make<Compare>(function, a, b);
}

Output Builder::both(const Output& a, const Output& b) {
    return make<Logical>(LogicalFunction::logical_and, a, b);
}

Output Builder::select(const Output& condition, const Output& yes, const Output& no) {
    return make<Select>(condition, yes, no);
}

Output Builder::scaled(const Output& x, double factor) {
    return factor == 1 ? x : multiply(x, number(x.element_type(), factor));
}

Output Builder::convert(const Output& x, ElementType type) {
    return x.element_type() == type ? x : make<Convert>(x, type);
}

Output Builder::expm1(const Output& x) {
    return multiply(apply(UnaryFunction::tanh, scaled(x, 0.5)),
                    add(apply(UnaryFunction::exp, x), number(x.element_type(), 1)));
}

Output Builder::product(const Output& a, const Output& b) { return make<MatMul>(a, b); }

Output Builder::product_transposed(const Output& a, const Output& b) {
    const auto product = new_node<MatMul>(a, b);
    product->set_transpose_b(true);
    return adopted(product);
}

Output Builder::softmax(const Output& x, std::int64_t axis) { return make<Softmax>(x, axis); }

Output Builder::reduce(ReduceFunction function, const Output& x, const Ints& axes, bool keep_dims) {
    return make<Reduce>(function, x, ints(axes), keep_dims);
}

Output Builder::sum_along(const Output& x, std::int64_t axis) {
    return reduce(ReduceFunction::sum, x, {axis}, false);
}

Output Builder::transpose(const Output& x, const Ints& order) {
    return make<Transpose>(x, ints(order));
}

Output Builder::reshape(const Output& x, const Ints& pattern) { return reshape(x, ints(pattern)); }

Output Builder::reshape(const Output& x, const Output& pattern) {
    return make<Reshape>(x, pattern, true);
}

Output Builder::reshape_to(const Output& x, const Output& shape) {
    return make<Reshape>(x, shape, false);
}

Output Builder::unsqueeze(const Output& x, const Ints& axes) {
    return make<Unsqueeze>(x, ints(axes));
}

Output Builder::squeeze(const Output& x, const Ints& axes) { return make<Squeeze>(x, ints(axes)); }

Output Builder::scalar(const Output& x) {
    return x.shape() == PartialShape(Shape{}) ? x : reshape(x, Ints{});
}

Output Builder::concat(const std::vector<Output>& parts, std::int64_t axis) {
    return make<Concat>(parts, axis);
}

std::vector<Output> Builder::split(const Output& x, std::int64_t axis, std::int64_t parts) {
    return make_all<Split>(x, integer(axis), parts);
}

Output Builder::slice(const Output& x, std::int64_t axis, std::int64_t from, std::int64_t to,
                      std::int64_t step) {
    return make<Slice>(x, ints({from}), ints({to}), ints({step}), ints({axis}));
}

Output Builder::gather(const Output& x, const Output& indices, std::int64_t axis) {
    return make<Gather>(x, indices, integer(axis));
}

Output Builder::pad(const Output& x, const Output& begin, const Output& end, const Output& value) {
    std::vector<Output> inputs{x, begin, end};
    if (value) inputs.push_back(value);
    return make<Pad>(std::move(inputs), PadMode::constant);
}

Output Builder::broadcast(const Output& x, const Output& shape) {
    return make<Broadcast>(x, shape);
}

Output Builder::range(const Output& stop, ElementType type) {
    return make<Range>(integer(0), stop, integer(1), type);
}

Output Builder::shape_of(const Output& x) { return make<ShapeOf>(x); }

Output Builder::extent(const Output& x, std::int64_t axis) {
    const PartialShape& shape = x.shape();
    if (shape.has_rank()) {
        const auto rank = static_cast<std::int64_t>(shape.rank());
        const auto place = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
        if (place < shape.rank() && shape[place].is_static()) {
            return integer(shape[place].length());
        }
    }
    return gather(shape_of(x), integer(axis), 0);
}

}  // namespace rondo::ops
