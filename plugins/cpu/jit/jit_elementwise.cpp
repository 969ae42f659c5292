// Generates code for elementwise programs: rows, and in each a loop over vectors and the rest. Rows
// of one vector have a loop of their own, in which nothing waits on the stack.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "plugins/cpu/jit/jit_base.hpp"
#include "plugins/cpu/jit/vector_io.hpp"
#include "plugins/cpu/jit/vector_ops.hpp"
#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/elementwise/program_math.hpp"

namespace rondo::cpu::jit {
namespace {

constexpr std::size_t kMostInputs = ElementwiseProgram::kMostInputs;
constexpr int kVectorBytes = 64;   // of the widest vector
constexpr int kMostVectors = 2;    // of a turn of the loop
constexpr std::size_t kShort = 8;  // steps of programs whose turns compute so many

int input_offset(std::size_t input) {
    return static_cast<int>(offsetof(ElementwiseRun, inputs) + input * sizeof(void*));
}

int row_step_offset(std::size_t input) {
    return static_cast<int>(offsetof(ElementwiseRun, row_steps) + input * sizeof(std::int64_t));
}

int repeats_offset(std::size_t input) {
    return static_cast<int>(offsetof(ElementwiseRun, repeats) + input * sizeof(bool));
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

// Values that registers hold at once while others are computed: a heavy step, such as tanh, needs
// up to 12 registers for itself with AVX2.
int most_held(Isa isa, const ElementwiseProgram& program) {
    if (isa == Isa::avx512) return 14;
    const bool heavy =
        std::any_of(program.steps.begin(), program.steps.end(),
                    [](const ProgramStep& step) { return step.kind == ProgramStep::Kind::unary; });
    return heavy ? 4 : 10;
}

bool reads_truth(const ElementwiseProgram& program) {
    const auto& inputs = program.inputs;
    return std::find(inputs.begin(), inputs.end(), ElementKind::truth) != inputs.end();
}

bool has_truth_in_memory(const ElementwiseProgram& program) {
    return program.output == ElementKind::truth || reads_truth(program);
}

int vectors_in_turn(const ElementwiseProgram& program) {
    return program.steps.size() <= kShort ? kMostVectors : 1;
}

// On the stack: for each input the vectors of a turn where it repeats, and its step, the bytes of a
// turn or 0; the arguments, and the number of the row. Programs that are not small also have a
// vector of truth values there, and one for each value that has to wait.
class ElementwiseCode final : public JitBase {
public:
    ElementwiseCode(Isa isa, const ElementwiseProgram& program)
        : JitBase(isa, code_name(isa, program)),
          program_(program),
          uses_(uses_of(program)),
          most_held_(most_held(isa, program)),
          turn_(vectors_in_turn(program)),
          ops_(*this, isa, vector_pool_, constants_, base_, program.precision),
          io_(*this, isa, ops_, vector_pool_),
          rest_(*this, ops_, io_, vector_pool_, {left_, args_, rbx, r13}) {
        generate();
    }

    using Function = void (*)(const ElementwiseRun*);
    Function function() const { return getCode<Function>(); }

private:
    static constexpr std::size_t kFreeSources = 5;  // registers that needn't be saved
    static constexpr int kArgsSlot = static_cast<int>(kMostInputs * sizeof(std::int64_t));
    static constexpr int kRowSlot = kArgsSlot + 8;
    static constexpr int kFirstSlot = kVectorBytes;  // after the steps and both of these
    static_assert(kRowSlot + 8 <= kFirstSlot);

    const Xbyak::Reg64 base_ = rax, left_ = rcx, output_ = rdx;
    const Xbyak::Reg64 sources_[kMostInputs] = {rsi, r8, r9, r10, r11, r12};

    bool is_leaf() const {
        return program_.inputs.size() <= kFreeSources &&
               static_cast<int>(program_.value_count()) <= most_held_ &&
               (isa() == Isa::avx512 || !has_truth_in_memory(program_));
    }

    void generate() {
        const int waiting = is_leaf() ? 0 : 1 + static_cast<int>(program_.value_count());
        const int stack = kFirstSlot + kVectorBytes * (kMostVectors * inputs() + waiting);
        is_leaf() ? emit_leaf_entry(stack) : emit_entry(stack);
        constants_.load_base(*this, base_);
        mov(qword[rsp + kArgsSlot], args_);
        mov(qword[rsp + kRowSlot], 0);
        mov(output_, ptr[args_ + offsetof(ElementwiseRun, output)]);
        Xbyak::Label row, end;
        if (!reads_truth(program_)) emit_narrow_rows(end);
        L(row);
        emit_row();
        emit_next_row(row);
        L(end);
        is_leaf() ? emit_leaf_exit() : emit_exit();
        finish();
    }

    // All rows, if each is one vector; then goes to `end`.
    void emit_narrow_rows(const Xbyak::Label& end) {
        Xbyak::Label row, other;
        cmp(qword[args_ + offsetof(ElementwiseRun, count)], ops_.lanes());
        jne(other, T_NEAR);
        for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
            mov(sources_[i], ptr[args_ + input_offset(i)]);
        }
        mov(left_, ptr[args_ + offsetof(ElementwiseRun, rows)]);
        align(16);
        L(row);
        io_.store(program_.output, output_, result([&](std::size_t input) {
                      Vec x = narrow_row_of(input);
                      add(sources_[input], ptr[args_ + row_step_offset(input)]);
                      return x;
                  }));
        add(output_, io_.bytes(program_.output));
        sub(left_, 1);
        jg(row, T_NEAR);
        jmp(end, T_NEAR);
        L(other);
    }

    // An input's row of one vector in a register.
    Vec narrow_row_of(std::size_t input) {
        Xbyak::Label whole, end;
        Lease x(vector_pool_, "row");
        cmp(byte[args_ + repeats_offset(input)], 0);
        je(whole);
        emit_repeated(x, sources_[input]);
        jmp(end);
        L(whole);
        vmovups(vmm(x), ptr[sources_[input]]);
        L(end);
        return Vec(std::move(x));
    }

    // A number in all lanes.
    void emit_repeated(const Lease& x, const Xbyak::Reg64& from) {
        if (program_.precision == Precision::f32) {
            vbroadcastss(vmm(x), dword[from]);
        } else if (isa() == Isa::avx512) {
            vbroadcastsd(Xbyak::Zmm(x.index()), qword[from]);
        } else {
            vbroadcastsd(Xbyak::Ymm(x.index()), qword[from]);
        }
    }

    void emit_row() {
        for (std::size_t i = 0; i < program_.inputs.size(); ++i) emit_source(i);
        mov(left_, ptr[args_ + offsetof(ElementwiseRun, count)]);
        emit_turns();
        if (turn_ > 1) emit_last_vector();
        emit_rest();
    }

    // The number of elements that the last turns left over may be lost by now.
    void emit_next_row(const Xbyak::Label& row) {
        mov(args_, qword[rsp + kArgsSlot]);
        mov(left_, qword[rsp + kRowSlot]);
        add(left_, 1);
        mov(qword[rsp + kRowSlot], left_);
        mov(output_, ptr[args_ + offsetof(ElementwiseRun, count)]);
        imul(output_, left_);
        const auto bytes = static_cast<int>(bytes_of(program_.output, program_.precision));
        imul(output_, output_, bytes);
        add(output_, ptr[args_ + offsetof(ElementwiseRun, output)]);
        cmp(left_, ptr[args_ + offsetof(ElementwiseRun, rows)]);
        jl(row, T_NEAR);
    }

    // An element that repeats becomes vectors on the stack. They are stored whole, since a load
    // waits for smaller stores to reach the cache.
    void emit_source(std::size_t input) {
        Xbyak::Label whole;
        const Xbyak::Reg64& source = sources_[input];
        mov(source, ptr[args_ + row_step_offset(input)]);
        imul(source, qword[rsp + kRowSlot]);
        add(source, ptr[args_ + input_offset(input)]);
        mov(step_of(input), turn_ * io_.bytes(program_.inputs[input]));
        cmp(byte[args_ + repeats_offset(input)], 0);
        je(whole);
        const Lease x(vector_pool_, "repeated");
        if (program_.inputs[input] == ElementKind::truth) {
            vpbroadcastb(vmm(x), byte[source]);
        } else {
            emit_repeated(x, source);
        }
        const Xbyak::RegExp slot = repeated_slot(static_cast<int>(input));
        vmovups(ptr[slot], vmm(x));
        vmovups(ptr[slot + vector_bytes()], vmm(x));
        lea(source, ptr[slot]);
        mov(step_of(input), 0);
        L(whole);
    }

    // Emits the code for vector number `vector`, counted from the pointers.
    void emit_vector(int vector) {
        Vec last = result([&](std::size_t input) {
            const ElementKind kind = program_.inputs[input];
            const Xbyak::RegExp from = sources_[input] + vector * io_.bytes(kind);
            // Numbers stay in memory until a step reads them.
            return kind == ElementKind::truth ? io_.load_truth(from) : Vec(ptr[from]);
        });
        io_.store(program_.output, output_ + vector * io_.bytes(program_.output), std::move(last));
    }

    void emit_turns() {
        Xbyak::Label body, end;
        const int elements = turn_ * ops_.lanes();
        sub(left_, elements);
        jl(end);
        align(16);
        L(body);
        for (int vector = 0; vector < turn_; ++vector) emit_vector(vector);
        for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
            add(sources_[i], step_of(i));
        }
        add(output_, turn_ * io_.bytes(program_.output));
        sub(left_, elements);
        jge(body);
        L(end);
        add(left_, elements);
    }

