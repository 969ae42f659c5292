#include <algorithm>

#include "plugins/cpu/kernels/aligned_buffer.hpp"
#include "plugins/cpu/nodes/nodes.hpp"
#include "plugins/cpu/nodes/recurrent_config.hpp"
#include "plugins/cpu/nodes/reference_node.hpp"

namespace rondo::cpu {
namespace {

using ops::RecurrentOp;

constexpr std::size_t kLine = 64;

std::size_t whole_lines(std::size_t bytes) { return (bytes + kLine - 1) / kLine * kLine; }

const float* floats(const void* data) { return static_cast<const float*>(data); }

// The lengths as the kernels want them, checked; scratch holds those that have to be widened.
class Lengths {
public:
    Lengths(const RecurrentOp& op, const CallSite& site, const SequenceArgs& sizes)
        : op_(op), batch_(sizes.batch), time_(sizes.time) {
        if (!op.is_sequence()) return;
        const TensorInfo& lengths = site.inputs[op.lengths_port()];
        type_ = lengths.type;
        if (!lengths.value) return;
        // Known before the run: a batch without padding needs no lengths at all.
        const auto values = to_int64_vector(lengths.value);
        op.check_lengths(values, time_);
        full_ = std::all_of(values.begin(), values.end(), [&](auto v) { return v == time_; });
    }

    std::size_t scratch_bytes() const {
        return needs_widening() ? whole_lines(static_cast<std::size_t>(batch_) * 8) : 0;
    }

    // Null where every row has all steps. Throws ModelError naming node, row and value.
    const std::int64_t* read(const RunArgs& args) const {
        if (!op_.is_sequence() || full_) return nullptr;
        const void* data = args.inputs[op_.lengths_port()];
        const auto* lengths = static_cast<const std::int64_t*>(data);
        if (needs_widening()) {
            auto* wide = static_cast<std::int64_t*>(args.scratch);
            std::copy_n(static_cast<const std::int32_t*>(data), batch_, wide);
            lengths = wide;
        }
        op_.check_lengths({lengths, static_cast<std::size_t>(batch_)}, time_);
        const bool full =
            std::all_of(lengths, lengths + batch_, [&](std::int64_t v) { return v == time_; });
        return full ? nullptr : lengths;
    }

private:
    bool needs_widening() const { return op_.is_sequence() && !full_ && type_ == ElementType::i32; }

    const RecurrentOp& op_;
    std::int64_t batch_;
    std::int64_t time_;
    ElementType type_ = ElementType::i64;
    bool full_ = false;
};

// "hidden_split 2".
std::string strategy_text(const StrategyChoice& choice) {
    const std::string slices = choice.slices > 1 ? " " + std::to_string(choice.slices) : "";
    return name_of(choice.strategy) + slices;
}

// What both calls share: sizes, lengths and where each tensor goes.
class RecurrentCall : public Call {
public:
    RecurrentCall(const RecurrentOp& op, const CallSite& site, const SequenceConfig& config)
        : op_(op),
          sizes_(sequence_args(op, config, site.inputs[op.x_port()].shape)),
          lengths_(op, site, sizes_),
          threads_(site.threads) {}

protected:
    SequenceArgs bind(const RunArgs& run) const {
        SequenceArgs args = sizes_;
        args.x = floats(run.inputs[op_.x_port()]);
        args.h0 = floats(run.inputs[op_.h_port()]);
        args.lengths = lengths_.read(run);
        std::size_t output = 0;
        if (op_.is_sequence()) args.y = static_cast<float*>(run.outputs[output++]);
        args.ho = static_cast<float*>(run.outputs[output++]);
        if (op_.c_port() == RecurrentOp::npos) return args;
        args.c0 = floats(run.inputs[op_.c_port()]);
        args.co = static_cast<float*>(run.outputs[output]);
        return args;
    }

    const RecurrentOp& op() const { return op_; }
    const SequenceArgs& sizes() const { return sizes_; }
    const Lengths& lengths() const { return lengths_; }
    int threads() const { return threads_; }

private:
    const RecurrentOp& op_;
    SequenceArgs sizes_;
    Lengths lengths_;
    int threads_;
};

// Constant weights: packed once, nothing allocated.
class PackedCall final : public RecurrentCall {
public:
    PackedCall(const RecurrentOp& op, const CallSite& site, const RecurrentSequence& sequence)
        : RecurrentCall(op, site, sequence.config()), sequence_(sequence) {}

    std::size_t scratch_bytes() const override {
        return lengths().scratch_bytes() +
               sequence_.scratch_bytes(sizes().batch, sizes().time, threads());
    }

    void run(const RunArgs& args) const override {
        char* scratch = static_cast<char*>(args.scratch) + lengths().scratch_bytes();
        sequence_.run(bind(args), args.team, scratch);
    }

    std::string detail() const override { return strategy_text(choice()); }
    std::string reason() const override { return choice().reason; }

private:
    StrategyChoice choice() const {
        return sequence_.strategy(sizes().batch, sizes().time, threads());
    }

