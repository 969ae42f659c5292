// Converts TfIdfVectorizer of integers: each n-gram of the pool is compared with all places of the
// input at once.
#include <algorithm>
#include <string>

#include "core/support/strings.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using ElementType::f32;
constexpr std::int64_t kMostPlaces = std::int64_t{1} << 24;
constexpr std::int64_t kMostComparisons = 4096;

struct Pool {
    std::string mode;
    std::int64_t least, most, skips;
    Ints begins;   // of the 1-grams, 2-grams and so on in the pool
    Ints numbers;  // of all n-grams, one after another
    Ints places;   // of each n-gram in the output
    std::vector<float> weights;
};

// How many n-grams the pool has; throws if its parts aren't whole n-grams.
std::int64_t grams_of(const Pool& pool, std::size_t n) {
    const auto end = static_cast<std::int64_t>(pool.numbers.size());
    const std::int64_t begin = pool.begins[n - 1];
    const std::int64_t next = n < pool.begins.size() ? pool.begins[n] : end;
    if (begin < 0 || next < begin || next > end ||
        (next - begin) % static_cast<std::int64_t>(n) != 0) {
        throw ModelError("attribute 'ngram_counts' has " + std::to_string(begin) + " and then " +
                         std::to_string(next) + " for " + std::to_string(n) +
                         "-grams of a pool of " + std::to_string(end) + "; expected whole ones");
    }
    return (next - begin) / static_cast<std::int64_t>(n);
}

void check_pool(const Pool& pool) {
    if (pool.mode != "TF" && pool.mode != "IDF" && pool.mode != "TFIDF") {
        throw ModelError("attribute 'mode' is '" + pool.mode + "'; expected TF, IDF or TFIDF");
    }
    if (pool.most < pool.least || static_cast<std::size_t>(pool.most) > pool.begins.size()) {
        throw ModelError("attribute 'max_gram_length' is " + std::to_string(pool.most) +
                         "; expected min_gram_length to " + std::to_string(pool.begins.size()) +
                         ", as many as 'ngram_counts' has");
    }
    if (pool.skips >= kMostComparisons / (pool.most * pool.most)) {
        throw UnsupportedError("attribute 'max_skip_count' is " + std::to_string(pool.skips) +
                               "; expected below " +
                               std::to_string(kMostComparisons / (pool.most * pool.most)) +
                               " for n-grams of " + std::to_string(pool.most));
    }
    std::int64_t grams = 0;
    for (std::size_t n = 1; n <= pool.begins.size(); ++n) grams += grams_of(pool, n);
    if (grams != static_cast<std::int64_t>(pool.places.size()) || pool.begins.front() != 0) {
        throw ModelError("attribute 'ngram_indexes' has " + counted(pool.places.size(), "element") +
                         "; expected " + std::to_string(grams) + ", one an n-gram");
    }
    for (const std::int64_t place : pool.places) {
        if (place >= 0 && place < kMostPlaces) continue;
        throw ModelError("attribute 'ngram_indexes' has " + std::to_string(place) +
                         "; expected places in the output");
    }
    if (!pool.weights.empty() && pool.weights.size() != pool.places.size()) {
        throw ModelError("attribute 'weights' has " + counted(pool.weights.size(), "element") +
                         "; expected " + std::to_string(pool.places.size()));
    }
}

Pool pool_of(NodeContext& by) {
    if (by.attributes().has("pool_strings")) {
        throw UnsupportedError("attribute 'pool_strings': strings are not supported");
    }
    Pool pool;
    const auto required_from = [&](const char* name, std::int64_t least) {
        by.required_int(name);
        return by.attribute_from(name, 0, least);
    };
    pool.mode = by.attribute("mode", "");
    pool.least = required_from("min_gram_length", 1);
    pool.most = required_from("max_gram_length", 1);
    pool.skips = required_from("max_skip_count", 0);
    pool.begins = by.required_ints("ngram_counts");
    pool.numbers = by.required_ints("pool_int64s");
    pool.places = by.required_ints("ngram_indexes");
    pool.weights = by.attributes().find_floats("weights").value_or(std::vector<float>());
    check_pool(pool);
    return pool;
}

template <typename T>
Output vector_constant(NodeContext& by, const std::vector<T>& values) {
    Tensor tensor(element_type_of<T>(), {values.size()});
    std::copy(values.begin(), values.end(), tensor.data<T>());
    return by.constant(tensor);
}

