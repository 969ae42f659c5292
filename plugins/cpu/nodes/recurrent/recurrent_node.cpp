// Runs recurrent cells and sequences, with constant weights or weights that come at run time.
#include <algorithm>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/threads/team_plans.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"
#include "plugins/cpu/nodes/recurrent/recurrent_config.hpp"
#include "plugins/cpu/ops/default_input.hpp"
#include "transformations/recurrent/stored_weights.hpp"

namespace rondo::cpu {
namespace {

using ops::RecurrentOp;

// What both calls share: sizes, plans, lengths and where each tensor goes.
class RecurrentCall : public Call {
public:
    RecurrentCall(const RecurrentOp& op, const CallSite& site, const RecurrentSequence& sequence)
        : RecurrentCall(op, site, sequence,
                        sequence_args(op, sequence.config(), site.inputs[op.x_port()].shape)) {}
    RecurrentCall(const RecurrentOp& op, const CallSite& site, const RecurrentSequence& sequence,
                  const SequenceArgs& sizes)
        : op_(op),
          sizes_(sizes),
          lengths_(lengths_of(op, site, sizes_)),
          sequence_(sequence),
          threads_(site.threads),
          starts_from_zero_h_(is_default(site.inputs[op.h_port()].shape)),
          starts_from_zero_c_(op.c_port() != RecurrentOp::npos &&
                              is_default(site.inputs[op.c_port()].shape)),
          plans_([&](TeamState team) {
              return sequence.prepare(sizes.batch, sizes.time, site.threads, team);
          }) {}

    std::size_t scratch_bytes() const override {
        return lengths_.scratch_bytes() + plans_.scratch_bytes();
    }
    std::string detail() const override { return strategy_text(plans_.awake().choice); }
    std::string reason() const override {
        const LayerShape shape = sequence_.shape(sizes_.batch, sizes_.time, threads_);
        return reason_of(plans_.awake().choice, shape);
    }

protected:
    SequenceArgs bind(const RunArgs& run) const {
        SequenceArgs args = sizes_;
        args.x = run.inputs[op_.x_port()];
        args.h0 = starts_from_zero_h_ ? nullptr : run.inputs[op_.h_port()];
        args.lengths = read_lengths(run);
        args.cancelled = run.cancelled;
        std::size_t output = 0;
        if (op_.is_sequence()) args.y = run.outputs[output++];
        args.ho = run.outputs[output++];
        if (op_.c_port() == RecurrentOp::npos) return args;
        args.c0 = starts_from_zero_c_ ? nullptr : run.inputs[op_.c_port()];
        args.co = run.outputs[output];
        return args;
    }

    const RecurrentOp& op() const { return op_; }
    const RecurrentSequence& sequence() const { return sequence_; }
    const SequencePlan& plan(const RunArgs& run) const { return plans_.of(run.team); }
    /// The scratch after the lengths.
    char* scratch(const RunArgs& run) const {
        return static_cast<char*>(run.scratch) + lengths_.scratch_bytes();
    }

private:
    static SequenceLengths lengths_of(const RecurrentOp& op, const CallSite& site,
                                      const SequenceArgs& sizes) {
        if (!op.is_sequence()) return SequenceLengths(op);
        return {op, site.inputs[op.lengths_port()], sizes.batch, sizes.time};
    }

    const std::int64_t* read_lengths(const RunArgs& run) const {
        return op_.is_sequence() ? lengths_.read(run.inputs[op_.lengths_port()], run.scratch)
                                 : nullptr;
    }

    const RecurrentOp& op_;
    SequenceArgs sizes_;
    SequenceLengths lengths_;
    const RecurrentSequence& sequence_;
    int threads_;
    bool starts_from_zero_h_;
    bool starts_from_zero_c_;
    TeamPlans<SequencePlan> plans_;
};

// Constant weights, which the sequence owns.
class PackedSequenceCall final : public RecurrentCall {
public:
    using RecurrentCall::RecurrentCall;

    void run(const RunArgs& args) const override {
        sequence().run(plan(args), bind(args), args.team, scratch(args));
    }
};

// Weights that come in as tensors are packed in each run, into scratch.
class UnpackedCall final : public RecurrentCall {
public:
    UnpackedCall(const RecurrentOp& op, const CallSite& site,
                 std::shared_ptr<const RecurrentSequence> sequence)
        : RecurrentCall(op, site, *sequence), owner_(std::move(sequence)) {}

    std::size_t scratch_bytes() const override {
        return RecurrentCall::scratch_bytes() + packed_bytes();
    }

    std::string detail() const override {
        return RecurrentCall::detail() + ", weights packed in each run";
    }

    void run(const RunArgs& args) const override {
        char* packed = scratch(args);
        sequence().pack(weights(args), packed, args.team);
        sequence().run_packed(packed, plan(args), bind(args), args.team, packed + packed_bytes());
    }

private:
    std::size_t packed_bytes() const { return whole_lines(sequence().packed_bytes()); }

    SequenceWeights weights(const RunArgs& args) const {
        SequenceWeights weights;
        weights.w = args.inputs[op().w_port()];
        weights.r = args.inputs[op().r_port()];
        weights.b = args.inputs[op().b_port()];
        if (op().p_port() != RecurrentOp::npos) weights.p = args.inputs[op().p_port()];
        return weights;
    }

