#include "frontend/onnx/messages/tensor_reader.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::tensor_reader_test {
namespace {

using rondo_onnx::TensorProto;
using test::expect_error;
using test::expect_same;
using test::tensor_of;

TensorProto message(ElementType type, const std::vector<std::int64_t>& dims) {
    TensorProto tensor;
    tensor.set_name("w");
    tensor.set_data_type(test::to_onnx(type));
    for (const std::int64_t extent : dims) tensor.add_dims(extent);
    return tensor;
}

Tensor read(const TensorProto& tensor) { return TensorReader().read(tensor); }

TEST(OnnxTensorReader, ReadsRawDataOfEveryType) {
    auto rng = test::test_rng();
    for (const auto type :
         {ElementType::boolean, ElementType::f64, ElementType::f32, ElementType::f16,
          ElementType::bf16, ElementType::i64, ElementType::i32, ElementType::i16, ElementType::i8,
          ElementType::u64, ElementType::u32, ElementType::u16, ElementType::u8}) {
        const Tensor tensor = test::random_tensor(type, {2, 3}, rng, 0, 100);
        expect_same(read(test::to_message("w", tensor)), tensor);
    }
}

// Large ones are not copied, except booleans, whose bytes may have to change.
TEST(OnnxTensorReader, TakesRawData) {
    auto rng = test::test_rng();
    for (const auto type : {ElementType::boolean, ElementType::f64, ElementType::f16}) {
        for (const std::size_t count : {std::size_t{0}, std::size_t{3}, std::size_t{100'000}}) {
            const Tensor tensor = test::random_tensor(type, {count}, rng, 0, 100);
            TensorProto proto = test::to_message("w", tensor);
            const void* raw = proto.raw_data().data();
            const Tensor taken = TensorReader().take(proto);
            expect_same(taken, tensor);
            const bool is_moved = count > 3 && type != ElementType::boolean;
            EXPECT_EQ(taken.data() == raw, is_moved) << count;
            EXPECT_EQ(proto.raw_data().empty(), is_moved || count == 0) << count;
        }
    }
    auto wrong = message(ElementType::f32, {70'000});
    wrong.mutable_raw_data()->assign(70'000, 'x');
    expect_error<ModelError>([&] { TensorReader().take(wrong); },
                             "f32[70000] needs 280000 bytes, but raw_data holds 70000");
}

TEST(OnnxTensorReader, ReadsTypedFields) {
    auto f32 = message(ElementType::f32, {2});
    f32.add_float_data(1.5f);
    f32.add_float_data(-2);
    expect_same(read(f32), tensor_of<float>({2}, {1.5f, -2}));
    auto f64 = message(ElementType::f64, {1});
    f64.add_double_data(1e300);
    expect_same(read(f64), tensor_of<double>({1}, {1e300}));
    auto i64 = message(ElementType::i64, {});
    i64.add_int64_data(std::numeric_limits<std::int64_t>::min());
    expect_same(read(i64), test::scalar_of(std::numeric_limits<std::int64_t>::min()));
    auto u64 = message(ElementType::u64, {1});
    u64.add_uint64_data(std::numeric_limits<std::uint64_t>::max());
    expect_same(read(u64), tensor_of<std::uint64_t>({1}, {~std::uint64_t{0}}));
    auto u32 = message(ElementType::u32, {1});
    u32.add_uint64_data(0xffffffffu);
    expect_same(read(u32), tensor_of<std::uint32_t>({1}, {0xffffffffu}));
}

template <typename T>
void expect_from_int32(std::int32_t value, T expected) {
    auto tensor = message(element_type_of<T>(), {1});
    tensor.add_int32_data(value);
    expect_same(read(tensor), tensor_of<T>({1}, {expected}));
}

TEST(OnnxTensorReader, ReadsNarrowTypesFromInt32Data) {
    expect_from_int32<std::int32_t>(-7, -7);
    expect_from_int32<std::int16_t>(-300, -300);
    expect_from_int32<std::int8_t>(-128, -128);
    expect_from_int32<std::uint16_t>(65535, 65535);
    expect_from_int32<std::uint8_t>(255, 255);
    expect_from_int32<bool>(1, true);
    expect_from_int32<bool>(2, true);
    expect_from_int32<bool>(0, false);
    expect_from_int32<float16>(0x3c00, float16(1.0f));
    expect_from_int32<bfloat16>(0xbf80, bfloat16(-1.0f));
}

TEST(OnnxTensorReader, RefusesElementsThatDontFit) {
    auto tensor = message(ElementType::u8, {1});
    tensor.add_int32_data(256);
    expect_error<ModelError>([&] { read(tensor); },
                             "tensor 'w': the element 256 doesn't fit 8 bits");
    tensor.set_int32_data(0, -1);
    expect_error<ModelError>([&] { read(tensor); }, "the element -1 doesn't fit 8 bits");
    auto wide = message(ElementType::u32, {1});
    wide.add_uint64_data(std::uint64_t{1} << 32);
    expect_error<ModelError>([&] { read(wide); }, "the element 4294967296 doesn't fit 32 bits");
}

TEST(OnnxTensorReader, MakesEveryTrueBooleanOne) {
    auto tensor = message(ElementType::boolean, {3});
    tensor.set_raw_data(std::string("\0\x01\xff", 3));
    const Tensor read_back = read(tensor);
    const auto* bytes = static_cast<const unsigned char*>(read_back.data());
    EXPECT_EQ(bytes[0], 0);
    EXPECT_EQ(bytes[1], 1);
    EXPECT_EQ(bytes[2], 1);
}

TEST(OnnxTensorReader, ReadsEmptyTensors) {
    EXPECT_EQ(read(message(ElementType::f32, {0, 3})).shape(), (Shape{0, 3}));
    EXPECT_EQ(read(message(ElementType::i64, {0})).size(), 0u);
}

TEST(OnnxTensorReader, RefusesDataOfTheWrongSize) {
    auto raw = message(ElementType::f32, {2, 2});
    raw.set_raw_data(std::string(12, '\0'));
    expect_error<ModelError>([&] { read(raw); },
                             "tensor 'w': f32[2,2] needs 16 bytes, but raw_data holds 12");
    auto typed = message(ElementType::f32, {2});
    expect_error<ModelError>([&] { read(typed); },
                             "f32[2] needs 2 elements, but float_data holds 0");
    typed.add_int64_data(1);
    typed.add_int64_data(2);
    expect_error<ModelError>([&] { read(typed); }, "but float_data holds 0");
}

TEST(OnnxTensorReader, RefusesElementsGivenTwice) {
    auto tensor = message(ElementType::f32, {1});
    tensor.set_raw_data(std::string(4, '\0'));
    tensor.add_float_data(1);
    expect_error<ModelError>([&] { read(tensor); }, "it has its elements twice");
}

// Nothing may be allocated for an extent that no data backs.
TEST(OnnxTensorReader, RefusesHostileShapes) {
    expect_error<ModelError>([] { read(message(ElementType::f32, {-1})); },
                             "tensor 'w': an extent is -1; expected 0 or more");
    expect_error<ModelError>([] { read(message(ElementType::f32, {1LL << 40})); },
                             "but float_data holds 0");
    expect_error<ModelError>(
        [] {
            read(message(ElementType::f32, {1LL << 62, 1LL << 62}));
        },
        "tensor 'w'");
}

TEST(OnnxTensorReader, RefusesOtherKinds) {
    auto strings = message(ElementType::f32, {1});
    strings.set_data_type(8);
    expect_error<UnsupportedError>([&] { read(strings); },
                                   "tensor 'w': the element type 8 (STRING) is not supported");
    auto segment = message(ElementType::f32, {1});
    segment.mutable_segment()->set_begin(0);
    expect_error<UnsupportedError>([&] { read(segment); }, "tensors in segments are not supported");
}

}  // namespace
}  // namespace rondo::onnx::tensor_reader_test
