// The cells' formulas give the same bits emitted as computed, in f32 and f64.
#include "plugins/cpu/jit/vector_ops.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <tuple>
#include <vector>

#include "plugins/cpu/jit/jit_base.hpp"
#include "plugins/cpu/kernels/cell/cell_math.hpp"
#include "plugins/cpu/kernels/math/plain_ops.hpp"
#include "tests/unit/plugins/cpu/kernels/test_values.hpp"

namespace rondo::cpu::jit {
namespace {

constexpr int kOperands = 8;
constexpr int kBytes = 64;  // of a vector, at most

template <typename T>
constexpr Precision kPrecision = PlainOps<T>::precision();

// in: kOperands vectors; out: C', H', and gru_blend of the first three operands.
struct Buffers {
    const void* in;
    void* out;
};

class UpdateCode final : public JitBase {
public:
    UpdateCode(Isa isa, Precision precision, const CellConfig& cell) : JitBase(isa, "update") {
        emit_entry(0);
        constants_.load_base(*this, rax);
        mov(rsi, ptr[args_ + offsetof(Buffers, in)]);
        mov(rdx, ptr[args_ + offsetof(Buffers, out)]);
        VectorOps ops(*this, isa, vector_pool_, constants_, rax, precision);
        {
            math::LstmInput<Vec> in{at(0),           at(1), at(2), at(3),
                                    ops.load(at(4)), at(5), at(6), at(7)};
            const auto out = math::lstm_update(ops, cell, std::move(in));
            ops.store(ptr[rdx], out.cell_state);
            ops.store(ptr[rdx + kBytes], out.hidden);
        }
        ops.store(ptr[rdx + 2 * kBytes], math::gru_blend(ops, ops.load(at(0)), at(1), at(2)));
        emit_exit();
        finish();
    }

    using Function = void (*)(const Buffers*);
    Function function() const { return getCode<Function>(); }

private:
    static Vec at(int operand) {
        return Vec(Xbyak::util::ptr[Xbyak::util::rsi + operand * kBytes]);
    }
};

template <typename T>
std::vector<T> expected(const CellConfig& cell, const T (&in)[kOperands]) {
    PlainOps<T> ops;
    math::LstmInput<T> lstm{in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7]};
    const auto out = math::lstm_update(ops, cell, std::move(lstm));
    return {out.cell_state, out.hidden, math::gru_blend(ops, in[0], in[1], in[2])};
}

template <typename T>
void expect_same(Isa isa, const CellConfig& cell, test::Random& random) {
    constexpr int kPitch = kBytes / sizeof(T);
    const auto floats = random.floats(kOperands * kPitch, 3.0f);
    std::vector<T> in(floats.begin(), floats.end()), out(3 * kPitch);
    for (T& value : in) value = std::sin(value);  // all bits of a double
    const Buffers buffers{in.data(), out.data()};
    UpdateCode(isa, kPrecision<T>, cell).function()(&buffers);
    const int lanes = lanes_of(isa) * 4 / static_cast<int>(sizeof(T));
    for (int lane = 0; lane < lanes; ++lane) {
        T operands[kOperands];
        for (int i = 0; i < kOperands; ++i) operands[i] = in[i * kPitch + lane];
        const auto plain = expected<T>(cell, operands);
        for (int i = 0; i < 3; ++i) {
            EXPECT_EQ(std::memcmp(&out[i * kPitch + lane], &plain[i], sizeof(T)), 0)
                << name_of(isa) << " f" << 8 * sizeof(T) << " lane " << lane << " result " << i
                << ": " << out[i * kPitch + lane] << ", expected " << plain[i];
        }
    }
}

CellConfig lstm_with(ActivationKind kind, int options) {
    CellConfig cell = default_cell(CellKind::lstm, 1, 1);
    cell.f = cell.g = cell.h = {kind, 0.3f, 0.6f};
    cell.peephole = (options & 1) != 0;
    cell.input_forget = (options & 2) != 0;
    cell.clip = (options & 4) != 0 ? 0.45f : 0.0f;
    return cell;
}

TEST(VectorOps, UpdatesOfCellsHaveTheBitsOfPlainOps) {
    test::Random random;
    for (Isa isa : {Isa::avx2, Isa::avx512}) {
        if (isa > cpu_features().best()) continue;
        for (const ops::ActivationInfo& info : ops::kActivations) {
            const ActivationKind kind = info.kind;
            for (int options = 0; options < 8; ++options) {
                const CellConfig cell = lstm_with(kind, options);
                SCOPED_TRACE(std::string(info.name) + " options " + std::to_string(options));
                expect_same<float>(isa, cell, random);
                expect_same<double>(isa, cell, random);
            }
        }
    }
}

TEST(VectorOps, CountsLanesOfItsPrecision) {
    RegisterPool pool("vector", {0, 1});
    for (Isa isa : {Isa::avx2, Isa::avx512}) {
        Xbyak::CodeGenerator code;
        ConstantTable constants(isa);
        const auto ops = [&](Precision precision) {
            return VectorOps(code, isa, pool, constants, Xbyak::util::rax, precision);
        };
        EXPECT_EQ(ops(Precision::f32).lanes(), isa == Isa::avx512 ? 16 : 8);
        EXPECT_EQ(ops(Precision::f64).lanes(), isa == Isa::avx512 ? 8 : 4);
        EXPECT_EQ(ops(Precision::f64).lane_bytes(), 8);
    }
}

// Two words that are equal, or parts of other constants, must not be confused.
TEST(ConstantTable, KeepsWidthsApart) {
    for (Isa isa : {Isa::avx2, Isa::avx512}) {
        ConstantTable constants(isa);
        const auto& base = Xbyak::util::rax;
        const auto place = [](const Xbyak::Address& address) {
            return address.getRegExp().getDisp();
        };
        const auto one = place(constants.address(base, 1));
        const auto two = place(constants.address(base, 2));
        const auto both = place(constants.address64(base, (2ull << 32) | 1));
        EXPECT_NE(one, two);
        EXPECT_EQ(both % 8, 0u);
        EXPECT_EQ(place(constants.address64(base, (2ull << 32) | 1)), both);
        EXPECT_NE(place(constants.address64(base, (1ull << 32) | 2)), both);
        EXPECT_EQ(place(constants.address(base, 2)), two);
    }
}

}  // namespace
}  // namespace rondo::cpu::jit
