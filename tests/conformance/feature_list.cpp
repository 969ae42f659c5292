#include "tests/conformance/feature_list.hpp"

#include <functional>

#include "core/support/strings.hpp"
#include "tests/conformance/random_node.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

using Edit = std::function<void(RecurrentNode&)>;

// A function and the parameters that its row gives it.
struct Activation {
    const char* name;
    std::vector<float> alpha;
    std::vector<float> beta;
};

const std::vector<Activation>& activations() {
    static const std::vector<Activation> all = {{"Relu", {}, {}},
                                                {"Tanh", {}, {}},
                                                {"Sigmoid", {}, {}},
                                                {"Affine", {0.5f}, {0.25f}},
                                                {"LeakyRelu", {0.2f}, {}},
                                                {"ThresholdedRelu", {0.3f}, {}},
                                                {"ScaledTanh", {0.7f}, {0.6f}},
                                                {"HardSigmoid", {0.3f}, {0.4f}},
                                                {"Elu", {0.6f}, {}},
                                                {"Softsign", {}, {}},
                                                {"Softplus", {}, {}}};
    return all;
}

// The candidate's function: g of an LSTM or a GRU, the only one of an RNN.
void set_candidate(RecurrentNode& node, const std::string& name) {
    const std::vector<std::string> each =
        node.is_lstm()  ? std::vector<std::string>{"Sigmoid", name, "Tanh"}
        : node.is_gru() ? std::vector<std::string>{"Sigmoid", name}
                        : std::vector<std::string>{name};
    for (std::size_t d = 0; d < node.directions(); ++d) {
        node.activations.insert(node.activations.end(), each.begin(), each.end());
    }
}

void give(RecurrentNode& node, InputIndex index, Source source) {
    if (index < node.input_count()) node.inputs[index].source = source;
}

void give_states(RecurrentNode& node, Source source) {
    give(node, kInitialH, source);
    give(node, kInitialC, source);
}

void give_lengths(RecurrentNode& node, Source source, const std::vector<std::int32_t>& lengths) {
    node.n = lengths.size();
    node.inputs[kLengths] = {source, tensor_of<std::int32_t>({node.n}, lengths)};
}

void give_weights(RecurrentNode& node, Source source) {
    for (const auto index : {kW, kR, kB}) give(node, index, source);
}

// X with elements far outside of what float's exponential takes.
void give_large_x(RecurrentNode& node, float size) {
    Tensor x(ElementType::f32, node.input_shape(kX));
    for (std::size_t k = 0; k < x.size(); ++k) x.data<float>()[k] = k % 3 == 0 ? -size : size;
    node.inputs[kX].value = x;
}

class List {
public:
    Feature& add(const std::string& name, const Edit& edit, const std::string& op_types = "LGR") {
        Feature feature{name, {}, false};
        for (const char* op_type : {"LSTM", "GRU", "RNN"}) {
            if (op_types.find(op_type[0]) == std::string::npos) continue;
            feature.nodes.push_back(made(op_type, edit));
        }
        features_.push_back(std::move(feature));
        return features_.back();
    }
    std::vector<Feature> take() { return std::move(features_); }

private:
    static RecurrentNode made(const char* op_type, const Edit& edit) {
        RecurrentNode node;
        node.op_type = op_type;
        node.outputs[2] = node.is_lstm();
        node.inputs[kX].source = Source::input;
        give_weights(node, Source::constant);
        edit(node);
        Rng rng(7);
        fill(node, rng);
        return node;
    }

    std::vector<Feature> features_;
};

void add_attributes(List& list) {
    list.add("no attribute but `hidden_size`", [](auto& node) { node.says_direction = false; });
    list.add("`direction=reverse`", [](auto& node) { node.direction = "reverse"; });
    list.add("`direction=bidirectional`", [](auto& node) { node.direction = "bidirectional"; });
    list.add("`layout=1`", [](auto& node) { node.layout = true; });
    list.add("`layout=1`, bidirectional, with states", [](auto& node) {
        node.layout = true;
        node.direction = "bidirectional";
        give_states(node, Source::input);
    });
    list.add("`hidden_size` absent", [](auto& node) { node.says_hidden_size = false; });
    list.add("`clip`", [](auto& node) { node.clip = 0.2f; });
    list.add(
        "`input_forget=1`", [](auto& node) { node.input_forget = true; }, "L");
    list.add(
        "`input_forget=1` with `P`",
        [](auto& node) {
            node.input_forget = true;
            give(node, kP, Source::constant);
        },
        "L");
    list.add(
        "`linear_before_reset=1`", [](auto& node) { node.linear_before_reset = true; }, "G");
}

void add_inputs(List& list) {
    list.add("`B` omitted", [](auto& node) { give(node, kB, Source::omitted); });
    list.add(
        "peepholes `P`", [](auto& node) { give(node, kP, Source::constant); }, "L");
    list.add(
        "peepholes `P`, bidirectional",
        [](auto& node) {
            node.direction = "bidirectional";
            give(node, kP, Source::constant);
        },
        "L");
    list.add("initial states, constant", [](auto& n) { give_states(n, Source::constant); });
    list.add("initial states, at run time", [](auto& n) { give_states(n, Source::input); });
    list.add("initial states, computed", [](auto& n) { give_states(n, Source::computed); });
    list.add(
        "`initial_c` without `initial_h`", [](auto& n) { give(n, kInitialC, Source::input); }, "L");
    list.add("`W`, `R`, `B` at run time", [](auto& n) { give_weights(n, Source::input); });
    list.add("`W`, `R`, `B` computed", [](auto& n) { give_weights(n, Source::computed); });
}

