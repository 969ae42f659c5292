#include "frontend/onnx/messages/origins.hpp"

#include <rondo_onnx.pb.h>

#include "core/ops/source/source_ops.hpp"

namespace rondo::onnx {
namespace {

using Kind = NodeOrigin::Kind;

NodeOriginPtr make_origin(Kind kind, const std::string& name, std::string_view type) {
    return std::make_shared<NodeOrigin>(NodeOrigin{kind, name, std::string(type)});
}

}  // namespace

NodeOriginPtr node_origin(const rondo_onnx::NodeProto& node, const std::string& shown_name) {
    if (!node.name().empty()) return make_origin(Kind::node, node.name(), node.op_type());
    for (const std::string& output : node.output()) {
        if (!output.empty()) return make_origin(Kind::node_of, output, node.op_type());
    }
    return make_origin(Kind::node, shown_name, node.op_type());
}

NodeOriginPtr input_origin(const std::string& name) {
    return make_origin(Kind::input, name, ops::Parameter::kType.name);
}

NodeOriginPtr output_origin(const std::string& name) {
    return make_origin(Kind::output, name, ops::Result::kType.name);
}

NodeOriginPtr tensor_origin(const std::string& name) {
    return make_origin(Kind::tensor, name, ops::Constant::kType.name);
}

}  // namespace rondo::onnx
