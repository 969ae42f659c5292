// The list of frontends that are part of the library.
#include <array>

#include "core/ir/ir.hpp"
#include "core/runtime/frontend.hpp"

#ifdef RONDO_HAS_ONNX
#include "frontend/onnx/onnx.hpp"
#endif

namespace rondo {

std::span<const Frontend> builtin_frontends() {
    static constexpr std::array kFrontends = {
        Frontend{"ir", ir::can_read, ir::read},
#ifdef RONDO_HAS_ONNX
        Frontend{"onnx", onnx::can_read, onnx::read},
#endif
    };
    return kFrontends;
}

}  // namespace rondo
