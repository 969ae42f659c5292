#include "transformations/simplify/passes.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/constants.hpp"
#include "core/graph/printer.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "transformations/analysis/equal_shapes.hpp"
#include "transformations/analysis/named_axes.hpp"
#include "transformations/analysis/slices.hpp"
#include "transformations/analysis/views.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

// Two parts, such as real and imaginary, are rarely steps; and what joins them in one kernel again
// would read them from a tensor more.
constexpr std::size_t kFewestParts = 3;

// Elements of a tensor along an axis, each by all values that are it. The axis may be far longer.
struct Parts {
    Output source;
    std::size_t axis = 0;
    bool kept = false;  // whether the values have the axis, with extent 1
    std::map<std::size_t, std::vector<Output>> values;

    std::size_t count() const { return static_cast<std::size_t>(source.shape()[axis].length()); }
    bool are_all_there() const { return values.size() == count(); }
};

struct FoundPart {
    SinglePart part;
    bool kept = false;
};

std::optional<FoundPart> found_part(const Output& value) {
    if (auto dropped = single_part(value)) return FoundPart{*std::move(dropped), false};
    const auto part = axis_part(value);
    auto kept = part ? element_of(*part) : std::nullopt;
    return kept ? std::optional(FoundPart{*std::move(kept), true}) : std::nullopt;
}

std::vector<Parts> all_parts(const Graph& graph) {
    std::vector<Parts> all;
    std::map<std::pair<const Node*, std::size_t>, std::vector<std::size_t>> places;
    for (const auto& node : graph.ordered_nodes()) {
        for (std::size_t i = 0; i < node->output_count(); ++i) {
            const auto found = found_part(node->output(i));
            if (!found) continue;
            const auto& part = found->part;
            const bool kept = found->kept;
            auto& known = places[{&part.source.node(), part.source.index()}];
            const auto same = std::find_if(known.begin(), known.end(), [&](std::size_t place) {
                return all[place].axis == part.axis && all[place].kept == kept;
            });
            const std::size_t place = same == known.end() ? all.size() : *same;
            if (same == known.end()) {
                known.push_back(place);
                all.push_back({part.source, part.axis, kept, {}});
            }
            all[place].values[static_cast<std::size_t>(part.index)].push_back(node->output(i));
        }
    }
    return all;
}

// The bytes of a small constant, or else where a value comes from.
std::string text_of(const Output& value) {
    constexpr std::size_t kMostBytes = 256;
    const Tensor known = known_value(value);
    if (known && known.byte_size() <= kMostBytes) {
        const Tensor dense = known.contiguous();
        std::string text = to_string(dense.shape()) + std::string(to_string(dense.element_type()));
        return text.append(static_cast<const char*>(dense.data()), dense.byte_size());
    }
    return std::to_string(reinterpret_cast<std::uintptr_t>(&value.node())) + "." +
           std::to_string(value.index());
}

bool has_axes(const Node& node) {
    return as_op<ops::Softmax>(node) != nullptr || as_op<ops::LogSoftmax>(node) != nullptr ||
           as_op<ops::Reduce>(node) != nullptr || as_op<ops::Mvn>(node) != nullptr;
}

// Reads ops on one element of a tensor.
class OpReader {
public:
    explicit OpReader(const Parts& parts) : parts_(parts) {}

    /// Whether the op does to a tensor what it does to each of the parts, side by side.
    bool holds(const Consumer& reader) const {
        const Node& node = *reader.node;
        if (node.output_count() != 1 || !node.output_shape(0).has_rank()) return false;
        if (node.traits().random || !node.bodies().empty()) return false;
        if (node.traits().elementwise) return is_elementwise(reader);
        if (has_axes(node)) return is_behind(reader);
        return is_product(reader) || is_lookup(reader);
    }

    /// The tensor of which an input of the op is the same element, along any axis that the element
    /// doesn't have. Returns nothing if the input is no such element.
    std::optional<SinglePart> source_of(const Consumer& reader, std::size_t input) const {
        const auto own = found_part(reader.node->input(reader.input));
        const auto part = found_part(reader.node->input(input));
        if (!own || !part) return {};
        const auto& [element, kept] = *part;
        const bool is_same = element.index == own->part.index && kept == own->kept &&
                             (element.axis == parts_.axis || !kept);
        const PartialShape& shape = element.source.shape();
        const bool fits = is_same && shape.rank() == parts_.source.shape().rank() &&
                          shape[element.axis] == parts_.source.shape()[parts_.axis];
        return fits ? std::optional(element) : std::nullopt;
    }

    /// What the op computes, whichever of the elements it is.
    std::string key_of(const Consumer& reader) const {
        const Node& node = *reader.node;
        std::string key(node.type_name());
        key += "-" + node.op_type().opset_name() + " " + std::to_string(reader.input);
        for (std::size_t i = 0; i < node.input_count(); ++i) {
            const auto part = source_of(reader, i);
            key += part ? "\npart " + std::to_string(part->axis) + " of " + text_of(part->source)
                        : "\n" + text_of(node.input(i));
        }
        for (const auto& [name, value] : attributes_of(node)) key += "\n" + name + "=" + value;
        return key;
    }

private:
    std::size_t rank_of_part() const {
        return parts_.source.shape().rank() - (parts_.kept ? 0 : 1);
    }

