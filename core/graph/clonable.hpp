// What Clonable gives an op class, for the files that instantiate it.
#pragma once

#include <utility>
#include <vector>

#include "core/graph/node.hpp"

namespace rondo {

template <typename Derived, typename Base>
NodePtr Clonable<Derived, Base>::clone_with(std::vector<Output> inputs) const {
    auto copy = new_node<Derived>(static_cast<const Derived&>(*this));
    copy->set_inputs(std::move(inputs));
    copy->validate();
    return copy;
}

template <typename Derived, typename Base>
void Clonable<Derived, Base>::read_attributes(AttributeReader& reader) {
    Derived::visit_attributes(static_cast<Derived&>(*this), reader);
}

template <typename Derived, typename Base>
void Clonable<Derived, Base>::write_attributes(AttributeWriter& writer) const {
    Derived::visit_attributes(static_cast<const Derived&>(*this), writer);
}

}  // namespace rondo
