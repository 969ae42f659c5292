// Writes Convert as Cast.
#include "core/ops/elementwise/convert.hpp"

#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/writer/context/write_context.hpp"
#include "frontend/onnx/writer/ops/elementwise/writers.hpp"

namespace rondo::onnx {
namespace {

bool is_float8(ElementType type) {
    return type == ElementType::f8e4m3 || type == ElementType::f8e5m2 ||
           type == ElementType::f8e4m3fnuz || type == ElementType::f8e5m2fnuz;
}

}  // namespace

Names write_convert(WriteContext& context) {
    using Scale = NarrowRounding::Scale;
    const auto& op = context.op<ops::Convert>();
    const ElementType type = op.destination_type();
    const NarrowRounding rounding = op.rounding();
    context.draft().file().use_type(type);
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

}  // namespace rondo::onnx
