// Reads the attributes that LSTM, GRU and RNN share.
#include <algorithm>

#include "core/support/strings.hpp"
#include "frontend/onnx/ops/recurrent/recurrent.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ops::ActivationFunction;

// f, g and h of an LSTM; f and g of a GRU; f of an RNN.
std::size_t functions_of(ops::CellType cell) {
    switch (cell) {
        case ops::CellType::lstm: return 3;
        case ops::CellType::gru: return 2;
        case ops::CellType::rnn: break;
    }
    return 1;
}

// GRU-1 spells its default "foward"; tools that write defaults out repeat it.
bool is_forward(const std::string& name, ops::CellType cell, std::int64_t opset) {
    return name == "forward" || (name == "foward" && cell == ops::CellType::gru && opset < 3);
}

ops::Direction direction_of(NodeContext& context, ops::CellType cell) {
    const std::string name = context.attributes().find_string("direction").value_or("forward");
    if (is_forward(name, cell, context.opset())) return ops::Direction::forward;
    if (name == "reverse") return ops::Direction::reverse;
    if (name == "bidirectional") return ops::Direction::bidirectional;
    throw ModelError("attribute 'direction' is '" + name + "'; expected " +
                     quoted_list({"forward", "reverse", "bidirectional"}));
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
        attributes.activations.emplace_back(ops::to_string(function.kind));
        if (ops::takes_alpha(function.kind)) {
            attributes.activations_alpha.push_back(function.alpha);
        }
        if (ops::takes_beta(function.kind)) attributes.activations_beta.push_back(function.beta);
    }
}

// ONNX lists a set of functions for each direction; alphas and betas are consumed in order by those
// that take one.
void read_activations(NodeContext& context, std::size_t set, std::size_t directions,
                      ops::RecurrentAttributes& attributes) {
    Attributes& from = context.attributes();
    const auto names = from.find_strings("activations");
    const auto alpha = from.find_floats("activation_alpha").value_or(std::vector<float>());
    const auto beta = from.find_floats("activation_beta").value_or(std::vector<float>());
    if (!names || names->empty()) {
        if (alpha.empty() && beta.empty()) return;
        throw ModelError("activation_alpha and activation_beta need the attribute 'activations'");
    }
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
    read_activations(context, functions_of(cell), directions, attributes);
    return attributes;
}

}  // namespace rondo::onnx
