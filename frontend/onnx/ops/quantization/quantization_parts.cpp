#include "frontend/onnx/ops/quantization/quantization_parts.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "core/ops/common/extents.hpp"
#include "core/ops/compositions.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/reference/evaluate.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/support/strings.hpp"
#include "core/support/visit_type.hpp"
#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// Elements along an axis whose blocks are written out; a shape alone may say any number.
constexpr std::int64_t kMostInBlocks = std::int64_t{1} << 24;

std::size_t quantized_axis(NodeContext& by, const Output& data, const QuantizedAxis& where) {
    if (data.shape().has_rank()) return by.normal_axis(where.axis, data.shape());
    throw UnsupportedError("attribute 'axis' is used, but the rank of the data isn't known");
}

[[noreturn]] void refuse_shape(const std::string& name, const Output& parameter, const Output& data,
                               const std::string& expected) {
    throw ModelError(name + " has shape " + to_string(parameter.shape()) + ", but the data has " +
                     to_string(data.shape()) + "; expected " + expected);
}

// [n, 1, ..., 1] with so many axes; a constant stays one.
Output as_column(NodeContext& by, const Output& vector, std::size_t rank) {
    const Tensor known = known_value(vector);
    if (!known) return by.reshape(vector, along_axis_pattern(rank));
    Shape shape(rank, 1);
    if (rank > 0) shape[0] = known.size();
    return by.constant(known.contiguous().reshaped(shape));
}

// One number for each place on the axis: [1, ..., n, ..., 1].
Output along_axis(NodeContext& by, const std::string& name, const Output& parameter,
                  const Output& data, const QuantizedAxis& where) {
    // The default axis isn't read if there is one number, which may come with the run.
    const bool is_open = !parameter.shape()[0].is_static();
    if (is_open && data.shape().has_rank() && where.axis == 1 && data.shape().rank() <= 1) {
        return by.reshape(parameter, {1});
    }
    const std::size_t axis = quantized_axis(by, data, where);
    const std::size_t rank = data.shape().rank();
    if (!parameter.shape()[0].intersect(data.shape()[axis])) {
        refuse_shape(name, parameter, data, "as many elements as axis " + std::to_string(axis));
    }
    return axis + 1 == rank ? parameter : as_column(by, parameter, rank - axis);
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
Output along_blocks(NodeContext& by, const std::string& name, const Output& parameter,
                    const Output& data, const QuantizedAxis& where) {
    const std::size_t axis = quantized_axis(by, data, where);
    if (parameter.shape().rank() != data.shape().rank()) {
        refuse_shape(name, parameter, data, "the same rank, since block_size is given");
    }
    check_other_axes(name, parameter, data, axis);
    Ints indices(static_cast<std::size_t>(
        elements_in_blocks(name, parameter, data, axis, where.block_size)));
    for (std::size_t i = 0; i < indices.size(); ++i) {
        indices[i] = static_cast<std::int64_t>(i) / where.block_size;
    }
    const auto at = static_cast<std::int64_t>(axis);
    Output repeated = by.gather(parameter, by.ints(indices), at);
    const bool is_same = repeated.shape().is_static() && repeated.shape() == data.shape();
    if (is_same) return repeated;
    if (!data.shape()[axis].is_static()) {
        repeated = by.make<ops::Slice>(repeated, by.ints({0}), by.run_extent(data, at),
                                       by.ints({1}), by.ints({at}));
    }
    return in_shape_of(by, repeated, data);
}

QuantizedBounds bounds_of(ElementType type) {
    return visit_integer(type, [](auto tag) -> QuantizedBounds {
        using Limits = std::numeric_limits<tag_type<decltype(tag)>>;
        return {static_cast<double>(Limits::min()), static_cast<double>(Limits::max())};
    });
}

}  // namespace

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

ElementType expect_byte(const Output& value, const std::string& what) {
    return expect_type(value, what, {ElementType::u8, ElementType::i8});
}

bool is_quantized(ElementType type) { return is_integral(type) && size_of(type) <= 2; }

