// Converts Pad.
#include "core/ops/movement/pad.hpp"

#include <optional>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/indexing/scatters.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/support/strings.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/movement/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using Ints = std::vector<std::int64_t>;

constexpr std::int64_t kAxesSince = 18;
constexpr std::int64_t kWrapSince = 19;

struct Pads {
    Output begin;
    Output end;
};

ops::PadMode pad_mode_of(NodeContext& context) {
    const std::string mode = context.attributes().find_string("mode").value_or("constant");
    if (mode == "constant") return ops::PadMode::constant;
    if (mode == "edge") return ops::PadMode::edge;
    if (mode == "reflect") return ops::PadMode::reflect;
    if (mode == "wrap" && context.opset() >= kWrapSince) return ops::PadMode::wrap;
    throw ModelError("attribute 'mode' is '" + mode + "'; expected constant, reflect, edge or, " +
                     "since opset 19, wrap");
}

// All pads at the beginnings of the axes, then all at their ends.
Pads known_pads(NodeContext& context, const Ints& pads) {
    if (pads.size() % 2 != 0) {
        throw ModelError("pads has " + counted(pads.size(), "element") +
                         "; expected two for each axis");
    }
    const auto middle = pads.begin() + static_cast<std::ptrdiff_t>(pads.size() / 2);
    return {make_ints(context, "pads_begin", Ints(pads.begin(), middle)),
            make_ints(context, "pads_end", Ints(middle, pads.end()))};
}

Pads pads_of_all_axes(NodeContext& context, const Output& pads) {
    if (const auto known = NodeContext::known_ints(pads)) return known_pads(context, *known);
    // com.microsoft's form may have one row of them.
    const bool is_row = pads.shape().has_rank() && pads.shape().rank() == 2;
    const auto parts = make_split(context, "pads", pads, is_row ? 1 : 0, 2);
    if (is_row) {
        return {make_reshape(context, "pads_begin", parts[0], {-1}),
                make_reshape(context, "pads_end", parts[1], {-1})};
    }
    return {parts[0], parts[1]};
}

// Nothing for axes that are known only at run time, or that belong to data of an unknown rank.
std::optional<std::vector<std::size_t>> known_axes(NodeContext& context, const Output& axes) {
    const auto known = NodeContext::known_ints(axes);
    const PartialShape& shape = context.input(0).shape();
    if (!known || !shape.has_rank()) return std::nullopt;
    return ops::distinct_axes(InferContext(context.name(), "Pad", {}), *known, shape.rank());
}

// Pads of 0 for all axes, in which those of the axes are written.
Pads pads_of_open_axes(NodeContext& context, const Output& pads, const Output& axes) {
    const Output shape = make_shape_of(context, "shape", context.input(0));
    const Output none = make_broadcast(context, "no_pads", make_int_scalar(context, "no_pad", 0),
                                       make_shape_of(context, "rank", shape));
    const auto parts = make_split(context, "pads", pads, 0, 2);
    const auto place = [&](const char* role, const Output& part) -> Output {
        std::vector<Output> inputs{none, axes, part,
                                   make_int_scalar(context, std::string(role) + "/axis", 0)};
        return context.make<ops::ScatterElementsUpdate>(role, std::move(inputs),
                                                        ops::ScatterReduction::none);
    };
    return {place("pads_begin", parts[0]), place("pads_end", parts[1])};
}

// Where the pads of each axis stand among the pads and one 0 behind them: -1 is the 0.
Ints places_of(const std::vector<std::size_t>& axes, std::size_t rank, std::size_t first) {
    Ints places(rank, -1);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        places[axes[i]] = static_cast<std::int64_t>(first + i);
    }
    return places;
}

Pads pads_of_axes(NodeContext& context, const Output& pads, const std::vector<std::size_t>& axes) {
    const std::size_t rank = context.input(0).shape().rank();
    const auto count = static_cast<std::int64_t>(2 * axes.size());
    NodeContext::check_shape(pads, {count}, "pads");
    const auto known = NodeContext::known_ints(pads);
    if (known || axes.empty()) {
        Ints all(2 * rank, 0);
        for (std::size_t i = 0; i < axes.size(); ++i) {
            all[axes[i]] = known->at(i);
            all[rank + axes[i]] = known->at(axes.size() + i);
        }
        return known_pads(context, all);
    }
    // An open shape is checked when it runs.
    const Output checked = pads.shape().is_static()
                               ? pads
                               : Output(make_reshape(context, "pads_of_axes", pads, {count}));
    const Output all =
        make_concat(context, "pads", {checked, make_ints(context, "no_pad", {0})}, 0);
    const auto choose = [&](const char* role, std::size_t first) -> Output {
        const std::string name(role);
        return context.make<ops::Gather>(
            name, all, make_ints(context, name + "/places", places_of(axes, rank, first)),
            make_int_scalar(context, name + "/axis", 0));
    };
    return {choose("pads_begin", 0), choose("pads_end", axes.size())};
}

std::vector<Output> make_pad(NodeContext& context, const Pads& pads, const Output& value) {
    std::vector<Output> inputs{context.input(0), pads.begin, pads.end};
    const ops::PadMode mode = pad_mode_of(context);
    if (value && mode == ops::PadMode::constant) inputs.push_back(value);
    return {context.make<ops::Pad>("", std::move(inputs), mode)};
}

// Before opset 11 pads and value are attributes; in opset 1 pads are called paddings.
std::vector<Output> convert_pads_attribute(NodeContext& context, const char* name) {
    const auto pads = context.attributes().find_ints(name);
    if (!pads) throw ModelError("attribute '" + std::string(name) + "' is missing");
    const float value = context.attributes().find_float("value").value_or(0.0F);
    Output pad_value;
    if (value != 0) {
        const ElementType type = NodeContext::known_type(context.input(0), "data");
        pad_value = make_filled(context, "pad_value", type, {}, static_cast<double>(value));
    }
    return make_pad(context, known_pads(context, *pads), pad_value);
}

}  // namespace

std::vector<Output> convert_pad_1(NodeContext& context) {
    return convert_pads_attribute(context, "paddings");
}

std::vector<Output> convert_pad_2(NodeContext& context) {
    return convert_pads_attribute(context, "pads");
}

std::vector<Output> convert_pad_11(NodeContext& context) {
    const Output pads = context.input(1);
    Output value = context.optional_input(2);
    // Some exporters write the scalar as a vector of one element.
    if (value && value.shape() != PartialShape(Shape{})) {
        value = make_reshape(context, "pad_value", value, {});
    }
    const Output axes = context.opset() >= kAxesSince ? context.optional_input(3) : Output();
    if (!axes) return make_pad(context, pads_of_all_axes(context, pads), value);
    const auto known = known_axes(context, axes);
    return make_pad(
        context,
        known ? pads_of_axes(context, pads, *known) : pads_of_open_axes(context, pads, axes),
        value);
}

}  // namespace rondo::onnx
