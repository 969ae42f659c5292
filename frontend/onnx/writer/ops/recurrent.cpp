// Sequences and cells as LSTM, GRU and RNN, whose time axis comes first; LSTMs of integers as
// DynamicQuantizeLSTM of com.microsoft.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "core/extents/full_lengths.hpp"
#include "core/graph/constants.hpp"
#include "core/graph/infer_context.hpp"
#include "core/graph/rt_info_keys.hpp"
#include "core/ops/common/independent_axes.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/recurrent/gate_blocks.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/source/source_ops.hpp"
#include "frontend/onnx/writer/ops/op_list.hpp"

namespace rondo::onnx {
namespace {

using ops::CellKind;
using ops::RecurrentOp;

// [D,4H,K] of i8, and scales: [D,4H,1] or [D,1,1].
struct IntegerMatrix {
    Tensor integers;
    Tensor scales;
};

std::optional<IntegerMatrix> integer_matrix(const Output& output) {
    const Node& product = output.node();
    if (!is(product, ops::BinaryFunction::multiply)) return {};
    const auto convert = as<ops::Convert>(product.input(0));
    const Tensor scales = known_value(product.input(1));
    const Tensor integers = convert ? known_value(convert->input(0)) : Tensor();
    if (!integers || integers.element_type() != ElementType::i8 || !scales) return {};
    if (scales.element_type() != ElementType::f32) return {};
    const Shape& shape = integers.shape();
    const Shape& of_scales = scales.shape();
    if (shape.size() != 3 || of_scales.size() != 3 || of_scales[0] != shape[0]) return {};
    if (of_scales[2] != 1 || (of_scales[1] != 1 && of_scales[1] != shape[1])) return {};
    return IntegerMatrix{integers.contiguous(), scales.contiguous()};
}

// W and R of an LSTM sequence that may round rows to 8 bits, as Model::quantize() and the reader of
// DynamicQuantizeLSTM store them: Convert(constant) * constant. Nothing for others.
std::optional<std::array<IntegerMatrix, 2>> integer_weights(const RecurrentOp& op) {
    const auto mark = op.rt_info().find(kDynamicQuantization);
    if (mark == op.rt_info().end() || !mark->second.empty()) return {};
    if (op.cell_kind() != ops::CellKind::lstm || !op.is_sequence()) return {};
    if (op.output_type(0) != ElementType::f32) return {};
    const auto w = integer_matrix(op.input(op.w_port()));
    const auto r = integer_matrix(op.input(op.r_port()));
    if (!w || !r) return {};
    return {{*w, *r}};
}

// Whether an input never is anything else than zeros (and not -0).
bool is_zero(const WriteContext& context, std::size_t input) {
    if (has_zero_bits(context.known(input))) return true;
    const auto* broadcast = as_op<ops::Broadcast>(context.node().input(input).node());
    return broadcast != nullptr && has_zero_bits(known_value(broadcast->input(0)));
}

using Blocks = std::vector<std::size_t>;
constexpr std::size_t kZeros = ops::kZeroBlock;

// The gates are fico, zrh and one in the IR; iofc, zrh and one in ONNX, whose B has the biases of W
// and then those of R. The IR has their sum, except for the last gate of a GRU with
// linear_before_reset: z, r, Wbh, Rbh.
struct CellRow {
    CellKind kind;
    const char* name;
    Blocks gates;
    Blocks biases;
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
const Blocks kPeepholeOrder = {1, 2, 0};

class RecurrentWriter {
public:
    explicit RecurrentWriter(WriteContext& context)
        : context_(context),
          op_(context.op<RecurrentOp>()),
          row_(row_of(op_.cell_kind())),
          is_cell_(!op_.is_sequence()) {}

    Names write() {
        const auto integers = integer_weights(op_);
        Names inputs{batch_behind(op_.x_port()), "", "", bias(), lengths(), state(op_.h_port())};
        if (op_.c_port() != RecurrentOp::npos) {
            inputs.push_back(state(op_.c_port()));
            inputs.push_back(peepholes());
        }
        if (integers) {
            add_integers(*integers, inputs);
        } else {
            inputs[1] = blocks(op_.w_port(), row_.gates.size(), row_.gates);
            inputs[2] = blocks(op_.r_port(), row_.gates.size(), row_.gates);
        }
        const std::size_t outputs = op_.output_count() + (is_cell_ ? 1 : 0);
        NewNode node = context_.emit(integers ? "DynamicQuantizeLSTM" : row_.name, inputs, outputs);
        if (integers) {
            node.set_domain(kMicrosoftDomain);
            context_.draft().file().uses_microsoft = true;
        }
        add_attributes(node);
        return is_cell_ ? cell_outputs(node) : sequence_outputs(node);
    }

private:
    // W and R, and after all other inputs their scales and zero points.
    void add_integers(const std::array<IntegerMatrix, 2>& weights, Names& inputs) {
        for (std::size_t i = 0; i < 2; ++i) {
            const auto& [integers, scales] = weights[i];
            const auto reordered = [&](const Tensor& value) {
                return value.shape()[1] == 1
                           ? value
                           : ops::ordered_blocks(value, row_.gates.size(), row_.gates);
            };
            const std::string name = op_.name() + (i == 0 ? "/W" : "/R");
            inputs[i + 1] = context_.constant(ops::transposed_matrices(reordered(integers)), name);
            Shape shape = scales.shape();  // [D] or [D,4H]
            while (shape.size() > 1 && shape.back() == 1) shape.pop_back();
            inputs.push_back(context_.constant(reordered(scales).reshaped(shape), name + "_scale"));
            inputs.push_back(
                context_.constant(Tensor(ElementType::i8, shape), name + "_zero_point"));
        }
    }