std::optional<ElementType> find_type(NodeContext& by, const std::string& attribute) {
    const std::int64_t number = by.attribute(attribute, 0);
    if (number == 0) return std::nullopt;
    if (number < 0 || number > std::numeric_limits<std::int32_t>::max()) {
        throw ModelError("attribute '" + attribute + "' is " + std::to_string(number) +
                         "; expected a data type");
    }
    return element_type_from_onnx(static_cast<std::int32_t>(number));
}

Tensor converted_tensor(const Tensor& tensor, ElementType type) {
    const Tensor whole = tensor.contiguous();
    if (whole.element_type() == type) return whole;
    const auto convert = make_node<ops::Convert>(make_node<ops::Constant>(whole), type);
    return reference::evaluate(*convert, std::array{whole}).front();
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

Output widened(NodeContext& by, const Output& value) {
    if (!value || !is_narrow(value.element_type())) return value;
    const ElementType type = widened_type(value.element_type());
    const Tensor known = known_value(value);
    return known ? by.constant(converted_tensor(known, type)) : by.convert(value, type);
}

QuantizedAxis read_axis(NodeContext& by) {
    return {by.attribute("axis", 1), by.attribute_from("block_size", 0, 0)};
}

Output with_places(NodeContext& by, const Output& data, const Output& parameter,
                   const QuantizedAxis& where) {
    if (!parameter || where.block_size != 0 || !data.shape().has_rank()) return data;
    const PartialShape& shape = parameter.shape();
    const bool has_places = shape.has_rank() && shape.rank() == 1 && shape[0] != Dimension(1);
    if (!has_places || !shape[0].is_static()) return data;
    PartialShape expected = PartialShape::of_rank(data.shape().rank());
    expected[quantized_axis(by, data, where)] = shape[0];
    return with_extents(by, data, expected);
}

Output along_data(NodeContext& by, const std::string& name, const Output& parameter,
                  const Output& data, const QuantizedAxis& where) {
    if (!parameter) return parameter;
    const std::size_t rank = NodeContext::rank_of(parameter, 0, name);
    if (rank == 0) return parameter;
    if (where.block_size != 0) return along_blocks(by, name, parameter, data, where);
    if (rank != 1) refuse_shape(name, parameter, data, "a scalar or a vector");
    // A vector of one element must not give a scalar an axis.
    if (parameter.shape()[0] == Dimension(1)) return as_column(by, parameter, 0);
    return along_axis(by, name, parameter, data, where);
}

Output one_number(NodeContext& by, const std::string& name, const Output& value) {
    if (!value || value.shape() == PartialShape{1}) return value;
    const PartialShape& shape = value.shape();
    if (shape.has_rank() && shape.rank() == 0) return value;
    const bool fits = shape.has_rank() && shape.rank() == 1 && shape[0].contains(1);
    if (fits) return by.scalar(value);
    throw ModelError(name + " has shape " + to_string(shape) + "; expected a single element");
}

Output centred(NodeContext& by, const Quantized& x, ElementType type) {
    const Output wide = by.convert(x.values, type);
    return x.zero_point ? by.subtract(wide, by.convert(x.zero_point, type)) : wide;
}

Output dequantized_constant(NodeContext& by, const Tensor& integers, const Tensor& scale,
                            const Tensor& zero) {
    const Quantized x{{}, by.constant(integers), {}, zero ? by.constant(zero) : Output()};
    return by.multiply(centred(by, x, ElementType::f32),
                       by.convert(by.constant(scale), ElementType::f32));
}

Output rounded_to(NodeContext& by, const Output& value, const Output& zero_point, ElementType type,
                  std::optional<QuantizedBounds> given) {
    const QuantizedBounds bounds = given ? *given : bounds_of(type);
    // Wide enough for sums with any zero point.
    Output sum = by.convert(by.apply(UnaryFunction::round, value), ElementType::f32);
    if (zero_point) sum = by.add(sum, by.convert(zero_point, ElementType::f32));
    return by.convert(ops::clip(by, sum, bounds.least, bounds.greatest), type);
}

}  // namespace rondo::onnx
