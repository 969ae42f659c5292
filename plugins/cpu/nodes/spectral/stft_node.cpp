// Runs STFT: reads, windows and transforms each frame in one go.
#include "core/ops/spectral/spectral_ops.hpp"

#include <algorithm>
#include <string>

#include "core/graph/infer_context.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/spectral/dft_lines.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/makers.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kStftGrain = 1 << 12;  // numbers of transforms that are worth a thread

struct StftSizes {
    std::int64_t length;  // of a signal
    std::int64_t window;  // elements
    std::int64_t size;    // of a frame
    std::int64_t step;
    std::int64_t frames;  // of a signal
    std::int64_t signals;
    bool frames_first;

    std::int64_t before_window() const { return (size - window) / 2; }
};

template <typename T>
void run_frame(const StftSizes& sizes, const DftLines<T>& lines, std::int64_t index,
               const RunArgs& args, double* work) {
    const std::int64_t signal = index / sizes.frames, frame = index % sizes.frames;
    const std::int64_t bins = lines.output_extent(), before = sizes.before_window();
    const std::int64_t first =
        sizes.frames_first ? index * bins : signal * bins * sizes.frames + frame;
    lines.run({static_cast<const T*>(args.inputs[0]) + signal * sizes.length + frame * sizes.step,
               static_cast<T*>(args.outputs[0]) + 2 * first, 1, work,
               static_cast<const T*>(args.scratch), sizes.frames_first ? 1 : sizes.frames, before,
               sizes.size - sizes.window - before});
}

// The window, as long as a frame, lies at the start of the scratch.
template <typename T>
std::unique_ptr<Call> make_stft_call(const StftSizes& sizes, int threads) {
    const DftLines<T> lines(DftKind::from_real, {sizes.size, sizes.size, 1});
    const SliceScratch slices(static_cast<std::size_t>(lines.work_size(1)) * sizeof(double),
                              threads);
    const std::size_t window_bytes = whole_lines(static_cast<std::size_t>(sizes.size) * sizeof(T));
    const auto run = [sizes, lines, slices, window_bytes](const RunArgs& args) {
        T* window = static_cast<T*>(args.scratch);
        std::fill_n(window, sizes.size, T{0});
        std::copy_n(static_cast<const T*>(args.inputs[1]), sizes.window,
                    window + sizes.before_window());
        slices.share(args.team, sizes.signals * sizes.frames, kStftGrain / sizes.size + 1,
                     static_cast<std::byte*>(args.scratch) + window_bytes,
                     [&](std::int64_t begin, std::int64_t end, std::byte* work) {
                         for (; begin < end; ++begin) {
                             run_frame(sizes, lines, begin, args, reinterpret_cast<double*>(work));
                         }
                     });
    };
    return make_call(run, {window_bytes + slices.bytes()});
}

StftSizes sizes_of(const ops::Stft& op, const CallSite& site) {
    const Shape& signal = site.inputs[0].shape;
    const Shape& output = site.outputs[0].shape;
    const std::size_t frames_axis = output.size() - (op.frames_first() ? 3 : 2);
    StftSizes sizes{};
    sizes.length = static_cast<std::int64_t>(signal.back());
    sizes.window = count_of(site.inputs[1].shape);
    sizes.size = to_int64_vector(site.inputs[2].value).at(0);
    sizes.step = to_int64_vector(site.inputs[3].value).at(0);
    sizes.frames = static_cast<std::int64_t>(output[frames_axis]);
    sizes.signals = extents_product(signal, 0, signal.size() - 1);
    sizes.frames_first = op.frames_first();
    return sizes;
}

}  // namespace

std::unique_ptr<CpuNode> make_stft_node(const Node& node, const CompileContext& context) {
    const auto& op = dynamic_cast<const ops::Stft&>(node);
    return make_function_node(
        op,
        {"stft_" + std::string(to_string(op.output_type(0))),
         "a real transform of each frame, windowed as it is read"},
        [&op, isa = context.isa](const CallSite& site) {
            if (element_count(site.outputs[0].shape) == 0) return make_zero_call(site.outputs[0]);
            return make_floating_call(site, isa, [&](auto tag, const CallSite& own) {
                return make_stft_call<tag_type<decltype(tag)>>(sizes_of(op, own), own.threads);
            });
        });
}

}  // namespace rondo::cpu
