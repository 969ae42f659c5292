// Random operators that sample and arrange space.
#include <algorithm>
#include <cmath>

#include "tests/random/model_maker.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

using Ints = std::vector<std::int64_t>;

constexpr std::int64_t kResizeAxes = 18;
constexpr std::int64_t kGridModes = 20;

// A value with a known last axis.
std::optional<Value> pick_line(ModelMaker& maker, std::size_t least, std::size_t most) {
    return maker.pick([&](const Value& value) {
        return value.rank() >= least && value.rank() <= most && value.last().is_known() &&
               value.last().factor <= 16 && maker.has_elements(value);
    });
}

std::string one_of(ModelMaker& maker, const std::vector<std::string>& names) {
    return names[static_cast<std::size_t>(
        maker.number(0, static_cast<std::int64_t>(names.size()) - 1))];
}

// [a, b, w] as an image of one row.
Value as_image(ModelMaker& maker, const Value& x) {
    return maker.add("Unsqueeze", {x, maker.ints({2})},
                     {x.shape[0], x.shape[1], known(1), x.shape[2]});
}

// A constant [1, rest...] repeated along the first axis of x.
Value for_each_row(ModelMaker& maker, const Value& x, const Shape& rest, double bound) {
    const Value shape =
        maker.add("Shape", {x}, {known(static_cast<std::int64_t>(x.rank()))}, ElementType::i64);
    const Value rows =
        maker.add("Slice", {shape, maker.ints({0}), maker.ints({1})}, {known(1)}, ElementType::i64);
    Ints own(rest.begin(), rest.end());
    const Value wanted = maker.add(
        "Concat", {rows, maker.ints(own)}, {known(static_cast<std::int64_t>(rest.size()) + 1)},
        ElementType::i64, [](NodeBuilder& node) { node.with("axis", 0); });
    Shape single{1};
    single.insert(single.end(), rest.begin(), rest.end());
    Extents extents{x.shape[0]};
    for (const std::int64_t extent : own) extents.push_back(known(extent));
    return maker.add("Expand", {maker.weights(single, bound), wanted}, extents);
}

// The last axis by a factor that gives a whole extent, so that all runtimes agree on the corners.
bool resize_by_scales(ModelMaker& maker) {
    const auto x = maker.pick([&](const Value& value) {
        return value.rank() >= 2 && value.rank() <= 4 && value.last().factor <= 12 &&
               maker.has_elements(value);
    });
    if (!x) return false;
    const bool shrinks = x->last().is_known() && x->last().factor % 2 == 0 && maker.chance(0.4);
    const std::int64_t grows = maker.number(2, 3);
    std::vector<float> scales(x->rank(), 1);
    scales.back() = shrinks ? 0.5F : static_cast<float>(grows);
    Extents shape = x->shape;
    shape.back() = shrinks ? known(x->last().factor / 2) : known(grows) * x->last();
    const std::string mode = one_of(maker, {"nearest", "linear"});
    maker.add(
        "Resize", {*x, {}, maker.constant(tensor_of<float>({scales.size()}, scales))}, shape,
        ElementType::f32, [&](NodeBuilder& node) {
            node.with("mode", mode);
            node.with(
                "coordinate_transformation_mode",
                one_of(maker, {"half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"}));
            if (mode == "linear") return;
            node.with("nearest_mode",
                      one_of(maker, {"floor", "ceil", "round_prefer_ceil", "round_prefer_floor"}));
        });
    return true;
}

// Both axes of an image to any extents.
bool resize_to_sizes(ModelMaker& maker) {
    const auto x = pick_line(maker, 3, 3);
    if (!x || maker.opset() < kResizeAxes) return false;
    const Value image = as_image(maker, *x);
    const std::int64_t height = maker.number(1, 3), width = maker.number(1, 12);
    const std::string mode = one_of(maker, {"linear", "cubic", "nearest"});
    const bool filters = mode != "nearest" && maker.chance(0.3);
    maker.bounded(maker.add(
        "Resize", {image, {}, {}, maker.ints({height, width})},
        {x->shape[0], x->shape[1], known(height), known(width)}, ElementType::f32,
        [&](NodeBuilder& node) {
            node.with("mode", mode).with("axes", Ints{2, 3}).with("antialias", filters ? 1 : 0);
            if (mode == "cubic" && !filters && maker.chance(0.5)) node.with("exclude_outside", 1);
        }));
    return true;
}

bool grid_sample(ModelMaker& maker) {
    const auto x = pick_line(maker, 3, 3);
    if (!x || maker.opset() < kGridModes) return false;
    const auto height = static_cast<std::size_t>(maker.number(1, 3));
    const auto width = static_cast<std::size_t>(maker.number(1, 6));
    const Value grid = for_each_row(maker, *x, {height, width, 2}, 1.6);
    maker.bounded(
        maker.add("GridSample", {as_image(maker, *x), grid},
                  {x->shape[0], x->shape[1], known(static_cast<std::int64_t>(height)),
                   known(static_cast<std::int64_t>(width))},
                  ElementType::f32, [&](NodeBuilder& node) {
                      node.with("mode", one_of(maker, {"linear", "nearest", "cubic"}));
                      node.with("padding_mode", one_of(maker, {"zeros", "border", "reflection"}));
                      node.with("align_corners", maker.number(0, 1));
                  }));
    return true;
}

