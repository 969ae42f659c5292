// The list of frontends that are part of the library.
#include <array>

#include "core/ir/ir.hpp"
#include "core/runtime/frontend.hpp"
#include "rondo/version.hpp"

#ifdef RONDO_HAS_ONNX
#include "frontend/onnx/onnx.hpp"
#endif

namespace rondo {
namespace {

void write_ir(const Graph& graph, const std::string& path, ElementType weights) {
    ir::write(graph, path, {weights, RONDO_VERSION});
}

}  // namespace

std::span<const Frontend> builtin_frontends() {
    static constexpr std::array kFrontends = {
        Frontend{"ir", ir::can_read, ir::read, ".xml", write_ir},
#ifdef RONDO_HAS_ONNX
        Frontend{"onnx", onnx::can_read, onnx::read, ".onnx", onnx::write},
#endif
    };
    return kFrontends;
}

}  // namespace rondo
