#include "transformations/simplify/passes.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "core/graph/constants.hpp"
#include "core/ops/indexing/indexing_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

using Ints = std::vector<std::int64_t>;

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
        if (begin[i] < 0 || extents[i] < 1 || last >= data[i].length()) return {};
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

void replace(const std::shared_ptr<ops::ScatterNDUpdate>& node, Rewriter& rewriter) {
    if (node->reduction() != ops::ScatterReduction::none) return;
    const auto range = covered(*node);
    if (!range) return;
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
}

}  // namespace

bool scatter_to_concat(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<ops::ScatterNDUpdate>([&](const auto& node) { replace(node, rewriter); });
    return rewriter.changed();
}

}  // namespace rondo::passes
