#include "frontend/onnx/context/scope.hpp"

#include <algorithm>

#include "core/ops/source/constant.hpp"
#include "core/ops/source/parameter.hpp"
#include "frontend/onnx/context/sequence.hpp"
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

Output Scope::find(const std::string& name) {
    if (const auto at = index_.find(name); at != index_.end()) return values_[at->second];
    if (outer_ == nullptr) return {};
    if (const auto at = captured_.find(name); at != captured_.end()) return at->second;
    const Output outer = outer_->find(name);
    return outer ? captured_.emplace(name, capture(outer)).first->second : Output();
}

bool Scope::is_refused(const std::string& name) const {
    if (refused_.contains(name)) return true;
    return outer_ != nullptr && !index_.contains(name) && outer_->is_refused(name);
}

Output Scope::capture(const Output& outer) {
    if (const auto constant = as<ops::Constant>(outer)) {
        const auto own = make_node<ops::Constant>(constant->value());
        own->set_name(names_->take(constant->name()));
        own->set_origin(origin_to_share(*constant));
        return own;
    }
    if (!is_tensor(outer)) return capture_sequence(outer);
    const auto known = std::find_if(captures_.begin(), captures_.end(),
                                    [&](const Capture& one) { return one.outer == outer; });
    if (known != captures_.end()) return known->parameter;
    const auto parameter = make_node<ops::Parameter>(outer.element_type(), outer.shape());
    parameter->set_name(names_->take(outer.node().name()));
    parameter->set_origin(origin_to_share(outer.node()));
    captures_.push_back({outer, parameter});
    return parameter;
}

Output Scope::capture_sequence(const Output& outer) {
    std::vector<Output> tensors;
    for (const Output& tensor : outer.node().inputs()) tensors.push_back(capture(tensor));
    if (const auto sequence = as<Sequence>(outer)) {
        if (tensors.empty()) return make_node<Sequence>(sequence->element_type());
        return make_node<Sequence>(std::move(tensors));
    }
    if (as<Rows>(outer)) return make_node<Rows>(tensors[0]);
    if (const auto joined = as<Joined>(outer)) {
        return make_node<Joined>(tensors[0], joined->axis(), joined->list());
    }
    if (const auto list = as<Growing>(outer)) {
        return make_node<Growing>(list->list(), list->counts(), std::move(tensors));
    }
    return make_node<EmptyOptional>();
}

}  // namespace rondo::onnx
