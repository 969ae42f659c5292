#include "plugins/cpu/passes/cpu_passes.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/support/log.hpp"
#include "core/support/process.hpp"
#include "core/support/strings.hpp"
#include "plugins/cpu/passes/passes.hpp"
#include "rondo/error.hpp"
#include "rondo/nearest_name.hpp"
#include "transformations/pass/pass_manager.hpp"
#include "transformations/recurrent/passes.hpp"

namespace rondo::cpu {
namespace {

constexpr passes::PassEntry kPasses[] = {
    {"name_outputs", name_outputs,
     "first: the other passes join nodes, whose names the model's outputs keep",
     passes::kOutsideOfBodies},
    {"hoist_from_loops", hoist_from_loops,
     "before the passes that fuse, which then find whole products in front of the loop"},
    {"loops_to_sequences", passes::loops_to_sequences,
     "after hoist_from_loops: a step that did something to its input may be a plain cell now"},
    {"remove_copy_loops", passes::remove_copy_loops,
     "after hoist_from_loops, which may leave nothing to compute in a loop"},
    {"keep_int8_weights", keep_int8_weights,
     "before fold_decompression, which would widen all integers"},
    {"hold_compressed_matrices", hold_compressed_matrices,
     "likewise; fuse_bias then takes them as it takes constants"},
    {"fold_decompression", fold_decompression,
     "products and elementwise kernels take f32 constants only; recurrent layers take any",
     passes::kOutsideOfBodies},
    {"stack_sequences", stack_sequences,
     "after fold_decompression, which looks at the readers of the weights: joined layers hold "
     "their own"},
    {"fuse_transposes", fuse_transposes,
     "after stack_sequences, which joins plain sequences and would not recognise an ordered one"},
    {"drop_default_inputs", drop_default_inputs,
     "after stack_sequences and fuse_transposes, which look for plain sequences"},
    {"read_stored_weights", read_stored_weights,
     "after the passes that join layers, which look for the Converts of their weights"},
    {"convolve_bytes", convolve_bytes,
     "after fold_decompression, which makes the filters constants; before fuse_epilogues, which "
     "joins products of bytes with what follows"},
    {"fuse_bias", fuse_bias, "after fold_decompression, which makes the biases constants"},
    {"fuse_normalisation", fuse_normalisation,
     "before fuse_elementwise, which would join the parts of a normalisation with others"},
    {"fuse_elementwise", fuse_elementwise,
     "after fuse_bias, which leaves it the sums that a product doesn't take"},
    {"fuse_epilogues", fuse_epilogues,
     "after fuse_elementwise, which joins all that follows a product into one op"},
    {"fuse_prologues", fuse_prologues,
     "after fuse_epilogues: what stands between a product and a reduction goes with the product"},
};

std::string pass_of(const char* variable) {
    const auto name = env(variable);
    if (!name) return {};
    std::vector<std::string> names;
    for (const auto& pass : kPasses) names.emplace_back(pass.name);
    if (std::find(names.begin(), names.end(), *name) == names.end()) {
        throw ModelError("environment variable " + std::string(variable) + " is '" + *name +
                         "', but the CPU device has no such pass; " + known_names(*name, names));
    }
    return *name;
}

}  // namespace

std::span<const passes::PassEntry> cpu_passes() { return kPasses; }

void run_cpu_passes(Graph& graph, const TransformOptions& options, const Deadline& deadline) {
    passes::run_passes(graph, kPasses, options, deadline);
}

TransformOptions options_of_environment() {
    TransformOptions options;
    options.stop_after = pass_of("RONDO_CPU_STOP_AFTER");
    options.dump_after = pass_of("RONDO_CPU_DUMP_AFTER");
    const auto write = [](const std::string& text) { log(LogLevel::debug, "cpu: " + text); };
    if (log_enabled(LogLevel::debug)) {
        options.print = options.dump = write;
        options.validate = true;
    }
    return options;
}

bool expand_all(Graph& graph) {
    bool changed = false;
    for_each_graph(graph, [&](Graph& part) {
        const bool fused = expand_fused(part);
        if (fused) part.validate();
        const bool joined = expand_sequences(part);
        if (joined) {
            expand_fused(part);  // the weights of the layers
            part.validate();
        }
        changed = changed || fused || joined;
    });
    return changed;
}

}  // namespace rondo::cpu
