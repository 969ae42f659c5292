#include "plugins/cpu/passes/passes.hpp"

#include <algorithm>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "core/ops/window/convolutions.hpp"
#include "plugins/cpu/ops/elementwise_program.hpp"
#include "plugins/cpu/ops/fused_op.hpp"
#include "plugins/cpu/ops/fused_parts.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::cpu {
namespace {

bool is_elementwise(const Node& node) {
    return as_op<FusedElementwise>(node) != nullptr || step_of(node).has_value();
}

bool takes_program(const Node& node) {
    if (const auto* fused = as_op<FusedMatMul>(node)) return !fused->has_program();
    if (const auto* fused = as_op<FusedMatMulInteger>(node)) return !fused->has_program();
    return as_op<ops::MatMul>(node) != nullptr || as_op<ops::Mvn>(node) != nullptr ||
           as_op<ops::ConvolutionBase>(node) != nullptr;
}

// Whether the product has this shape in some inference, so far as is known. If an open extent turns
// out as 1, the node repeats the product.
bool may_have(const PartialShape& product, const PartialShape& shape) {
    if (!product.has_rank() || !shape.has_rank() || product.rank() != shape.rank()) return false;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        if (product[i] != shape[i] && product[i].is_static()) return false;
    }
    return true;
}

bool is_only_reader(const Node& reader, const Node& product) {
    const auto& readers = product.consumers(0);
    return std::all_of(readers.begin(), readers.end(),
                       [&](const Consumer& other) { return other.node == &reader; });
}

// A Convert of a product of bytes to f32, for which the product writes such numbers.
bool converts_product(const Node& node) {
    const auto* convert = as_op<ops::Convert>(node);
    if (convert == nullptr || convert->destination_type() != ElementType::f32) return false;
    const Node& product = node.input(0).node();
    return as_op<ops::MatMulInteger>(product) != nullptr && is_only_reader(node, product);
}

// True if the elementwise op may run on blocks of the product.
bool fits(const Node& product, const Node& elementwise) {
    const ElementType type = product.output_type(0);
    if (!takes_program(product) || (type != ElementType::f32 && type != ElementType::f64)) {
        return false;
    }
    if (!may_have(product.output_shape(0), elementwise.output_shape(0))) return false;
    return is_only_reader(elementwise, product);
}

NodePtr fuse(passes::Rewriter& rewriter, const Node& product, const Node& elementwise) {
    FusedParts fused;
    fused.add_first(product);
    fused.add(elementwise);
    const std::string& name = elementwise.name();
    if (as_op<ops::ConvolutionBase>(product) != nullptr) {
        return rewriter.make<FusedConvolution>(name, fused.inputs(), fused.parts());
    }
    if (as_op<ops::Mvn>(product) != nullptr) {
        return rewriter.make<FusedMvn>(name, fused.inputs(), fused.parts());
    }
    if (as_op<FusedMatMulInteger>(product) != nullptr ||
        as_op<ops::MatMulInteger>(product) != nullptr) {
        return rewriter.make<FusedMatMulInteger>(name, fused.inputs(), fused.parts());
    }
    const bool has_bias = as_op<FusedMatMul>(product) != nullptr;
    return rewriter.make<FusedMatMul>(name, fused.inputs(), fused.parts(), has_bias);
}

}  // namespace

bool fuse_epilogues(Graph& graph) {
    passes::Rewriter rewriter(graph);
    rewriter.for_each<Node>([&](const NodePtr& node) {
        if (converts_product(*node)) {
            rewriter.replace(node->output(0), fuse(rewriter, node->input(0).node(), *node));
            return;
        }
        if (!is_elementwise(*node) || !program_of(*node)) return;
        for (const Output& input : node->inputs()) {
            if (!fits(input.node(), *node)) continue;
            rewriter.replace(node->output(0), fuse(rewriter, input.node(), *node));
            return;
        }
    });
    return rewriter.changed();
}

}  // namespace rondo::cpu
