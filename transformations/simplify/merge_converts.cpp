#include "transformations/simplify/merge_converts.hpp"

#include "core/graph/constants.hpp"
#include "core/graph/rt_info_keys.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

using ConvertPtr = std::shared_ptr<ops::Convert>;

bool is_unsigned(ElementType type) {
    return type == ElementType::boolean || type == ElementType::u64 || type == ElementType::u32 ||
           type == ElementType::u16 || type == ElementType::u8;
}

// The bits of the largest whole number up to which all are held, without the sign.
int digits_of(ElementType type) {
    if (type == ElementType::boolean) return 1;
    if (type == ElementType::f64) return 53;
    if (type == ElementType::f32) return 24;
    if (type == ElementType::f16) return 11;
    if (type == ElementType::bf16) return 8;
    const int bits = static_cast<int>(8 * size_of(type));
    return is_unsigned(type) ? bits : bits - 1;
}

bool is_whole(ElementType type) { return is_integral(type) || type == ElementType::boolean; }

bool holds_all(ElementType wide, ElementType narrow) {
    if (wide == narrow) return false;
    if (is_floating(narrow)) {
        const bool is_half = narrow == ElementType::f16 || narrow == ElementType::bf16;
        return (wide == ElementType::f64 || wide == ElementType::f32) &&
               (is_half || narrow == ElementType::f32);
    }
    if (!is_whole(narrow) || digits_of(narrow) > digits_of(wide)) return false;
    return is_floating(wide) || (is_integral(wide) && (is_unsigned(narrow) || !is_unsigned(wide)));
}

// Whether a Convert gives the same numbers without the one before it, which loses nothing. What
// doesn't fit an integer wraps where it comes from another, and is cut where it comes from floats.
bool may_skip(ElementType first, ElementType between, ElementType last) {
    if (is_narrow(last)) return false;
    if (is_floating(last) || last == ElementType::boolean) return true;
    return is_whole(first) && (is_integral(between) || holds_all(last, first));
}

// Computed, and no Convert of a file's weights.
bool is_plain(const ops::Convert& node) {
    return !known_value(node.input(0)) && !node.rt_info().contains(kDecompression);
}

// What a Convert that loses nothing reads; empty for another value.
Output before_widening(const Output& value) {
    const auto* convert = as_op<ops::Convert>(value.node());
    if (convert == nullptr || !is_plain(*convert)) return {};
    const Output& data = convert->input(0);
    return holds_all(value.element_type(), data.element_type()) ? data : Output();
}

bool moves_elements(const Node& node) {
    return as_op<ops::Slice>(node) != nullptr || as_op<ops::Gather>(node) != nullptr ||
           as_op<ops::Transpose>(node) != nullptr || node.traits().view;
}

void replace(const Output& old, const Output& by, Rewriter& rewriter) {
    if (rewriter.can_replace(old, by)) rewriter.replace(old, by);
}

// The same node on other data.
Output on_data(const Node& node, const Output& data, Rewriter& rewriter) {
    std::vector<Output> inputs = node.inputs();
    inputs[0] = data;
    return rewriter.clone(node, std::move(inputs));
}

void merge(ops::Convert& convert, Rewriter& rewriter) {
    if (!is_plain(convert)) return;
    const Output output = convert.output(0);
    const Output data = convert.input(0);
    const ElementType type = output.element_type();
    if (const Output narrow = before_widening(data)) {
        if (narrow.element_type() == type) {
            replace(output, narrow, rewriter);
        } else if (may_skip(narrow.element_type(), data.element_type(), type)) {
            rewriter.replace(output, rewriter.make<ops::Convert>(convert.name(), narrow, type));
        }
        return;
    }
    const Node& moved = data.node();
    if (!moves_elements(moved) || !has_sole_consumer(data)) return;
    if (const Output narrow = before_widening(moved.input(0));
        narrow && narrow.element_type() == type) {
        rewriter.replace(output, on_data(moved, narrow, rewriter));
    } else if (moved.traits().view && is_floating(type) && is_floating(data.element_type()) &&
               !known_value(moved.input(0))) {
        const Output made =
            rewriter.make<ops::Convert>(convert.name() + "/first", moved.input(0), type);
        rewriter.replace(output, on_data(moved, made, rewriter));
    }
}

}  // namespace

bool merge_converts(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<ops::Convert>([&](const ConvertPtr& node) { merge(*node, rewriter); });
    return rewriter.changed();
}

}  // namespace rondo::passes
