#include "plugins/cpu/nodes/common/sized_program.hpp"

#include <algorithm>

#include "plugins/cpu/kernels/threads/range.hpp"
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
    if (begin >= end) return;
    const auto& axis = loop_.run();
    if (loop_.runs() == 1) {
        ProgramLoop::Offsets at;
        for (std::size_t i = 0; i < at.size(); ++i) at[i] = begin * axis.steps[i];
        return one_run(inputs, to, at, end - begin);
    }
    auto* place = static_cast<std::byte*>(to);
    if (begin == 0 && end == size()) {
        loop_.for_each_run([&](const Loop::Offsets& at) {
            one_run(inputs, place, at, axis.count);
            place += axis.count * output_bytes();
        });
        return;
    }
    std::int64_t first = begin % axis.count, left = end - begin;
    const auto part = [&](Loop::Offsets at) {
        const std::int64_t count = std::min(axis.count - first, left);
        for (std::size_t i = 0; i < at.size(); ++i) at[i] += first * axis.steps[i];
        one_run(inputs, place, at, count);
        place += count * output_bytes();
        left -= count;
        first = 0;
    };
    loop_.for_each_run(begin / axis.count, divide_up(end, axis.count), part);
}

void SizedProgram::one_run(const Inputs& inputs, void* to, const Loop::Offsets& at,
                           std::int64_t count) const {
    ElementwiseRun run;
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
        run.inputs[i] =
            static_cast<const std::byte*>(inputs[i]) + at[i] * bytes(program_.inputs[i]);
        run.repeats[i] = loop_.run().steps[i] == 0;
    }
    run.output = to;
    run.count = count;
    kernel_.run(run);
}

}  // namespace rondo::cpu
