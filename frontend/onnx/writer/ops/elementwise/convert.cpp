// Writes Convert as Cast.
#include "core/ops/elementwise/convert.hpp"

#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/writer/context/write_context.hpp"
#include "frontend/onnx/writer/ops/elementwise/writers.hpp"

namespace rondo::onnx {
namespace {

// The first opset whose Cast takes the type.
std::int64_t first_opset(ElementType type) {
    switch (type) {
        case ElementType::f4e2m1: return 23;
        case ElementType::f8e8m0: return 24;
        case ElementType::i2:
        case ElementType::u2: return 25;
        default: return 1;
    }
}

bool is_float8(ElementType type) {
    return type == ElementType::f8e4m3 || type == ElementType::f8e5m2 ||
           type == ElementType::f8e4m3fnuz || type == ElementType::f8e5m2fnuz;
}

Names write_convert(WriteContext& context) {
    using Scale = NarrowRounding::Scale;
    const auto& op = context.op<ops::Convert>();
    const ElementType type = op.destination_type();
    const NarrowRounding rounding = op.rounding();
    context.require_opset(first_opset(type));
    context.require_opset(first_opset(context.type(0)));
    NewNode cast = context.emit("Cast", {context.input(0)});
    cast.with_int("to", onnx_from_element_type(type));
    if (is_float8(type) && !rounding.saturates) cast.with_int("saturate", 0);
    if (type == ElementType::f8e8m0) {
        if (!rounding.saturates) cast.with_int("saturate", 0);
        if (rounding.scale != Scale::up) {
            cast.with_text("round_mode", rounding.scale == Scale::down ? "down" : "nearest");
        }
    }
    return {cast};
}

constexpr OpWriter kWriters[] = {{"Convert", write_convert}};

}  // namespace

std::span<const OpWriter> convert_writers() { return kWriters; }

}  // namespace rondo::onnx
