#include <algorithm>
#include <array>

#include "plugins/cpu/kernels/sequence/stacked_sequence.hpp"
#include "plugins/cpu/nodes/nodes.hpp"
#include "plugins/cpu/nodes/recurrent/recurrent_config.hpp"
#include "plugins/cpu/nodes/recurrent/sequence_lengths.hpp"
#include "plugins/cpu/ops/sequence_stack.hpp"

namespace rondo::cpu {
namespace {

using ops::RecurrentOp;

static_assert(SequenceStack::kMostLayers == StackedSequence::kMostLayers);

// "wavefront 2"; one by one: what each layer does, once where all do the same.
std::string plan_text(const StackedSequence& stack, const StackedPlan& plan,
                      const LayerShape& shape) {
    if (plan.strategy != StackedStrategy::one_by_one) {
        const std::string slices = plan.slices > 1 ? " " + std::to_string(plan.slices) : "";
        return name_of(plan.strategy) + slices;
    }
    std::string text, last;
    for (std::size_t i = 0; i < stack.size(); ++i) {
        const auto choice = stack.layer(i).strategy(shape.batch, shape.time, shape.threads);
        const std::string layer = strategy_text(choice);
        if (layer != last) text += (i == 0 ? "one by one: " : ", then ") + layer;
        last = layer;
    }
    return text;
}

class StackCall final : public Call {
public:
    StackCall(const SequenceStack& op, const CallSite& site, const StackedSequence& stack)
        : shape_{1, extent(site, 1), extent(site, 0), site.threads},
          lengths_(*op.layers()[0], site.inputs[SequenceStack::kLengths], shape_.batch,
                   shape_.time),
          stack_(stack),
          plan_(stack.plan(shape_)),
          sleeping_plan_(stack.plan(asleep(shape_))) {
        sizes_.batch = shape_.batch;
        sizes_.time = shape_.time;
        for (std::size_t i = 0; i < stack.size(); ++i) ports_[i] = op.ports(i);
    }

    std::size_t scratch_bytes() const override {
        std::size_t most = 0;
        for (const StackedPlan& plan : {plan_, sleeping_plan_, StackedPlan{}}) {
            most = std::max(most, stack_.scratch_bytes(plan, sizes_, shape_.threads));
        }
        return lengths_.scratch_bytes() + most;
    }
    std::string detail() const override { return plan_text(stack_, plan_, shape_); }
    std::string reason() const override { return reason_of(plan_, shape_); }

    void run(const RunArgs& run) const override {
        std::array<StackedLayerArgs, StackedSequence::kMostLayers> layers;
        for (std::size_t i = 0; i < stack_.size(); ++i) layers[i] = bind(i, run);
        StackedArgs args = sizes_;
        args.x = run.inputs[SequenceStack::kX];
        args.lengths = lengths_.read(run.inputs[SequenceStack::kLengths], run.scratch);
        args.layers = {layers.data(), stack_.size()};
        char* scratch = static_cast<char*>(run.scratch) + lengths_.scratch_bytes();
        stack_.run(plan_for(run.team), args, run.team, scratch);
    }

private:
    static LayerShape asleep(LayerShape shape) {
        shape.awake = false;
        return shape;
    }

    // A team may sleep, or be down to one thread for a while.
    StackedPlan plan_for(Team& team) const {
        if (plan_.strategy == StackedStrategy::serial || team.ready() <= 1) return {};
        return team.awake() ? plan_ : sleeping_plan_;
    }

    static std::int64_t extent(const CallSite& site, std::size_t axis) {
        return static_cast<std::int64_t>(site.inputs[SequenceStack::kX].shape[axis]);
    }

    StackedLayerArgs bind(std::size_t layer, const RunArgs& run) const {
        const SequenceStack::Ports& ports = ports_[layer];
        StackedLayerArgs args;
        args.h0 = run.inputs[ports.h];
        args.y = run.outputs[ports.y];
        args.ho = run.outputs[ports.ho];
        if (ports.c == RecurrentOp::npos) return args;
        args.c0 = run.inputs[ports.c];
        args.co = run.outputs[ports.co];
        return args;
    }

    std::array<SequenceStack::Ports, SequenceStack::kMostLayers> ports_;
    LayerShape shape_;
    SequenceLengths lengths_;
    const StackedSequence& stack_;
    StackedPlan plan_;  // of a team that is awake
    StackedPlan sleeping_plan_;
    StackedArgs sizes_;
};

StackedSequence make_stack(const SequenceStack& op, Isa isa) {
    std::vector<ConstantLayer> constants;
    for (const auto& layer : op.layers()) constants.emplace_back(*layer);
    std::vector<StackedLayer> layers;
    for (const auto& layer : constants) layers.push_back({layer.config(), layer.weights()});
    return StackedSequence(layers, isa);
}

// Of all layers, each once.
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
            parts_.push_back({*op.layers()[i], stack_.layer(i).kernel_name()});
        }
    }

    bool may_skip_output(std::size_t) const override { return true; }
    std::span<const NodePart> parts() const override { return parts_; }
    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        return std::make_unique<StackCall>(op_, site, stack_);
    }
    std::string outlook(int threads) const override {
        constexpr std::int64_t kSteps = 100;
        const LayerShape shape{1, kSteps, 1, threads};
        const StackedPlan plan = stack_.plan(shape);
        return "N=1, T=" + std::to_string(kSteps) + " would run as " +
               plan_text(stack_, plan, shape) + " (" + reason_of(plan, shape) + ")";
    }

private:
    const SequenceStack& op_;
    StackedSequence stack_;
    std::vector<NodePart> parts_;
};

}  // namespace

std::unique_ptr<CpuNode> make_sequence_stack_node(const Node& node, const CompileContext& context) {
    const auto& op = dynamic_cast<const SequenceStack&>(node);
    return std::make_unique<StackNode>(op, make_stack(op, context.isa));
}

}  // namespace rondo::cpu
