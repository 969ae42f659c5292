// Repeats a tensor along axes of extent 1 and along new ones.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/graph/node.hpp"

namespace rondo::ops {

/// numpy: data's axes meet the target's last ones; each fits or is 1, and the output has the
/// target's shape. bidirectional: the target's extents may be 1 where data's aren't.
/// explicit_axes ("explicit"): axes_mapping says for each axis of data, in growing order, which of
/// the target's it is.
enum class BroadcastMode : std::uint8_t { numpy, explicit_axes, bidirectional };
/// If a mode has two names, the last one is written.
inline constexpr std::pair<std::string_view, BroadcastMode> kBroadcastModes[] = {
    {"none", BroadcastMode::explicit_axes},
    {"explicit", BroadcastMode::explicit_axes},
    {"numpy", BroadcastMode::numpy},
    {"bidirectional", BroadcastMode::bidirectional},
};

/// Inputs: data; target, an integer vector: the new shape; axes_mapping, likewise (explicit only;
/// the other modes don't look at it).
class Broadcast final : public Op<Broadcast> {
public:
    static constexpr OpType kType{"Broadcast", 3};
    /// The older form with the modes numpy and explicit, also called none: reading one makes this
    /// op, which means the same.
    static constexpr OpType kOpset1{"Broadcast", 1};

    Broadcast() = default;
    Broadcast(const Output& data, const Output& target, BroadcastMode mode = BroadcastMode::numpy)
        : Op({data, target}), mode_(mode) {}
    Broadcast(const Output& data, const Output& target, const Output& axes_mapping)
        : Op({data, target, axes_mapping}), mode_(BroadcastMode::explicit_axes) {}

    BroadcastMode mode() const { return mode_; }

    OpTraits traits() const override { return OpTraits::movement_op(); }
    static void visit_attributes(auto& self, auto& visitor) {
        visitor.on_enum("mode", self.mode_, kBroadcastModes);
    }
    void infer(InferContext& context) const override;

private:
    BroadcastMode mode_ = BroadcastMode::numpy;
};

/// For each axis of data, whose rank must be known, the axis of an output of rank `rank` that it
/// becomes; nothing while axes_mapping isn't known. Throws through `context` where they don't fit.
std::optional<std::vector<std::size_t>> broadcast_axes(const InferContext& context,
                                                       BroadcastMode mode, std::size_t rank);

}  // namespace rondo::ops
