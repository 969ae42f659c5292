#include "rondo/tensor.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::tensor_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::tensor_of;

TEST(Tensor, OwnsZeroedAlignedMemory) {
    const Tensor tensor(ElementType::f32, {2, 3});
    EXPECT_EQ(tensor.size(), 6u);
    EXPECT_EQ(tensor.byte_size(), 24u);
    EXPECT_EQ(tensor.strides(), (Strides{12, 4}));
    EXPECT_TRUE(tensor.is_contiguous());
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(tensor.data<float>()[i], 0.0f);
    for (std::size_t size = 0; size < 200; ++size) {
        const Tensor aligned(ElementType::u8, {size});
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(aligned.data()) % 64, 0u) << size;
    }
}

// Memory that another tensor has used, too.
TEST(Tensor, IsZeroWhereMemoryIsUsedAgain) {
    for (const std::size_t size : {std::size_t{100}, std::size_t{1} << 20}) {
        for (int i = 0; i < 3; ++i) {
            Tensor tensor(ElementType::u8, {size});
            auto* bytes = tensor.data<std::uint8_t>();
            EXPECT_EQ(std::count(bytes, bytes + size, 0), static_cast<std::ptrdiff_t>(size));
            std::fill_n(bytes, size, 7);
        }
    }
}

TEST(Tensor, IsAHandle) {
    Tensor a(ElementType::i32, {});
    Tensor b = a;
    *b.data<std::int32_t>() = 7;
    EXPECT_EQ(*a.data<std::int32_t>(), 7);
    EXPECT_FALSE(Tensor());
    EXPECT_TRUE(a);
}

TEST(Tensor, HoldsNoElements) {
    const Tensor tensor(ElementType::i8, {2, 0, 3});
    EXPECT_EQ(tensor.size(), 0u);
    EXPECT_TRUE(tensor.is_contiguous());
    Tensor copy(ElementType::i8, {2, 0, 3});
    tensor.copy_to(copy);
}

// Their strides would overflow.
TEST(Tensor, RefusesHugeExtentsBesideAZero) {
    const std::size_t huge = std::size_t{1} << 40;
    EXPECT_EQ(Tensor(ElementType::f64, {huge, 0, 100}).byte_size(), 0u);
    for (const Shape& shape : {Shape{0, huge, huge}, Shape{huge, huge, 0}, Shape{huge, 0, huge}}) {
        expect_error<ModelError>([&] { Tensor(ElementType::f64, shape); }, "has too many elements");
    }
}

TEST(Tensor, RefusesWhatItCantHold) {
    expect_error<ModelError>([] { Tensor(ElementType::dynamic, {1}); },
                             "a tensor needs a known element type, not 'dynamic'");
    expect_error<ModelError>([] { Tensor(ElementType::f32, {std::size_t{1} << 48}); },
                             "has too many elements");
    expect_error<ModelError>([] { Tensor(ElementType::f32, {2}, nullptr); },
                             "a tensor of shape [2] can't borrow a null pointer");
    expect_error<ModelError>([] { (void)Tensor().shape(); }, "the tensor is empty");
    expect_error<ModelError>([] { (void)Tensor(ElementType::f32, {1}).data<double>(); },
                             "the tensor holds f32, but is read as f64");
}

TEST(Tensor, BorrowsStridedMemory) {
    float memory[] = {0, 1, 2, 3, 4, 5};
    const Tensor columns(ElementType::f32, {2, 2}, memory, {4, 8});
    EXPECT_FALSE(columns.is_contiguous());
    EXPECT_EQ(columns.strided_data(), memory);
    expect_same(columns.contiguous(), tensor_of<float>({2, 2}, {0, 2, 1, 3}));
    expect_error<ModelError>([&] { (void)columns.data(); },
                             "the tensor of shape [2,2] has strides");
    const Tensor backwards(ElementType::f32, {3}, memory + 2, {-4});
    expect_same(backwards.contiguous(), tensor_of<float>({3}, {2, 1, 0}));
    const Tensor repeated(ElementType::f32, {3}, memory + 5, {0});
    expect_same(repeated.contiguous(), tensor_of<float>({3}, {5, 5, 5}));
}

TEST(Tensor, KeepsTheOwnerOfStridedMemory) {
    const auto memory = std::make_shared<std::vector<float>>(std::vector<float>{0, 1, 2, 3});
    Tensor columns(ElementType::f32, {2, 2}, memory->data(), {4, 8}, memory);
    EXPECT_EQ(memory.use_count(), 2);
    tensor_of<float>({2, 2}, {5, 6, 7, 8}).copy_to(columns);
    EXPECT_EQ(*memory, (std::vector<float>{5, 7, 6, 8}));
    const Tensor copy = columns;
    columns = {};
    EXPECT_EQ(memory.use_count(), 2);
    expect_error<ModelError>([&] { Tensor(ElementType::f32, {2}, memory->data(), {2}, memory); },
                             "is not a multiple of the element's 4 bytes");
}