    // X and states with the batch after time or directions, which a cell gets an axis for.
    std::string batch_behind(std::size_t port) {
        const std::string value = context_.input(port);
        return is_cell_ ? context_.unsqueeze(value, {0}) : context_.transpose(value, {1, 0, 2});
    }

    std::string state(std::size_t port) {
        return is_zero(context_, port) ? "" : batch_behind(port);
    }

    std::string bias() {
        if (is_zero(context_, op_.b_port())) return "";
        return blocks(op_.b_port(), op_.bias_gate_count(), row_.biases);
    }

    std::string peepholes() {
        if (op_.p_port() == RecurrentOp::npos) return "";
        return blocks(op_.p_port(), kPeepholeOrder.size(), kPeepholeOrder);
    }

    // An input of `count` blocks along its axis of gates, with an axis of directions in front, as
    // the blocks with these numbers. Constant weights are put in order in the file, others by
    // nodes.
    std::string blocks(std::size_t port, std::size_t count, const Blocks& order) {
        const Tensor known = context_.known(port);
        const bool compresses = context_.draft().file().weights != ElementType::f32;
        if (!known || known.size() == 0 || compresses) {
            std::string value = context_.input(port);
            if (is_cell_) value = context_.unsqueeze(value, {0});
            return ops::keep_places(order, count) ? value
                                                  : ordered_by_nodes(value, port, count, order);
        }
        Shape shape = known.shape();
        if (is_cell_) shape.insert(shape.begin(), 1);
        return context_.constant(
            ops::ordered_blocks(known.contiguous().reshaped(shape), count, order),
            op_.input(port).node().name());
    }

    std::string ordered_by_nodes(const std::string& value, std::size_t port, std::size_t count,
                                 const Blocks& order) {
        const Names parts = context_.emit("Split", {value}, count)
                                .with("axis", 1)
                                .with("num_outputs", static_cast<std::int64_t>(count));
        std::string zeros;
        Names chosen;
        for (const std::size_t number : order) {
            if (number == kZeros && zeros.empty()) {
                zeros = context_.emit("Expand", {context_.number(context_.type(port), 0),
                                                 context_.shape_of(parts[0])});
            }
            chosen.push_back(number == kZeros ? zeros : parts[number]);
        }
        return context_.joined(chosen, 1);
    }

    std::string lengths() {
        if (is_cell_ || lengths_are_full(op_)) return "";
        return context_.input_as(op_.lengths_port(), ElementType::i32);
    }

    void add_attributes(NewNode& node) const {
        const auto& attributes = op_.attributes();
        if (op_.hidden_size() != 0) node.with("hidden_size", op_.hidden_size());
        if (!is_cell_) node.with("direction", std::string(to_string(attributes.direction)));
        if (attributes.clip != 0) node.with("clip", attributes.clip);
        if (attributes.linear_before_reset) node.with("linear_before_reset", 1);
        if (attributes.input_forget) node.with("input_forget", 1);
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
        node.with("activations", names);
        if (!alphas.empty()) node.with("activation_alpha", alphas);
        if (!betas.empty()) node.with("activation_beta", betas);
    }

    // Y is that of one step.
    Names cell_outputs(NewNode& node) {
        node.drop_output(0);
        Names outputs;
        for (std::size_t i = 0; i < op_.output_count(); ++i) {
            outputs.push_back(context_.squeeze(node.output(i + 1), {0}));
        }
        return outputs;
    }

    // Y: [T,D,N,H] becomes [N,D,T,H]; the states: [D,N,H] become [N,D,H].
    Names sequence_outputs(NewNode& node) {
        Names outputs;
        for (std::size_t i = 0; i < op_.output_count(); ++i) {
            if (op_.consumers(i).empty()) {
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

bool is_taken_in(const Node& node) {
    if (node.output_count() != 1 || node.consumers(0).empty()) return false;
    const auto& readers = node.consumers(0);
    return std::all_of(readers.begin(), readers.end(), [&](const Consumer& reader) {
        const auto* op = dynamic_cast<const RecurrentOp*>(reader.node);
        if (op == nullptr) {
            return as_op<ops::Convert>(node) != nullptr &&
                   is(*reader.node, ops::BinaryFunction::multiply) && is_taken_in(*reader.node);
        }
        const bool is_weight = reader.input == op->w_port() || reader.input == op->r_port();
        return is_weight && integer_weights(*op).has_value();
    });
}

Names write_recurrent(WriteContext& context) { return RecurrentWriter(context).write(); }

}  // namespace rondo::onnx
