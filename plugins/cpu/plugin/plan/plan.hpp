// A program bound to input shapes: sizes, places in memory, and the calls to make.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "plugins/cpu/nodes/common/cpu_node.hpp"
#include "plugins/cpu/plugin/plan/program.hpp"
#include "rondo/shape.hpp"

namespace rondo::cpu {

/// What a plan is made for.
struct PlanKey {
    std::vector<Shape> inputs;
    /// Of the variables; nothing for one that starts from its init input.
    std::vector<std::optional<Shape>> variables;
    friend bool operator==(const PlanKey&, const PlanKey&) = default;
};

/// Where a tensor lies.
struct Place {
    /// `variable` is the value before the inference, `next_variable` the one after it.
    enum class Base : std::uint8_t { none, fixed, arena, input, output, variable, next_variable };
    Base base = Base::none;
    std::size_t index = 0;        ///< of the input, output or variable
    std::size_t offset = 0;       ///< in bytes
    const void* fixed = nullptr;  ///< of a constant
};

/// What became of a step for these shapes.
enum class StepState : std::uint8_t {
    not_needed,  ///< no result needs it any more
    known,       ///< its outputs follow from the shapes alone
    view,        ///< its outputs lie in its inputs, or in a variable
    runs,
};

/// A call and the places of its inputs, then outputs, then scratch in Plan::places.
struct PlannedCall {
    std::size_t step = 0;  ///< of the program
    std::unique_ptr<Call> call;
    std::size_t first_place = 0;
    std::size_t input_count = 0;
    std::size_t output_count = 0;
};

/// A result or a variable's next value that no call writes in place.
struct FinalCopy {
    Place target;           ///< an output or a next_variable
    std::size_t place = 0;  ///< of Plan::places: where to copy from
    std::size_t bytes = 0;
};

/// Immutable, shared by executors; each has its own arena.
struct Plan {
    PlanKey key;
    /// Some shape depends on elements: the executor infers and allocates as it goes, and what
    /// follows is empty.
    bool interleaved = false;

    std::vector<PlannedCall> calls;
    std::vector<Place> places;
    std::vector<std::size_t> bound_places;  ///< those that the caller or a variable owns
    std::vector<FinalCopy> copies;
    std::vector<TensorInfo> outputs;         ///< a result each
    std::vector<TensorInfo> next_variables;  ///< a variable each: what it becomes
    std::size_t arena_bytes = 0;
    std::vector<Tensor> known;         ///< memory that fixed places point to
    std::vector<StepState> states;     ///< a step each
    std::vector<std::string> details;  ///< Call::detail() a step each, for profiles
    std::vector<std::string> reasons;  ///< Call::reason() a step each
};

}  // namespace rondo::cpu