    // Whether the other inputs are elements too, or only have axes that follow the one of the
    // parts, and the result has no other axes.
    bool is_elementwise(const Consumer& reader) const {
        const Node& node = *reader.node;
        const std::size_t behind = parts_.source.shape().rank() - 1 - parts_.axis;
        for (std::size_t i = 0; i < node.input_count(); ++i) {
            if (source_of(reader, i)) continue;
            const PartialShape& shape = node.input(i).shape();
            if (!shape.has_rank() || shape.rank() > behind) return false;
            if (needs_equal_shapes(node)) return false;
        }
        return node.output_shape(0).rank() == rank_of_part();
    }

    // Whether the op's axes follow the one of the parts: counted from the end, they then stay.
    bool is_behind(const Consumer& reader) const {
        const Node& node = *reader.node;
        const std::size_t rank = rank_of_part();
        const auto axes = named_axes(node);
        const std::size_t first = parts_.axis + (parts_.kept ? 1 : 0);
        return reader.input == 0 && axes && std::all_of(axes->begin(), axes->end(), [&](auto axis) {
                   return axis >= first && axis < rank;
               });
    }

    // Rows times one matrix.
    bool is_product(const Consumer& reader) const {
        const auto* product = as_op<ops::MatMul>(*reader.node);
        if (product == nullptr) return false;
        const PartialShape& matrix = product->input(1).shape();
        if (source_of(reader, 1)) return false;  // which would be a product of batches
        return reader.input == 0 && !product->transpose_a() && matrix.has_rank() &&
               matrix.rank() == 2 && parts_.axis + 1 < parts_.source.shape().rank();
    }

    // Rows of a table.
    bool is_lookup(const Consumer& reader) const {
        const auto* gather = as_op<ops::Gather>(*reader.node);
        if (gather == nullptr) return false;
        const auto axis = constant_ints(gather->input(2));
        return reader.input == 1 && !source_of(reader, 0) && gather->batch_dims() == 0 && axis &&
               axis->size() == 1 && axis->front() == 0;
    }

    const Parts& parts_;
};

class PartsJoiner {
public:
    PartsJoiner(Rewriter& rewriter, const Parts& parts)
        : rewriter_(rewriter), parts_(parts), reader_(parts) {}

    void join() {
        if (!is_current()) return;
        std::map<std::string, EqualOps> readers;
        for (const auto& [index, values] : parts_.values) {
            for (const Output& value : values) {
                for (const Consumer& reader : value.consumers()) {
                    if (reader_.holds(reader)) add(readers[reader_.key_of(reader)], index, reader);
                }
            }
        }
        for (const auto& [key, ops] : readers) {
            const bool reads_all = ops.nodes.size() == parts_.count();
            // One that reads its part twice was found by both inputs.
            if (reads_all && ops.nodes.front()->input_count() > 0) replace(ops);
        }
    }

private:
    // One on each part, in order; they read it by the same input.
    struct EqualOps {
        std::vector<NodePtr> nodes;
        std::size_t input = 0;
    };

    // What was joined before may have taken the place of the tensor; the next round sees that.
    bool is_current() const {
        const Output& first = parts_.values.begin()->second.front();
        const auto part = first.node().input_count() > 0 ? found_part(first) : std::nullopt;
        return part && part->part.source == parts_.source;
    }

    // The first one on each part, as long as no part is left out.
    static void add(EqualOps& ops, std::size_t index, const Consumer& reader) {
        if (ops.nodes.size() != index) return;
        ops.nodes.push_back(reader.node->shared_from_this());
        ops.input = reader.input;
    }

    void replace(const EqualOps& ops) {
        const Node& first = *ops.nodes.front();
        const std::string name = first.name();
        std::vector<Output> inputs = first.inputs();
        const Consumer reader{ops.nodes.front().get(), ops.input};
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const auto part = reader_.source_of(reader, i);
            if (!part) continue;
            inputs[i] =
                make_axis_move(rewriter_, part->source, part->axis, parts_.axis, name + "/moved");
        }
        const Output whole = made(first, std::move(inputs));
        for (std::size_t index = 0; index < ops.nodes.size(); ++index) {
            rewriter_.replace(ops.nodes[index]->output(0), part_of(whole, index, name));
        }
    }

    // Axes are counted from the end, where a tensor has them as its parts do.
    Output made(const Node& op, std::vector<Output> inputs) {
        if (!has_axes(op)) return rewriter_.clone(op, std::move(inputs));
        const auto rank = static_cast<std::int64_t>(op.input(0).shape().rank());
        std::vector<std::int64_t> axes = *written_axes(op);
        for (std::int64_t& axis : axes) axis -= axis < 0 ? 0 : rank;
        return make_with_axes(rewriter_, op, std::move(inputs), axes);
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
    const OpReader reader_;
};

// One op of a chain on each part.
bool join_next_ops(Graph& graph) {
    Rewriter rewriter(graph);
    for (const Parts& parts : all_parts(graph)) {
        if (parts.count() >= kFewestParts && parts.are_all_there())
            PartsJoiner(rewriter, parts).join();
    }
    return rewriter.changed();
}

}  // namespace

bool batch_equal_ops(Graph& graph) {
    bool changed = false;
    while (join_next_ops(graph)) changed = true;
    return changed;
}

}  // namespace rondo::passes
