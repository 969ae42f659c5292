// Random models, as they are read and as the portable passes leave them, evaluated node by node:
// each extent that the graph knows, as a sum of products of extents of other tensors, is the one
// that the tensor has.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/extents/extent_origin.hpp"
#include "core/graph/graph.hpp"
#include "core/ops/reference/evaluate.hpp"
#include "rondo/core.hpp"
#include "tests/random/random_model.hpp"
#include "tests/random/seeds.hpp"
#include "transformations/pass/node_roles.hpp"
#include "transformations/pipelines.hpp"

namespace rondo::test::random_extents_test {
namespace {

constexpr std::uint64_t kShards = 4;
constexpr std::uint64_t kModelsAShard = 40;
constexpr std::uint64_t kDailyModelsAShard = 10;

using Values = std::map<const Node*, std::vector<Tensor>>;

// Those of even seeds compute shapes.
RandomModel model_of(std::uint64_t seed) {
    return seed % 2 == 0 ? random_shape_model(seed / 2) : random_model(seed / 2);
}

// The tensors of a run, as far as nodes can be evaluated one by one.
Values values_of(const Graph& graph, const std::vector<NamedTensor>& inputs) {
    Values values;
    for (const NodePtr& node : graph.ordered_nodes()) {
        if (passes::is_parameter(*node)) {
            for (const auto& [name, value] : inputs) {
                if (node->output(0).names().contains(name)) values[node.get()] = {value};
            }
            continue;
        }
        if (const Tensor known = node->known_value(0)) {
            values[node.get()] = {known.contiguous()};
            continue;
        }
        if (passes::is_result(*node)) continue;
        std::vector<Tensor> given;
        for (const Output& input : node->inputs()) {
            const auto found = values.find(&input.node());
            if (found != values.end()) given.push_back(found->second[input.index()]);
        }
        const bool can_run = given.size() == node->input_count() && !node->traits().random &&
                             reference::find_unevaluable(*node) == nullptr;
        if (can_run && node->output_count() > 0) {
            values[node.get()] = reference::evaluate(*node, given);
        }
    }
    return values;
}

// The number that a sum is in a run; empty if it has extents of tensors that weren't evaluated.
std::optional<std::int64_t> number_in(const Values& values, const ExtentSum& sum) {
    std::int64_t result = 0;
    for (const ExtentSum::Term& term : sum.terms()) {
        std::int64_t product = term.factor;
        for (const Symbol& symbol : term.symbols) {
            const auto found = values.find(&symbol.tensor.node());
            if (found == values.end()) return {};
            const Shape& shape = found->second[symbol.tensor.index()].shape();
            product *= static_cast<std::int64_t>(shape.at(symbol.axis));
        }
        result += product;
    }
    return result;
}

// Compares each open extent; returns how many follow from those of other tensors.
std::size_t check_extents(const Graph& graph, const Values& values) {
    std::size_t followed = 0;
    for (const NodePtr& node : graph.ordered_nodes()) {
        const auto made = values.find(node.get());
        if (made == values.end()) continue;
        for (std::size_t i = 0; i < node->output_count(); ++i) {
            const Output output = node->output(i);
            const std::size_t rank = output.shape().has_rank() ? output.shape().rank() : 0;
            for (std::size_t axis = 0; axis < rank; ++axis) {
                const ExtentSum known = extent_of(output, axis);
                if (known == ExtentSum::of(output, axis)) continue;
                ++followed;
                const auto number = number_in(values, known);
                const auto actual = static_cast<std::int64_t>(made->second[i].shape()[axis]);
                EXPECT_EQ(number.value_or(actual), actual)
                    << describe(*node) << ", output " << i << ", axis " << axis;
            }
        }
    }
    return followed;
}

std::size_t check_model(const RandomModel& model) {
    const auto graph = Core().read_model(model.bytes.data(), model.bytes.size()).graph();
    std::size_t followed = 0;
    for (const bool passes_ran : {false, true}) {
        if (passes_ran) passes::run_portable(*graph, {});
        for (const auto& inputs : model.inputs) {
            followed += check_extents(*graph, values_of(*graph, inputs));
        }
    }
    return followed;
}

std::size_t check_range(const SeedRange& seeds) {
    std::size_t followed = 0;
    check_seeds(seeds, [&](std::uint64_t seed) {
        SCOPED_TRACE("replay: RONDO_TEST_SEED=" + std::to_string(seed) +
                     " random_models_tests --gtest_filter=RandomExtents.OneSeed");
        followed += check_model(model_of(seed));
    });
    return followed;
}

class RandomExtents : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomExtents, AreThoseOfTheTensors) {
    const std::uint64_t first = GetParam() * kModelsAShard;
    EXPECT_GT(check_range({first, first + kModelsAShard}), 1000U) << "too few to mean anything";
}

TEST_P(RandomExtents, OfToday) {
    check_range(shard_of_today(GetParam(), kShards, kDailyModelsAShard));
}

INSTANTIATE_TEST_SUITE_P(Shard, RandomExtents, ::testing::Range<std::uint64_t>(0, kShards));

TEST(RandomExtents, OneSeed) {
    with_one_seed([](std::uint64_t seed) { check_model(model_of(seed)); });
}

TEST(RandomExtents, ManySeeds) {
    with_many_seeds([](std::uint64_t seed) { check_range({seed, seed + 1}); });
}

}  // namespace
}  // namespace rondo::test::random_extents_test
