// Binds a segment of a program to shapes: sizes, places in memory, and the calls to make.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plugins/cpu/nodes/common/cpu_node.hpp"
#include "plugins/cpu/plugin/plan/program.hpp"
#include "rondo/shape.hpp"

namespace rondo::cpu {

struct Plan;

/// What a plan is made for, of one input.
struct PlanInput {
    PlanInput(Shape shape, ElementType type = ElementType::dynamic, Tensor value = {})
        : shape(std::move(shape)), type(type), value(std::move(value)) {}

    Shape shape;
    ElementType type;  ///< dynamic: as the graph has it
    Tensor value;      ///< the elements where they are known, else empty
    /// Where the plan serves inputs of several shapes, all of these; `shape` is empty then.
    std::optional<PartialShape> form = {};
};

/// What a plan is made for. The first segment of a program follows from shapes alone; a later one
/// also follows from what the segment before it has computed.
struct PlanKey {
    std::vector<PlanInput> inputs = {};
    /// One for each variable; nothing for one that starts from its init input.
    std::vector<std::optional<Shape>> variables = {};
    /// The segment that this one continues; null for the first.
    std::shared_ptr<const Plan> before = nullptr;
    /// What the cut after that segment read, in the order of SegmentBoundary::reads.
    std::vector<Tensor> values = {};
    /// What its extent steps have found, in the order of their outputs.
    std::vector<Shape> extents = {};
    /// The shapes that its late steps have found, in the order of their outputs.
    std::vector<Shape> found = {};
    /// Whether one segment has all steps: those whose sizes aren't known float.
    bool floats = false;

    friend bool operator==(const PlanKey& a, const PlanKey& b);
};

/// Where a tensor lies.
struct Place {
    /// `variable` is the value before the inference, `next_variable` the one after it; `late` is an
    /// output of a late step; each run finds where a `floating` value lies.
    enum class Base : std::uint8_t {
        none,
        fixed,
        arena,
        input,
        output,
        variable,
        next_variable,
        late,
        floating
    };
    Base base = Base::none;
    std::size_t index = 0;        ///< of the input, output or variable; of all late outputs
    std::size_t offset = 0;       ///< in bytes
    const void* fixed = nullptr;  ///< of a constant

    Place at(std::size_t byte_offset) const { return {base, index, offset + byte_offset, fixed}; }
};

/// What became of a step for these shapes.
enum class StepState : std::uint8_t {
    not_needed,  ///< no result needs it
    known,       ///< its outputs follow from the shapes alone
    view,        ///< its outputs lie in its inputs, or in a variable
    runs,
    open,  ///< its shapes depend on elements that aren't known yet: a later segment settles it
};

/// What a plan says of a step, for profiles and --explain.
struct StepReport {
    std::size_t step = 0;
    StepState state = StepState::not_needed;
    std::string detail;  ///< Call::detail()
    std::string reason;  ///< Call::reason()
};

/// A call and the places of its inputs, then outputs, then scratch in Plan::places.
struct PlannedCall {
    std::size_t step = 0;        ///< of the program
    std::unique_ptr<Call> call;  ///< null for a floating step
    std::size_t first_place = 0;
    std::size_t input_count = 0;
    std::size_t output_count = 0;
};

/// A result whose shape this segment settles, or what a variable becomes.
struct PlannedEnd {
    std::size_t index = 0;  ///< of the result or variable
    TensorInfo info;
};

/// A result or a variable's next value that no call writes in place.
struct FinalCopy {
    Place target;           ///< an output or a next_variable
    std::size_t place = 0;  ///< of Plan::places: where to copy from
    std::size_t bytes = 0;
};

/// Elements that decide the shapes of the next segment.
struct CutRead {
    ValueId value = 0;
    TensorInfo info;
    std::size_t place = 0;  ///< of Plan::places
    std::size_t bytes = 0;
};

/// A step that runs in the next segment, whose extents follow from elements that this one computes.
/// The next segment depends on the extents alone: it reads the elements in each run.
struct ExtentStep {
    std::size_t step = 0;  ///< of the program
    ExtentFinder finder;
    std::vector<ElementType> types;  ///< of its outputs
    std::size_t input_count = 0;
    std::size_t first_place = 0;  ///< of its inputs, in Plan::places
};

/// A step that runs at the end of a segment, and finds the shapes of its outputs.
struct DynamicStep {
    std::size_t step = 0;  ///< of the program
    std::vector<TensorInfo> inputs;
    std::size_t first_place = 0;  ///< of its inputs, in Plan::places
};

/// An input or output of a floating step; a floating one may have no known type, and has no shape.
struct FloatingPort {
    ValueId value = 0;
    bool floats = false;
    TensorInfo info;
};

/// A step that each run binds to the sizes that it finds.
struct FloatingStep {
    std::size_t call = 0;  ///< of Plan::calls
    std::vector<FloatingPort> inputs;
    std::vector<FloatingPort> outputs;
    std::vector<ValueId> last_reads;  ///< floating values that no later step or result reads
};

/// What the floating steps of a plan need besides it.
struct FloatingPart {
    std::vector<FloatingStep> steps;    ///< in the order of their calls
    std::vector<FloatingPort> results;  ///< a result each of the graph: those that float
    std::vector<FloatingPort> inputs;   ///< likewise a parameter each
};

/// Memory of the arena that a later segment reads.
struct KeptBuffer {
    std::size_t offset = 0;
    std::size_t bytes = 0;
};

/// A value that a later segment reads.
struct CarriedValue {
    ValueId value = 0;
    TensorInfo info;
    Place place;
    std::optional<std::size_t> buffer;  ///< the kept one that it lies in, if any
};

/// What the next segment takes over. After the last one nothing is to be read or found.
struct SegmentBoundary {
    std::vector<CutRead> reads;
    std::vector<ExtentStep> extent_steps;
    std::vector<DynamicStep> dynamic_steps;
    std::vector<CarriedValue> values;
    std::vector<KeptBuffer> buffers;
    std::vector<bool> settled_steps;
    std::vector<bool> settled_results;
    std::vector<bool> settled_variables;
    std::size_t end_bytes = 0;       ///< of results, variables and late outputs so far
    std::size_t segments = 1;        ///< up to here
    std::size_t extent_outputs = 0;  ///< of the extent steps
    std::size_t late_outputs = 0;    ///< of all late steps up to here
};

/// Immutable, shared by executors; each has its own arena.
struct Plan {
    PlanKey key;
    std::vector<PlannedCall> calls;
    std::vector<Place> places;
    std::vector<std::size_t> bound_places;  ///< those that the caller or a variable owns
    std::vector<FinalCopy> copies;
    std::vector<PlannedEnd> outputs;
    std::vector<PlannedEnd> next_variables;
    std::size_t arena_bytes = 0;      ///< of all segments up to this one
    std::vector<Tensor> known;        ///< memory that fixed places point to
    std::vector<StepReport> reports;  ///< of each step that is not settled earlier
    FloatingPart floating;
    SegmentBoundary end;

    bool is_last() const {
        return end.reads.empty() && end.extent_steps.empty() && end.dynamic_steps.empty();
    }
};

}  // namespace rondo::cpu
