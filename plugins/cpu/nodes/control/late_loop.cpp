// A loop whose number of iterations or shapes only a run finds.
#include <optional>

#include "core/support/errors.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/memory_limit.hpp"
#include "plugins/cpu/nodes/control/iteration_values.hpp"
#include "plugins/cpu/nodes/control/joined_parts.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

InferContext context_of(const Node& node, std::span<const Tensor> inputs) {
    std::vector<InferInput> seen;
    for (const auto& input : inputs) seen.push_back({input.element_type(), input.shape(), input});
    return {node, std::move(seen)};
}

// The parts of one input, each copied to the same memory.
class Parts {
public:
    explicit Parts(const ops::BodyInput& port) : port_(port) {}

    void bind(const Node& node, std::span<const Tensor> inputs) {
        const Tensor& whole = inputs[port_.input];
        form_ = forms_.find([&](const Form& form) {
            return form.part.element_type() == whole.element_type() && form.shape == whole.shape();
        });
        if (form_ != nullptr) return;
        Form form;
        form.plan = ops::plan_parts(context_of(node, inputs), *port_.slice, whole.shape(),
                                    "input " + std::to_string(port_.input));
        form.shape = whole.shape();
        Shape part = form.shape;
        part[form.plan.axis] = form.plan.part_size;
        form.part = Tensor(whole.element_type(), part);
        const std::int64_t element = element_bytes(whole.element_type());
        const Strides strides = dense_strides(form.shape, element);
        form.stride = strides[form.plan.axis];
        form.copy = StridedCopy({element, extents_of(part), strides, dense_strides(part, element)});
        form_ = &forms_.add(std::move(form));
    }

    std::size_t count() const { return form_->plan.parts; }

    const Tensor& take(const Node& node, const Tensor& whole, std::size_t iteration, Team& team) {
        const ops::PartPlan& plan = form_->plan;
        check_part(node, port_.input, plan.parts, iteration);
        const std::int64_t element = plan.first + static_cast<std::int64_t>(iteration) * plan.step;
        if (form_->part.size() > 0) {
            form_->copy.run(static_cast<const std::byte*>(whole.data()) + element * form_->stride,
                            form_->part.data(), team);
        }
        return form_->part;
    }

private:
    // For an input of one type and shape.
    struct Form {
        ops::PartPlan plan;
        Shape shape;
        Tensor part;
        std::int64_t stride = 0;
        StridedCopy copy;
    };

    const ops::BodyInput& port_;
    Recent<Form> forms_;
    Form* form_ = nullptr;  // of this run
};

class LateLoop final : public DynamicRun {
public:
    LateLoop(const ops::IteratedOp& op, const Body& body)
        : op_(op),
          is_loop_(op.type_name() == "Loop"),
          body_(body.make_run()),
          values_(op.body().parameters().size()),
          results_(op.body().results().size()),
          initial_(op.body_ports().outputs.size()) {
        for (const auto& port : op.body_ports().inputs) {
            auto& parts = parts_.emplace_back();
            if (port.slice) parts.emplace(port);
        }
        for (const auto& port : op.body_ports().outputs) {
            auto& joined = joined_.emplace_back();
            if (!port.concat) continue;
            joined.emplace(static_cast<std::size_t>(port.concat->axis), port.concat->is_reversed());
        }
        if (const auto number = op.iteration_parameter()) {
            const Node& parameter = *op.body().parameters()[*number];
            number_ = Tensor(parameter.output_type(0), parameter.output_shape(0).to_shape());
        }
    }

    void run(const DynamicRunArgs& args) override {
        for (auto& parts : parts_) {
            if (parts) parts->bind(op_, args.inputs);
        }
        const std::size_t most = limit(args.inputs);
        for (auto& joined : joined_) {
            if (joined) joined->start(most);
        }
        bool goes_on = starts(args.inputs);
        std::size_t count = 0;
        for (; goes_on && count < most; ++count) {
            stop_if(args.cancelled);
            op_.check_iterations(count + 1);
            feed(args, count);
            body_->run({values_, results_, args.team, args.cancelled,
                        args.profiles.empty() ? nullptr : args.profiles[0]});
            keep_parts(args.limits);
            if (const auto condition = op_.condition_result()) {
                check_one(op_, results_[*condition].shape(), "the condition");
                goes_on = read_flag(results_[*condition].data());
            }
        }
        finish(args, count);
    }

private:
    bool starts(std::span<const Tensor> inputs) const {
        if (!is_loop_) return true;
        check_one(op_, inputs[1].shape(), "the condition");
        return read_flag(inputs[1].data());
    }

