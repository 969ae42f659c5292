#include "core/ops/recurrent/recurrent_op.hpp"

#include <algorithm>
#include <utility>

#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo::ops {
namespace {

// In lower case, as the IR has them.
std::vector<std::string> default_activations(CellType type) {
    const CellInfo& cell = info_of(type);
    std::vector<std::string> names;
    for (int i = 0; i < cell.functions; ++i) {
        names.push_back(to_lower(std::string(to_string(cell.activations[i]))));
    }
    return names;
}

std::size_t function_count(CellType type) {
    return static_cast<std::size_t>(info_of(type).functions);
}

// LSTMCell-1 has it, though its page knows one order alone; OpenVINO's CPU ignores the others.
void check_weights_format(AttributeReader& reader) {
    std::string format = "fico";
    reader.on("weights_format", format);
    if (equals_ignoring_case(format, "fico")) return;
    throw UnsupportedError("attribute 'weights_format' is '" + format + "'; expected 'fico'");
}

bool is_standard_name(const std::string& name) {
    const auto kind = activation_from_string(name);
    return kind && is_standard(*kind);
}

// `all`: also the attributes that are written only if they matter.
void visit(const RecurrentOp& op, auto& attributes, auto& visitor, bool all) {
    const bool is_lstm = op.cell_type() == CellType::lstm;
    if (op.is_sequence()) visitor.on_enum("direction", attributes.direction, kDirectionNames);
    if (op.cell_type() == CellType::gru) {
        visitor.on("linear_before_reset", attributes.linear_before_reset);
    }
    if (all || attributes.hidden_size != 0) visitor.on("hidden_size", attributes.hidden_size);
    visitor.on("activations", attributes.activations);
    visitor.on("activations_alpha", attributes.activations_alpha);
    visitor.on("activations_beta", attributes.activations_beta);
    visitor.on("clip", attributes.clip);
    if (is_lstm && (all || !op.is_standard())) {
        visitor.on("input_forget", attributes.input_forget);
    }
}

std::vector<std::vector<ActivationFunction>> resolve_activations_of(const RecurrentOp& op) {
    const auto defaults = default_activations(op.cell_type());
    const auto& attributes = op.attributes();
    const auto& names = attributes.activations.empty() ? defaults : attributes.activations;
    const std::size_t set = defaults.size();
    const std::size_t directions = op.num_directions();
    if (names.size() != set && names.size() != set * directions) {
        const std::string either =
            directions == 2 ? " or " + std::to_string(2 * set) + " (one set a direction)" : "";
        throw ModelError("activations has " + std::to_string(names.size()) + " entries; expected " +
                         std::to_string(set) + either);
    }
    const auto functions =
        resolve_activations(names, attributes.activations_alpha, attributes.activations_beta);
    std::vector<std::vector<ActivationFunction>> result;
    for (std::size_t d = 0; d < directions; ++d) {
        const auto first =
            functions.begin() + static_cast<std::ptrdiff_t>(functions.size() > set ? d * set : 0);
        result.emplace_back(first, first + static_cast<std::ptrdiff_t>(set));
    }
    return result;
}

}  // namespace

std::int64_t RecurrentOp::hidden_size() const {
    if (attributes_.hidden_size != 0 || output_count() == 0) return attributes_.hidden_size;
    const PartialShape& state = output_shape(0);
    if (!state.has_rank() || state.rank() == 0 || !state[state.rank() - 1].is_static()) return 0;
    return state[state.rank() - 1].length();
}

std::size_t RecurrentOp::num_directions() const {
    return attributes_.direction == Direction::bidirectional ? 2 : 1;
}

CellKind RecurrentOp::cell_kind() const {
    if (cell_type() == CellType::gru && attributes_.linear_before_reset) {
        return CellKind::gru_linear_before_reset;
    }
    return info_of(cell_type()).kind;
}

std::size_t RecurrentOp::gate_count() const {
    return static_cast<std::size_t>(info_of(cell_kind()).gates);
}

std::size_t RecurrentOp::bias_gate_count() const {
    return static_cast<std::size_t>(info_of(cell_kind()).biases);
}

