// Random nodes of com.microsoft that onnxruntime's optimiser writes.
#include <array>

#include "tests/random/recipes/node_parts.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

using Ints = std::vector<std::int64_t>;

std::optional<Value> pick_ranked(ModelMaker& maker, std::size_t least, std::size_t most) {
    return maker.pick([&](const Value& value) {
        return value.rank() >= least && value.rank() <= most && value.last().is_known() &&
               value.last().factor > 0;
    });
}

bool gelu(ModelMaker& maker) {
    static constexpr std::array kOps = {"Gelu", "QuickGelu", "FastGelu", "BiasGelu"};
    const auto x = pick_ranked(maker, 1, 4);
    if (!x) return false;
    const auto kind = static_cast<std::size_t>(maker.number(0, 3));
    std::vector<Value> inputs{*x};
    const bool has_bias = kind == 3 || (kind == 2 && maker.chance(0.5));
    if (has_bias) inputs.push_back(maker.weights({x->width()}));
    maker.bounded(microsoft(maker, kOps[kind], inputs, x->shape));
    return true;
}

// What diffusion models have: [N, S, C], a bias of C, and a residual or two halves. onnxruntime has
// them for GPUs alone.
bool bias_of_channels(ModelMaker& maker) {
    const auto x = pick_ranked(maker, 3, 3);
    if (!x) return false;
    const Value bias = maker.weights({x->width()});
    if (maker.chance(0.5)) {
        maker.bounded(microsoft(maker, "BiasAdd", {*x, bias, *maker.pick_like(*x)}, x->shape));
        return true;
    }
    if (x->last().factor % 2 != 0) return false;
    Extents shape = x->shape;
    shape.back() = known(x->last().factor / 2);
    maker.bounded(microsoft(maker, "BiasSplitGelu", {*x, bias}, shape));
    return true;
}

// Far from each other, so that no root is near 0.
bool distances(ModelMaker& maker) {
    const auto x = pick_ranked(maker, 2, 2);
    if (!x) return false;
    const auto rows = static_cast<std::size_t>(maker.number(1, 5));
    const Value far = maker.add("Add", {maker.bounded(*x), maker.filled({}, 3)}, x->shape);
    const bool is_root = maker.chance(0.5);
    const Value y = microsoft(
        maker, "CDist", {far, maker.weights({rows, x->width()})},
        {x->shape[0], known(static_cast<std::int64_t>(rows))},
        [&](NodeBuilder& node) { node.with("metric", is_root ? "euclidean" : "sqeuclidean"); });
    maker.bounded(maker.add("Mul", {y, maker.filled({}, 0.05F)}, y.shape));
    return true;
}

bool embeddings(ModelMaker& maker) {
    const auto ids =
        maker.pick([](const Value& value) { return value.name == "ids"; }, ElementType::i64);
    if (!ids) return false;
    const std::int64_t width = maker.number(2, 8);
    const auto w = static_cast<std::size_t>(width);
    const Value words = maker.add("Cast", {*ids}, ids->shape, ElementType::i32,
                                  [](NodeBuilder& node) { node.with("to", 6); });
    const Extents shape{ids->shape[0], ids->shape[1], known(width)};
    auto outputs = maker.add_all("EmbedLayerNormalization",
                                 {words,
                                  {},
                                  maker.weights({10, w}),
                                  maker.weights({64, w}),
                                  {},
                                  maker.weights({w}),
                                  maker.weights({w})},
                                 {shape, {ids->shape[0]}}, ElementType::f32, [](NodeBuilder& node) {
                                     node.domain("com.microsoft").with("epsilon", 0.1F);
                                 });
    outputs[1].type = ElementType::i32;
    maker.describe(outputs[1]);
    return true;
}

bool expand_dims(ModelMaker& maker) {
    const auto x = maker.pick_of_rank(1, 3);
    if (!x) return false;
    const std::int64_t axis = maker.number(0, static_cast<std::int64_t>(x->rank()));
    Extents shape = x->shape;
    shape.insert(shape.begin() + axis, known(1));
    const Value place = maker.constant(scalar_of<std::int32_t>(static_cast<std::int32_t>(axis)));
    microsoft(maker, "ExpandDims", {*x, place}, shape);
    return true;
}

// onnxruntime's form of operators that ONNX has too.
bool twins(ModelMaker& maker) {
    const auto x = pick_ranked(maker, 2, 3);
    if (!x || !maker.has_elements(*x)) return false;
    Extents shape = x->shape;
    const auto kind = maker.number(0, 2);
    if (kind == 0) {
        shape.back() = known(x->last().factor + 3);
        Ints pads(2 * x->rank(), 0);
        pads[x->rank() - 1] = 1;
        pads.back() = 2;
        microsoft(maker, "Pad", {*x, maker.ints(pads), maker.filled({}, 0.5F)}, shape);
    } else if (kind == 1) {
        shape.front() = known(2);
        const Value rows = maker.constant(tensor_of<std::int64_t>({2, 1}, {0, 0}));
        microsoft(maker, "GatherND", {*x, rows}, shape);
    } else {
        const Value stop = maker.filled({}, static_cast<float>(x->last().factor));
        const Value range = microsoft(
            maker, "Range", {maker.filled({}, 0), stop, maker.filled({}, 1)}, {x->last()});
        const Value small = maker.add("Mul", {range, maker.filled({}, 0.125F)}, range.shape);
        maker.add("Add", {maker.bounded(*x), small}, x->shape);
    }
    return true;
}

