#include "frontend/onnx/writer/ops/window/byte_operand.hpp"

#include <algorithm>

#include "core/graph/infer_context.hpp"
#include "core/ops/elementwise/binary.hpp"
#include "core/ops/elementwise/convert.hpp"

namespace rondo::onnx {
namespace {

bool is_byte(ElementType type) { return type == ElementType::u8 || type == ElementType::i8; }

// What a Convert widens, if it is one of 8-bit numbers.
Output widened_bytes(const Output& value) {
    const auto convert = as<ops::Convert>(value);
    return convert && is_byte(convert->input(0).element_type()) ? convert->input(0) : Output();
}

bool has_one_element(const Output& value) {
    const PartialShape& shape = value.shape();
    return shape.has_rank() && shape.is_static() && element_count(shape.to_shape()) == 1;
}

// Constants whose extremes are at most 255 apart, as u8 less a zero point.
std::optional<ByteOperand> constant_bytes(WriteContext& context, const Output& source,
                                          const Tensor& known) {
    const auto values = to_int64_vector(known);
    if (values.empty()) return std::nullopt;
    const std::int64_t least =
        std::min<std::int64_t>(0, *std::min_element(values.begin(), values.end()));
    const std::int64_t most =
        std::max<std::int64_t>(0, *std::max_element(values.begin(), values.end()));
    if (most - least > 255) return std::nullopt;
    Tensor bytes(ElementType::u8, known.shape());
    std::transform(values.begin(), values.end(), bytes.data<std::uint8_t>(),
                   [&](std::int64_t value) { return static_cast<std::uint8_t>(value - least); });
    return ByteOperand{context.constant(bytes, source.node().name()),
                       context.number(ElementType::u8, static_cast<double>(-least))};
}

}  // namespace

std::optional<ByteOperand> byte_operand(WriteContext& context, std::size_t index) {
    const Output& source = context.node().input(index);
    if (const Tensor known = known_value(source)) return constant_bytes(context, source, known);
    GraphDraft& draft = context.draft();
    if (const Output bytes = widened_bytes(source)) return ByteOperand{draft.name_of(bytes), ""};
    const auto difference = as<ops::Binary>(source);
    if (!difference || difference->function() != ops::BinaryFunction::subtract) return std::nullopt;
    const Output bytes = widened_bytes(difference->input(0));
    const Output& taken = difference->input(1);
    if (!bytes || !has_one_element(taken)) return std::nullopt;
    std::string zero_point;
    if (const Output point = widened_bytes(taken)) {
        if (point.element_type() != bytes.element_type()) return std::nullopt;
        zero_point = draft.name_of(point);
        if (taken.shape().rank() != 0) zero_point = context.reshape(zero_point, {});
        return ByteOperand{draft.name_of(bytes), zero_point};
    }
    const Tensor known = known_value(taken);
    if (!known) return std::nullopt;
    const std::int64_t point = to_int64_vector(known).front();
    const bool is_unsigned = bytes.element_type() == ElementType::u8;
    if (point < (is_unsigned ? 0 : -128) || point > (is_unsigned ? 255 : 127)) return std::nullopt;
    zero_point = context.number(bytes.element_type(), static_cast<double>(point));
    return ByteOperand{draft.name_of(bytes), zero_point};
}

}  // namespace rondo::onnx
