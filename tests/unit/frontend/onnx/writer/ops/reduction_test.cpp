// Reductions, products and indexing: written as ONNX and read again.
#include <gtest/gtest.h>

#include "core/ops/reduction/functions.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/unit/frontend/onnx/writer/round_trip.hpp"

namespace rondo::test::reduction_test {
namespace {

constexpr ElementType kNumbers[] = {ElementType::f64,  ElementType::f32, ElementType::f16,
                                    ElementType::bf16, ElementType::i64, ElementType::i32,
                                    ElementType::i16,  ElementType::i8,  ElementType::u64,
                                    ElementType::u32,  ElementType::u16, ElementType::u8};

bool is_unsigned(ElementType type) { return to_string(type)[0] == 'u'; }

CaseInput numbers(const Shape& shape, ElementType type) {
    return given(shape, type, is_unsigned(type) ? 0 : -9, 9);
}

bool is_refused(ops::ReduceFunction function, ElementType type) {
    const bool rounds =
        function == ops::ReduceFunction::l2 || function == ops::ReduceFunction::mean;
    return (type == ElementType::u64 && rounds) ||
           (type == ElementType::i64 && function == ops::ReduceFunction::l2);
}

TEST(OnnxWriterReduction, WritesEveryReductionOfEveryType) {
    for (const auto& row : ops::kReduceOps) {
        for (const ElementType type : kNumbers) {
            if (!ops::takes(row.types, type) || is_refused(row.function, type)) continue;
            for (const char* keep : {"true", "false"}) {
                expect_written({std::string(row.type.name),
                                {numbers({2, 3, 4}, type), ints({-1, 0, 2})},
                                {{"keep_dims", keep}}});
            }
        }
    }
    for (const char* type : {"ReduceLogicalAnd", "ReduceLogicalOr"}) {
        expect_written(
            {type, {given({2, 3}, ElementType::boolean), int_scalar(1)}, {{"keep_dims", "false"}}});
    }
}

TEST(OnnxWriterReduction, KeepsElementsWhereThereAreNoAxes) {
    for (const auto& row : ops::kReduceOps) {
        const ElementType type =
            ops::takes(row.types, ElementType::f32) ? ElementType::f32 : ElementType::boolean;
        expect_written({std::string(row.type.name), {given({2, 3}, type), ints({})}});
    }
}

TEST(OnnxWriterReduction, TakesAxesOfARun) {
    expect_written(
        {"ReduceSum", {given({2, 3}), run_ints({1})}, {{"keep_dims", "true"}}, "opset99", false});
}

TEST(OnnxWriterReduction, NeedsNoRankForAxesFromOneSide) {
    for (const std::vector<std::int64_t>& axes :
         std::vector<std::vector<std::int64_t>>{{-1}, {0, 1, 0}, {-2, -1, -2}}) {
        GraphBuilder builder;
        const Output x = builder.input("x", "...");
        builder.output("y", builder.make<ops::Reduce>("sum", ops::ReduceFunction::sum, x,
                                                      builder.ints(axes), false));
        expect_round_trip(*builder.graph(), {given({2, 3, 4}).value});
    }
}

TEST(OnnxWriterReduction, RefusesRootsThatOnnxCantCompute) {
    expect_not_written({"ReduceL2", {given({3}, ElementType::i64), ints({0})}},
                       "ONNX computes no root of 64-bit integers");
    expect_not_written({"ReduceMean", {given({3}, ElementType::u64, 0, 9), ints({0})}},
                       "ONNX computes no mean or root of u64");
}

TEST(OnnxWriterReduction, RootsOfIntegersAreWhole) {
    std::vector<std::int32_t> values;
    for (int i = 0; i < 64; ++i) values.push_back(46340 - i * 731);
    expect_written({"ReduceL2", {run(tensor_of<std::int32_t>({64, 1}, values)), ints({1})}});
}

TEST(OnnxWriterReduction, WritesWhatWalksAlongAnAxis) {
    for (const ElementType type : {ElementType::f64, ElementType::f32, ElementType::f16}) {
        for (const char* axis : {"1", "-2"}) {
            expect_written({"SoftMax", {given({2, 3, 4}, type)}, {{"axis", axis}}});
            expect_written({"LogSoftmax", {given({2, 3, 4}, type)}, {{"axis", axis}}});
        }
    }
    expect_written({"SoftMax", {given({2, 3})}, {{"axis", "1"}}, "opset1"});
    for (const ElementType type : kNumbers) {
        for (const char* flag : {"true", "false"}) {
            const std::map<std::string, std::string> options{{"exclusive", flag},
                                                             {"reverse", flag}};
            expect_written({"CumSum", {numbers({3, 4}, type), int_scalar(-1)}, options});
            expect_written({"CumProd", {numbers({3, 4}, type), int_scalar(0)}, options, "rondo1"});
        }
    }
}

TEST(OnnxWriterReduction, WritesNormalisations) {
    for (const ElementType type : {ElementType::f64, ElementType::f32, ElementType::f16}) {
        for (const char* mode : {"INSIDE_SQRT", "OUTSIDE_SQRT"}) {
            for (const char* variance : {"true", "false"}) {
                for (const auto& axes : {ints({1, 2}), ints({0, -1}), ints({-1})}) {
                    WriteCase one{
                        "MVN",
                        {given({2, 3, 4}, type), axes},
                        {{"eps", "0.001"}, {"normalize_variance", variance}, {"eps_mode", mode}}};
                    one.tolerance = type == ElementType::f16 ? 2e-3 : 1e-6;
                    expect_written(one);
                }
            }
        }
    }
    EXPECT_EQ(
        operators_of(
            {"MVN",
             {given({2, 3, 4}), ints({2})},
             {{"eps", "0.001"}, {"normalize_variance", "true"}, {"eps_mode", "INSIDE_SQRT"}}}),
        "LayerNormalization");
}

TEST(OnnxWriterReduction, WritesTopK) {
    for (const char* mode : {"max", "min"}) {
        for (const char* sort : {"value", "index", "none"}) {
            for (const char* type : {"i32", "i64"}) {
                expect_written({"TopK",
                                {given({3, 7}, ElementType::i32, 0, 4), int_scalar(3)},
                                {{"axis", "1"},
                                 {"mode", mode},
                                 {"sort", sort},
                                 {"index_element_type", type}}});
            }
        }
    }
}

TEST(OnnxWriterProduct, WritesMatMulOfEveryType) {
    for (const ElementType type : kNumbers) {
        expect_written({"MatMul",
                        {numbers({2, 3, 4}, type), numbers({5, 4}, type)},
                        {{"transpose_b", "true"}}});
        expect_written({"MatMul",
                        {numbers({4, 3}, type), numbers({2, 4, 5}, type)},
                        {{"transpose_a", "true"}}});
    }
    expect_written({"MatMul", {given({4}), given({4, 2})}, {{"transpose_a", "true"}}});
    expect_written({"MatMul", {given({3, 4}), given({4})}, {{"transpose_b", "true"}}});
}

TEST(OnnxWriterProduct, WritesIntegerProductsAndDeterminants) {
    const auto a = given({2, 3, 4}, ElementType::u8, 0, 255);
    const auto b = given({4, 5}, ElementType::i8, -128, 127);
    const auto u8 = [](const Shape& shape) { return given(shape, ElementType::u8, 0, 9); };
    const auto i8 = [](const Shape& shape) { return given(shape, ElementType::i8, -9, 9); };
    expect_written({"MatMulInteger", {a, b, u8({}), i8({})}, {}, "rondo1"});
    expect_written({"MatMulInteger", {a, b, u8({2, 3, 1}), i8({1, 5})}, {}, "rondo1"});
    expect_written({"Det", {given({2, 3, 3})}, {}, "rondo1"});
    expect_written({"DynamicQuantizeLinear", {given({2, 3})}, {}, "rondo1"});
}

TEST(OnnxWriterIndexing, PicksElements) {
    const auto places = fixed(tensor_of<std::int64_t>({2, 2}, {0, -1, 1, 0}));
    expect_written({"GatherElements", {given({2, 3}), places}, {{"axis", "1"}}});
    expect_written({"GatherND", {given({2, 3, 4}), places}});
    expect_written({"GatherND",
                    {given({2, 3, 4}), fixed(tensor_of<std::int8_t>({2, 1}, {2, -1}))},
                    {{"batch_dims", "1"}}});
    for (const char* type : {"i64", "i32"}) {
        expect_written({"NonZero", {given({3, 4}, ElementType::boolean)}, {{"output_type", type}}});
        expect_written(
            {"Unique",
             {given({20}, ElementType::i32, 0, 5)},
             {{"sorted", "true"}, {"index_element_type", type}, {"count_element_type", type}}});
    }
    expect_written(
        {"Unique", {given({9, 2}, ElementType::i32, 0, 2), int_scalar(0)}, {{"sorted", "false"}}});
}

TEST(OnnxWriterIndexing, ScattersElementsWithEveryReduction) {
    const auto indices = fixed(tensor_of<std::int64_t>({2, 3}, {0, -1, 0, 1, 1, 3}));
    for (const ElementType type :
         {ElementType::f32, ElementType::i32, ElementType::i64, ElementType::boolean}) {
        for (const char* reduction : {"none", "sum", "prod", "min", "max", "mean"}) {
            const bool flags = type == ElementType::boolean;
            if (flags && std::string(reduction) == "mean") continue;
            for (const char* init : {"true", "false"}) {
                WriteCase one{"ScatterElementsUpdate",
                              {given({2, 4}, type, -9, 9), indices, given({2, 3}, type, -9, 9),
                               int_scalar(-1)},
                              {{"reduction", reduction}, {"use_init_val", init}}};
                one.tolerance = type == ElementType::f32 ? 1e-5 : 0;
                expect_written(one);
            }
        }
    }
}

TEST(OnnxWriterIndexing, ScattersSlicesWithEveryReduction) {
    const auto indices = fixed(tensor_of<std::int64_t>({3, 1}, {1, -1, 1}));
    for (const ElementType type : {ElementType::f32, ElementType::i32, ElementType::boolean}) {
        for (const char* reduction : {"none", "sum", "sub", "prod", "min", "max"}) {
            if (type == ElementType::boolean && std::string(reduction) == "sub") continue;
            expect_written({"ScatterNDUpdate",
                            {given({4, 2}, type, -9, 9), indices, given({3, 2}, type, -9, 9)},
                            {{"reduction", reduction}}});
        }
    }
}

TEST(OnnxWriterIndexing, SuppressesBoxes) {
    const std::vector<CaseInput> all{given({2, 9, 4}, ElementType::f32, 0, 4),
                                     given({2, 3, 9}, ElementType::f32, -1, 1), int_scalar(3),
                                     fixed(scalar_of<float>(0.5F)), fixed(scalar_of<float>(-0.5F))};
    for (const char* sorts : {"true", "false"}) {
        for (const char* encoding : {"corner", "center"}) {
            for (const char* type : {"i64", "i32"}) {
                for (const std::ptrdiff_t inputs : {2, 3, 4, 5}) {
                    expect_written({"NonMaxSuppression",
                                    {all.begin(), all.begin() + inputs},
                                    {{"sort_result_descending", sorts},
                                     {"box_encoding", encoding},
                                     {"output_type", type}}});
                }
            }
        }
    }
}

}  // namespace
}  // namespace rondo::test::reduction_test
