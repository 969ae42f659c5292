// STFT: each frame is read, windowed and transformed in one go.
#include "core/ops/spectral/stft.hpp"

#include <algorithm>
#include <string>

#include "core/graph/infer_context.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/spectral/dft_lines.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/copy_call.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/common/widened_call.hpp"
#include "plugins/cpu/nodes/spectral/makers.hpp"

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
};

template <typename T>
class StftCall final : public Call {
public:
    StftCall(const StftSizes& sizes, int threads)
        : sizes_(sizes),
          lines_(DftKind::from_real, {sizes.size, sizes.size, 1}),
          slices_(static_cast<std::size_t>(std::max(1, threads))),
          window_bytes_(whole_lines(static_cast<std::size_t>(sizes.size) * sizeof(T))),
          slice_bytes_(
              whole_lines(static_cast<std::size_t>(lines_.work_size(1)) * sizeof(double))) {}

    std::size_t scratch_bytes() const override { return window_bytes_ + slice_bytes_ * slices_; }

    void run(const RunArgs& args) const override {
        auto* scratch = static_cast<std::byte*>(args.scratch);
        T* window = reinterpret_cast<T*>(scratch);
        std::fill_n(window, sizes_.size, T{0});
        std::copy_n(static_cast<const T*>(args.inputs[1]), sizes_.window, window + before_window());
        share_slices(args.team, sizes_.signals * sizes_.frames, kStftGrain / sizes_.size + 1,
                     [&](std::int64_t begin, std::int64_t end, int slice) {
                         std::byte* work = scratch + window_bytes_ +
                                           slice_bytes_ * static_cast<std::size_t>(slice);
                         for (; begin < end; ++begin) {
                             run_frame(begin, args, window, reinterpret_cast<double*>(work));
                         }
                     });
    }

private:
    void run_frame(std::int64_t index, const RunArgs& args, const T* window, double* work) const {
        const std::int64_t signal = index / sizes_.frames, frame = index % sizes_.frames;
        const std::int64_t bins = lines_.output_extent();
        const std::int64_t first =
            sizes_.frames_first ? index * bins : signal * bins * sizes_.frames + frame;
        lines_.run(
            {static_cast<const T*>(args.inputs[0]) + signal * sizes_.length + frame * sizes_.step,
             static_cast<T*>(args.outputs[0]) + 2 * first, 1, work, window,
             sizes_.frames_first ? 1 : sizes_.frames, before_window(),
             sizes_.size - sizes_.window - before_window()});
    }

    std::int64_t before_window() const { return (sizes_.size - sizes_.window) / 2; }

    StftSizes sizes_;
    DftLines<T> lines_;
    std::size_t slices_;
    std::size_t window_bytes_;
    std::size_t slice_bytes_;
};

class StftNode final : public CpuNode {
public:
    StftNode(const ops::Stft& op, Isa isa)
        : CpuNode(op, "stft_" + std::string(to_string(op.output_type(0))),
                  "a real transform of each frame, windowed as it is read"),
          op_(op),
          isa_(isa) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        if (element_count(site.outputs[0].shape) == 0) return make_zero_call(site.outputs[0]);
        return make_floating_call(site, isa_, [&](auto tag, const CallSite& at) {
            return make_call<tag_type<decltype(tag)>>(at);
        });
    }

private:
    template <typename T>
    std::unique_ptr<Call> make_call(const CallSite& site) const {
        const Shape& signal = site.inputs[0].shape;
        const Shape& output = site.outputs[0].shape;
        const std::size_t frames_axis = output.size() - (op_.frames_first() ? 3 : 2);
        StftSizes sizes{};
        sizes.length = static_cast<std::int64_t>(signal.back());
        sizes.window = count_of(site.inputs[1].shape);
        sizes.size = to_int64_vector(site.inputs[2].value).at(0);
        sizes.step = to_int64_vector(site.inputs[3].value).at(0);
        sizes.frames = static_cast<std::int64_t>(output[frames_axis]);
        sizes.signals = extents_product(signal, 0, signal.size() - 1);
        sizes.frames_first = op_.frames_first();
        return std::make_unique<StftCall<T>>(sizes, site.threads);
    }

    const ops::Stft& op_;
    Isa isa_;
};

}  // namespace

std::unique_ptr<CpuNode> make_stft_node(const Node& node, const CompileContext& context) {
    return std::make_unique<StftNode>(dynamic_cast<const ops::Stft&>(node), context.isa);
}

}  // namespace rondo::cpu
