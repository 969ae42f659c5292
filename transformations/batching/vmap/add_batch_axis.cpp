#include "transformations/batching/vmap/add_batch_axis.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/ops/control/control_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "core/runtime/transforms.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "transformations/batching/vmap/lift_graph.hpp"
#include "transformations/pass/node_roles.hpp"
#include "transformations/simplify/passes.hpp"

namespace rondo::passes {
namespace {

enum class Shared : std::uint8_t { nothing, scalars, single_elements };

bool is_shared(const PartialShape& shape, Shared shared) {
    if (shared == Shared::nothing || !shape.is_static()) return false;
    if (shared == Shared::scalars) return shape.rank() == 0;
    return element_count(shape.to_shape()) == 1;
}

// The ends of a graph that has a batch axis, made from those of one that has none.
class Ends {
public:
    Ends(Graph& graph, const Dimension& batch, Shared shared)
        : graph_(graph), rewriter_(graph), lifted_(graph, rewriter_, batch) {
        for (const auto& parameter : graph.parameters()) add_parameter(parameter, batch, shared);
        if (!has_rows_) throw UnsupportedError("no batch axis can be added: no input has rows");
        lifted_.run();
        for (const auto& result : graph.results()) add_result(*result);
    }

    // The graph of before falls away.
    void put_into_graph() {
        const std::vector<NodePtr> old_results = graph_.results();
        const std::vector<NodePtr> old_parameters = graph_.parameters();
        graph_.set_ends(parameters_, results_, lifted_.sinks());
        lifted_.take_names();
        for (std::size_t i = 0; i < results_.size(); ++i) {
            results_[i]->set_name(old_results[i]->name());
            results_[i]->rt_info() = old_results[i]->rt_info();
            move_time_axis(*results_[i]);
        }
        graph_.validate();
        ops::variables_of(graph_);  // they must agree in shape
    }

private:
    void add_parameter(const NodePtr& old, const Dimension& batch, Shared shared) {
        const PartialShape& shape = old->output_shape(0);
        if (!shape.has_rank()) {
            throw UnsupportedError("no batch axis can be added: " + describe(*old) +
                                   ": the number of its axes isn't known");
        }
        if (is_shared(shape, shared)) {
            parameters_.push_back(old);
            lifted_.set(old, LiftedValue::all_rows(Output(old, 0)));
            return;
        }
        has_rows_ = true;
        const auto made = rewriter_.make<ops::Parameter>(old->name(), old->output_type(0),
                                                         with_batch(batch, shape));
        Output(made, 0).set_names(Output(old, 0).names());
        parameters_.push_back(made);
        lifted_.set(old, LiftedValue::rows_apart(Output(made, 0)));
    }

    void add_result(const Node& old) {
        const Output& source = old.input(0);
        Output rows = lifted_.forms().apart(lifted_.value(source));
        const bool was_input = is_parameter(source);
        const bool is_taken = (is_parameter(rows) && !was_input) ||
                              (!was_input && !taken_.insert({&rows.node(), rows.index()}).second);
        if (is_taken) rows = copy_of(rows, source.node().name());
        if (!is_parameter(rows)) rows.set_names(source.names());
        lifted_.name_first(source.node_ptr(), rows.node_ptr());
        results_.push_back(rewriter_.make<ops::Result>(old.name(), rows));
    }

    // A port of its own, so that an output's names stay apart from those of others.
    Output copy_of(const Output& value, const std::string& name) {
        const std::vector<std::int64_t> same(value.shape().rank(), 0);
        return rewriter_.make<ops::Reshape>(name, value, rewriter_.make_ints(name + "/same", same),
                                            true);
    }

    Graph& graph_;
    Rewriter rewriter_;
    LiftedGraph lifted_;
    bool has_rows_ = false;
    std::vector<NodePtr> parameters_;
    std::vector<NodePtr> results_;
    std::set<std::pair<const Node*, std::size_t>> taken_;
};

void check_random(const Graph& graph) {
    for_each_graph(graph, [](const Graph& part) {
        for (const auto& node : part.ordered_nodes()) {
            if (!node->traits().random) continue;
            throw UnsupportedError("no batch axis can be added: " + describe(*node) +
                                   ": it draws other numbers for several rows");
        }
    });
}

std::shared_ptr<Graph> lifted(const Graph& graph, const Dimension& batch, Shared shared) {
    auto copy = graph.clone();
    for_each_graph(*copy, [](Graph& part) { scatter_to_concat(part); });
    copy->validate();
    simplify_extents(*copy);  // what only shapes are read of must not keep others from being fused
    Ends(*copy, batch, shared).put_into_graph();
    return copy;
}

// Scalars are shared, and where they are in the way other inputs of one element, too.
std::shared_ptr<Graph> lifted_somehow(const Graph& graph, const Dimension& batch) {
    const auto& parameters = graph.parameters();
    const auto count = [&](Shared shared) {
        return std::count_if(parameters.begin(), parameters.end(), [&](const NodePtr& parameter) {
            return is_shared(parameter->output_shape(0), shared);
        });
    };
    const auto all = static_cast<std::ptrdiff_t>(parameters.size());
    const Shared first = count(Shared::scalars) == all ? Shared::nothing : Shared::scalars;
    try {
        return lifted(graph, batch, first);
    } catch (const UnsupportedError&) {
        const auto single = count(Shared::single_elements);
        if (single == all || single == count(first)) throw;
        try {
            return lifted(graph, batch, Shared::single_elements);
        } catch (const UnsupportedError&) {  // the first reason counts
        }
        throw;
    }
}

bool has_loops(const Graph& graph) {
    bool found = false;
    for_each_graph(graph, [&](const Graph& part) {
        for (const auto& node : part.ordered_nodes()) {
            found = found || as_op<ops::IteratedOp>(*node) != nullptr;
        }
    });
    return found;
}

// As the graph is, or as the portable passes leave it, which settle shapes and branches. Those come
// first where they may make layers of loops, as they don't from loops over merged rows.
std::shared_ptr<Graph> lifted_at_all(const Graph& graph, const Dimension& batch) {
    const auto portable = [&] {
        const auto copy = graph.clone();
        run_portable_passes(*copy, {});
        return lifted_somehow(*copy, batch);
    };
    const bool loops = has_loops(graph);
    try {
        return loops ? portable() : lifted_somehow(graph, batch);
    } catch (const UnsupportedError&) {
        try {
            return loops ? lifted_somehow(graph, batch) : portable();
        } catch (const UnsupportedError&) {  // the first reason counts
        }
        throw;
    }
}

}  // namespace

void add_batch_axis(Graph& graph, const Dimension& batch) {
    if (batch.max() < 1) throw ModelError("a batch axis needs at least one row");
    check_random(graph);
    graph.take(*lifted_at_all(graph, batch));
}

}  // namespace rondo::passes
