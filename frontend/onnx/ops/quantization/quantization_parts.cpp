#include "frontend/onnx/ops/quantization/quantization_parts.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/ops/source/constant.hpp"
#include "core/support/narrow_type.hpp"
#include "core/support/strings.hpp"
#include "core/support/visit_type.hpp"
#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;

// Elements along an axis whose blocks are written out; a shape alone may say any number.
constexpr std::int64_t kMostInBlocks = std::int64_t{1} << 24;

std::size_t axis_of(NodeContext& context, const Output& data, const QuantizedAxis& where) {
    if (!data.shape().has_rank()) {
        throw UnsupportedError("attribute 'axis' is used, but the rank of the data isn't known");
    }
    const InferContext place(context.name(), "axis", {});
    return normalize_axis(place, where.axis, data.shape().rank());
}

[[noreturn]] void refuse_shape(const std::string& name, const Output& parameter, const Output& data,
                               const std::string& expected) {
    throw ModelError(name + " has shape " + to_string(parameter.shape()) + ", but the data has " +
                     to_string(data.shape()) + "; expected " + expected);
}

// [n, 1, ..., 1] with so many axes; a constant stays one.
Output as_column(NodeContext& context, const std::string& name, const Output& vector,
                 std::size_t rank) {
    if (const Tensor known = known_value(vector)) {
        Shape shape(rank, 1);
        if (rank > 0) shape[0] = known.size();
        return context.make<ops::Constant>(name, known.contiguous().reshaped(shape));
    }
    std::vector<std::int64_t> pattern(rank, 1);
    if (rank > 0) pattern[0] = -1;
    return make_reshape(context, name, vector, pattern);
}

// One number for each place on the axis: [1, ..., n, ..., 1].
Output along_axis(NodeContext& context, const std::string& name, const Output& parameter,
                  const Output& data, const QuantizedAxis& where) {
    // The default axis isn't read where there is one number, which may come with the run.
    const bool is_open = !parameter.shape()[0].is_static();
    if (is_open && data.shape().has_rank() && where.axis == 1 && data.shape().rank() <= 1) {
        return make_reshape(context, name, parameter, {1});
    }
    const std::size_t axis = axis_of(context, data, where);
    const std::size_t rank = data.shape().rank();
    if (!parameter.shape()[0].intersect(data.shape()[axis])) {
        refuse_shape(name, parameter, data, "as many elements as axis " + std::to_string(axis));
    }
    return axis + 1 == rank ? parameter : as_column(context, name, parameter, rank - axis);
}

// A parameter in blocks has the data's extents on all other axes.
void check_other_axes(const std::string& name, const Output& parameter, const Output& data,
                      std::size_t axis) {
    for (std::size_t i = 0; i < data.shape().rank(); ++i) {
        if (i == axis || parameter.shape()[i].intersect(data.shape()[i])) continue;
        refuse_shape(name, parameter, data,
                     "the same extents on all axes but " + std::to_string(axis));
    }
}

// Whether both have this shape, whatever comes with the run.
bool is_same_shape(const Output& a, const Output& b) {
    return a.shape().is_static() && a.shape() == b.shape();
}

// How many elements of the data the blocks hold, the last one whole.
std::int64_t elements_in_blocks(const std::string& name, const Output& parameter,
                                const Output& data, std::size_t axis, std::int64_t block) {
    const Dimension& blocks = parameter.shape()[axis];
    const Dimension& extent = data.shape()[axis];
    if (!blocks.is_static()) {
        throw UnsupportedError("the number of blocks of " + name + " isn't known");
    }
    if (extent.is_static()) {
        const std::int64_t needed = extent.length() / block + (extent.length() % block != 0);
        if (needed != blocks.length()) {
            refuse_shape(name, parameter, data,
                         std::to_string(needed) + " blocks of " + counted(block, "element") +
                             " on axis " + std::to_string(axis));
        }
    }
    const std::int64_t count = extent.is_static()                        ? extent.length()
                               : blocks.length() > kMostInBlocks / block ? kMostInBlocks + 1
                                                                         : blocks.length() * block;
    if (count <= kMostInBlocks) return count;
    throw UnsupportedError("axis " + std::to_string(axis) + " has more than " +
                           std::to_string(kMostInBlocks) + " elements in blocks");
}

