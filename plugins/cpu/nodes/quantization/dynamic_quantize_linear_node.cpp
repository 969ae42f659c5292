// DynamicQuantizeLinear: one pass for the range, one to round.
#include <algorithm>

#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/quantization/quantize_bytes.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/nodes/common/extents.hpp"
#include "plugins/cpu/nodes/quantization/makers.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kQuantizeGrain = 1 << 15;  // elements that are worth a thread

class QuantizeCall final : public Call {
public:
    QuantizeCall(Isa isa, const CallSite& site)
        : isa_(isa), count_(count_of(site.inputs[0].shape)), slices_(std::max(1, site.threads)) {}

    // The range of each slice, on a cache line of its own.
    std::size_t scratch_bytes() const override {
        return kCacheLine * static_cast<std::size_t>(slices_);
    }

    void run(const RunArgs& args) const override {
        const auto* x = static_cast<const float*>(args.inputs[0]);
        const ByteScale by = byte_scale(range_of(x, args));
        *static_cast<float*>(args.outputs[1]) = by.scale;
        *static_cast<std::uint8_t*>(args.outputs[2]) = by.zero_point;
        auto* to = static_cast<std::uint8_t*>(args.outputs[0]);
        share(args.team, count_, kQuantizeGrain, [&](std::int64_t begin, std::int64_t end) {
            quantize_bytes(isa_, x + begin, end - begin, by, to + begin);
        });
    }

private:
    ByteRange& slice(const RunArgs& args, int number) const {
        auto* bytes =
            static_cast<std::byte*>(args.scratch) + kCacheLine * static_cast<std::size_t>(number);
        return *reinterpret_cast<ByteRange*>(bytes);
    }

    ByteRange range_of(const float* x, const RunArgs& args) const {
        for (int i = 0; i < slices_; ++i) slice(args, i) = {};
        share_slices(args.team, count_, kQuantizeGrain,
                     [&](std::int64_t begin, std::int64_t end, int number) {
                         slice(args, number) = byte_range(isa_, x + begin, end - begin);
                     });
        ByteRange range;
        for (int i = 0; i < slices_; ++i) {
            range.low = std::min(range.low, slice(args, i).low);
            range.high = std::max(range.high, slice(args, i).high);
        }
        return range;
    }

    Isa isa_;
    std::int64_t count_;
    int slices_;
};

class DynamicQuantizeLinearNode final : public CpuNode {
public:
    DynamicQuantizeLinearNode(const Node& node, Isa isa)
        : CpuNode(node, "quantize_bytes", "one pass for the range, one to round"), isa_(isa) {}

    std::unique_ptr<Call> prepare(const CallSite& site) const override {
        return std::make_unique<QuantizeCall>(isa_, site);
    }

private:
    Isa isa_;
};

}  // namespace

std::unique_ptr<CpuNode> make_dynamic_quantize_linear_node(const Node& node,
                                                           const CompileContext& context) {
    return std::make_unique<DynamicQuantizeLinearNode>(node, context.isa);
}

}  // namespace rondo::cpu
