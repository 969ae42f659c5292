// Constants that are borrowed from a host until a model is compiled.
#include "bindings/onnxruntime/src/borrowed_constants.hpp"

#include <gmock/gmock.h>

namespace rondo::test::onnxruntime_borrowed_constants_test {
namespace {

using ort::BorrowedConstants;
using ort::HostTensor;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kElements[] = "elements";

HostTensor elements() {
    HostTensor tensor;
    tensor.data = kElements;
    tensor.bytes = sizeof kElements;
    return tensor;
}

bool is_borrowed(BorrowedConstants& constants, const std::string& name) {
    const Tensor held = constants.hold(name, elements());
    EXPECT_EQ(held.byte_size(), sizeof kElements);
    EXPECT_STREQ(static_cast<const char*>(held.data()), kElements);
    return held.data() == kElements;
}

TEST(OnnxruntimeBorrowedConstants, AreThoseThatAreAskedFor) {
    BorrowedConstants nothing(ort::kBorrowNothing), everything(ort::kBorrowEverything);
    EXPECT_FALSE(is_borrowed(nothing, "w"));
    EXPECT_TRUE(is_borrowed(everything, "w"));
    BorrowedConstants from_here(sizeof kElements);
    BorrowedConstants above(sizeof kElements + 1);
    EXPECT_TRUE(is_borrowed(from_here, "w"));
    EXPECT_FALSE(is_borrowed(above, "w"));
    from_here.copy("w");
    EXPECT_FALSE(is_borrowed(from_here, "w"));
    EXPECT_TRUE(is_borrowed(from_here, "other"));
}

TEST(OnnxruntimeBorrowedConstants, AreCopiedOnceTheyAreReadForLonger) {
    BorrowedConstants constants(1);
    Tensor view;
    {
        const Tensor packed = constants.hold("packed", elements());
        view = constants.hold("read", elements()).reshaped({3, 3});
    }
    EXPECT_THAT(constants.copy_what_is_read(), ElementsAre("read"));
    EXPECT_TRUE(is_borrowed(constants, "packed"));
    EXPECT_FALSE(is_borrowed(constants, "read"));
    EXPECT_THAT(constants.copy_what_is_read(), IsEmpty());
}

}  // namespace
}  // namespace rondo::test::onnxruntime_borrowed_constants_test
