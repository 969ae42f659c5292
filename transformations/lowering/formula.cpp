#include "transformations/lowering/formula.hpp"

#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/concat.hpp"
#include "core/ops/movement/split.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/support/errors.hpp"

namespace rondo::passes {
Output Formula::number(double value, const Output& like) const {
    Tensor tensor(like.element_type(), {});
    switch (like.element_type()) {
        case ElementType::f32: *tensor.data<float>() = static_cast<float>(value); break;
        case ElementType::f64: *tensor.data<double>() = value; break;
        case ElementType::i32:
            *tensor.data<std::int32_t>() = static_cast<std::int32_t>(value);
            break;
        default: internal_error("a formula of another type");
    }
    return rewriter_.make_constant(name("number"), std::move(tensor));
}

Output Formula::integer(std::int64_t value) const {
    return rewriter_.make_scalar(name("number"), value);
}

Output Formula::ints(const std::vector<std::int64_t>& values) const {
    return rewriter_.make_ints(name("numbers"), values);
}

Output Formula::converted(const Output& value, ElementType type) const {
    return value.element_type() == type ? value : make<ops::Convert>("converted", value, type);
}

Output Formula::apply(ops::UnaryFunction function, const Output& x) const {
    return make<ops::Unary>("value", function, x);
}

Output Formula::binary(ops::BinaryFunction function, const Output& a, const Output& b) const {
    return make<ops::Binary>("value", function, a, b);
}

Output Formula::add(const Output& a, const Output& b) const {
    return binary(ops::BinaryFunction::add, a, b);
}

Output Formula::multiply(const Output& a, const Output& b) const {
    return binary(ops::BinaryFunction::multiply, a, b);
}

Output Formula::compare(ops::CompareFunction function, const Output& a, const Output& b) const {
    return make<ops::Compare>("condition", function, a, b);
}

Output Formula::select(const Output& condition, const Output& yes, const Output& no) const {
    return make<ops::Select>("choice", condition, yes, no);
}

Output Formula::product(const Output& a, const Output& b) const {
    const auto node = std::make_shared<ops::MatMul>(a, b);
    node->set_transpose_b(true);
    node->set_name(name("product"));
    return rewriter_.clone(*node, {a, b});
}

Output Formula::squeeze(const Output& value, std::int64_t axis) const {
    return make<ops::Squeeze>("view", value, ints({axis}));
}

Output Formula::unsqueeze(const Output& value, std::int64_t axis) const {
    return make<ops::Unsqueeze>("view", value, ints({axis}));
}

std::vector<Output> Formula::split(const Output& value, std::int64_t axis,
                                   std::int64_t parts) const {
    const auto node = rewriter_.make<ops::Split>(name("parts"), value, integer(axis), parts);
    std::vector<Output> result;
    for (std::size_t i = 0; i < node->output_count(); ++i) result.push_back(node->output(i));
    return result;
}

Output Formula::concat(const std::vector<Output>& parts, std::int64_t axis) const {
    return make<ops::Concat>("joined", parts, axis);
}

}  // namespace rondo::passes
