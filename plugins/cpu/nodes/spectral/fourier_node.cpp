// DFT, IDFT, IRDFT and RDFT: an axis after another, each from its own lines.
#include "core/ops/spectral/spectral_ops.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/spectral/dft_lines.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"

namespace rondo::cpu {
namespace {

using ops::FourierFunction;

constexpr std::int64_t kFourierGrain = 1 << 12;  // numbers of transforms that are worth a thread

// The transform along one axis of [outer, extent, inner].
template <typename T>
class AxisPass {
public:
    AxisPass(DftKind kind, const DftSizes& sizes, std::int64_t outer)
        : lines_(kind, sizes),
          outer_(outer),
          lanes_(std::max<std::int64_t>(lines_.best_lanes(), 1)),
          blocks_((sizes.inner + lanes_ - 1) / lanes_),
          from_width_(kind == DftKind::from_real ? 1 : 2),
          to_width_(kind == DftKind::to_real ? 1 : 2) {}

    std::int64_t output_numbers() const {
        return outer_ * lines_.output_extent() * lines_.sizes().inner * to_width_;
    }
    std::size_t work_bytes() const {
        return static_cast<std::size_t>(lines_.work_size(lanes_)) * sizeof(double);
    }

    // `work`: at `memory`.
    void run(const T* from, T* to, const SliceScratch& work, void* memory, Team& team) const {
        const std::int64_t grain = kFourierGrain / (lines_.sizes().n * lanes_) + 1;
        work.share(team, outer_ * blocks_, grain, memory,
                   [&](std::int64_t begin, std::int64_t end, std::byte* own) {
                       for (; begin < end; ++begin) {
                           run_block(begin, from, to, reinterpret_cast<double*>(own));
                       }
                   });
    }

private:
    void run_block(std::int64_t block, const T* from, T* to, double* work) const {
        const DftSizes& sizes = lines_.sizes();
        const std::int64_t outer = block / blocks_, lane = block % blocks_ * lanes_;
        const std::int64_t first_from = outer * sizes.taken * sizes.inner + lane;
        const std::int64_t first_to = outer * lines_.output_extent() * sizes.inner + lane;
        lines_.run({from + first_from * from_width_, to + first_to * to_width_,
                    std::min(lanes_, sizes.inner - lane), work});
    }

    DftLines<T> lines_;
    std::int64_t outer_;
    std::int64_t lanes_;
    std::int64_t blocks_;                 // of lanes, an outer each
    std::int64_t from_width_, to_width_;  // parts of a number
};

// Between the axes the numbers lie in one of two buffers of scratch.
template <typename T>
std::unique_ptr<Call> make_fourier_call(std::vector<AxisPass<T>> passes, int threads) {
    std::size_t slice_bytes = 0;
    std::array<std::size_t, 2> buffer_bytes{};
    for (std::size_t i = 0; i < passes.size(); ++i) {
        slice_bytes = std::max(slice_bytes, passes[i].work_bytes());
        if (i + 1 == passes.size()) break;
        const auto numbers = static_cast<std::size_t>(passes[i].output_numbers());
        buffer_bytes[i % 2] = std::max(buffer_bytes[i % 2], whole_lines(numbers * sizeof(T)));
    }
    const SliceScratch work(slice_bytes, threads);
    const auto run = [passes = std::move(passes), work, buffer_bytes](const RunArgs& args) {
        auto* scratch = static_cast<std::byte*>(args.scratch);
        std::byte* const buffers[] = {scratch, scratch + buffer_bytes[0]};
        const T* from = static_cast<const T*>(args.inputs[0]);
        for (std::size_t i = 0; i < passes.size(); ++i) {
            const bool is_last = i + 1 == passes.size();
            T* to =
                is_last ? static_cast<T*>(args.outputs[0]) : reinterpret_cast<T*>(buffers[i % 2]);
            passes[i].run(from, to, work, buffers[1] + buffer_bytes[1], args.team);
            from = to;
        }
    };
    return make_call(run, {buffer_bytes[0] + buffer_bytes[1] + work.bytes()});
}

DftKind kind_of(FourierFunction function, bool is_last) {
    switch (function) {
        case FourierFunction::dft: return DftKind::complex_forward;
        case FourierFunction::idft: return DftKind::complex_back;
        case FourierFunction::irdft: return is_last ? DftKind::to_real : DftKind::complex_back;
        case FourierFunction::rdft: break;
    }
    return is_last ? DftKind::from_real : DftKind::complex_forward;
}

template <typename T>
std::unique_ptr<Call> prepare_fourier(const ops::Fourier& op, const CallSite& site) {
    const FourierFunction function = op.function();
    Shape shape = site.inputs[0].shape;
    if (takes_complex(function)) shape.pop_back();
    auto axes =
        *ops::fourier_axes(context_of(op, site), function, PartialShape(shape).dimensions());
    // The transform from or to real numbers is that of the last axis: RDFT begins with it.
    const std::size_t last = axes.back().axis;
    if (function == FourierFunction::rdft) std::reverse(axes.begin(), axes.end());
    std::vector<AxisPass<T>> passes;
    for (const ops::FourierAxis& axis : axes) {
        DftSizes sizes;
        sizes.n = axis.length.length();
        sizes.taken = static_cast<std::int64_t>(shape[axis.axis]);
        sizes.inner = extents_product(shape, axis.axis + 1, shape.size());
        passes.emplace_back(kind_of(function, axis.axis == last), sizes,
                            extents_product(shape, 0, axis.axis));
        shape[axis.axis] = static_cast<std::size_t>(axis.output.length());
    }
    return make_fourier_call(std::move(passes), site.threads);
}

}  // namespace

std::unique_ptr<CpuNode> make_fourier_node(const Node& node, const CompileContext& context) {
    const auto& op = dynamic_cast<const ops::Fourier&>(node);
    return make_function_node(
        op,
        {"fft_" + std::string(to_string(op.output_type(0))),
         "a pass for each factor of the length, lines side by side; large factors by convolution"},
        [&op, isa = context.isa](const CallSite& site) {
            if (element_count(site.outputs[0].shape) == 0) return make_zero_call(site.outputs[0]);
            // The names of axes and sizes are seen here: a widened call hides no integers.
            return make_floating_call(site, isa, [&](auto tag, const CallSite& own) {
                return prepare_fourier<tag_type<decltype(tag)>>(op, own);
            });
        });
}

}  // namespace rondo::cpu
