// Matrices that stay compressed.
#include "plugins/cpu/ops/compressed_matrix.hpp"
#include "plugins/cpu/ops/detached.hpp"
#include "plugins/cpu/passes/passes.hpp"
#include "transformations/pass/rewriter.hpp"
#include "transformations/simplify/compressed_weights.hpp"

namespace rondo::cpu {
namespace {

// The chain as parts that read one another, and what they read from outside.
void add_part(const Node& link, FusedOp::Parts& parts, std::vector<Output>& inputs) {
    FusedPart part{detached(link), {}};
    for (std::size_t i = 0; i < link.inputs().size(); ++i) {
        const bool is_link = i == 0 && !parts.empty();
        if (!is_link) inputs.push_back(link.input(i));
        part.sources.push_back({is_link, is_link ? parts.size() - 1 : inputs.size() - 1});
    }
    parts.push_back(std::move(part));
}

}  // namespace

bool hold_compressed_matrices(Graph& graph) {
    passes::Rewriter rewriter(graph);
    bool changed = false;
    rewriter.for_each<ops::MatMul>([&](const std::shared_ptr<ops::MatMul>& product) {
        const auto weights = passes::worth_keeping(*product);
        if (!weights) return;
        FusedOp::Parts parts;
        std::vector<Output> inputs;
        for (const NodePtr& link : weights->chain) add_part(*link, parts, inputs);
        const std::string& name = product->input(1).node().name();
        product->set_input(
            1, rewriter.make<CompressedMatrix>(name, std::move(inputs), std::move(parts)));
        changed = true;
    });
    return changed;
}

}  // namespace rondo::cpu
