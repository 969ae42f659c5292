// Ops of a graph that run as one step of the CPU device: elementwise ops that read each other; a
// product, convolution or normalisation that goes on with an elementwise program; a reduction or
// softmax of one.
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

/// Parts: ops that program_of() makes one program of; the values between them have the shape of the
/// output, which is the last one's. Inputs: what the parts read from outside, each once.
class FusedElementwise final : public Op<FusedElementwise, FusedOp> {
public:
    static constexpr OpType kType{"FusedElementwise", 0};
    using Op::Op;
};

/// Parts: a Convolution or GroupConvolution of f32 or f64, then elementwise ops that program_of()
/// makes one program of, each with the convolution's shape.
/// Inputs: data, filters, then what the program reads besides the convolution.
class FusedConvolution final : public Op<FusedConvolution, FusedOp> {
public:
    static constexpr OpType kType{"FusedConvolution", 0};
    static constexpr std::size_t kProductParts = 1;
    using Op::Op;
};

/// Parts: a MatMul; if it has a bias, the Add of a constant row of N; then elementwise ops that
/// program_of() makes one program of, each with the shape of the product.
/// Inputs: A [...,M,K], B, the bias if there is one, then what the program reads besides the
/// product. With a bias, the MatMul is one of f32 with a constant matrix or a CompressedMatrix on
/// its right, and a left side that is not transposed.
class FusedMatMul final : public Op<FusedMatMul, FusedOp> {
public:
    static constexpr OpType kType{"FusedMatMul", 0};
    static constexpr std::size_t kA = 0, kB = 1, kBias = 2;

    FusedMatMul(std::vector<Output> inputs, Parts parts, bool has_bias)
        : Op(std::move(inputs), std::move(parts)), has_bias_(has_bias) {}

    bool has_bias() const { return has_bias_; }
    /// The parts in front of the program.
    std::size_t product_parts() const { return has_bias_ ? 2 : 1; }
    bool has_program() const { return parts().size() > product_parts(); }

private:
    bool has_bias_;
};

/// Parts: a MatMulInteger, the Convert of its result to f32, then elementwise ops that program_of()
/// makes one program of, each with its shape; there may be none.
/// Inputs: those of the MatMulInteger, then what the program reads besides the product.
class FusedMatMulInteger final : public Op<FusedMatMulInteger, FusedOp> {
public:
    static constexpr OpType kType{"FusedMatMulInteger", 0};
    static constexpr std::size_t kProductParts = 2;
    using Op::Op;

    bool has_program() const { return parts().size() > kProductParts; }
};

/// Parts: an MVN of f32 or f64, then elementwise ops that program_of() makes one program of, each
/// with its shape.
/// Inputs: data, axes, then what the program reads besides the normalised data.
class FusedMvn final : public Op<FusedMvn, FusedOp> {
public:
    static constexpr OpType kType{"FusedMvn", 0};
    static constexpr std::size_t kNormalisingParts = 1;
    using Op::Op;
};

/// Parts: elementwise ops of f32 or f64 that program_of() makes one program of, then a Reduce along
/// constant last axes, or a SoftMax. Inputs: what the parts read from outside.
class FusedReduction final : public Op<FusedReduction, FusedOp> {
public:
    static constexpr OpType kType{"FusedReduction", 0};
    using Op::Op;

    /// The parts of the program.
    std::size_t program_parts() const { return parts().size() - 1; }
};

}  // namespace rondo::cpu
