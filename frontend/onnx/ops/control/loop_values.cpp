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

// Whether the tensor that goes round has the shape that its first one has; else widens it.
bool holds(BodyValue& value, const Graph& body, std::size_t result, bool give_up) {
    const PartialShape& shape = body.results()[result]->output_shape(0);
    if (ops::covers(value.shape, shape)) return true;
    value.shape = widened(value.shape, shape, give_up);
    return false;
}

// The same for a sequence. One that gets longer is read again as one that grows.
bool holds(BodyValue& value, const BodyGraph& body, const BodyOutput& output, std::size_t slot,
           bool give_up) {
    using Form = BodyValue::Form;
    const bool is_same_list = output.form == BodyOutput::Form::sequence &&
                              output.count == value.tensors.size() && value.form == Form::sequence;
    const bool grows = output.form == BodyOutput::Form::growing && output.slot == slot &&
                       value.form == Form::growing;
    const bool is_tensor = output.form == BodyOutput::Form::tensor && value.form == Form::tensor;
    if (is_tensor) return holds(value, *body.graph, output.first, give_up);
    if (grows) return true;
    if (is_same_list) {
        bool all = true;
        for (std::size_t i = 0; i < output.count; ++i) {
            all = holds(value.tensors[i], *body.graph, output.first + i, give_up) && all;
        }
        return all;
    }
    if (value.form != Form::sequence) {
        throw UnsupportedError("value " + std::to_string(slot) +
                               " of the loop becomes another kind of tensor or sequence; a "
                               "sequence may keep its length or get one tensor at its end");
    }
    value.form = Form::growing;
    value.slot = slot;
    return false;
}

}  // namespace

BodyGraph read_loop_body(NodeContext& context, BodyRequest request, std::size_t first,
                         std::size_t first_result, std::size_t count) {
    constexpr int kMaxRounds = 4;
    int round = 0;
    return context.read_body(
        "body", std::move(request), [&](const BodyGraph& body, BodyRequest& next) {
            check_output_count(body, first_result + count, body.outputs.size());
            bool all_hold = true;
            if (++round > 2 * kMaxRounds) {
                throw UnsupportedError("the values that go round keep changing their kinds");
            }
            for (std::size_t i = 0; i < count; ++i) {
                all_hold = holds(next.inputs[first + i], body, body.outputs[first_result + i], i,
                                 round >= kMaxRounds) &&
                           all_hold;
            }
            return all_hold;
        });
}

void add_captured(const BodyGraph& body, std::vector<Output>& inputs, ops::BodyPorts& ports) {
    const std::size_t own = body.graph->parameters().size() - body.captured.size();
    for (std::size_t i = 0; i < body.captured.size(); ++i) {
        ports.inputs.push_back({inputs.size(), own + i, {}, {}});
        inputs.push_back(body.captured[i]);
    }
}

void check_output_count(const BodyGraph& body, std::size_t min, std::size_t max) {
    const std::size_t count = body.outputs.size();
    if (count >= min && count <= max) return;
    throw ModelError("the body has " + std::to_string(count) + " outputs; expected " +
                     (min == max ? "" : "at least ") + std::to_string(min));
}

}  // namespace rondo::onnx
