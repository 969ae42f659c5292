#include "transformations/simplify/passes.hpp"

#include <algorithm>
#include <unordered_set>

#include "core/graph/constants.hpp"
#include "core/graph/rt_info_keys.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "transformations/analysis/step_values.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

class Sinker {
public:
    explicit Sinker(Graph& graph) : rewriter_(graph) {}

    bool run() {
        rewriter_.for_each<Node>([this](const NodePtr& node) { sink_through(*node); });
        return rewriter_.changed();
    }

private:
    // The input of a marked Convert, if it depends on constants alone; else empty.
    Output narrow_source(const Output& wide) const {
        const auto* convert = dynamic_cast<const ops::Convert*>(&wide.node());
        if (convert == nullptr || !convert->rt_info().contains(kDecompression)) return {};
        const Output& source = convert->input(0);
        return known_value(source) || moved_.contains(&source.node()) ? source : Output();
    }

    // The node's inputs before their Converts, or none where it can't move them.
    std::vector<Output> narrow_inputs(const Node& node) const {
        const std::size_t moved = moved_inputs(node);
        if (moved == 0 || !has_constants_from(node, moved)) return {};
        std::vector<Output> inputs = node.inputs();
        for (std::size_t i = 0; i < moved; ++i) {
            inputs[i] = narrow_source(node.input(i));
            if (!inputs[i] || inputs[i].element_type() != inputs[0].element_type()) return {};
        }
        return inputs;
    }

    static bool has_constants_from(const Node& node, std::size_t first) {
        const auto& inputs = node.inputs();
        return std::all_of(inputs.begin() + static_cast<std::ptrdiff_t>(first), inputs.end(),
                           [](const Output& input) { return bool(known_value(input)); });
    }

    void sink_through(Node& node) {
        std::vector<Output> inputs = narrow_inputs(node);
        if (inputs.empty()) return;
        const std::string name = node.name();
        const NodePtr narrow = rewriter_.clone(node, std::move(inputs));
        moved_.insert(narrow.get());
        for (std::size_t i = 0; i < node.output_count(); ++i) {
            const Output old = node.output(i);
            if (old.consumers().empty()) continue;
            const std::string suffix = i == 0 ? "" : "." + std::to_string(i);
            const auto wide =
                rewriter_.make<ops::Convert>(name + suffix, narrow->output(i), old.element_type());
            wide->rt_info()[kDecompression] = "";
            rewriter_.replace(old, wide);
        }
    }

    Rewriter rewriter_;
    std::unordered_set<const Node*> moved_;  // made here: on constants, but not folded yet
};

}  // namespace

bool sink_decompression(Graph& graph) { return Sinker(graph).run(); }

}  // namespace rondo::passes
