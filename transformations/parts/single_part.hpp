// Values that are one element of a tensor's axis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/graph/node.hpp"
#include "transformations/parts/axis_part.hpp"

namespace rondo::passes {

/// Element `index` along an axis of known extent, which the value doesn't have.
struct SinglePart {
    Output source;
    std::size_t axis = 0;
    std::int64_t index = 0;
};

/// The element that a part consists of; nothing for a part of more, or of an open extent.
std::optional<SinglePart> element_of(const AxisPart& part);

/// What a Gather of one element, or a view of a part of extent 1, takes of a tensor; nothing for
/// other values. `kept_at`: where the value has an axis of extent 1 in place of the one that was
/// cut; nothing if it has none.
std::optional<SinglePart> single_part(const Output& value, std::optional<std::size_t> kept_at = {});

}  // namespace rondo::passes
