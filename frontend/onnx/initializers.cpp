#include "frontend/onnx/initializers.hpp"

#include <rondo_onnx.pb.h>

#include "core/graph/same_graph.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

std::string described(const Tensor& value) {
    return std::string(to_string(value.element_type())) + to_string(value.shape());
}

}  // namespace

Initializers::Initializers(const rondo_onnx::GraphProto& graph) {
    for (const auto& tensor : graph.initializer()) values_[tensor.name()];
    for (const auto& tensor : graph.sparse_initializer()) values_[tensor.values().name()];
}

bool Initializers::add(const std::string& name, const Tensor& value) {
    Tensor& known = values_[name];
    if (!known) {
        known = value;
        return true;
    }
    if (same_tensor(known, value)) return false;
    const std::string first = described(known);
    const std::string second = described(value);
    throw ModelError(
        "the tensor '" + name + "' is defined twice, " +
        (first == second ? "with different elements" : "as " + first + " and as " + second));
}

}  // namespace rondo::onnx
