// Runs a layer as its plan says: one function for each strategy.
#pragma once

#include <array>
#include <span>

#include "plugins/cpu/kernels/sequence/sequence_layer.hpp"
#include "plugins/cpu/kernels/sequence/sequence_plan.hpp"
#include "plugins/cpu/kernels/threads/team.hpp"

namespace rondo::cpu {

/// The directions of a layer, and the packed weights of each.
struct BoundLayer {
    std::span<const SequenceLayer> directions;
    std::array<PackedLayer, 2> weights;
};

/// `scratch`: the plan's scratch_bytes on a 64-byte boundary. Allocates nothing, locks nothing.
void run_sequence(const SequencePlan& plan, const BoundLayer& layer, const SequenceArgs& args,
                  Team& team, void* scratch);

}  // namespace rondo::cpu
