// Ops of a graph that run as one step of the CPU device.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/graph/infer_context.hpp"
#include "core/graph/node.hpp"

namespace rondo::cpu {

/// An op inside a FusedOp, and the sources of its inputs.
struct FusedPart {
    struct Source {
        bool part = false;      ///< the output of an earlier part; else an input of the FusedOp
        std::size_t index = 0;  ///< of the part or of the input
    };
    std::shared_ptr<const Node> op;  ///< not in the graph, see detached()
    std::vector<Source> sources;     ///< an input each
};

/// Base of the ops that passes of the CPU plugin fuse of others: inference, known values and the
/// original ops follow from the parts. Each part has one output; that of the last
/// part is the output of the FusedOp. The IR's writer refuses such ops; expand_fused restores
/// the original ops for the runtime model.
class FusedOp : public Node {
public:
    using Parts = std::vector<FusedPart>;

    FusedOp(std::vector<Output> inputs, Parts parts)
        : Node(std::move(inputs)), parts_(std::move(parts)) {}

    const Parts& parts() const { return parts_; }

    /// Whether the reference has an evaluator for each part.
    bool has_evaluators() const;
    /// Writes the output, one reference evaluator after the other; each part must have one.
    void evaluate(std::span<const Tensor> inputs, std::span<Tensor> outputs) const;
    /// The original ops on the inputs of this op; the result is the last one's output.
    Output expanded() const;

    /// The parts' types, shown when the graph is printed.
    static void visit_attributes(auto& self, auto& visitor) {
        std::vector<std::string> types;
        for (const FusedPart& part : self.parts_) types.emplace_back(part.op->type_name());
        visitor.on("ops", types);
    }
    /// Each part checks and infers under its own name.
    void infer(InferContext& context) const override;
    /// Rows that all parts treat one by one.
    std::optional<IndependentAxis> independent_axis(std::size_t output,
                                                    std::size_t axis) const override;
    /// What each part gives for these inputs.
    std::vector<InferOutput> infer_parts(const InferContext& context) const;

private:
    std::vector<NodePtr> standing_alone() const;

    Parts parts_;
};

}  // namespace rondo::cpu
