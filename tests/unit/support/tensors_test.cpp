#include "tests/support/tensors.hpp"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "rondo/error.hpp"
#include "tests/support/environment_variable.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/models.hpp"
#include "tests/support/source_dir.hpp"

namespace rondo::test::tensors_test {
namespace {

TEST(ExpectNear, TellsWhereAndHowMuch) {
    EXPECT_NONFATAL_FAILURE(expect_near(tensor_of<float>({2, 2}, {1, 2, 3.5f, 9}),
                                        tensor_of<float>({2, 2}, {1, 2, 3, 4}), 0.1),
                            "2 of 4 elements differ; first at [1,0]: got 3.5, expected 3; "
                            "largest error 5 at [1,1]: got 9, expected 4");
}

TEST(ExpectNear, AllowsTheTolerance) {
    expect_near(scalar_of(1.5), scalar_of(1.0), 0.5);
    expect_near(scalar_of(110.0), scalar_of(100.0), 0, 0.1);
    EXPECT_NONFATAL_FAILURE(expect_near(scalar_of(110.0), scalar_of(100.0), 0, 0.09), "differ");
}

TEST(ExpectNear, ComparesTypesShapesAndEmptyHandles) {
    EXPECT_NONFATAL_FAILURE(expect_near(scalar_of(1.f), scalar_of(1.0), 1), "got f32[]");
    EXPECT_NONFATAL_FAILURE(
        expect_near(tensor_of<float>({2}, {1, 1}), tensor_of<float>({1, 2}, {1, 1}), 1),
        "got f32[2], expected f32[1,2]");
    EXPECT_NONFATAL_FAILURE(expect_near({}, scalar_of(1.f), 1), "empty handle");
}

TEST(ExpectNear, ComparesSpecialValues) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double nan = std::nan("");
    expect_same(tensor_of<double>({2}, {nan, kInfinity}), tensor_of<double>({2}, {nan, kInfinity}));
    EXPECT_NONFATAL_FAILURE(expect_near(scalar_of(nan), scalar_of(1.0), 1e300, 1), "differ");
    EXPECT_NONFATAL_FAILURE(expect_near(scalar_of(1.0), scalar_of(nan), 1e300, 1), "differ");
    EXPECT_NONFATAL_FAILURE(expect_near(scalar_of(1.0), scalar_of(kInfinity), 1, 1), "differ");
    EXPECT_NONFATAL_FAILURE(expect_near(scalar_of(kInfinity), scalar_of(1.0), 1, 1), "differ");
    EXPECT_NONFATAL_FAILURE(expect_near(scalar_of(-kInfinity), scalar_of(kInfinity), 1, 1),
                            "differ");
    expect_near(scalar_of(-0.0), scalar_of(0.0), 0);
    EXPECT_NONFATAL_FAILURE(expect_same(scalar_of(-0.0), scalar_of(0.0)), "signs differ");
    const auto most = std::numeric_limits<std::uint64_t>::max();
    EXPECT_NONFATAL_FAILURE(expect_same(scalar_of(most), scalar_of(most - 1)), "differ");
}

TEST(RandomTensor, IsTheSameForTheSameSeedAndInRange) {
    Rng one(7);
    Rng two(7);
    for (const ElementType type : {ElementType::f32, ElementType::f16, ElementType::i8,
                                   ElementType::u64, ElementType::boolean}) {
        const auto a = random_tensor(type, {50}, one, 0, 3);
        expect_same(a, random_tensor(type, {50}, two, 0, 3));
        for (std::size_t i = 0; i < a.size(); ++i) {
            EXPECT_GE(element_at(a, i), 0);
            EXPECT_LE(element_at(a, i), 3);
        }
    }
    EXPECT_NE(one(), Rng(7)());
}

TEST(TensorOf, ChecksTheCount) {
    expect_error<ModelError>([] { tensor_of<float>({2}, {1}); },
                             "tensor_of got 1 values for the shape [2]");
}

TEST(Rng, ReadsTheSeedFromTheEnvironment) {
    const EnvironmentVariable seed("RONDO_TEST_SEED", "42");
    EXPECT_EQ(test_rng()(), Rng(42)());
    {
        const EnvironmentVariable wrong("RONDO_TEST_SEED", "many");
        expect_error<ModelError>([] { test_rng(); }, "RONDO_TEST_SEED is 'many'");
    }
    EXPECT_EQ(test_rng()(), test_rng()());
}

TEST(ExpectError, FailsForTheWrongKindMessageOrNoError) {
    EXPECT_NONFATAL_FAILURE(expect_error<ModelError>([] { throw UnsupportedError("x"); }, "x"),
                            "not a");
    EXPECT_NONFATAL_FAILURE(expect_error<ModelError>([] { throw ModelError("x"); }, "y"),
                            "does not contain");
    EXPECT_NONFATAL_FAILURE(expect_error<ModelError>([] { throw ModelError("x\ny"); }, "y"),
                            "more than one line");
    EXPECT_NONFATAL_FAILURE(expect_error<ModelError>([] {}, "y"), "threw nothing");
}

TEST(ModelsDir, FollowsTheEnvironment) {
    const EnvironmentVariable missing("RONDO_MODELS", "/nowhere/at/all");
    EXPECT_FALSE(models_dir().has_value());
    const EnvironmentVariable there("RONDO_MODELS", RONDO_SOURCE_DIR);
    EXPECT_EQ(models_dir(), RONDO_SOURCE_DIR);
}

}  // namespace
}  // namespace rondo::test::tensors_test
