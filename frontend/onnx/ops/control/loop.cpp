// Converts Loop.
#include "core/ops/control/loop.hpp"

#include "core/ops/elementwise/binary.hpp"
#include "core/ops/source/constant.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/control/converters.hpp"
#include "frontend/onnx/ops/control/loop_values.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr std::size_t kNumber = 0;     // of the iteration
constexpr std::size_t kCondition = 1;  // and of the body's inputs
constexpr std::size_t kFirstValue = 2;

// ONNX runs nothing for a negative count, for which Loop-5 sets no bound.
Output trip_count(NodeContext& context) {
    const Output count = context.optional_input(0);
    if (!count) return make_int_scalar(context, "no_limit", -1);
    if (const auto known = NodeContext::known_ints(count); known && known->size() == 1) {
        return known->front() < 0 ? make_int_scalar(context, "limit", 0) : count;
    }
    if (count.element_type() != ElementType::i64) return count;  // Loop says what it takes
    return context.make<ops::Binary>("limit", ops::BinaryFunction::maximum, count,
                                     make_int_scalar(context, "least", 0));
}

Output start_condition(NodeContext& context) {
    if (const Output condition = context.optional_input(1)) return condition;
    Tensor yes(ElementType::boolean, {});
    *yes.data<bool>() = true;
    return context.make<ops::Constant>("start", yes);
}

BodyValue value_of(const Output& value) { return {value.element_type(), value.shape(), {}}; }

std::vector<Output> convert_loop(NodeContext& context) {
    std::vector<Output> inputs{trip_count(context), start_condition(context)};
    const std::size_t values =
        context.input_count() > kFirstValue ? context.input_count() - kFirstValue : 0;
    BodyRequest request;
    request.inputs = {{ElementType::i64, PartialShape(Shape{}), {}, true},
                      {ElementType::boolean, inputs[1].shape(), {}}};
    ops::BodyPorts ports{{{1, kCondition, {}, 0}}, {}};
    for (std::size_t i = 0; i < values; ++i) {
        ports.inputs.push_back({inputs.size(), kFirstValue + i, {}, 1 + i});
        inputs.push_back(context.input(kFirstValue + i));
        request.inputs.push_back(value_of(inputs.back()));
    }
    request.extra_axis = [&](std::size_t result) -> std::optional<std::int64_t> {
        if (result <= values) return {};
        return 0;
    };
    BodyGraph body = read_loop_body(context, std::move(request), kFirstValue, 1, values);
    // Exporters write a condition of shape [] here and [1] there, where the body doesn't read it.
    if (body.graph->parameters()[kCondition]->consumers(0).empty()) {
        ports.inputs.front().back_edge.reset();
    }
    for (std::size_t i = 1; i < body.graph->results().size(); ++i) {
        ports.outputs.push_back({i - 1, i, {}});
        if (i > values) ports.outputs.back().concat = ops::PartRange{};
    }
    add_captured(body, inputs, ports);
    return outputs_of(context.make<ops::Loop>("", std::move(inputs), body.graph, std::move(ports),
                                              ops::LoopPorts{kNumber, 0}));
}

constexpr OpEntry kEntries[] = {
    {"", "Loop", 1, convert_loop},
};

}  // namespace

std::span<const OpEntry> loop_converters() { return kEntries; }

}  // namespace rondo::onnx
