// Writes sequences and cells as LSTM, GRU and RNN, whose time axis comes first.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/independent_axes.hpp"
#include "core/ops/elementwise/convert.hpp"
#include "core/ops/movement/broadcast.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/source/shape_of.hpp"
#include "frontend/onnx/writer/context/write_context.hpp"
#include "frontend/onnx/writer/ops/recurrent/integer_weights.hpp"
#include "frontend/onnx/writer/ops/recurrent/writers.hpp"

namespace rondo::onnx {
namespace {

constexpr std::size_t kTimeAxis = 1;  // of X [N,T,I]

bool is_wide_convert(const Node& node) {
    return as_op<ops::Convert>(node) != nullptr &&
           (node.output_type(0) == ElementType::i64 || node.output_type(0) == ElementType::i32);
}

// The number that all lengths are copies of.
Output repeated_value(Output lengths) {
    while (lengths.node().traits().view || as_op<ops::Broadcast>(lengths.node()) != nullptr ||
           is_wide_convert(lengths.node())) {
        lengths = lengths.node().input(0);
    }
    return lengths;
}

bool are_all(const Output& value, std::int64_t extent) {
    const Tensor known = known_value(value);
    if (!known || !is_integral(known.element_type())) return false;
    const auto values = to_int64_vector(known);
    return std::all_of(values.begin(), values.end(),
                       [&](std::int64_t length) { return length == extent; });
}

// Whether the extent of x along `axis` is that of y along `wanted`: x is followed up through ops
// that compute its rows from as many rows.
bool has_extent_of(Output x, std::size_t axis, const Output& y, std::size_t wanted) {
    while (!(x == y && axis == wanted)) {
        if (x.node().input_count() == 0) return false;
        for (const Output& input : x.node().inputs()) {
            if (!input.shape().has_rank()) return false;
        }
        const auto rows = x.node().independent_axis(x.index(), axis);
        if (!rows || rows->broadcasts || rows->inputs[0] == IndependentAxis::kWhole) return false;
        axis = rows->inputs[0];
        x = x.node().input(0);
    }
    return true;
}

// Whether the value is Gather(ShapeOf(y), i) of an extent that X has.
bool is_extent_of(const Output& value, const Output& x) {
    const auto gather = as<ops::Gather>(value);
    const auto shape_of = gather ? as<ops::ShapeOf>(gather->input(0)) : nullptr;
    if (!shape_of || !shape_of->input(0).shape().has_rank()) return false;
    const auto index = ops::constant_ints(*gather, 1);
    if (!index || index->size() != 1) return false;
    const auto rank = static_cast<std::int64_t>(shape_of->input(0).shape().rank());
    const std::int64_t axis = index->front() < 0 ? index->front() + rank : index->front();
    return has_extent_of(x, kTimeAxis, shape_of->input(0), static_cast<std::size_t>(axis));
}

// Whether all rows are certainly as long as X. ONNX's operator then has no lengths.
bool lengths_are_full(const ops::RecurrentOp& op) {
    const Output& x = op.input(op.x_port());
    if (!x.shape().has_rank()) return false;
    const Output value = repeated_value(op.input(op.lengths_port()));
    const Dimension& extent = x.shape()[kTimeAxis];
    if (extent.is_static() && are_all(value, extent.length())) return true;
    return is_extent_of(value, x);
}

// Stands for a block of zeros.
constexpr int kZeros = -1;

// Which blocks of an input make up a tensor of ONNX's.
struct GateBlocks {
    std::size_t input = 0;
    std::size_t count = 1;        ///< blocks of the input along its axis of gates
    std::vector<int> order = {};  ///< their numbers, or kZeros
};

bool holds_zeros(const Tensor& value) {
    if (!value || !value.is_contiguous()) return false;
    const auto* bytes = static_cast<const unsigned char*>(value.data());
    return std::all_of(bytes, bytes + value.byte_size(), [](unsigned char b) { return b == 0; });
}

bool keeps_order(const GateBlocks& blocks) {
    if (blocks.order.size() != blocks.count) return false;
    return std::is_sorted(blocks.order.begin(), blocks.order.end()) && blocks.order[0] == 0;
}

// [D, count * H, ...]: the blocks of each direction.
Tensor ordered(const Tensor& value, const GateBlocks& blocks) {
    Shape shape = value.shape();
    const std::size_t block = value.byte_size() / (shape[0] * blocks.count);
    shape[1] = shape[1] / blocks.count * blocks.order.size();
    Tensor result(value.element_type(), shape);  // zeros
    const auto* from = static_cast<const char*>(value.data());
    auto* to = static_cast<char*>(result.data());
    for (std::size_t d = 0; d < shape[0]; ++d) {
        for (const int number : blocks.order) {
            const auto k = static_cast<std::size_t>(number);
            if (number != kZeros) std::memcpy(to, from + (d * blocks.count + k) * block, block);
            to += block;
        }
    }
    return result;
}

std::string ordered_at_run_time(WriteContext& context, const GateBlocks& blocks,
                                const std::string& value) {
    if (keeps_order(blocks)) return value;
    const Names parts = context.emit("Split", {value}, blocks.count)
                            .with_int("axis", 1)
                            .with_int("num_outputs", static_cast<std::int64_t>(blocks.count))
                            .outputs();
    std::string zeros;
    Names chosen;
    for (const int number : blocks.order) {
        if (number == kZeros && zeros.empty()) {
            zeros = context.emit("Expand", {context.number(context.type(blocks.input), 0),
                                            context.shape_of(parts[0])});
        }
        chosen.push_back(number == kZeros ? zeros : parts[static_cast<std::size_t>(number)]);
    }
    return context.joined(chosen, 1);
}

// The blocks in that order, with an axis of directions in front (`is_cell`: the input has none).
// Constant weights are put in order in the file, others by nodes.
std::string ordered_gates(WriteContext& context, const GateBlocks& blocks, bool is_cell) {
    const Tensor known = context.known(blocks.input);
    const Output& source = context.node().input(blocks.input);
    const bool compresses = context.draft().file().weights != ElementType::f32;
    if (!known || known.size() == 0 || compresses) {
        const std::string value = context.input(blocks.input);
        return ordered_at_run_time(context, blocks,
                                   is_cell ? context.unsqueeze(value, {0}) : value);
    }
    Shape shape = known.shape();
    if (is_cell) shape.insert(shape.begin(), 1);
    const Tensor value = known.contiguous().reshaped(shape);
    return context.constant(keeps_order(blocks) ? value : ordered(value, blocks),
                            source.node().name());
}

// Whether an input never is anything else than zeros (and not -0).
bool is_zero(const WriteContext& context, std::size_t input) {
    if (holds_zeros(context.known(input))) return true;
    const auto* broadcast = as_op<ops::Broadcast>(context.node().input(input).node());
    return broadcast != nullptr && holds_zeros(known_value(broadcast->input(0)));
}

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

// [D,4H,K] as [D,K,4H].
Tensor turned(const Tensor& rows) {
    const Shape& shape = rows.shape();
    Tensor result(rows.element_type(), {shape[0], shape[2], shape[1]});
    const auto* from = rows.data<std::int8_t>();
    auto* to = result.data<std::int8_t>();
    for (std::size_t d = 0; d < shape[0]; ++d, from += shape[1] * shape[2]) {
        for (std::size_t k = 0; k < shape[2]; ++k) {
            for (std::size_t row = 0; row < shape[1]; ++row) *to++ = from[row * shape[2] + k];
        }
    }
    return result;
}

class RecurrentWriter {
public:
    explicit RecurrentWriter(WriteContext& context)
        : context_(context),
          op_(context.op<RecurrentOp>()),
          row_(row_of(op_.cell_kind())),
          is_cell_(!op_.is_sequence()) {}