TEST(Tensor, IgnoresStridesThatMoveNothing) {
    float memory[] = {0, 1, 2};
    EXPECT_TRUE(Tensor(ElementType::f32, {1, 3}, memory, {400, 4}).is_contiguous());
    EXPECT_TRUE(Tensor(ElementType::f32, {0, 3}, memory, {8, 8}).is_contiguous());
}

TEST(Tensor, RefusesStridesThatDontFit) {
    float memory[4] = {};
    expect_error<ModelError>(
        [&] {
            Tensor(ElementType::f32, {2, 2}, memory, {8});
        },
        "a tensor of shape [2,2] got 1 strides; expected one an axis");
    expect_error<ModelError>([&] { Tensor(ElementType::f32, {2}, memory, {1}); },
                             "the stride 1 is not a multiple of the element's 4 bytes");
}

TEST(Tensor, KeepsTheOwnerOfBorrowedMemory) {
    auto owner = std::make_shared<int>(5);
    const std::weak_ptr<int> watch = owner;
    {
        const void* data = owner.get();
        const Tensor tensor(ElementType::i32, {1}, data, std::move(owner));
        const Tensor other = tensor.reshaped({});
        EXPECT_FALSE(watch.expired());
        EXPECT_EQ(*other.data<std::int32_t>(), 5);
    }
    EXPECT_TRUE(watch.expired());
}

TEST(Tensor, CopiesBetweenStrides) {
    const auto source = tensor_of<float>({2, 2}, {1, 2, 3, 4});
    float memory[4] = {};
    Tensor turned(ElementType::f32, {2, 2}, memory, {4, 8});
    source.copy_to(turned);
    EXPECT_EQ(memory[1], 3.0f);
    expect_same(turned.contiguous(), source);
    Tensor wrong(ElementType::f32, {4});
    expect_error<ModelError>([&] { source.copy_to(wrong); },
                             "can't copy a tensor f32[2,2] to one f32[4]");
}

// Windows into a [4,5,6] tensor, with and without runs of neighbours.
TEST(Tensor, CopiesWindows) {
    Tensor whole(ElementType::i16, {4, 5, 6});
    for (std::size_t i = 0; i < whole.size(); ++i) {
        whole.data<std::int16_t>()[i] = static_cast<std::int16_t>(i);
    }
    const Strides& steps = whole.strides();
    for (const Shape& shape : {Shape{4, 5, 6}, Shape{4, 3, 6}, Shape{2, 5, 6}, Shape{4, 1, 6},
                               Shape{1, 1, 4}, Shape{3, 2, 1}}) {
        for (const std::ptrdiff_t step : {1, -1}) {
            const Strides strides = {steps[0], step * steps[1], step * steps[2]};
            auto* first = whole.data<std::int16_t>() + (step < 0 ? 29 : 0);
            const Tensor copy = Tensor(ElementType::i16, shape, first, strides).contiguous();
            std::size_t at = 0;
            for (std::size_t i = 0; i < shape[0]; ++i) {
                for (std::size_t j = 0; j < shape[1]; ++j) {
                    for (std::size_t k = 0; k < shape[2]; ++k) {
                        const auto inner = static_cast<std::ptrdiff_t>(6 * j + k) * step;
                        const auto offset = static_cast<std::ptrdiff_t>(30 * i) + inner;
                        ASSERT_EQ(copy.data<std::int16_t>()[at++], first[offset])
                            << to_string(shape) << ", step " << step;
                    }
                }
            }
        }
    }
}

TEST(Tensor, SharesMemoryUnderAnotherShape) {
    auto tensor = tensor_of<float>({2, 2}, {1, 2, 3, 4});
    const Tensor flat = tensor.reshaped({4});
    tensor.data<float>()[3] = 9;
    expect_same(flat, tensor_of<float>({4}, {1, 2, 3, 9}));
    expect_error<ModelError>([&] { (void)tensor.reshaped({3}); },
                             "can't view a tensor of shape [2,2] as [3]");
}

// As if the source had been read before the first element was written.
TEST(Tensor, CopiesBetweenTensorsThatShareMemory) {
    float numbers[] = {1, 2, 3, 4, 5};
    Tensor behind(ElementType::f32, {4}, numbers + 1);
    Tensor(ElementType::f32, {4}, numbers).copy_to(behind);
    expect_same(behind, tensor_of<float>({4}, {1, 2, 3, 4}));
    float square[] = {1, 2, 3, 4};
    Tensor rows(ElementType::f32, {2, 2}, square);
    Tensor(ElementType::f32, {2, 2}, square, Strides{4, 8}).copy_to(rows);
    expect_same(rows, tensor_of<float>({2, 2}, {1, 3, 2, 4}));
}

}  // namespace
}  // namespace rondo::tensor_test
