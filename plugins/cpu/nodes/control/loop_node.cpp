// Loop and TensorIterator: the body is a program of its own, which runs once an iteration.
#include <algorithm>

#include "plugins/cpu/nodes/control/body_parts.hpp"
#include "plugins/cpu/nodes/control/iteration_values.hpp"
#include "plugins/cpu/nodes/control/loop_call.hpp"
#include "plugins/cpu/nodes/control/makers.hpp"

namespace rondo::cpu {
namespace {

using Infos = std::span<const TensorInfo* const>;

class LoopNode final : public CpuNode {
public:
    LoopNode(const ops::IteratedOp& op, const CompileContext& context)
        : CpuNode(op, "loop", "runs a program once an iteration"),
          op_(op),
          body_(context.make_body(op.bodies()[0])) {
        add_body_parts(op, 0, *body_, parts_);
    }

    InferredNode infer(Infos inputs) const override {
        InferContext context = context_of(op_, inputs);
        if (op_.type_name() == "Loop") {
            check_one(op_, inputs[0]->shape, "the trip count");
            check_one(op_, inputs[1]->shape, "the condition");
        }
        const ops::TripCount count = op_.trip_count(context);
        InferredNode inferred{{}, context.missing_values()};
        std::optional<std::vector<TensorInfo>> results;
        try {
            results = body_->infer(parameters_of(context, inputs));
        } catch (const InternalError&) {
            throw;
        } catch (const Error&) {
            if (count.at_least_one) throw;
            return {};  // only a run finds whether the body runs
        }
        if (!results) {
            add_missing(inputs, inferred.missing);
            return inferred;
        }
        if (count.exact != 0 && !is_steady(context, *results)) return inferred;
        std::vector<TensorInfo> outputs(op_.body_ports().outputs.size());
        for (const auto& port : op_.body_ports().outputs) {
            TensorInfo info = (*results)[port.result];
            info.value = {};
            if (count.exact == 0) {
                info.shape = shape_without_iterations(context, port, info.shape);
            } else if (port.concat && !count.exact) {
                return inferred;
            } else if (port.concat) {
                auto& extent = info.shape.at(static_cast<std::size_t>(port.concat->axis));
                extent = ops::joined_extent(context, *count.exact, extent);
            }
            outputs[port.output] = std::move(info);
        }
        inferred.outputs = std::move(outputs);
        return inferred;
    }

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        std::vector<const TensorInfo*> inputs;
        for (const auto& input : site.inputs) inputs.push_back(&input);
        const InferContext context = context_of(op_, site);
        const auto parameters = parameters_of(context, inputs);
        const auto count = op_.trip_count(context).exact;
        if (count) op_.check_iterations(*count);
        return std::make_unique<LoopCall>(LoopSite{op_, site, parameters, count},
                                          body_->bind(parameters, site.threads));
    }

    bool finds_shapes() const override { return true; }
    std::unique_ptr<LateRun> make_late_run() const override { return make_late_loop(op_, *body_); }

    std::span<const NodePart> parts() const override { return parts_; }
    std::span<const std::unique_ptr<Body>> bodies() const override { return {&body_, 1}; }

private:
    std::vector<TensorInfo> parameters_of(const InferContext& context, Infos inputs) const {
        std::vector<TensorInfo> parameters(op_.body().parameters().size());
        for (const auto& port : op_.body_ports().inputs) {
            TensorInfo& info = parameters[port.parameter];
            info = *inputs[port.input];
            if (port.slice || port.back_edge) info.value = {};
            if (!port.slice) continue;
            ops::plan_parts(context, *port.slice, context.shape(port.input),
                            "input " + std::to_string(port.input));
            info.shape[static_cast<std::size_t>(port.slice->axis)] =
                static_cast<std::size_t>(port.slice->part_size);
        }
        if (const auto iteration = op_.iteration_parameter()) {
            const Node& declared = *op_.body().parameters()[*iteration];
            parameters[*iteration] = {
                declared.output_type(0), declared.output_shape(0).to_shape(), {}, true};
        }
        return parameters;
    }

    // True where what goes round keeps its shape.
    bool is_steady(const InferContext& context, const std::vector<TensorInfo>& results) const {
        const auto& inputs = op_.body_ports().inputs;
        return std::all_of(inputs.begin(), inputs.end(), [&](const ops::BodyInput& port) {
            return !port.back_edge ||
                   results[*port.back_edge].shape == context.shape(port.input).to_shape();
        });
    }

    Shape shape_without_iterations(const InferContext& context, const ops::BodyOutput& port,
                                   const Shape& result) const {
        if (!port.concat) {
            const ops::BodyInput* carried = op_.carried_by(port.result);
            return carried == nullptr ? result : context.shape(carried->input).to_shape();
        }
        InferContext own = context;
        op_.infer(own);
        return ops::shape_without_parts(own, own.outputs()[port.output].shape, port.output);
    }

    void add_missing(Infos inputs, std::vector<std::size_t>& missing) const {
        for (const auto& port : op_.body_ports().inputs) {
            const bool listed =
                std::find(missing.begin(), missing.end(), port.input) != missing.end();
            if (port.slice || port.back_edge || listed) continue;
            if (may_decide_shapes(*inputs[port.input])) missing.push_back(port.input);
        }
    }

    const ops::IteratedOp& op_;
    std::unique_ptr<Body> body_;
    std::vector<NodePart> parts_;
};

}  // namespace

std::unique_ptr<CpuNode> make_loop_node(const Node& node, const CompileContext& context) {
    return std::make_unique<LoopNode>(dynamic_cast<const ops::IteratedOp&>(node), context);
}

}  // namespace rondo::cpu
