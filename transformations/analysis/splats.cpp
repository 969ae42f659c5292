#include "transformations/analysis/splats.hpp"

#include <algorithm>

#include "core/graph/constants.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/reference/evaluate.hpp"
#include "transformations/analysis/views.hpp"

namespace rondo::passes {
namespace {

using Extents = std::vector<ShapeElement>;
using MaybeExtents = std::optional<Extents>;

constexpr int kMaxChain = 32;

bool is_number(const ShapeElement& extent, std::int64_t number) { return extent.number == number; }

MaybeExtents transposed(const AxisOrder& order, const Extents& data) {
    if (order.size() != data.size()) return {};
    Extents result;
    for (const std::size_t axis : order) result.push_back(data[axis]);
    return result;
}

MaybeExtents squeezed(const ops::Squeeze& node, const Extents& data) {
    const auto ints = node.input_count() == 2 ? constant_ints(node.input(1)) : std::nullopt;
    const auto axes = ints && !ints->empty() ? normalized_axes(*ints, data.size()) : std::nullopt;
    if (!axes) return {};
    Extents result;
    for (std::size_t i = 0; i < data.size(); ++i) {
        if (std::find(axes->begin(), axes->end(), i) == axes->end()) {
            result.push_back(data[i]);
        } else if (!is_number(data[i], 1)) {
            return {};
        }
    }
    return result;
}

MaybeExtents unsqueezed(const ops::Unsqueeze& node, const Extents& data) {
    const auto ints = constant_ints(node.input(1));
    const PartialShape& shape = node.output_shape(0);
    const auto axes =
        ints && shape.has_rank() ? normalized_axes(*ints, shape.rank()) : std::nullopt;
    if (!axes) return {};
    Extents result;
    auto next = data.begin();
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        const bool is_new = std::find(axes->begin(), axes->end(), i) != axes->end();
        if (!is_new && next == data.end()) return {};
        result.push_back(is_new ? ShapeElement{1} : *next++);
    }
    return result;
}

// The product of the numbers, and the one extent that isn't a number, if there is just one.
struct Product {
    std::int64_t numbers = 1;
    std::vector<ShapeElement> open;
};

std::optional<Product> product_of(const Extents& extents) {
    constexpr std::int64_t kMost = std::int64_t{1} << 24;
    Product product;
    for (const ShapeElement& extent : extents) {
        if (!extent.number) {
            product.open.push_back(extent);
        } else if (*extent.number < 1 || *extent.number > kMost || product.numbers > kMost) {
            return {};
        } else {
            product.numbers *= *extent.number;
        }
    }
    return product;
}

// A constant pattern of numbers and at most one -1, which is then the one open extent.
MaybeExtents reshaped(const ops::Reshape& node, const Extents& data) {
    const auto pattern = constant_ints(node.input(1));
    const auto before = product_of(data);
    if (!pattern || !before || before->open.size() > 1) return {};
    Extents result;
    for (const std::int64_t asked : *pattern) {
        if (asked < -1 || asked == 0) return {};
        result.push_back(asked == -1 && before->open.size() == 1 ? before->open.front()
                                                                 : ShapeElement{asked});
    }
    const auto after = product_of(result);
    const bool fits = after && after->open == before->open && after->numbers == before->numbers;
    return fits ? MaybeExtents(std::move(result)) : MaybeExtents();
}

// Axes that the Slice takes whole stay; of others the extent must be a number.
MaybeExtents sliced(const ops::Slice& node, const Extents& data) {
    if (!node.input(0).shape().has_rank()) return {};
    const auto requests = ops::slice_requests(context_of(node));
    if (!requests || requests->size() != data.size()) return {};
    Extents result;
    for (std::size_t i = 0; i < data.size(); ++i) {
        const ops::SliceRequest& request = (*requests)[i];
        if (!request.start || !request.stop || !request.step) return {};
        if (ops::takes_all(request)) {
            result.push_back(data[i]);
        } else if (data[i].number) {
            result.push_back({ops::resolve(request, *data[i].number).length});
        } else {
            return {};
        }
    }
    return result;
}

// Constant indices that are inside of a known extent.
MaybeExtents gathered(const ops::Gather& node, const Extents& data) {
    const auto indices = constant_ints(node.input(1));
    const auto ints = constant_ints(node.input(2));
    if (!indices || !ints || ints->size() != 1 || node.batch_dims() != 0) return {};
    if (node.input(1).shape().rank() > 1) return {};  // axes more
    const auto axis = normalized_axes(*ints, data.size());
    if (!axis || !data[axis->front()].number) return {};
    const auto most = static_cast<std::size_t>(*data[axis->front()].number);
    if (!normalized_axes(*indices, most)) return {};
    Extents result = data;
    if (node.input(1).shape().rank() == 0) {
        result.erase(result.begin() + static_cast<std::ptrdiff_t>(axis->front()));
    } else {
        result[axis->front()] = {static_cast<std::int64_t>(indices->size())};
    }
    return result;
}

MaybeExtents moved(const Node& node, const Extents& data) {
    if (const auto order = order_of(node)) return transposed(*order, data);
    if (const auto* op = as_op<ops::Squeeze>(node)) return squeezed(*op, data);
    if (const auto* op = as_op<ops::Unsqueeze>(node)) return unsqueezed(*op, data);
    if (const auto* op = as_op<ops::Reshape>(node)) return reshaped(*op, data);
    if (const auto* op = as_op<ops::Slice>(node)) return sliced(*op, data);
    if (const auto* op = as_op<ops::Gather>(node)) return gathered(*op, data);
    return {};
}

bool is_float_convert(const Node& node) {
    return as_op<ops::Convert>(node) != nullptr && is_floating(node.output_type(0)) &&
           is_floating(node.input(0).element_type());
}

bool same_value(const Splat& a, const Splat& b) {
    const Tensor one = a.value.contiguous(), other = b.value.contiguous();
    return one.element_type() == other.element_type() &&
           std::equal(static_cast<const char*>(one.data()),
                      static_cast<const char*>(one.data()) + one.byte_size(),
                      static_cast<const char*>(other.data()));
}

// All inputs have the same value; along the axis, their extents are numbers.
bool concatenate(Splat& splat, const std::vector<Splat>& others, std::int64_t of_axis) {
    const auto axis = normalized_axes({of_axis}, splat.extents.size());
    if (!axis) return false;
    ShapeElement& joined = splat.extents[axis->front()];
    for (const Splat& other : others) {
        if (!same_value(splat, other) || other.extents.size() != splat.extents.size()) return false;
        const ShapeElement& next = other.extents[axis->front()];
        if (!joined.number || !next.number) return false;
        *joined.number += *next.number;
        for (std::size_t i = 0; i < splat.extents.size(); ++i) {
            if (i != axis->front() && !(other.extents[i] == splat.extents[i])) return false;
        }
    }
    return true;
}

std::optional<Splat> broadcast_splat(const ops::Broadcast& node) {
    const Tensor value = known_value(node.input(0));
    if (!value || value.size() != 1 || node.mode() == ops::BroadcastMode::explicit_axes) return {};
    auto extents = shape_elements(node.input(1));
    if (!extents || extents->size() < value.shape().size()) return {};
    const bool any_negative = std::any_of(extents->begin(), extents->end(), [](const auto& extent) {
        return extent.number && *extent.number < 0;
    });
    if (any_negative) return {};
    return Splat{value, std::move(*extents)};
}

// Concats in Concats are followed so far down.
constexpr int kMaxDepth = 3;

std::optional<Splat> find_splat(const Output& output, int depth);

// Changes `splat` from that of the op's first input to that of its output; false if that is none.
bool move_on(Splat& splat, const Node& node, int depth) {
    if (is_float_convert(node)) {
        splat.value = reference::evaluate(node, std::vector<Tensor>{splat.value}).front();
        return true;
    }
    if (const auto* concat = as_op<ops::Concat>(node)) {
        std::vector<Splat> others;
        for (std::size_t i = 1; i < node.input_count(); ++i) {
            auto other = node.input(i) == node.input(0) ? std::optional(splat)
                                                        : find_splat(node.input(i), depth - 1);
            if (!other) return false;
            others.push_back(std::move(*other));
        }
        return concatenate(splat, others, concat->axis());
    }
    auto extents = moved(node, splat.extents);
    if (extents) splat.extents = std::move(*extents);
    return extents.has_value();
}

std::optional<Splat> find_splat(const Output& output, int depth) {
    if (depth == 0) return {};
    std::vector<const Node*> chain;  // from the output up
    const Node* node = &output.node();
    while (as_op<ops::Broadcast>(*node) == nullptr) {
        if (chain.size() == kMaxChain || node->input_count() == 0 || node->output_count() != 1) {
            return {};
        }
        chain.push_back(node);
        node = &node->input(0).node();
    }
    auto splat = broadcast_splat(*as_op<ops::Broadcast>(*node));
    for (auto each = chain.rbegin(); splat && each != chain.rend(); ++each) {
        if (!move_on(*splat, **each, depth)) splat.reset();
    }
    return splat;
}

}  // namespace

std::optional<Splat> splat_of(const Output& output) { return find_splat(output, kMaxDepth); }

}  // namespace rondo::passes
