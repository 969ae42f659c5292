#include "core/ops/reference/common/booleans.hpp"

#include <algorithm>

#include "core/ops/reference/common/words.hpp"

namespace rondo::reference {

std::vector<std::uint64_t> to_words_or_bits(const Tensor& tensor) {
    if (tensor.element_type() != ElementType::boolean) return to_words(tensor);
    const auto* bytes = static_cast<const std::uint8_t*>(tensor.data());
    std::vector<std::uint64_t> words(tensor.size());
    std::transform(bytes, bytes + words.size(), words.begin(),
                   [](std::uint8_t byte) { return byte != 0 ? 1u : 0u; });
    return words;
}

}  // namespace rondo::reference
