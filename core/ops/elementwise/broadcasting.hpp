// What the elementwise ops of two tensors have in common: how their shapes become one.
#pragma once

#include <cstdint>

#include "core/graph/node.hpp"

namespace rondo::ops {

/// How two shapes become one: `none` wants equal shapes, `numpy` aligns them at their last axes.
/// `pdpd` is known by name only, and refused.
enum class AutoBroadcast : std::uint8_t { none, numpy, pdpd };
/// "explicit" is an old name of "none"; the last name of a rule is the one that is written.
inline constexpr std::pair<std::string_view, AutoBroadcast> kAutoBroadcasts[] = {
    {"explicit", AutoBroadcast::none},
    {"none", AutoBroadcast::none},
    {"numpy", AutoBroadcast::numpy},
    {"pdpd", AutoBroadcast::pdpd},
};

/// Base of Binary, Compare, Logical and Select.
class Broadcasting : public Node {
public:
    AutoBroadcast auto_broadcast() const { return auto_broadcast_; }
    void set_auto_broadcast(AutoBroadcast rule) { auto_broadcast_ = rule; }

    OpTraits traits() const override { return OpTraits::elementwise_op(); }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on_enum("auto_broadcast", self.auto_broadcast_, kAutoBroadcasts);
    }

protected:
    /// The common shape of two shapes; throws through `context` if they don't fit.
    PartialShape common_shape(const InferContext& context, const PartialShape& a,
                              const PartialShape& b) const;

private:
    AutoBroadcast auto_broadcast_ = AutoBroadcast::numpy;
};

}  // namespace rondo::ops