    std::shared_ptr<const RecurrentSequence> owner_;
};

std::string outlook_of(const RecurrentOp& op, const RecurrentSequence& sequence, int threads) {
    constexpr std::int64_t kSteps = 100;
    const std::int64_t steps = op.is_sequence() ? kSteps : 1;
    const StrategyChoice choice = sequence.prepare(1, steps, threads).choice;
    return "N=1, T=" + std::to_string(steps) + " would run as " + strategy_text(choice) + " (" +
           reason_of(choice, sequence.shape(1, steps, threads)) + ")";
}

std::string packed_text(const RecurrentSequence& sequence) {
    const std::string sparse = sequence.sparse_text();
    return "constant weights, packed once" + (sparse.empty() ? "" : "; " + sparse);
}

std::string reason_of_packed(const RecurrentSequence& sequence, const StridedSequence* ordered) {
    std::string text = packed_text(sequence);
    if (ordered == nullptr) return text;
    if (!ordered->transposes().empty()) text += "; transposes on the way";
    const auto& inputs = ordered->inputs();
    const bool implies = std::any_of(inputs.begin(), inputs.end(),
                                     [](const Output& input) { return is_default(input); });
    return implies ? text + "; zero states and full lengths cost nothing" : text;
}

// With constant weights. A sequence may take X and Y in another order.
class PackedNode final : public CpuNode {
public:
    // `node` is the op itself, or `ordered`, which may be null.
    PackedNode(const Node& node, const RecurrentOp& op, const StridedSequence* ordered,
               RecurrentSequence sequence)
        : CpuNode(node, sequence.kernel_name(),
                  with_data_note(op, reason_of_packed(sequence, ordered))),
          op_(op),
          ordered_(ordered),
          sequence_(std::move(sequence)) {
        if (ordered == nullptr || ordered->transposes().empty()) return;
        add_part({op, sequence_.kernel_name()});
        for (const auto& one : ordered->transposes()) add_part({*one.node, "strides"});
    }

    bool may_skip_output(std::size_t) const override { return true; }
    std::vector<ReadPort> packed() const override { return packed_ports(op_); }

    /// Without Transposes it is what the model has.
    ShownOp shown() const override {
        return {node().name(), parts().empty() ? op_.type_name() : node().type_name()};
    }

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const SequenceConfig& config = sequence_.config();
        const Shape& x = site.inputs[op_.x_port()].shape;
        return std::make_unique<PackedSequenceCall>(
            op_, site, sequence_,
            ordered_ == nullptr ? sequence_args(op_, config, x)
                                : sequence_args(ordered_->order(), config, x));
    }

    std::string outlook(int threads) const override { return outlook_of(op_, sequence_, threads); }

private:
    const RecurrentOp& op_;
    const StridedSequence* ordered_;
    RecurrentSequence sequence_;
};

class UnpackedNode final : public CpuNode {
public:
    UnpackedNode(const RecurrentOp& op, Isa isa)
        : CpuNode(op, choose_cell_kernel(sequence_config(op, example_of(op)).cells[0], isa).name,
                  with_data_note(op, "the weights aren't constants: they are packed in each run")),
          op_(op),
          isa_(isa) {
        const PartialShape& w = op.input(op.w_port()).shape();
        if (w.has_rank() && w[w.rank() - 1].is_static() && op.hidden_size() != 0) {
            sequence_ = make_sequence({w[w.rank() - 1].min(), op.hidden_size()});
        }
    }

    bool may_skip_output(std::size_t) const override { return true; }
    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        if (sequence_) return std::make_unique<UnpackedCall>(op_, site, sequence_);
        const LayerSizes sizes{static_cast<std::int64_t>(site.inputs[op_.w_port()].shape.back()),
                               static_cast<std::int64_t>(site.inputs[op_.r_port()].shape.back())};
        return std::make_unique<UnpackedCall>(op_, site, make_sequence(sizes));
    }
    std::string outlook(int threads) const override {
        return sequence_ ? outlook_of(op_, *sequence_, threads) : "";
    }

private:
    // Names the kernel while R's shape is open: all hidden sizes have the same.
    static LayerSizes example_of(const RecurrentOp& op) {
        constexpr std::int64_t kAnyHidden = 64;
        return {0, op.hidden_size() != 0 ? op.hidden_size() : kAnyHidden};
    }

    std::shared_ptr<const RecurrentSequence> make_sequence(const LayerSizes& sizes) const {
        return std::make_shared<RecurrentSequence>(sequence_config(op_, sizes), isa_);
    }

    const RecurrentOp& op_;
    Isa isa_;
    std::shared_ptr<const RecurrentSequence> sequence_;  // empty while a size is open
};

RecurrentSequence packed_sequence(const RecurrentOp& op, const CompileContext& context) {
    const ConstantLayer layer(op, context);
    return RecurrentSequence(layer.config(), context.isa, layer.weights());
}

}  // namespace

std::unique_ptr<CpuNode> make_recurrent_node(const Node& node, const CompileContext& context) {
    const auto& op = dynamic_cast<const RecurrentOp&>(node);
    if (passes::has_constant_weights(op)) {
        return std::make_unique<PackedNode>(op, op, nullptr, packed_sequence(op, context));
    }
    return std::make_unique<UnpackedNode>(op, context.isa);
}

std::unique_ptr<CpuNode> make_strided_sequence_node(const Node& node,
                                                    const CompileContext& context) {
    const auto& op = dynamic_cast<const StridedSequence&>(node);
    const RecurrentOp& sequence = op.sequence();
    return std::make_unique<PackedNode>(op, sequence, &op, packed_sequence(sequence, context));
}

}  // namespace rondo::cpu
