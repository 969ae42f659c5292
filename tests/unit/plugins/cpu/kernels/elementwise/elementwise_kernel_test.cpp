// Programs on every instruction set: the bits of the plain ones, within arrays of any length.
#include "plugins/cpu/kernels/elementwise/elementwise_kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/elementwise/program_math.hpp"
#include "tests/unit/plugins/cpu/kernels/elementwise/guarded_page.hpp"
#include "tests/unit/plugins/cpu/kernels/test_values.hpp"

namespace rondo::cpu::tests::elementwise_kernel_test {
namespace {

using Kind = ProgramStep::Kind;
using ops::BinaryFunction;
using ops::CompareFunction;
using ops::LogicalFunction;
using ops::UnaryFunction;

constexpr int kUnaryCount = static_cast<int>(UnaryFunction::tanh) + 1;
constexpr int kBinaryCount = static_cast<int>(BinaryFunction::subtract) + 1;
constexpr int kCompareCount = static_cast<int>(CompareFunction::not_equal) + 1;
constexpr int kLogicalCount = static_cast<int>(LogicalFunction::logical_xor) + 1;

// Makes programs whose types fit: numbers where numbers are read, truth values where these are.
class ProgramMaker {
public:
    ProgramMaker(Random& random, Precision precision) : random_(random) {
        program_.precision = precision;
    }

    ElementwiseProgram make(bool with_truth) {
        const auto inputs = random_.integer(1, 6);
        for (std::int64_t i = 0; i < inputs; ++i) {
            const bool truth = with_truth && i > 0 && random_.integer(0, 3) == 0;
            program_.inputs.push_back(truth ? ElementKind::truth : ElementKind::number);
            kinds_.push_back(program_.inputs.back());
        }
        const auto steps = random_.integer(1, 25);
        for (std::int64_t i = 0; i < steps; ++i) add_step(with_truth);
        program_.output = kinds_.back();
        return program_;
    }

private:
    std::uint8_t any(ElementKind kind) {
        std::vector<std::uint8_t> fitting;
        for (std::size_t i = 0; i < kinds_.size(); ++i) {
            if (kinds_[i] == kind) fitting.push_back(static_cast<std::uint8_t>(i));
        }
        // Mostly recent values, so that programs get deep.
        const auto last = static_cast<std::int64_t>(fitting.size()) - 1;
        const std::int64_t first =
            random_.integer(0, 2) == 0 ? 0 : std::max<std::int64_t>(0, last - 2);
        return fitting[static_cast<std::size_t>(random_.integer(first, last))];
    }
    std::uint8_t number() { return any(ElementKind::number); }
    std::uint8_t truth() { return any(ElementKind::truth); }
    bool has_truth() const {
        return std::find(kinds_.begin(), kinds_.end(), ElementKind::truth) != kinds_.end();
    }

    std::uint8_t function(int count) {
        return static_cast<std::uint8_t>(random_.integer(0, count - 1));
    }

    void add(ElementKind kind, ProgramStep step) {
        program_.steps.push_back(step);
        kinds_.push_back(kind);
    }

    void add_step(bool with_truth) {
        switch (random_.integer(0, with_truth ? 7 : 2)) {
            case 0: return add_unary();
            case 1: return add_binary();
            case 2:
                return add(ElementKind::number,
                           {Kind::constant, 0, {}, std::bit_cast<std::uint64_t>(0.75)});
            case 3:
                return add(ElementKind::truth,
                           {Kind::compare, function(kCompareCount), {number(), number()}});
            case 4: return add(ElementKind::truth, {Kind::to_truth, 0, {number()}});
            default: break;
        }
        if (!has_truth()) return add_unary();
        switch (random_.integer(0, 2)) {
            case 0:
                return add(ElementKind::truth,
                           {Kind::logical, function(kLogicalCount), {truth(), truth()}});
            case 1: return add(ElementKind::number, {Kind::to_number, 0, {truth()}});
            default:
                return add(ElementKind::number, {Kind::select, 0, {truth(), number(), number()}});
        }
    }

    void add_unary() {
        for (;;) {
            const std::uint8_t chosen = function(kUnaryCount);
            const auto named = static_cast<UnaryFunction>(chosen);
            if (!math::has_formula(named) || named == UnaryFunction::logical_not) continue;
            return add(ElementKind::number, {Kind::unary, chosen, {number()}});
        }
    }

    void add_binary() {
        for (;;) {
            const std::uint8_t chosen = function(kBinaryCount);
            if (!math::has_formula(static_cast<BinaryFunction>(chosen))) continue;
            return add(ElementKind::number, {Kind::binary, chosen, {number(), number()}});
        }
    }

