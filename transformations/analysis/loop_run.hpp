// Finds which slices of its inputs an iteration of a loop reads, and when the loop ends.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "core/ops/control/control_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "transformations/analysis/affine_expr.hpp"
#include "transformations/analysis/step_values.hpp"

namespace rondo::passes {

/// A tensor around a loop that each iteration reads one element of, along an axis, in order.
struct LoopPart {
    Output tensor;
    std::size_t axis = 0;
    bool reverse = false;  ///< from the last element to the first one
};

/// The nodes of a body that `ends` need, also through loop-carried values.
std::unordered_set<const Node*> needed_nodes(const Graph& body, const ops::BodyPorts& ports,
                                             std::vector<NodePtr> ends);

/// Reads a loop; changes nothing. The loop must outlive it.
class LoopRun {
public:
    explicit LoopRun(const ops::IteratedOp& loop) : loop_(loop), body_(loop.body()) {}

    /// Whether it is a Loop, rather than a TensorIterator.
    bool is_loop() const;
    /// Whether the op itself cuts inputs into parts.
    bool has_slices() const;

    /// The port that feeds a parameter of the body; null for other nodes.
    const ops::BodyInput* port_of(const Node& parameter) const;

    /// What a value in the body is around it, where each iteration gets it whole; else empty.
    Output outside(const Output& value) const;

    /// The tensor whose parts a value in the body is: a slice of the op's own, or a Slice, in which
    /// the axis has extent 1, or a Gather; the last two at the number of the iteration, or counted
    /// from the end.
    std::optional<LoopPart> part_of(const Output& value) const;

    /// True for a loop-carried value that starts at 0 and grows by 1 in each iteration.
    bool counts(const ops::BodyInput& port) const;

    /// True if there certainly is an iteration.
    bool surely_runs() const;

    /// True if there certainly is an iteration for each part of these inputs, and no other one.
    bool runs_once_a_step(std::span<const StepInput> inputs) const;

private:
    std::optional<LoopPart> sliced(const ops::BodyInput& port) const;
    std::optional<LoopPart> cut_out(const ops::Slice& slice) const;
    /// Whether an index is that of the iteration's element, and from which end; else nothing.
    std::optional<LoopPart> part_at(const Output& tensor, std::size_t axis,
                                    const Output& index) const;
    AffineLeaves leaves(const Output& tensor, std::size_t axis) const;
    bool is_extent_of_all(const Output& value, std::span<const StepInput> inputs) const;
    /// How much more than the number of the iteration an integer is.
    std::optional<std::int64_t> counter(const Output& value) const;
    bool has_no_bound() const;
    bool begins(const Output& condition, std::span<const StepInput> inputs) const;
    bool goes_on(const Output& condition, std::span<const StepInput> inputs) const;
    bool ends(const Output& condition) const;

    const ops::IteratedOp& loop_;
    const Graph& body_;
};

}  // namespace rondo::passes
