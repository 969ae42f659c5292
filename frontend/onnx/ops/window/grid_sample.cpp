// Converts GridSample.
#include "core/ops/window/grid_sample.hpp"

#include <string>

#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/normalization.hpp"
#include "frontend/onnx/ops/window/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kModesRenamedIn = 20;

struct ModeName {
    const char* name;
    const char* old_name;
    ops::GridMode mode;
};
constexpr ModeName kModes[] = {
    {"linear", "bilinear", ops::GridMode::bilinear},
    {"nearest", "nearest", ops::GridMode::nearest},
    {"cubic", "bicubic", ops::GridMode::bicubic},
};

ops::GridMode grid_mode_of(NodeContext& context) {
    const bool is_old = context.opset() < kModesRenamedIn;
    const auto text =
        context.attributes().find_string("mode").value_or(is_old ? "bilinear" : "linear");
    for (const ModeName& known : kModes) {
        if (text == (is_old ? known.old_name : known.name)) return known.mode;
    }
    throw ModelError("attribute 'mode' is '" + text + "'; expected " +
                     (is_old ? "bilinear, nearest or bicubic" : "linear, nearest or cubic"));
}

ops::GridPadding padding_of(NodeContext& context) {
    const auto text = context.attributes().find_string("padding_mode").value_or("zeros");
    for (const auto& [name, padding] : ops::kGridPaddings) {
        if (name == text) return padding;
    }
    throw ModelError("attribute 'padding_mode' is '" + text +
                     "'; expected zeros, border or reflection");
}

}  // namespace

// Integers are computed in floating point, and cut at the end.
std::vector<Output> convert_grid_sample(NodeContext& context) {
    const Output x = context.input(0);
    const Output grid = context.input(1);
    ops::GridRule rule;
    rule.mode = grid_mode_of(context);
    rule.padding = padding_of(context);
    rule.align_corners = context.attributes().flag("align_corners", false);
    const ElementType type = NodeContext::known_type(x, "X");
    const bool converts = rule.mode != ops::GridMode::nearest && is_integral(type);
    if (!converts) return {context.make<ops::GridSample>("", x, grid, rule)};
    const Output wide = make_converted(context, "wide", x, ElementType::f64);
    return {make_converted(context, "", context.make<ops::GridSample>("sampled", wide, grid, rule),
                           type)};
}

}  // namespace rondo::onnx
