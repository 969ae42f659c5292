// The first phase of planning: every tensor's shape, and the values that follow from shapes alone.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "plugins/cpu/plugin/plan/plan.hpp"

namespace rondo::cpu {

/// What a walk finds out about a step.
enum class StepShapes : std::uint8_t {
    settled,   ///< an earlier segment has dealt with it
    open,      ///< some output's shape depends on elements that aren't known
    late,      ///< its inputs are shaped, and only its run finds the shapes of its outputs
    floating,  ///< each run finds the shapes of its inputs or outputs
    shaped,
    known,  ///< shaped, and all of its outputs have a value
};

/// An input of a step that decides what its outputs leave open.
struct MissingValue {
    std::size_t step = 0;
    ValueId value = 0;
};

/// An open step whose extents are found at the end of the segment.
struct OpenExtents {
    std::size_t step = 0;
    ExtentFinder finder;
    std::vector<ElementType> types;  ///< of its outputs
};

/// What is known of a value whose shape each run finds.
struct FloatingForm {
    ElementType type = ElementType::dynamic;
    PartialShape shape;
};

/// What is known of each of the program's values and steps.
struct ShapeWalk {
    std::vector<TensorInfo> values;
    std::vector<bool> shaped;  ///< a value each: its shape is known and so are its elements in time
    std::vector<std::optional<FloatingForm>> floating;  ///< a value each: those that aren't shaped
    std::vector<StepShapes> steps;
    /// All that the open steps whose inputs are shaped wait for, and that isn't among `extents`.
    std::vector<MissingValue> missing;
    std::vector<OpenExtents> extents;
};

/// Goes on where the segment before it stopped, or from the program's start. Throws ModelError
/// naming the node whose shapes don't fit.
ShapeWalk walk_shapes(const Program& program, const PlanKey& key);

/// The floating steps among the plan's calls, and the floating inputs and results of the program.
FloatingPart floating_part(const Program& program, const ShapeWalk& walk, const Plan& plan);

}  // namespace rondo::cpu
