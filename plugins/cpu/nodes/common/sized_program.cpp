#include "plugins/cpu/nodes/common/sized_program.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/movement/copy_bytes.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kShort = 16;          // elements of a row
constexpr std::int64_t kFewest = 64;         // elements of all rows
constexpr std::int64_t kPiece = 16;          // bytes that are written at once
constexpr std::int64_t kBytes = 1 << 14;     // of what is written out
constexpr std::int64_t kSpare = kCacheLine;  // after each input, for the last pieces

// Rows of an input, which are to follow on each other.
struct Rows {
    const std::byte* from;
    std::int64_t step;  // bytes from row to row
    std::int64_t count;
    std::int64_t elements;  // of a row
};

// Whole pieces: the next row takes the place of what is too much.
template <typename T>
void repeat(const Rows& rows, std::byte* to) {
    const std::int64_t bytes = rows.elements * std::int64_t{sizeof(T)};
    const std::byte* from = rows.from;
    for (std::int64_t row = 0; row < rows.count; ++row, from += rows.step, to += bytes) {
        T value;
        std::memcpy(&value, from, sizeof(T));
        std::array<T, kPiece / sizeof(T)> piece;
        piece.fill(value);
        for (std::int64_t at = 0; at < bytes; at += kPiece) {
            std::memcpy(to + at, piece.data(), kPiece);
        }
    }
}

void repeat(const Rows& rows, std::int64_t element_bytes, std::byte* to) {
    switch (element_bytes) {
        case 1: return repeat<std::uint8_t>(rows, to);
        case 4: return repeat<std::uint32_t>(rows, to);
        default: return repeat<std::uint64_t>(rows, to);
    }
}

void copy(const Rows& rows, std::int64_t element_bytes, std::byte* to) {
    const std::int64_t bytes = rows.elements * element_bytes;
    const std::byte* from = rows.from;
    for (std::int64_t row = 0; row < rows.count; ++row, from += rows.step, to += bytes) {
        copy_bytes(reinterpret_cast<char*>(to), reinterpret_cast<const char*>(from), bytes);
    }
}

// How the rows of an input lie.
enum class Layout { one_behind_another, all_the_same, to_be_written };

class ShortRows {
public:
    ShortRows(const ElementwiseProgram& program, const ElementwiseRun& run) : run_(run) {
        inputs_ = program.inputs.size();
        for (std::size_t i = 0; i < inputs_; ++i) {
            bytes_[i] = static_cast<std::int64_t>(bytes_of(program.inputs[i], program.precision));
            layouts_[i] = layout_of(i);
            written_ += layouts_[i] == Layout::to_be_written ? 1 : 0;
        }
        output_bytes_ =
            run.count * static_cast<std::int64_t>(bytes_of(program.output, program.precision));
    }

    void run(const ElementwiseKernel& kernel) const {
        alignas(kCacheLine) std::byte memory[kBytes];
        const std::int64_t lines = kBytes / kSpare / std::max<std::int64_t>(written_, 1);
        const std::int64_t share = lines * kSpare;
        const std::int64_t row_bytes = run_.count * std::int64_t{sizeof(double)};
        const std::int64_t most =
            written_ == 0 ? run_.rows : std::max<std::int64_t>((share - kSpare) / row_bytes, 1);
        for (std::int64_t row = 0; row < run_.rows; row += most) {
            run_part(kernel, row, std::min(most, run_.rows - row), memory, share);
        }
    }

private:
    Layout layout_of(std::size_t i) const {
        const std::int64_t step = run_.rows == 1 ? 0 : run_.row_steps[i];
        if (run_.repeats[i] && step == 0) return Layout::all_the_same;
        if (!run_.repeats[i] && step == run_.count * bytes_[i]) return Layout::one_behind_another;
        return Layout::to_be_written;
    }

    void run_part(const ElementwiseKernel& kernel, std::int64_t first, std::int64_t rows,
                  std::byte* memory, std::int64_t share) const {
        ElementwiseRun part;
        part.count = rows * run_.count;
        part.output = static_cast<std::byte*>(run_.output) + first * output_bytes_;
        for (std::size_t i = 0; i < inputs_; ++i) {
            const auto* from =
                static_cast<const std::byte*>(run_.inputs[i]) + first * run_.row_steps[i];
            part.inputs[i] = from;
            part.repeats[i] = layouts_[i] == Layout::all_the_same;
            if (layouts_[i] != Layout::to_be_written) continue;
            const Rows source{from, run_.row_steps[i], rows, run_.count};
            run_.repeats[i] ? repeat(source, bytes_[i], memory) : copy(source, bytes_[i], memory);
            part.inputs[i] = memory;
            memory += share;
        }
        kernel.run(part);
    }

    const ElementwiseRun& run_;
    std::size_t inputs_ = 0;
    std::array<std::int64_t, ElementwiseProgram::kMostInputs> bytes_{};  // of an element
    std::array<Layout, ElementwiseProgram::kMostInputs> layouts_{};
    std::int64_t written_ = 0;
    std::int64_t output_bytes_ = 0;  // of a row
};

}  // namespace

std::vector<const Shape*> program_shapes(const NodeProgram& program, const CallSite& site,
                                         const Shape* value) {
    std::vector<const Shape*> shapes;
    for (const std::size_t input : program.inputs) {
        shapes.push_back(input < site.inputs.size() ? &site.inputs[input].shape : value);
    }
    return shapes;
}

SizedProgram::Inputs program_inputs(const NodeProgram& program, const RunArgs& args) {
    SizedProgram::Inputs inputs{};
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
        inputs[i] = args.inputs[program.inputs[i]];
    }
    return inputs;
}

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

bool suits_short_rows(const ElementwiseRun& run) {
    return run.rows > 1 && run.count < kShort && run.rows * run.count >= kFewest;
}

void run_short_rows(const ElementwiseKernel& kernel, const ElementwiseProgram& program,
                    const ElementwiseRun& run) {
    ShortRows(program, run).run(kernel);
}

}  // namespace rondo::cpu
