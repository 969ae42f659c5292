#include "transformations/common/inline_body.hpp"

#include <unordered_map>
#include <unordered_set>

#include "core/ops/source/parameter.hpp"
#include "core/ops/source/result.hpp"

namespace rondo::passes {
namespace {

class Inliner {
public:
    Inliner(Rewriter& rewriter, const Graph& body, std::span<const Output> parameters)
        : rewriter_(rewriter), body_(body) {
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            outside_.emplace(body.parameters()[i].get(), parameters[i]);
        }
    }

    /// What a value of the body is outside: itself where it has yet to be copied.
    Output outside(const Output& value) const {
        const auto parameter = outside_.find(&value.node());
        if (parameter != outside_.end()) return parameter->second;
        const auto copy = copies_.find(&value.node());
        return copy == copies_.end() ? value : Output(copy->second, value.index());
    }

    void copy_needed_by(std::span<const Output> values) {
        std::unordered_set<const Node*> needed;
        for (const Output& value : values) needed.insert(&value.node());
        const auto nodes = body_.ordered_nodes();
        for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
            if (!needed.contains(node->get())) continue;
            for (const Output& input : (*node)->inputs()) needed.insert(&input.node());
        }
        for (const NodePtr& node : nodes) {
            if (needed.contains(node.get()) && !outside_.contains(node.get())) copy(*node);
        }
    }

private:
    void copy(const Node& node) {
        std::vector<Output> inputs;
        for (const Output& input : node.inputs()) inputs.push_back(outside(input));
        const NodePtr made = rewriter_.clone(node, std::move(inputs));
        // Names of tensors are those of the body, where others may have the same.
        for (std::size_t i = 0; i < made->output_count(); ++i) made->output(i).set_names({});
        copies_.emplace(&node, made);
    }

    Rewriter& rewriter_;
    const Graph& body_;
    std::unordered_map<const Node*, Output> outside_;  // of parameters
    std::unordered_map<const Node*, NodePtr> copies_;
};

}  // namespace

bool can_replace_all(Node& node, std::span<const Output> by) {
    for (std::size_t i = 0; i < by.size(); ++i) {
        const Output old = node.output(i);
        if (old.element_type() != by[i].element_type()) return false;
        if (!ops::feeds_result(old)) continue;
        for (std::size_t j = 0; j < i; ++j) {
            if (by[j] == by[i] && ops::feeds_result(node.output(j))) return false;
        }
    }
    return true;
}

bool inline_body(Rewriter& rewriter, ops::BodyOp& op, const Graph& body,
                 std::span<const Output> parameters, std::span<const std::size_t> results) {
    Inliner inliner(rewriter, body, parameters);
    std::vector<Output> values;
    std::vector<Output> targets;
    for (const std::size_t result : results) {
        values.push_back(body.results()[result]->input(0));
        targets.push_back(inliner.outside(values.back()));
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
        const bool from_outside = targets[i] != values[i];
        if (from_outside && !rewriter.can_replace(op.output(i), targets[i])) return false;
    }
    if (!can_replace_all(op, targets)) return false;
    inliner.copy_needed_by(values);
    for (std::size_t i = 0; i < results.size(); ++i) {
        rewriter.replace(op.output(i), inliner.outside(values[i]));
    }
    return true;
}

}  // namespace rondo::passes
