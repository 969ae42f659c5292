// The list of frontends that are part of the library.
#include <array>

#include "core/ir/ir.hpp"
#include "core/runtime/frontend.hpp"
#include "rondo/error.hpp"
#include "rondo/version.hpp"

#ifdef RONDO_HAS_ONNX
#include "frontend/onnx/onnx.hpp"
#endif

namespace rondo {
namespace {

void write_ir(const Graph& graph, const std::string& path, const SaveOptions& options) {
    if (options.external_data) {
        throw ModelError(path + ": external data is for ONNX; an IR has its weights beside it");
    }
    ir::write(graph, path, {options.weights, RONDO_VERSION});
}

#ifdef RONDO_HAS_ONNX
void write_onnx(const Graph& graph, const std::string& path, const SaveOptions& options) {
    onnx::write(graph, path, options);
}
#endif

}  // namespace

std::span<const Frontend> builtin_frontends() {
    static constexpr std::array kFrontends = {
        Frontend{"ir", ir::can_read, ir::read, nullptr, ".xml", write_ir},
#ifdef RONDO_HAS_ONNX
        Frontend{"onnx", onnx::can_read, onnx::read, onnx::query, ".onnx", write_onnx},
#endif
    };
    return kFrontends;
}

}  // namespace rondo
