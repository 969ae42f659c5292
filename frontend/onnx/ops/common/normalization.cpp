#include "frontend/onnx/ops/common/normalization.hpp"

#include <cstdint>

#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/support/limits.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

Dimension channels_of(const Output& x) {
    if (!x.shape().has_rank()) return {};
    return x.shape().rank() < 2 ? Dimension(1) : x.shape()[1];
}

}  // namespace

ElementType arithmetic_type(ElementType type) {
    return type == ElementType::f64 ? ElementType::f64 : ElementType::f32;
}

Output make_converted(NodeContext& context, const std::string& role, const Output& value,
                      ElementType type) {
    if (value.element_type() == type) return value;
    return context.make<ops::Convert>(role, value, type);
}

Output make_binary(NodeContext& context, const std::string& role, ops::BinaryFunction function,
                   const Output& a, const Output& b) {
    return context.make<ops::Binary>(role, function, a, b);
}

Output make_root(NodeContext& context, const std::string& role, const Output& x, double epsilon) {
    const Output added = make_filled(context, role + "/epsilon", x.element_type(), {}, epsilon);
    return context.make<ops::Unary>(
        role, ops::UnaryFunction::sqrt,
        make_binary(context, role + "/sum", ops::BinaryFunction::add, x, added));
}

Output with_channels(NodeContext& context, const std::string& role, const Output& x,
                     const std::vector<Output>& vectors) {
    if (!x.shape().has_rank() || x.shape().rank() < 2) return x;
    PartialShape expected = PartialShape::of_rank(x.shape().rank());
    Output known = x;
    for (const Output& vector : vectors) {
        const PartialShape& shape = vector.shape();
        if (!shape.has_rank() || shape.rank() != 1) continue;
        expected[1] = shape[0];
        known = with_extents(context, role, known, expected);
    }
    return known;
}

Output make_exact_channels(NodeContext& context, const std::string& role, const Output& vector,
                           const Output& x, const std::string& what) {
    const Dimension channels = channels_of(x);
    NodeContext::check_shape(vector, {channels}, what);
    if (vector.shape().has_rank() && vector.shape()[0].is_static()) return vector;
    const Output pattern = channels.is_static()
                               ? make_ints(context, role + "/pattern", {channels.length()})
                               : make_element(context, role + "/pattern",
                                              make_shape_of(context, role + "/shape", x), 1);
    return context.make<ops::Reshape>(role, vector, pattern, false);
}

Output make_channel_vector(NodeContext& context, const std::string& role, const Output& vector,
                           const Output& x, const std::string& what) {
    const Output exact = make_exact_channels(context, role + "/exact", vector, x, what);
    const std::size_t rank = x.shape().rank();
    if (rank <= 2) return exact;
    std::vector<std::int64_t> pattern(rank - 1, 1);
    pattern[0] = -1;
    return make_reshape(context, role, exact, pattern);
}

std::size_t rank_of_x(const Output& x, std::size_t least) {
    if (!x.shape().has_rank()) throw UnsupportedError("the rank of X isn't known");
    if (x.shape().rank() >= least) return x.shape().rank();
    throw ModelError("X has shape " + to_string(x.shape()) + "; expected rank " +
                     std::to_string(least) + " or more");
}

std::vector<std::int64_t> axes_from(const Output& x, std::int64_t axis) {
    const auto most = static_cast<std::int64_t>(kMaxAxes);
    if (x.shape().has_rank()) {
        const auto rank = static_cast<std::int64_t>(x.shape().rank());
        if (axis < -rank || axis >= rank) {
            throw ModelError("axis " + std::to_string(axis) + " is out of range for rank " +
                             std::to_string(rank));
        }
        if (axis >= 0) axis -= rank;
    }
    if (axis >= 0 || axis < -most) {
        throw UnsupportedError("axis is " + std::to_string(axis) +
                               ", but the rank of X isn't known");
    }
    std::vector<std::int64_t> axes;
    for (; axis < 0; ++axis) axes.push_back(axis);
    return axes;
}

}  // namespace rondo::onnx
