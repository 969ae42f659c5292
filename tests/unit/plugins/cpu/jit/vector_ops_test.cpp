// The cells' formulas give the same bits emitted as computed, in f32 and f64.
#include "plugins/cpu/jit/vector_ops.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>
#include <type_traits>
#include <vector>

#include "plugins/cpu/jit/jit_base.hpp"
#include "plugins/cpu/kernels/cell/cell_math.hpp"
#include "plugins/cpu/kernels/math/plain_ops.hpp"
#include "tests/unit/plugins/cpu/kernels/test_values.hpp"

namespace rondo::cpu::jit::vector_ops_test {
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
void expect_same(Isa isa, const CellConfig& cell, tests::Random& random) {
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
    tests::Random random;
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

// out[i] = f(in[i]) for whole vectors; f is e^x where there is no activation.
struct FunctionArgs {
    const void* in;
    void* out;
    std::int64_t vectors;
};

class FunctionCode final : public JitBase {
public:
    FunctionCode(Isa isa, Precision precision, const Activation* activation)
        : JitBase(isa, "function") {
        emit_entry(0);
        constants_.load_base(*this, rax);
        mov(rsi, ptr[args_ + offsetof(FunctionArgs, in)]);
        mov(rdx, ptr[args_ + offsetof(FunctionArgs, out)]);
        mov(rcx, ptr[args_ + offsetof(FunctionArgs, vectors)]);
        VectorOps ops(*this, isa, vector_pool_, constants_, rax, precision);
        Xbyak::Label next;
        L(next);
        Vec x = ops.load(Vec(ptr[rsi]));
        x = activation == nullptr ? math::exp(ops, std::move(x))
                                  : math::activate(ops, *activation, std::move(x));
        ops.store(ptr[rdx], ops.load(std::move(x)));
        add(rsi, vector_bytes());
        add(rdx, vector_bytes());
        dec(rcx);
        jnz(next);
        emit_exit();
        finish();
    }

    using Function = void (*)(const FunctionArgs*);
    Function function() const { return getCode<Function>(); }
};

// Values of every exponent, infinities and NaN; whole vectors of them.
template <typename T>
std::vector<T> values_everywhere() {
    std::vector<T> values;
    using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    const Bits step = (Bits{1} << (8 * sizeof(T) - 16)) - 15;
    for (int i = 0; i < (1 << 16); ++i)
        values.push_back(std::bit_cast<T>(static_cast<Bits>(i) * step));
    for (const T x : {T{0}, T{1}, T{0.5}, std::numeric_limits<T>::infinity(), T(88.8), T(-103.9),
                      T(-87.4), T(16.635), T(9), T(44), T(708.4), T(-745.2), T(1e-20), T(22),
                      std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::max()}) {
        values.insert(values.end(), {x, -x});
    }
    return values;
}

template <typename T>
void expect_bits_of_plain_ops(Isa isa, const Activation* activation) {
    const std::vector<T> in = values_everywhere<T>();
    std::vector<T> out(in.size());
    const auto lanes = static_cast<std::size_t>(lanes_of(isa)) * 4 / sizeof(T);
    const FunctionArgs args{in.data(), out.data(), static_cast<std::int64_t>(in.size() / lanes)};
    FunctionCode(isa, kPrecision<T>, activation).function()(&args);
    PlainOps<T> ops;
    for (std::size_t i = 0; i < in.size(); ++i) {
        const T plain =
            activation == nullptr ? math::exp(ops, in[i]) : math::activate(ops, *activation, in[i]);
        if (std::isnan(plain) && std::isnan(out[i])) continue;
        ASSERT_EQ(std::memcmp(&out[i], &plain, sizeof(T)), 0)
            << name_of(isa) << " f" << 8 * sizeof(T) << " of " << in[i] << ": " << out[i]
            << ", expected " << plain;
    }
}

TEST(VectorOps, FunctionsHaveTheBitsOfPlainOps) {
    for (Isa isa : {Isa::avx2, Isa::avx512}) {
        if (isa > cpu_features().best()) continue;
        expect_bits_of_plain_ops<float>(isa, nullptr);
        expect_bits_of_plain_ops<double>(isa, nullptr);
        for (const ops::ActivationInfo& info : ops::kActivations) {
            for (const Activation& activation :
                 {default_activation(info.kind), Activation{info.kind, 0.7f, -0.4f}}) {
                SCOPED_TRACE(info.name);
                expect_bits_of_plain_ops<float>(isa, &activation);
                expect_bits_of_plain_ops<double>(isa, &activation);
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
}  // namespace rondo::cpu::jit::vector_ops_test
