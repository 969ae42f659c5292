#include "core/ops/reference/common/words.hpp"

#include <algorithm>

#include "core/graph/infer_context.hpp"
#include "core/support/check.hpp"

namespace rondo::reference {
namespace {

template <typename T>
void narrow(std::span<const std::uint64_t> words, Tensor& tensor) {
    std::transform(words.begin(), words.end(), tensor.data<T>(),
                   [](std::uint64_t word) { return static_cast<T>(word); });
}

}  // namespace

std::vector<std::uint64_t> to_words(const Tensor& tensor) {
    internal_check(is_integral(tensor.element_type()),
                   "a tensor that isn't one of integers is read as one");
    const auto values = to_int64_vector(tensor);
    return {values.begin(), values.end()};
}

void from_words(std::span<const std::uint64_t> words, Tensor& tensor) {
    internal_check(words.size() == tensor.size(), "words and tensor differ in size");
    switch (tensor.element_type()) {
        case ElementType::i64: narrow<std::int64_t>(words, tensor); break;
        case ElementType::i32: narrow<std::int32_t>(words, tensor); break;
        case ElementType::i16: narrow<std::int16_t>(words, tensor); break;
        case ElementType::i8: narrow<std::int8_t>(words, tensor); break;
        case ElementType::u64: narrow<std::uint64_t>(words, tensor); break;
        case ElementType::u32: narrow<std::uint32_t>(words, tensor); break;
        case ElementType::u16: narrow<std::uint16_t>(words, tensor); break;
        case ElementType::u8: narrow<std::uint8_t>(words, tensor); break;
        default: internal_error("integers are written to a tensor that holds none");
    }
}

bool is_signed(ElementType type) {
    return type == ElementType::i64 || type == ElementType::i32 || type == ElementType::i16 ||
           type == ElementType::i8;
}

}  // namespace rondo::reference