bool affine_grid(ModelMaker& maker) {
    const auto x = maker.pick([&](const Value& value) { return maker.has_elements(value); });
    if (!x || maker.opset() < kGridModes) return false;
    const Value mean = maker.add("ReduceMean", {maker.bounded(*x)}, {}, ElementType::f32,
                                 [](NodeBuilder& node) { node.with("keepdims", 0); });
    const Value theta =
        maker.add("Mul", {maker.weights({2, 2, 3}), mean}, {known(2), known(2), known(3)});
    const std::int64_t height = maker.number(2, 4), width = maker.number(2, 4);
    maker.bounded(
        maker.add("AffineGrid", {theta, maker.ints({2, 1, height, width})},
                  {known(2), known(height), known(width), known(2)}, ElementType::f32,
                  [&](NodeBuilder& node) { node.with("align_corners", maker.number(0, 1)); }));
    return true;
}

bool center_crop_pad(ModelMaker& maker) {
    const auto x = pick_line(maker, 1, 4);
    if (!x || maker.opset() < kResizeAxes) return false;
    const std::int64_t extent = maker.number(1, 9);
    Extents shape = x->shape;
    shape.back() = known(extent);
    maker.add("CenterCropPad", {*x, maker.ints({extent})}, shape, ElementType::f32,
              [](NodeBuilder& node) { node.with("axes", Ints{-1}); });
    return true;
}

// Two columns a block: neighbours overlap by one.
bool col2im(ModelMaker& maker) {
    const auto x = maker.pick([&](const Value& value) {
        return value.rank() == 3 && value.shape[1].is_known() && value.shape[1].factor > 0 &&
               value.shape[1].factor % 2 == 0 && value.last().is_known() &&
               maker.has_elements(value);
    });
    if (!x || maker.opset() < kResizeAxes) return false;
    const std::int64_t extent = x->last().factor + 1;
    maker.bounded(maker.add("Col2Im", {*x, maker.ints({1, extent}), maker.ints({1, 2})},
                            {x->shape[0], known(x->shape[1].factor / 2), known(1), known(extent)}));
    return true;
}

// Places of greatest elements: of a value that has the same bits everywhere.
bool unpool(ModelMaker& maker) {
    const auto x = maker.pick([&](const Value& value) {
        return value.exact && value.rank() == 3 && value.last().is_known() &&
               value.last().factor % 2 == 0 && maker.has_elements(value);
    });
    if (!x) return false;
    Extents half = x->shape;
    half.back() = known(x->last().factor / 2);
    const auto window = [](NodeBuilder& node) {
        node.with("kernel_shape", Ints{2}).with("strides", Ints{2});
    };
    auto pooled = maker.add_all("MaxPool", {*x}, {half, half}, ElementType::f32, window);
    pooled[1].type = ElementType::i64;
    maker.describe(pooled[1]);
    maker.add("MaxUnpool", {maker.bounded(pooled[0]), pooled[1]}, x->shape, ElementType::f32,
              window);
    return true;
}

// onnxruntime has no RoiAlign of opset 22.
bool roi_align(ModelMaker& maker) {
    const auto x = pick_line(maker, 3, 3);
    if (!x || maker.opset() >= 22) return false;
    const Value image = as_image(maker, *x);
    const auto width = static_cast<float>(x->last().factor);
    const Tensor regions =
        tensor_of<float>({2, 4}, {0, 0, width, 1, 0.3F, -0.4F, width / 2 + 1.3F, 2.2F});
    const std::int64_t rows = maker.number(1, 2), columns = maker.number(1, 3);
    maker.add("RoiAlign", {image, maker.constant(regions), maker.ints({0, 0})},
              {known(2), x->shape[1], known(rows), known(columns)}, ElementType::f32,
              [&](NodeBuilder& node) {
                  node.with("output_height", rows).with("output_width", columns);
                  node.with("sampling_ratio", maker.number(0, 2));
                  node.with("mode", one_of(maker, {"avg", "max"}));
                  node.with("coordinate_transformation_mode",
                            one_of(maker, {"half_pixel", "output_half_pixel"}));
              });
    return true;
}

// Boxes by scores that have the same bits everywhere; how many there are becomes a number.
bool non_max_suppression(ModelMaker& maker) {
    const auto scores = maker.pick([&](const Value& value) {
        return value.exact && value.rank() == 3 && value.last().is_known() &&
               maker.has_elements(value);
    });
    const auto other = maker.pick_of_rank(1, 3);
    if (!scores || !other) return false;
    const auto boxes = static_cast<std::size_t>(scores->last().factor);
    const Value all = for_each_row(maker, *scores, {boxes, 4}, 1);
    std::vector<Value> inputs{all, *scores, maker.ints({maker.number(1, 4)}),
                              maker.constant(tensor_of<float>({1}, {0.2F}))};
    if (maker.chance(0.5)) inputs.push_back(maker.constant(tensor_of<float>({1}, {0.1F})));
    const bool has_centers = maker.chance(0.3);
    Value rows =
        maker.add("NonMaxSuppression", inputs, {known(1), known(3)}, ElementType::i64,
                  [&](NodeBuilder& node) { node.with("center_point_box", has_centers ? 1 : 0); });
    rows.hidden = true;  // its shape isn't what was said
    maker.describe(rows);
    Value numbers = maker.add("Cast", {rows}, rows.shape, ElementType::f32,
                              [](NodeBuilder& node) { node.with("to", 1); });
    numbers.hidden = true;
    maker.describe(numbers);
    const Value sum = maker.add("ReduceSum", {numbers}, {}, ElementType::f32,
                                [](NodeBuilder& node) { node.with("keepdims", 0); });
    const Value scaled = maker.add("Mul", {sum, maker.filled({}, 0.01F)}, {});
    maker.add("Add", {maker.bounded(*other), scaled}, other->shape);
    return true;
}

}  // namespace

std::vector<Recipe> spatial_recipes() {
    return {resize_by_scales, resize_to_sizes, grid_sample, affine_grid,        center_crop_pad,
            col2im,           unpool,          roi_align,   non_max_suppression};
}

}  // namespace rondo::test