std::size_t RecurrentOp::c_port() const { return cell_type() == CellType::lstm ? 2 : npos; }

std::size_t RecurrentOp::lengths_port() const {
    if (!is_sequence()) return npos;
    return cell_type() == CellType::lstm ? 3 : 2;
}

std::size_t RecurrentOp::w_port() const {
    const std::size_t states = cell_type() == CellType::lstm ? 2 : 1;
    return 1 + states + (is_sequence() ? 1 : 0);
}

std::size_t RecurrentOp::p_port() const {
    const std::size_t port = b_port() + 1;
    return cell_type() == CellType::lstm && input_count() > port ? port : npos;
}

void RecurrentOp::set_attributes(RecurrentAttributes attributes) {
    attributes_ = std::move(attributes);
    normalize_activations();
}

// OpenVINO fails on an empty list, and reads only the first set of a list of two.
void RecurrentOp::normalize_activations() {
    auto& names = attributes_.activations;
    if (names.empty()) names = default_activations(cell_type());
    for (auto& name : names) {
        if (activation_from_string(name) && name != to_lower(name)) name = to_lower(name);
    }
    drop_unused_parameters(names, attributes_.activations_alpha, attributes_.activations_beta);
    const std::size_t set = function_count(cell_type());
    const bool plain =
        attributes_.activations_alpha.empty() && attributes_.activations_beta.empty();
    if (plain && num_directions() == 2 && names.size() == 2 * set &&
        std::equal(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(set),
                   names.begin() + static_cast<std::ptrdiff_t>(set))) {
        names.resize(set);
    }
}

std::vector<std::vector<ActivationFunction>> RecurrentOp::resolved_activations() const {
    try {
        return resolve_activations_of(*this);
    } catch (const ModelError& error) {
        throw ModelError(describe(*this) + ": " + error.what());
    }
}

void RecurrentOp::check_lengths(std::span<const std::int64_t> lengths,
                                std::int64_t time_steps) const {
    for (std::size_t row = 0; row < lengths.size(); ++row) {
        if (lengths[row] >= 0 && lengths[row] <= time_steps) continue;
        const std::string most =
            time_steps == Dimension::kInfinity ? "or more" : "to " + std::to_string(time_steps);
        throw ModelError(describe(*this) + ": the length of row " + std::to_string(row) + " is " +
                         std::to_string(lengths[row]) + "; expected 0 " + most);
    }
}

bool RecurrentOp::is_standard() const {
    if (attributes_.input_forget || p_port() != npos || attributes_.hidden_size == 0) return false;
    if (!attributes_.activations_alpha.empty() || !attributes_.activations_beta.empty()) {
        return false;
    }
    const auto& names = attributes_.activations;
    if (names.empty()) return true;
    return names.size() == function_count(cell_type()) &&
           std::all_of(names.begin(), names.end(), is_standard_name);
}

void RecurrentOp::visit_attributes(RecurrentOp& op, AttributeReader& reader) {
    visit(op, op.attributes_, reader, true);
    if (op.cell_type() == CellType::lstm && !op.is_sequence()) check_weights_format(reader);
    op.normalize_activations();
}

void RecurrentOp::visit_attributes(const RecurrentOp& op, AttributeWriter& writer) {
    RecurrentAttributes shown = op.attributes_;
    if (shown.activations.empty()) shown.activations = default_activations(op.cell_type());
    visit(op, std::as_const(shown), writer, false);
}

std::optional<IndependentAxis> RecurrentOp::independent_axis(std::size_t, std::size_t axis) const {
    if (axis != 0) return std::nullopt;
    IndependentAxis rows(input_count(), output_count(), 0);
    for (std::size_t i = 0; i < w_port(); ++i) rows.inputs[i] = 0;
    return rows;
}

// The time steps of Y [N,D,T,H] are those of X [N,T,I], though each depends on the others.
std::vector<ExtentSource> RecurrentOp::extent_sources(std::size_t output, std::size_t axis) const {
    const bool is_time = is_sequence() && output == 0 && axis == 2;
    if (is_time) return {{x_port(), 1}};
    return Node::extent_sources(output, axis);
}

}  // namespace rondo::ops
