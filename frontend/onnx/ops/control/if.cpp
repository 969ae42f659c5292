// Converts If.
#include <algorithm>

#include "core/ops/control/if.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/control/converters.hpp"
#include "frontend/onnx/ops/control/loop_values.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// A tensor that both branches read is one input.
std::size_t input_of(const Output& value, std::vector<Output>& inputs) {
    const auto at = std::find(inputs.begin() + 1, inputs.end(), value);
    if (at != inputs.end()) return static_cast<std::size_t>(at - inputs.begin());
    inputs.push_back(value);
    return inputs.size() - 1;
}

std::vector<Output> convert_if(NodeContext& context) {
    std::vector<Output> inputs{context.input(0)};
    std::vector<GraphPtr> bodies;
    std::vector<ops::BodyPorts> ports;
    for (const char* name : {"then_branch", "else_branch"}) {
        BodyGraph body = context.read_body(name);
        check_result_count(*body.graph, context.output_count(), context.output_count());
        ops::BodyPorts own;
        for (std::size_t i = 0; i < body.captured.size(); ++i) {
            own.inputs.push_back({input_of(body.captured[i], inputs), i, {}, {}});
        }
        for (std::size_t i = 0; i < body.graph->results().size(); ++i) {
            own.outputs.push_back({i, i, {}});
        }
        bodies.push_back(std::move(body.graph));
        ports.push_back(std::move(own));
    }
    return outputs_of(
        context.make<ops::If>("", std::move(inputs), std::move(bodies), std::move(ports)));
}

constexpr OpEntry kEntries[] = {
    {"", "If", 1, convert_if},
};

}  // namespace

std::span<const OpEntry> if_converters() { return kEntries; }

}  // namespace rondo::onnx
