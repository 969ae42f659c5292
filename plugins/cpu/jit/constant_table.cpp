#include "plugins/cpu/jit/constant_table.hpp"

#include <algorithm>

namespace rondo::cpu::jit {

std::size_t ConstantTable::find_or_add(const std::vector<std::uint32_t>& words) {
    for (std::size_t at = 0; at + words.size() <= words_.size(); at += words.size()) {
        if (std::equal(words.begin(), words.end(), words_.begin() + static_cast<long>(at))) {
            return at;
        }
    }
    // Entries start at a multiple of their size, which find_or_add also relies on.
    while (words_.size() % words.size() != 0) words_.push_back(0);
    words_.insert(words_.end(), words.begin(), words.end());
    return words_.size() - words.size();
}

Xbyak::Address ConstantTable::repeated(const Xbyak::Reg64& base,
                                       const std::vector<std::uint32_t>& value) {
    if (isa_ == Isa::avx512) return Xbyak::util::ptr_b[base + find_or_add(value) * 4];
    std::vector<std::uint32_t> words;
    while (words.size() < static_cast<std::size_t>(lanes_of(isa_))) {
        words.insert(words.end(), value.begin(), value.end());
    }
    return Xbyak::util::ptr[base + find_or_add(words) * 4];
}

Xbyak::Address ConstantTable::address(const Xbyak::Reg64& base, std::uint32_t bits) {
    return repeated(base, {bits});
}

Xbyak::Address ConstantTable::address64(const Xbyak::Reg64& base, std::uint64_t bits) {
    return repeated(base,
                    {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)});
}

Xbyak::Address ConstantTable::vector_address(const Xbyak::Reg64& base,
                                             const std::vector<std::uint32_t>& lanes) {
    return Xbyak::util::ptr[base + find_or_add(lanes) * 4];
}

void ConstantTable::emit(Xbyak::CodeGenerator& code) {
    code.align(64);
    code.L(label_);
    for (std::uint32_t word : words_) code.dd(word);
}

}  // namespace rondo::cpu::jit
