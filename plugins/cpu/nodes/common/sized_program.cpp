#include "plugins/cpu/nodes/common/sized_program.hpp"

#include <algorithm>

#include "plugins/cpu/nodes/common/extents.hpp"

namespace rondo::cpu {

// About 10 us, of sums as of one tanh.
std::int64_t grain_of(const ElementwiseProgram& program) {
    const auto functions = std::count_if(
        program.steps.begin(), program.steps.end(),
        [](const ProgramStep& step) { return step.kind == ProgramStep::Kind::unary; });
    return std::max<std::int64_t>(1 << 12, (1 << 16) / (1 + 3 * functions));
}

ProgramLoop program_loop(std::span<const Shape* const> inputs, const Shape& output) {
    // A shape without axes repeats its one element: those of inputs that there aren't.
    static const Shape kNone;
    std::array<const Shape*, SizedProgram::kMostInputs> shapes;
    shapes.fill(&kNone);
    std::copy(inputs.begin(), inputs.end(), shapes.begin());
    return broadcast_loop<SizedProgram::kMostInputs>(shapes, output);
}

SizedProgram::SizedProgram(const ElementwiseKernel& kernel, const ElementwiseProgram& program,
                           std::span<const Shape* const> inputs, const Shape& output)
    : kernel_(kernel),
      program_(program),
      grain_(grain_of(program)),
      loop_(program_loop(inputs, output)) {}

void SizedProgram::run(const Inputs& inputs, void* to, std::int64_t begin, std::int64_t end) const {
    const auto& axis = loop_.run();
    const std::int64_t most_rows = loop_.outer().empty() ? 1 : loop_.outer().back().count;
    auto* place = static_cast<std::byte*>(to);
    while (begin < end) {
        const std::int64_t index = begin / axis.count, first = begin % axis.count;
        const std::int64_t count = std::min(axis.count - first, end - begin);
        std::int64_t rows = 1;
        if (count == axis.count) {
            rows = std::min((end - begin) / count, most_rows - index % most_rows);
        }
        Loop::Offsets at = loop_.start(index);
        for (std::size_t i = 0; i < at.size(); ++i) at[i] += first * axis.steps[i];
        some_rows(inputs, place, at, count, rows);
        place += rows * count * output_bytes();
        begin += rows * count;
    }
}

void SizedProgram::some_rows(const Inputs& inputs, void* to, const Loop::Offsets& at,
                             std::int64_t count, std::int64_t rows) const {
    ElementwiseRun run;
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
        const std::int64_t size = bytes(program_.inputs[i]);
        run.inputs[i] = static_cast<const std::byte*>(inputs[i]) + at[i] * size;
        run.repeats[i] = loop_.run().steps[i] == 0;
        if (rows > 1) run.row_steps[i] = loop_.outer().back().steps[i] * size;
    }
    run.output = to;
    run.count = count;
    run.rows = rows;
    if (suits_short_rows(run)) return run_short_rows(kernel_, program_, run);
    kernel_.run(run);
}

}  // namespace rondo::cpu
