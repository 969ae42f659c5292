// Ops that run graphs of their own: If, Loop and TensorIterator, and what they have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/graph/infer_context.hpp"
#include "core/graph/node.hpp"
#include "core/support/limits.hpp"

namespace rondo::ops {

/// A tensor cut along an axis into parts, one an iteration. A negative start or end counts from the
/// end of the axis (-1 is its last element), and both belong to the range. The first part begins at
/// `start`; a negative stride walks downwards.
struct PartRange {
    std::int64_t axis = 0;
    std::int64_t start = 0;
    std::int64_t stride = 1;
    std::int64_t part_size = 1;
    std::int64_t end = -1;
    friend bool operator==(const PartRange&, const PartRange&) = default;

    bool is_reversed() const { return stride < 0; }
};

/// What a parameter of the body gets: the whole input, or a part of it in each iteration; from the
/// second iteration on the value that result `back_edge` had in the one before.
struct BodyInput {
    std::size_t input = 0;      ///< of the op
    std::size_t parameter = 0;  ///< of the body
    std::optional<PartRange> slice = {};
    std::optional<std::size_t> back_edge = {};
    friend bool operator==(const BodyInput&, const BodyInput&) = default;
};

/// What an output of the op is: a result of the last iteration, or those of all iterations joined.
struct BodyOutput {
    std::size_t output = 0;  ///< of the op
    std::size_t result = 0;  ///< of the body
    std::optional<PartRange> concat = {};
    friend bool operator==(const BodyOutput&, const BodyOutput&) = default;
};

struct BodyPorts {
    std::vector<BodyInput> inputs;
    std::vector<BodyOutput> outputs;
    friend bool operator==(const BodyPorts&, const BodyPorts&) = default;
};

/// "(0 -> 1 each [axis=1, start=0, stride=1, part_size=1, end=-1], 1 -> 0 back 2; 0 -> 0, 1 -> 1
/// joined [...])": inputs, then outputs.
std::string to_text(const BodyPorts& ports);

/// Throws ModelError through `context` if a port isn't there, a parameter is fed twice or not at
/// all (except `free_parameter`), or the outputs are not 0, 1, 2 ... once each.
void check_ports(const InferContext& context, const BodyPorts& ports, const Graph& body,
                 std::optional<std::size_t> free_parameter = {});

/// Where the parts of an axis of a known extent lie.
struct PartPlan {
    std::size_t axis = 0;
    std::size_t parts = 0;
    std::size_t part_size = 0;
    std::int64_t first = 0;  ///< the lowest element of the first part
    std::int64_t step = 0;   ///< from a part to the next one
};

/// Throws ModelError through `context` naming `what` for an axis that isn't there, or an extent
/// that doesn't divide into parts; UnsupportedError if parts overlap or leave gaps.
PartPlan plan_parts(const InferContext& context, const PartRange& range, const PartialShape& shape,
                    std::string_view what);

/// OpenVINO's MultiSubGraphOp: bodies, and for each one how its ports belong to those of the op.
/// A copy has copies of the bodies.
class BodyOp : public Node {
public:
    BodyOp() = default;
    BodyOp(std::vector<Output> inputs, std::vector<GraphPtr> bodies, std::vector<BodyPorts> ports)
        : Node(std::move(inputs)), bodies_(std::move(bodies)), ports_(std::move(ports)) {}
    BodyOp(const BodyOp& other);

    std::span<const GraphPtr> bodies() const override { return bodies_; }
    const BodyPorts& ports(std::size_t body) const { return ports_[body]; }
    void set_body(std::size_t body, GraphPtr graph, BodyPorts ports);
    void set_ports(std::size_t body, BodyPorts ports) { ports_[body] = std::move(ports); }
    std::string body_text(std::size_t body) const override;

    /// What the op's elements in the IR are called: {"body"}, or {"then_body", "else_body"}.
    virtual std::vector<std::string> body_names() const = 0;

protected:
    void validate_bodies(const InferContext& context) override;
    /// False if the inputs say that the body doesn't run, so that it need not suit them.
    virtual bool may_run(const InferContext& /*context*/, std::size_t /*body*/) const {
        return true;
    }
    /// What the body's parameters are at the most for inputs as `context` has them.
    virtual std::vector<InferInput> body_inputs(const InferContext& context,
                                                std::size_t body) const = 0;
    /// Throws ModelError through `context` if a body is missing.
    void check_bodies(const InferContext& context) const;
    /// infer_graph() with the op and the body as the place of errors.
    std::vector<InferInput> infer_body(const InferContext& context, std::size_t body,
                                       std::span<const InferInput> inputs) const;

private:
    std::vector<GraphPtr> bodies_;
    std::vector<BodyPorts> ports_;
};

/// What is before the names of a body's nodes if they are listed with those around it:
/// "loop/", or "if/then_body/" of an op that has several bodies.
std::string place_of_body(const BodyOp& op, std::size_t body);

/// The narrowest shape that covers both.
PartialShape common_shape(const PartialShape& a, const PartialShape& b);

/// True if every tensor of a shape `inner` is of a shape `outer`, too.
bool covers(const PartialShape& outer, const PartialShape& inner);

/// The first element of a boolean tensor, whose byte in a caller's memory may hold more than 0
/// and 1.
bool is_true(const Tensor& flag);

/// The single element of a boolean, or nothing while it isn't known. Throws ModelError through
/// `context` if the input is no boolean of one element.
std::optional<bool> known_flag(const InferContext& context, std::size_t input,
                               std::string_view what);

/// Input 0: the condition, one boolean; the others are for the branches. Body 0 is the branch for a
/// true condition, body 1 the one for a false one. Outputs: what the branch gives that ran; the
/// branches agree in their types, not necessarily in their shapes.
class If final : public Op<If, BodyOp> {
public:
    static constexpr OpType kType{"If", 8};
    static constexpr std::size_t kThen = 0;
    static constexpr std::size_t kElse = 1;
    using Op::Op;