// One number for each block of elements on the axis; the last block may be short.
Output along_blocks(NodeContext& context, const std::string& name, const Output& parameter,
                    const Output& data, const QuantizedAxis& where) {
    const std::size_t axis = axis_of(context, data, where);
    if (parameter.shape().rank() != data.shape().rank()) {
        refuse_shape(name, parameter, data, "the same rank, since block_size is given");
    }
    check_other_axes(name, parameter, data, axis);
    const std::int64_t count = elements_in_blocks(name, parameter, data, axis, where.block_size);
    std::vector<std::int64_t> indices(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < indices.size(); ++i) {
        indices[i] = static_cast<std::int64_t>(i) / where.block_size;
    }
    const auto at = static_cast<std::int64_t>(axis);
    const Output repeated = context.make<ops::Gather>(name + "/repeated", parameter,
                                                      make_ints(context, name + "/blocks", indices),
                                                      make_int_scalar(context, name + "/axis", at));
    if (is_same_shape(repeated, data)) return repeated;
    if (data.shape()[axis].is_static()) {
        return make_in_shape_of(context, name + "/exact", repeated, data);
    }
    const Output extent =
        make_element(context, name + "/extent", make_shape_of(context, name + "/shape", data), at);
    const Output cut = context.make<ops::Slice>(
        name + "/cut", repeated, make_ints(context, name + "/begin", {0}), extent,
        make_ints(context, name + "/step", {1}), make_ints(context, name + "/along", {at}));
    return make_in_shape_of(context, name + "/exact", cut, data);
}

QuantizedBounds bounds_of(ElementType type) {
    return visit_integer(type, [](auto tag) -> QuantizedBounds {
        using Limits = std::numeric_limits<tag_type<decltype(tag)>>;
        return {static_cast<double>(Limits::min()), static_cast<double>(Limits::max())};
    });
}

}  // namespace

Tensor widened(const Tensor& narrow, ElementType type) {
    const NarrowNumbers& numbers = narrow_numbers(narrow.element_type());
    const auto* codes = static_cast<const std::uint8_t*>(narrow.data());
    Tensor result(type, narrow.shape());
    visit_type(type, [&](auto tag) {
        using T = tag_type<decltype(tag)>;
        if constexpr (std::is_arithmetic_v<T>) {
            std::transform(codes, codes + narrow.size(), result.data<T>(),
                           [&](std::uint8_t code) { return static_cast<T>(numbers[code]); });
        }
    });
    return result;
}

ElementType expect_type(const Output& value, const std::string& what,
                        std::initializer_list<ElementType> types) {
    const ElementType got = NodeContext::known_type(value, what);
    if (std::find(types.begin(), types.end(), got) != types.end()) return got;
    std::string names;
    for (const ElementType type : types) {
        if (!names.empty()) names += type == *(types.end() - 1) ? " or " : ", ";
        names += to_string(type);
    }
    throw UnsupportedError(what + " has type " + std::string(to_string(got)) + "; expected " +
                           names);
}

bool is_quantized(ElementType type) { return is_integral(type) && size_of(type) <= 2; }

std::optional<ElementType> find_type(NodeContext& context, const std::string& attribute) {
    const std::int64_t number = context.attributes().find_int(attribute).value_or(0);
    if (number == 0) return std::nullopt;
    if (number < 0 || number > std::numeric_limits<std::int32_t>::max()) {
        throw ModelError("attribute '" + attribute + "' is " + std::to_string(number) +
                         "; expected a data type");
    }
    return element_type_from_onnx(static_cast<std::int32_t>(number));
}

ElementType widened_type(ElementType type) {
    switch (type) {
        case ElementType::i4:
        case ElementType::i2: return ElementType::i8;
        case ElementType::u4:
        case ElementType::u2: return ElementType::u8;
        default: return is_narrow(type) ? ElementType::f32 : type;
    }
}

