// The last phase of planning: where each tensor lies.
#pragma once

#include <vector>

#include "plugins/cpu/plugin/plan/buffers.hpp"

namespace rondo::cpu {

/// What the places of one segment follow from.
struct PlaceInputs {
    const Program& program;
    const PlanKey& key;
    const ShapeWalk& walk;
    const PreparedCalls& prepared;
    const Buffers& buffers;
    const MemoryLayout& layout;  ///< of the buffers
};

/// Answers for one value after the other.
class PlaceFinder {
public:
    explicit PlaceFinder(const PlaceInputs& inputs);

    /// Throws InternalError for a value that nothing computes.
    Place place_of(ValueId id);
    Place place_of_scratch(std::size_t call) const;
    /// The kept or new buffer that the value lies in, if it lies in the arena.
    std::optional<std::size_t> buffer_of(ValueId id) const;

    /// The memory that the fixed places so far point to.
    std::vector<Tensor> take_known() { return std::move(known_); }

private:
    void place_found(const OpenEnd& end);
    Place place_of_buffer(std::size_t buffer) const;

    PlaceInputs in_;
    std::vector<Place> given_;  // a value each: from outside, or from an earlier segment
    std::vector<Tensor> known_;
};

/// The lifetimes of the buffers, without those that have a target outside of the arena.
std::vector<Lifetime> lifetimes_of(const Buffers& buffers);

}  // namespace rondo::cpu
