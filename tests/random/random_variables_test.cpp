// Random whole models that get a variable each: several inferences in a row give on CPU what they
// give on REFERENCE, and those after a reset give the bits of the first ones.
#include <gtest/gtest.h>

#include "core/graph/graph.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "rondo/core.hpp"
#include "tests/random/seeds.hpp"
#include "tests/random/state_run.hpp"
#include "tests/support/isa.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::test::random_variables_test {
namespace {

constexpr std::uint64_t kShards = 4;
constexpr std::uint64_t kModelsAShard = 25;

Output scaled(const Output& x, const std::string& name, float factor) {
    const auto number = make_node<ops::Constant>(scalar_of<float>(factor));
    const auto product = make_node<ops::Binary>(ops::BinaryFunction::multiply, x, number);
    number->set_name(name + "/factor");
    product->set_name(name);
    return product;
}

// What reads the input "rows" reads the mean of it and of a variable, which becomes that mean. It
// starts with `start` times the rows.
void add_variable(Graph& graph, float start) {
    for (const auto& parameter : graph.parameters()) {
        if (parameter->name() != "rows") continue;
        const Output rows(parameter);
        const auto readers = rows.consumers();
        const std::vector<Output> init{scaled(rows, "start", start)};
        const auto read = make_node<ops::ReadValue>(init, "mean", ElementType::f32, rows.shape());
        const auto sum = make_node<ops::Binary>(ops::BinaryFunction::add, rows, read);
        const Output mean = scaled(sum, "mean", 0.5F);
        const auto assign = make_node<ops::Assign>(mean, "mean");
        read->set_name("read");
        sum->set_name("sum");
        assign->set_name("assign");
        for (const auto& reader : readers) reader.node->set_input(reader.input, mean);
        graph.add_sink(assign);
    }
    graph.validate();
}

void expect_agreement(std::uint64_t seed) {
    SCOPED_TRACE("RONDO_TEST_SEED=" + std::to_string(seed));
    const IsaScope scope(isa_of(seed));
    const RandomModel random = random_model(seed);
    const Model model = Core().read_model(random.bytes.data(), random.bytes.size());
    add_variable(*model.graph(), seed % 3 == 0 ? 0 : 0.25F);
    EXPECT_EQ(state_difference(random, model), "");
}

class RandomVariables : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomVariables, CpuAgreesWithReference) {
    const std::uint64_t first = 5000 + GetParam() * kModelsAShard;
    for (std::uint64_t seed = first; seed < first + kModelsAShard; ++seed) expect_agreement(seed);
}

INSTANTIATE_TEST_SUITE_P(Shard, RandomVariables, ::testing::Range<std::uint64_t>(0, kShards));

TEST(RandomVariables, OneSeed) { with_one_seed(expect_agreement); }
TEST(RandomVariables, ManySeeds) { with_many_seeds(expect_agreement); }

}  // namespace
}  // namespace rondo::test::random_variables_test
