// Elementwise programs as generated code: one loop over vectors, and the rest of the array.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "plugins/cpu/jit/jit_base.hpp"
#include "plugins/cpu/jit/vector_io.hpp"
#include "plugins/cpu/jit/vector_ops.hpp"
#include "plugins/cpu/kernels/choice/jit_factories.hpp"
#include "plugins/cpu/kernels/elementwise/program_math.hpp"

namespace rondo::cpu::jit {
namespace {

constexpr std::size_t kMostInputs = ElementwiseProgram::kMostInputs;
constexpr int kVectorBytes = 64;  // of the widest vector

struct LoopArgs {
    const void* inputs[kMostInputs];
    std::int64_t steps[kMostInputs];  // bytes from one vector to the next; 0 if an input repeats
    void* output;
    std::int64_t count;
};

int input_offset(std::size_t input) {
    return static_cast<int>(offsetof(LoopArgs, inputs) + input * sizeof(void*));
}

int step_offset(std::size_t input) {
    return static_cast<int>(offsetof(LoopArgs, steps) + input * sizeof(std::int64_t));
}

// The reads of each value, by all steps.
std::vector<int> uses_of(const ElementwiseProgram& program) {
    std::vector<int> uses(program.value_count());
    for (const ProgramStep& step : program.steps) {
        for (std::size_t i = 0; i < operand_count(step.kind); ++i) ++uses[step.operands[i]];
    }
    ++uses.back();
    return uses;
}

std::string code_name(Isa isa, const ElementwiseProgram& program) {
    return "elementwise_" + std::to_string(program.steps.size()) + "_" + name_of(isa) + "_" +
           name_of(program.precision);
}

// On the stack: a vector for each input of the rest, one for its output, one for its mask, then one
// for each value that has to wait.
class ElementwiseCode final : public JitBase {
public:
    ElementwiseCode(Isa isa, const ElementwiseProgram& program)
        : JitBase(isa, code_name(isa, program)),
          program_(program),
          uses_(uses_of(program)),
          ops_(*this, isa, vector_pool_, constants_, base_, program.precision),
          io_(*this, isa, ops_, vector_pool_) {
        generate();
    }

    using Function = void (*)(const LoopArgs*);
    Function function() const { return getCode<Function>(); }

private:
    using Places = std::array<Xbyak::RegExp, kMostInputs>;
    static constexpr int kOutputSlot = kVectorBytes * static_cast<int>(kMostInputs);
    static constexpr int kMaskSlot = kOutputSlot + kVectorBytes;
    static constexpr int kFirstValueSlot = kMaskSlot + kVectorBytes;

    const Xbyak::Reg64 base_ = rax, left_ = rcx, output_ = rdx;
    const Xbyak::Reg64 sources_[kMostInputs] = {rsi, r10, r11, r12, r13, r14};
    const Xbyak::Opmask rest_mask_{2};

    void generate() {
        const int values = static_cast<int>(program_.value_count());
        emit_entry(kFirstValueSlot + kVectorBytes * values);
        constants_.load_base(*this, base_);
        for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
            mov(sources_[i], ptr[args_ + input_offset(i)]);
        }
        mov(output_, ptr[args_ + offsetof(LoopArgs, output)]);
        mov(left_, ptr[args_ + offsetof(LoopArgs, count)]);
        emit_whole_vectors();
        emit_rest();
        emit_exit();
        finish();
    }

    void emit_whole_vectors() {
        Xbyak::Label body, end;
        sub(left_, ops_.lanes());
        jl(end);
        align(16);
        L(body);
        Places places;
        std::copy(std::begin(sources_), std::end(sources_), places.begin());
        io_.store(program_.output, output_, result(places));
        for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
            add(sources_[i], ptr[args_ + step_offset(i)]);
        }
        add(output_, io_.bytes(program_.output));
        sub(left_, ops_.lanes());
        jge(body);
        L(end);
        add(left_, ops_.lanes());
    }

