#include "transformations/parts/join_ops_on_parts.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/printer.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/product/matmul.hpp"
#include "transformations/parts/axis_part.hpp"
#include "transformations/parts/single_part.hpp"
#include "transformations/pass/constants.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

// Two parts, such as real and imaginary, are rarely steps; and what joins them in one kernel again
// would read them from a tensor more.
constexpr std::size_t kFewestParts = 3;

// The elements of a tensor along an axis, each by all values that are it.
struct Parts {
    Output source;
    std::size_t axis = 0;
    bool kept = false;  // whether the values have the axis, with extent 1
    std::vector<std::vector<Output>> values;

    std::size_t count() const { return static_cast<std::size_t>(source.shape()[axis].length()); }
    bool are_all_there() const {
        return std::none_of(values.begin(), values.end(),
                            [](const auto& same) { return same.empty(); });
    }
};

struct FoundPart {
    SinglePart part;
    bool kept = false;
};

std::optional<FoundPart> kept_part(const Output& value) {
    const auto part = axis_part(value);
    if (!part || !part->source.shape()[part->axis].is_static()) return {};
    const std::int64_t extent = part->source.shape()[part->axis].length();
    const std::int64_t stop = part->stop == AxisPart::kEnd ? extent : part->stop;
    if (stop - part->start != 1) return {};
    return FoundPart{{part->source, part->axis, part->start}, true};
}

std::optional<FoundPart> found_part(const Output& value) {
    if (auto dropped = single_part(value)) return FoundPart{*std::move(dropped), false};
    return kept_part(value);
}

std::vector<Parts> all_parts(const Graph& graph) {
    std::vector<Parts> all;
    std::map<std::pair<const Node*, std::size_t>, std::vector<std::size_t>> places;
    for (const auto& node : graph.ordered_nodes()) {
        for (std::size_t i = 0; i < node->output_count(); ++i) {
            const auto found = found_part(node->output(i));
            if (!found) continue;
            const auto& [part, kept] = *found;
            auto& known = places[{&part.source.node(), part.source.index()}];
            const auto same = std::find_if(known.begin(), known.end(), [&](std::size_t place) {
                return all[place].axis == part.axis && all[place].kept == kept;
            });
            const std::size_t place = same == known.end() ? all.size() : *same;
            if (same == known.end()) {
                known.push_back(place);
                all.push_back({part.source, part.axis, kept, {}});
                all.back().values.resize(all.back().count());
            }
            all[place].values[static_cast<std::size_t>(part.index)].push_back(node->output(i));
        }
    }
    return all;
}

// What an op computes, apart from one of its inputs. Constants of few bytes are their elements.
std::string key_of(const Consumer& reader) {
    constexpr std::size_t kMostBytes = 256;
    const Node& node = *reader.node;
    std::string key(node.type_name());
    key += "-" + node.op_type().opset_name() + " " + std::to_string(reader.input);
    for (std::size_t i = 0; i < node.input_count(); ++i) {
        if (i == reader.input) continue;
        const Tensor known = known_value(node.input(i));
        key += "\n";
        if (known && known.byte_size() <= kMostBytes) {
            const Tensor dense = known.contiguous();
            key += to_string(dense.shape()) + std::string(to_string(dense.element_type()));
            key.append(static_cast<const char*>(dense.data()), dense.byte_size());
        } else {
            key += std::to_string(reinterpret_cast<std::uintptr_t>(&node.input(i).node())) + "." +
                   std::to_string(node.input(i).index());
        }
    }
    for (const auto& [name, value] : attributes_of(node)) key += "\n" + name + "=" + value;
    return key;
}

// Whether the op does to a tensor what it does to each of the parts, side by side.
class WholeRule {
public:
    explicit WholeRule(const Parts& parts) : parts_(parts) {}

    bool holds(const Consumer& reader) const {
        const Node& node = *reader.node;
        if (node.output_count() != 1 || !node.output_shape(0).has_rank()) return false;
        if (node.traits().random || !node.bodies().empty()) return false;
        if (node.traits().elementwise) return is_elementwise(reader);
        if (as_op<ops::MatMul>(node) != nullptr) return is_product(reader);
        return as_op<ops::Gather>(node) != nullptr && is_lookup(reader);
    }

private:
    std::size_t rank_of_part() const {
        return parts_.source.shape().rank() - (parts_.kept ? 0 : 1);
    }

