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
     "the kernels pack f32 weights, once: they can't read f16 ones yet"},
};

}  // namespace

void run_cpu_passes(Graph& graph) {
    for (const auto& pass : kPasses) {
        if (pass.run(graph)) graph.validate();
    }
}

}  // namespace rondo::cpu