bool quantize_twins(ModelMaker& maker) {
    const auto x = maker.pick(
        [](const Value& value) { return value.exact && value.rank() >= 1 && value.rank() <= 4; });
    if (!x) return false;
    const Value scale = maker.filled({}, 0.025F);
    const Value zero = maker.constant(scalar_of<std::uint8_t>(120));
    const Value bytes =
        microsoft(maker, "QuantizeLinear", {*x, scale, zero}, x->shape, {}, ElementType::u8);
    microsoft(maker, "DequantizeLinear", {bytes, scale, zero}, x->shape);
    return true;
}

bool quantized_convolution(ModelMaker& maker) {
    const auto x = maker.pick([&](const Value& value) {
        return value.exact && value.rank() == 3 && value.shape[1].is_known() &&
               maker.has_elements(value);
    });
    if (!x) return false;
    const auto channels = static_cast<std::size_t>(x->shape[1].factor);
    const Value scale = maker.filled({}, 0.025F);
    const Value zero = maker.constant(scalar_of<std::uint8_t>(120));
    const Value data = maker.add("QuantizeLinear", {*x, scale, zero}, x->shape, ElementType::u8);
    const Value weights =
        maker.constant(random_tensor(ElementType::u8, {2, channels, 1}, maker.rng(), 100, 156));
    Extents shape = x->shape;
    shape[1] = known(2);
    const Value y_scale = maker.filled({}, 0.05F);
    const Value y =
        microsoft(maker, "QLinearConv", {data, scale, zero, weights, scale, zero, y_scale, zero},
                  shape, {}, ElementType::u8);
    maker.add("DequantizeLinear", {y, y_scale, zero}, shape);
    return true;
}

bool fused_convolution(ModelMaker& maker) {
    const auto x = maker.pick_channels();
    if (!x) return false;
    const auto channels = static_cast<std::size_t>(x->shape[1].factor);
    const auto filters = static_cast<std::size_t>(maker.number(1, 5));
    Extents shape = x->shape;
    shape[1] = known(static_cast<std::int64_t>(filters));
    static constexpr std::array kFunctions = {"Relu", "Tanh", "Sigmoid"};
    const char* function = kFunctions[static_cast<std::size_t>(maker.number(0, 2))];
    maker.bounded(microsoft(maker, "FusedConv",
                            {*x, maker.weights({filters, channels, 3}), maker.weights({filters})},
                            shape, [&](NodeBuilder& node) {
                                node.with("activation", function).with("pads", Ints{1, 1});
                            }));
    return true;
}

bool fused_product(ModelMaker& maker) {
    static constexpr std::array kOps = {"FusedMatMul", "TransposeMatMul", "FusedMatMulActivation"};
    const auto x = pick_ranked(maker, 2, 4);
    if (!x) return false;
    const std::int64_t columns = maker.number(1, 9);
    const auto c = static_cast<std::size_t>(columns);
    const bool turned = maker.chance(0.5);
    Extents shape = x->shape;
    shape.back() = known(columns);
    const auto kind = static_cast<std::size_t>(maker.number(0, 2));
    const Shape weights = turned ? Shape{c, x->width()} : Shape{x->width(), c};
    maker.bounded(
        microsoft(maker, kOps[kind], {*x, maker.weights(weights)}, shape, [&](NodeBuilder& node) {
            node.with("transB", turned ? 1 : 0).with("alpha", 0.75F);
            if (kind == 2) node.with("activation", "Relu");
        }));
    return true;
}

// [N, T, C] as an image of one row whose channels are last. onnxruntime takes bytes alone.
bool pool_with_channels_last(ModelMaker& maker) {
    const auto x = maker.pick([&](const Value& value) {
        return value.exact && value.rank() == 3 && value.last().is_known() &&
               maker.has_elements(value);
    });
    if (!x) return false;
    const Value zero = maker.constant(scalar_of<std::uint8_t>(120));
    const Value scale = maker.filled({}, 0.025F);
    const Value bytes = maker.add("QuantizeLinear", {*x, scale, zero}, x->shape, ElementType::u8);
    const Extents shape{x->shape[0], known(1), x->shape[1], x->shape[2]};
    const Value image = maker.add("Unsqueeze", {bytes, maker.ints({1})}, shape, ElementType::u8);
    const Value pooled = microsoft(
        maker, "NhwcMaxPool", {image}, shape,
        [](NodeBuilder& node) {
            node.with("kernel_shape", Ints{1, 2}).with("pads", Ints{0, 1, 0, 0});
        },
        ElementType::u8);
    maker.add("DequantizeLinear", {pooled, scale, zero}, shape);
    return true;
}

bool normalized_sum(ModelMaker& maker) {
    const auto x = pick_ranked(maker, 3, 3);
    if (!x) return false;
    const Shape shape{x->width()};
    std::vector<Value> inputs{*x, *maker.pick_like(*x), maker.weights(shape), maker.weights(shape)};
    if (maker.chance(0.5)) inputs.push_back(maker.weights(shape));
    microsoft(maker, "SkipLayerNormalization", inputs, x->shape,
              [](NodeBuilder& node) { node.with("epsilon", 0.1F); });
    return true;
}

bool simplified_normalization(ModelMaker& maker) {
    const auto x = pick_ranked(maker, 2, 4);
    if (!x) return false;
    maker.bounded(maker.add(
        "SimplifiedLayerNormalization", {*x, maker.weights({x->width()})}, x->shape,
        ElementType::f32, [](NodeBuilder& node) { node.with("epsilon", 0.1F).with("axis", -1); }));
    return true;
}

}  // namespace

std::vector<Recipe> microsoft_recipes() {
    return {gelu,
            bias_of_channels,
            distances,
            embeddings,
            expand_dims,
            twins,
            quantize_twins,
            quantized_convolution,
            fused_convolution,
            fused_product,
            pool_with_channels_last,
            normalized_sum,
            simplified_normalization};
}

}  // namespace rondo::test