    // The remaining elements go through the stack, so that no access is outside of the arrays.
    void emit_rest() {
        Xbyak::Label end;
        test(left_, left_);
        jz(end);
        emit_mask();
        Places places;
        for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
            const int slot = kVectorBytes * static_cast<int>(i);
            places[i] = rsp + slot;
            program_.inputs[i] == ElementKind::truth ? copy_bytes(places[i], sources_[i])
                                                     : copy_in(places[i], sources_[i]);
        }
        const Xbyak::RegExp slot = rsp + kOutputSlot;
        io_.store(program_.output, slot, result(places));
        program_.output == ElementKind::truth ? copy_bytes(output_, slot) : copy_out(slot);
        L(end);
    }

    // Masks are of words of 32 bits, also where a lane has two of them.
    void emit_mask() {
        mov(r8, left_);
        if (program_.precision == Precision::f64) add(r8, r8);
        if (isa() == Isa::avx512) {
            mov(r9, -1);
            bzhi(r9, r9, r8);
            kmovd(rest_mask_, r9d);
            return;
        }
        // A window into lanes of ones followed by lanes of zeros.
        const auto width = static_cast<std::size_t>(JitBase::lanes());
        std::vector<std::uint32_t> window(2 * width, 0u);
        std::fill(window.begin(), window.begin() + static_cast<std::ptrdiff_t>(width), ~0u);
        lea(r9, constants_.vector_address(base_, window));
        shl(r8, 2);
        sub(r9, r8);
        const Lease mask(vector_pool_, "mask");
        vmovups(vmm(mask), ptr[r9 + vector_bytes()]);
        vmovups(ptr[rsp + kMaskSlot], vmm(mask));
    }

    void copy_in(const Xbyak::RegExp& to, const Xbyak::RegExp& from) {
        const Lease x(vector_pool_, "rest");
        if (isa() == Isa::avx512) {
            vmovups(vmm(x) | rest_mask_ | T_z, ptr[from]);
        } else {
            vmovups(vmm(x), ptr[rsp + kMaskSlot]);
            vmaskmovps(vmm(x), vmm(x), ptr[from]);
        }
        vmovups(ptr[to], vmm(x));
    }

    void copy_out(const Xbyak::RegExp& from) {
        const Lease x(vector_pool_, "rest");
        vmovups(vmm(x), ptr[from]);
        if (isa() == Isa::avx512) {
            vmovups(ptr[output_] | rest_mask_, vmm(x));
            return;
        }
        const Lease mask(vector_pool_, "mask");
        vmovups(vmm(mask), ptr[rsp + kMaskSlot]);
        vmaskmovps(ptr[output_], vmm(mask), vmm(x));
    }

    void copy_bytes(const Xbyak::RegExp& to, const Xbyak::RegExp& from) {
        Xbyak::Label next;
        xor_(r8, r8);
        L(next);
        mov(r9b, ptr[from + r8]);
        mov(ptr[to + r8], r9b);
        inc(r8);
        cmp(r8, left_);
        jl(next);
    }

    // Numbers of the inputs stay in memory; so do results that wait while many others do.
    Vec result(const Places& places) {
        std::vector<Vec> values(program_.value_count());
        std::vector<int> uses = uses_;
        for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
            if (uses[i] == 0) continue;
            values[i] = program_.inputs[i] == ElementKind::truth
                            ? settled(io_.load_truth(places[i]), i, values)
                            : Vec(Xbyak::util::ptr[places[i]]);
        }
        std::size_t at = program_.inputs.size();
        for (const ProgramStep& step : program_.steps) {
            std::array<Vec, ProgramStep::kMostOperands> x;
            for (std::size_t i = 0; i < operand_count(step.kind); ++i) {
                Vec& value = values[step.operands[i]];
                x[i] = --uses[step.operands[i]] == 0 ? std::move(value) : value;
            }
            values[at] = settled(math::apply(ops_, step, std::move(x)), at, values);
            ++at;
        }
        return std::move(values.back());
    }

    // The value in its register, or on the stack if too many registers hold values.
    Vec settled(Vec value, std::size_t index, const std::vector<Vec>& values) {
        const auto held = std::count_if(values.begin(), values.end(),
                                        [](const Vec& other) { return other.in_register(); });
        if (!value.in_register() || held < (isa() == Isa::avx512 ? 14 : 4)) return value;
        const Xbyak::Address slot =
            Xbyak::util::ptr[rsp + kFirstValueSlot + kVectorBytes * static_cast<int>(index)];
        ops_.store(slot, value);
        return Vec(slot);
    }

    ElementwiseProgram program_;
    std::vector<int> uses_;
    VectorOps ops_;
    VectorIo io_;
};

class JitElementwise final : public ElementwiseKernel {
public:
    JitElementwise(Isa isa, const ElementwiseProgram& program)
        : code_(isa, program), program_(program), lanes_(lanes_of(isa)) {
        if (program.precision == Precision::f64) lanes_ /= 2;
    }

    void run(const ElementwiseRun& run) const override {
        LoopArgs args;  // not cleared, which would take longer than the loop on a short array
        alignas(kVectorBytes) std::byte repeated[kMostInputs][kVectorBytes];
        for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
            const std::size_t bytes = bytes_of(program_.inputs[i], program_.precision);
            args.inputs[i] = run.inputs[i];
            args.steps[i] = static_cast<std::int64_t>(bytes) * lanes_;
            if (!run.repeats[i]) continue;
            repeat(run.inputs[i], bytes, repeated[i]);
            args.inputs[i] = repeated[i];
            args.steps[i] = 0;
        }
        args.output = run.output;
        args.count = run.count;
        code_.function()(&args);
    }

private:
    static void repeat(const void* element, std::size_t bytes, std::byte (&to)[kVectorBytes]) {
        if (bytes == sizeof(std::byte)) {
            std::memset(to, *static_cast<const unsigned char*>(element), kVectorBytes);
            return;
        }
        for (std::size_t at = 0; at < kVectorBytes; at += bytes) {
            std::memcpy(to + at, element, bytes);
        }
    }

    ElementwiseCode code_;
    ElementwiseProgram program_;
    std::int64_t lanes_;
};

}  // namespace

std::unique_ptr<ElementwiseKernel> make_elementwise(Isa isa, const ElementwiseProgram& program) {
    return std::make_unique<JitElementwise>(isa, program);
}

}  // namespace rondo::cpu::jit
