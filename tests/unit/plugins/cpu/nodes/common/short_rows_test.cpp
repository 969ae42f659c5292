// Programs whose rows are too short to fill vectors.
#include "plugins/cpu/nodes/common/sized_program.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "tests/support/rng.hpp"

namespace rondo::cpu::short_rows_test {
namespace {

using test::uniform_int;

// Where the truth is, a * b + c, else a.
ElementwiseProgram program_of(Precision precision) {
    using Kind = ProgramStep::Kind;
    const auto multiply = static_cast<std::uint8_t>(ops::BinaryFunction::multiply);
    const auto add = static_cast<std::uint8_t>(ops::BinaryFunction::add);
    ElementwiseProgram program;
    program.precision = precision;
    program.inputs.assign(3, ElementKind::number);
    program.inputs.push_back(ElementKind::truth);
    program.steps.push_back({Kind::binary, multiply, {0, 1}, 0});
    program.steps.push_back({Kind::binary, add, {4, 2}, 0});
    program.steps.push_back({Kind::select, 0, {3, 5, 0}, 0});
    return program;
}

// Bytes whose numbers are finite.
std::vector<std::byte> values(ElementKind kind, std::size_t count, Precision precision,
                              test::Rng& rng) {
    std::vector<std::byte> bytes(count * bytes_of(kind, precision));
    for (std::size_t i = 0; i < count; ++i) {
        const auto number = static_cast<double>(uniform_int(rng, -1000, 1000)) / 8;
        const auto narrow = static_cast<float>(number);
        const auto truth = static_cast<std::byte>(uniform_int(rng, 0, 1));
        if (kind == ElementKind::truth) {
            bytes[i] = truth;
        } else if (precision == Precision::f64) {
            std::memcpy(bytes.data() + 8 * i, &number, 8);
        } else {
            std::memcpy(bytes.data() + 4 * i, &narrow, 4);
        }
    }
    return bytes;
}

// Inputs that repeat within rows, from row to row, both or neither, with gaps and without.
void expect_alike(const ElementwiseKernel& kernel, const ElementwiseProgram& program,
                  test::Rng& rng) {
    ElementwiseRun run;
    run.count = uniform_int(rng, 1, 15);
    run.rows = uniform_int(rng, 2, uniform_int(rng, 0, 3) == 0 ? 2000 : 40);
    std::vector<std::vector<std::byte>> inputs;
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
        run.repeats[i] = uniform_int(rng, 0, 1) == 0;
        const std::int64_t dense = run.repeats[i] ? 1 : run.count;
        const std::int64_t steps[] = {0, dense, dense + 3};
        const std::int64_t step = steps[uniform_int(rng, 0, 2)];
        const ElementKind kind = program.inputs[i];
        inputs.push_back(values(kind, static_cast<std::size_t>(step * run.rows + dense),
                                program.precision, rng));
        run.row_steps[i] = step * static_cast<std::int64_t>(bytes_of(kind, program.precision));
        run.inputs[i] = inputs.back().data();
    }
    const std::size_t elements = static_cast<std::size_t>(run.rows * run.count);
    std::vector<std::byte> expected(elements * bytes_of(program.precision) + 8, std::byte{9});
    std::vector<std::byte> got = expected;
    run.output = expected.data();
    kernel.run(run);
    run.output = got.data();
    run_short_rows(kernel, program, run);
    EXPECT_TRUE(got == expected) << run.rows << " rows of " << run.count;
}

TEST(ShortRows, GiveWhatRowByRowGives) {
    auto rng = test::test_rng();
    for (const ElementwiseKernelEntry& entry : elementwise_kernels()) {
        if (entry.isa > cpu_features().best()) continue;
        for (const Precision precision : {Precision::f32, Precision::f64}) {
            const ElementwiseProgram program = program_of(precision);
            const auto kernel = entry.make(program);
            for (int round = 0; round < 200; ++round) expect_alike(*kernel, program, rng);
        }
    }
}

TEST(ShortRows, AreManyAndShort) {
    ElementwiseRun run;
    run.count = 4;
    run.rows = 16;
    EXPECT_TRUE(suits_short_rows(run));
    run.rows = 15;
    EXPECT_FALSE(suits_short_rows(run));
    run.rows = 16;
    run.count = 16;
    EXPECT_FALSE(suits_short_rows(run));
}

}  // namespace
}  // namespace rondo::cpu::short_rows_test
