// Comparisons, functions of booleans, and Select.
#include "core/ops/elementwise/elementwise_ops.hpp"

#include "core/support/errors.hpp"
#include "frontend/onnx/writer/context/write_context.hpp"
#include "frontend/onnx/writer/ops/elementwise/writers.hpp"

namespace rondo::onnx {
namespace {

using ops::CompareFunction;
using ops::LogicalFunction;

// ONNX orders numbers alone.
Names ordered(WriteContext& context, const char* name) {
    const bool flags = context.type(0) == ElementType::boolean;
    const ElementType type = flags ? ElementType::u8 : context.type(0);
    return {context.emit(name, {context.input_as(0, type), context.input_as(1, type)})};
}

}  // namespace

Names write_compare(WriteContext& context) {
    switch (context.op<ops::Compare>().function()) {
        case CompareFunction::equal: return {context.emit("Equal", context.inputs())};
        case CompareFunction::greater: return ordered(context, "Greater");
        case CompareFunction::greater_equal: return ordered(context, "GreaterOrEqual");
        case CompareFunction::less: return ordered(context, "Less");
        case CompareFunction::less_equal: return ordered(context, "LessOrEqual");
        case CompareFunction::not_equal:
            return {context.emit("Not", {context.emit("Equal", context.inputs())})};
    }
    internal_error("a comparison without an operator");
}

Names write_logical(WriteContext& context) {
    switch (context.op<ops::Logical>().function()) {
        case LogicalFunction::logical_and: return {context.emit("And", context.inputs())};
        case LogicalFunction::logical_or: return {context.emit("Or", context.inputs())};
        case LogicalFunction::logical_xor: return {context.emit("Xor", context.inputs())};
    }
    internal_error("a function of booleans without an operator");
}

// onnxruntime has no Where of booleans.
Names write_select(WriteContext& context) {
    if (context.type(1) != ElementType::boolean) return {context.emit("Where", context.inputs())};
    const std::string chosen = context.emit("And", {context.input(0), context.input(1)});
    const std::string opposite = context.emit("Not", {context.input(0)});
    const std::string other = context.emit("And", {opposite, context.input(2)});
    return {context.emit("Or", {chosen, other})};
}

}  // namespace rondo::onnx
