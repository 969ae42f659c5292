// Random attention and other nodes of com.microsoft, as onnxruntime's tools write them.
#include "tests/random/recipes/elementwise_chain.hpp"
#include "tests/random/recipes/node_parts.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

// Q, K and V of one sequence, with heads in their last axis.
bool multi_head_attention(ModelMaker& maker) {
    const auto x = maker.pick_sequence();
    if (!x) return false;
    const std::int64_t heads = maker.number(1, 3), features = heads * maker.number(1, 4);
    const Value y = *maker.pick_like(*x);
    const Value q = maker.projected(*x, features), k = maker.projected(y, features);
    const Value v = maker.projected(y, maker.chance(0.7) ? features : heads * 2);
    std::vector<Value> inputs{q, k, v};
    const bool is_causal = maker.chance(0.4);
    if (maker.chance(0.5)) {
        inputs.push_back(maker.weights({static_cast<std::size_t>(2 * features + v.last().factor)}));
    }
    microsoft(maker, "MultiHeadAttention", inputs, v.shape, [&](NodeBuilder& node) {
        node.with("num_heads", heads).with("unidirectional", is_causal ? 1 : 0);
        if (maker.chance(0.3)) node.with("scale", 0.5F);
    });
    return true;
}

// With its projections. Large scores would make large differences of small ones.
bool attention(ModelMaker& maker) {
    const auto x = maker.pick_sequence();
    if (!x) return false;
    const std::int64_t heads = maker.number(1, 3), features = heads * maker.number(1, 4);
    const auto width = static_cast<std::size_t>(3 * features);
    Extents shape = x->shape;
    shape.back() = known(features);
    microsoft(maker, "Attention",
              {*x, maker.weights({x->width(), width}, 0.1), maker.weights({width})}, shape,
              [&](NodeBuilder& node) {
                  node.with("num_heads", heads).with("unidirectional", maker.chance(0.5) ? 1 : 0);
              });
    return true;
}

// Angles of up to 64 places.
bool rotary_embedding(ModelMaker& maker) {
    const auto x = maker.pick_sequence();
    if (!x || x->shape[1].n + x->shape[1].t + x->shape[1].k > 1 || x->shape[1].factor > 8) {
        return false;
    }
    const std::int64_t half = maker.number(1, 3), heads = maker.number(1, 3);
    const Value flat = maker.projected(*x, 2 * half * heads);
    const Shape angles{64, static_cast<std::size_t>(half)};
    microsoft(
        maker, "RotaryEmbedding",
        {flat, maker.ints({maker.number(0, 3)}), maker.weights(angles), maker.weights(angles)},
        flat.shape,
        [&](NodeBuilder& node) { node.with("interleaved", maker.chance(0.5) ? 1 : 0); });
    return true;
}

bool skip_simplified_normalization(ModelMaker& maker) {
    const auto x = maker.pick_sequence();
    if (!x) return false;
    const Value gamma = maker.weights({x->width()});
    microsoft(maker, "SkipSimplifiedLayerNormalization", {*x, *maker.pick_like(*x), gamma},
              x->shape, [](NodeBuilder& node) { node.with("epsilon", 0.1F); });
    return true;
}

bool fused_gemm(ModelMaker& maker) {
    const auto x = maker.pick([](const Value& value) {
        return value.rank() == 2 && value.last().is_known() && value.last().factor > 0;
    });
    if (!x) return false;
    const std::int64_t columns = maker.number(1, 9);
    const auto n = static_cast<std::size_t>(columns);
    const Extents shape{x->shape[0], known(columns)};
    const char* names[] = {"Relu", "Tanh", "Sigmoid", "LeakyRelu", "Elu", "Softsign"};
    const auto kind = static_cast<std::size_t>(maker.number(0, 5));
    maker.bounded(microsoft(maker, "FusedGemm",
                            {*x, maker.weights({x->width(), n}), maker.weights({n})}, shape,
                            [&](NodeBuilder& node) {
                                node.with("activation", names[kind]);
                                if (kind == 3 || kind == 4) node.with("activation_alpha", 0.3F);
                            }));
    return true;
}

// A product with weights of 4 bits in blocks of 16.
bool product_of_bits(ModelMaker& maker) {
    const auto x = maker.pick([](const Value& value) {
        return value.rank() >= 2 && value.last().is_known() && value.last().factor > 0;
    });
    if (!x) return false;
    const std::int64_t rows = maker.number(1, 9), columns = x->last().factor;
    const auto n = static_cast<std::size_t>(rows);
    const auto blocks = static_cast<std::size_t>((columns + 15) / 16);
    const Value bits =
        maker.constant(random_tensor(ElementType::u8, {n, blocks, 8}, maker.rng(), 0, 255));
    const Value scales =
        maker.constant(random_tensor(ElementType::f32, {n * blocks}, maker.rng(), 0.01, 0.05));
    Extents shape = x->shape;
    shape.back() = known(rows);
    maker.bounded(
        microsoft(maker, "MatMulNBits", {*x, bits, scales}, shape, [&](NodeBuilder& node) {
            node.with("K", columns).with("N", rows).with("block_size", 16);
        }));
    return true;
}

}  // namespace

std::vector<Recipe> attention_recipes() {
    return {multi_head_attention,          attention,  rotary_embedding,
            skip_simplified_normalization, fused_gemm, product_of_bits};
}

}  // namespace rondo::test
