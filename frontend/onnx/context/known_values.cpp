#include "frontend/onnx/context/known_values.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "core/graph/printer.hpp"
#include "core/ops/reference/evaluate.hpp"
#include "core/ops/source/source_ops.hpp"
#include "frontend/onnx/context/sequence.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr std::size_t kSmallBytes = 4096;
constexpr std::size_t kMaxNodes = 64;  // of one converter; bounds how deep a chain is followed

bool is_small(const Tensor& value) { return value.byte_size() <= kSmallBytes; }

bool are_same(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_tensor);
}

// The extents, with `open` if one isn't known.
Tensor extents_of(const ops::ShapeOf& node, std::size_t open) {
    Shape shape;
    for (const Dimension& extent : node.input(0).shape().dimensions()) {
        shape.push_back(extent.is_static() ? static_cast<std::size_t>(extent.length()) : open);
    }
    return ops::shape_tensor(shape, node.output_type());
}

// Evaluates the nodes that one converter has made.
class Evaluation {
public:
    explicit Evaluation(const std::vector<Output>& inputs) : inputs_(inputs) {}

    /// Empty if it isn't known or isn't small.
    Tensor value_of(const Output& output) {
        Tensor known = known_value(output);
        if (known || is_input(output)) return known && is_small(known) ? known : Tensor();
        const auto& values = values_of(output.node());
        return values.empty() ? Tensor() : values[output.index()];
    }

private:
    bool is_input(const Output& output) const {
        return std::find(inputs_.begin(), inputs_.end(), output) != inputs_.end();
    }

    const std::vector<Tensor>& values_of(const Node& node) {
        const auto [at, is_new] = values_.try_emplace(&node);
        if (is_new && values_.size() <= kMaxNodes) at->second = evaluated(node);
        return at->second;
    }

    std::vector<Tensor> evaluated(const Node& node) {
        if (node.input_count() == 0 || !node.bodies().empty() || node.traits().random ||
            reference::find_evaluator(node.op_type()) == nullptr) {
            return {};
        }
        std::vector<Tensor> inputs;
        for (const auto& input : node.inputs()) {
            inputs.push_back(value_of(input));
            if (!inputs.back() && (inputs.size() > 1 || !moves_known_rank(node))) return {};
        }
        if (!inputs[0]) return moved_extents(node, std::move(inputs));
        return computed(node, inputs);
    }

    // Whether the node moves elements of a shape of which some extents are open.
    static bool moves_known_rank(const Node& node) {
        const OpTraits traits = node.traits();
        return traits.moves_elements && traits.data_inputs == 1 &&
               as_op<ops::ShapeOf>(node.input(0).node()) &&
               node.input(0).node().input(0).shape().has_rank();
    }

    // Known if none of the elements comes from an open extent: whatever that is, the result
    // stays.
    static std::vector<Tensor> moved_extents(const Node& node, std::vector<Tensor> inputs) {
        const auto& shape = static_cast<const ops::ShapeOf&>(node.input(0).node());
        inputs[0] = extents_of(shape, 0);
        auto values = computed(node, inputs);
        inputs[0] = extents_of(shape, 1);
        return are_same(values, computed(node, inputs)) ? values : std::vector<Tensor>();
    }

    static std::vector<Tensor> computed(const Node& node, const std::vector<Tensor>& inputs) {
        std::size_t bytes = 0;
        for (const auto& [type, shape] : reference::infer_outputs(node, inputs)) {
            bytes += element_count(shape) * size_of(type);
        }
        return bytes <= kSmallBytes ? reference::evaluate(node, inputs) : std::vector<Tensor>();
    }

    const std::vector<Output>& inputs_;
    std::map<const Node*, std::vector<Tensor>> values_;
};

Output as_constant(const Output& output, Tensor value) {
    auto constant = std::make_shared<ops::Constant>(std::move(value));
    const std::string suffix = output.index() == 0 ? "" : "." + std::to_string(output.index());
    constant->set_name(output.node().name() + suffix);
    constant->validate();
    return constant;
}

}  // namespace

std::vector<Output> with_known_values(std::vector<Output> outputs,
                                      const std::vector<Output>& inputs) {
    Evaluation evaluation(inputs);
    for (Output& output : outputs) {
        if (!output || find_sequence(output) || known_value(output)) continue;
        try {
            if (Tensor value = evaluation.value_of(output)) {
                output = as_constant(output, std::move(value));
            }
        } catch (const OutOfMemoryError&) {
            throw;
        } catch (const Error&) {
            // The op forbids the values: an error of the run, if the node ever runs.
        }
    }
    return outputs;
}

}  // namespace rondo::onnx
