// An op that runs its body again and again: what Loop and TensorIterator have in common.
#include "core/ops/control/control_ops.hpp"

#include <algorithm>

#include "core/ops/source/source_ops.hpp"
#include "core/support/limits.hpp"
#include "rondo/error.hpp"
#include "rondo/properties.hpp"

namespace rondo::ops {
namespace {

// Shapes that still change after so many rounds lose their rank, so that the search ends.
constexpr int kMaxRounds = 4;

// The extents that differ become open at once: a loop that grows by one an iteration ends here.
PartialShape widened(const PartialShape& before, const PartialShape& after) {
    if (!before.has_rank() || !after.has_rank() || before.rank() != after.rank()) return {};
    std::vector<Dimension> extents;
    for (std::size_t i = 0; i < before.rank(); ++i) {
        extents.push_back(before[i] == after[i] ? before[i] : Dimension());
    }
    return {std::move(extents)};
}

void check_joined(const InferContext& context, const PartRange& range, const std::string& what) {
    const bool whole = range.is_reversed() ? range.start == -1 && range.end == 0
                                           : range.start == 0 && range.end == -1;
    if (!whole) context.refuse(what + " is joined to a part of an axis; expected all of it");
}

// What can be said of the extent of all parts together.
Dimension joined_extent_of(const InferContext& context, const TripCount& count, std::int64_t size) {
    if (!count.exact) return {count.at_least_one ? size : 0, Dimension::kInfinity};
    return static_cast<std::int64_t>(
        joined_extent(context, *count.exact, static_cast<std::size_t>(size)));
}

}  // namespace

std::size_t joined_extent(const InferContext& context, std::size_t parts, std::size_t size) {
    context.check(parts == 0 || size <= kMaxElements / parts,
                  std::to_string(parts) + " iterations make an output too large");
    return parts * size;
}

struct IteratedOp::Rounds {
    std::vector<InferInput> inputs;
    std::vector<InferInput> results;
};

const BodyInput* IteratedOp::carried_by(std::size_t result) const {
    const auto& inputs = body_ports().inputs;
    const auto at = std::find_if(inputs.begin(), inputs.end(),
                                 [&](const BodyInput& port) { return port.back_edge == result; });
    return at == inputs.end() ? nullptr : &*at;
}

std::vector<InferInput> IteratedOp::first_inputs(const InferContext& context) const {
    std::vector<InferInput> inputs(body().parameters().size());
    for (const BodyInput& port : body_ports().inputs) {
        InferInput& input = inputs[port.parameter];
        input = {context.type(port.input), context.shape(port.input), {}};
        if (!port.slice && !port.back_edge) input.value = context.value(port.input);
        if (!port.slice || !input.shape.has_rank()) continue;
        const std::string what = "input " + std::to_string(port.input);
        const std::int64_t axis = port.slice->axis;
        context.check(
            axis >= 0 && axis < static_cast<std::int64_t>(input.shape.rank()),
            what + " of shape " + to_string(input.shape) + " has no axis " + std::to_string(axis));
        context.check(port.slice->part_size >= 1, what + ": part_size is " +
                                                      std::to_string(port.slice->part_size) +
                                                      "; expected at least 1");
        input.shape[static_cast<std::size_t>(axis)] = port.slice->part_size;
    }
    if (const auto iteration = iteration_parameter()) {
        const auto& declared = dynamic_cast<const Parameter&>(*body().parameters()[*iteration]);
        inputs[*iteration] = {declared.element_type(), declared.shape(), {}};
    }
    return inputs;
}

// Makes carried inputs cover what the loop carries back; true if one had to change.
bool IteratedOp::widen(const InferContext& context, const std::vector<InferInput>& results,
                       bool give_up, std::vector<InferInput>& inputs) const {
    bool changed = false;
    for (const BodyInput& port : body_ports().inputs) {
        if (!port.back_edge) continue;
        InferInput& input = inputs[port.parameter];
        const InferInput& result = results[*port.back_edge];
        if (input.type == ElementType::dynamic) input.type = result.type;
        context.check(result.type == input.type || result.type == ElementType::dynamic,
                      "input " + std::to_string(port.input) + " is " +
                          std::string(to_string(input.type)) + " but becomes " +
                          std::string(to_string(result.type)) + " in the body");
        if (covers(input.shape, result.shape)) continue;
        input.shape = give_up ? PartialShape() : widened(input.shape, result.shape);
        changed = true;
    }
    return changed;
}

IteratedOp::Rounds IteratedOp::run_rounds(const InferContext& context) const {
    Rounds rounds{first_inputs(context), {}};
    for (int round = 1;; ++round) {
        rounds.results = infer_body(context, 0, rounds.inputs);
        if (!widen(context, rounds.results, round >= kMaxRounds, rounds.inputs)) return rounds;
    }
}

// A body that never runs need not suit the inputs: then its results are what the graph says.
std::vector<InferInput> IteratedOp::results_without_rounds(const InferContext& context) const {
    try {
        return run_rounds(context).results;
    } catch (const ModelError&) {
        std::vector<InferInput> results;
        for (const auto& result : body().results()) {
            results.push_back({result->output_type(0), result->output_shape(0), {}});
        }
        return results;
    }
}

std::vector<InferInput> IteratedOp::body_inputs(const InferContext& context, std::size_t) const {
    return run_rounds(context).inputs;
}

void IteratedOp::set_joined(InferContext& context, const BodyOutput& port, const InferInput& part,
                            const TripCount& count) const {
    const std::string what = "output " + std::to_string(port.output);
    check_joined(context, *port.concat, what);
    PartialShape shape = part.shape;
    if (shape.has_rank()) {
        const std::int64_t axis = port.concat->axis;
        context.check(axis >= 0 && axis < static_cast<std::int64_t>(shape.rank()),
                      what + " is joined from shapes " + to_string(shape) +
                          ", which have no axis " + std::to_string(axis));
        const std::int64_t size = port.concat->part_size;
        const std::int64_t stride = port.concat->stride;
        Dimension& extent = shape[static_cast<std::size_t>(axis)];
        context.check(extent.contains(size) && (stride == size || stride == -size),
                      what + " is joined from shapes " + to_string(part.shape) + " along axis " +
                          std::to_string(axis) + ", but part_size is " + std::to_string(size) +
                          " and stride " + std::to_string(stride));
        extent = joined_extent_of(context, count, size);
    }
    context.set_output(port.output, part.type, std::move(shape));
}

void IteratedOp::check_condition(const InferContext& context,
                                 const std::vector<InferInput>& results) const {
    if (!condition_result()) return;
    const InferInput& condition = results.at(*condition_result());
    bool fits = condition.type == ElementType::boolean || condition.type == ElementType::dynamic;
    for (const auto& extent : condition.shape.dimensions()) fits = fits && extent.contains(1);
    context.check(fits, "the body's condition is " + std::string(to_string(condition.type)) +
                            to_string(condition.shape) + "; expected one boolean");
}

void IteratedOp::infer(InferContext& context) const {
    check_bodies(context);
    check_own(context);
    check_ports(context, body_ports(), body(), iteration_parameter());
    const TripCount count = trip_count(context);
    const auto results =
        count.exact == 0 ? results_without_rounds(context) : run_rounds(context).results;
    check_condition(context, results);
    for (const BodyOutput& port : body_ports().outputs) {
        const InferInput& result = results[port.result];
        if (port.concat) {
            set_joined(context, port, result, count);
            continue;
        }
        const BodyInput* carried = carried_by(port.result);
        PartialShape shape = result.shape;
        if (carried != nullptr && !count.at_least_one) {
            shape = common_shape(shape, context.shape(carried->input));
        }
        if (carried != nullptr && count.exact == 0) shape = context.shape(carried->input);
        context.set_output(port.output, result.type, std::move(shape));
    }
}

void IteratedOp::refuse_iterations() const {
    throw UnsupportedError(describe(*this) + ": the body would run more than " +
                           std::to_string(most_iterations_) + " times; " +
                           limit_text(most_iterations_, property::kMaxIterations));
}

Shape shape_without_parts(const InferContext& context, const PartialShape& shape,
                          std::size_t output) {
    context.check(shape.has_rank(),
                  "there was no iteration, and nothing else decides the rank of output " +
                      std::to_string(output));
    Shape result;
    for (const auto& extent : shape.dimensions()) {
        result.push_back(static_cast<std::size_t>(extent.is_static() ? extent.length() : 0));
    }
    return result;
}

}  // namespace rondo::ops
