#include "frontend/onnx/ops/common/arithmetic.hpp"

#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "core/ops/reduction/reduce.hpp"
#include "core/ops/source/range.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"

namespace rondo::onnx {

Output Arithmetic::number(double value, ElementType type) {
    return make_filled(context_, role(), type, {}, value);
}

Output Arithmetic::converted(const Output& value, ElementType type) {
    if (value.element_type() == type) return value;
    return context_.make<ops::Convert>(role(), value, type);
}

Output Arithmetic::binary(ops::BinaryFunction function, const Output& a, const Output& b) {
    return context_.make<ops::Binary>(role(), function, a, b);
}

Output Arithmetic::apply(ops::UnaryFunction function, const Output& x) {
    return context_.make<ops::Unary>(role(), function, x);
}

Output Arithmetic::compare(ops::CompareFunction function, const Output& a, const Output& b) {
    return context_.make<ops::Compare>(role(), function, a, b);
}

Output Arithmetic::select(const Output& condition, const Output& yes, const Output& no) {
    return context_.make<ops::Select>(role(), condition, yes, no);
}

Output Arithmetic::scalar(const Output& value) {
    if (value.shape() == PartialShape(Shape{})) return value;
    return make_reshape(context_, role(), value, {});
}

Output Arithmetic::count_to(const Output& stop, ElementType type) {
    const Output start = make_int_scalar(context_, role(), 0);
    const Output step = make_int_scalar(context_, role(), 1);
    return context_.make<ops::Range>(role(), start, stop, step, type);
}

Output Arithmetic::unsqueeze(const Output& value, std::int64_t axis) {
    return context_.make<ops::Unsqueeze>(role(), value, make_ints(context_, role(), {axis}));
}

Output Arithmetic::squeeze(const Output& value, std::int64_t axis) {
    return context_.make<ops::Squeeze>(role(), value, make_ints(context_, role(), {axis}));
}

Output Arithmetic::slice(const Output& value, std::int64_t start, std::int64_t stop,
                         std::int64_t axis) {
    return context_.make<ops::Slice>(
        role(), value, make_ints(context_, role(), {start}), make_ints(context_, role(), {stop}),
        make_ints(context_, role(), {1}), make_ints(context_, role(), {axis}));
}

Output Arithmetic::sum_along(const Output& value, std::int64_t axis) {
    return context_.make<ops::Reduce>(role(), ops::ReduceFunction::sum, value,
                                      make_ints(context_, role(), {axis}), false);
}

}  // namespace rondo::onnx
