#include <algorithm>

#include "plugins/cpu/kernels/aligned_buffer.hpp"
#include "plugins/cpu/kernels/kernel_list.hpp"
#include "plugins/cpu/nodes/nodes.hpp"
#include "plugins/cpu/nodes/recurrent_config.hpp"
#include "plugins/cpu/nodes/reference_node.hpp"
#include "transformations/recurrent/stored_weights.hpp"

namespace rondo::cpu {
namespace {

using ops::RecurrentOp;

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
    RecurrentCall(const RecurrentOp& op, const CallSite& site, const RecurrentSequence& sequence)
        : op_(op),
          sizes_(sequence_args(op, sequence.config(), site.inputs[op.x_port()].shape)),
          lengths_(op, site, sizes_),
          sequence_(sequence),
          threads_(site.threads) {}

    std::size_t scratch_bytes() const override {
        return lengths_.scratch_bytes() +
               sequence_.scratch_bytes(sizes_.batch, sizes_.time, threads_);
    }
    std::string detail() const override { return strategy_text(choice()); }
    std::string reason() const override { return choice().reason; }

protected:
    SequenceArgs bind(const RunArgs& run) const {
        SequenceArgs args = sizes_;
        args.x = run.inputs[op_.x_port()];
        args.h0 = run.inputs[op_.h_port()];
        args.lengths = lengths_.read(run);
        std::size_t output = 0;
        if (op_.is_sequence()) args.y = run.outputs[output++];
        args.ho = run.outputs[output++];
        if (op_.c_port() == RecurrentOp::npos) return args;
        args.c0 = run.inputs[op_.c_port()];
        args.co = run.outputs[output];
        return args;
    }

    const RecurrentOp& op() const { return op_; }
    const RecurrentSequence& sequence() const { return sequence_; }
    /// Scratch behind the lengths.
    char* scratch(const RunArgs& run) const {
        return static_cast<char*>(run.scratch) + lengths_.scratch_bytes();
    }

private:
    StrategyChoice choice() const {
        return sequence_.strategy(sizes_.batch, sizes_.time, threads_);
    }

    const RecurrentOp& op_;
    SequenceArgs sizes_;
    Lengths lengths_;
    const RecurrentSequence& sequence_;
    int threads_;
};

// Constant weights, which the sequence owns.
class PackedCall final : public RecurrentCall {
public:
    using RecurrentCall::RecurrentCall;

    void run(const RunArgs& args) const override {
        sequence().run(bind(args), args.team, scratch(args));
    }
};

// Weights that come in as tensors are packed anew in each run, into scratch.
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
        sequence().run_packed(packed, bind(args), args.team, packed + packed_bytes());
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
    const StrategyChoice choice = sequence.strategy(1, steps, threads);
    return "N=1, T=" + std::to_string(steps) + " would run as " + strategy_text(choice) + " (" +
           choice.reason + ")";
}

// "constant weights, packed once; f16 data is widened to f32 on the way".
std::string reason_of(const RecurrentOp& op, std::string weights) {
    const ElementType data = op.input(op.x_port()).element_type();
    if (size_of(data) != 2) return weights;
    return weights + "; " + std::string(to_string(data)) + " data is widened to f32 on the way";
}

class PackedNode final : public CpuNode {
public:
    PackedNode(const RecurrentOp& op, RecurrentSequence sequence)
        : CpuNode(op, sequence.kernel_name(), reason_of(op, "constant weights, packed once")),
          op_(op),
          sequence_(std::move(sequence)) {}

    bool may_skip_output(std::size_t) const override { return true; }
    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        return std::make_unique<PackedCall>(op_, site, sequence_);
    }
    std::string outlook(int threads) const override { return outlook_of(op_, sequence_, threads); }

private:
    const RecurrentOp& op_;
    RecurrentSequence sequence_;
};

class UnpackedNode final : public CpuNode {
public:
    UnpackedNode(const RecurrentOp& op, Isa isa)
        : CpuNode(op, choose_cell_kernel(sequence_config(op, 0).cells[0], isa).name,
                  reason_of(op, "the weights are no constants: they are packed in each run")),
          op_(op),
          isa_(isa) {
        const PartialShape& w = op.input(op.w_port()).shape();
        if (w.has_rank() && w[w.rank() - 1].is_static()) {
            sequence_ = make_sequence(w[w.rank() - 1].min());
        }
    }

    bool may_skip_output(std::size_t) const override { return true; }
    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        const auto input_size = static_cast<std::int64_t>(site.inputs[op_.w_port()].shape.back());
        return std::make_unique<UnpackedCall>(op_, site,
                                              sequence_ ? sequence_ : make_sequence(input_size));
    }
    std::string outlook(int threads) const override {
        return sequence_ ? outlook_of(op_, *sequence_, threads) : "";
    }

private:
    std::shared_ptr<const RecurrentSequence> make_sequence(std::int64_t input_size) const {
        return std::make_shared<RecurrentSequence>(sequence_config(op_, input_size), isa_);
    }

    const RecurrentOp& op_;
    Isa isa_;
    std::shared_ptr<const RecurrentSequence> sequence_;  // empty while the input size is open
};

// W and R keep the type that they are stored in.
std::unique_ptr<CpuNode> make_packed_node(const RecurrentOp& op, Isa isa) {
    const auto value = [&](std::size_t port) {
        return op.input(port).node().known_value(op.input(port).index()).contiguous();
    };
    const Tensor w = passes::stored_weights(op, op.w_port()).contiguous();
    const Tensor r = passes::stored_weights(op, op.r_port()).contiguous();
    const Tensor b = value(op.b_port());
    const Tensor p = op.p_port() == RecurrentOp::npos ? Tensor() : value(op.p_port());
    auto config = sequence_config(op, static_cast<std::int64_t>(w.shape().back()));
    config.input_weights = w.element_type();
    for (CellConfig& cell : config.cells) cell.weights = r.element_type();
    const SequenceWeights weights{w.data(), r.data(), b.data(), p ? p.data() : nullptr};
    return std::make_unique<PackedNode>(op, RecurrentSequence(config, isa, weights));
}

}  // namespace

std::unique_ptr<CpuNode> make_recurrent_node(const Node& node, const CompileContext& context) {
    const auto& op = dynamic_cast<const RecurrentOp&>(node);
    if (!is_floating(node.output_type(0))) {
        return make_reference_node(node, "the element type is open");
    }
    if (passes::has_constant_weights(op)) return make_packed_node(op, context.isa);
    return std::make_unique<UnpackedNode>(op, context.isa);
}

}  // namespace rondo::cpu
