// Random quantization. Only values with the same bits on every device are rounded to integers: a
// small difference before the rounding would be a large one after it.
#include "tests/random/recipes/node_parts.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

std::optional<Value> pick_matrix(ModelMaker& maker) {
    return maker.pick([](const Value& value) {
        return value.exact && value.rank() >= 2 && value.last().is_known() &&
               value.last().factor > 0;
    });
}

Value bytes(ModelMaker& maker, const Shape& shape) {
    return maker.chance(0.5)
               ? maker.constant(random_tensor(ElementType::u8, shape, maker.rng(), 100, 156))
               : maker.constant(random_tensor(ElementType::i8, shape, maker.rng(), -28, 28));
}

// The least and the greatest element give the scale: there is one.
std::optional<Value> pick_filled(ModelMaker& maker) {
    return maker.pick([&](const Value& value) {
        return value.exact && value.rank() >= 2 && value.last().is_known() &&
               maker.has_elements(value);
    });
}

// As exporters write a product whose weights have 8 bits.
bool dynamic_product(ModelMaker& maker) {
    const auto x = pick_filled(maker);
    if (!x) return false;
    auto parts = maker.add_all("DynamicQuantizeLinear", {*x}, {x->shape, {}, {}}, ElementType::u8);
    parts[1].type = ElementType::f32;
    maker.describe(parts[1]);
    const auto rows = static_cast<std::size_t>(x->last().factor);
    const auto columns = static_cast<std::size_t>(maker.number(1, 20));
    const Value weights = bytes(maker, {rows, columns});
    std::vector<Value> inputs{parts[0], weights, parts[2]};
    if (maker.chance(0.7)) {
        const Shape shape = maker.chance(0.5) ? Shape{} : Shape{columns};
        const double middle = weights.type == ElementType::u8 ? 128 : 0;
        inputs.push_back(maker.constant(
            random_tensor(weights.type, shape, maker.rng(), middle - 3, middle + 3)));
    }
    Extents shape = x->shape;
    shape.back() = known(static_cast<std::int64_t>(columns));
    const Value product = maker.add("MatMulInteger", inputs, shape, ElementType::i32);
    const Value floats = maker.add("Cast", {product}, shape, ElementType::f32,
                                   [](NodeBuilder& node) { node.with("to", 1); });
    maker.hide(floats);  // sums of some thousand
    const Value scale = maker.add("Mul", {parts[1], maker.filled({}, 0.003F)}, {});
    maker.bounded(maker.add("Mul", {floats, scale}, shape));
    return true;
}

// Rounded to 8 bits and back, by one scale or by one for each place on the last axis.
bool rounded(ModelMaker& maker) {
    const auto x = pick_matrix(maker);
    if (!x) return false;
    const bool by_axis = maker.chance(0.5);
    const Shape shape = by_axis ? Shape{static_cast<std::size_t>(x->last().factor)} : Shape{};
    const Value scale =
        maker.constant(random_tensor(ElementType::f32, shape, maker.rng(), 0.01, 0.03));
    const auto type = maker.chance(0.5) ? ElementType::u8 : ElementType::i8;
    const double middle = type == ElementType::u8 ? 128 : 0;
    const Value zero =
        maker.constant(random_tensor(type, shape, maker.rng(), middle - 9, middle + 9));
    const auto on_axis = [&](NodeBuilder& node) {
        if (by_axis) node.with("axis", -1);
    };
    const Value quantized = maker.add("QuantizeLinear", {*x, scale, zero}, x->shape, type, on_axis);
    maker.add("DequantizeLinear", {quantized, scale, zero}, x->shape, ElementType::f32, on_axis);
    return true;
}

// A convolution of bytes over the last axis, in one group, some, or one for each channel.
bool convolution_of_bytes(ModelMaker& maker) {
    const auto x = maker.pick([&](const Value& value) {
        return value.exact && value.rank() == 3 && value.shape[1].is_known() &&
               value.shape[1].factor > 0 && maker.is_filled(value.last());
    });
    if (!x) return false;
    const std::int64_t channels = x->shape[1].factor;
    std::int64_t groups = maker.number(1, channels);
    while (channels % groups != 0) --groups;
    const auto filters = static_cast<std::size_t>(groups * maker.number(1, 3));
    const std::int64_t reach = maker.number(0, 2);
    const auto type = maker.chance(0.5) ? ElementType::u8 : ElementType::i8;
    const Value x_scale = scale(maker), x_zero = zero_point(maker, type);
    const Value data = maker.add("QuantizeLinear", {*x, x_scale, x_zero}, x->shape, type);
    // onnxruntime has no product of signed data and unsigned weights.
    const Shape size{filters, static_cast<std::size_t>(channels / groups),
                     static_cast<std::size_t>(2 * reach + 1)};
    const Value weights =
        type == ElementType::u8
            ? bytes(maker, size)
            : maker.constant(random_tensor(ElementType::i8, size, maker.rng(), -28, 28));
    const auto attributes = [&](NodeBuilder& node) {
        node.with("group", groups).with("pads", std::vector<std::int64_t>{reach, reach});
    };
    Extents shape = x->shape;
    shape[1] = known(static_cast<std::int64_t>(filters));
    if (maker.chance(0.4)) {
        const Value sums =
            maker.add("ConvInteger", {data, weights, x_zero, zero_point(maker, weights.type)},
                      shape, ElementType::i32, attributes);
        const Value floats = maker.add("Cast", {sums}, shape, ElementType::f32,
                                       [](NodeBuilder& node) { node.with("to", 1); });
        maker.hide(floats);
        maker.bounded(maker.add("Mul", {floats, maker.filled({}, 1e-4F)}, shape));
        return true;
    }
    const Shape each = maker.chance(0.5) ? Shape{filters} : Shape{};
    const Value y_scale = maker.filled({}, 0.05F), y_zero = zero_point(maker, type);
    std::vector<Value> inputs{data, x_scale, x_zero, weights, scale(maker, each),
                              {},   y_scale, y_zero};
    inputs[5] = zero_point(maker, weights.type, each);
    if (maker.chance(0.5)) {
        inputs.push_back(
            maker.constant(random_tensor(ElementType::i32, {filters}, maker.rng(), -2000, 2000)));
    }
    const Value y = maker.add("QLinearConv", inputs, shape, type, attributes);
    maker.add("DequantizeLinear", {y, y_scale, y_zero}, shape);
    return true;
}

}  // namespace

std::vector<Recipe> quantization_recipes() {
    return {convolution_of_bytes, dynamic_product, rounded};
}

}  // namespace rondo::test
