// Sparse tensors become dense ones.
#include <gtest/gtest.h>

#include "frontend/onnx/messages/tensor_reader.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::sparse_tensor_test {
namespace {

using rondo_onnx::SparseTensorProto;
using test::expect_error;
using test::expect_same;
using test::tensor_of;

using Indices = std::vector<std::int64_t>;

SparseTensorProto message(const Tensor& values, const Tensor& indices, const Indices& dims) {
    SparseTensorProto sparse;
    *sparse.mutable_values() = test::to_message("s", values);
    *sparse.mutable_indices() = test::to_message("places", indices);
    for (const std::int64_t extent : dims) sparse.add_dims(extent);
    return sparse;
}

Tensor read(const SparseTensorProto& sparse) {
    TensorReader reader;
    return reader.read(sparse);
}

TEST(OnnxSparseTensor, TakesFlatPlacesAndCoordinates) {
    const auto values = tensor_of<float>({2}, {7, 8});
    const auto dense = tensor_of<float>({2, 3}, {0, 7, 0, 0, 0, 8});
    expect_same(read(message(values, tensor_of<std::int64_t>({2}, {1, 5}), {2, 3})), dense);
    expect_same(read(message(values, tensor_of<std::int64_t>({2, 2}, {0, 1, 1, 2}), {2, 3})),
                dense);
}

TEST(OnnxSparseTensor, TakesOtherTypesAndNoElements) {
    expect_same(
        read(message(tensor_of<double>({1}, {1e300}), tensor_of<std::int64_t>({1}, {0}), {2})),
        tensor_of<double>({2}, {1e300, 0}));
    expect_same(read(message(tensor_of<bool>({1}, {true}), tensor_of<std::int64_t>({1}, {1}), {2})),
                tensor_of<bool>({2}, {false, true}));
    const auto none = tensor_of<std::int64_t>({0}, {});
    expect_same(read(message(tensor_of<float>({0}, {}), none, {2})), tensor_of<float>({2}, {0, 0}));
    EXPECT_EQ(read(message(tensor_of<float>({0}, {}), none, {0, 3})).shape(), (Shape{0, 3}));
}

TEST(OnnxSparseTensor, NamesIndicesThatAreWrong) {
    const auto values = tensor_of<float>({2}, {7, 8});
    const auto expect = [&](const Tensor& indices, const Indices& dims, const char* text) {
        expect_error<ModelError>([&] { read(message(values, indices, dims)); }, text);
    };
    expect(tensor_of<std::int64_t>({2}, {1, 6}), {2, 3},
           "sparse tensor 's': an index is 6; expected 0 to 6 exclusive");
    expect(tensor_of<std::int64_t>({2}, {-1, 2}), {2, 3}, "an index is -1; expected 0 to 6");
    expect(tensor_of<std::int64_t>({2, 2}, {0, 1, 0, 3}), {2, 3}, "an index is 3; expected 0 to 3");
    expect(tensor_of<std::int64_t>({2}, {4, 4}), {2, 3},
           "its indices don't ascend: entry 1 is not behind the one before it");
    expect(tensor_of<std::int64_t>({2, 2}, {1, 0, 0, 2}), {2, 3}, "its indices don't ascend");
    expect(tensor_of<std::int64_t>({3}, {0, 1, 2}), {2, 3},
           "its indices are i64[3]; expected i64[2] or i64[2,2]");
    expect(tensor_of<std::int32_t>({2}, {0, 1}), {2, 3},
           "its indices are i32[2]; expected i64[2] or i64[2,2]");
    expect(tensor_of<std::int64_t>({2}, {0, 0}), {0}, "an index is 0; expected 0 to 0 exclusive");
}

TEST(OnnxSparseTensor, NamesExtentsAndValuesThatAreWrong) {
    const auto places = tensor_of<std::int64_t>({1}, {0});
    const auto value = tensor_of<float>({1}, {7});
    expect_error<ModelError>([&] { read(message(value, places, {-2})); },
                             "sparse tensor 's': an extent is -2; expected 0 or more");
    expect_error<ModelError>(
        [&] {
            read(message(tensor_of<float>({1, 1}, {7}), places, {2}));
        },
        "its values have shape [1,1]; expected one axis");
    const std::int64_t huge = std::int64_t{1} << 40;
    expect_error<ModelError>([&] { read(message(value, places, {huge})); },
                             "sparse tensor 's': the constant has 4398046511104 bytes");
    expect_error<ModelError>(
        [&] {
            read(message(value, places, {huge, huge, huge}));
        },
        "has too many elements");
}

}  // namespace
}  // namespace rondo::onnx::sparse_tensor_test
