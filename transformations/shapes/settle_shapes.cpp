#include "transformations/shapes/passes.hpp"

#include <algorithm>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/broadcast.hpp"
#include "core/ops/movement/concat.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/ops/movement/strided_slice.hpp"
#include "core/ops/reduction/reduce.hpp"
#include "core/ops/source/shape_of.hpp"
#include "transformations/common/extent_origin.hpp"
#include "transformations/pass/constants.hpp"
#include "transformations/pass/rewriter.hpp"
#include "transformations/shapes/extents.hpp"

namespace rondo::passes {
namespace {

using Pattern = std::vector<std::int64_t>;

constexpr std::int64_t kMostExtent = std::int64_t{1} << 24;

bool makes_extents(const Node& node) {
    return as_op<ops::Concat>(node) != nullptr || as_op<ops::Gather>(node) != nullptr ||
           as_op<ops::Slice>(node) != nullptr || as_op<ops::StridedSlice>(node) != nullptr ||
           as_op<ops::Binary>(node) != nullptr || as_op<ops::Select>(node) != nullptr ||
           as_op<ops::Reduce>(node) != nullptr;
}

// A vector of numbers, or a single one.
void settle_vector(Node& node, Rewriter& rewriter) {
    const ElementType type = node.output_type(0);
    const PartialShape& shape = node.output_shape(0);
    const bool is_integer = type == ElementType::i64 || type == ElementType::i32;
    if (!makes_extents(node) || !is_integer || !shape.is_static() || shape.rank() > 1) return;
    constexpr std::size_t kMost = 64;
    Shape numbers;
    for (std::size_t i = 0; i < element_count(shape.to_shape()); ++i) {
        const auto element = i < kMost ? shape_element(node.output(0), i) : std::nullopt;
        if (!element || !element->number || *element->number < 0) return;
        numbers.push_back(static_cast<std::size_t>(*element->number));
    }
    const Tensor value = ops::shape_tensor(numbers, type).reshaped(shape.to_shape());
    rewriter.replace(node.output(0), rewriter.make_constant(node.name(), value));
}

std::optional<std::vector<ShapeProduct>> shape_products(const Output& vector) {
    const PartialShape& shape = vector.shape();
    if (!shape.has_rank() || shape.rank() != 1 || !shape[0].is_static()) return {};
    constexpr std::int64_t kMost = 64;
    if (shape[0].length() > kMost) return {};
    std::vector<ShapeProduct> products;
    for (std::int64_t i = 0; i < shape[0].length(); ++i) {
        auto product = shape_product(vector, static_cast<std::size_t>(i));
        if (!product) return {};
        products.push_back(std::move(*product));
    }
    return products;
}

// The same extents in any order, wherever they are read from.
bool same_extents_in_any_order(const std::vector<ShapeElement>& some,
                               std::vector<ShapeElement> others) {
    for (const ShapeElement& one : some) {
        const auto origin = origin_of_extent(one.tensor, one.axis);
        const auto same =
            std::find_if(others.begin(), others.end(), [&](const ShapeElement& other) {
                return origin_of_extent(other.tensor, other.axis) == origin;
            });
        if (same == others.end()) return false;
        others.erase(same);
    }
    return others.empty();
}

// A Reshape's pattern while its elements are settled one after the other.
class PatternMaker {
public:
    PatternMaker(const ops::Reshape& reshape, std::vector<ShapeProduct> elements)
        : data_(reshape.input(0)),
          special_zero_(reshape.special_zero()),
          elements_(std::move(elements)) {}

    /// A constant pattern for a Reshape with special_zero, or nothing.
    std::optional<Pattern> make() {
        for (const ShapeProduct& element : elements_) {
            const bool may_be_zero = special_zero_ && pattern_.size() < data_.shape().rank();
            const std::int64_t least = may_be_zero ? -1 : 1;
            if (element.is_number() && element.number < least && element.number != -1) return {};
            pattern_.push_back(element.is_number() ? element.number : kOpen);
        }
        copy_extents();
        const auto open = std::count(pattern_.begin(), pattern_.end(), kOpen);
        if (open == 0) return pattern_;
        return open == 1 && settle_last() ? std::optional(pattern_) : std::nullopt;
    }

private:
    static constexpr std::int64_t kOpen = -2;

