#include "tests/conformance/random_node.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "core/support/strings.hpp"
#include "tests/conformance/onnx_recurrent_reference.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

constexpr double kMostGrowth = 8;
constexpr double kNearJump = 1e-4;

bool chance(Rng& rng, int percent) { return uniform_int(rng, 0, 99) < percent; }

template <typename T>
T pick(Rng& rng, std::initializer_list<T> values) {
    return values.begin()[uniform_int(rng, 0, static_cast<std::int64_t>(values.size()) - 1)];
}

std::size_t size(Rng& rng, std::int64_t lo, std::int64_t hi) {
    return static_cast<std::size_t>(uniform_int(rng, lo, hi));
}

// Each version of the operators, and opsets between them.
std::int64_t random_opset(Rng& rng, const RecurrentNode& node) {
    if (node.type == ElementType::bf16) return 22;
    if (node.is_gru() && chance(rng, 8)) return pick<std::int64_t>(rng, {3, 5});
    return pick<std::int64_t>(rng, {1, 7, 9, 13, 14, 17, 21, 22, 22});
}

void choose_sizes(RecurrentNode& node, Rng& rng) {
    const bool large = chance(rng, 20);
    node.h = large ? size(rng, 17, 70) : size(rng, 1, 20);
    node.i = chance(rng, 20) ? size(rng, 17, 70) : size(rng, 1, 16);
    node.t = chance(rng, 10) ? 1 : size(rng, 2, large ? 9 : 24);
    node.n = chance(rng, 40) ? 1 : size(rng, 2, large ? 5 : 9);
    if (chance(rng, 3)) node.t = 0;
    if (chance(rng, 2)) node.n = 0;
    node.open_extents = chance(rng, 40);
}

std::string in_any_case(Rng& rng, std::string name) {
    if (chance(rng, 70)) return name;
    if (chance(rng, 50)) return to_lower(name);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    return name;
}

// Names, and alphas and betas of those that have them: all, some of the first, or none.
void choose_activations(RecurrentNode& node, Rng& rng) {
    if (chance(rng, 45)) return;
    for (std::size_t k = 0; k < node.functions() * node.directions(); ++k) {
        const std::string name = pick<const char*>(
            rng, {"Sigmoid", "Tanh", "Relu", "Affine", "LeakyRelu", "ThresholdedRelu", "ScaledTanh",
                  "HardSigmoid", "Elu", "Softsign", "Softplus"});
        const bool both = name == "Affine" || name == "ScaledTanh" || name == "HardSigmoid";
        if (both || name == "LeakyRelu" || name == "ThresholdedRelu" || name == "Elu") {
            node.alpha.push_back(static_cast<float>(uniform(rng, 0.05, 0.9)));
        }
        if (both) node.beta.push_back(static_cast<float>(uniform(rng, -0.4, 0.8)));
        node.activations.push_back(in_any_case(rng, name));
    }
    const auto shorten = [&](std::vector<float>& values) {
        if (chance(rng, 60)) return;
        values.resize(size(rng, 0, static_cast<std::int64_t>(values.size())));
    };
    shorten(node.alpha);
    shorten(node.beta);
}

bool takes(const std::string& name, std::initializer_list<const char*> names) {
    return std::find(names.begin(), names.end(), to_lower(name)) != names.end();
}

// After all that the functions take: what exporters write for sigmoid and tanh.
void add_surplus(RecurrentNode& node, Rng& rng) {
    if (!chance(rng, 20)) return;
    std::size_t alphas = 0, betas = 0;
    for (const auto& name : node.activations) {
        const bool both = takes(name, {"Affine", "ScaledTanh", "HardSigmoid"});
        alphas += both || takes(name, {"LeakyRelu", "ThresholdedRelu", "Elu"}) ? 1 : 0;
        betas += both ? 1 : 0;
    }
    const auto extend = [&](std::vector<float>& values, std::size_t taken) {
        if (values.size() < taken) return;
        for (std::size_t k = size(rng, 0, 4); k > 0; --k) {
            values.push_back(chance(rng, 50) ? 0 : static_cast<float>(uniform(rng, -2, 2)));
        }
    };
    extend(node.alpha, alphas);
    extend(node.beta, betas);
}

void choose_attributes(RecurrentNode& node, Rng& rng) {
    node.direction = pick<const char*>(rng, {"forward", "reverse", "bidirectional"});
    node.says_direction = node.direction != "forward" || chance(rng, 50);
    node.says_hidden_size = chance(rng, 85);
    if (node.opset >= 14) node.layout = chance(rng, 40);
    if (node.opset < 7 && chance(rng, 60)) node.output_sequence = chance(rng, 50);
    if (chance(rng, 30)) node.clip = static_cast<float>(uniform(rng, 0.05, 2));
    if (node.is_lstm() && chance(rng, 40)) node.input_forget = chance(rng, 70);
    if (node.is_gru() && node.opset >= 3 && chance(rng, 70)) {
        node.linear_before_reset = chance(rng, 70);
    }
    choose_activations(node, rng);
}

