// Runs stacked recurrent sequences as one node.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "plugins/cpu/kernels/sequence/stacked_sequence.hpp"
#include "plugins/cpu/kernels/threads/team_plans.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"
#include "plugins/cpu/nodes/recurrent/recurrent_config.hpp"
#include "plugins/cpu/ops/default_input.hpp"
#include "plugins/cpu/ops/sequence_stack.hpp"

namespace rondo::cpu {
namespace {

using ops::RecurrentOp;

static_assert(SequenceStack::kMaxLayers == kMaxStackedLayers);

// "wavefront 2"; one by one: what each layer does, once where all do the same.
std::string plan_text(const StackedPlan& plan, std::size_t layers) {
    const StackedChoice& choice = plan.choice;
    if (choice.strategy != StackedStrategy::one_by_one) {
        const std::string slices = choice.slices > 1 ? " " + std::to_string(choice.slices) : "";
        return to_string(choice.strategy) + slices;
    }
    std::string text, last;
    for (std::size_t i = 0; i < layers; ++i) {
        const std::string layer = strategy_text(plan.layers[i].alone.choice);
        if (layer != last) text += (i == 0 ? "one by one: " : ", then ") + layer;
        last = layer;
    }
    return text;
}

class StackCall final : public Call {
public:
    StackCall(const SequenceStack& op, const CallSite& site, const StackedSequence& stack)
        : stack_(stack),
          shape_(stack.shape(extent(site, op.order().x[0]), extent(site, op.order().x[1]),
                             site.threads)),
          x_time_first_(op.order().x[0] == 1),
          y_time_first_(is_time_first(op.order().y)),
          lengths_(*op.layers()[0], site.inputs[SequenceStack::kLengths], shape_.batch,
                   shape_.time),
          plans_([&](TeamState team) {
              return stack.prepare(shape_.batch, shape_.time, site.threads, team);
          }) {
        for (std::size_t i = 0; i < stack.size(); ++i) {
            ports_[i] = op.ports(i);
            zero_h_[i] = is_default(site.inputs[ports_[i].h].shape);
            zero_c_[i] =
                ports_[i].c != RecurrentOp::npos && is_default(site.inputs[ports_[i].c].shape);
        }
    }

    std::size_t scratch_bytes() const override {
        return lengths_.scratch_bytes() + plans_.scratch_bytes();
    }
    std::string detail() const override { return plan_text(plans_.awake(), stack_.size()); }
    std::string reason() const override { return reason_of(plans_.awake().choice, shape_); }

    void run(const RunArgs& run) const override {
        std::array<StackedLayerArgs, kMaxStackedLayers> layers;
        for (std::size_t i = 0; i < stack_.size(); ++i) layers[i] = bind(i, run);
        StackedArgs args;
        args.batch = shape_.batch;
        args.time = shape_.time;
        args.x = run.inputs[SequenceStack::kX];
        args.lengths = lengths_.read(run.inputs[SequenceStack::kLengths], run.scratch);
        args.layers = {layers.data(), stack_.size()};
        args.cancelled = run.cancelled;
        args.x_time_first = x_time_first_;
        args.y_time_first = y_time_first_;
        char* scratch = static_cast<char*>(run.scratch) + lengths_.scratch_bytes();
        stack_.run(plans_.of(run.team), args, run.team, scratch);
    }

private:
    static std::int64_t extent(const CallSite& site, std::size_t axis) {
        return static_cast<std::int64_t>(site.inputs[SequenceStack::kX].shape[axis]);
    }

    // Whether `order` puts the steps of Y [N,1,T,H] before its rows.
    static bool is_time_first(const std::vector<std::size_t>& order) {
        return std::find(order.begin(), order.end(), 2U) <
               std::find(order.begin(), order.end(), 0U);
    }

    StackedLayerArgs bind(std::size_t layer, const RunArgs& run) const {
        const SequenceStack::Ports& ports = ports_[layer];
        StackedLayerArgs args;
        args.h0 = zero_h_[layer] ? nullptr : run.inputs[ports.h];
        args.y = run.outputs[ports.y];
        args.ho = run.outputs[ports.ho];
        if (ports.c == RecurrentOp::npos) return args;
        args.c0 = zero_c_[layer] ? nullptr : run.inputs[ports.c];
        args.co = run.outputs[ports.co];
        return args;
    }

    const StackedSequence& stack_;
    std::array<SequenceStack::Ports, SequenceStack::kMaxLayers> ports_;
    std::array<bool, SequenceStack::kMaxLayers> zero_h_{};  // the layer starts from zeros
    std::array<bool, SequenceStack::kMaxLayers> zero_c_{};
    LayerShape shape_;
    bool x_time_first_;
    bool y_time_first_;
    SequenceLengths lengths_;
    TeamPlans<StackedPlan> plans_;
};

StackedSequence make_stack(const SequenceStack& op, const CompileContext& context) {
    std::vector<std::optional<ConstantLayer>> constants;
    for (const auto& layer : op.layers()) constants.emplace_back(std::in_place, *layer, context);
    std::vector<StackedLayer> layers;
    for (const auto& layer : constants) layers.push_back({layer->config(), layer->weights()});
    return StackedSequence(layers, context.isa, [&](std::size_t layer) {
        constants[layer].reset();
        if (context.packed) context.packed(packed_ports(*op.layers()[layer]));
    });
}

// The kernels of all layers; equal neighbours once.
std::string kernel_names(const StackedSequence& stack) {
    std::string names, last;
    for (std::size_t i = 0; i < stack.size(); ++i) {
        const std::string name = stack.layer(i).kernel_name();
        if (name != last) names += (names.empty() ? "" : " + ") + name;
        last = name;
    }
    return names;
}

class StackNode final : public CpuNode {
public:
    StackNode(const SequenceStack& op, StackedSequence stack)
        : CpuNode(op, kernel_names(stack),
                  with_data_note(*op.layers()[0], std::to_string(stack.size()) +
                                                      " stacked layers, constant weights, "
                                                      "packed once")),
          op_(op),
          stack_(std::move(stack)) {
        for (std::size_t i = 0; i < stack_.size(); ++i) {
            add_part({*op.layers()[i], stack_.layer(i).kernel_name()});
        }
        for (const auto& one : op.transposes()) add_part({*one.node, "strides"});
    }

    bool may_skip_output(std::size_t) const override { return true; }
    std::vector<ReadPort> packed() const override {
        std::vector<ReadPort> all;
        for (const auto& layer : op_.layers()) {
            const auto ports = packed_ports(*layer);
            all.insert(all.end(), ports.begin(), ports.end());
        }
        return all;
    }
    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        return std::make_unique<StackCall>(op_, site, stack_);
    }
    std::string outlook(int threads) const override {
        constexpr std::int64_t kSteps = 100;
        const StackedPlan plan = stack_.prepare(1, kSteps, threads);
        return "N=1, T=" + std::to_string(kSteps) + " would run as " +
               plan_text(plan, stack_.size()) + " (" +
               reason_of(plan.choice, stack_.shape(1, kSteps, threads)) + ")";
    }

private:
    const SequenceStack& op_;
    StackedSequence stack_;
};

}  // namespace

std::unique_ptr<CpuNode> make_sequence_stack_node(const Node& node, const CompileContext& context) {
    const auto& op = dynamic_cast<const SequenceStack&>(node);
    return std::make_unique<StackNode>(op, make_stack(op, context));
}

}  // namespace rondo::cpu
