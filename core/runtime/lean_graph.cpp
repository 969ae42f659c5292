#include "core/runtime/lean_graph.hpp"

#include "core/ops/source/source_ops.hpp"
#include "core/support/errors.hpp"

namespace rondo {
namespace {

// In an order that a copy of the graph has as well.
std::vector<std::shared_ptr<ops::Constant>> large_constants(const Graph& graph) {
    std::vector<std::shared_ptr<ops::Constant>> found;
    for_each_graph(graph, [&](const Graph& part) {
        for (const auto& node : part.ordered_nodes()) {
            auto constant = as<ops::Constant>(node);
            if (constant == nullptr || constant->value().byte_size() < kWorthReleasing) continue;
            found.push_back(std::move(constant));
        }
    });
    return found;
}

}  // namespace

bool has_large_constants(const Graph& graph) { return !large_constants(graph).empty(); }

LeanGraph::LeanGraph(const Graph& graph) : graph_(graph.clone()) {
    for (const auto& constant : large_constants(*graph_)) {
        ReloadableTensor value(constant->value());
        if (!value.is_in_file()) continue;
        constant->release();
        released_.push_back(std::move(value));
    }
}

std::shared_ptr<Graph> LeanGraph::load() const {
    auto whole = graph_->clone();
    auto next = released_.begin();
    for (const auto& constant : large_constants(*whole)) {
        check_as_mapped(constant->value());
        if (!constant->is_released()) continue;
        internal_check(next != released_.end(), "a copy of a graph has more constants");
        constant->set_value((next++)->load());
    }
    whole->validate();  // shapes may follow from these values
    return whole;
}

void LeanGraph::drop_pages() const {
    for (const auto& constant : large_constants(*graph_)) rondo::drop_pages(constant->value());
}

}  // namespace rondo
