// Compiles the bodies of nodes to programs that run in their node's scratch memory.
#pragma once

#include <memory>

#include "plugins/cpu/nodes/common/body.hpp"
#include "plugins/cpu/plugin/plan/program.hpp"

namespace rondo::cpu {

/// `context` and how the bodies of nodes are compiled in it; `threads` of one inference.
CompileContext compile_context(CompileContext context, int threads,
                               const CompileLimits& limits = {});

/// Throws UnsupportedError naming the first node that can't run here.
std::unique_ptr<Body> make_body_program(const GraphPtr& graph, const CompileContext& context,
                                        int threads, const CompileLimits& limits = {});

}  // namespace rondo::cpu
