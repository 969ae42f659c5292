#include "transformations/batching/vmap/lifted_body.hpp"

#include <string>

#include "core/ops/source/source_ops.hpp"

namespace rondo::passes {

LiftedBody::LiftedBody(const Graph& body, const Dimension& batch)
    : graph_(body.clone()),
      rewriter_(*graph_),
      lifted_(*graph_, rewriter_, batch),
      parameters_(graph_->parameters()) {}

void LiftedBody::share(std::size_t parameter) {
    const NodePtr& node = parameters_[parameter];
    lifted_.set(node, LiftedValue::all_rows(Output(node, 0)));
}

void LiftedBody::give_rows(std::size_t parameter, const PartialShape& shape) {
    const NodePtr old = parameters_[parameter];
    const auto made = rewriter_.make<ops::Parameter>(old->name(), old->output_type(0), shape);
    parameters_[parameter] = made;
    lifted_.set(old, LiftedValue::rows_apart(Output(made, 0)));
}

std::size_t LiftedBody::count_rows(const Output& rows) {
    const auto made = rewriter_.make<ops::Parameter>("rows", rows.element_type(), rows.shape());
    parameters_.push_back(made);
    lifted_.forms().count_from(Output(made, 0));
    return parameters_.size() - 1;
}

GraphPtr LiftedBody::finish(const std::vector<bool>& has_rows) {
    std::vector<NodePtr> results;
    for (std::size_t i = 0; i < graph_->results().size(); ++i) {
        const Output source = has_rows[i] ? lifted_.forms().apart(value(i)) : value(i).plain;
        results.push_back(rewriter_.make<ops::Result>(graph_->results()[i]->name(), source));
    }
    const std::vector<NodePtr> old = graph_->results();
    graph_->set_ends(parameters_, results, lifted_.sinks());
    lifted_.take_names();
    for (std::size_t i = 0; i < old.size(); ++i) results[i]->set_name(old[i]->name());
    return graph_;
}

}  // namespace rondo::passes