// A model's constants fix N, so only models of known extents have constant states and lengths.
void choose_inputs(RecurrentNode& node, Rng& rng) {
    const bool computes = node.opset >= 13;  // since when Neg takes every type
    const bool weights_vary = chance(rng, 25);
    node.inputs[kX].source = Source::input;
    for (std::size_t k = kW; k < node.input_count(); ++k) {
        const bool weight = k == kW || k == kR || k == kB || k == kP;
        Source source = pick(rng, {Source::constant, Source::input, Source::computed});
        if (source == Source::computed && !computes) source = Source::input;
        if (weight && !weights_vary) source = Source::constant;
        if (!weight && node.open_extents && source == Source::constant) source = Source::input;
        if (k > kR && chance(rng, k == kLengths ? 55 : 40)) source = Source::omitted;
        node.inputs[k].source = source;
    }
    node.names_omitted = chance(rng, 30);
}

void choose_outputs(RecurrentNode& node, Rng& rng) {
    if (chance(rng, 50)) return;
    for (auto& output : node.outputs) output = chance(rng, 50);
    if (!node.is_lstm()) node.outputs[2] = false;
    const bool any =
        std::find(node.outputs.begin(), node.outputs.end(), true) != node.outputs.end();
    if (!any) node.outputs[size(rng, 0, static_cast<std::int64_t>(node.output_count()) - 1)] = true;
}

// Includes rows of length 0 and T.
Tensor random_lengths(const RecurrentNode& node, Rng& rng, std::int64_t least) {
    const auto most = static_cast<std::int64_t>(node.t);
    std::vector<std::int32_t> lengths(node.n);
    for (auto& length : lengths) {
        length = static_cast<std::int32_t>(uniform_int(rng, std::min(least, most), most));
    }
    if (node.n > 1 && chance(rng, 50)) lengths[0] = static_cast<std::int32_t>(most);
    return tensor_of<std::int32_t>({node.n}, lengths);
}

void scale(Tensor& tensor, double factor) {
    if (!tensor) return;
    Tensor wide = converted(tensor, ElementType::f64);
    for (std::size_t k = 0; k < wide.size(); ++k) wide.data<double>()[k] *= factor;
    tensor = converted(wide, tensor.element_type());
}

// Smaller weights if the states grow, another alpha if a jump is too near.
void make_well_posed(RecurrentNode& node) {
    for (int attempt = 0; attempt < 60; ++attempt) {
        const ReferenceResult result = onnx_reference(node);
        if (result.largest > kMostGrowth) {
            for (const std::size_t k : {kW, kR, kB, kP, kInitialH, kInitialC}) {
                scale(node.inputs[k].value, 0.6);
            }
            for (auto& alpha : node.alpha) alpha *= 0.8f;
            for (auto& beta : node.beta) beta *= 0.8f;
        } else if (result.nearest_jump < kNearJump) {
            for (auto& alpha : node.alpha) alpha += 0.0137f;
            scale(node.inputs[kX].value, 0.97);
        } else {
            return;
        }
    }
}

}  // namespace

void fill(RecurrentNode& node, Rng& rng) {
    for (std::size_t k = 0; k < node.input_count(); ++k) {
        NodeInput& input = node.inputs[k];
        if (!input || input.value) continue;
        if (k == kLengths) {
            input.value = random_lengths(node, rng, 1);
            continue;
        }
        const double width = k == kW   ? 1.5 / std::sqrt(static_cast<double>(node.i))
                             : k == kR ? 1.5 / std::sqrt(static_cast<double>(node.h))
                                       : 1;
        input.value = random_tensor(node.type, node.input_shape(k), rng, -width, width);
    }
}

RecurrentNode random_node(std::uint64_t seed) {
    Rng rng(seed);
    RecurrentNode node;
    node.op_type = pick<const char*>(rng, {"LSTM", "LSTM", "GRU", "RNN"});
    node.type = pick(rng, {ElementType::f32, ElementType::f32, ElementType::f32, ElementType::f64,
                           ElementType::f16, ElementType::bf16});
    node.opset = random_opset(rng, node);
    choose_sizes(node, rng);
    choose_attributes(node, rng);
    choose_inputs(node, rng);
    choose_outputs(node, rng);
    Rng surplus(seed + 0x5a1);  // of its own: the other draws are those that peers have run
    add_surplus(node, surplus);
    if (node.inputs[kLengths]) {
        node.inputs[kLengths].value = random_lengths(node, rng, chance(rng, 50) ? 0 : 1);
        if (chance(rng, 15)) {
            node.inputs[kLengths].value = converted(node.inputs[kLengths].value, ElementType::i64);
        }
    }
    fill(node, rng);
    make_well_posed(node);
    return node;
}

}  // namespace rondo::test
