#include "transformations/precision/merge_converts.hpp"

#include "core/graph/rt_info_keys.hpp"
#include "core/ops/elementwise/convert.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/ops/movement/transpose.hpp"
#include "transformations/pass/constants.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

using ConvertPtr = std::shared_ptr<ops::Convert>;

bool holds_all(ElementType wide, ElementType narrow) {
    const bool is_half = narrow == ElementType::f16 || narrow == ElementType::bf16;
    if (wide == ElementType::f64) return is_half || narrow == ElementType::f32;
    if (wide == ElementType::f32) return is_half;
    return wide == ElementType::i64 && narrow == ElementType::i32;
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
        } else if (is_floating(type) && is_floating(narrow.element_type())) {
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
