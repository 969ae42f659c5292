// Converts Pad and CenterCropPad.
#include "core/ops/movement/movement_ops.hpp"

#include <optional>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/indexing/indexing_ops.hpp"
#include "core/support/strings.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kPadAxesSince = 18;
constexpr std::int64_t kWrapSince = 19;

struct PadAmounts {
    Output begin;
    Output end;
};

ops::PadMode pad_mode_of(NodeContext& by) {
    const std::string mode = by.attribute("mode", "constant");
    if (mode == "constant") return ops::PadMode::constant;
    if (mode == "edge") return ops::PadMode::edge;
    if (mode == "reflect") return ops::PadMode::reflect;
    if (mode == "wrap" && by.opset() >= kWrapSince) return ops::PadMode::wrap;
    throw ModelError("attribute 'mode' is '" + mode + "'; expected constant, reflect, edge or, " +
                     "since opset 19, wrap");
}

// All pads at the beginnings of the axes, then all at their ends.
PadAmounts known_pads(NodeContext& by, const Ints& pads) {
    if (pads.size() % 2 != 0) {
        throw ModelError("pads has " + counted(pads.size(), "element") +
                         "; expected two for each axis");
    }
    const auto middle = pads.begin() + static_cast<std::ptrdiff_t>(pads.size() / 2);
    return {by.ints(Ints(pads.begin(), middle)), by.ints(Ints(middle, pads.end()))};
}

PadAmounts pads_of_all_axes(NodeContext& by, const Output& pads) {
    if (const auto known = NodeContext::known_ints(pads)) return known_pads(by, *known);
    // com.microsoft's form may have one row of them.
    const bool is_row = pads.shape().has_rank() && pads.shape().rank() == 2;
    const auto parts = by.split(is_row ? by.reshape(pads, {-1}) : pads, 0, 2);
    return {parts[0], parts[1]};
}

// Nothing for axes that are known only at run time, or that belong to data of an unknown rank.
std::optional<std::vector<std::size_t>> known_axes(NodeContext& by, const Output& axes) {
    const auto known = NodeContext::known_ints(axes);
    const PartialShape& shape = by.input(0).shape();
    if (!known || !shape.has_rank()) return std::nullopt;
    return ops::distinct_axes(InferContext(by.name(), "Pad", {}), *known, shape.rank());
}

// Pads of 0 for all axes, in which those of the axes are written.
PadAmounts pads_of_open_axes(NodeContext& by, const Output& pads, const Output& axes) {
    const Output rank = by.shape_of(by.shape_of(by.input(0)));
    const Output none = by.broadcast(by.integer(0), rank);
    const auto parts = by.split(pads, 0, 2);
    const auto place = [&](const Output& part) {
        std::vector<Output> inputs{none, axes, part, by.integer(0)};
        return by.make<ops::ScatterElementsUpdate>(std::move(inputs), ops::ScatterReduction::none);
    };
    return {place(parts[0]), place(parts[1])};
}

// The numbers of a vector for named axes in places of their own, 0 for the other axes.
Output spread_over_axes(NodeContext& by, const Output& numbers,
                        const std::vector<std::size_t>& axes, std::size_t rank,
                        std::size_t first = 0) {
    Ints places(rank, -1);  // the 0 after them
    for (std::size_t i = 0; i < axes.size(); ++i) {
        places[axes[i]] = static_cast<std::int64_t>(first + i);
    }
    return by.gather(by.concat({numbers, by.ints({0})}, 0), by.ints(places), 0);
}

PadAmounts pads_of_axes(NodeContext& by, const Output& pads, const std::vector<std::size_t>& axes) {
    const std::size_t rank = by.input(0).shape().rank();
    const auto count = static_cast<std::int64_t>(2 * axes.size());
    NodeContext::check_shape(pads, {count}, "pads");
    const auto known = NodeContext::known_ints(pads);
    if (known || axes.empty()) {
        Ints all(2 * rank, 0);
        for (std::size_t i = 0; i < axes.size(); ++i) {
            all[axes[i]] = known->at(i);
            all[rank + axes[i]] = known->at(axes.size() + i);
        }
        return known_pads(by, all);
    }
    // An open shape is checked when it runs.
    const Output checked = pads.shape().is_static() ? pads : by.reshape(pads, {count});
    return {spread_over_axes(by, checked, axes, rank),
            spread_over_axes(by, checked, axes, rank, axes.size())};
}

std::vector<Output> padded_by(NodeContext& by, const PadAmounts& pads, const Output& value) {
    std::vector<Output> inputs{by.input(0), pads.begin, pads.end};
    const ops::PadMode mode = pad_mode_of(by);
    if (value && mode == ops::PadMode::constant) inputs.push_back(value);
    return {by.make<ops::Pad>(std::move(inputs), mode)};
}

// Before opset 11 pads and value are attributes; in opset 1 pads are called paddings.
std::vector<Output> convert_pads_attribute(NodeContext& by, const char* name) {
    const Ints pads = by.required_ints(name);
    const double value = by.attribute("value", 0.0F);
    Output pad_value;
    if (value != 0) {
        pad_value = by.number(NodeContext::known_type(by.input(0), "data"), value);
    }
    return padded_by(by, known_pads(by, pads), pad_value);
}

}  // namespace

std::vector<Output> convert_pad_1(NodeContext& by) {
    return convert_pads_attribute(by, "paddings");
}

std::vector<Output> convert_pad_2(NodeContext& by) { return convert_pads_attribute(by, "pads"); }

std::vector<Output> convert_pad_11(NodeContext& by) {
    const Output pads = by.input(1), given = by.optional_input(2);
    // Some exporters write the scalar as a vector of one element.
    const Output value = given ? by.scalar(given) : given;
    const Output axes = by.opset() >= kPadAxesSince ? by.optional_input(3) : Output();
    if (!axes) return padded_by(by, pads_of_all_axes(by, pads), value);
    const auto known = known_axes(by, axes);
    return padded_by(by, known ? pads_of_axes(by, pads, *known) : pads_of_open_axes(by, pads, axes),
                     value);
}

// Half of what is added or taken away, rounded towards zero, is at the beginning.
std::vector<Output> convert_center_crop_pad(NodeContext& by) {
    const Output data = by.input(0), shape = by.convert(by.input(1), ElementType::i64);
    Output growth;
    if (const auto named = by.attributes().find_ints("axes")) {
        const std::size_t rank = NodeContext::rank_of(data);
        const auto axes =
            ops::distinct_axes(InferContext(by.name(), "CenterCropPad", {}), *named, rank);
        NodeContext::check_shape(shape, {static_cast<std::int64_t>(axes.size())}, "shape");
        const Output own = by.gather(by.shape_of(data), by.ints(Ints(axes.begin(), axes.end())), 0);
        growth = spread_over_axes(by, by.subtract(shape, own), axes, rank);
    } else {
        growth = by.subtract(shape, by.shape_of(data));
    }
    auto half = std::make_shared<ops::Binary>(BinaryFunction::divide, growth, by.ints({2}));
    half->set_python_division(false);
    const Output begin = by.finish(half);
    return {by.pad(data, begin, by.subtract(growth, begin))};
}

}  // namespace rondo::onnx
