// The constants of a kernel, stored after its code and addressed from one register.
#pragma once

#include <cstdint>
#include <vector>

#include <xbyak/xbyak.h>

#include "plugins/cpu/kernels/machine/cpu_features.hpp"

namespace rondo::cpu::jit {

/// Each distinct value is stored once: as 4 or 8 bytes that AVX-512 broadcasts while loading, or
/// repeated over a vector if the instruction set can't.
class ConstantTable {
public:
    explicit ConstantTable(Isa isa) : isa_(isa) {}

    /// `base` must hold the table's address, see load_base().
    Xbyak::Address address(const Xbyak::Reg64& base, std::uint32_t bits);
    /// The same for lanes of 64 bits.
    Xbyak::Address address64(const Xbyak::Reg64& base, std::uint64_t bits);

    /// A vector of the given lanes of 32 bits (not a broadcast).
    Xbyak::Address vector_address(const Xbyak::Reg64& base,
                                  const std::vector<std::uint32_t>& lanes);

    void load_base(Xbyak::CodeGenerator& code, const Xbyak::Reg64& base) { code.mov(base, label_); }

    /// Writes the table at the end of the code.
    void emit(Xbyak::CodeGenerator& code);

private:
    std::size_t find_or_add(const std::vector<std::uint32_t>& words);
    Xbyak::Address repeated(const Xbyak::Reg64& base, const std::vector<std::uint32_t>& value);

    Isa isa_;
    Xbyak::Label label_;
    std::vector<std::uint32_t> words_;
};

}  // namespace rondo::cpu::jit
