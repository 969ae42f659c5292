#include "plugins/cpu/passes/cpu_passes.hpp"

#include "plugins/cpu/passes/fold_decompression.hpp"

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
};

}  // namespace

void run_cpu_passes(Graph& graph) {
    for (const auto& pass : kPasses) {
        if (pass.run(graph)) graph.validate();
    }
}

}  // namespace rondo::cpu
