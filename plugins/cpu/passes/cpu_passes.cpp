#include "plugins/cpu/passes/cpu_passes.hpp"

#include <set>
#include <string>

#include "plugins/cpu/passes/fold_decompression.hpp"
#include "plugins/cpu/passes/order_sequences.hpp"
#include "plugins/cpu/passes/stack_sequences.hpp"

namespace rondo::cpu {
namespace {

struct Entry {
    const char* name;
    bool (*run)(Graph&);
    const char* reason;
};

constexpr Entry kPasses[] = {
    {"fold_decompression", fold_decompression,
     "products and elementwise kernels take f32 constants only; recurrent layers take any"},
    {"stack_sequences", stack_sequences,
     "after fold_decompression, which looks at who reads the weights: joined layers hold their "
     "own"},
    {"order_sequences", order_sequences,
     "after stack_sequences, which looks for sequences, each of which it may still join"},
};

// An output without a name is called after its producer, which a pass may join with others.
void name_outputs(const Graph& graph) {
    std::set<std::string> given;
    for (const auto& result : graph.results()) {
        const Output source = result->input(0);
        if (!result->output(0).names().empty() || !source.names().empty()) continue;
        const std::string& name = source.node().name();
        if (given.insert(name).second) source.add_names({name});
    }
}

}  // namespace

void run_cpu_passes(Graph& graph) {
    name_outputs(graph);
    for (const auto& pass : kPasses) {
        if (pass.run(graph)) graph.validate();
    }
}

}  // namespace rondo::cpu
