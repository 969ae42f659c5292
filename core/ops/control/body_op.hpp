// An op that runs graphs of its own: what If, Loop and TensorIterator have in common.
#pragma once

#include <string>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/graph/node.hpp"
#include "core/ops/control/body_ports.hpp"

namespace rondo::ops {

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
    /// False where the inputs say that the body doesn't run, so that it need not suit them.
    virtual bool may_run(const InferContext& /*context*/, std::size_t /*body*/) const {
        return true;
    }
    /// What the body's parameters are at the most for inputs as `context` has them.
    virtual std::vector<InferInput> body_inputs(const InferContext& context,
                                                std::size_t body) const = 0;
    /// Throws ModelError through `context` where a body is missing.
    void check_bodies(const InferContext& context) const;
    /// infer_graph() with the op and the body as the place of errors.
    std::vector<InferInput> infer_body(const InferContext& context, std::size_t body,
                                       std::span<const InferInput> inputs) const;

private:
    std::vector<GraphPtr> bodies_;
    std::vector<BodyPorts> ports_;
};

/// What stands before the names of a body's nodes where they are listed with those around it:
/// "loop/", or "if/then_body/" of an op that has several bodies.
std::string place_of_body(const BodyOp& op, std::size_t body);

/// The narrowest shape that covers both.
PartialShape common_shape(const PartialShape& a, const PartialShape& b);

/// True where every tensor of a shape `inner` is of a shape `outer`, too.
bool covers(const PartialShape& outer, const PartialShape& inner);

/// The first element of a boolean tensor, whose byte in a caller's memory may hold more than 0
/// and 1.
bool is_true(const Tensor& flag);

/// The single element of a boolean, or nothing while it isn't known. Throws ModelError through
/// `context` where the input is no boolean of one element.
std::optional<bool> known_flag(const InferContext& context, std::size_t input,
                               std::string_view what);

}  // namespace rondo::ops
