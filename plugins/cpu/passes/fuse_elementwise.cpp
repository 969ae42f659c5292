#include "plugins/cpu/passes/passes.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "plugins/cpu/ops/elementwise_program.hpp"
#include "plugins/cpu/ops/fused_op.hpp"
#include "plugins/cpu/ops/fused_parts.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::cpu {
namespace {

// The ops of one FusedElementwise while it grows from its last one.
class Region {
public:
    explicit Region(NodePtr last) : last_(std::move(last)), precision_(precision_of(*last_)) {
        add(*last_);
    }

    // Takes in producers until none fits any more. In the order in which they were found, so that
    // the same graph is fused in the same way each time.
    void grow() {
        for (bool grown = true; grown;) {
            grown = false;
            for (std::size_t i = 0; i < ops_.size(); ++i) {
                for (const Output& input : ops_[i]->inputs()) grown = take(input.node()) || grown;
            }
        }
    }

    bool holds(const Node& node) const { return held_.contains(&node); }
    const std::vector<const Node*>& ops() const { return ops_; }
    std::size_t size() const { return ops_.size(); }
    const NodePtr& last() const { return last_; }

private:
    bool take(const Node& node) {
        if (holds(node) || !fits(node)) return false;
        add(node);
        if (is_small_enough()) return true;
        ops_.pop_back();
        held_.erase(&node);
        return false;
    }

    void add(const Node& node) {
        ops_.push_back(&node);
        held_.insert(&node);
    }

    bool fits(const Node& node) const {
        if (node.output_count() != 1 || !step_of(node)) return false;
        if (node.output_shape(0) != last_->output_shape(0)) return false;
        const auto precision = precision_of(node);
        if (precision && precision_ && *precision != *precision_) return false;
        const auto& readers = node.consumers(0);
        return std::all_of(readers.begin(), readers.end(),
                           [&](const Consumer& reader) { return holds(*reader.node); });
    }

    // An input that is a constant may take a step instead.
    bool is_small_enough() const {
        std::size_t steps = ops_.size();
        std::unordered_map<const Node*, std::unordered_set<std::size_t>> inputs;
        std::size_t count = 0;
        for (const Node* op : ops_) {
            for (const Output& input : op->inputs()) {
                if (holds(input.node())) continue;
                const bool is_step = known_number(input).has_value();
                if (is_step) ++steps;
                if (!is_step && inputs[&input.node()].insert(input.index()).second) ++count;
            }
        }
        return steps <= ElementwiseProgram::kMostSteps && count <= ElementwiseProgram::kMostInputs;
    }

    NodePtr last_;
    std::optional<Precision> precision_;
    std::vector<const Node*> ops_;
    std::unordered_set<const Node*> held_;  // the same
};

}  // namespace

bool fuse_elementwise(Graph& graph) {
    const std::vector<NodePtr> nodes = graph.ordered_nodes();
    std::unordered_map<const Node*, std::size_t> places;
    for (std::size_t i = 0; i < nodes.size(); ++i) places.emplace(nodes[i].get(), i);
    passes::Rewriter rewriter(graph);
    std::unordered_set<const Node*> joined;
    for (std::size_t i = nodes.size(); i-- > 0;) {
        if (joined.contains(nodes[i].get()) || !step_of(*nodes[i])) continue;
        Region region(nodes[i]);
        region.grow();
        if (region.size() < 2) continue;
        FusedParts fused;
        std::vector<const Node*> ops = region.ops();
        std::sort(ops.begin(), ops.end(), [&](const Node* a, const Node* b) {
            return places.at(a) < places.at(b);  // producers come before their readers
        });
        for (const Node* op : ops) fused.add(*op);
        joined.insert(ops.begin(), ops.end());
        rewriter.replace(
            region.last()->output(0),
            rewriter.make<FusedElementwise>(region.last()->name(), fused.inputs(), fused.parts()));
    }
    return rewriter.changed();
}

}  // namespace rondo::cpu