    // The whole vector of half a turn. An input that repeats has a second one for the rest.
    void emit_last_vector() {
        Xbyak::Label end;
        cmp(left_, ops_.lanes());
        jl(end);
        emit_vector(0);
        for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
            add(sources_[i], io_.bytes(program_.inputs[i]));
        }
        add(output_, io_.bytes(program_.output));
        sub(left_, ops_.lanes());
        L(end);
    }

    // Reads nothing of the arguments, whose register holds the mask.
    void emit_rest() {
        Xbyak::Label end;
        test(left_, left_);
        jz(end);
        rest_.emit_mask(constants_, base_);
        Vec last = result([&](std::size_t input) {
            return rest_.load(program_.inputs[input], sources_[input], truth_slot());
        });
        rest_.store(program_.output, output_, std::move(last), truth_slot());
        L(end);
    }

    int inputs() const { return static_cast<int>(program_.inputs.size()); }

    Xbyak::Address step_of(std::size_t input) const {
        return Xbyak::util::qword[rsp + input * sizeof(std::int64_t)];
    }

    Xbyak::RegExp repeated_slot(int input) const {
        return rsp + (kFirstSlot + kVectorBytes * kMostVectors * input);
    }

    Xbyak::RegExp truth_slot() const { return repeated_slot(inputs()); }

