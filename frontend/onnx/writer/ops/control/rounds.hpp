// What Loop and Scan have in common: how the ports of an iterated op become theirs.
#pragma once

#include <string>
#include <vector>

#include "core/ops/control/iterated_op.hpp"
#include "frontend/onnx/writer/ops/control/body_draft.hpp"

namespace rondo::onnx {

/// The ports of an iterated op by what they do. Throws UnsupportedError for a part that goes round.
struct Rounds {
    explicit Rounds(const ops::IteratedOp& op);

    std::vector<ops::BodyInput> carried{};
    std::vector<ops::BodyInput> sliced{};
    std::vector<ops::BodyInput> whole{};
    std::vector<ops::BodyOutput> joined{};  ///< results of all iterations, also if the last counts
};

/// Index of the carried value that is that result, or the number of carried values.
std::size_t carried_place(const Rounds& rounds, std::size_t result);

/// The part of a result that an iteration adds to a joined output: without the axis of parts where
/// it has one element there.
std::string stacked_part(BodyDraft& body, const ops::BodyOutput& port);

/// The last of the stacked parts.
std::string last_of_rounds(WriteContext& context, const std::string& stacked);

/// The outputs of the op from those of a node that has the carried values first and then stacked
/// parts, one axis more each in front.
Names outputs_of_rounds(WriteContext& context, const Rounds& rounds, const NewNode& node);

}  // namespace rondo::onnx
