#include "plugins/cpu/passes/passes.hpp"

#include "core/graph/constants.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "plugins/cpu/ops/compressed_matrix.hpp"
#include "plugins/cpu/ops/detached.hpp"
#include "plugins/cpu/ops/fused_op.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::cpu {
namespace {

// True for a constant that adds the same row of n numbers to each row of a product of that rank.
bool is_row(const Output& output, std::size_t rank, std::size_t n) {
    const Tensor value = known_value(output);
    if (!value || value.element_type() != ElementType::f32) return false;
    const Shape& shape = value.shape();
    return !shape.empty() && shape.size() <= rank && shape.back() == n && value.size() == n;
}

// The product, if it may start from the other side of the Add; else null.
std::shared_ptr<ops::MatMul> product_for(const Output& side, const Output& bias) {
    const auto product = as<ops::MatMul>(side);
    if (!product || product->transpose_a() || product->consumers(0).size() != 1) return nullptr;
    if (product->output_type(0) != ElementType::f32 || !product->output_shape(0).has_rank()) {
        return nullptr;
    }
    const Output& b = product->input(1);
    if (!known_value(b) && !as<CompressedMatrix>(b)) return nullptr;
    const Shape matrix = b.shape().to_shape();
    if (matrix.size() != 2) return nullptr;
    const std::size_t n = matrix[product->transpose_b() ? 0 : 1];
    return is_row(bias, product->output_shape(0).rank(), n) ? product : nullptr;
}

}  // namespace

bool fuse_bias(Graph& graph) {
    passes::Rewriter rewriter(graph);
    rewriter.for_each<ops::Binary>([&](const std::shared_ptr<ops::Binary>& add) {
        if (add->function() != ops::BinaryFunction::add) return;
        for (const std::size_t side : {0, 1}) {
            const auto product = product_for(add->input(side), add->input(1 - side));
            if (!product) continue;
            std::vector<FusedPart::Source> added(2);
            added[side] = {.part = true, .index = 0};
            added[1 - side] = {.part = false, .index = FusedMatMul::kBias};
            FusedOp::Parts parts{{detached(static_cast<const Node&>(*product)),
                                  {{false, FusedMatMul::kA}, {false, FusedMatMul::kB}}},
                                 {detached(static_cast<const Node&>(*add)), std::move(added)}};
            const auto fused = rewriter.make<FusedMatMul>(
                add->name(),
                std::vector<Output>{product->input(0), product->input(1), add->input(1 - side)},
                std::move(parts), true);
            rewriter.replace(add->output(0), fused);
            return;
        }
    });
    return rewriter.changed();
}

}  // namespace rondo::cpu
