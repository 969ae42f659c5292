// Messages, read by protobuf.
#include "bindings/onnxruntime/src/wire.hpp"

#include <gtest/gtest.h>
#include <rondo_onnx.pb.h>

namespace rondo::test::onnxruntime_wire_test {
namespace {

TEST(OnnxruntimeWire, IsReadByProtobuf) {
    ort::Message message;
    message.add_bytes(1, "name");
    message.add_float(2, -0.5F);
    for (const std::int64_t value : {std::int64_t{0}, std::int64_t{127}, std::int64_t{128},
                                     std::int64_t{-1}, std::int64_t{1} << 62}) {
        message.add_int(8, value);
    }
    message.add_bytes(9, std::string_view("a\0b", 3));
    ort::Message tensor;
    tensor.add_int(1, 300);
    message.add(5, tensor);
    rondo_onnx::AttributeProto read;
    ASSERT_TRUE(read.ParseFromString(message.bytes()));
    EXPECT_EQ(read.name(), "name");
    EXPECT_EQ(read.f(), -0.5F);
    ASSERT_EQ(read.ints_size(), 5);
    EXPECT_EQ(read.ints(2), 128);
    EXPECT_EQ(read.ints(3), -1);
    EXPECT_EQ(read.ints(4), std::int64_t{1} << 62);
    EXPECT_EQ(read.strings(0).size(), 3U);
    EXPECT_EQ(read.t().dims(0), 300);
}

}  // namespace
}  // namespace rondo::test::onnxruntime_wire_test