    bool has_rest() const {
        return std::find(pattern_.begin(), pattern_.end(), -1) != pattern_.end();
    }

    bool is_extent(const ShapeProduct& element, std::size_t axis) const {
        return element.number == 1 &&
               same_extents_in_any_order(element.extents, {{{}, data_, axis}});
    }

    // Without special_zero, an extent of 0 beside a -1 means something else than a copied one.
    bool may_copy(std::size_t axis) const {
        return special_zero_ || !has_rest() || data_.shape()[axis].min() > 0;
    }

    // An extent of data that stays at its place is a 0.
    void copy_extents() {
        const std::size_t count = std::min(pattern_.size(), data_.shape().rank());
        for (std::size_t i = 0; i < count; ++i) {
            if (pattern_[i] == kOpen && is_extent(elements_[i], i) && may_copy(i)) pattern_[i] = 0;
        }
    }

    // The product of the axes of data that aren't copied; nothing where a known one is 0 or large.
    std::optional<ShapeProduct> moved_extents() const {
        ShapeProduct moved;
        for (std::size_t i = 0; i < data_.shape().rank(); ++i) {
            if (i < pattern_.size() && pattern_[i] == 0) continue;
            const ShapeElement extent = extent_element(data_, i);
            if (!extent.number) {
                moved.extents.push_back(extent);
            } else if (*extent.number < 1 || *extent.number > kMostExtent ||
                       moved.number > kMostExtent) {
                return {};
            } else {
                moved.number *= *extent.number;
            }
        }
        return moved;
    }

    // The only element that is no number is what is left of data, which is certain if all numbers
    // fit.
    bool settle_last() {
        const auto at = static_cast<std::size_t>(
            std::find(pattern_.begin(), pattern_.end(), kOpen) - pattern_.begin());
        const auto moved = moved_extents();
        if (has_rest() || !moved ||
            !same_extents_in_any_order(elements_[at].extents, moved->extents)) {
            return false;
        }
        // With special_zero a computed 0 copies the extent at its place.
        const bool may_be_zero = std::any_of(
            moved->extents.begin(), moved->extents.end(),
            [](const auto& extent) { return extent.tensor.shape()[extent.axis].min() < 1; });
        if (special_zero_ && may_be_zero) return false;
        std::int64_t asked = elements_[at].number;
        for (const std::int64_t extent : pattern_) {
            if (extent > kMostExtent || asked > kMostExtent) return false;
            if (extent > 0) asked *= extent;
        }
        pattern_[at] = -1;
        return asked == moved->number;
    }

    Output data_;
    bool special_zero_;
    std::vector<ShapeProduct> elements_;
    Pattern pattern_;
};

void settle_pattern(ops::Reshape& reshape, Rewriter& rewriter) {
    const Output& pattern = reshape.input(1);
    if (known_value(pattern) || !reshape.input(0).shape().has_rank()) return;
    auto elements = shape_products(pattern);
    if (!elements) return;
    const auto settled = PatternMaker(reshape, std::move(*elements)).make();
    if (!settled) return;
    const std::string& name = reshape.name();
    const Output ints = rewriter.make_ints(name + "/pattern", *settled);
    rewriter.replace(reshape.output(0),
                     rewriter.make<ops::Reshape>(name, reshape.input(0), ints, true));
}

void settle_target(ops::Broadcast& broadcast, Rewriter& rewriter) {
    if (is_made_shape(broadcast.input(1))) return;
    const auto elements = shape_elements(broadcast.input(1));
    if (!elements) return;
    std::vector<Output> inputs = broadcast.inputs();
    inputs[1] = make_shape(rewriter, *elements, broadcast.name() + "/shape");
    rewriter.replace(broadcast.output(0), rewriter.clone(broadcast, std::move(inputs)));
}

void settle(Node& node, Rewriter& rewriter) {
    if (auto* reshape = dynamic_cast<ops::Reshape*>(&node)) {
        settle_pattern(*reshape, rewriter);
    } else if (auto* broadcast = dynamic_cast<ops::Broadcast*>(&node)) {
        settle_target(*broadcast, rewriter);
    } else if (node.input_count() > 0 && node.output_count() == 1) {
        settle_vector(node, rewriter);
    }
}

}  // namespace

bool settle_shapes(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<Node>([&](const auto& node) { settle(*node, rewriter); });
    return rewriter.changed();
}

}  // namespace rondo::passes
