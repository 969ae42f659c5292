// Random quantization. Only values with the same bits on every device are rounded to integers: a
// small difference before the rounding would be a large one behind it.
#include "tests/random/model_maker.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

std::optional<Value> pick_exact(ModelMaker& maker) {
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

// As exporters write a product whose weights have 8 bits.
bool dynamic_product(ModelMaker& maker) {
    const auto x = pick_exact(maker);
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
    const Value scale = maker.add("Mul", {parts[1], maker.filled({}, 0.003F)}, {});
    maker.bounded(maker.add("Mul", {floats, scale}, shape));
    return true;
}

// Rounded to 8 bits and back, by one scale or by one for each place on the last axis.
bool rounded(ModelMaker& maker) {
    const auto x = pick_exact(maker);
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

}  // namespace

std::vector<Recipe> quantization_recipes() { return {dynamic_product, rounded}; }

}  // namespace rondo::test
