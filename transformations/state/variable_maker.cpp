#include "transformations/state/variable_maker.hpp"

#include "core/ops/state/variables.hpp"

namespace rondo::passes {

VariableMaker::VariableMaker(Graph& graph) : graph_(graph), rewriter_(graph) {
    for (const auto& sink : graph.sinks()) {
        if (const auto assign = as<ops::AssignBase>(sink)) ids_.insert(assign->variable_id());
    }
}

void VariableMaker::add(Node& node, std::size_t port, const Variable& variable) {
    const std::string id = ids_.take(variable.id);
    const ElementType type = node.input(port).element_type();
    const auto read = rewriter_.make<ops::ReadValue>(id, variable.init, id, type, variable.shape);
    node.set_input(port, read);
    assigns_.push_back(rewriter_.make<ops::Assign>(id + "/assign", variable.next, id));
}

bool VariableMaker::finish() {
    if (assigns_.empty()) return false;
    auto sinks = graph_.sinks();
    sinks.insert(sinks.end(), assigns_.begin(), assigns_.end());
    graph_.set_ends(graph_.parameters(), graph_.results(), std::move(sinks));
    graph_.validate();
    return true;
}

}  // namespace rondo::passes
