#include "frontend/onnx/ops/common/composer.hpp"

#include "core/ops/source/constant.hpp"

namespace rondo::onnx {

void Composer::adopt(const NodePtr& node) {
    if (const auto constant = as<ops::Constant>(node)) {
        context_.finish(constant, role());
    } else {
        context_.finish(node, role());
    }
}

Output Composer::result(const Output& value) {
    const bool is_own = value.node().name().starts_with(context_.name() + "/part_");
    return is_own ? Output(context_.finish(value.node_ptr(), ""), value.index()) : value;
}

}  // namespace rondo::onnx
