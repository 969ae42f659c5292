// What a node gives its op's infer(): types, shapes, known values and extents of its inputs.
#include "core/graph/infer_context.hpp"
#include "core/graph/known_extents.hpp"
#include "core/graph/node.hpp"
#include "core/graph/port_forms.hpp"

namespace rondo {

void Node::check_and_infer(InferContext& context) const {
    const OpTraits facts = traits();
    for (std::size_t i = 0; i < context.input_count(); ++i) {
        const ElementType type = context.type(i);
        const bool is_moved = facts.moves_elements && i < facts.data_inputs;
        if (!is_narrow(type) || facts.takes_narrow_types || is_moved) continue;
        context.refuse("input " + std::to_string(i) + " is " + std::string(to_string(type)) +
                       ", a type that is only stored, moved and converted; expected another, as "
                       "f32 or i8");
    }
    infer(context);
}

void Node::validate() {
    std::vector<InferInput> seen;
    for (const auto& source : inputs_) {
        seen.push_back({source.element_type(), source.shape(), rondo::known_value(source)});
    }
    InferContext context(*this, std::move(seen));
    context.set_extents([this](std::size_t input) { return rondo::known_extents(inputs_[input]); });
    check_and_infer(context);
    check_port_forms(context, type_name());
    validate_bodies(context);
    if (outputs_.size() < context.outputs().size()) outputs_.resize(context.outputs().size());
    for (std::size_t i = 0; i < context.outputs().size(); ++i) {
        outputs_[i].type = context.outputs()[i].type;
        outputs_[i].shape = context.outputs()[i].shape;
    }
}

}  // namespace rondo
