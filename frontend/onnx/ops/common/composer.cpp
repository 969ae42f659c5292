#include "frontend/onnx/ops/common/composer.hpp"

#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/reduction/normalization.hpp"
#include "core/ops/reduction/reduce.hpp"
#include "core/ops/source/constant.hpp"
#include "core/ops/source/range.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"

namespace rondo::onnx {

Output Composer::constant(const Tensor& value) {
    return context_.make<ops::Constant>(role(), value);
}

Output Composer::number(ElementType type, double value) {
    return make_filled(context_, role(), type, {}, value);
}

Output Composer::ints(const Ints& values) { return make_ints(context_, role(), values); }

Output Composer::integer(std::int64_t value) { return make_int_scalar(context_, role(), value); }

Output Composer::apply(ops::BinaryFunction function, const Output& a, const Output& b) {
    return context_.make<ops::Binary>(role(), function, a, b);
}

Output Composer::apply(ops::UnaryFunction function, const Output& x) {
    return context_.make<ops::Unary>(role(), function, x);
}

Output Composer::compare(ops::CompareFunction function, const Output& a, const Output& b) {
    return context_.make<ops::Compare>(role(), function, a, b);
}

Output Composer::both(const Output& a, const Output& b) {
    return context_.make<ops::Logical>(role(), ops::LogicalFunction::logical_and, a, b);
}

Output Composer::select(const Output& condition, const Output& yes, const Output& no) {
    return context_.make<ops::Select>(role(), condition, yes, no);
}

Output Composer::scaled(const Output& x, double factor) {
    return factor == 1 ? x : multiply(x, number(x.element_type(), factor));
}

Output Composer::convert(const Output& x, ElementType type) {
    return x.element_type() == type ? x : context_.make<ops::Convert>(role(), x, type);
}

Output Composer::product(const Output& a, const Output& b) {
    return context_.make<ops::MatMul>(role(), a, b);
}

Output Composer::product_transposed(const Output& a, const Output& b) {
    auto product = std::make_shared<ops::MatMul>(a, b);
    product->set_transpose_b(true);
    return context_.finish(product, role());
}

Output Composer::softmax(const Output& x, std::int64_t axis) {
    return context_.make<ops::Softmax>(role(), x, axis);
}

Output Composer::reduce(ops::ReduceFunction function, const Output& x, const Ints& axes) {
    return context_.make<ops::Reduce>(role(), function, x, ints(axes), true);
}

Output Composer::transpose(const Output& x, const Ints& order) {
    return make_transpose(context_, role(), x, order);
}

Output Composer::reshape(const Output& x, const Ints& pattern) {
    return make_reshape(context_, role(), x, pattern);
}

Output Composer::reshape(const Output& x, const Output& pattern) {
    return context_.make<ops::Reshape>(role(), x, pattern, true);
}

Output Composer::expm1(const Output& x) {
    return multiply(apply(ops::UnaryFunction::tanh, scaled(x, 0.5)),
                    add(apply(ops::UnaryFunction::exp, x), number(x.element_type(), 1)));
}

Output Composer::squeeze(const Output& x, const Ints& axes) {
    return context_.make<ops::Squeeze>(role(), x, ints(axes));
}

Output Composer::scalar(const Output& x) {
    return x.shape() == PartialShape(Shape{}) ? x : reshape(x, Ints{});
}

Output Composer::sum_along(const Output& x, std::int64_t axis) {
    return context_.make<ops::Reduce>(role(), ops::ReduceFunction::sum, x, ints({axis}), false);
}

Output Composer::unsqueeze(const Output& x, const Ints& axes) {
    return context_.make<ops::Unsqueeze>(role(), x, ints(axes));
}

Output Composer::concat(const std::vector<Output>& parts, std::int64_t axis) {
    return make_concat(context_, role(), parts, axis);
}

std::vector<Output> Composer::split(const Output& x, std::int64_t axis, std::int64_t parts) {
    return make_split(context_, role(), x, axis, parts);
}

Output Composer::slice(const Output& x, std::int64_t axis, std::int64_t from, std::int64_t to,
                       std::int64_t step) {
    return context_.make<ops::Slice>(role(), x, ints({from}), ints({to}), ints({step}),
                                     ints({axis}));
}

Output Composer::gather(const Output& x, const Output& indices, std::int64_t axis) {
    return context_.make<ops::Gather>(role(), x, indices, integer(axis));
}

Output Composer::broadcast(const Output& x, const Output& shape) {
    return make_broadcast(context_, role(), x, shape);
}

Output Composer::range(const Output& stop, ElementType type) {
    return context_.make<ops::Range>(role(), integer(0), stop, integer(1), type);
}

Output Composer::extent(const Output& x, std::int64_t axis) {
    const PartialShape& shape = x.shape();
    if (shape.has_rank()) {
        const auto rank = static_cast<std::int64_t>(shape.rank());
        const auto place = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
        if (place < shape.rank() && shape[place].is_static()) {
            return integer(shape[place].length());
        }
    }
    return gather(make_shape_of(context_, role(), x), integer(axis), 0);
}

Output Composer::result(const Output& value) {
    const bool is_own = value.node().name().starts_with(context_.name() + "/part_");
    return is_own ? Output(context_.finish(value.node_ptr(), ""), value.index()) : value;
}

}  // namespace rondo::onnx
