#include "core/ops/reference/control/evaluate_bodies.hpp"

#include <cstring>
#include <limits>
#include <unordered_map>

#include "core/graph/infer_context.hpp"
#include "core/ops/control/control_ops.hpp"
#include "core/ops/reference/common/indices.hpp"
#include "rondo/error.hpp"

namespace rondo::reference {
namespace {

// Rows of `row` bytes, `from_step` bytes apart on one side and `to_step` on the other.
void copy_rows(const char* from, std::size_t from_step, char* to, std::size_t to_step,
               std::size_t row, std::size_t count) {
    for (std::size_t i = 0; i < count && row > 0; ++i) {
        std::memcpy(to + i * to_step, from + i * from_step, row);
    }
}

}  // namespace

Tensor take_part(const Tensor& whole, std::size_t axis, std::size_t first, std::size_t size) {
    Shape shape = whole.shape();
    const std::size_t extent = shape[axis];
    shape[axis] = size;
    Tensor part(whole.element_type(), shape);
    const std::size_t inner =
        product(shape, axis + 1, shape.size()) * size_of(whole.element_type());
    copy_rows(static_cast<const char*>(whole.data()) + first * inner, extent * inner,
              static_cast<char*>(part.data()), size * inner, size * inner, product(shape, 0, axis));
    return part;
}

Tensor join_parts(std::span<const Tensor> parts, std::size_t axis, bool reversed) {
    Shape shape = parts.front().shape();
    const std::size_t row =
        product(shape, axis, shape.size()) * size_of(parts.front().element_type());
    shape[axis] *= parts.size();
    Tensor whole(parts.front().element_type(), shape);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t place = reversed ? parts.size() - 1 - i : i;
        copy_rows(static_cast<const char*>(parts[i].data()), row,
                  static_cast<char*>(whole.data()) + place * row, parts.size() * row, row,
                  product(shape, 0, axis));
    }
    return whole;
}

std::vector<Tensor> GraphEvaluation::run(std::span<const Tensor> inputs) const {
    std::unordered_map<const Node*, std::vector<Tensor>> values;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        values[graph_.parameters()[i].get()] = {inputs[i]};
    }
    for (const NodePtr& node : nodes_) {
        if (values.contains(node.get())) continue;
        std::vector<Tensor> sources;
        for (const auto& source : node->inputs()) {
            sources.push_back(values.at(&source.node()).at(source.index()));
        }
        values[node.get()] = outputs_of(*node, sources);
    }
    std::vector<Tensor> results;
    for (const NodePtr& node : graph_.results()) results.push_back(values.at(node.get())[0]);
    return results;
}

std::vector<Tensor> GraphEvaluation::outputs_of(const Node& node,
                                                const std::vector<Tensor>& inputs) const {
    if (node.type_name() == "Result") return inputs;
    if (const Tensor known = inputs.empty() ? node.known_value(0) : Tensor()) return {known};
    return evaluate_(node, inputs);
}

namespace {

[[noreturn]] void fail(const Node& node, const std::string& message) {
    throw ModelError(describe(node) + ": " + message);
}

void check_one(const Node& node, const Tensor& value, const char* what) {
    if (value.size() == 1) return;
    fail(node,
         std::string(what) + " has shape " + to_string(value.shape()) + "; expected one element");
}

bool flag_of(const Node& node, const Tensor& value) {
    check_one(node, value, "the condition");
    return ops::is_true(value);
}

std::vector<Tensor> evaluate_if(const ops::If& node, std::span<const Tensor> inputs,
                                RunBody run_body) {
    const std::size_t branch = flag_of(node, inputs[0]) ? ops::If::kThen : ops::If::kElse;
    const ops::BodyPorts& ports = node.ports(branch);
    std::vector<Tensor> values(node.bodies()[branch]->parameters().size());
    for (const auto& port : ports.inputs) values[port.parameter] = inputs[port.input];
    const auto results = run_body(branch, values);
    std::vector<Tensor> outputs(ports.outputs.size());
    for (const auto& port : ports.outputs) outputs[port.output] = results[port.result];
    return outputs;
}

class Iterations {
public:
    Iterations(const ops::IteratedOp& node, std::span<const Tensor> inputs, RunBody run_body)
        : node_(node),
          inputs_(inputs),
          context_(known_context(node, inputs)),
          run_body_(run_body),
          joined_(node.body_ports().outputs.size()) {
        for (const auto& port : node_.body_ports().inputs) {
            parts_.push_back(port.slice ? ops::plan_parts(context_, *port.slice,
                                                          inputs[port.input].shape(),
                                                          "input " + std::to_string(port.input))
                                        : ops::PartPlan{});
        }
    }

