#include "core/extents/extent_origin.hpp"

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "core/extents/integers.hpp"
#include "core/ops/common/independent_axes.hpp"

namespace rondo {
namespace {

constexpr int kMaxSteps = 1024;

using Origin = std::optional<ExtentOrigin>;

// The tensor and axis that a source names. Returns nothing if an element may be no extent.
Origin resolved(const Node& node, const ExtentSource& source) {
    const Output& input = node.input(source.input);
    if (!source.is_element) return ExtentOrigin{input, source.place};
    const auto element = shape_element(input, source.place);
    if (!element || element->number) return {};
    return ExtentOrigin{element->tensor, element->axis};
}

// Goes up from output to input for a number of steps in all, however many ways there are.
class OriginWalk {
public:
    ExtentOrigin find(ExtentOrigin at) {
        const auto start = std::make_tuple(&at.source.node(), at.source.index(), at.axis);
        if (const auto known = known_.find(start); known != known_.end()) return known->second;
        while (left_-- > 0) {
            const auto next = above(at);
            if (!next || !next->source.shape().has_rank()) break;
            at = *next;
        }
        known_.emplace(start, at);
        return at;
    }

private:
    Origin above(const ExtentOrigin& at);
    Origin above_broadcast(const Node& node, const IndependentAxis& rows);

    int left_ = kMaxSteps;
    std::map<std::tuple<const Node*, std::size_t, std::size_t>, ExtentOrigin> known_;
};

// Where the op broadcasts, an input's extent is certain only if those of all other inputs are 1, or
// come from the same place.
Origin OriginWalk::above_broadcast(const Node& node, const IndependentAxis& rows) {
    std::vector<ExtentOrigin> wide;
    for (std::size_t i = 0; i < rows.inputs.size(); ++i) {
        if (!ops::serves_all_rows(node, rows, i)) wide.push_back({node.input(i), rows.inputs[i]});
    }
    if (wide.size() == 1) return wide.front();
    Origin common;
    for (const ExtentOrigin& input : wide) {
        const ExtentOrigin origin = find(input);
        if (common && !(*common == origin)) return {};
        common = origin;
    }
    return common;
}

Origin OriginWalk::above(const ExtentOrigin& at) {
    const Node& node = at.source.node();
    for (const ExtentSource& source : node.extent_sources(at.source.index(), at.axis)) {
        if (const Origin origin = resolved(node, source)) return origin;
    }
    if (!node.has_ranks()) return {};
    const auto rows = node.independent_axis(at.source.index(), at.axis);
    return rows && rows->broadcasts ? above_broadcast(node, *rows) : Origin();
}

}  // namespace

ExtentOrigin origin_of_extent(const Output& output, std::size_t axis) {
    return OriginWalk().find({output, axis});
}

bool same_extent(const Output& a, std::size_t axis_of_a, const Output& b, std::size_t axis_of_b) {
    const Dimension& extent = a.shape()[axis_of_a];
    if (extent.is_static() && b.shape()[axis_of_b] == extent) return true;
    return origin_of_extent(a, axis_of_a) == origin_of_extent(b, axis_of_b);
}

bool is_extent(const ShapeElement& element, const Output& tensor, std::size_t axis) {
    if (element.number) return tensor.shape()[axis] == Dimension(*element.number);
    return same_extent(element.tensor, element.axis, tensor, axis);
}

bool is_extent(const Output& value, const Output& tensor, std::size_t axis) {
    const auto elements = IntegerReader().read(value);
    const bool is_one = elements && elements->size() == 1 && elements->front();
    return is_one && with_origins(*elements->front()) == extent_of(tensor, axis);
}

ExtentSum extent_of(const Output& tensor, std::size_t axis) {
    if (tensor.shape()[axis].is_static()) return tensor.shape()[axis].length();
    const ExtentOrigin origin = origin_of_extent(tensor, axis);
    return ExtentSum::of(origin.source, origin.axis);
}

ExtentSum with_origins(const ExtentSum& sum) {
    ExtentSum result;
    for (const ExtentSum::Term& term : sum.terms()) {
        std::optional<ExtentSum> product = ExtentSum(term.factor);
        for (const Symbol& symbol : term.symbols) {
            const ExtentSum factor =
                symbol.is_variable() ? ExtentSum(symbol) : extent_of(symbol.tensor, symbol.axis);
            product = product ? product->times(factor) : std::nullopt;
        }
        const auto next = product ? result.plus(*product) : std::nullopt;
        if (!next) return sum;
        result = *next;
    }
    return result;
}

}  // namespace rondo
