// Runs a graph while a condition holds, and not more often than a number says; or for each part of
// its inputs.
#pragma once

#include "core/ops/control/iterated_op.hpp"

namespace rondo::ops {

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