// [batch, grams]: how often each n-gram occurs in x [batch, count] with `step` between its numbers.
Output counts_with_step(NodeContext& by, const Output& x, const Pool& pool, std::int64_t n,
                        std::int64_t step) {
    const std::int64_t grams = grams_of(pool, static_cast<std::size_t>(n));
    const std::int64_t begin = pool.begins[static_cast<std::size_t>(n - 1)];
    Output is_there;
    for (std::int64_t k = 0; k < n; ++k) {
        Ints column;
        for (std::int64_t gram = 0; gram < grams; ++gram) {
            column.push_back(pool.numbers[static_cast<std::size_t>(begin + gram * n + k)]);
        }
        const std::int64_t behind = (n - 1 - k) * step;
        const Output part = by.slice(x, 1, k * step, behind == 0 ? kSliceEnd : -behind);
        const Output equal = by.equal(by.unsqueeze(part, {2}), vector_constant(by, column));
        is_there = k == 0 ? equal : by.both(is_there, equal);
    }
    return by.sum_along(by.convert(is_there, f32), 1);
}

// [batch, n-grams of the pool]; those whose length isn't wanted have none.
Output counts_of(NodeContext& by, const Output& x, const Pool& pool) {
    std::vector<Output> parts;
    const Output none =
        by.multiply(by.convert(by.slice(x, 1, 0, 0), f32), by.number(f32, 0));  // [batch, 0]
    const Output zero = by.unsqueeze(by.sum_along(none, 1), {1});               // [batch, 1]
    for (std::size_t n = 1; n <= pool.begins.size(); ++n) {
        const std::int64_t grams = grams_of(pool, n);
        const auto length = static_cast<std::int64_t>(n);
        if (grams == 0) continue;
        if (length < pool.least || length > pool.most) {
            const Shape shape{static_cast<std::size_t>(grams)};
            parts.push_back(by.add(zero, by.constant(filled_tensor(f32, shape, 0))));
            continue;
        }
        Output counts = counts_with_step(by, x, pool, length, 1);
        for (std::int64_t skip = 1; n > 1 && skip <= pool.skips; ++skip) {
            counts = by.add(counts, counts_with_step(by, x, pool, length, skip + 1));
        }
        parts.push_back(counts);
    }
    parts.push_back(zero);
    return by.concat(parts, 1);
}

// For each place of the output the n-grams that count there; the last number means none.
std::vector<Ints> grams_at_places(const Pool& pool) {
    const auto none = static_cast<std::int64_t>(pool.places.size());
    const std::int64_t most =
        pool.places.empty() ? -1 : *std::max_element(pool.places.begin(), pool.places.end());
    const auto width = static_cast<std::size_t>(most + 1);
    std::vector<Ints> layers(1, Ints(width, none));
    std::vector<std::size_t> taken(width);
    for (std::size_t gram = 0; gram < pool.places.size(); ++gram) {
        const auto place = static_cast<std::size_t>(pool.places[gram]);
        const std::size_t layer = taken[place]++;
        if (layer == layers.size()) layers.emplace_back(width, none);
        layers[layer][place] = static_cast<std::int64_t>(gram);
    }
    return layers;
}

}  // namespace

std::vector<Output> convert_tf_idf_vectorizer(NodeContext& by) {
    const Output input = by.input(0);
    const Pool pool = pool_of(by);
    const Output whole = by.convert(input, ElementType::i64);
    const bool is_vector = NodeContext::rank_of(whole, 0, "the input") == 1;
    if (!is_vector) NodeContext::check_shape(whole, PartialShape::of_rank(2), "the input");
    const Output x = is_vector ? by.unsqueeze(whole, {0}) : whole;
    Output counts = counts_of(by, x, pool);
    if (pool.mode == "IDF") counts = by.minimum(counts, by.number(f32, 1));
    if (pool.mode != "TF" && !pool.weights.empty()) {
        std::vector<float> weights = pool.weights;
        weights.push_back(0);
        counts = by.multiply(counts, vector_constant(by, weights));
    }
    Output sum;
    for (const Ints& layer : grams_at_places(pool)) {
        const Output picked = by.gather(counts, vector_constant(by, layer), 1);
        sum = sum ? by.add(sum, picked) : picked;
    }
    return {is_vector ? by.squeeze(sum, {0}) : sum};
}

}  // namespace rondo::onnx