    std::vector<std::string> body_names() const override { return {"then_body", "else_body"}; }
    void infer(InferContext& context) const override;

protected:
    bool may_run(const InferContext& context, std::size_t body) const override;
    std::vector<InferInput> body_inputs(const InferContext& context,
                                        std::size_t body) const override;

private:
    void check_branch(const InferContext& context, std::size_t branch) const;
    void infer_branch(InferContext& context, std::size_t branch) const;
};

/// How often the body runs, as far as that is known.
struct TripCount {
    std::optional<std::size_t> exact = {};
    bool at_least_one = false;
};

/// Loop-carried values: a parameter with a back edge holds the op's input in the first iteration,
/// and in each further one what the result of that number was in the one before.
class IteratedOp : public BodyOp {
public:
    using BodyOp::BodyOp;
    IteratedOp(std::vector<Output> inputs, GraphPtr body, BodyPorts ports)
        : BodyOp(std::move(inputs), {std::move(body)}, {std::move(ports)}) {}

    const Graph& body() const { return *bodies()[0]; }
    const BodyPorts& body_ports() const { return ports(0); }

    /// The parameter that holds the number of the iteration, if there is one.
    virtual std::optional<std::size_t> iteration_parameter() const { return {}; }
    /// The result that says whether another iteration follows, if there is one.
    virtual std::optional<std::size_t> condition_result() const { return {}; }
    /// How often the body runs for these inputs. Throws through `context` if slices are none.
    virtual TripCount trip_count(const InferContext& context) const = 0;

    /// The input whose value is carried to that result, if there is one.
    const BodyInput* carried_by(std::size_t result) const;

    /// The iterations that one run may have, a setting that no file holds. See MAX_ITERATIONS.
    void set_most_iterations(std::size_t count) { most_iterations_ = count; }
    std::size_t most_iterations() const { return most_iterations_; }
    /// Throws UnsupportedError naming the op if so many iterations are too many.
    void check_iterations(std::size_t count) const {
        if (count > most_iterations_) refuse_iterations();
    }

    std::vector<std::string> body_names() const override { return {"body"}; }
    void infer(InferContext& context) const override;

protected:
    /// Checks what the op itself says, before anything else.
    virtual void check_own(const InferContext& context) const = 0;
    std::vector<InferInput> body_inputs(const InferContext& context,
                                        std::size_t body) const override;

private:
    struct Rounds;
    Rounds run_rounds(const InferContext& context) const;
    std::vector<InferInput> results_without_rounds(const InferContext& context) const;
    void check_condition(const InferContext& context, const std::vector<InferInput>& results) const;
    std::vector<InferInput> first_inputs(const InferContext& context) const;
    bool widen(const InferContext& context, const std::vector<InferInput>& results, bool give_up,
               std::vector<InferInput>& inputs) const;
    void set_joined(InferContext& context, const BodyOutput& port, const InferInput& part,
                    const TripCount& count) const;
    [[noreturn]] void refuse_iterations() const;

    std::size_t most_iterations_ = ModelLimits{}.iterations;
};

/// The extent of `parts` parts of that size along the axis on which they are joined. Throws
/// ModelError through `context` if no tensor can be so large.
std::size_t joined_extent(const InferContext& context, std::size_t parts, std::size_t size);

/// The shape of an output that is joined from no parts: extents that only an iteration would
/// decide are 0. Throws ModelError through `context` if not even the rank is known.
Shape shape_without_parts(const InferContext& context, const PartialShape& shape,
                          std::size_t output);

/// The body's parameter and result with a meaning of their own.
struct LoopPorts {
    std::optional<std::size_t> iteration = {};  ///< an i64 or i32, counted from 0
    std::optional<std::size_t> condition = {};  ///< one boolean: whether another iteration follows
};

/// Input 0: the trip count, one i64 or i32; a negative one is no bound. Input 1: one boolean,
/// whether there is a first iteration. The others are for the body.
class Loop final : public Op<Loop, IteratedOp> {
public:
    static constexpr OpType kType{"Loop", 5};
    Loop() = default;
    Loop(std::vector<Output> inputs, GraphPtr body, BodyPorts ports, LoopPorts special)
        : Op(std::move(inputs), std::move(body), std::move(ports)), special_(special) {}

    std::optional<std::size_t> iteration_parameter() const override { return special_.iteration; }
    std::optional<std::size_t> condition_result() const override { return special_.condition; }
    void set_special_ports(LoopPorts special) { special_ = special; }
    std::string body_text(std::size_t body) const override;

    TripCount trip_count(const InferContext& context) const override;

protected:
    void check_own(const InferContext& context) const override;

private:
    std::optional<bool> goes_on(const InferContext& context) const;

    LoopPorts special_;
};

/// At least one input is cut into parts; all that are have the same number of parts, which is how
/// often the body runs.
class TensorIterator final : public Op<TensorIterator, IteratedOp> {
public:
    static constexpr OpType kType{"TensorIterator", 1};
    using Op::Op;

    TripCount trip_count(const InferContext& context) const override;

protected:
    void check_own(const InferContext& context) const override;
};

}  // namespace rondo::ops