    // The other inputs reach behind the axis only, and the result has no other axes.
    bool is_elementwise(const Consumer& reader) const {
        const Node& node = *reader.node;
        const std::size_t behind = parts_.source.shape().rank() - 1 - parts_.axis;
        for (std::size_t i = 0; i < node.input_count(); ++i) {
            if (i == reader.input) continue;
            const PartialShape& shape = node.input(i).shape();
            if (!shape.has_rank() || shape.rank() > behind) return false;
        }
        return node.output_shape(0).rank() == rank_of_part();
    }

    // Rows times one matrix.
    bool is_product(const Consumer& reader) const {
        const auto& product = *as_op<ops::MatMul>(*reader.node);
        const PartialShape& matrix = product.input(1).shape();
        return reader.input == 0 && !product.transpose_a() && matrix.has_rank() &&
               matrix.rank() == 2 && parts_.axis + 1 < parts_.source.shape().rank();
    }

    // Rows of a table.
    bool is_lookup(const Consumer& reader) const {
        const auto& gather = *as_op<ops::Gather>(*reader.node);
        const auto axis = constant_ints(gather.input(2));
        return reader.input == 1 && gather.batch_dims() == 0 && axis && axis->size() == 1 &&
               axis->front() == 0;
    }

    const Parts& parts_;
};

class PartsJoiner {
public:
    PartsJoiner(Rewriter& rewriter, const Parts& parts) : rewriter_(rewriter), parts_(parts) {}

    void join() {
        const WholeRule rule(parts_);
        std::map<std::string, EqualOps> readers;
        for (std::size_t index = 0; index < parts_.values.size(); ++index) {
            for (const Output& value : parts_.values[index]) {
                for (const Consumer& reader : value.consumers()) {
                    if (rule.holds(reader)) add(readers[key_of(reader)], index, reader);
                }
            }
        }
        for (const auto& [key, ops] : readers) {
            if (ops.nodes.size() == parts_.count()) replace(ops);
        }
    }

private:
    // One on each part, in order; they read it by the same input.
    struct EqualOps {
        std::vector<NodePtr> nodes;
        std::size_t input = 0;
    };

    // The first one on each part, as long as no part is left out.
    static void add(EqualOps& ops, std::size_t index, const Consumer& reader) {
        if (ops.nodes.size() != index) return;
        ops.nodes.push_back(reader.node->shared_from_this());
        ops.input = reader.input;
    }

    void replace(const EqualOps& ops) {
        const Node& first = *ops.nodes.front();
        std::vector<Output> inputs = first.inputs();
        inputs[ops.input] = parts_.source;
        const std::string name = first.name();
        const Output whole = rewriter_.clone(first, std::move(inputs));
        for (std::size_t index = 0; index < ops.nodes.size(); ++index) {
            rewriter_.replace(ops.nodes[index]->output(0), part_of(whole, index, name));
        }
    }

    Output part_of(const Output& whole, std::size_t index, const std::string& name) {
        const auto place = static_cast<std::int64_t>(index);
        const Output places = parts_.kept ? rewriter_.make_ints(name + "/place", {place})
                                          : rewriter_.make_scalar(name + "/place", place);
        return rewriter_.make<ops::Gather>(
            name + "/part", whole, places,
            rewriter_.make_ints(name + "/axis", {static_cast<std::int64_t>(parts_.axis)}));
    }

    Rewriter& rewriter_;
    const Parts& parts_;
};

}  // namespace

bool join_ops_on_parts(Graph& graph) {
    Rewriter rewriter(graph);
    for (const Parts& parts : all_parts(graph)) {
        if (parts.count() >= kFewestParts && parts.are_all_there())
            PartsJoiner(rewriter, parts).join();
    }
    return rewriter.changed();
}

}  // namespace rondo::passes