    Names write() {
        const auto integers = integer_weights(op_);
        Names inputs{x(), "", "", bias(), lengths(), state(op_.h_port())};
        if (op_.c_port() != RecurrentOp::npos) {
            inputs.push_back(state(op_.c_port()));
            inputs.push_back(peepholes());
        }
        if (integers) {
            add_integers(*integers, inputs);
        } else {
            inputs[1] = gates(op_.w_port());
            inputs[2] = gates(op_.r_port());
        }
        const std::size_t outputs = context_.node().output_count() + (is_cell_ ? 1 : 0);
        NewNode node = integers
                           ? context_.draft().emit_microsoft("DynamicQuantizeLSTM", inputs, outputs)
                           : context_.emit(row_.name, inputs, outputs);
        add_attributes(node);
        return is_cell_ ? cell_outputs(node) : sequence_outputs(node);
    }

private:
    std::string x() {
        const std::string x = context_.input(op_.x_port());
        return is_cell_ ? context_.unsqueeze(x, {0}) : context_.transpose(x, {1, 0, 2});
    }

    // W and R, and behind all other inputs their scales and zero points.
    void add_integers(const IntegerWeights& weights, Names& inputs) {
        const GateBlocks blocks{0, row_.gates.size(), row_.gates};
        std::size_t next = 1;
        for (const auto& [matrix, role] : {std::pair(weights.w, "W"), std::pair(weights.r, "R")}) {
            const std::string name = op_.name() + "/" + role;
            inputs[next++] = context_.constant(turned(ordered(matrix.integers, blocks)), name);
            const Tensor scales =
                matrix.scales.shape()[1] == 1 ? matrix.scales : ordered(matrix.scales, blocks);
            Shape shape = scales.shape();  // [D] or [D,4H]
            while (shape.size() > 1 && shape.back() == 1) shape.pop_back();
            inputs.push_back(context_.constant(scales.reshaped(shape), name + "_scale"));
            inputs.push_back(
                context_.constant(Tensor(ElementType::i8, shape), name + "_zero_point"));
        }
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
