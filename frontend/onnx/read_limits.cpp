#include "frontend/onnx/read_limits.hpp"

#include <string>

#include "core/support/limits.hpp"
#include "rondo/error.hpp"
#include "rondo/properties.hpp"

namespace rondo::onnx {
namespace {

constexpr std::size_t kMaxBodiesRead = 100'000;

}  // namespace

Depth ReadLimits::enter_body(Depth around, bool loops) {
    ++around.bodies;
    around.loops += loops ? 1 : 0;
    check_nesting(around.bodies, around.loops, limits_);
    if (++bodies_ > kMaxBodiesRead) {
        throw UnsupportedError("loops in each other change too often; Rondo reads " +
                               std::to_string(kMaxBodiesRead) + " bodies of a model");
    }
    return around;
}

void ReadLimits::check_time(const std::string& node) const {
    deadline_.check([&] { return "before node '" + node + "'"; });
}

void ReadLimits::count_inlined(std::size_t nodes, const Depth& depth) {
    inlined_nodes_ += nodes;
    if (depth.calls > limits_.depth) {
        throw UnsupportedError("functions call each other too deep; " +
                               limit_text(limits_.depth, property::kMaxDepth));
    }
    if (inlined_nodes_ <= limits_.nodes) return;
    throw UnsupportedError("functions call each other too often: more than " +
                           std::to_string(limits_.nodes) + " nodes; " +
                           limit_text(limits_.nodes, property::kMaxNodes));
}

}  // namespace rondo::onnx
