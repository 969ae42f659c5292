#include "frontend/onnx/ops/control/loop_values.hpp"

#include "core/ops/control/body_op.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// Extents that differ become open at once; after some rounds even the rank does.
PartialShape widened(const PartialShape& before, const PartialShape& after, bool give_up) {
    if (give_up || !before.has_rank() || !after.has_rank() || before.rank() != after.rank()) {
        return {};
    }
    std::vector<Dimension> extents;
    for (std::size_t i = 0; i < before.rank(); ++i) {
        extents.push_back(before[i] == after[i] ? before[i] : Dimension());
    }
    return {std::move(extents)};
}

}  // namespace

BodyGraph read_loop_body(NodeContext& context, BodyRequest request, std::size_t first,
                         std::size_t first_result, std::size_t count) {
    constexpr int kMaxRounds = 4;
    int round = 0;
    return context.read_body("body", std::move(request), [&](const Graph& body, BodyRequest& next) {
        check_result_count(body, first_result + count, body.results().size());
        bool holds = true;
        ++round;
        for (std::size_t i = 0; i < count; ++i) {
            BodyValue& value = next.inputs[first + i];
            const PartialShape& result = body.results()[first_result + i]->output_shape(0);
            if (ops::covers(value.shape, result)) continue;
            value.shape = widened(value.shape, result, round >= kMaxRounds);
            holds = false;
        }
        return holds;
    });
}

void add_captured(const BodyGraph& body, std::vector<Output>& inputs, ops::BodyPorts& ports) {
    const std::size_t own = body.graph->parameters().size() - body.captured.size();
    for (std::size_t i = 0; i < body.captured.size(); ++i) {
        ports.inputs.push_back({inputs.size(), own + i, {}, {}});
        inputs.push_back(body.captured[i]);
    }
}

void check_result_count(const Graph& body, std::size_t min, std::size_t max) {
    const std::size_t count = body.results().size();
    if (count >= min && count <= max) return;
    throw ModelError("the body has " + std::to_string(count) + " outputs; expected " +
                     (min == max ? "" : "at least ") + std::to_string(min));
}

}  // namespace rondo::onnx
