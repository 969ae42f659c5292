// An op that runs its body again and again: what Loop and TensorIterator have in common.
#pragma once

#include "core/ops/control/body_op.hpp"
#include "core/support/limits.hpp"

namespace rondo::ops {

/// How often the body runs, as far as that is known.
struct TripCount {
    std::optional<std::size_t> exact = {};
    bool at_least_one = false;
};

/// Values that go round: a parameter with a back edge holds the op's input in the first iteration,
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
    /// How often the body runs for these inputs. Throws through `context` where slices are none.
    virtual TripCount trip_count(const InferContext& context) const = 0;

    /// The input whose value goes round to that result, if there is one.
    const BodyInput* carried_by(std::size_t result) const;

    /// How often one run may go round, a setting that no file holds. See MAX_ITERATIONS.
    void set_most_iterations(std::size_t count) { most_iterations_ = count; }
    std::size_t most_iterations() const { return most_iterations_; }
    /// Throws UnsupportedError naming the op where so many iterations are too many.
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
/// ModelError through `context` where no tensor can be so large.
std::size_t joined_extent(const InferContext& context, std::size_t parts, std::size_t size);

/// The shape of an output that is joined from no parts: extents that only an iteration would
/// decide are 0. Throws ModelError through `context` where not even the rank is known.
Shape shape_without_parts(const InferContext& context, const PartialShape& shape,
                          std::size_t output);

}  // namespace rondo::ops