Output widened(NodeContext& context, const std::string& role, const Output& value) {
    if (!value || !is_narrow(value.element_type())) return value;
    const ElementType type = widened_type(value.element_type());
    const Tensor known = known_value(value);
    if (!known) return converted(context, role, value, type);
    return context.make<ops::Constant>(role, widened(known.contiguous(), type));
}

QuantizedAxis read_axis(NodeContext& context) {
    QuantizedAxis where;
    where.axis = context.attributes().find_int("axis").value_or(1);
    where.block_size = context.attributes().find_int("block_size").value_or(0);
    if (where.block_size >= 0) return where;
    throw ModelError("attribute 'block_size' is " + std::to_string(where.block_size) +
                     "; expected 0 or more");
}

Output converted(NodeContext& context, const std::string& role, const Output& value,
                 ElementType type) {
    return value.element_type() == type ? value : context.make<ops::Convert>(role, value, type);
}

Output with_places(NodeContext& context, const std::string& role, const Output& data,
                   const Output& parameter, const QuantizedAxis& where) {
    if (!parameter || where.block_size != 0 || !data.shape().has_rank()) return data;
    const PartialShape& shape = parameter.shape();
    const bool has_places = shape.has_rank() && shape.rank() == 1 && shape[0] != Dimension(1);
    if (!has_places || !shape[0].is_static()) return data;
    PartialShape expected = PartialShape::of_rank(data.shape().rank());
    expected[axis_of(context, data, where)] = shape[0];
    return with_extents(context, role, data, expected);
}

bool keeps_places(const Output& parameter, const Output& data, const QuantizedAxis& where) {
    return !parameter || where.block_size != 0 ||
           ops::never_widens(parameter.shape(), data.shape());
}

Output along_data(NodeContext& context, const std::string& name, const Output& parameter,
                  const Output& data, const QuantizedAxis& where) {
    const PartialShape& shape = parameter.shape();
    if (!shape.has_rank()) throw UnsupportedError("the rank of " + name + " isn't known");
    if (shape.rank() == 0) return parameter;
    if (where.block_size != 0) return along_blocks(context, name, parameter, data, where);
    if (shape.rank() != 1) refuse_shape(name, parameter, data, "a scalar or a vector");
    // A vector of one element must not give a scalar an axis.
    if (shape[0] == Dimension(1)) return as_column(context, name, parameter, 0);
    return along_axis(context, name, parameter, data, where);
}

Output rounded_to(NodeContext& context, const Output& value, const Output& zero_point,
                  ElementType type, std::optional<QuantizedBounds> given) {
    const QuantizedBounds bounds = given ? *given : bounds_of(type);
    const auto f32 = ElementType::f32;
    const auto bound = [&](const char* role, double number) {
        return make_filled(context, role, f32, {}, number);
    };
    // Wide enough for sums with any zero point.
    Output sum =
        converted(context, "whole/f32",
                  context.make<ops::Unary>("whole", ops::UnaryFunction::round, value), f32);
    if (zero_point) {
        sum = context.make<ops::Binary>("shifted", BinaryFunction::add, sum,
                                        converted(context, "zero_point/f32", zero_point, f32));
    }
    const Output low = context.make<ops::Binary>("low", BinaryFunction::maximum, sum,
                                                 bound("least", bounds.least));
    const Output bounded = context.make<ops::Binary>("bounded", BinaryFunction::minimum, low,
                                                     bound("greatest", bounds.greatest));
    return context.make<ops::Convert>("", bounded, type);
}

Output dequantized_constant(Composer& by, const Tensor& integers, const Tensor& scale,
                            const Tensor& zero) {
    const auto wide = [&](const Tensor& value) {
        return by.convert(by.constant(value), ElementType::f32);
    };
    const Output x = wide(integers);
    return by.multiply(zero ? by.subtract(x, wide(zero)) : x, wide(scale));
}

}  // namespace rondo::onnx
