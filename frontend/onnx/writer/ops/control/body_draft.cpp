#include "frontend/onnx/writer/ops/control/body_draft.hpp"

#include <rondo_onnx.pb.h>

#include <algorithm>

namespace rondo::onnx {

std::string BodyDraft::add_input(const std::string& name, ElementType type,
                                 const PartialShape& shape) {
    std::string taken = file_.names.take(name);
    draft_.add_input(taken, type, shape);
    return taken;
}

void BodyDraft::add_parameter(std::size_t index) {
    const Output value = parameter(index);
    set_parameter(index, add_input(value.node().name(), value.element_type(), value.shape()));
}

bool BodyDraft::is_made_here(const std::string& value) {
    const auto& nodes = draft_.message().node();
    return std::any_of(nodes.begin(), nodes.end(), [&](const auto& node) {
        return std::find(node.output().begin(), node.output().end(), value) != node.output().end();
    });
}

void BodyDraft::add_output(const std::string& value, ElementType type, const PartialShape& shape) {
    std::string name = value;
    if (!is_made_here(value) || !outputs_.insert(value).second) {
        name = draft_.emit("Identity", {value});
    }
    draft_.add_output(name, type, shape);
}

void BodyDraft::add_result(std::size_t index) {
    const Output& source = source_of(index);
    add_output(result(index), source.element_type(), source.shape());
}

}  // namespace rondo::onnx