    Random& random_;
    ElementwiseProgram program_;
    std::vector<ElementKind> kinds_;
};

template <typename T>
std::vector<T> special_values() {
    using Limits = std::numeric_limits<T>;
    std::vector<T> values;
    for (const T x : {T{0},
                      T{0.5},
                      T{1},
                      T{1.5},
                      T{2.5},
                      T{3},
                      T{6},
                      T{20},
                      T{88},
                      T{110},
                      T{800},
                      Limits::min(),
                      Limits::denorm_min(),
                      Limits::min() / 8,
                      Limits::max(),
                      Limits::infinity(),
                      Limits::quiet_NaN(),
                      std::nextafter(T{1}, T{2}),
                      std::nextafter(T{1}, T{0}),
                      T{0.70710677},
                      T{1.4142135}}) {
        values.insert(values.end(), {x, -x});
    }
    return values;
}

// Arrays of one run, each ending at a page without access; the output after 64 bytes that
// must stay as they are. Rows of an input may be the same one, or lie apart.
template <typename T>
class Arrays {
public:
    Arrays(const ElementwiseProgram& program, std::int64_t count, std::int64_t rows, Random& random)
        : size_(static_cast<std::size_t>(count * rows)) {
        run_.count = count;
        run_.rows = rows;
        for (std::size_t i = 0; i < program.inputs.size(); ++i) {
            const bool repeats = random.integer(0, 3) == 0;
            const std::int64_t row = repeats ? 1 : count;
            const std::int64_t step = random.integer(0, 2) == 0 ? 0 : row + random.integer(0, 3);
            const std::int64_t length = (rows - 1) * step + row;
            const std::size_t bytes = bytes_of(program.inputs[i], program.precision);
            inputs_.push_back(
                std::make_unique<GuardedPage>(static_cast<std::size_t>(length) * bytes));
            std::byte* first = inputs_.back()->end() - static_cast<std::size_t>(length) * bytes;
            fill(program.inputs[i], first, length, random);
            run_.inputs[i] = first;
            run_.repeats[i] = repeats;
            run_.row_steps[i] = step * static_cast<std::int64_t>(bytes);
        }
    }

    std::vector<std::byte> run(const ElementwiseKernel& kernel, std::size_t element_bytes) {
        const std::size_t bytes = size_ * element_bytes;
        std::byte* first = output_.end() - bytes;
        std::fill(first - 64, output_.end(), std::byte{0x5a});
        run_.output = first;
        kernel.run(run_);
        for (const std::byte* at = first - 64; at < first; ++at) EXPECT_EQ(*at, std::byte{0x5a});
        return std::vector<std::byte>(first, output_.end());
    }

private:
    static void fill(ElementKind kind, std::byte* to, std::int64_t count, Random& random) {
        const std::vector<T> special = special_values<T>();
        for (std::int64_t i = 0; i < count; ++i) {
            if (kind == ElementKind::truth) {
                to[i] = static_cast<std::byte>(random.integer(0, 1));
                continue;
            }
            T value = static_cast<T>(random.doubles(1, 4.0)[0]);
            if (random.integer(0, 7) == 0) {
                value = special[static_cast<std::size_t>(
                    random.integer(0, static_cast<std::int64_t>(special.size()) - 1))];
            }
            std::memcpy(to + static_cast<std::size_t>(i) * sizeof(T), &value, sizeof(T));
        }
    }

