#include "frontend/onnx/scope.hpp"

#include "rondo/error.hpp"

namespace rondo::onnx {

Scope::~Scope() {
    while (!values_.empty()) values_.pop_back();
}

void Scope::define(const std::string& name, const Output& value) {
    if (name.empty()) throw ModelError("a tensor has no name");
    if (!index_.emplace(name, values_.size()).second) {
        throw ModelError("the tensor '" + name + "' is defined twice");
    }
    values_.push_back(value);
}

Output Scope::find(const std::string& name) const {
    const auto at = index_.find(name);
    return at == index_.end() ? Output() : values_[at->second];
}

}  // namespace rondo::onnx
