#include "plugins/cpu/passes/passes.hpp"

#include <set>
#include <string>

namespace rondo::cpu {

bool name_outputs(Graph& graph) {
    bool changed = false;
    for (const auto& result : graph.results()) {
        const Output own = result->output(0), source = result->input(0);
        if (!own.names().empty()) continue;
        own.set_names(source.names().empty() ? std::set<std::string>{source.node().name()}
                                             : source.names());
        changed = true;
    }
    return changed;
}

}  // namespace rondo::cpu
