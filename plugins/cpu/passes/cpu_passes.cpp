#include "plugins/cpu/passes/cpu_passes.hpp"

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

}  // namespace

void run_cpu_passes(Graph& graph) {
    for (const auto& pass : kPasses) {
        if (pass.run(graph)) graph.validate();
    }
}

}  // namespace rondo::cpu
