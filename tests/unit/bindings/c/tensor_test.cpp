#include "rondo/c/tensor.h"

#include <cstdint>

#include "tests/unit/bindings/c/c_api.hpp"

namespace rondo::test::tensor_test {
namespace {

void count(void* calls) { ++*static_cast<int*>(calls); }

TEST(CTensor, OwnsZeroedAlignedMemory) {
    const auto tensor = make_tensor({2, 3});
    void* data = nullptr;
    expect_ok(rondo_tensor_data_as(tensor.get(), RONDO_F32, &data));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % 64, 0u);
    EXPECT_EQ(static_cast<float*>(data)[5], 0.0f);
}

TEST(CTensor, ScalarsNeedNoShape) {
    rondo_tensor_t* made = nullptr;
    expect_ok(rondo_tensor_create(RONDO_F32, nullptr, 0, &made));
    const TensorHandle scalar(made);
    const size_t* shape = nullptr;
    size_t rank = 9;
    expect_ok(rondo_tensor_shape(made, &shape, &rank));
    EXPECT_EQ(rank, 0u);
    EXPECT_NE(shape, nullptr);
}

TEST(CTensor, RefusesWhatIsNoTensor) {
    const size_t shape[] = {2, 3};
    const size_t hostile[] = {SIZE_MAX / 2, 3};
    auto* tensor = reinterpret_cast<rondo_tensor_t*>(std::uintptr_t{1});
    expect_status(rondo_tensor_create(static_cast<rondo_element_type_t>(99), shape, 2, &tensor),
                  RONDO_INVALID_ARGUMENT, "rondo_tensor_create: 99 is not an element type");
    EXPECT_EQ(tensor, nullptr);
    expect_status(rondo_tensor_create(RONDO_DYNAMIC, shape, 2, &tensor), RONDO_MODEL_ERROR,
                  "'dynamic'");
    expect_status(rondo_tensor_create(RONDO_F32, hostile, 2, &tensor), RONDO_MODEL_ERROR, "[");
    expect_status(rondo_tensor_create(RONDO_F32, nullptr, 2, &tensor), RONDO_INVALID_ARGUMENT,
                  "'shape' is NULL");
    expect_status(rondo_tensor_create_borrowed(RONDO_F32, shape, 2, nullptr, nullptr, &tensor),
                  RONDO_MODEL_ERROR, "null pointer");
}

TEST(CTensor, RefusesStridesThatDoNotFit) {
    float values[6] = {};
    const size_t shape[] = {2, 3};
    const ptrdiff_t strides[] = {13, 4};
    rondo_tensor_t* tensor = nullptr;
    expect_status(rondo_tensor_create_borrowed(RONDO_F32, shape, 2, values, strides, &tensor),
                  RONDO_MODEL_ERROR, "stride 13");
}

TEST(CTensor, ReleasesOnceAndOnlyWhatItTook) {
    float values[6] = {};
    const size_t shape[] = {2, 3};
    int calls = 0;
    rondo_tensor_t* tensor = nullptr;
    expect_status(
        rondo_tensor_create_with_release(RONDO_DYNAMIC, shape, 2, values, count, &calls, &tensor),
        RONDO_MODEL_ERROR, "'dynamic'");
    expect_status(
        rondo_tensor_create_with_release(RONDO_F32, shape, 2, nullptr, count, &calls, &tensor),
        RONDO_INVALID_ARGUMENT, "'data' is NULL");
    expect_status(
        rondo_tensor_create_with_release(RONDO_F32, shape, 2, values, nullptr, &calls, &tensor),
        RONDO_INVALID_ARGUMENT, "'release' is NULL");
    EXPECT_EQ(calls, 0);
    expect_ok(
        rondo_tensor_create_with_release(RONDO_F32, shape, 2, values, count, &calls, &tensor));
    rondo_tensor_free(tensor);
    EXPECT_EQ(calls, 1);
}

TEST(CTensor, ChecksTypesAndShapes) {
    const auto tensor = make_tensor({2, 3});
    const auto other = make_tensor({3, 2});
    void* data = nullptr;
    expect_status(rondo_tensor_data_as(tensor.get(), RONDO_I64, &data), RONDO_MODEL_ERROR,
                  "holds f32, but is read as i64");
    EXPECT_EQ(data, nullptr);
    expect_status(rondo_tensor_copy_to(tensor.get(), other.get()), RONDO_MODEL_ERROR, "f32[3,2]");
    const size_t seven = 7;
    rondo_tensor_t* view = nullptr;
    expect_status(rondo_tensor_reshaped(tensor.get(), &seven, 1, &view), RONDO_MODEL_ERROR, "[7]");
}

TEST(CTensor, BecomesOneOfAnotherType) {
    double values[] = {0.1, 3, 1e39};
    const size_t two = 2;
    const size_t three = 3;
    rondo_tensor_t* made = nullptr;
    expect_ok(rondo_tensor_create_borrowed(RONDO_F64, &two, 1, values, nullptr, &made));
    const TensorHandle pair(made);
    size_t rounded = 0;
    expect_ok(rondo_tensor_converted(pair.get(), RONDO_F32, &rounded, &made));
    const TensorHandle floats(made);
    EXPECT_EQ(rounded, 1u);
    void* data = nullptr;
    expect_ok(rondo_tensor_data_as(floats.get(), RONDO_F32, &data));
    EXPECT_EQ(*static_cast<float*>(data), 0.1f);
    expect_status(rondo_tensor_converted(pair.get(), RONDO_I64, &rounded, &made), RONDO_MODEL_ERROR,
                  "can't convert f64 to i64");
    expect_ok(rondo_tensor_create_borrowed(RONDO_F64, &three, 1, values, nullptr, &made));
    const TensorHandle all(made);
    expect_status(rondo_tensor_converted(all.get(), RONDO_F32, nullptr, &made), RONDO_MODEL_ERROR,
                  "element 2 of the tensor is a number that f32 can't hold");
}

}  // namespace
}  // namespace rondo::test::tensor_test
