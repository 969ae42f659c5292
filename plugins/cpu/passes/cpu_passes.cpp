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
     "after stack_sequences, which joins plain sequences and would not recognise an ordered one"},
};

// An output of the model is called after what it reads, or, where that has no name, after its
// producer. Passes may join either with others, so each output gets these names for itself.
void name_outputs(const Graph& graph) {
    for (const auto& result : graph.results()) {
        const Output own = result->output(0), source = result->input(0);
        if (!own.names().empty()) continue;
        own.set_names(source.names().empty() ? std::set<std::string>{source.node().name()}
                                             : source.names());
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
