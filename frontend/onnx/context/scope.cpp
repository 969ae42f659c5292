#include "frontend/onnx/context/scope.hpp"

#include <algorithm>

#include "core/ops/source/source_ops.hpp"
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
    if (const Sequence* sequence = find_sequence(outer)) {
        std::vector<Output> inputs;
        for (const Output& input : sequence->inputs()) inputs.push_back(capture(input));
        return make_node<Sequence>(std::move(inputs), sequence->form());
    }
    const auto known = std::find_if(captures_.begin(), captures_.end(),
                                    [&](const Capture& one) { return one.outer == outer; });
    if (known != captures_.end()) return known->parameter;
    const auto parameter = make_node<ops::Parameter>(outer.element_type(), outer.shape());
    parameter->set_name(names_->take(outer.node().name()));
    parameter->set_origin(origin_to_share(outer.node()));
    captures_.push_back({outer, parameter});
    return parameter;
}

}  // namespace rondo::onnx
