// INFERENCE_PRECISION_HINT=bf16: which nodes compute in bf16, with the same bits everywhere.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "core/ops/product/matmul.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/support/integer_weights.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/isa.hpp"
#include "tests/unit/plugins/cpu/recurrent_graph.hpp"

namespace rondo::test::bf16_hint_test {
namespace {

constexpr double kLoss = 0.02;

const Properties& bf16() {
    static const Properties properties = {{property::kInferencePrecisionHint, "bf16"}};
    return properties;
}

// The same bits from each instruction set and number of threads, and near f32.
void expect_bf16(const Graph& graph, const std::vector<Tensor>& inputs) {
    const auto expected = on_reference(graph).run(inputs);
    std::vector<Tensor> first;
    for (const std::string& isa : instruction_sets()) {
        const IsaScope scope(isa);
        for (const char* threads : {"1", "2"}) {
            SCOPED_TRACE(isa);
            Properties properties = bf16();
            properties[property::kInferenceNumThreads] = threads;
            const auto got = on_cpu(graph, properties).run(inputs);
            if (first.empty()) first = got;
            for (std::size_t i = 0; i < got.size(); ++i) {
                expect_same(got[i], first[i]);
                expect_near(got[i], expected[i], kLoss, kLoss);
            }
        }
    }
    const auto exact = on_cpu(graph).run(inputs);
    EXPECT_NE(std::memcmp(exact[0].data(), first[0].data(), exact[0].byte_size()), 0);
}

template <typename Layer>
void expect_layer(const RecurrentCase& test) {
    const auto made = make_recurrent<Layer>(test);
    EXPECT_TRUE(kernel_of(*made.graph, "layer", bf16()).ends_with("_bf16"));
    expect_bf16(*made.graph, made.inputs);
}

TEST(Bf16Hint, RoundsRecurrentLayers) {
    for (const std::size_t batch : {1u, 3u, 20u}) {
        for (const ElementType stored : {ElementType::dynamic, ElementType::f16}) {
            RecurrentCase test;
            test.batch = batch;
            test.attributes.hidden_size = 37;
            test.attributes.direction = ops::Direction::bidirectional;
            test.stored = stored;
            expect_layer<ops::LSTMSequence>(test);
            expect_layer<ops::GRUSequence>(test);
            expect_layer<ops::RNNSequence>(test);
            test.attributes.direction = ops::Direction::forward;
            test.attributes.linear_before_reset = true;
            expect_layer<ops::GRUSequence>(test);
            expect_layer<ops::GRUCell>(test);
            test.attributes.linear_before_reset = false;
            expect_layer<ops::LSTMCell>(test);
        }
    }
}

// x [rows,k] times a constant, transposed or not.
std::shared_ptr<Graph> product(std::size_t rows, std::size_t k, std::size_t n, bool transposed,
                               ElementType type, std::vector<Tensor>& inputs) {
    auto rng = test_rng();
    const Shape shape{rows, k};
    const auto x = parameter("x", shape, type);
    inputs = {random_tensor(type, shape, rng)};
    const Tensor b = random_tensor(type, transposed ? Shape{n, k} : Shape{k, n}, rng, -0.2, 0.2);
    const auto matmul = named(std::make_shared<ops::MatMul>(Output(x), constant(b)), "product");
    matmul->set_transpose_b(transposed);
    matmul->validate();
    return graph_of({x}, {matmul});
}

TEST(Bf16Hint, RoundsProductsWithConstants) {
    for (const std::size_t rows : {1u, 2u, 33u}) {
        for (const std::size_t n : {1u, 5u, 70u}) {
            for (const bool transposed : {false, true}) {
                std::vector<Tensor> inputs;
                const auto graph = product(rows, 61, n, transposed, ElementType::f32, inputs);
                EXPECT_TRUE(kernel_of(*graph, "product", bf16()).ends_with("_bf16"));
                expect_bf16(*graph, inputs);
            }
        }
    }
}

// Tiles count denormals as zeros.
TEST(Bf16Hint, IsRefusedWhereDenormalsAreKept) {
    RecurrentCase test;
    test.attributes.hidden_size = 9;
    const auto made = make_recurrent<ops::LSTMSequence>(test);
    Properties properties = bf16();
    properties[property::kCpuDenormalsOptimization] = "NO";
    expect_error<UnsupportedError>([&] { on_cpu(*made.graph, properties); },
                                   "count denormals as zeros");
}

void expect_exact(const Graph& graph, const std::vector<Tensor>& inputs) {
    const auto expected = on_cpu(graph).run(inputs), got = on_cpu(graph, bf16()).run(inputs);
    for (std::size_t i = 0; i < got.size(); ++i) expect_same(got[i], expected[i]);
}

// What stays as it is: f64, weights that are computed, rows that are too long.
TEST(Bf16Hint, LeavesTheRestAlone) {
    std::vector<Tensor> inputs;
    const auto wide = product(3, 61, 5, false, ElementType::f64, inputs);
    expect_exact(*wide, inputs);
    const std::size_t too_long = static_cast<std::size_t>(kMaxQuantized) + 1;
    const auto longer = product(2, too_long, 3, false, ElementType::f32, inputs);
    expect_exact(*longer, inputs);
    RecurrentCase test;
    test.attributes.hidden_size = 9;
    test.constant_weights = false;
    const auto computed = make_recurrent<ops::LSTMSequence>(test);
    expect_exact(*computed.graph, computed.inputs);
    test.constant_weights = true;
    test.type = ElementType::f64;
    const auto layer = make_recurrent<ops::GRUSequence>(test);
    expect_exact(*layer.graph, layer.inputs);
    test.type = ElementType::f32;
    test.input_size = too_long;
    const auto long_rows = make_recurrent<ops::RNNSequence>(test);
    expect_exact(*long_rows.graph, long_rows.inputs);
}

}  // namespace
}  // namespace rondo::test::bf16_hint_test
