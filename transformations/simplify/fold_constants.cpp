#include "transformations/simplify/passes.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "core/graph/constants.hpp"
#include "core/graph/reloadable_tensor.hpp"
#include "core/graph/rt_info_keys.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/reference/evaluate.hpp"
#include "core/ops/source/source_ops.hpp"
#include "transformations/analysis/views.hpp"
#include "transformations/pass/node_roles.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

constexpr std::size_t kSmallBytes = 64 * 1024;
constexpr std::size_t kMaxGrowth = 4;
constexpr std::size_t kSmallModelBytes = 16 * 1024 * 1024;

bool is_wanted(const Node& node) {
    const bool decompresses = dynamic_cast<const ops::Convert*>(&node) != nullptr &&
                              node.rt_info().contains(kDecompression);
    return node.input_count() > 0 && !decompresses && !node.traits().random &&
           dynamic_cast<const ops::Result*>(&node) == nullptr &&
           dynamic_cast<const ops::RecurrentOp*>(&node) == nullptr &&
           reference::find_evaluator(node.op_type()) != nullptr;
}

// The values of all inputs, or none while one isn't known.
std::vector<Tensor> input_values(const Node& node) {
    std::vector<Tensor> values;
    for (const auto& input : node.inputs()) {
        values.push_back(known_value(input));
        if (!values.back()) return {};
    }
    return values;
}

// Each port once, even where several inputs read it.
std::vector<Output> distinct_inputs(const Node& node) {
    std::vector<Output> ports;
    std::set<std::pair<const Node*, std::size_t>> known;
    for (const auto& input : node.inputs()) {
        if (known.emplace(&input.node(), input.index()).second) ports.push_back(input);
    }
    return ports;
}

std::size_t output_bytes(const Node& node, const std::vector<Tensor>& inputs) {
    std::size_t bytes = 0;
    for (const auto& [type, shape] : reference::infer_outputs(node, inputs)) {
        bytes += element_count(shape) * size_of(type);
    }
    return bytes;
}

bool blows_up(std::size_t bytes, const std::vector<Output>& inputs) {
    std::size_t input_bytes = 0;
    for (const auto& input : inputs) input_bytes += known_value(input).byte_size();
    return bytes > kSmallBytes && bytes / kMaxGrowth > input_bytes;
}

// Counts the bytes of constants that the graph and its bodies have, up to the graph's limit.
class Budget {
public:
    explicit Budget(Graph& graph) : held_(ops::constant_bytes(graph)) {
        if (!graph.constants_limit()) {
            graph.set_constants_limit(std::max(kSmallModelBytes, kMaxGrowth * held_));
        }
        limit_ = *graph.constants_limit();
    }

    /// For so many bytes in place of constants of `freed` bytes.
    bool has_room(std::size_t bytes, std::size_t freed) const {
        return bytes <= freed || (held_ <= limit_ && bytes - freed <= limit_ - held_);
    }
    void take(std::size_t bytes) { held_ += bytes; }
    /// Subtracts the constants among a folded node's inputs that have no other reader. Their pages
    /// of a mapped file go, so that not all of them are there beside what was made of them.
    void give_back_unread(const std::vector<Output>& inputs) {
        for (const auto& input : inputs) {
            if (!is_constant(input) || !input.consumers().empty()) continue;
            const Tensor value = known_value(input);
            held_ -= value.byte_size();
            if (value.byte_size() >= kWorthReleasing) drop_pages(value);
        }
    }

private:
    std::size_t held_;
    std::size_t limit_;
};

// Bytes of constants that this node alone reads.
std::size_t freed_by(const Node& node, const std::vector<Output>& inputs) {
    std::size_t bytes = 0;
    for (const auto& input : inputs) {
        const auto constant = as<ops::Constant>(input);
        const bool is_sole = std::ranges::all_of(
            input.consumers(), [&](const Consumer& reader) { return reader.node == &node; });
        if (constant && is_sole) bytes += constant->value().byte_size();
    }
    return bytes;
}

// `name` is the node's, before its first output passed it on.
void replace_by_constant(const Output& output, const std::string& name, Tensor value,
                         Rewriter& rewriter) {
    if (output.consumers().empty()) return;
    const std::string suffix = output.index() == 0 ? "" : "." + std::to_string(output.index());
    rewriter.replace(output, rewriter.make_constant(name + suffix, std::move(value)));
}

void fold(Node& node, Budget& budget, Rewriter& rewriter) {
    if (is_constant(node) || node.output_count() == 0) return;
    const std::string name = node.name();
    if (const Tensor value = node.known_value(0)) {  // the shape of something
        budget.take(value.byte_size());
        replace_by_constant(node.output(0), name, value, rewriter);
        return;
    }
    if (!is_wanted(node)) return;
    const auto inputs = input_values(node);
    if (inputs.empty()) return;
    // Checked before anything is computed: a hostile shape must not allocate the memory.
    const auto ports = distinct_inputs(node);
    const std::size_t bytes = output_bytes(node, inputs);
    if (blows_up(bytes, ports) || !budget.has_room(bytes, freed_by(node, ports))) return;
    auto values = views_of_constant(node, inputs);
    if (values.empty()) values = reference::evaluate(node, inputs);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!node.output(i).consumers().empty()) budget.take(values[i].byte_size());
        replace_by_constant(node.output(i), name, values[i], rewriter);
    }
    budget.give_back_unread(ports);
}

}  // namespace

bool fold_constants(Graph& graph) {
    Budget budget(graph);
    bool changed = false;
    for_each_graph(graph, [&](Graph& part) {
        Rewriter rewriter(part);
        rewriter.for_each<Node>([&](const auto& node) { fold(*node, budget, rewriter); });
        changed |= rewriter.changed();
    });
    return changed;
}

}  // namespace rondo::passes