    const RecurrentSequence& sequence_;
};

SequenceWeights weights_of(const RecurrentOp& op, const void* const* inputs) {
    SequenceWeights weights;
    weights.w = floats(inputs[op.w_port()]);
    weights.r = floats(inputs[op.r_port()]);
    weights.b = floats(inputs[op.b_port()]);
    if (op.p_port() != RecurrentOp::npos) weights.p = floats(inputs[op.p_port()]);
    return weights;
}

// Weights that come in as tensors are packed anew in each run.
class UnpackedCall final : public RecurrentCall {
public:
    UnpackedCall(const RecurrentOp& op, const CallSite& site, Isa isa, SequenceConfig config)
        : RecurrentCall(op, site, config), isa_(isa), config_(std::move(config)) {}

    std::size_t scratch_bytes() const override { return lengths().scratch_bytes(); }

    void run(const RunArgs& args) const override {
        const SequenceArgs bound = bind(args);
        const RecurrentSequence sequence(config_, isa_, weights_of(op(), args.inputs.data()));
        const std::size_t bytes =
            sequence.scratch_bytes(sizes().batch, sizes().time, args.team.size());
        AlignedBuffer scratch(bytes / sizeof(float) + 1);
        sequence.run(bound, args.team, scratch.data());
    }

    std::string detail() const override {
        return strategy_text(choice()) + ", weights packed in each run";
    }
    std::string reason() const override { return choice().reason; }

private:
    StrategyChoice choice() const {
        return RecurrentSequence::strategy_for(config_, isa_, sizes().batch, sizes().time,
                                               threads());
    }

    Isa isa_;
    SequenceConfig config_;
};

class PackedNode final : public CpuNode {
public:
    PackedNode(const RecurrentOp& op, RecurrentSequence sequence)
        : CpuNode(op, sequence.kernel_name(), "constant weights, packed once"),
          op_(op),
          sequence_(std::move(sequence)) {}

    bool may_skip_output(std::size_t) const override { return true; }
    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        return std::make_unique<PackedCall>(op_, site, sequence_);
    }
    std::string outlook(int threads) const override {
        constexpr std::int64_t kSteps = 100;
        const std::int64_t steps = op_.is_sequence() ? kSteps : 1;
        const StrategyChoice choice = sequence_.strategy(1, steps, threads);
        return "N=1, T=" + std::to_string(steps) + " would run as " + strategy_text(choice) + " (" +
               choice.reason + ")";
    }

private:
    const RecurrentOp& op_;
    RecurrentSequence sequence_;
};

class UnpackedNode final : public CpuNode {
public:
    UnpackedNode(const RecurrentOp& op, Isa isa)
        : CpuNode(op, f32_kernel_name(std::string(op.type_name()) + "_run_time_weights", isa),
                  "the weights are no constants: they are packed in each run"),
          op_(op),
          isa_(isa) {}

    bool may_skip_output(std::size_t) const override { return true; }
    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const std::size_t input_size = site.inputs[op_.w_port()].shape.back();
        if (input_size == 0) return make_reference_call(op_, site);
        return std::make_unique<UnpackedCall>(
            op_, site, isa_, sequence_config(op_, static_cast<std::int64_t>(input_size)));
    }

private:
    const RecurrentOp& op_;
    Isa isa_;
};

// Why the kernels can't run this op, or nothing.
std::string refusal(const RecurrentOp& op) {
    for (std::size_t i = 0; i < op.input_count(); ++i) {
        if (op.is_sequence() && i == op.lengths_port()) continue;
        if (op.input(i).element_type() != ElementType::f32) return "the kernels take f32 only";
    }
    if (op.is_sequence()) {
        const ElementType lengths = op.input(op.lengths_port()).element_type();
        if (lengths != ElementType::i32 && lengths != ElementType::i64) {
            return "the lengths are neither i32 nor i64";
        }
    }
    if (op.attributes().hidden_size < 1) return "there are no hidden units";
    return {};
}

// W, R, B and P, or an empty list where one is no constant.
std::vector<Tensor> constant_weights(const RecurrentOp& op) {
    std::vector<Tensor> weights;
    for (std::size_t i = op.w_port(); i < op.input_count(); ++i) {
        const Tensor value = op.input(i).node().known_value(op.input(i).index());
        if (!value) return {};
        weights.push_back(value.contiguous());
    }
    return weights;
}

}  // namespace

std::unique_ptr<CpuNode> make_recurrent_node(const Node& node, const CompileContext& context) {
    const auto& op = dynamic_cast<const RecurrentOp&>(node);
    if (std::string reason = refusal(op); !reason.empty()) {
        return make_reference_node(node, std::move(reason));
    }
    const std::vector<Tensor> weights = constant_weights(op);
    if (weights.empty()) return std::make_unique<UnpackedNode>(op, context.isa);
    const std::size_t input_size = weights[0].shape().back();
    if (input_size == 0) return make_reference_node(node, "the input has no elements");
    SequenceWeights pointers{weights[0].data<float>(), weights[1].data<float>(),
                             weights[2].data<float>(), nullptr};
    if (weights.size() > 3) pointers.p = weights[3].data<float>();
    return std::make_unique<PackedNode>(
        op, RecurrentSequence(sequence_config(op, static_cast<std::int64_t>(input_size)),
                              context.isa, pointers));
}

}  // namespace rondo::cpu
