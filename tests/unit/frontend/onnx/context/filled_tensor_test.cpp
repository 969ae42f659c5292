// Tests a part of frontend/onnx/ops/common/building_blocks.hpp.
#include "frontend/onnx/ops/common/building_blocks.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::onnx::filled_tensor_test {
namespace {

TEST(OnnxFilledTensor, FillsEveryType) {
    for (const auto type :
         {ElementType::boolean, ElementType::f64, ElementType::f32, ElementType::f16,
          ElementType::bf16, ElementType::i64, ElementType::i32, ElementType::i16, ElementType::i8,
          ElementType::u64, ElementType::u32, ElementType::u16, ElementType::u8}) {
        const Tensor tensor = filled_tensor(type, {2, 3}, 1);
        EXPECT_EQ(tensor.element_type(), type);
        EXPECT_EQ(tensor.shape(), (Shape{2, 3}));
        for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(test::element_at(tensor, i), 1.0L);
    }
}

TEST(OnnxFilledTensor, RefusesOtherTypes) {
    test::expect_error<ModelError>([] { filled_tensor(ElementType::dynamic, {1}, 0); },
                                   "a tensor needs a known element type");
    test::expect_error<UnsupportedError>([] { filled_tensor(ElementType::f8e4m3, {1}, 0); },
                                         "numbers of type f8e4m3 are only stored and converted");
}

}  // namespace
}  // namespace rondo::onnx::filled_tensor_test
