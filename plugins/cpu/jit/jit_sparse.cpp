// Generated products of one row with block-sparse weights.
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "plugins/cpu/jit/product_math.hpp"
#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/product/sparse_panels.hpp"

namespace rondo::cpu::jit {
namespace {

// Blocks have eight columns: half a vector of AVX-512.
class SparseCode final : public JitBase {
public:
    SparseCode(Isa isa, const WeightFormat& format)
        : JitBase(isa, std::string("sparse_") + name_of(isa) + "_" + name_of(format)),
          math_(*this, format),
          chains_(sparse_chains(isa, format)),
          unit_bytes_(sparse_unit_bytes(isa, format)) {
        emit_entry(0);
        take(group_, "group", offsetof(SparseArgs, first));
        take(row_, "row", offsetof(SparseArgs, row));
        take(sums_, "sums", offsetof(SparseArgs, sums));
        place_ = take_gpr("places in the row");
        block_ = take_gpr("blocks");
        count_ = take_gpr("steps");
        for (int i = 0; i < chains_ * math_.format().sums(); ++i) {
            accumulators_.push_back(take_vector("accumulator"));
        }
        Xbyak::Label next;
        L(next);
        emit_group();
        dec(qword[args_ + offsetof(SparseArgs, groups)]);
        jnz(next);
        emit_exit();
        finish();
    }

private:
    static constexpr int kAtOnce = 4;  // chains whose places find registers

    void take(Lease& to, const char* role, std::size_t member) {
        to = take_gpr(role);
        mov(gpr(to), argument(member));
    }
    static Xbyak::Ymm ymm(const Lease& lease) { return Xbyak::Ymm(lease.index()); }
    Xbyak::Ymm sum(int chain, int index) const {
        return ymm(accumulators_[static_cast<std::size_t>(chain * math_.format().sums() + index)]);
    }
    Xbyak::Address header(std::size_t member, int index) const {
        return ptr[gpr(group_) + member + static_cast<std::size_t>(index) * sizeof(std::uint32_t)];
    }
    int steps_of_block() const { return kSparseDepth / math_.together(); }
    int column_bytes() const {
        return kSparseColumns * math_.together() * static_cast<int>(math_.format().bytes());
    }

    void emit_group() {
        for_each_sum([&](const Xbyak::Ymm& to, const Xbyak::Address& at) { vmovups(to, at); });
        lea(gpr(place_), ptr[gpr(group_) + sizeof(SparseGroup)]);
        mov(low(block_), ptr[gpr(group_) + offsetof(SparseGroup, blocks)]);
        add(gpr(block_), gpr(group_));
        Xbyak::Label end;
        for (int chains = chains_; chains > 0; --chains) emit_steps(chains, end);
        L(end);
        for_each_sum([&](const Xbyak::Ymm& from, const Xbyak::Address& at) { vmovups(at, from); });
        mov(low(count_), ptr[gpr(group_) + offsetof(SparseGroup, next)]);
        add(gpr(group_), gpr(count_));
    }

    static Xbyak::Reg32 low(const Lease& lease) { return Xbyak::Reg32(lease.index()); }

    // Calls emit(accumulator, its place) for the chains that the group has.
    template <typename Emit>
    void for_each_sum(Emit emit) {
        Xbyak::Label end;
        const int sum_bytes = vector_bytes();
        for (int chain = 0; chain < chains_; ++chain) {
            cmp(dword[gpr(group_) + offsetof(SparseGroup, chains)], chain);
            jle(end);
            mov(low(count_), header(offsetof(SparseGroup, places), chain));
            add(gpr(count_), gpr(sums_));
            for (int i = 0; i < math_.format().sums(); ++i) {
                emit(sum(chain, i), ptr[gpr(count_) + i * sum_bytes]);
            }
        }
        L(end);
    }

    // The steps of so many chains.
    void emit_steps(int chains, const Xbyak::Label& end) {
        Xbyak::Label next, other;
        cmp(dword[gpr(group_) + offsetof(SparseGroup, chains)], chains);
        jne(other);
        mov(low(count_), dword[gpr(group_) + offsetof(SparseGroup, steps)]);
        test(low(count_), low(count_));
        jz(end);
        align(16);
        L(next);
        for (int first = 0; first < chains; first += kAtOnce) {
            emit_blocks(first, std::min(chains, first + kAtOnce));
        }
        add(gpr(place_), chains * static_cast<int>(sizeof(std::uint16_t)));
        add(gpr(block_), chains * steps_of_block() * column_bytes());
        dec(low(count_));
        jnz(next);
        jmp(end);
        L(other);
    }

    void emit_blocks(int first, int last) {
        std::vector<Lease> places;
        for (int chain = first; chain < last; ++chain) {
            places.push_back(take_gpr("place"));
            movzx(low(places.back()),
                  word[gpr(place_) + chain * static_cast<int>(sizeof(std::uint16_t))]);
        }
        for (int step = 0; step < steps_of_block(); ++step) {
            for (int chain = first; chain < last; ++chain) {
                const Lease& place = places[static_cast<std::size_t>(chain - first)];
                emit_product(chain, step, gpr(row_) + gpr(place) * unit_bytes_);
            }
        }
    }

    void emit_product(int chain, int step, const Xbyak::RegExp& row) {
        const Xbyak::Address weights =
            ptr[gpr(block_) + (chain * steps_of_block() + step) * column_bytes()];
        const int planes = math_.format().row_planes();
        const Lease value = take_vector("value");
        const auto load_value = [&](int plane) {
            math_.broadcast(ymm(value), ptr[row + (step * planes + plane) * math_.value_bytes()]);
        };
        if (planes == 1 && !math_.adds_apart()) {
            load_value(0);
            return math_.fma(sum(chain, 0), ymm(value), weights);
        }
        const Lease held = take_vector("weights");
        math_.load_weights(ymm(held), weights);
        for (int plane = 0; plane < planes; ++plane) {
            load_value(plane);
            math_.adds_apart()
                ? math_.add_product(sum(chain, plane), ymm(value), ymm(value), ymm(held))
                : math_.fma(sum(chain, plane), ymm(value), ymm(held));
        }
    }

    const ProductMath math_;
    const int chains_, unit_bytes_;
    Lease group_, row_, sums_, place_, block_, count_;
    std::vector<Lease> accumulators_;
};

class JitSparse final : public SparseKernel {
public:
    JitSparse(Isa isa, const WeightFormat& format) : code_(isa, format) {}

    void add(const SparseArgs& args) const override {
        SparseArgs counted = args;  // which the code counts down
        code_.getCode<void (*)(void*)>()(&counted);
    }

private:
    SparseCode code_;
};

}  // namespace

std::unique_ptr<SparseKernel> make_sparse(Isa isa, const WeightFormat& format) {
    return generate<JitSparse>(isa, format);
}

}  // namespace rondo::cpu::jit
