#include "tests/conformance/recurrent_node.hpp"

#include <algorithm>

#include "core/support/strings.hpp"

namespace rondo::test {
namespace {

void add_once(std::vector<std::string>& tags, const std::string& tag) {
    if (std::find(tags.begin(), tags.end(), tag) == tags.end()) tags.push_back(tag);
}

// Alphas and betas go to the functions that take them, in order; the last ones may be left out.
void tag_activations(const RecurrentNode& node, std::vector<std::string>& tags) {
    const auto is_one_of = [](const std::string& name, const std::vector<const char*>& names) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    std::size_t alphas = 0, betas = 0;
    for (const auto& activation : node.activations) {
        const std::string name = to_lower(activation);
        add_once(tags, "activation " + name);
        const bool both = is_one_of(name, {"affine", "scaledtanh", "hardsigmoid"});
        const bool alpha = both || is_one_of(name, {"leakyrelu", "thresholdedrelu", "elu"});
        if (alpha && ++alphas > node.alpha.size()) add_once(tags, name + " without alpha");
        if (both && ++betas > node.beta.size()) add_once(tags, name + " without beta");
    }
    if (node.alpha.size() > alphas) add_once(tags, "surplus alpha");
    if (node.beta.size() > betas) add_once(tags, "surplus beta");
}

const char* text_of(Source source) {
    switch (source) {
        case Source::omitted: return " omitted";
        case Source::constant: return " constant";
        case Source::input: return " run time";
        case Source::computed: return " computed";
    }
    return "";
}

void tag_inputs(const RecurrentNode& node, std::vector<std::string>& tags) {
    for (std::size_t k = kW; k < node.input_count(); ++k) {
        const NodeInput& input = node.inputs[k];
        if (k <= kR && input.source == Source::constant) continue;
        tags.push_back(kInputNames[k] + std::string(text_of(input.source)));
    }
    const Tensor& lengths = node.inputs[kLengths].value;
    if (lengths) tags.push_back("lengths " + std::string(to_string(lengths.element_type())));
}

}  // namespace

Shape RecurrentNode::input_shape(std::size_t index) const {
    const std::size_t d = directions();
    switch (index) {
        case kX: return layout ? Shape{n, t, i} : Shape{t, n, i};
        case kW: return {d, gates() * h, i};
        case kR: return {d, gates() * h, h};
        case kB: return {d, 2 * gates() * h};
        case kLengths: return {n};
        case kP: return {d, 3 * h};
        default: return layout ? Shape{n, d, h} : Shape{d, n, h};
    }
}

Shape RecurrentNode::output_shape(std::size_t index) const {
    if (index > 0) return input_shape(kInitialH);
    const std::size_t d = directions();
    return layout ? Shape{n, t, d, h} : Shape{t, d, n, h};
}

std::vector<std::string> RecurrentNode::tags() const {
    std::vector<std::string> tags = {op_type, "opset " + std::to_string(opset),
                                     std::string(to_string(type)), direction};
    const auto add = [&](bool applies, std::string tag) {
        if (applies) tags.push_back(std::move(tag));
    };
    add(!says_hidden_size, "no hidden_size");
    add(layout, "layout=1");
    add(clip.has_value(), "clip");
    add(input_forget.value_or(false), "input_forget");
    add(linear_before_reset.value_or(false), "linear_before_reset");
    add(output_sequence.has_value(), "output_sequence");
    add(open_extents, "open extents");
    add(n == 0, "N=0");
    add(t == 0, "T=0");
    tag_activations(*this, tags);
    tag_inputs(*this, tags);
    add(!outputs[0], "no Y");
    add(!outputs[1], "no Y_h");
    add(is_lstm() && !outputs[2], "no Y_c");
    return tags;
}

std::string RecurrentNode::describe() const {
    return "T=" + std::to_string(t) + " N=" + std::to_string(n) + " I=" + std::to_string(i) +
           " H=" + std::to_string(h) + ": " + join(tags(), ", ");
}

}  // namespace rondo::test
