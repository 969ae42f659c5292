#include "frontend/onnx/read_limits.hpp"

#include <string>

#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr int kMaxBodies = 24;
constexpr int kMaxLoops = 6;
constexpr int kMaxCalls = 24;
constexpr std::size_t kMaxInlinedNodes = 200'000;
constexpr std::size_t kMaxBodiesRead = 100'000;

}  // namespace

Depth ReadLimits::enter_body(Depth around, bool loops) {
    ++around.bodies;
    around.loops += loops ? 1 : 0;
    if (around.bodies > kMaxBodies || around.loops > kMaxLoops) {
        throw UnsupportedError("bodies are nested too deep; Rondo reads " +
                               std::to_string(kMaxBodies) + " in each other, of which " +
                               std::to_string(kMaxLoops) + " may be loops");
    }
    if (++bodies_ > kMaxBodiesRead) {
        throw UnsupportedError("loops in each other change too often; Rondo reads " +
                               std::to_string(kMaxBodiesRead) + " bodies of a model");
    }
    return around;
}

void ReadLimits::count_inlined(int nodes, const Depth& depth) {
    inlined_nodes_ += static_cast<std::size_t>(nodes);
    if (depth.calls <= kMaxCalls && inlined_nodes_ <= kMaxInlinedNodes) return;
    throw UnsupportedError("functions call each other too deep or too often; Rondo reads " +
                           std::to_string(kMaxCalls) + " calls in each other and " +
                           std::to_string(kMaxInlinedNodes) + " nodes of functions");
}

}  // namespace rondo::onnx