    std::size_t limit(std::span<const Tensor> inputs) const {
        if (is_loop_) {
            check_one(op_, inputs[0].shape(), "the trip count");
            return read_trip_count(inputs[0].data(), inputs[0].element_type());
        }
        std::optional<std::size_t> count;
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            if (!parts_[i]) continue;
            if (count && *count != parts_[i]->count()) op_.trip_count(context_of(op_, inputs));
            count = parts_[i]->count();
        }
        return count.value_or(0);
    }

    void feed(const DynamicRunArgs& args, std::size_t iteration) {
        const auto& ports = op_.body_ports().inputs;
        for (std::size_t i = 0; i < ports.size(); ++i) {
            const auto& port = ports[i];
            const Tensor& input = args.inputs[port.input];
            Tensor& value = values_[port.parameter];
            if (parts_[i]) {
                value = parts_[i]->take(op_, input, iteration, args.team);
            } else {
                value = port.back_edge && iteration > 0 ? results_[*port.back_edge] : input;
            }
        }
        if (!number_) return;
        write_iteration(number_.data(), number_.element_type(), iteration);
        values_[*op_.iteration_parameter()] = number_;
    }

    // `parts` bytes of the output, and `memory` for it.
    void check_memory(std::size_t port, std::size_t parts, std::size_t memory,
                      const ModelLimits& limits) const {
        const auto place = [&] {
            return describe(op_) + ": output " +
                   std::to_string(op_.body_ports().outputs[port].output) +
                   ", which each iteration lengthens";
        };
        for (std::size_t i = 0; i < joined_.size(); ++i) {
            if (joined_[i] && i != port) memory += joined_[i]->memory();
        }
        at_place(place, [&] {
            check_tensor(parts, limits);
            check_total(memory, limits);
        });
    }

    void keep_parts(const ModelLimits& limits) {
        const auto& ports = op_.body_ports().outputs;
        for (std::size_t i = 0; i < ports.size(); ++i) {
            if (!joined_[i]) continue;
            const Tensor& part = results_[ports[i].result];
            const Tensor& first = joined_[i]->first();
            if (first && first.shape() != part.shape()) {
                throw ModelError(describe(op_) + ": output " + std::to_string(ports[i].output) +
                                 " is joined from shapes " + to_string(first.shape()) + " and " +
                                 to_string(part.shape()));
            }
            joined_[i]->add(part, [&](std::size_t parts, std::size_t memory) {
                check_memory(i, parts, memory, limits);
            });
        }
    }

    void finish(const DynamicRunArgs& args, std::size_t count) {
        const auto& ports = op_.body_ports().outputs;
        for (std::size_t i = 0; i < ports.size(); ++i) {
            Tensor& output = args.outputs[ports[i].output];
            if (count == 0) {
                output = joined_[i] ? nothing_joined(args.inputs, ports[i].output)
                                    : initial_value(args.inputs, i);
            } else {
                output = joined_[i] ? joined_[i]->join(args.team) : results_[ports[i].result];
            }
        }
    }

    Tensor nothing_joined(std::span<const Tensor> inputs, std::size_t output) const {
        InferContext context = context_of(op_, inputs);
        op_.check_and_infer(context);
        const InferOutput& inferred = context.outputs()[output];
        return {inferred.type, ops::shape_without_parts(context, inferred.shape, output)};
    }

    // A copy: the input's memory serves others afterwards.
    const Tensor& initial_value(std::span<const Tensor> inputs, std::size_t port) {
        const ops::BodyOutput& output = op_.body_ports().outputs[port];
        const ops::BodyInput* carried = op_.carried_by(output.result);
        if (carried == nullptr) {
            throw ModelError(describe(op_) + ": output " + std::to_string(output.output) +
                             " has no value, since there was no iteration");
        }
        const Tensor& input = inputs[carried->input];
        Tensor& copy = initial_[port];
        const bool fits =
            copy && copy.element_type() == input.element_type() && copy.shape() == input.shape();
        if (!fits) copy = Tensor(input.element_type(), input.shape());
        input.copy_to(copy);
        return copy;
    }

    const ops::IteratedOp& op_;
    bool is_loop_;
    std::unique_ptr<BodyRun> body_;
    std::vector<Tensor> values_;                      // a parameter each
    std::vector<Tensor> results_;                     // of the last iteration
    std::vector<std::optional<Parts>> parts_;         // an input port each
    std::vector<std::optional<JoinedParts>> joined_;  // an output port each
    std::vector<Tensor> initial_;                     // likewise, where there was no iteration
    Tensor number_;                                   // of the iteration
};

}  // namespace

std::unique_ptr<DynamicRun> make_late_loop(const ops::IteratedOp& op, const Body& body) {
    return std::make_unique<LateLoop>(op, body);
}

}  // namespace rondo::cpu