    std::size_t size_;
    std::vector<std::unique_ptr<GuardedPage>> inputs_;
    GuardedPage output_{4096};
    ElementwiseRun run_;
};

template <typename T>
void expect_same_elements(const std::vector<std::byte>& got, const std::vector<std::byte>& plain) {
    ASSERT_EQ(got.size(), plain.size());
    for (std::size_t at = 0; at < got.size(); at += sizeof(T)) {
        T a, b;
        std::memcpy(&a, &got[at], sizeof(T));
        std::memcpy(&b, &plain[at], sizeof(T));
        ASSERT_TRUE(same_bits(a, b))
            << "element " << at / sizeof(T) << " is " << +a << ", expected " << +b;
    }
}

template <typename T>
void random_programs(int rounds, int most_lanes) {
    Random random;
    for (int round = 0; round < rounds && !::testing::Test::HasFailure(); ++round) {
        SCOPED_TRACE(round);
        const auto program = ProgramMaker(random, PlainOps<T>::precision()).make(round % 2 == 1);
        const std::int64_t count = round % (2 * most_lanes + 2);
        const std::int64_t rows = random.integer(0, 1) == 0 ? 1 : random.integer(2, 5);
        Arrays<T> arrays(program, count, rows, random);
        const std::size_t bytes = bytes_of(program.output, program.precision);
        const auto plain = arrays.run(*choose_elementwise_kernel(Isa::plain).make(program), bytes);
        for (const auto& entry : elementwise_kernels()) {
            if (entry.isa > cpu_features().best()) continue;
            SCOPED_TRACE(entry.name);
            const auto got = arrays.run(*entry.make(program), bytes);
            program.output == ElementKind::truth ? expect_same_elements<std::uint8_t>(got, plain)
                                                 : expect_same_elements<T>(got, plain);
        }
    }
}

TEST(ElementwiseKernel, RandomProgramsHaveOneSetOfBits) {
    random_programs<float>(700, 16);
    random_programs<double>(400, 8);
}

// The f32 program against the same one in f64, on numbers that no function makes large.
TEST(ElementwiseKernel, ProgramsOfSmoothFunctionsComeNearTheTruth) {
    Random random;
    const auto unary = [](UnaryFunction function, std::uint8_t x) {
        return ProgramStep{Kind::unary, static_cast<std::uint8_t>(function), {x}};
    };
    const auto binary = [](BinaryFunction function, std::uint8_t a, std::uint8_t b) {
        return ProgramStep{Kind::binary, static_cast<std::uint8_t>(function), {a, b}};
    };
    ElementwiseProgram program;
    program.inputs = {ElementKind::number, ElementKind::number};
    program.steps = {binary(BinaryFunction::multiply, 0, 1), unary(UnaryFunction::tanh, 2),
                     unary(UnaryFunction::sigmoid, 0),       binary(BinaryFunction::add, 3, 4),
                     unary(UnaryFunction::softplus, 5),      unary(UnaryFunction::log, 6),
                     binary(BinaryFunction::maximum, 7, 1),  unary(UnaryFunction::mish, 8)};
    const auto x = random.floats(200, 3.0f), y = random.floats(200, 3.0f);
    const std::vector<double> wide_x(x.begin(), x.end()), wide_y(y.begin(), y.end());
    std::vector<double> truth(200);
    auto wide = program;
    wide.precision = Precision::f64;
    choose_elementwise_kernel(Isa::plain)
        .make(wide)
        ->run({{wide_x.data(), wide_y.data()}, {}, truth.data(), 200});
    for (const auto& entry : elementwise_kernels()) {
        if (entry.isa > cpu_features().best()) continue;
        std::vector<float> got(200);
        entry.make(program)->run({{x.data(), y.data()}, {}, got.data(), 200});
        expect_near(got, truth, 3e-6, entry.name);
    }
}

TEST(ElementwiseKernel, WritesOverAnInput) {
    ElementwiseProgram program;
    program.inputs = {ElementKind::number, ElementKind::number};
    program.steps = {{Kind::binary, static_cast<std::uint8_t>(BinaryFunction::subtract), {0, 1}}};
    for (const auto& entry : elementwise_kernels()) {
        if (entry.isa > cpu_features().best()) continue;
        std::vector<float> a(37, 3.0f), b(37, 2.0f);
        entry.make(program)->run({{a.data(), b.data()}, {}, b.data(), 37});
        EXPECT_EQ(b, std::vector<float>(37, 1.0f)) << entry.name;
    }
}

// The longest program, all of whose values are read at its end, so that most wait on the stack.
TEST(ElementwiseKernel, ManyValuesWait) {
    ElementwiseProgram program;
    program.inputs = {ElementKind::number};
    const auto half = static_cast<std::uint8_t>(ElementwiseProgram::kMostSteps / 2);
    for (std::uint8_t i = 0; i < half; ++i) {
        program.steps.push_back({Kind::unary, static_cast<std::uint8_t>(UnaryFunction::tanh), {i}});
    }
    for (std::uint8_t i = 0; i < half; ++i) {
        const std::uint8_t sum = i == 0 ? 0 : static_cast<std::uint8_t>(half + i);
        program.steps.push_back({Kind::binary,
                                 static_cast<std::uint8_t>(BinaryFunction::add),
                                 {sum, static_cast<std::uint8_t>(half - i)}});
    }
    Random random;
    const auto x = random.floats(53, 2.0f);
    std::vector<float> plain(53);
    choose_elementwise_kernel(Isa::plain).make(program)->run({{x.data()}, {}, plain.data(), 53});
    for (const auto& entry : elementwise_kernels()) {
        if (entry.isa > cpu_features().best()) continue;
        std::vector<float> got(53);
        entry.make(program)->run({{x.data()}, {}, got.data(), 53});
        expect_same_bits(got, plain, entry.name);
    }
}

}  // namespace
}  // namespace rondo::cpu::tests::elementwise_kernel_test
