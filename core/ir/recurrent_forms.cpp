// What OpenVINO's forms of the recurrent ops leave out or forbid, and ours don't.
#include "core/graph/constants.hpp"
#include "core/ir/layer_node.hpp"

#include <algorithm>

#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/support/limits.hpp"
#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo::ir {
namespace {

using ops::CellType;
using ops::RecurrentOp;

std::string form_text(const OpType& form) {
    return std::string(form.name) + " of " + form.opset_name();
}

void check_functions(const RecurrentOp& op, const OpType& form) {
    const auto& names = op.attributes().activations;
    for (const auto& name : names) {
        const auto kind = ops::activation_from_string(name);
        if (!kind || is_standard(*kind)) continue;  // inference lists the names there are
        throw UnsupportedError("activations has '" + name + "'; " + form_text(form) + " knows " +
                               quoted_list({"sigmoid", "tanh", "relu"}) + ", rondo1 the others");
    }
    // OpenVINO reads the first set for both directions, though an exporter meant two.
    const auto set = static_cast<std::size_t>(ops::info_of(op.cell_type()).functions);
    if (op.num_directions() == 2 && names.size() == 2 * set) {
        throw UnsupportedError("activations differ by direction; " + form_text(form) + " has " +
                               std::to_string(set) + " for both, rondo1 a set each");
    }
}

void check_input_forget(const RecurrentOp& op, const OpType& form) {
    if (!op.attributes().input_forget || &form == &ops::LSTMCell::kOpset1) return;
    throw UnsupportedError("attribute 'input_forget' is not known for " + form_text(form) +
                           "; rondo1 has it");
}

bool has_usual_size(const RecurrentOp& op) {
    return op.attributes().hidden_size >= 1 && op.attributes().hidden_size <= kMaxFilledHiddenSize;
}

// OpenVINO writes zeros, and computes without P whatever it holds.
void check_peepholes(const RecurrentOp& op, const Output& p) {
    const PartialShape expected = {Dimension(3 * op.attributes().hidden_size)};
    if (!p.shape().intersect(expected)) {
        throw ModelError("P has shape " + to_string(p.shape()) + "; expected " +
                         to_string(expected));
    }
    const Tensor value = known_value(p);
    if (has_zero_bits(value)) return;
    throw UnsupportedError("P is not a constant of zeros; LSTMCell of opset1 computes without it");
}

// The first form of LSTMCell alone has an input after B.
void drop_peepholes(const RecurrentOp& op, const OpType& form, std::vector<Output>& inputs) {
    const std::size_t p_port = op.b_port() + 1;
    if (op.cell_type() != CellType::lstm || inputs.size() != p_port + 1) return;
    if (&form != &ops::LSTMCell::kOpset1) {
        throw UnsupportedError("input " + std::to_string(p_port) + " (P) is not known for " +
                               form_text(form) + "; rondo1 has it");
    }
    if (!has_usual_size(op)) return;  // inference complains
    check_peepholes(op, inputs[p_port]);
    inputs.pop_back();
}

Output zero_bias(const RecurrentOp& op, ElementType type, const std::string& name) {
    const auto hidden = static_cast<std::size_t>(op.attributes().hidden_size);
    Tensor zeros(type, {op.bias_gate_count() * hidden});
    std::fill_n(static_cast<unsigned char*>(zeros.data()), zeros.byte_size(), 0);
    auto constant = std::make_shared<ops::Constant>(std::move(zeros));
    constant->set_name(name);
    constant->validate();
    return constant;
}

// B is optional by the pages of LSTMCell and GRUCell, RNNCell's wants it.
void add_missing_bias(const RecurrentOp& op, std::vector<Output>& inputs, const std::string& name) {
    const bool optional = !op.is_sequence() && op.cell_type() != CellType::rnn;
    if (!optional || inputs.size() != op.b_port()) return;
    const ElementType type = inputs[op.w_port()].element_type();
    if (!is_floating(type) || !has_usual_size(op)) return;  // inference complains
    inputs.push_back(zero_bias(op, type, name));
}

}  // namespace

std::vector<Output> adopt_form(RecurrentOp& op, const OpType& form, std::vector<Output> inputs,
                               const std::string& b_name) {
    if (form.opset == 0) return inputs;
    if (op.attributes().hidden_size == 0) {
        throw ModelError("hidden_size is 0 or missing; " + form_text(form) + " must have it");
    }
    check_functions(op, form);
    check_input_forget(op, form);
    auto attributes = op.attributes();
    attributes.activations_alpha.clear();
    attributes.activations_beta.clear();
    op.set_attributes(std::move(attributes));
    add_missing_bias(op, inputs, b_name);
    drop_peepholes(op, form, inputs);
    return inputs;
}

}  // namespace rondo::ir
