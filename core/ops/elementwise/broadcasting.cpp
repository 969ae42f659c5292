#include "core/ops/elementwise/broadcasting.hpp"

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

}  // namespace

void Broadcasting::visit_attributes(AttributeVisitor& visitor) {
    visitor.on_enum<AutoBroadcast>("auto_broadcast", auto_broadcast_, kRules);
}

PartialShape Broadcasting::common_shape(const InferContext& context, const PartialShape& a,
                                        const PartialShape& b) const {
    if (auto_broadcast_ == AutoBroadcast::pdpd) {
        context.refuse("auto_broadcast is 'pdpd'; expected 'numpy' or 'none'");
    }
    if (auto_broadcast_ == AutoBroadcast::numpy) return broadcast_shapes(context, a, b);
    const auto common = a.intersect(b);
    if (!common) {
        context.fail("the inputs have shapes " + to_string(a) + " and " + to_string(b) +
                     "; expected equal ones, as auto_broadcast is 'none'");
    }
    return *common;
}

}  // namespace rondo::ops
