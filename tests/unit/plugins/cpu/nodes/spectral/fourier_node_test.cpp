#include "core/ops/spectral/spectral_ops.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/unit/plugins/cpu/device_runs.hpp"

namespace rondo::test::fourier_node_test {
namespace {

using ops::FourierFunction;
using Ints = std::vector<std::int64_t>;

constexpr FourierFunction kAll[] = {FourierFunction::dft, FourierFunction::idft,
                                    FourierFunction::irdft, FourierFunction::rdft};

Tensor vector_of(const Ints& values) { return tensor_of<std::int64_t>({values.size()}, values); }

// `extents`: those of the data, without the axis of parts.
void expect_transform(FourierFunction function, Shape extents, const Ints& axes,
                      const Ints& sizes = {}, ElementType type = ElementType::f32,
                      double tolerance = 1e-7) {
    auto rng = test_rng();
    if (takes_complex(function)) extents.push_back(2);
    const auto x = parameter("x", PartialShape::of_rank(extents.size()), type);
    std::vector<Output> inputs{x, constant(vector_of(axes))};
    if (!sizes.empty()) inputs.push_back(constant(vector_of(sizes)));
    const auto graph = graph_of({x}, {make_node<ops::Fourier>(function, inputs)});
    const Tensor value = random_tensor(type, extents, rng);
    // Relative to the sum of all numbers of a line.
    double most = 1;
    for (const std::int64_t axis : axes) {
        most *= static_cast<double>(extents[static_cast<std::size_t>(axis)]);
    }
    expect_like_reference(*graph, {value}, tolerance * most, tolerance);
}

TEST(FourierNode, RefusesAnAxisWithoutElements) {
    const auto x = parameter("x", {-1, -1});
    const auto graph =
        graph_of({x}, {make_node<ops::Fourier>(FourierFunction::rdft,
                                               std::vector<Output>{x, constant(vector_of({1}))})});
    expect_error<ModelError>(
        [&] {
            on_cpu(*graph).run({Tensor(ElementType::f32, {1, 0})});
        },
        "an axis without elements has no transform");
    EXPECT_EQ(on_cpu(*graph).run({Tensor(ElementType::f32, {0, 4})})[0].shape(), (Shape{0, 3, 2}));
}

TEST(FourierNode, AnyAxisAndLength) {
    for (const FourierFunction function : kAll) {
        SCOPED_TRACE(static_cast<int>(function));
        for (const std::int64_t axis : {0, 1, 2}) expect_transform(function, {5, 12, 7}, {axis});
        for (const std::size_t n : {2, 3, 4, 9, 37, 64, 74, 100}) {
            expect_transform(function, {3, n}, {1});
            expect_transform(function, {n, 21}, {0});
        }
    }
}

TEST(FourierNode, SeveralAxes) {
    for (const FourierFunction function : kAll) {
        SCOPED_TRACE(static_cast<int>(function));
        expect_transform(function, {6, 5, 8}, {0, 2});
        expect_transform(function, {6, 5, 8}, {2, 1, 0});
        expect_transform(function, {6, 5, 8}, {1, 0}, {9, -1});
    }
}

TEST(FourierNode, PadsAndCuts) {
    for (const FourierFunction function : kAll) {
        SCOPED_TRACE(static_cast<int>(function));
        for (const std::int64_t size : {1, 2, 6, 7, 8, 11, 16, 17, 40}) {
            expect_transform(function, {2, 9}, {1}, {size});
            expect_transform(function, {9, 3}, {0}, {size});
        }
    }
}

TEST(FourierNode, EveryType) {
    for (const FourierFunction function : kAll) {
        expect_transform(function, {3, 30}, {1}, {}, ElementType::f64, 1e-15);
        expect_transform(function, {3, 30}, {1}, {}, ElementType::f16, 1e-3);
        expect_transform(function, {3, 30}, {1}, {}, ElementType::bf16, 8e-3);
    }
}

TEST(FourierNode, NoElementsAndManyLines) {
    for (const FourierFunction function : kAll) {
        expect_transform(function, {0, 4}, {1});
        expect_transform(function, {1, 1}, {1}, {3});
        expect_transform(function, {300, 64}, {1});
    }
    expect_transform(FourierFunction::rdft, {2, 0}, {1}, {4});
    expect_transform(FourierFunction::rdft, {0, 3}, {0, 1}, {4, -1});
    expect_transform(FourierFunction::dft, {3, 0}, {0, 1}, {-1, 5});
}

TEST(FourierNode, AxesAndSizesAtRunTime) {
    auto rng = test_rng();
    const auto x = parameter("x", {-1, 6, 2});
    const auto axes = parameter("axes", {1}, ElementType::i64);
    const auto sizes = parameter("sizes", {1}, ElementType::i32);
    const std::vector<Output> inputs{x, axes, sizes};
    const auto graph =
        graph_of({x, axes, sizes}, {make_node<ops::Fourier>(FourierFunction::dft, inputs)});
    const Tensor value = random_tensor(ElementType::f32, {4, 6, 2}, rng);
    for (const std::int64_t axis : {0, 1, -1}) {
        for (const std::int32_t size : {-1, 3, 8}) {
            expect_like_reference(
                *graph, {value, vector_of({axis}), tensor_of<std::int32_t>({1}, {size})}, 1e-5);
        }
    }
}

}  // namespace
}  // namespace rondo::test::fourier_node_test
