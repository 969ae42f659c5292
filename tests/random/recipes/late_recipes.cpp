// Random operators of ONNX's attention and of what newer models have instead of it.
#include "tests/random/model_maker.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

constexpr std::int64_t kAttentionSince = 23;
constexpr std::int64_t kTensorScatterSince = 24;
constexpr std::int64_t kLinearAttentionSince = 27;

bool late_attention(ModelMaker& maker) {
    const auto x = maker.pick_sequence();
    if (!x || maker.opset() < kAttentionSince) return false;
    const std::int64_t heads = maker.number(1, 2), groups = maker.number(1, 2);
    const std::int64_t size = maker.number(1, 4);
    const Value y = *maker.pick_like(*x);
    const Value q = maker.projected(*x, heads * groups * size);
    const Value k = maker.projected(y, heads * size), v = maker.projected(y, heads * size);
    maker.add("Attention", {q, k, v}, q.shape, ElementType::f32, [&](NodeBuilder& node) {
        node.with("q_num_heads", heads * groups).with("kv_num_heads", heads);
        node.with("is_causal", maker.number(0, 1));
        if (maker.chance(0.3)) node.with("softcap", 2.0F);
    });
    return true;
}

// Angles of a sequence of at most 64 places that begins at place 0.
bool late_rotary_embedding(ModelMaker& maker) {
    const auto x = maker.pick_sequence();
    if (!x || maker.opset() < kAttentionSince) return false;
    const Extent& length = x->shape[1];
    if (!length.is_known() || length.factor == 0 || length.factor > 16) return false;
    const std::int64_t heads = maker.number(1, 2), half = maker.number(1, 3);
    const Value flat = maker.projected(*x, heads * 2 * half);
    const Value cosines =
        maker.weights({static_cast<std::size_t>(length.factor), static_cast<std::size_t>(half)});
    const Value sines =
        maker.weights({static_cast<std::size_t>(length.factor), static_cast<std::size_t>(half)});
    // Rows of the angles: [N, length, half], one set for each row of the batch.
    const Value shape = maker.add("Shape", {*x}, {known(3)}, ElementType::i64);
    const Value rows =
        maker.add("Slice", {shape, maker.ints({0}), maker.ints({1})}, {known(1)}, ElementType::i64);
    const Value wanted =
        maker.add("Concat", {rows, maker.ints({length.factor, half})}, {known(3)}, ElementType::i64,
                  [](NodeBuilder& node) { node.with("axis", 0); });
    const Extents each{x->shape[0], length, known(half)};
    maker.add("RotaryEmbedding",
              {flat, maker.add("Expand", {cosines, wanted}, each),
               maker.add("Expand", {sines, wanted}, each)},
              flat.shape, ElementType::f32, [&](NodeBuilder& node) {
                  node.with("num_heads", heads).with("interleaved", maker.number(0, 1));
              });
    return true;
}

// Rows of a cache from place 0 on.
bool tensor_scatter(ModelMaker& maker) {
    const auto x = maker.pick([](const Value& value) {
        return value.rank() == 3 && value.shape[1].is_known() && value.shape[1].factor >= 2;
    });
    if (!x || maker.opset() < kTensorScatterSince) return false;
    Extents shape = x->shape;
    shape[1] = known(1);
    const Value row =
        maker.add("Slice", {*x, maker.ints({1}), maker.ints({2}), maker.ints({1})}, shape);
    maker.add(
        "TensorScatter", {*x, maker.bounded(row)}, x->shape, ElementType::f32,
        [&](NodeBuilder& node) { node.with("mode", maker.chance(0.5) ? "linear" : "circular"); });
    return true;
}

bool linear_attention(ModelMaker& maker) {
    const auto x = maker.pick_sequence();
    if (!x || maker.opset() < kLinearAttentionSince) return false;
    const std::int64_t heads = maker.number(1, 2), size = maker.number(1, 4);
    const Value q = maker.projected(*x, heads * size), k = maker.projected(*x, heads * size);
    const Value v = maker.projected(*x, heads * 2);
    const Extents state{x->shape[0], known(heads), known(size), known(2)};
    auto outputs = maker.add_all("LinearAttention", {q, k, v}, {v.shape, state}, ElementType::f32,
                                 [&](NodeBuilder& node) {
                                     node.with("q_num_heads", heads).with("kv_num_heads", heads);
                                     node.with("update_rule", "linear").with("scale", 0.5F);
                                 });
    maker.bounded(outputs[0]);
    return true;
}

// [N, channels, T], over the past alone.
bool causal_convolution(ModelMaker& maker) {
    const auto x = maker.pick([](const Value& value) {
        return value.rank() == 3 && value.shape[1].is_known() && value.shape[1].factor > 0;
    });
    if (!x || maker.opset() < kLinearAttentionSince) return false;
    const auto channels = static_cast<std::size_t>(x->shape[1].factor);
    const std::int64_t reach = maker.number(1, 4);
    std::vector<Value> inputs{*x, maker.weights({channels, 1, static_cast<std::size_t>(reach)})};
    if (maker.chance(0.5)) inputs.push_back(maker.weights({channels}));
    auto outputs = maker.add_all(
        "CausalConvWithState", inputs, {x->shape, {x->shape[0], x->shape[1], known(reach - 1)}},
        ElementType::f32,
        [&](NodeBuilder& node) { node.with("activation", maker.chance(0.5) ? "silu" : "none"); });
    maker.bounded(outputs[0]);
    return true;
}

}  // namespace

std::vector<Recipe> late_recipes() {
    return {late_attention, late_attention,   late_rotary_embedding,
            tensor_scatter, linear_attention, causal_convolution};
}

}  // namespace rondo::test
