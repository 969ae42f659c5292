#include "plugins/cpu/ops/fused_parts.hpp"

#include <algorithm>

#include "plugins/cpu/ops/detached.hpp"

namespace rondo::cpu {

void FusedParts::add_first(const Node& node) {
    inputs_ = node.inputs();
    std::vector<FusedPart::Source> sources(inputs_.size());
    for (std::size_t i = 0; i < sources.size(); ++i) sources[i].index = i;
    append(node, sources);
}

void FusedParts::add(const Node& node) {
    std::vector<FusedPart::Source> sources;
    for (const Output& input : node.inputs()) sources.push_back(source_of(input));
    append(node, sources);
}

FusedPart::Source FusedParts::source_of(const Output& input) {
    if (const auto part = part_of_.find(&input.node()); part != part_of_.end()) {
        return {true, part->second};
    }
    const auto at = std::find(inputs_.begin(), inputs_.end(), input);
    const auto index = static_cast<std::size_t>(at - inputs_.begin());
    if (at == inputs_.end()) inputs_.push_back(input);
    return {false, index};
}

// `sources`: one an input of the node.
void FusedParts::append(const Node& node, const std::vector<FusedPart::Source>& sources) {
    const auto* fused = dynamic_cast<const FusedOp*>(&node);
    if (fused == nullptr) {
        parts_.push_back({detached(node), sources});
    } else {
        const std::size_t first = parts_.size();
        for (FusedPart part : fused->parts()) {
            for (auto& source : part.sources) {
                source = source.part ? FusedPart::Source{true, first + source.index}
                                     : sources[source.index];
            }
            parts_.push_back(std::move(part));
        }
    }
    part_of_.emplace(&node, parts_.size() - 1);
}

}  // namespace rondo::cpu
