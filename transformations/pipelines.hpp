// Lists the passes in order; nothing else decides order.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/support/limits.hpp"
#include "rondo/core.hpp"
#include "rondo/model.hpp"
#include "transformations/pass/pass_manager.hpp"

namespace rondo::passes {

// What Transforms (core/runtime/transforms.hpp) says of the functions of these names.

void run_portable(Graph& graph, const TransformOptions& options, const Deadline& deadline = {});
void run_make_streaming(Graph& graph, const StreamingOptions& options);
std::vector<LayerQuantization> run_quantize(Graph& graph, const QuantizationOptions& options);

/// What run_portable() runs: the result is the IR that `rondo compile` writes.
std::span<const PassEntry> portable_passes();

/// Their names, in order.
std::vector<std::string> portable_pass_names();

/// What follows them where TransformOptions::reader is "openvino".
std::span<const PassEntry> passes_for_openvino();

// The form in which each portable pass leaves a graph, so that no two undo each other's work.

struct PassForms {
    const char* pass;
    /// What the graph holds in the places that the pass has changed.
    const char* leaves;
    /// What it takes as it is, since other passes leave that.
    const char* accepts;
};

/// In the order of portable_passes(). docs/transformations.md shows them.
std::span<const PassForms> portable_forms();

}  // namespace rondo::passes
