// Writes sequences and cells as LSTM, GRU and RNN, whose time axis comes first.
#include "core/ops/recurrent/recurrent_op.hpp"
#include "frontend/onnx/writer/context/write_context.hpp"
#include "frontend/onnx/writer/ops/recurrent/full_lengths.hpp"
#include "frontend/onnx/writer/ops/recurrent/gate_blocks.hpp"
#include "frontend/onnx/writer/ops/recurrent/writers.hpp"

namespace rondo::onnx {
namespace {

using ops::CellKind;
using ops::RecurrentOp;

// The gates are fico, zrh and one in the IR; iofc, zrh and one in ONNX, whose B has the biases of W
// and then those of R. The IR has their sum, except for the last gate of a GRU with
// linear_before_reset: z, r, Wbh, Rbh.
struct CellRow {
    CellKind kind;
    const char* name;
    std::vector<int> gates;
    std::vector<int> biases;
};

const CellRow& row_of(CellKind kind) {
    static const CellRow kRows[] = {
        {CellKind::lstm, "LSTM", {1, 3, 0, 2}, {1, 3, 0, 2, kZeros, kZeros, kZeros, kZeros}},
        {CellKind::gru, "GRU", {0, 1, 2}, {0, 1, 2, kZeros, kZeros, kZeros}},
        {CellKind::gru_linear_before_reset, "GRU", {0, 1, 2}, {0, 1, 2, kZeros, kZeros, 3}},
        {CellKind::rnn, "RNN", {0}, {0, kZeros}},
    };
    return kRows[static_cast<std::size_t>(kind)];
}

// fio in the IR, iof in ONNX.
const std::vector<int> kPeepholeOrder = {1, 2, 0};

class RecurrentWriter {
public:
    explicit RecurrentWriter(WriteContext& context)
        : context_(context),
          op_(context.op<RecurrentOp>()),
          row_(row_of(op_.cell_kind())),
          is_cell_(!op_.is_sequence()) {}

    Names write() {
        Names inputs{x(),    gates(op_.w_port()), gates(op_.r_port()),
                     bias(), lengths(),           state(op_.h_port())};
        if (op_.c_port() != RecurrentOp::npos) {
            inputs.push_back(state(op_.c_port()));
            inputs.push_back(peepholes());
        }
        const std::size_t outputs = context_.node().output_count() + (is_cell_ ? 1 : 0);
        NewNode node = context_.emit(row_.name, inputs, outputs);
        add_attributes(node);
        return is_cell_ ? cell_outputs(node) : sequence_outputs(node);
    }

private:
    std::string x() {
        const std::string x = context_.input(op_.x_port());
        return is_cell_ ? context_.unsqueeze(x, {0}) : context_.transpose(x, {1, 0, 2});
    }

    std::string gates(std::size_t port) {
        return ordered_gates(context_, {port, row_.gates.size(), row_.gates}, is_cell_);
    }

    std::string bias() {
        if (is_zero(context_, op_.b_port())) return "";
        return ordered_gates(context_, {op_.b_port(), op_.bias_gate_count(), row_.biases},
                             is_cell_);
    }

    std::string peepholes() {
        if (op_.p_port() == RecurrentOp::npos) return "";
        return ordered_gates(context_, {op_.p_port(), kPeepholeOrder.size(), kPeepholeOrder},
                             is_cell_);
    }

    std::string state(std::size_t port) {
        if (is_zero(context_, port)) return "";
        const std::string state = context_.input(port);
        return is_cell_ ? context_.unsqueeze(state, {0}) : context_.transpose(state, {1, 0, 2});
    }

    std::string lengths() {
        if (is_cell_ || lengths_are_full(op_)) return "";
        return context_.input_as(op_.lengths_port(), ElementType::i32);
    }

    void add_attributes(NewNode& node) const {
        const auto& attributes = op_.attributes();
        if (op_.hidden_size() != 0) node.with_int("hidden_size", op_.hidden_size());
        if (!is_cell_) node.with_text("direction", std::string(to_string(attributes.direction)));
        if (attributes.clip != 0) node.with_float("clip", attributes.clip);
        if (attributes.linear_before_reset) node.with_int("linear_before_reset", 1);
        if (attributes.input_forget) node.with_int("input_forget", 1);
        add_activations(node);
    }

    // Each function that takes an alpha or beta gets one, so that no default matters.
    void add_activations(NewNode& node) const {
        const ops::CellInfo& cell = info_of(op_.cell_kind());
        std::vector<std::string> names;
        std::vector<float> alphas;
        std::vector<float> betas;
        bool are_defaults = true;
        for (const auto& direction : op_.resolved_activations()) {
            for (std::size_t i = 0; i < direction.size(); ++i) {
                const ops::ActivationFunction& function = direction[i];
                const ops::ActivationInfo& info = info_of(function.kind);
                are_defaults = are_defaults && function.kind == cell.activations[i];
                names.emplace_back(info.name);
                if (info.takes_alpha) alphas.push_back(function.alpha);
                if (info.takes_beta) betas.push_back(function.beta);
            }
        }
        if (are_defaults) return;
        node.with_texts("activations", names);
        if (!alphas.empty()) node.with_floats("activation_alpha", alphas);
        if (!betas.empty()) node.with_floats("activation_beta", betas);
    }

    // Y is that of one step.
    Names cell_outputs(NewNode& node) {
        node.drop_output(0);
        Names outputs;
        for (std::size_t i = 0; i < context_.node().output_count(); ++i) {
            outputs.push_back(context_.squeeze(node.output(i + 1), {0}));
        }
        return outputs;
    }

    // Y: [T,D,N,H] becomes [N,D,T,H]; the states: [D,N,H] become [N,D,H].
    Names sequence_outputs(NewNode& node) {
        Names outputs;
        for (std::size_t i = 0; i < context_.node().output_count(); ++i) {
            if (context_.node().consumers(i).empty()) {
                node.drop_output(i);
                outputs.emplace_back();
            } else {
                outputs.push_back(
                    context_.transpose(node.output(i), i == 0 ? Ints{2, 1, 0, 3} : Ints{1, 0, 2}));
            }
        }
        return outputs;
    }

    WriteContext& context_;
    const RecurrentOp& op_;
    const CellRow& row_;
    bool is_cell_;
};

}  // namespace

Names write_recurrent(WriteContext& context) { return RecurrentWriter(context).write(); }

}  // namespace rondo::onnx
