// Random numbers that are certain, weights of a spectrum, n-grams and losses.
#include "tests/random/model_maker.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test {
namespace {

using Ints = std::vector<std::int64_t>;

// onnxruntime has no form of opset 22.
constexpr std::int64_t kLateRandom = 22;

bool one_number(ModelMaker& maker) {
    const auto x = maker.pick([](const Value& value) {
        return value.rank() >= 1 && value.last().is_known() && value.last().factor > 0;
    });
    if (!x || maker.opset() >= kLateRandom) return false;
    const bool is_normal = maker.chance(0.5);
    const Value drawn = maker.add(is_normal ? "RandomNormal" : "RandomUniform", {}, {x->last()},
                                  ElementType::f32, [&](NodeBuilder& node) {
                                      node.with("shape", Ints{x->last().factor});
                                      if (is_normal) {
                                          node.with("mean", 0.5F).with("scale", 1e-20F);
                                      } else {
                                          node.with("low", 0.75F).with("high", 0.75F);
                                      }
                                  });
    maker.add("Mul", {*x, drawn}, x->shape);
    return true;
}

// Chances of 0 and 1.
bool certain(ModelMaker& maker) {
    const auto x = maker.pick(
        [](const Value& value) { return value.exact && value.rank() >= 1 && value.rank() <= 4; });
    if (!x || maker.opset() >= kLateRandom) return false;
    const Value above =
        maker.add("Greater", {*x, maker.filled({}, 0)}, x->shape, ElementType::boolean);
    const Value chances = maker.add("Cast", {above}, x->shape, ElementType::f32,
                                    [](NodeBuilder& node) { node.with("to", 1); });
    const Value drawn = maker.add("Bernoulli", {chances}, x->shape);
    maker.add("Mul", {*x, drawn}, x->shape);
    return true;
}

// One class, which is drawn each time.
bool one_class(ModelMaker& maker) {
    const auto x = maker.pick([&](const Value& value) {
        return value.rank() == 2 && value.last().is_known() && maker.has_elements(value);
    });
    if (!x || maker.opset() >= kLateRandom) return false;
    const Value column = maker.add("Slice", {*x, maker.ints({0}), maker.ints({1}), maker.ints({1})},
                                   {x->shape[0], known(1)});
    const Value classes =
        maker.add("Multinomial", {column}, {x->shape[0], known(2)}, ElementType::i32,
                  [](NodeBuilder& node) { node.with("sample_size", 2); });
    const Value numbers = maker.add("Cast", {classes}, classes.shape, ElementType::f32,
                                    [](NodeBuilder& node) { node.with("to", 1); });
    maker.add("Add", {numbers, maker.filled({}, 0.25F)}, numbers.shape);
    return true;
}

bool mel_weights(ModelMaker& maker) {
    const auto x = maker.pick([](const Value& value) {
        return value.rank() >= 2 && value.last().is_known() && value.last().factor >= 2;
    });
    if (!x) return false;
    const std::int64_t bins = maker.number(1, 4), length = 2 * (x->last().factor - 1);
    const Value weights =
        maker.add("MelWeightMatrix",
                  {maker.int_scalar(bins), maker.int_scalar(length), maker.int_scalar(8000),
                   maker.filled({}, 20), maker.filled({}, 3900)},
                  {x->last(), known(bins)});
    Extents shape = x->shape;
    shape.back() = known(bins);
    maker.bounded(maker.add("MatMul", {*x, weights}, shape));
    return true;
}

// How often some pairs of ids follow each other.
bool n_grams(ModelMaker& maker) {
    const auto ids =
        maker.pick([](const Value& value) { return value.name == "ids"; }, ElementType::i64);
    if (!ids || !maker.has_elements(*ids)) return false;
    const char* const modes[] = {"TF", "IDF", "TFIDF"};
    const Value counts =
        maker.add("TfIdfVectorizer", {*ids}, {ids->shape[0], known(4)}, ElementType::f32,
                  [&](NodeBuilder& node) {
                      node.with("mode", modes[maker.number(0, 2)]);
                      node.with("min_gram_length", 1).with("max_gram_length", 2);
                      node.with("max_skip_count", maker.number(0, 1));
                      node.with("ngram_counts", Ints{0, 2}).with("ngram_indexes", Ints{0, 1, 2, 3});
                      node.with("pool_int64s", Ints{2, 3, 5, 4, 5, 6});
                      node.with("weights", std::vector<float>{0.5F, 0.25F, 1, 0.75F});
                  });
    maker.bounded(counts);
    return true;
}

bool likelihood_loss(ModelMaker& maker) {
    const auto x = maker.pick([](const Value& value) {
        return value.rank() == 2 && value.last().is_known() && value.last().factor > 0;
    });
    if (!x) return false;
    const Value shape = maker.add("Shape", {*x}, {known(2)}, ElementType::i64);
    const Value rows =
        maker.add("Slice", {shape, maker.ints({0}), maker.ints({1})}, {known(1)}, ElementType::i64);
    const Value labels =
        maker.add("Expand", {maker.int_scalar(maker.number(0, x->last().factor - 1)), rows},
                  {x->shape[0]}, ElementType::i64);
    std::vector<Value> inputs{*x, labels};
    if (maker.chance(0.5)) {
        inputs.push_back(maker.weights({static_cast<std::size_t>(x->last().factor)}));
    }
    maker.bounded(maker.add("NegativeLogLikelihoodLoss", inputs, {x->shape[0]}, ElementType::f32,
                            [](NodeBuilder& node) { node.with("reduction", "none"); }));
    return true;
}

}  // namespace

std::vector<Recipe> signal_recipes() {
    return {one_number, certain, one_class, mel_weights, n_grams, likelihood_loss};
}

}  // namespace rondo::test
