// Adds random nodes by the recipes of all families.
#include "tests/random/model_maker.hpp"

namespace rondo::test {
namespace {

constexpr int kMostDepth = 2;

std::vector<Recipe> plain_recipes() {
    std::vector<Recipe> all;
    for (const auto& family : {attention_recipes(), bytes_recipes(),        elementwise_recipes(),
                               function_recipes(),  indexing_recipes(),     late_recipes(),
                               layer_recipes(),     list_recipes(),         matrix_recipes(),
                               microsoft_recipes(), movement_recipes(),     normalization_recipes(),
                               product_recipes(),   quantization_recipes(), recurrent_recipes(),
                               reduction_recipes(), signal_recipes(),       source_recipes(),
                               spatial_recipes(),   spectral_recipes(),     typed_recipes(),
                               window_recipes()}) {
        all.insert(all.end(), family.begin(), family.end());
    }
    return all;
}

// One that fits what is there.
void add_one(ModelMaker& maker, const std::vector<Recipe>& recipes) {
    const auto last = static_cast<std::int64_t>(recipes.size()) - 1;
    while (!recipes[static_cast<std::size_t>(maker.number(0, last))](maker)) {
    }
}

}  // namespace

void add_body(ModelMaker& maker) {
    static const std::vector<Recipe> recipes = control_recipes();
    add_one(maker, recipes);
}

void add_shape_nodes(ModelMaker& maker, std::int64_t count) {
    static const std::vector<Recipe> recipes = shape_recipes();
    for (; count > 0; --count) add_one(maker, recipes);
}

void add_layers(ModelMaker& maker, std::int64_t count) {
    static const std::vector<Recipe> recipes = layer_recipes();
    for (; count > 0; --count) add_one(maker, recipes);
}

void add_nodes(ModelMaker& maker, std::int64_t count, bool bodies) {
    static const std::vector<Recipe> recipes = plain_recipes();
    for (; count > 0; --count) {
        if (bodies && maker.depth() < kMostDepth && maker.chance(0.2)) {
            add_body(maker);
        } else {
            add_one(maker, recipes);
        }
    }
}

}  // namespace rondo::test
