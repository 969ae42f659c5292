// The passes of the CPU device, in order.
#pragma once

#include <span>

#include "core/graph/graph.hpp"
#include "core/support/limits.hpp"
#include "rondo/core.hpp"
#include "transformations/pass/pass_manager.hpp"

namespace rondo::cpu {

std::span<const passes::PassEntry> cpu_passes();

/// Runs them in place; the graph is valid before and after. Nodes that are fused lose their
/// names; the model's outputs keep theirs. Throws as passes::run_passes() does.
void run_cpu_passes(Graph& graph, const TransformOptions& options = {},
                    const Deadline& deadline = {});

/// The options of the environment: RONDO_CPU_STOP_AFTER and RONDO_CPU_DUMP_AFTER name a pass, and
/// the graph after it is logged; at log level debug each pass is logged and checked.
TransformOptions options_of_environment();

/// Turns fused ops back into those of the model, for any device or file. Returns true if the graph
/// changed.
bool expand_all(Graph& graph);

}  // namespace rondo::cpu
