#include "transformations/rows/free_rows.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/ops/indexing/scatter_nd_update.hpp"
#include "core/ops/movement/concat.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/ops/reduction/reduce.hpp"
#include "transformations/pass/constants.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

using Ints = std::vector<std::int64_t>;

// Whether the scalar meets only tensors of that rank, perhaps after some arithmetic on scalars:
// then it may have as many axes of extent 1.
bool may_have_rank(const Output& scalar, std::size_t rank) {
    std::vector<Output> open{scalar};
    while (!open.empty()) {
        const Output value = open.back();
        open.pop_back();
        for (const Consumer& consumer : value.consumers()) {
            Node& reader = *consumer.node;
            if (!reader.traits().elementwise || !reader.output_shape(0).has_rank()) return false;
            const std::size_t result = reader.output_shape(0).rank();
            if (result == 0) {
                open.emplace_back(reader.shared_from_this(), 0);
            } else if (result != rank) {
                return false;
            }
        }
    }
    return !scalar.consumers().empty();
}

// The axes of extent 1 change nothing in a reduction that has others.
bool free_reduction(const std::shared_ptr<ops::Reduce>& node, Rewriter& rewriter) {
    const PartialShape& data = node->input(0).shape();
    const auto ints = constant_ints(node->input(1));
    const auto axes = ints && data.has_rank() ? normalized_axes(*ints, data.rank()) : std::nullopt;
    if (!axes) return false;
    Ints kept;
    for (const std::size_t axis : *axes) {
        if (data[axis] != Dimension(1)) kept.push_back(static_cast<std::int64_t>(axis));
    }
    const bool to_scalar = !node->keep_dims() && axes->size() == data.rank();
    if (kept.empty() || kept.size() == axes->size() || (!node->keep_dims() && !to_scalar)) {
        return false;
    }
    if (to_scalar && !may_have_rank(Output(node, 0), data.rank())) return false;
    rewriter.replace(node->output(0), rewriter.make<ops::Reduce>(
                                          node->name(), node->function(), node->input(0),
                                          rewriter.make_ints(node->name() + "/axes", kept), true));
    return true;
}

// What updates cover of data: all of it except one axis.
struct Range {
    std::size_t axis = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    Ints extents{};  // of the covered part, all axes
};

// Whether the places are those of a box, in row-major order.
bool fill_box(const Ints& places, const Ints& begin, const Ints& extents) {
    const std::size_t count = begin.size();
    Ints at(count);
    for (std::size_t first = 0; first < places.size(); first += count) {
        for (std::size_t i = 0; i < count; ++i) {
            if (places[first + i] != begin[i] + at[i]) return false;
        }
        for (std::size_t i = count; i-- > 0 && ++at[i] == extents[i];) at[i] = 0;
    }
    return true;
}

std::optional<Range> covered(const ops::ScatterNDUpdate& node) {
    const Tensor known = known_value(node.input(1));
    const PartialShape& data = node.input(0).shape();
    if (!known || known.size() == 0 || !data.is_static()) return {};
    const auto count = static_cast<std::size_t>(known.shape().back());
    const Ints places = to_int64_vector(known);
    const Ints begin(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(count));
    Range range;
    Ints extents;
    std::size_t cut = 0;
    std::int64_t box = 1;
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t last = places[places.size() - count + i];
        extents.push_back(last - begin[i] + 1);
        if (begin[i] < 0 || extents[i] < 1) return {};
        box *= extents[i];
        if (extents[i] == data[i].length()) continue;
        ++cut;
        range = {i, begin[i], last + 1};
    }
    const auto tuples = static_cast<std::int64_t>(places.size() / count);
    if (cut != 1 || box != tuples || !fill_box(places, begin, extents)) return {};
    for (std::size_t i = 0; i < data.rank(); ++i) {
        range.extents.push_back(i < count ? extents[i] : data[i].length());
    }
    return range;
}

bool free_scatter(const std::shared_ptr<ops::ScatterNDUpdate>& node, Rewriter& rewriter) {
    if (node->reduction() != ops::ScatterReduction::none) return false;
    const auto range = covered(*node);
    if (!range) return false;
    const auto axis = static_cast<std::int64_t>(range->axis);
    const auto name = [&](const char* role) { return node->name() + "/" + role; };
    const auto slice = [&](const char* role, std::int64_t begin, std::int64_t end) {
        const auto ints = [&](std::int64_t value) {
            return rewriter.make_ints(name("at"), {value});
        };
        return Output(rewriter.make<ops::Slice>(name(role), node->input(0), ints(begin), ints(end),
                                                ints(1), ints(axis)));
    };
    Output updates = node->input(2);
    const Shape wanted(range->extents.begin(), range->extents.end());
    if (!(updates.shape() == PartialShape(wanted))) {
        updates = rewriter.make<ops::Reshape>(
            name("updates"), updates, rewriter.make_ints(name("shape"), range->extents), false);
    }
    std::vector<Output> parts;
    const std::int64_t extent = node->input(0).shape()[range->axis].length();
    if (range->begin > 0) parts.push_back(slice("before", 0, range->begin));
    parts.push_back(updates);
    if (range->end < extent) parts.push_back(slice("behind", range->end, extent));
    rewriter.replace(node->output(0),
                     rewriter.make<ops::Concat>(node->name(), std::move(parts), axis));
    return true;
}

}  // namespace

bool free_rows(Graph& graph) {
    bool changed = free_scatters(graph);
    for_each_graph(graph, [&](Graph& part) {
        Rewriter rewriter(part);
        rewriter.for_each<ops::Reduce>(
            [&](const auto& node) { changed = free_reduction(node, rewriter) || changed; });
    });
    if (changed) graph.validate();
    return changed;
}

bool free_scatters(Graph& graph) {
    bool changed = false;
    for_each_graph(graph, [&](Graph& part) {
        Rewriter rewriter(part);
        rewriter.for_each<ops::ScatterNDUpdate>(
            [&](const auto& node) { changed = free_scatter(node, rewriter) || changed; });
    });
    if (changed) graph.validate();
    return changed;
}

}  // namespace rondo::passes
