#include "core/ops/elementwise/binary_elementwise.hpp"

#include <array>
#include <string>
#include <utility>

#include "core/graph/attribute_visitor.hpp"
#include "core/graph/infer_context.hpp"

namespace rondo::ops {
namespace {

// "explicit" is an old name of "none"; the later entry of a value is the one that is written.
constexpr std::array<std::pair<std::string_view, AutoBroadcast>, 4> kRules{{
    {"explicit", AutoBroadcast::none},
    {"none", AutoBroadcast::none},
    {"numpy", AutoBroadcast::numpy},
    {"pdpd", AutoBroadcast::pdpd},
}};

PartialShape equal_shapes(const InferContext& context) {
    const auto common = context.shape(0).intersect(context.shape(1));
    if (!common) {
        context.fail("the inputs have shapes " + to_string(context.shape(0)) + " and " +
                     to_string(context.shape(1)) +
                     "; expected equal ones, as auto_broadcast is 'none'");
    }
    return *common;
}

}  // namespace

void BinaryElementwise::visit_attributes(AttributeVisitor& visitor) {
    visitor.on_enum<AutoBroadcast>("auto_broadcast", auto_broadcast_, kRules);
}

void BinaryElementwise::infer(InferContext& context) const {
    context.check_input_count(2, 2);
    const ElementType type = context.merge_types({0, 1});
    if (type == ElementType::boolean) {
        context.refuse("the inputs are boolean; expected numbers");
    }
    if (auto_broadcast_ == AutoBroadcast::pdpd) {
        context.refuse("auto_broadcast is 'pdpd'; expected 'numpy' or 'none'");
    }
    context.set_output(0, type,
                       auto_broadcast_ == AutoBroadcast::none
                           ? equal_shapes(context)
                           : broadcast_shapes(context, context.shape(0), context.shape(1)));
}

void Divide::visit_attributes(AttributeVisitor& visitor) {
    BinaryElementwise::visit_attributes(visitor);
    visitor.on("m_pythondiv", python_division_);
}

}  // namespace rondo::ops
