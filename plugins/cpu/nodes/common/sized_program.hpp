// An elementwise program bound to sizes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/support/nd_loop.hpp"
#include "plugins/cpu/kernels/elementwise/elementwise_kernel.hpp"
#include "plugins/cpu/nodes/common/cpu_node.hpp"
#include "plugins/cpu/ops/elementwise_program.hpp"
#include "rondo/shape.hpp"

namespace rondo::cpu {

/// Walks a program's inputs, then its output, in elements.
using ProgramLoop = NdLoop<ElementwiseProgram::kMostInputs + 1>;

/// The inputs are broadcast to the output.
ProgramLoop program_loop(std::span<const Shape* const> inputs, const Shape& output);

/// Elements of the output that are worth a thread.
std::int64_t grain_of(const ElementwiseProgram& program);

/// Its inputs are broadcast to the output. Immutable.
class SizedProgram {
public:
    static constexpr std::size_t kMostInputs = ElementwiseProgram::kMostInputs;
    /// The first element of each input.
    using Inputs = std::array<const void*, kMostInputs>;

    /// `kernel`: of `program`; both must outlive this. `inputs`: the shapes of its inputs.
    SizedProgram(const ElementwiseKernel& kernel, const ElementwiseProgram& program,
                 std::span<const Shape* const> inputs, const Shape& output);

    /// Elements of the output.
    std::int64_t size() const { return loop_.size(); }
    /// Elements that are worth a thread.
    std::int64_t grain() const { return grain_; }

    /// Bytes of an element of the output.
    std::int64_t output_bytes() const { return bytes(program_.output); }

    /// Computes the elements [begin, end) of the output in row-major order; `to`: where the first
    /// of them goes. That may be where the same elements of an input with the output's shape are.
    void run(const Inputs& inputs, void* to, std::int64_t begin, std::int64_t end) const;

private:
    using Loop = ProgramLoop;

    void some_rows(const Inputs& inputs, void* to, const Loop::Offsets& at, std::int64_t count,
                   std::int64_t rows) const;
    std::int64_t bytes(ElementKind kind) const {
        return static_cast<std::int64_t>(bytes_of(kind, program_.precision));
    }

    const ElementwiseKernel& kernel_;
    const ElementwiseProgram& program_;
    std::int64_t grain_;
    Loop loop_;
};

/// The shapes of a program's inputs at a site. `value`: that of the part before an epilogue.
std::vector<const Shape*> program_shapes(const NodeProgram& program, const CallSite& site,
                                         const Shape* value = nullptr);
/// The elements of those inputs, of a program without such a value.
SizedProgram::Inputs program_inputs(const NodeProgram& program, const RunArgs& args);

/// Whether there are rows enough, each too short to fill vectors, to be worth it.
bool suits_short_rows(const ElementwiseRun& run);

/// As kernel.run(run): a part of the rows at a time. What a row repeats is written out first.
void run_short_rows(const ElementwiseKernel& kernel, const ElementwiseProgram& program,
                    const ElementwiseRun& run);

}  // namespace rondo::cpu
