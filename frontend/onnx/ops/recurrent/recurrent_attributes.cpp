// Reads the attributes that LSTM, GRU and RNN share.
#include <algorithm>

#include "core/support/strings.hpp"
#include "frontend/onnx/ops/recurrent/recurrent.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::ActivationFunction;

// GRU-1 spells its default "foward"; tools that write defaults out repeat it.
bool is_forward(const std::string& name, ops::CellType cell, std::int64_t opset) {
    return name == "forward" || (name == "foward" && cell == ops::CellType::gru && opset < 3);
}

ops::Direction direction_of(NodeContext& context, ops::CellType cell) {
    const std::string name = context.attributes().find_string("direction").value_or("forward");
    if (is_forward(name, cell, context.opset())) return ops::Direction::forward;
    std::vector<std::string> names;
    for (const auto& [known, direction] : ops::kDirectionNames) {
        if (name == known) return direction;
        names.emplace_back(known);
    }
    throw ModelError("attribute 'direction' is '" + name + "'; expected " + quoted_list(names));
}

void check_count(std::size_t count, std::size_t set, std::size_t directions) {
    if (count == set * directions) return;
    const std::string each = directions == 2 ? " (" + std::to_string(set) + " a direction)" : "";
    throw ModelError("attribute 'activations' has " + std::to_string(count) +
                     " entries; expected " + std::to_string(set * directions) + each);
}

// Writes the functions out with all their parameters, defaults too.
void set_activations(const std::vector<ActivationFunction>& functions,
                     ops::RecurrentAttributes& attributes) {
    for (const auto& function : functions) {
        const ops::ActivationInfo& info = ops::info_of(function.kind);
        attributes.activations.emplace_back(info.name);
        if (info.takes_alpha) attributes.activations_alpha.push_back(function.alpha);
        if (info.takes_beta) attributes.activations_beta.push_back(function.beta);
    }
}

// ONNX lists a set of functions for each direction; alphas and betas are consumed in order by those
// that take one, through both directions.
void read_activations(NodeContext& context, std::size_t set, std::size_t directions,
                      ops::RecurrentAttributes& attributes) {
    Attributes& from = context.attributes();
    auto names = from.find_strings("activations");
    const bool is_default_of_rnn =
        set == 1 && directions == 1 && names == std::vector<std::string>{"Tanh", "Tanh"};
    if (is_default_of_rnn) names->pop_back();  // written out, it has an entry for each direction
    const auto alpha = from.find_floats("activation_alpha").value_or(std::vector<float>());
    const auto beta = from.find_floats("activation_beta").value_or(std::vector<float>());
    if (!names || names->empty()) return;  // the defaults take neither
    check_count(names->size(), set, directions);
    auto functions = ops::resolve_activations(*names, alpha, beta, "activation");
    const auto second = functions.begin() + static_cast<std::ptrdiff_t>(set);
    if (directions == 2 && std::equal(functions.begin(), second, second)) {
        functions.resize(set);
    }
    set_activations(functions, attributes);
}

}  // namespace

ops::RecurrentAttributes read_recurrent_attributes(NodeContext& context, ops::CellType cell) {
    ops::RecurrentAttributes attributes;
    attributes.direction = direction_of(context, cell);
    const auto hidden_size = context.attributes().find_int("hidden_size");
    if (hidden_size && *hidden_size < 1) {
        throw ModelError("hidden_size is " + std::to_string(*hidden_size) + "; expected 1 or more");
    }
    attributes.hidden_size = hidden_size.value_or(0);
    attributes.clip = context.attributes().find_float("clip").value_or(0);
    if (!(attributes.clip >= 0)) {
        throw ModelError("attribute 'clip' is " + std::to_string(attributes.clip) +
                         "; expected 0 (no clip) or more");
    }
    const std::size_t directions = attributes.direction == ops::Direction::bidirectional ? 2 : 1;
    const auto functions = static_cast<std::size_t>(ops::info_of(cell).functions);
    read_activations(context, functions, directions, attributes);
    return attributes;
}

}  // namespace rondo::onnx
