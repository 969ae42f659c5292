// Random operators of 8-bit tensors that have a scale and a zero point each.
#include <array>

#include "tests/random/recipes/node_parts.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

using Ints = std::vector<std::int64_t>;

// Bytes, and the numbers that they mean.
struct Bytes {
    Value values, scale, zero_point;

    ElementType type() const { return values.type; }
    const Extents& shape() const { return values.shape; }
};

ElementType byte_type(ModelMaker& maker) {
    return maker.chance(0.5) ? ElementType::u8 : ElementType::i8;
}

Bytes quantized(ModelMaker& maker, const Value& x, ElementType type) {
    Bytes bytes{{}, scale(maker), zero_point(maker, type)};
    bytes.values = maker.add("QuantizeLinear", {x, bytes.scale, bytes.zero_point}, x.shape, type);
    return bytes;
}

std::optional<Value> pick_filled(ModelMaker& maker, std::size_t least, std::size_t most) {
    return maker.pick([&](const Value& value) {
        return value.exact && value.rank() >= least && value.rank() <= most &&
               value.last().is_known() && value.last().factor > 0 && maker.has_elements(value);
    });
}

void append(std::vector<Value>& inputs, const Bytes& bytes) {
    inputs.insert(inputs.end(), {bytes.values, bytes.scale, bytes.zero_point});
}

// The result of a node of com.microsoft, as numbers.
void add_result(ModelMaker& maker, const char* op, std::vector<Value> inputs, const Extents& shape,
                ElementType type, const std::function<void(NodeBuilder&)>& attributes = {}) {
    const Value to_scale = scale(maker, {}, 0.02, 0.05), to_zero = zero_point(maker, type);
    inputs.insert(inputs.end(), {to_scale, to_zero});
    Value y = maker.add(op, inputs, shape, type, [&](NodeBuilder& node) {
        node.domain("com.microsoft");
        if (attributes) attributes(node);
    });
    maker.add("DequantizeLinear", {y, to_scale, to_zero}, shape);
}

bool of_two(ModelMaker& maker) {
    const auto x = pick_filled(maker, 1, 4);
    if (!x) return false;
    const auto type = byte_type(maker);
    const Value other = *maker.pick_like(*x);
    std::vector<Value> inputs;
    append(inputs, quantized(maker, *x, type));
    append(inputs, quantized(maker, other.exact ? other : *x, type));
    add_result(maker, maker.chance(0.5) ? "QLinearAdd" : "QLinearMul", inputs, x->shape, type);
    return true;
}

bool function(ModelMaker& maker) {
    static constexpr std::array kOps = {"QLinearSigmoid", "QLinearLeakyRelu", "QLinearSoftmax"};
    const auto x = pick_filled(maker, 2, 3);
    if (!x) return false;
    const auto type = byte_type(maker);
    const auto kind = static_cast<std::size_t>(maker.number(0, 2));
    std::vector<Value> inputs;
    append(inputs, quantized(maker, *x, type));
    add_result(maker, kOps[kind], inputs, x->shape, type, [&](NodeBuilder& node) {
        if (kind == 1) node.with("alpha", 0.25F);
        if (kind == 2) node.with("opset", 13).with("axis", -1);
    });
    return true;
}

bool mean(ModelMaker& maker) {
    const auto x = pick_filled(maker, 3, 3);
    if (!x) return false;
    const auto type = byte_type(maker);
    std::vector<Value> inputs;
    append(inputs, quantized(maker, *x, type));
    const auto kind = maker.number(0, 2);
    const Extents one{x->shape[0], x->shape[1], known(1)};
    if (kind == 0) {
        add_result(maker, "QLinearGlobalAveragePool", inputs, one, type,
                   [](NodeBuilder& node) { node.with("channels_last", 0); });
    } else if (kind == 1) {
        add_result(maker, "QLinearReduceMean", inputs, one, type,
                   [](NodeBuilder& node) { node.with("axes", Ints{2}).with("keepdims", 1); });
    } else {
        add_result(maker, "QLinearAveragePool", inputs, x->shape, type, [](NodeBuilder& node) {
            node.with("kernel_shape", Ints{3}).with("pads", Ints{1, 1});
        });
    }
    return true;
}

