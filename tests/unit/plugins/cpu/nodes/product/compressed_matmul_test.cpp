// Products whose right side stays compressed.
#include <gtest/gtest.h>

#include "core/graph/rt_info_keys.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "tests/support/isa.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"
#include "transformations/simplify/passes.hpp"

namespace rondo::test::compressed_matmul_test {
namespace {

constexpr std::size_t kN = 700, kK = 768;  // 2 MiB of f32 and a little more

struct Compression {
    ElementType type = ElementType::u8;
    ElementType computed = ElementType::f32;
    bool transposed = true;  // [N,K]
    std::size_t group = 0;   // of K; 0: none
    bool has_zero = true;
    bool by_column = true;  // a scale and a zero point for each
    std::size_t n = kN;
};

// (Convert(integers) - zero point) * scale, [N,K] or [K,N].
Output compressed(const Compression& made, Rng& rng) {
    Shape shape = made.transposed ? Shape{made.n, kK} : Shape{kK, made.n};
    Shape numbers = made.transposed ? Shape{made.n, 1} : Shape{1, made.n};
    if (made.group != 0) {
        const std::size_t groups = kK / made.group;
        shape =
            made.transposed ? Shape{made.n, groups, made.group} : Shape{groups, made.group, made.n};
        numbers = made.transposed ? Shape{made.n, groups, 1} : Shape{groups, 1, made.n};
    }
    if (!made.by_column) numbers = {};
    const auto bounds = [&]() -> std::pair<double, double> {
        switch (made.type) {
            case ElementType::i8: return {-128, 127};
            case ElementType::i4: return {-8, 7};
            case ElementType::u4: return {0, 15};
            case ElementType::u2: return {0, 3};
            default: return {0, 255};
        }
    }();
    const auto values = random_tensor(made.type, shape, rng, bounds.first, bounds.second);
    Output at = make_node<ops::Convert>(constant(values), made.computed);
    const auto number = [&](double lo, double hi, bool whole) {
        Tensor tensor = random_tensor(ElementType::f32, numbers, rng, lo, hi);
        for (std::size_t i = 0; whole && i < tensor.size(); ++i) {
            tensor.data<float>()[i] = std::round(tensor.data<float>()[i]);
        }
        Output result = constant(tensor);
        if (made.computed != ElementType::f32) {
            result = make_node<ops::Convert>(result, made.computed);
        }
        return result;
    };
    if (made.has_zero) {
        at = make_node<ops::Binary>(ops::BinaryFunction::subtract, at, number(0, 7, true));
    }
    at = make_node<ops::Binary>(ops::BinaryFunction::multiply, at, number(0.001, 0.01, false));
    if (made.group != 0) {
        const auto n = static_cast<std::int64_t>(made.n), k = static_cast<std::int64_t>(kK);
        const auto pattern =
            tensor_of<std::int64_t>({2}, made.transposed ? std::vector<std::int64_t>{n, k}
                                                         : std::vector<std::int64_t>{k, n});
        at = make_node<ops::Reshape>(at, constant(pattern));
    }
    if (made.computed != ElementType::f32) at = make_node<ops::Convert>(at, ElementType::f32);
    return at;
}

// tanh(x B + bias), or x B.
std::shared_ptr<Graph> product_of(const Output& b, bool transposed, bool has_epilogue) {
    const auto x = parameter("x", PartialShape::parse("[?,?,768]"));
    const auto product = named(std::make_shared<ops::MatMul>(x, b), "product");
    product->set_transpose_b(transposed);
    product->validate();
    if (!has_epilogue) return graph_of({x}, {product});
    auto rng = test_rng();
    const std::size_t n = b.shape().to_shape()[transposed ? 0 : 1];
    const Tensor bias = random_tensor(ElementType::f32, {n}, rng);
    const auto sum = make_node<ops::Binary>(ops::BinaryFunction::add, product, constant(bias));
    return graph_of({x}, {make_node<ops::Unary>(ops::UnaryFunction::tanh, sum)});
}

Tensor value_of(const Output& output) {
    return on_reference(*graph_of({}, {output})).run({}).front();
}

void expect_bits_of_f32(const Compression& made) {
    auto rng = test_rng();
    const Output b = compressed(made, rng);
    const Tensor dense = value_of(b);
    for (const bool has_epilogue : {false, true}) {
        const auto graph = product_of(b, made.transposed, has_epilogue);
        const auto expected = product_of(constant(dense), made.transposed, has_epilogue);
        for (const std::string& isa : instruction_sets()) {
            const IsaScope scope(isa);
            auto held = on_cpu(*graph), wide = on_cpu(*expected);
            ASSERT_NE(held.executable->kernels().back().reason, "");
            for (const Shape& rows : {Shape{1, 1, kK}, {2, 3, kK}, {1, 70, kK}, {0, 2, kK}}) {
                const std::vector<Tensor> x{random_tensor(ElementType::f32, rows, rng)};
                expect_near(held.run(x)[0], wide.run(x)[0], 0);
            }
        }
    }
}

std::string reason(const Compression& made) {
    auto rng = test_rng();
    return reason_of(*product_of(compressed(made, rng), made.transposed, false), "product");
}
constexpr const char* kHeld = "the right side stays compressed, a byte each number";

TEST(CompressedMatMul, GivesTheBitsOfF32) {
    const auto expect_held = [](const Compression& made) {
        SCOPED_TRACE(std::string(to_string(made.type)) + " " +
                     std::string(to_string(made.computed)) + (made.transposed ? " T " : " ") +
                     std::to_string(made.group));
        EXPECT_EQ(reason(made), kHeld);
        expect_bits_of_f32(made);
    };
    for (const bool transposed : {true, false}) {
        for (const std::size_t group : {0u, 32u}) {
            expect_held({ElementType::u8, ElementType::f16, transposed, group});
            expect_held({ElementType::i8, ElementType::f32, transposed, group});
        }
    }
    expect_held({ElementType::u4, ElementType::f32, true, 64});
    expect_held({ElementType::i4, ElementType::f16, true, 16});
    expect_held({ElementType::u2, ElementType::f32, false, 0});
    expect_bits_of_f32({ElementType::i8, ElementType::f32, true, 0, false, false});
    expect_bits_of_f32({ElementType::u8, ElementType::f32, false, 0, true, false});
    expect_bits_of_f32({.n = 703});
}

TEST(CompressedMatMul, WidensWhatIsSmallOrRoundedAnyway) {
    EXPECT_NE(reason({.n = 100}), kHeld);
    auto rng = test_rng();
    const auto graph = product_of(compressed({}, rng), true, true);
    const Properties bf16{{"INFERENCE_PRECISION_HINT", "bf16"}};
    const auto x = random_tensor(ElementType::f32, {1, 3, kK}, rng);
    const auto expected = on_reference(*graph).run({x});
    expect_near(on_cpu(*graph, bf16).run({x}).front(), expected.front(), 0.15);
}

TEST(CompressedMatMul, IsMarkedOnlyWhereItIsSoleAndLarge) {
    auto rng = test_rng();
    const auto is_marked = [](const Output& b) {
        Output at = b;
        while (at.node().input_count() > 0 && !as<ops::Constant>(at.node().input(0))) {
            at = at.node().input(0);
        }
        return at.node().rt_info().contains(kDecompression);
    };
    const Output large = compressed({}, rng), small = compressed({.n = 100}, rng);
    EXPECT_TRUE(passes::keep_compressed_weights(*product_of(large, true, false)));
    EXPECT_TRUE(is_marked(large));
    EXPECT_FALSE(passes::keep_compressed_weights(*product_of(large, true, false)));
    EXPECT_FALSE(passes::keep_compressed_weights(*product_of(small, true, false)));
    const Output shared = compressed({}, rng);
    const auto graph = product_of(shared, true, false);
    const auto other = product_of(shared, true, false);
    EXPECT_FALSE(passes::keep_compressed_weights(*graph));
    EXPECT_FALSE(is_marked(shared));
    // Cells are recognised by their constants.
    const Output of_gates = compressed({}, rng);
    EXPECT_FALSE(passes::keep_compressed_weights(*product_of(of_gates, true, true)));
    EXPECT_FALSE(is_marked(of_gates));
}

}  // namespace
}  // namespace rondo::test::compressed_matmul_test
