#include "transformations/simplify/passes.hpp"

#include <algorithm>

#include "core/extents/extent_origin.hpp"
#include "core/graph/constants.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "transformations/analysis/make_shape.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

using Pattern = std::vector<std::int64_t>;

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
    const auto integers = IntegerReader().read(node.output(0));
    if (!integers) return;
    Shape numbers;
    for (const Integer& integer : *integers) {
        const auto number = integer ? integer->number() : std::nullopt;
        if (!number || *number < 0) return;
        numbers.push_back(static_cast<std::size_t>(*number));
    }
    const Tensor value = ops::shape_tensor(numbers, type).reshaped(shape.to_shape());
    rewriter.replace(node.output(0), rewriter.make_constant(node.name(), value));
}

// A Reshape's pattern while its elements are settled one after the other.
class PatternMaker {
public:
    PatternMaker(const ops::Reshape& reshape, std::vector<ExtentSum> elements)
        : data_(reshape.input(0)),
          special_zero_(reshape.special_zero()),
          elements_(std::move(elements)) {}

    /// A constant pattern for a Reshape with special_zero, or nothing.
    std::optional<Pattern> make() {
        for (const ExtentSum& element : elements_) {
            const bool may_be_zero = special_zero_ && pattern_.size() < data_.shape().rank();
            const std::int64_t least = may_be_zero ? -1 : 1;
            const auto number = element.number();
            if (number && *number < least && *number != -1) return {};
            pattern_.push_back(number.value_or(kOpen));
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

    // Without special_zero, an extent of 0 beside a -1 means something else than a copied one.
    bool may_copy(std::size_t axis) const {
        return special_zero_ || !has_rest() || data_.shape()[axis].min() > 0;
    }

    // An extent of data that stays at its place is a 0.
    void copy_extents() {
        const std::size_t count = std::min(pattern_.size(), data_.shape().rank());
        for (std::size_t i = 0; i < count; ++i) {
            const bool copies = pattern_[i] == kOpen && elements_[i] == extent_of(data_, i);
            if (copies && may_copy(i)) pattern_[i] = 0;
        }
    }

    // The product of the extents of data that aren't copied. Returns nothing if one is known as 0.
    std::optional<ExtentSum> moved_extents() const {
        std::optional<ExtentSum> moved = ExtentSum(1);
        for (std::size_t i = 0; moved && i < data_.shape().rank(); ++i) {
            if (i < pattern_.size() && pattern_[i] == 0) continue;
            const ExtentSum extent = extent_of(data_, i);
            moved = extent == ExtentSum() ? std::nullopt : moved->times(extent);
        }
        return moved;
    }

    // The only element that is no number is what is left of data, which is certain if all numbers
    // fit.
    bool settle_last() {
        const auto at = static_cast<std::size_t>(
            std::find(pattern_.begin(), pattern_.end(), kOpen) - pattern_.begin());
        const auto moved = moved_extents();
        if (has_rest() || !moved) return false;
        // With special_zero a computed 0 copies the extent at its place.
        if (special_zero_ && moved->range().least < 1) return false;
        std::optional<ExtentSum> asked = elements_[at];
        for (const std::int64_t extent : pattern_) {
            if (asked && extent > 0) asked = asked->times(extent);
        }
        pattern_[at] = -1;
        return asked == moved;
    }

    Output data_;
    bool special_zero_;
    std::vector<ExtentSum> elements_;
    Pattern pattern_;
};

void settle_pattern(ops::Reshape& reshape, Rewriter& rewriter) {
    const Output& pattern = reshape.input(1);
    if (known_value(pattern) || !reshape.input(0).shape().has_rank()) return;
    const auto integers = IntegerReader().read(pattern);
    std::vector<ExtentSum> elements;
    for (const Integer& integer : integers.value_or(Integers{})) {
        if (!integer) return;
        elements.push_back(with_origins(*integer));
    }
    if (!integers) return;
    const auto settled = PatternMaker(reshape, std::move(elements)).make();
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

bool fold_shapes(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<Node>([&](const auto& node) {
        // What was settled before it may say more of its extents.
        if (rewriter.changed()) node->validate();
        settle(*node, rewriter);
    });
    return rewriter.changed();
}

}  // namespace rondo::passes