bool joined(ModelMaker& maker) {
    const auto x = pick_filled(maker, 1, 3);
    if (!x) return false;
    const auto type = byte_type(maker);
    const Value to_scale = scale(maker), to_zero = zero_point(maker, type);
    std::vector<Value> inputs{to_scale, to_zero};
    append(inputs, quantized(maker, *x, type));
    append(inputs, quantized(maker, *x, type));
    Extents shape = x->shape;
    shape.back() = known(2 * x->last().factor);
    const Value y = maker.add("QLinearConcat", inputs, shape, type, [&](NodeBuilder& node) {
        node.domain("com.microsoft").with("axis", static_cast<std::int64_t>(x->rank()) - 1);
    });
    maker.add("DequantizeLinear", {y, to_scale, to_zero}, shape);
    return true;
}

bool chosen(ModelMaker& maker) {
    const auto x = pick_filled(maker, 1, 4);
    if (!x) return false;
    const auto type = byte_type(maker);
    const Value above =
        maker.add("Greater", {*x, maker.filled({}, 0.1F)}, x->shape, ElementType::boolean);
    std::vector<Value> inputs{above};
    append(inputs, quantized(maker, *x, type));
    append(inputs, quantized(maker, *x, type));
    add_result(maker, "QLinearWhere", inputs, x->shape, type);
    return true;
}

Bytes weights(ModelMaker& maker, const Shape& shape, ElementType type) {
    const bool is_unsigned = type == ElementType::u8;
    return {maker.constant(random_tensor(type, shape, maker.rng(), is_unsigned ? 100 : -28,
                                         is_unsigned ? 156 : 28)),
            scale(maker), zero_point(maker, type)};
}

// Products with the same type on both sides: onnxruntime lacks some mixed ones.
bool product(ModelMaker& maker) {
    const auto x = pick_filled(maker, 2, 2);
    if (!x) return false;
    const auto type = byte_type(maker);
    const std::int64_t columns = maker.number(1, 12);
    const Shape shape{static_cast<std::size_t>(x->last().factor),
                      static_cast<std::size_t>(columns)};
    const Extents result{x->shape[0], known(columns)};
    std::vector<Value> inputs;
    append(inputs, quantized(maker, *x, type));
    append(inputs, weights(maker, shape, type));
    const Value to_scale = scale(maker, {}, 0.02, 0.05), to_zero = zero_point(maker, type);
    const bool is_gemm = maker.chance(0.4);
    if (is_gemm) inputs.push_back({});
    inputs.insert(inputs.end(), {to_scale, to_zero});
    const Value y = maker.add(is_gemm ? "QGemm" : "QLinearMatMul", inputs, result, type,
                              [&](NodeBuilder& node) {
                                  if (is_gemm) node.domain("com.microsoft");
                              });
    maker.add("DequantizeLinear", {y, to_scale, to_zero}, result);
    return true;
}

// The weights alone have bytes, or the data too.
bool product_of_numbers(ModelMaker& maker) {
    const auto x = pick_filled(maker, 2, 3);
    if (!x) return false;
    const auto type = byte_type(maker);
    const std::int64_t columns = maker.number(1, 12);
    const Shape shape{static_cast<std::size_t>(x->last().factor),
                      static_cast<std::size_t>(columns)};
    Extents result = x->shape;
    result.back() = known(columns);
    const Bytes by = weights(maker, shape, type);
    std::vector<Value> inputs{*x, by.values, by.scale, by.zero_point};
    const bool is_dynamic = maker.chance(0.5);
    if (!is_dynamic) {
        const Bytes a = quantized(maker, *x, ElementType::u8);
        inputs = {a.values, by.values, a.scale, by.scale, a.zero_point, by.zero_point};
    }
    if (maker.chance(0.5)) inputs.push_back(maker.weights({static_cast<std::size_t>(columns)}));
    maker.bounded(maker.add(is_dynamic ? "DynamicQuantizeMatMul" : "MatMulIntegerToFloat", inputs,
                            result, ElementType::f32,
                            [](NodeBuilder& node) { node.domain("com.microsoft"); }));
    return true;
}

}  // namespace

std::vector<Recipe> bytes_recipes() {
    return {of_two, function, mean, joined, chosen, product, product_of_numbers};
}

}  // namespace rondo::test
