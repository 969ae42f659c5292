#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::tf_idf_vectorizer_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::NodeBuilder;
using test::tensor_of;
using Ints = std::vector<std::int64_t>;

struct Lengths {
    int least = 1, most = 2, skips = 0;
};

ModelBuilder vectorizer(const char* mode, const Ints& places, const Lengths& lengths = {},
                        const PartialShape& shape = {-1}) {
    ModelBuilder model(9);
    model.input("x", ElementType::i64, shape).output("y");
    model.node("TfIdfVectorizer", {"x"}, {"y"})
        .with("mode", mode)
        .with("ngram_indexes", places)
        .with("ngram_counts", Ints{0, 3})
        .with("pool_int64s", Ints{2, 3, 5, 2, 3, 3, 2})
        .with("min_gram_length", lengths.least)
        .with("max_gram_length", lengths.most)
        .with("max_skip_count", lengths.skips);
    return model;
}

NodeBuilder node(ModelBuilder& model) { return NodeBuilder(*model.graph().mutable_node(0)); }

const Tensor kX = tensor_of<std::int64_t>({7}, {2, 3, 2, 5, 3, 2, 3});

void expect_vector(const ModelBuilder& model, const std::vector<float>& expected) {
    expect_same(model.run({kX}).at(0), tensor_of<float>({expected.size()}, expected));
}

// Peer: onnxruntime 1.32.
TEST(OnnxTfIdfVectorizer, CountsAndWeighs) {
    const Ints turned{4, 1, 0, 2, 3};
    const std::vector<float> weights{10, 20, 30, 40, 50};
    expect_vector(vectorizer("TF", turned), {1, 3, 2, 2, 3});
    auto idf = vectorizer("IDF", turned);
    node(idf).with("weights", weights);
    expect_vector(idf, {30, 20, 40, 50, 10});
    auto both = vectorizer("TFIDF", turned);
    node(both).with("weights", weights);
    expect_vector(both, {30, 60, 80, 100, 30});
    expect_vector(vectorizer("TF", {4, 1, 0, 2, 6}), {1, 3, 2, 0, 3, 0, 2});
    expect_vector(vectorizer("TF", {1, 1, 0, 2, 1}), {1, 8, 2});
}

TEST(OnnxTfIdfVectorizer, Skips) {
    const Ints places{0, 1, 2, 3, 4};
    expect_vector(vectorizer("TF", places, {1, 2, 2}), {3, 3, 1, 3, 2});
    expect_vector(vectorizer("TF", places, {2, 2, 2}), {0, 0, 0, 3, 2});
    expect_vector(vectorizer("TF", places, {1, 1, 2}), {3, 3, 1, 0, 0});
    const auto rows = tensor_of<std::int64_t>({2, 2}, {2, 3, 5, 5});
    expect_same(vectorizer("TF", places, {1, 2, 5}, {-1, -1}).run({rows}).at(0),
                tensor_of<float>({2, 5}, {1, 1, 0, 1, 0, 0, 0, 2, 0, 0}));
    expect_same(vectorizer("TF", places).run({tensor_of<std::int64_t>({0}, {})}).at(0),
                tensor_of<float>({5}, {0, 0, 0, 0, 0}));
}

TEST(OnnxTfIdfVectorizer, RefusesPoolsThatDontFit) {
    expect_error<ModelError>(
        [] {
            vectorizer("tf", {0, 1, 2, 3, 4}).read();
        },
        "attribute 'mode' is 'tf'");
    expect_error<ModelError>(
        [] {
            vectorizer("TF", {0, 1}).read();
        },
        "attribute 'ngram_indexes' has 2 elements; expected 5");
    expect_error<ModelError>(
        [] {
            vectorizer("TF", {0, 1, 2, 3, -4}).read();
        },
        "attribute 'ngram_indexes' has -4");
    expect_error<ModelError>(
        [] {
            vectorizer("TF", {0, 1, 2, 3, 4}, {1, 3, 0}).read();
        },
        "attribute 'max_gram_length' is 3; expected min_gram_length to 2");
    expect_error<UnsupportedError>(
        [] {
            vectorizer("TF", {0, 1, 2, 3, 4}, {1, 2, 9999}).read();
        },
        "attribute 'max_skip_count' is 9999");
    auto weights = vectorizer("TF", {0, 1, 2, 3, 4});
    node(weights).with("weights", std::vector<float>{1});
    expect_error<ModelError>([&] { weights.read(); }, "attribute 'weights' has 1 element");
    auto words = vectorizer("TF", {0, 1, 2, 3, 4});
    node(words).with("pool_strings", std::vector<std::string>{"a"});
    expect_error<UnsupportedError>([&] { words.read(); }, "strings are not supported");
}

}  // namespace
}  // namespace rondo::onnx::tf_idf_vectorizer_test