void add_lengths(List& list) {
    const auto lengths = [&](
                             const std::string& name, const std::vector<std::int32_t>& values,
                             const Edit& edit = [](auto&) {}) -> Feature& {
        return list.add(name, [&](auto& node) {
            give_lengths(node, Source::input, values);
            edit(node);
        });
    };
    list.add("`sequence_lens` constant, shorter", [](auto& node) {
        give_lengths(node, Source::constant, {2, 5, 3});
    });
    lengths("`sequence_lens` at run time", {2, 5, 3});
    lengths("`sequence_lens` at run time, open N and T", {2, 5, 3},
            [](auto& node) { node.open_extents = true; });
    lengths("`sequence_lens`, reverse", {2, 5, 3}, [](auto& node) { node.direction = "reverse"; });
    lengths("`sequence_lens`, bidirectional", {2, 5, 3},
            [](auto& node) { node.direction = "bidirectional"; });
    lengths("`sequence_lens` with a 0", {2, 0, 5});
    lengths("`sequence_lens` all 0, with states", {0, 0, 0},
            [](auto& node) { give_states(node, Source::input); });
    lengths("`sequence_lens` above T: an error", {2, 6, 3}).must_fail = true;
    lengths("`sequence_lens` below 0: an error", {2, -1, 3}).must_fail = true;
}

void add_activations(List& list) {
    for (const auto& activation : activations()) {
        list.add("`" + std::string(activation.name) + "`", [&](auto& node) {
            set_candidate(node, activation.name);
            node.alpha = activation.alpha;
            node.beta = activation.beta;
        });
    }
    for (const auto& activation : activations()) {
        if (activation.alpha.empty()) continue;
        list.add("`" + std::string(activation.name) + "`, alpha and beta left out",
                 [&](auto& node) { set_candidate(node, activation.name); });
    }
    list.add("alphas and betas of `Sigmoid` and `Tanh`", [](auto& node) {
        set_candidate(node, "Tanh");
        node.alpha.assign(node.activations.size(), 0.3f);
        node.beta.assign(node.activations.size(), 0);
    });
    list.add("`HardSigmoid`, alphas `[0.2, 0, 0]` and betas `[0.4, 0, 0]`", [](auto& node) {
        set_candidate(node, "Tanh");
        node.activations.front() = "HardSigmoid";
        node.alpha = {0.2f, 0, 0};
        node.beta = {0.4f, 0, 0};
    });
    list.add("`HardSigmoid` in both directions, six alphas and betas", [](auto& node) {
        node.direction = "bidirectional";
        set_candidate(node, "Tanh");
        node.activations.front() = "HardSigmoid";
        node.activations[node.functions()] = "HardSigmoid";
        node.alpha = {0.2f, 0.1f, 0, 0, 0, 0};
        node.beta = {0.4f, 0.6f, 0, 0, 0, 0};
    });
    list.add("other functions backward", [](auto& node) {
        node.direction = "bidirectional";
        set_candidate(node, "Relu");
        node.activations.back() = node.is_lstm() ? "Softsign" : "HardSigmoid";
    });
    list.add("function names in lower case",
             [](auto& node) { set_candidate(node, "hardsigmoid"); });
    list.add("inputs of 1e20", [](auto& node) { give_large_x(node, 1e20f); });
    for (const char* name : {"Elu", "Softplus", "Softsign"}) {
        list.add("`" + std::string(name) + "` of large numbers", [&](auto& node) {
            set_candidate(node, name);
            node.t = 1;
            give_large_x(node, 150);
        });
    }
}

void add_outputs_and_extents(List& list) {
    const char* names[] = {"Y", "Y_h", "Y_c"};
    for (std::size_t k = 0; k < 3; ++k) {
        list.add(
            "`" + std::string(names[k]) + "` alone",
            [&](auto& node) {
                for (std::size_t other = 0; other < 3; ++other) node.outputs[other] = other == k;
            },
            k == 2 ? "L" : "LGR");
    }
    list.add("open N and T", [](auto& node) { node.open_extents = true; });
    list.add("N = 0", [](auto& node) {
        node.open_extents = true;
        node.n = 0;
    });
    list.add("T = 0", [](auto& node) {
        node.open_extents = true;
        node.t = 0;
    });
    list.add("H = 1, I = 1, T = 1", [](auto& node) { node.h = node.i = node.t = 1; });
}

void add_types_and_opsets(List& list) {
    list.add("double", [](auto& node) { node.type = ElementType::f64; });
    list.add("float16", [](auto& node) { node.type = ElementType::f16; });
    list.add("bfloat16", [](auto& node) { node.type = ElementType::bf16; });
    for (const std::int64_t opset : {1, 3, 7, 14}) {
        list.add(
            "opset " + std::to_string(opset),
            [&](auto& node) {
                node.opset = opset;
                if (opset < 7) node.output_sequence = true;
            },
            opset == 3 ? "G" : "LGR");
    }
}

}  // namespace

std::vector<Feature> feature_list() {
    List list;
    add_attributes(list);
    add_inputs(list);
    add_lengths(list);
    add_activations(list);
    add_outputs_and_extents(list);
    add_types_and_opsets(list);
    return list.take();
}

}  // namespace rondo::test