    Xbyak::RegExp slot_of(std::size_t value) const {
        return truth_slot() + kVectorBytes * (1 + static_cast<int>(value));
    }

    // The last value of all; `load(input)` emits the read of an input.
    template <typename Load>
    Vec result(Load load) {
        std::vector<Vec> values(program_.value_count());
        std::vector<int> uses = uses_;
        for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
            if (uses[i] > 0) values[i] = settled(load(i), i, values);
        }
        std::size_t at = program_.inputs.size();
        for (const ProgramStep& step : program_.steps) {
            std::array<Vec, ProgramStep::kMostOperands> x;
            for (std::size_t i = 0; i < operand_count(step.kind); ++i) {
                Vec& value = values[step.operands[i]];
                x[i] = --uses[step.operands[i]] == 0 ? std::move(value) : value;
            }
            // A formula may read it several times.
            if (step.kind == ProgramStep::Kind::unary) x[0] = ops_.load(std::move(x[0]));
            values[at] = settled(math::apply(ops_, step, std::move(x)), at, values);
            ++at;
        }
        return std::move(values.back());
    }

    // The value in its register, or on the stack if too many registers hold values.
    Vec settled(Vec value, std::size_t index, const std::vector<Vec>& values) {
        const auto held = std::count_if(values.begin(), values.end(),
                                        [](const Vec& other) { return other.in_register(); });
        if (!value.in_register() || held < most_held_) return value;
        const Xbyak::Address slot = Xbyak::util::ptr[slot_of(index)];
        ops_.store(slot, value);
        return Vec(slot);
    }

    ElementwiseProgram program_;
    std::vector<int> uses_;
    int most_held_;
    int turn_;  // vectors
    VectorOps ops_;
    VectorIo io_;
    RestIo rest_;
};

class JitElementwise final : public ElementwiseKernel {
public:
    JitElementwise(Isa isa, const ElementwiseProgram& program) : code_(isa, program) {}

    void run(const ElementwiseRun& run) const override { code_.function()(&run); }

private:
    ElementwiseCode code_;
};

}  // namespace

std::unique_ptr<ElementwiseKernel> make_elementwise(Isa isa, const ElementwiseProgram& program) {
    return generate<JitElementwise>(isa, program);
}

}  // namespace rondo::cpu::jit
