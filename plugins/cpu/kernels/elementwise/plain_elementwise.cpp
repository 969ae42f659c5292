#include "plugins/cpu/kernels/elementwise/elementwise_kernel.hpp"

#include <algorithm>
#include <cstddef>

#include "plugins/cpu/kernels/elementwise/program_math.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kElementBlock = 32;  // elements that one step computes at once

template <typename T>
class PlainElementwise final : public ElementwiseKernel {
public:
    explicit PlainElementwise(const ElementwiseProgram& program) : program_(program) {}

    void run(const ElementwiseRun& run) const override {
        ElementwiseRun row = run;
        for (std::int64_t left = run.rows; left > 0; --left) {
            for (std::int64_t at = 0; at < run.count; at += kElementBlock) {
                one_block(row, at, std::min(kElementBlock, run.count - at));
            }
            go_on(row);
        }
    }

private:
    using Block = T[kElementBlock];
    static constexpr std::size_t kMostValues =
        ElementwiseProgram::kMostInputs + ElementwiseProgram::kMostSteps;

    // To the next row.
    void go_on(ElementwiseRun& row) const {
        for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
            row.inputs[i] = static_cast<const std::byte*>(row.inputs[i]) + row.row_steps[i];
        }
        const std::size_t bytes = bytes_of(program_.output, program_.precision);
        row.output =
            static_cast<std::byte*>(row.output) + static_cast<std::size_t>(row.count) * bytes;
    }

    void one_block(const ElementwiseRun& run, std::int64_t at, std::int64_t count) const {
        Block values[kMostValues];
        for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
            read(run, i, at, count, values[i]);
        }
        std::size_t result = program_.inputs.size();
        for (const ProgramStep& step : program_.steps) {
            const std::size_t operands = operand_count(step.kind);
            for (std::int64_t k = 0; k < count; ++k) {
                std::array<T, ProgramStep::kMostOperands> x{};
                for (std::size_t i = 0; i < operands; ++i) x[i] = values[step.operands[i]][k];
                PlainOps<T> ops;
                values[result][k] = math::apply(ops, step, x);
            }
            ++result;
        }
        write(run, at, count, values[result - 1]);
    }

    void read(const ElementwiseRun& run, std::size_t input, std::int64_t at, std::int64_t count,
              Block& values) const {
        for (std::int64_t k = 0; k < count; ++k) {
            const std::int64_t place = run.repeats[input] ? 0 : at + k;
            if (program_.inputs[input] == ElementKind::truth) {
                const auto* from = static_cast<const std::uint8_t*>(run.inputs[input]);
                values[k] = PlainOps<T>::truth(from[place] != 0);
            } else {
                values[k] = static_cast<const T*>(run.inputs[input])[place];
            }
        }
    }

    void write(const ElementwiseRun& run, std::int64_t at, std::int64_t count,
               const Block& values) const {
        for (std::int64_t k = 0; k < count; ++k) {
            if (program_.output == ElementKind::truth) {
                const T truth = PlainOps<T>::bit_and(values[k], T{1});
                static_cast<std::uint8_t*>(run.output)[at + k] = truth != T{0} ? 1 : 0;
            } else {
                static_cast<T*>(run.output)[at + k] = values[k];
            }
        }
    }

    ElementwiseProgram program_;
};

}  // namespace

std::unique_ptr<ElementwiseKernel> make_plain_elementwise(const ElementwiseProgram& program) {
    if (program.precision == Precision::f64) {
        return std::make_unique<PlainElementwise<double>>(program);
    }
    return std::make_unique<PlainElementwise<float>>(program);
}

}  // namespace rondo::cpu