    std::vector<Tensor> run() {
        const std::size_t limit = most();
        bool goes_on =
            dynamic_cast<const ops::Loop*>(&node_) == nullptr || flag_of(node_, inputs_[1]);
        for (; goes_on && count_ < limit; ++count_) {
            node_.check_iterations(count_ + 1);
            results_ = run_body_(0, next_inputs());
            keep_parts();
            if (const auto condition = node_.condition_result()) {
                goes_on = flag_of(node_, results_[*condition]);
            }
        }
        std::vector<Tensor> outputs(node_.body_ports().outputs.size());
        for (const auto& port : node_.body_ports().outputs) outputs[port.output] = output_of(port);
        return outputs;
    }

private:
    std::size_t most() const {
        if (dynamic_cast<const ops::Loop*>(&node_) == nullptr) {
            return node_.trip_count(context_).exact.value_or(0);
        }
        check_one(node_, inputs_[0], "the trip count");
        const std::int64_t limit = to_int64_vector(inputs_[0]).front();
        return limit < 0 ? std::numeric_limits<std::size_t>::max()
                         : static_cast<std::size_t>(limit);
    }

    std::vector<Tensor> next_inputs() const {
        const auto& ports = node_.body_ports().inputs;
        std::vector<Tensor> values(node_.body().parameters().size());
        for (std::size_t i = 0; i < ports.size(); ++i) {
            const auto& port = ports[i];
            const Tensor& input = inputs_[port.input];
            if (port.slice) {
                values[port.parameter] = part_of(input, parts_[i], port.input);
            } else {
                values[port.parameter] =
                    port.back_edge && count_ > 0 ? results_[*port.back_edge] : input;
            }
        }
        if (const auto index = node_.iteration_parameter()) values[*index] = iteration(*index);
        return values;
    }

    Tensor part_of(const Tensor& input, const ops::PartPlan& plan, std::size_t number) const {
        if (count_ >= plan.parts) {
            fail(node_, "input " + std::to_string(number) + " has " + std::to_string(plan.parts) +
                            " parts; iteration " + std::to_string(count_) + " needs another one");
        }
        const std::int64_t first = plan.first + static_cast<std::int64_t>(count_) * plan.step;
        return take_part(input, plan.axis, static_cast<std::size_t>(first), plan.part_size);
    }

    Tensor iteration(std::size_t parameter) const {
        const Node& node = *node_.body().parameters()[parameter];
        Tensor value(node.output_type(0), node.output_shape(0).to_shape());
        if (node.output_type(0) == ElementType::i32) {
            *value.data<std::int32_t>() = static_cast<std::int32_t>(count_);
        } else {
            *value.data<std::int64_t>() = static_cast<std::int64_t>(count_);
        }
        return value;
    }

    void keep_parts() {
        for (const auto& port : node_.body_ports().outputs) {
            if (!port.concat) continue;
            auto& parts = joined_[port.output];
            const Tensor& part = results_[port.result];
            if (!parts.empty() && parts.front().shape() != part.shape()) {
                fail(node_, "output " + std::to_string(port.output) + " is joined from shapes " +
                                to_string(parts.front().shape()) + " and " +
                                to_string(part.shape()));
            }
            parts.push_back(part);
        }
    }

    Tensor output_of(const ops::BodyOutput& port) const {
        if (port.concat && count_ > 0) {
            return join_parts(joined_[port.output], static_cast<std::size_t>(port.concat->axis),
                              port.concat->is_reversed());
        }
        if (port.concat) return nothing_joined(port.output);
        if (count_ > 0) return results_[port.result];
        const ops::BodyInput* carried = node_.carried_by(port.result);
        if (carried == nullptr) {
            fail(node_, "output " + std::to_string(port.output) +
                            " has no value, since there was no iteration");
        }
        return inputs_[carried->input];
    }

    Tensor nothing_joined(std::size_t output) const {
        InferContext context = context_;
        node_.check_and_infer(context);
        const InferOutput& inferred = context.outputs()[output];
        return {inferred.type, ops::shape_without_parts(context, inferred.shape, output)};
    }

    const ops::IteratedOp& node_;
    std::span<const Tensor> inputs_;
    InferContext context_;
    RunBody run_body_;
    std::vector<ops::PartPlan> parts_;         // an input each
    std::vector<std::vector<Tensor>> joined_;  // an output each
    std::vector<Tensor> results_;              // of the last iteration
    std::size_t count_ = 0;
};

}  // namespace

std::vector<Tensor> evaluate_bodies(const Node& node, std::span<const Tensor> inputs,
                                    RunBody run_body) {
    if (const auto* choice = dynamic_cast<const ops::If*>(&node)) {
        return evaluate_if(*choice, inputs, run_body);
    }
    return Iterations(dynamic_cast<const ops::IteratedOp&>(node), inputs, run_body).run();
}

}  // namespace rondo::reference
